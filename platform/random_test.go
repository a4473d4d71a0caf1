package platform_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// gardener grows a world at random: what a service refuses is not done.
type gardener struct {
	*platform.Platform
	t    *testing.T
	r    *rand.Rand
	done map[string]int // by the name of an operation

	twins, definitions, forms, data []string
	plans                           []grown
	models                          []grownModel
	configurations                  []string
}

// grown is a schedule, as seen from within its account.
type grown struct {
	ctx context.Context
	id  string
	v65 bool
}

var accounts = []string{account, "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb"}

func (g *gardener) admin(accountID string) context.Context {
	return twinplatform.WithPrincipal(g.t.Context(), twinplatform.Principal{
		ID: "10000000-0000-4000-8000-" + (accountID + "000000000000")[:12], DisplayName: "Ada", AccountID: accountID, Kind: twinplatform.User,
		Scopes: []string{twinplatform.ScopePlatform}, AdministratorRoles: []twinplatform.AdministratorRole{"Account Administrator"},
	})
}

func choice[T any](g *gardener, from []T) (v T) {
	if len(from) > 0 {
		v = from[g.r.IntN(len(from))]
	}
	return v
}

func (g *gardener) often(n int) bool { return g.r.IntN(n) > 0 }

func (g *gardener) text() string {
	return choice(g, []string{"", "a", "Größe <4> & \"mehr\"", "two words", "line\u2028end", fmt.Sprint("n", g.r.IntN(1000))})
}

func (g *gardener) name() string {
	return fmt.Sprintf("%s %d", choice(g, []string{"Pier", "Träger", "Deck & <rail>"}), g.r.IntN(1_000_000))
}

func (g *gardener) at() twinplatform.DateTime {
	return twinplatform.At(time.Date(2026, 3, 1+g.r.IntN(90), g.r.IntN(24), g.r.IntN(60), g.r.IntN(60), 0, time.UTC))
}

func (g *gardener) maybe(d twinplatform.DateTime) twinplatform.DateTime {
	if g.often(2) {
		return d
	}
	return twinplatform.DateTime{}
}

// do notes an operation, and whether it was taken.
func (g *gardener) do(name string, err error) bool {
	if err == nil {
		g.done[name]++
	}
	return err == nil
}

func (g *gardener) grow(steps int) {
	for _, a := range accounts {
		_, err := g.Twins.PrimaryAccount(g.admin(a))
		g.do("account", err)
	}
	for range 4 {
		g.twin()
	}
	ops := []func(){
		g.twin, g.role, g.member, g.groupOfPeople, g.repository, g.model, g.changeset, g.changeset, g.changeset, g.draft, g.version, g.view, g.configuration, g.run, g.run, g.modelMember, g.definition, g.form, g.form, g.formChange, g.realityData, g.detector, g.plan,
		g.tasks, g.tasks, g.taskChange, g.taskChange, g.taskChange, g.links, g.links, g.links, g.resources, g.assignments, g.group, g.statuses, g.appearances, g.animations, g.codes, g.rules, g.calendars, g.fields, g.values, g.values,
		g.entities, g.baseline, g.synchronizer, g.removal,
	}
	for range steps {
		ops[g.r.IntN(len(ops))]()
	}
	for _, p := range g.plans {
		if g.often(3) {
			g.do("state", g.Schedules.SetState(p.ctx, p.id, schedules.Processing))
		}
	}
}

func (g *gardener) twin() {
	ctx, parent := g.admin(choice(g, accounts)), ""
	if !g.often(3) {
		parent = choice(g, g.twins)
	}
	if !g.often(6) {
		ctx = g.t.Context() // the system's belong to no account, or to that of their parent
	}
	n := twins.NewTwin{
		Class: choice(g, []twins.Class{twins.Endeavor, twins.Thing}), DisplayName: g.name(), ParentID: parent,
		Type: twinplatform.NullString(g.text()), GeographicLocation: twinplatform.NullString(g.text()),
		Status: choice(g, []twins.Status{"", twins.Active, twins.Inactive, twins.Trial}),
	}
	if g.often(2) {
		n.Latitude, n.Longitude = new(g.r.Float64()*90), new(-g.r.Float64()*180)
		n.IANATimeZone = twinplatform.Set("Europe/Berlin")
	}
	res, err := g.Twins.CreateTwin(ctx, n)
	if g.do("twin", err) {
		g.twins = append(g.twins, res.Value().ID)
	}
}

// inside is a twin, and an administrator of its account.
func (g *gardener) inside() (context.Context, string) {
	twin := choice(g, g.twins)
	accountID, _, err := g.Twins.TwinAccount(g.t.Context(), twin)
	if err != nil || accountID == "" {
		return g.t.Context(), twin
	}
	return g.admin(accountID), twin
}

func (g *gardener) role() {
	_, err := g.Twins.CreateRole(g.t.Context(), choice(g, g.twins), twins.NewRole{
		DisplayName: g.name(), Description: twinplatform.NullString(g.text()),
		Permissions: []string{schedules.PermissionRead, choice(g, twins.Permissions())},
	})
	g.do("role", err)
}

func (g *gardener) member() {
	twin := choice(g, g.twins)
	page, err := g.Twins.Roles(g.t.Context(), twin, twins.RoleQuery{})
	if err != nil {
		return // the twin is deleted
	}
	var ids []string
	for r := range page.OnPage() {
		if len(ids) == 0 || g.often(2) {
			ids = append(ids, r.ID)
		}
	}
	_, err = g.Twins.CreateMember(g.t.Context(), twin, twins.NewMember{
		ID: twinplatform.NewGUID(), MemberType: choice(g, []twinplatform.PrincipalKind{"", twinplatform.User, twinplatform.Service}),
		DisplayName: twinplatform.NullString(g.text()), RoleIDs: ids,
	})
	g.do("member", err)
}

func (g *gardener) groupOfPeople() {
	if g.often(3) {
		return
	}
	twin := choice(g, g.twins)
	res, err := g.Twins.CreateGroup(g.t.Context(), twin, twins.NewGroup{
		Name: g.name(), Description: twinplatform.NullString(g.text()), Members: []string{twinplatform.NewGUID()},
		People: []twins.GroupPerson{{ID: twinplatform.NewGUID(), DisplayName: twinplatform.NullString(g.name()), MemberType: twinplatform.Service}},
	})
	if !g.do("group", err) {
		return
	}
	role, err := g.Twins.CreateRole(g.t.Context(), twin, twins.NewRole{DisplayName: "of " + res.Value().ID, Permissions: []string{twins.PermissionRead}})
	if g.do("role", err) {
		_, err = g.Twins.AddGroupMembers(g.t.Context(), twin, []twins.NewGroupMember{{GroupID: res.Value().ID, RoleIDs: []string{role.Value().ID}}})
		g.do("group member", err)
	}
}

func (g *gardener) repository() {
	n := twins.NewRepository{Class: choice(g, []string{"Subsurface", "Construction"}), SubClass: g.text(), URI: fmt.Sprint("https://example.com/", g.r.IntN(1_000))}
	if g.often(2) {
		n.Authentication = &twins.RepositoryAuthentication{Type: twins.InHeader, Key: "X-Key", Value: g.name()}
		n.Options = twins.RepositoryOptions{"level": g.r.IntN(9), "of": g.name()}
	}
	twin := choice(g, g.twins)
	made, err := g.Twins.CreateRepository(g.t.Context(), twin, n)
	if g.do("repository", err); err != nil {
		return
	}
	for i := range g.r.IntN(3) {
		r := twins.NewRepositoryResource{ID: fmt.Sprint("layer/", i), DisplayName: fmt.Sprint(g.name(), i), Type: twinplatform.NullString(g.text())}
		if g.often(2) {
			r.Properties = twins.RepositoryResourceProperties{"scale": 1000 + g.r.IntN(9)}
		}
		_, err := g.Twins.CreateRepositoryResource(g.t.Context(), twin, made.Value().ID, r)
		g.do("resource of a repository", err)
	}
}

func (g *gardener) definition() {
	ctx, twin := g.inside()
	res, err := g.Forms.CreateFormDefinition(ctx, forms.NewFormDefinition{
		DisplayName: g.name(), Discipline: g.text(), IDPrefix: twinplatform.NullString(choice(g, []string{"", "RFI", "NB-Q"})),
		Status: choice(g, []forms.FormDefinitionStatus{"", forms.Approved, forms.Approved}), TwinID: twin, Type: choice(g, []string{"RFI", "Diary"}),
	})
	if !g.do("definition", err) {
		return
	}
	id := res.Value().ID
	g.definitions = append(g.definitions, id)
	if !g.often(3) {
		g.do("security", g.Forms.SetSecurity(g.t.Context(), id, "", &forms.Security{Grants: []forms.Grant{
			{PrincipalID: twinplatform.NewGUID(), Permissions: []string{forms.PermissionView}},
		}}))
	}
}

func (g *gardener) form() {
	n := forms.NewForm{FormID: choice(g, g.definitions), FormFields: forms.FormFields{
		Subject: twinplatform.Set(g.text()), Properties: twinplatform.Set(forms.Properties{"pier": 3, "nested": map[string]any{"a": []any{1, "b", nil}}}),
	}}
	if g.often(2) {
		n.DueDate, n.Description = twinplatform.Set(g.at()), twinplatform.Set(g.text())
		n.Assignees = twinplatform.Set([]forms.Assignee{{DisplayName: g.name(), ID: twinplatform.NewGUID()}, {DisplayName: g.name(), ID: twinplatform.NewGUID()}})
	}
	res, err := g.Forms.CreateForm(g.admin(accounts[0]), n)
	if err != nil {
		res, err = g.Forms.CreateForm(g.t.Context(), n)
	}
	if g.do("form", err) {
		g.forms = append(g.forms, res.Value().ID)
	}
}

func (g *gardener) formChange() {
	id := choice(g, g.forms)
	switch g.r.IntN(4) {
	case 0:
		g.do("form.delete", g.Forms.DeleteForm(g.t.Context(), id))
	case 1:
		_, err := g.Forms.UpdateFormDefinition(g.t.Context(), choice(g, g.definitions), forms.FormDefinitionPatch{
			Status: twinplatform.Set(choice(g, []forms.FormDefinitionStatus{forms.Archived, forms.Maintenance, forms.Approved})),
		})
		g.do("definition.update", err)
	default:
		p := forms.FormPatch{FormFields: forms.FormFields{Status: twinplatform.Set(choice(g, []string{"Open", "In Review", "Closed", "Draft"}))}}
		if g.often(2) {
			p.Subject, p.Description, p.DueDate = twinplatform.Null[string](), twinplatform.Set(g.text()), twinplatform.Null[twinplatform.DateTime]()
		}
		_, err := g.Forms.UpdateForm(g.t.Context(), id, p)
		g.do("form.update", err)
	}
}

func (g *gardener) realityData() {
	ctx, twin := g.inside()
	res, err := g.RealityData.CreateRealityData(ctx, realitydata.NewRealityData{
		TwinID: twin, DisplayName: g.name(), Type: choice(g, []string{"LAS", "PointCloud"}), Tags: []string{"a", "b"}, Authoring: g.often(2),
		Description: twinplatform.NullString("Before"), CRS: &realitydata.CRS{ID: "EPSG:25832"},
		Acquisition: &realitydata.Acquisition{StartDateTime: g.at()},
	})
	if !g.do("data", err) {
		return
	}
	id := res.Value().ID
	g.data = append(g.data, id)
	if g.often(2) {
		g.do("data.associate", g.RealityData.Associate(ctx, id, choice(g, g.twins)))
	}
}

func (g *gardener) detector() {
	ctx := g.admin(choice(g, accounts))
	name := fmt.Sprintf("@river-works/d%d", g.r.IntN(4))
	_, err := g.RealityData.CreateDetector(ctx, realitydata.NewDetector{
		Name: name, Type: "PhotoSegmentationDetector", DisplayName: twinplatform.NullString(g.name()), Description: twinplatform.NullString(g.text()),
	})
	if !g.do("detector", err) {
		return
	}
	for i := range g.r.IntN(4) {
		number := fmt.Sprintf("1.%d", i)
		_, _, err := g.RealityData.CreateDetectorVersion(ctx, name, realitydata.NewDetectorVersion{
			VersionNumber: number, Capabilities: realitydata.Capabilities{Exports: []realitydata.DetectorExport{"Lines"}, Labels: []string{"crack"}},
		})
		if g.do("version", err) && g.often(2) {
			g.do("version.complete", g.RealityData.CompleteDetectorVersion(ctx, name, number))
			if g.often(2) {
				g.do("version.publish", g.RealityData.PublishDetectorVersion(ctx, name, number))
			}
		}
	}
}

func (g *gardener) removal() {
	ctx := g.t.Context()
	switch g.r.IntN(6) {
	case 0:
		g.do("twin.delete", g.Twins.DeleteTwin(ctx, choice(g, g.twins)))
	case 1:
		g.do("data.delete", g.RealityData.DeleteRealityData(ctx, choice(g, g.data)))
	case 2:
		if p := choice(g, g.plans); p.id != "" && !g.often(3) {
			g.do("plan.delete", g.Schedules.DeleteSchedule(p.ctx, p.id))
		}
	case 3:
		if p := choice(g, g.plans); p.id != "" {
			_, err := g.Schedules.In(p.id).DeleteTasks(p.ctx, []string{g.id("task")})
			g.do("task.delete", err)
		}
	case 4:
		if p := choice(g, g.plans); p.id != "" {
			_, err := g.Schedules.In(p.id).DeleteResources(p.ctx, []string{g.id("resource")})
			g.do("resource.delete", err)
		}
	case 5:
		if p := choice(g, g.plans); p.id != "" {
			page, err := g.Schedules.In(p.id).TaskLinks(p.ctx, schedules.TaskLinkQuery{})
			if err != nil {
				return // the schedule is deleted
			}
			links, err := page.Values()
			if err == nil && len(links) > 0 {
				_, err = g.Schedules.In(p.id).DeleteTaskLinks(p.ctx, []string{choice(g, links).ID})
				g.do("link.delete", err)
			}
		}
	}
}
