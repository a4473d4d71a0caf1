package schedules_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/animation"
)

func entityListed(e animation.Entity3D) (string, bool) { return e.ID, e.Deleted }

// shows makes entities from lines such as "beam crane", the second word, if any, being
// the resource that the entity shows.
func (p *plan) shows(lines ...string) {
	p.Helper()
	for _, line := range lines {
		entity, resource, _ := strings.Cut(line, " ")
		p.entity(animation.NewEntity3D{ID: entity, ResourceID: twinplatform.NullString(resource)})
	}
}

// entitiesOf lists entities by id, the deleted ones marked.
func (p *plan) entitiesOf(o twinplatform.ListOptions, list func(context.Context, string, animation.Entity3DQuery) (twinplatform.Page[animation.Entity3D], error), id string) (ids, delta string) {
	p.Helper()
	all, delta := readAll(p, o, func(o twinplatform.ListOptions) (twinplatform.Page[animation.Entity3D], error) {
		return list(p.ctx, id, animation.Entity3DQuery{ListOptions: o})
	})
	return idList(all, entityListed), delta
}

// TestEntitiesOfATaskAreThoseOfTheResourcesItUses connects the "3D models" of the
// specification's task, "an activity that ties time (the schedule) to 3D models", to its
// "resources … used by Tasks".
//
// covers: operations entities3d.listOfResource entities3d.listOfTask
func TestEntitiesOfATaskAreThoseOfTheResourcesItUses(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.v65()
		p.tasks("dig", "pour", "idle")
		p.resources("crane", "crew", "wall", "spare")
		p.shows("hook crane", "boom crane", "man crew", "slab wall", "face wall", "box spare", "sky")
		p.uses("dig crane", "dig crew", "pour wall", "pour crane")
		p.assign(schedules.NewResourceAssignment{ID: "again", TaskID: "dig", ResourceID: "crane"})
		resource, task := animation.In(p.in()).Entities3DOfResource, animation.In(p.in()).Entities3DOfTask
		for _, tt := range []struct {
			of   string
			list func(context.Context, string, animation.Entity3DQuery) (twinplatform.Page[animation.Entity3D], error)
			want string
		}{
			{"crane", resource, "boom hook"},
			{"crew", resource, "man"},
			{"spare", resource, "box"},
			{"dig", task, "boom hook man"},
			{"pour", task, "boom hook face slab"},
			{"idle", task, ""},
		} {
			for _, top := range []int{0, 1, 2} {
				if got, _ := p.entitiesOf(twinplatform.ListOptions{Top: top}, tt.list, tt.of); got != tt.want {
					p.Errorf("%s by %d has %q, want %q", tt.of, top, got, tt.want)
				}
			}
		}
		if _, err := p.in().DeleteResourceAssignments(p.ctx, []string{"dig-crane"}); err != nil {
			p.Fatal(err)
		}
		got, _ := p.entitiesOf(twinplatform.ListOptions{}, task, "dig")
		expect(p, "while one of two assignments is left", got, "boom hook man")
		if _, err := p.in().DeleteResourceAssignments(p.ctx, []string{"again"}); err != nil {
			p.Fatal(err)
		}
		got, _ = p.entitiesOf(twinplatform.ListOptions{}, task, "dig")
		expect(p, "without the crane", got, "man")
		if _, err := animation.In(p.in()).DeleteEntities3D(p.ctx, []string{"man"}); err != nil {
			p.Fatal(err)
		}
		got, _ = p.entitiesOf(twinplatform.ListOptions{}, task, "dig")
		expect(p, "without the entity", got, "")
		page, err := animation.In(p.in()).Entities3D(p.ctx, animation.Entity3DQuery{ResourceID: "wall"})
		if err != nil || page.Len() != 2 {
			p.Errorf("the schedule has %d entities of the wall, %v", page.Len(), err)
		}
	})
}

// covers: operations entities3d.update
func TestEntityShowsAnotherResourceOnceItIsChanged(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.v65()
		p.resources("crane", "crew")
		p.shows("boom", "hook crane")
		_, delta := p.entitiesOf(twinplatform.ListOptions{}, animation.In(p.in()).Entities3DOfResource, "crane")
		patch := func(id string, fields animation.Entity3DPatch, pre ...twinplatform.Precondition) twinplatform.Result[animation.Entity3D] {
			p.Helper()
			res, err := animation.In(p.in()).UpdateEntity3D(p.ctx, id, fields, pre...)
			if err != nil {
				p.Fatal(err)
			}
			return res
		}
		old, err := animation.In(p.in()).Entity3D(p.ctx, "boom")
		if err != nil {
			p.Fatal(err)
		}
		patch("boom", animation.Entity3DPatch{ResourceID: twinplatform.Set("crane"), ModelElementID: twinplatform.Set("0x2"), ParentID: twinplatform.Set("hook")}, twinplatform.IfMatch(old.ETag))
		_, err = animation.In(p.in()).UpdateEntity3D(p.ctx, "boom", animation.Entity3DPatch{Name: twinplatform.Set("late")}, twinplatform.IfMatch(old.ETag))
		otherVersion.check(p, err)
		res := patch("hook", animation.Entity3DPatch{ResourceID: twinplatform.Set("crew")})
		expect(p, "the changed entity", string(res.Records[0].JSON), `{"deleted":false,"id":"hook","modelElementId":null,"name":"hook","parentId":null,"resourceId":"crew"}`)
		now, _ := p.entitiesOf(twinplatform.ListOptions{}, animation.In(p.in()).Entities3DOfResource, "crane")
		changed, _ := p.entitiesOf(twinplatform.ListOptions{Delta: delta}, animation.In(p.in()).Entities3DOfResource, "crane")
		expect(p, "the crane", now+", changed "+changed, "boom, changed boom -hook")
		patch("boom", animation.Entity3DPatch{ResourceID: twinplatform.Null[string](), ParentID: twinplatform.Null[string](), ModelElementID: twinplatform.Null[string]()})
		rec, err := animation.In(p.in()).Entity3D(p.ctx, "boom")
		if err != nil {
			p.Fatal(err)
		}
		expect(p, "the entity of nothing", string(rec.JSON), `{"deleted":false,"id":"boom","modelElementId":null,"name":"boom","parentId":null,"resourceId":null}`)
	})
}

func TestDeletedResourceLeavesItsEntities(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.v65()
		p.tasks("dig")
		p.resources("firm", "crane firm", "crew")
		p.shows("boom crane", "hook crane", "man crew")
		p.uses("dig crane")
		_, err := p.in().DeleteResources(p.ctx, []string{"firm"})
		refusal{kind: twinplatform.Conflict, code: "ResourceInUse", target: "resourceIds"}.check(p, err)
		got, _ := p.entitiesOf(twinplatform.ListOptions{}, animation.In(p.in()).Entities3DOfTask, "dig")
		expect(p, "the refused deletion leaves", got, "boom hook")
		p.delete("dig")
		_, delta := p.entities(twinplatform.ListOptions{})
		p.deleteResources("firm")
		changed, _ := readAll(p, twinplatform.ListOptions{Delta: delta}, func(o twinplatform.ListOptions) (twinplatform.Page[animation.Entity3D], error) {
			return animation.In(p.in()).Entities3D(p.ctx, animation.Entity3DQuery{ListOptions: o})
		})
		for _, e := range changed {
			if e.Deleted || e.ResourceID != "" {
				p.Errorf("%s shows %q, deleted %t", e.ID, e.ResourceID, e.Deleted)
			}
		}
		if len(changed) != 2 {
			p.Errorf("%d entities were changed, want 2", len(changed))
		}
	})
}

func TestManyEntitiesAreLeftByTheirResourceInSteps(t *testing.T) {
	t.Parallel()
	p := inMemory(t).v65()
	p.resources("crane")
	for i := range 2_500 {
		p.entity(animation.NewEntity3D{ID: fmt.Sprint(i), ResourceID: "crane"})
	}
	if !p.interrupt(3, func(ctx context.Context, svc *schedules.Service) error {
		_, err := svc.In(p.id).DeleteResources(ctx, []string{"crane"})
		return err
	}) {
		t.Fatal("the deletion was done before it could be interrupted")
	}
	next := newService(p.store, schedules.Config{})
	if _, err := animation.In(next.In(p.id)).CreateEntity3D(p.ctx, animation.NewEntity3D{ID: "new", Name: "new"}); err != nil {
		t.Fatal(err)
	}
	_, err := p.in().Resource(p.ctx, "crane")
	noResource.check(t, err)
	all, _ := readAll(p, twinplatform.ListOptions{Top: 1000}, func(o twinplatform.ListOptions) (twinplatform.Page[animation.Entity3D], error) {
		return animation.In(p.in()).Entities3D(p.ctx, animation.Entity3DQuery{ListOptions: o})
	})
	if shown := slices.IndexFunc(all, func(e animation.Entity3D) bool { return e.ResourceID != "" }); len(all) != 2_501 || shown >= 0 {
		t.Errorf("%d entities are left, the one at %d shows the deleted resource", len(all), shown)
	}
}

func TestEntityOfAResourceThatIsMissingIsRefused(t *testing.T) {
	t.Parallel()
	p := inMemory(t).v65()
	p.resources("crane")
	p.shows("boom crane", "hook")
	p.entity(animation.NewEntity3D{ID: "tip", ParentID: "hook"})
	_, err := animation.In(p.in()).CreateEntity3D(p.ctx, animation.NewEntity3D{Name: "n", ResourceID: "nobody"})
	invalid("InvalidValue resourceId").saying("'nobody'").check(t, err)
	update := func(id string, patch animation.Entity3DPatch) error {
		_, err := animation.In(p.in()).UpdateEntity3D(p.ctx, id, patch)
		return err
	}
	invalid("InvalidValue resourceId").check(t, update("boom", animation.Entity3DPatch{ResourceID: twinplatform.Set("nobody")}))
	invalid("InvalidValue parentId").check(t, update("boom", animation.Entity3DPatch{ParentID: twinplatform.Set("nothing")}))
	for _, below := range []string{"hook", "tip"} {
		invalid("InvalidValue parentId").saying("ancestor").check(t, update("hook", animation.Entity3DPatch{ParentID: twinplatform.Set(below)}))
	}
	invalid("MissingRequiredProperty name").check(t, update("boom", animation.Entity3DPatch{Name: twinplatform.Set("")}))
	invalid("InvalidValue name").check(t, update("boom", animation.Entity3DPatch{Name: twinplatform.Set(strings.Repeat("x", schedules.MaxText+1))}))
	noEntity.check(t, update("nothing", animation.Entity3DPatch{}))
	_, err = animation.In(p.in()).Entities3DOfResource(p.ctx, "nobody", animation.Entity3DQuery{})
	noResource.check(t, err)
	_, err = animation.In(p.in()).Entities3DOfTask(p.ctx, "nothing", animation.Entity3DQuery{})
	noTask.check(t, err)
	p.tasks("dig")
	_, delta := p.entities(twinplatform.ListOptions{})
	for _, bad := range []twinplatform.ListOptions{{Top: -1}, {Top: schedules.MaxTopV65 + 1}, {Continuation: "x"}, {Delta: delta}} {
		_, err = animation.In(p.in()).Entities3DOfTask(p.ctx, "dig", animation.Entity3DQuery{ListOptions: bad})
		if err == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
	boom, err := animation.In(p.in()).Entity3D(p.ctx, "boom")
	if err != nil || boom.Value.ResourceID != "crane" {
		t.Errorf("the refused changes left %s, %v", boom.JSON, err)
	}
}

// TestEntitiesOfATaskMatchAReference compares the list of every task with what
// follows from all assignments and all entities, over random histories.
func TestEntitiesOfATaskMatchAReference(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	p := inMemory(t)
	for seed := range uint64(20) {
		rnd := rand.New(rand.NewPCG(seed, 11))
		p.id = fmt.Sprint("history-", seed)
		p.schedule(schedules.NewSchedule{ID: p.id, Name: p.id, TwinID: "twin", Type: schedules.V65})
		p.tasks("dig", "pour")
		p.resources("r0", "r1", "r2")
		for range 60 {
			p.changeAssignments(rnd)
			p.changeEntities(rnd)
		}
		for _, task := range []string{"dig", "pour"} {
			got, _ := readAll(p, twinplatform.ListOptions{Top: 1 + rnd.IntN(4)}, func(o twinplatform.ListOptions) (twinplatform.Page[animation.Entity3D], error) {
				return animation.In(p.in()).Entities3DOfTask(p.ctx, task, animation.Entity3DQuery{ListOptions: o})
			})
			if diff := cmp.Diff(p.reference(task), got); diff != "" {
				t.Errorf("history %d, %s (-reference +list):\n%s", seed, task, diff)
			}
		}
	}
}

// changeEntities makes, changes or deletes an entity at random.
func (p *plan) changeEntities(rnd *rand.Rand) {
	p.Helper()
	id, resource := fmt.Sprint("e", rnd.IntN(9)), []string{"", "r0", "r1", "r2"}[rnd.IntN(4)]
	_, err := animation.In(p.in()).Entity3D(p.ctx, id)
	switch {
	case err != nil:
		p.entity(animation.NewEntity3D{ID: id, ResourceID: twinplatform.NullString(resource)})
		err = nil
	case rnd.IntN(3) > 0:
		_, err = animation.In(p.in()).UpdateEntity3D(p.ctx, id, animation.Entity3DPatch{ResourceID: twinplatform.Set(resource)})
	default:
		_, err = animation.In(p.in()).DeleteEntities3D(p.ctx, []string{id})
	}
	if err != nil {
		p.Fatal(err)
	}
}

// reference are the entities of a task, found without its list.
func (p *plan) reference(task string) (of []animation.Entity3D) {
	p.Helper()
	used := make(map[string]bool)
	for a, err := range twinplatform.All(p.ctx, p.in().ResourceAssignments, schedules.ResourceAssignmentQuery{}) {
		if err != nil {
			p.Fatal(err)
		}
		if a.TaskID == task {
			used[a.ResourceID] = true
		}
	}
	for e, err := range twinplatform.All(p.ctx, animation.In(p.in()).Entities3D, animation.Entity3DQuery{}) {
		if err != nil {
			p.Fatal(err)
		}
		if used[string(e.ResourceID)] {
			of = append(of, e)
		}
	}
	slices.SortStableFunc(of, func(a, b animation.Entity3D) int { return strings.Compare(string(a.ResourceID), string(b.ResourceID)) })
	return of
}
