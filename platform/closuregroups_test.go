package platform_test

import (
	"context"
	"fmt"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// closureGroup is a group of people.
type closureGroup struct{ twin, id string }

// group picks one of the groups that were made.
func (w *closureWorld) group(i int) (closureGroup, bool) {
	if len(w.groups) == 0 {
		return closureGroup{}, false
	}
	return w.groups[i%len(w.groups)], true
}

// somePeople are the ids of one or two people.
func somePeople(a, b int) []string {
	ids := []string{closurePeople[a%people].ID}
	if b%2 == 0 {
		ids = append(ids, closurePeople[b/2%people].ID)
	}
	return ids
}

func createGroup(w *closureWorld, ctx context.Context, s closureStep) (string, error) {
	twin := w.twin(s.a)
	w.made++
	res, err := w.twins.CreateGroup(ctx, twin, twins.NewGroup{Name: fmt.Sprint("group ", w.made), Members: somePeople(s.b, s.c)})
	if err != nil {
		return "", err
	}
	w.groups = append(w.groups, closureGroup{twin, res.Value().ID})
	return "creates a group of " + w.name(twin), nil
}

func changeGroup(w *closureWorld, ctx context.Context, s closureStep) (string, error) {
	g, ok := w.group(s.a)
	if !ok {
		return "", errNothing
	}
	ids := somePeople(s.b, s.c)
	_, err := w.twins.UpdateGroup(ctx, g.twin, g.id, twins.GroupPatch{Members: twinplatform.Set(twins.People(ids))})
	return fmt.Sprintf("lets %v alone be in a group of %s", ids, w.name(g.twin)), err
}

func deleteGroup(w *closureWorld, ctx context.Context, s closureStep) (string, error) {
	g, ok := w.group(s.a)
	if !ok {
		return "", errNothing
	}
	return "deletes a group of " + w.name(g.twin), w.twins.DeleteGroup(ctx, g.twin, g.id)
}

// placeOf is a twin at which a group can have roles, or now and then another one.
func (w *closureWorld) placeOf(g closureGroup, s closureStep) string {
	if s.d%3 == 0 {
		return w.twin(s.b)
	}
	return g.twin
}

func giveGroup(w *closureWorld, ctx context.Context, s closureStep) (string, error) {
	g, ok := w.group(s.a)
	if !ok {
		return "", errNothing
	}
	at := w.placeOf(g, s)
	_, err := w.twins.AddGroupMembers(ctx, at, []twins.NewGroupMember{{GroupID: g.id, RoleIDs: []string{w.role(at, s.c)}}})
	return fmt.Sprintf("gives a group of %s a role at %s", w.name(g.twin), w.name(at)), err
}

func changeGroupRoles(w *closureWorld, ctx context.Context, s closureStep) (string, error) {
	g, ok := w.group(s.a)
	if !ok {
		return "", errNothing
	}
	at := w.placeOf(g, s)
	_, err := w.twins.UpdateGroupMember(ctx, at, g.id, twins.GroupMemberPatch{RoleIDs: twinplatform.Set([]string{w.role(at, s.c)})})
	return fmt.Sprintf("gives a group of %s another role at %s", w.name(g.twin), w.name(at)), err
}

func takeFromGroup(w *closureWorld, ctx context.Context, s closureStep) (string, error) {
	g, ok := w.group(s.a)
	if !ok {
		return "", errNothing
	}
	at := w.placeOf(g, s)
	return fmt.Sprintf("takes the roles at %s from a group of %s", w.name(at), w.name(g.twin)), w.twins.DeleteGroupMember(ctx, at, g.id)
}
