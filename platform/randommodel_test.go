package platform_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/models"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// grownModel is a model, as seen from within its account.
type grownModel struct {
	ctx        context.Context
	id, twin   string
	elements   []string
	views      []string
	changesets []string
}

func (g *gardener) model() {
	ctx, twin := g.inside()
	id := fmt.Sprint("model-", g.r.IntN(4)) // so that accounts have the same
	_, err := g.Transform.Models().CreateModel(ctx, models.NewModel{ID: id, TwinID: twin, DisplayName: g.name(), Description: twinplatform.NullString(g.text())})
	if !g.do("model", err) {
		return
	}
	_, err = g.Transform.Models().CreateSavedView(ctx, models.NewSavedView{ID: id + "-view", ModelID: id, DisplayName: g.name(), Shared: g.often(2)})
	g.do("view", err)
	g.models = append(g.models, grownModel{ctx: ctx, id: id, twin: twin})
}

// someModel is a model to continue with, or nil.
func (g *gardener) someModel() *grownModel {
	if len(g.models) == 0 {
		return nil
	}
	return &g.models[g.r.IntN(len(g.models))]
}

func (g *gardener) box() *models.Box {
	if !g.often(3) {
		return nil
	}
	p := func() models.Point {
		return models.Point{X: g.r.Float64() * 100, Y: -g.r.Float64(), Z: float64(g.r.IntN(9))}
	}
	return &models.Box{Low: p(), High: p()}
}

func (g *gardener) element(m *grownModel, id string) models.NewElement {
	n := models.NewElement{
		ID: id, Class: choice(g, []string{"Wall", "Slab", "Größe & mehr"}), Category: twinplatform.NullString(choice(g, []string{"", "walls", "slabs"})),
		SubModelID: twinplatform.NullString(choice(g, []string{"", "physical"})), Code: twinplatform.NullString(g.text()), BoundingBox: g.box(),
		Properties: models.ElementProperties{"mark": g.text(), "height": g.r.Float64(), "of": []any{1, nil}}, MandatoryProperties: []string{"mark"},
	}
	if g.often(2) {
		n.ParentID = twinplatform.NullString(choice(g, m.elements))
	}
	if !g.often(3) {
		n.FederationGUID = twinplatform.NullString(twinplatform.NewGUID())
	}
	switch g.r.IntN(4) {
	case 0:
		n.Geometry = twinplatform.Null[[]byte]()
	case 1:
	default:
		n.Geometry = twinplatform.Set([]byte(strings.Repeat(g.text()+"x", 1+g.r.IntN(3))))
	}
	return n
}

func (g *gardener) changeset() {
	m := g.someModel()
	if m == nil {
		return
	}
	n := models.NewChangeset{ID: choice(g, []string{"", g.name()}), Description: twinplatform.NullString(g.text())}
	for range g.r.IntN(4) {
		n.Inserted = append(n.Inserted, g.element(m, fmt.Sprint("e", g.r.IntN(60))))
	}
	if len(m.elements) > 0 {
		n.Updated = append(n.Updated, models.ElementUpdate(g.element(m, choice(g, m.elements))))
	}
	if !g.often(3) {
		n.Inserted, n.Updated, n.Deleted = nil, nil, append(n.Deleted, choice(g, m.elements))
	}
	if !g.often(8) {
		n.Inserted, n.Updated, n.Deleted = nil, nil, nil
	}
	rec, err := g.Transform.Models().CreateChangeset(m.ctx, m.id, n)
	if !g.do("changeset", err) {
		return
	}
	if len(n.Inserted)+len(n.Updated)+len(n.Deleted) == 0 {
		g.done["changeset.empty"]++
	}
	m.changesets = append(m.changesets, rec.Value().ID)
	for _, e := range n.Inserted {
		m.elements = append(m.elements, e.ID)
	}
}

// draft changes an element and changes it back, so that the changeset says the same as
// the one before, and what it took in between is left in the extents.
func (g *gardener) draft() {
	m := g.someModel()
	if m == nil || len(m.elements) == 0 {
		return
	}
	to, err := g.Transform.Models().Target(m.ctx, m.id)
	if err != nil {
		return // the model is deleted
	}
	id := fmt.Sprint("draft ", g.name())
	var was *models.Element
	write := func(change func(e *models.Element)) error {
		return to.Write(m.ctx, id, func(d models.Draft) error {
			e, err := d.Element(choice(g, m.elements[:1]))
			if err != nil || e == nil {
				return err
			}
			if was == nil {
				was = e
			}
			now := *was
			change(&now)
			return d.Put(now)
		})
	}
	if write(func(e *models.Element) { e.BoundingBox = &models.Box{High: models.Point{X: 1000}} }) != nil || write(func(*models.Element) {}) != nil {
		_ = to.Discard(m.ctx, id)
		return
	}
	made, err := to.Commit(m.ctx, id, g.text())
	if err == nil && made.ID != "" {
		g.done["draft"]++
	}
}

func (g *gardener) version() {
	if m := g.someModel(); m != nil {
		_, err := g.Transform.Models().CreateNamedVersion(m.ctx, m.id, models.NewNamedVersion{Name: g.name(), ChangesetID: choice(g, m.changesets), Description: twinplatform.NullString(g.text())})
		g.do("version", err)
	}
}

func (g *gardener) view() {
	m := g.someModel()
	if m == nil {
		return
	}
	if !g.often(4) {
		g.do("view.delete", g.Transform.Models().DeleteSavedView(m.ctx, choice(g, m.views)))
		return
	}
	id := g.name()
	rec, err := g.Transform.Models().CreateSavedView(m.ctx, models.NewSavedView{
		ID: id, ModelID: m.id, DisplayName: g.name(), Shared: g.often(4), ChangesetID: choice(g, append(m.changesets, "")), View: models.View{
			NeverDrawn: []string{choice(g, m.elements)}, HiddenCategories: []string{choice(g, []string{"walls", "slabs", "none"})}, Exclusive: !g.often(9),
			CategoryOverrides: []models.CategoryOverride{{Category: "walls", SubModelID: "physical", Visible: g.often(2)}},
		},
	})
	if err != nil {
		return
	}
	m.views = append(m.views, id)
	g.sort(m, id)
	if rec.Value().ChangesetIndex == 0 {
		g.done["view.nothing"]++
	} else {
		g.done["view.content"]++
	}
}

// sort puts a view into a new group, gives it a new tag and an extension.
func (g *gardener) sort(m *grownModel, id string) {
	group, err := g.Transform.Models().CreateViewGroup(m.ctx, models.NewViewGroup{ModelID: m.id, DisplayName: g.name(), Shared: g.often(2)})
	g.do("view.group", err)
	tag, err := g.Transform.Models().CreateViewTag(m.ctx, models.NewViewTag{ModelID: m.id, DisplayName: g.name()})
	g.do("view.tag", err)
	_, err = g.Transform.Models().UpdateSavedView(m.ctx, id, models.SavedViewPatch{
		GroupID: twinplatform.Set(group.Value().ID), TagIDs: twinplatform.Set([]string{tag.Value().ID}),
	})
	g.do("view.sorted", err)
	_, err = g.Transform.Models().SetViewExtension(m.ctx, id, models.NewViewExtension{ExtensionName: g.name(), Data: g.name()})
	g.do("view.extension", err)
}

func (g *gardener) configuration() {
	from, to := g.someModel(), g.someModel()
	if from == nil {
		return
	}
	res, err := g.Transform.CreateConfiguration(g.t.Context(), transform.NewConfiguration{
		TransformName: g.name(), Comment: g.name(), SourceProjectID: from.twin, SourceModelID: from.id, TargetProjectID: to.twin, TargetModelID: to.id,
		TransformParameters: &transform.NewParameters{SavedViewID: choice(g, from.views), ViewMode: choice(g, []transform.ViewMode{"", transform.FilterContent})},
	})
	if g.do("configuration", err) {
		g.configurations = append(g.configurations, res.Value().ID)
	}
}

func (g *gardener) run() {
	res, err := g.Transform.RunTransformation(g.t.Context(), transform.NewTransformation{ConfigurationID: choice(g, g.configurations)})
	if !g.do("run", err) {
		return
	}
	if run := res.Value(); run.TargetChangeSetID != "" {
		g.done["run.written"]++
	} else if run.Status == transform.Succeeded {
		g.done["run.nothing"]++
	}
}

// ran is what comes of a run of a configuration, whatever changesets are called.
func (g *gardener) ran(p *platform.Platform, configuration string) string {
	res, err := p.Transform.RunTransformation(g.t.Context(), transform.NewTransformation{ConfigurationID: configuration})
	if err != nil {
		return err.Error()
	}
	run := res.Value()
	run.Report.TransformID = ""
	return fmt.Sprintf("%s: %+v", run.Status, run.Report)
}

func (g *gardener) modelMember() {
	m := g.someModel()
	if m == nil {
		return
	}
	page, err := g.Twins.Roles(g.t.Context(), m.twin, twins.RoleQuery{})
	if err != nil {
		return // the twin is deleted
	}
	roles, err := page.Values()
	if err == nil {
		_, err = g.Transform.Models().CreateModelMember(m.ctx, m.id, models.NewModelMember{ID: "a/" + g.name(), RoleIDs: []string{choice(g, roles).ID}})
		g.do("model.member", err)
	}
}

func showModel(ctx context.Context, d display, at string, p *platform.Platform, id string) {
	d.t.Helper()
	type O = twinplatform.ListOptions
	s := p.Transform
	at += id + "/"
	for _, v := range show(d, at+"views", func(o O) (twinplatform.Page[models.SavedView], error) {
		return s.Models().SavedViews(ctx, models.SavedViewQuery{ListOptions: o, ModelID: id})
	}) {
		show(d, at+v.ID+"/extensions", func(o O) (twinplatform.Page[models.ViewExtension], error) {
			return s.Models().ViewExtensions(ctx, v.ID, models.ViewExtensionQuery{ListOptions: o})
		})
	}
	show(d, at+"groups", func(o O) (twinplatform.Page[models.ViewGroup], error) {
		return s.Models().ViewGroups(ctx, models.ViewGroupQuery{ListOptions: o, ModelID: id})
	})
	show(d, at+"tags", func(o O) (twinplatform.Page[models.ViewTag], error) {
		return s.Models().ViewTags(ctx, models.ViewTagQuery{ListOptions: o, ModelID: id})
	})
	show(d, at+"versions", func(o O) (twinplatform.Page[models.NamedVersion], error) {
		return s.Models().NamedVersions(ctx, id, models.NamedVersionQuery{ListOptions: o})
	})
	show(d, at+"members", func(o O) (twinplatform.Page[models.ModelMember], error) {
		return s.Models().ModelMembers(ctx, id, models.ModelMemberQuery{ListOptions: o})
	})
	for _, c := range show(d, at+"changesets", func(o O) (twinplatform.Page[models.Changeset], error) {
		return s.Models().Changesets(ctx, id, models.ChangesetQuery{ListOptions: o})
	}) {
		at := at + c.ID + "/"
		d.lists[at+"createdBy"] = []string{string(c.CreatedBy)}
		show(d, at+"changes", func(o O) (twinplatform.Page[models.ElementChange], error) {
			return s.Models().ElementChanges(ctx, id, c.ID, models.ElementChangeQuery{ListOptions: o})
		})
		for _, e := range show(d, at+"elements", func(o O) (twinplatform.Page[models.Element], error) {
			return s.Models().Elements(ctx, id, models.ElementQuery{ListOptions: o, ChangesetID: c.ID})
		}) {
			rec, err := s.Models().Element(ctx, id, e.ID, c.ID)
			d.lists[at+"geometry"] = append(d.lists[at+"geometry"], fmt.Sprintf("%s %q %v", e.ID, rec.Value.Geometry, err))
		}
	}
}

func showConfigurations(ctx context.Context, d display, at string, p *platform.Platform, twin string) {
	d.t.Helper()
	type O = twinplatform.ListOptions
	for _, c := range show(d, at+"configurations", func(o O) (twinplatform.Page[transform.Configuration], error) {
		return p.Transform.Configurations(ctx, transform.ConfigurationQuery{ListOptions: o, ProjectID: twin})
	}) {
		at := at + c.ID + "/"
		d.lists[at+"references"] = []string{fmt.Sprintf("%+v", c.References)}
		for _, run := range show(d, at+"transformations", func(o O) (twinplatform.Page[transform.Transformation], error) {
			return p.Transform.Transformations(ctx, transform.TransformationQuery{ListOptions: o, ConfigurationID: c.ID})
		}) {
			d.lists[at+"reports"] = append(d.lists[at+"reports"], fmt.Sprintf("%+v", run.Report))
		}
	}
}
