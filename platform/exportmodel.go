package platform

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

func (e *exporter) models(ctx context.Context, twinID string) {
	var registered []Model
	e.list(&registered, func(o options) (wirePage, error) {
		return wire(e.Transform.Models().Models(ctx, models.ModelQuery{ListOptions: o, TwinID: twinID}))
	})
	held, err := e.roles(ctx, twinID)
	e.failed(err)
	roles := namesOf(held)
	for _, m := range registered {
		e.changesets(ctx, &m)
		e.list(&m.NamedVersions, func(o options) (wirePage, error) {
			return wire(e.Transform.Models().NamedVersions(ctx, m.ID, models.NamedVersionQuery{ListOptions: o}))
		})
		e.viewParts(ctx, &m)
		e.modelMembers(ctx, &m, roles)
		e.world.Models = append(e.world.Models, m)
		e.savedViews(ctx, models.SavedViewQuery{ModelID: m.ID, TwinID: twinID})
	}
	e.savedViews(ctx, models.SavedViewQuery{TwinID: twinID})
}

// savedViews collects views of a twin with what programs keep with them.
func (e *exporter) savedViews(ctx context.Context, q models.SavedViewQuery) {
	var views []SavedView
	e.list(&views, func(o options) (wirePage, error) {
		q.ListOptions = o
		return wire(e.Transform.Models().SavedViews(ctx, q))
	})
	for _, v := range views {
		v.TwinID = q.TwinID
		e.list(&v.Extensions, func(o options) (wirePage, error) {
			return wire(e.Transform.Models().ViewExtensions(ctx, v.ID, models.ViewExtensionQuery{ListOptions: o}))
		})
		e.world.SavedViews = append(e.world.SavedViews, v)
	}
}

// viewParts collects what the views of a model are sorted by.
func (e *exporter) viewParts(ctx context.Context, m *Model) {
	e.list(&m.ViewGroups, func(o options) (wirePage, error) {
		return wire(e.Transform.Models().ViewGroups(ctx, models.ViewGroupQuery{ListOptions: o, ModelID: m.ID}))
	})
	e.list(&m.ViewTags, func(o options) (wirePage, error) {
		return wire(e.Transform.Models().ViewTags(ctx, models.ViewTagQuery{ListOptions: o, ModelID: m.ID}))
	})
}

// changesets collects the changesets of a model with what each did.
func (e *exporter) changesets(ctx context.Context, m *Model) {
	if e.err != nil {
		return
	}
	source, err := e.Transform.Models().Source(ctx, m.ID)
	if e.failed(err) {
		return
	}
	for _, c := range values(e, twinplatform.AllIn(ctx, e.Transform.Models().Changesets, m.ID,
		models.ChangesetQuery{})) {
		out := Changeset{
			ID: c.ID, Description: c.Description, CreatedBy: c.CreatedBy,
			CreatedDateTime: dated(c.CreatedDateTime), Extents: c.Extents,
		}
		err := source.Read(ctx, c.ID, func(at models.Content) error { return out.collect(at) })
		if e.failed(err) {
			return
		}
		m.Changesets = append(m.Changesets, out)
	}
}

// collect takes what a changeset did from the content as of it.
func (c *Changeset) collect(at models.Content) error {
	for change, err := range at.Changed(string(at.Changeset().ParentID), "") {
		if err != nil {
			return err
		}
		e, err := at.Element(change.ElementID)
		if err != nil {
			return err
		}
		if e == nil {
			c.Deleted = append(c.Deleted, change.ElementID)
			continue
		}
		n, err := elementOf(at, e)
		if err != nil {
			return err
		}
		if e.CreatedIndex == at.Changeset().Index {
			c.Inserted = append(c.Inserted, n)
		} else {
			c.Updated = append(c.Updated, n)
		}
	}
	return nil
}

// elementOf is an element as the changeset made it that it is as of. Geometry that
// another one brought is left out.
func elementOf(at models.Content, e *models.Element) (n Element, err error) {
	n = Element{Aspects: e.Aspects, NewElement: models.NewElement{
		ID: e.ID, Class: e.Class, Category: e.Category, ParentID: e.ParentID, ScopeID: e.ScopeID,
		SubModelID: e.SubModelID,
		Code:       e.Code, FederationGUID: e.FederationGUID, BoundingBox: e.BoundingBox, Properties: e.Properties,
		MandatoryProperties: e.MandatoryProperties,
	}}
	switch {
	case e.GeometryHash == "" && e.CreatedIndex != at.Changeset().Index:
		n.Geometry = twinplatform.Null[[]byte]()
	case e.GeometryIndex == at.Changeset().Index && e.GeometryHash != "":
		data, err := at.Geometry(e)
		if err != nil {
			return n, err
		}
		n.Geometry = twinplatform.Set(data)
	}
	return n, nil
}

// modelMembers collects the members of a model. A role that the twin has no more, and
// who has no other, is left out: it holds nothing.
func (e *exporter) modelMembers(ctx context.Context, m *Model, roles map[string]string) {
	var members []ModelMember
	e.list(&members, func(o options) (wirePage, error) {
		return wire(e.Transform.Models().ModelMembers(ctx, m.ID, models.ModelMemberQuery{ListOptions: o}))
	})
	for _, member := range members {
		for _, id := range member.RoleIDs {
			if name, there := roles[id]; there {
				member.Roles = append(member.Roles, name)
			}
		}
		slices.Sort(member.Roles)
		if member.RoleIDs = nil; len(member.Roles) > 0 {
			m.Members = append(m.Members, member)
		}
	}
}

// configurations collects what transformations there are into the models of a twin,
// with those that have ended.
func (e *exporter) configurations(ctx context.Context, twinID string) {
	for _, c := range values(e, twinplatform.All(ctx, e.Transform.Configurations,
		transform.ConfigurationQuery{ProjectID: twinID})) {
		r := &c.References
		out := Configuration{
			ID: c.ID, CreatedDateTime: dated(c.CreatedDateTime),
			ModifiedDateTime: dated(c.ModifiedDateTime), NewConfiguration: transform.NewConfiguration{
				TransformName: c.TransformName, Comment: c.Comment, SourceProjectID: r.SourceProjectID,
				SourceModelID:   r.SourceModelID,
				TargetProjectID: r.TargetProjectID, TargetModelID: r.TargetModelID,
				TransformParameters: &transform.NewParameters{
					SavedViewID: r.SavedViewID,
					ViewMode:    c.TransformParameters.ViewMode,
				},
			},
		}
		for _, t := range values(e, twinplatform.All(ctx, e.Transform.Transformations,
			transform.TransformationQuery{ConfigurationID: c.ID})) {
			if t.Status.Done() {
				out.Transformations = append(out.Transformations, Transformation{t, t.Report})
			}
		}
		e.world.Configurations = append(e.world.Configurations, out)
	}
}
