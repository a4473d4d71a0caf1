package platform

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform/transform"
)

func (e *exporter) models(ctx context.Context, twinID string) {
	var models []Model
	e.list(&models, func(o options) (wirePage, error) {
		return wire(e.Transform.Models(ctx, transform.ModelQuery{ListOptions: o, TwinID: twinID}))
	})
	held, err := e.roles(ctx, twinID)
	e.failed(err)
	roles := namesOf(held)
	for _, m := range models {
		e.modelMembers(ctx, &m, roles)
		e.world.Models = append(e.world.Models, m)
		var views []SavedView
		e.list(&views, func(o options) (wirePage, error) {
			return wire(e.Transform.SavedViews(ctx, transform.SavedViewQuery{ListOptions: o, ModelID: m.ID}))
		})
		for _, v := range views {
			v.TwinID, v.ChangesetID = twinID, "" // changesets are not in a world
			e.world.SavedViews = append(e.world.SavedViews, v)
		}
	}
}

// modelMembers collects the members of a model. A role that the twin has no more, and
// who has no other, is left out: it holds nothing.
func (e *exporter) modelMembers(ctx context.Context, m *Model, roles map[string]string) {
	var members []ModelMember
	e.list(&members, func(o options) (wirePage, error) {
		return wire(e.Transform.ModelMembers(ctx, m.ID, transform.ModelMemberQuery{ListOptions: o}))
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
