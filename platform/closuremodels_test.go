package platform_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/models"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// What is asked of models, and the permissions of which each is enough, at the model or
// at its twin.
var modelPowers = map[string][]string{
	"read":   {transform.PermissionModelsRead, transform.PermissionModelsWrite},
	"change": {transform.PermissionModelsWrite},
}

// makeModels makes the models of every history, by their twins.
func (w *closureWorld) makeModels(t *testing.T) map[string]string {
	t.Helper()
	in := make(map[string]string)
	for i, twin := range []string{w.known[2].ID, w.known[3].ID, w.known[4].ID} {
		id := fmt.Sprint("model ", i)
		if _, err := w.models.Models().CreateModel(w.ctx, models.NewModel{ID: id, TwinID: twin, DisplayName: id}); err != nil {
			t.Fatal(err)
		}
		in[id] = twin
	}
	return in
}

// onModels tries a change on top of a changeset that is not there.
func (a *attempts) onModels() {
	for id := range a.w.modelIn {
		_, err := a.w.models.Models().Model(a.ctx, id)
		a.note("read", id, err)
		_, err = a.w.models.Models().CreateChangeset(a.ctx, id, models.NewChangeset{ParentID: "none"})
		a.note("change", id, err)
	}
}

// holdsAny reports whether someone holds one of the permissions at a twin.
func (m *measured) holdsAny(who int, twin string, permissions []string) bool {
	return slices.ContainsFunc(permissions, func(p string) bool { return m.can[who][power{p, twin}] })
}

// givesAtModel reports whether the actor could give and take a power over a model: by
// its members, or by what the roles of its twin hold.
func (j *justice) givesAtModel(twin string, p power) bool {
	return j.held[power{twins.PermissionManageMembers, twin}] && j.held[p] || j.gives(twin, modelPowers[p.what]...)
}

// takeModelMember is a step about someone as a member of a model.
func takeModelMember(take func(w *closureWorld, ctx context.Context, model, who, role string) error) func(w *closureWorld, ctx context.Context, s closureStep) (string, error) {
	return func(w *closureWorld, ctx context.Context, s closureStep) (string, error) {
		models := slices.Sorted(maps.Keys(w.modelIn))
		model, who := models[s.a%len(models)], closurePeople[s.b%people].ID
		from := w.modelIn[model]
		if s.d%8 == 0 {
			from = w.twin(s.d / 8) // a role of another twin is none here
		}
		return fmt.Sprintf("%s of %s as a member of %s: role %d", s.op, who, model, s.c%len(w.roles(from))), take(w, ctx, model, who, w.role(from, s.c))
	}
}

func (w *closureWorld) makeModelMember(ctx context.Context, model, who, role string) error {
	_, err := w.models.Models().CreateModelMember(ctx, model, models.NewModelMember{ID: who, RoleIDs: []string{role}})
	return err
}

func (w *closureWorld) changeModelMember(ctx context.Context, model, who, role string) error {
	_, err := w.models.Models().UpdateModelMember(ctx, model, who, models.ModelMemberPatch{RoleIDs: twinplatform.Set([]string{role})})
	return err
}

func (w *closureWorld) removeModelMember(ctx context.Context, model, who, _ string) error {
	return w.models.Models().DeleteModelMember(ctx, model, who)
}
