package schedules_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/animation"
	"github.com/seed-933f9a09/twinplatform/schedules/userfields"
)

func (p *plan) entity(n animation.NewEntity3D) animation.Entity3D {
	p.Helper()
	if n.Name == "" {
		n.Name = n.ID
	}
	res, err := animation.In(p.in()).CreateEntity3D(p.ctx, n)
	if err != nil {
		p.Fatal(err)
	}
	return res.Value()
}

func (p *plan) entities(o twinplatform.ListOptions) (said []string, delta string) {
	p.Helper()
	all, delta := readAll(p, o, func(o twinplatform.ListOptions) (twinplatform.Page[animation.Entity3D], error) {
		return animation.In(p.in()).Entities3D(p.ctx, animation.Entity3DQuery{ListOptions: o})
	})
	for _, e := range all {
		text := e.ID
		if e.Deleted {
			text += " deleted"
		}
		said = append(said, text)
	}
	return said, delta
}

// covers: Entity 3D (S8)
// covers: operations entities3d.get
func TestEntitiesOfAV65Schedule(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.v65()
		p.entity(animation.NewEntity3D{ID: "wall", Name: "Wall", ModelElementID: "0x1f"})
		p.entity(animation.NewEntity3D{ID: "window", Name: "Window", ParentID: "wall"})
		p.entity(animation.NewEntity3D{ID: "pane", ParentID: "window"})
		p.entity(animation.NewEntity3D{ID: "door"})
		var got []string
		for _, id := range []string{"wall", "window"} {
			rec, err := animation.In(p.in()).Entity3D(p.ctx, id)
			if err != nil {
				p.Fatal(err)
			}
			if rec.ETag == "" {
				p.Error("there is no ETag")
			}
			got = append(got, string(rec.JSON))
		}
		if diff := cmp.Diff([]string{
			`{"deleted":false,"id":"wall","modelElementId":"0x1f","name":"Wall","parentId":null,"resourceId":null}`,
			`{"deleted":false,"id":"window","modelElementId":null,"name":"Window","parentId":"wall","resourceId":null}`,
		}, got); diff != "" {
			p.Errorf("entities (-want +got):\n%s", diff)
		}
		if _, err := userfields.In(p.in()).CreateUserField(p.ctx, userfields.NewUserField{ID: "f", Name: "f", Category: userfields.Entity3DField, Type: userfields.IntegerField}); err != nil {
			p.Fatal(err)
		}
		for _, id := range []string{"pane", "door"} {
			if _, err := userfields.In(p.in()).SetUserFieldValue(p.ctx, userfields.Entity3DField, userfields.NewUserFieldValue{Entity3DID: id, UserFieldID: "f", IntValue: new(int64(1))}); err != nil {
				p.Fatal(err)
			}
		}
		all, delta := p.entities(twinplatform.ListOptions{Top: 3})
		if diff := cmp.Diff([]string{"door", "pane", "wall", "window"}, all); diff != "" {
			p.Errorf("list (-want +got):\n%s", diff)
		}
		res, err := animation.In(p.in()).DeleteEntities3D(p.ctx, []string{"wall", "pane"})
		if err != nil || res.Status != twinplatform.OperationSucceeded {
			p.Fatal(res.Operation, err)
		}
		changed, _ := p.entities(twinplatform.ListOptions{Delta: delta})
		if diff := cmp.Diff([]string{"pane deleted", "window deleted", "wall deleted"}, changed); diff != "" {
			p.Errorf("delta (-want +got):\n%s", diff)
		}
		values, err := userfields.In(p.in()).UserFieldValues(p.ctx, userfields.Entity3DField, userfields.UserFieldValueQuery{})
		if err != nil || values.Len() != 1 {
			p.Errorf("%d values are left, want 1 (%v)", values.Len(), err)
		}
	})
}

// covers: Errors: error Entity3dNotFound
func TestEntityRefusals(t *testing.T) {
	t.Parallel()
	p := inMemory(t).v65()
	p.entity(animation.NewEntity3D{ID: "wall"})
	create := func(n animation.NewEntity3D) error {
		_, err := animation.In(p.in()).CreateEntity3D(p.ctx, n)
		return err
	}
	invalid("MissingRequiredProperty name").check(t, create(animation.NewEntity3D{}))
	invalid("InvalidValue id", "InvalidValue modelElementId", "InvalidValue name").check(t, create(animation.NewEntity3D{
		ID: "a/b", ModelElementID: twinplatform.NullString(strings.Repeat("x", 10_001)), Name: strings.Repeat("x", 10_001),
	}))
	invalid("InvalidValue parentId").check(t, create(animation.NewEntity3D{Name: "n", ParentID: "missing"}))
	invalid("InvalidValue parentId").check(t, create(animation.NewEntity3D{ID: "self", Name: "n", ParentID: "self"}))
	idTaken.check(t, create(animation.NewEntity3D{ID: "wall", Name: "n"}))
	remove := func(ids ...string) error {
		_, err := animation.In(p.in()).DeleteEntities3D(p.ctx, ids)
		return err
	}
	invalid("MissingRequiredProperty entity3dIds").check(t, remove())
	invalid("InvalidValue entity3dIds").check(t, remove(make([]string, schedules.MaxBatch+1)...))
	refusal{kind: twinplatform.NotFound, code: "Entity3dNotFound", target: "entity3dIds", says: "'missing'"}.check(t, remove("wall", "missing"))
	for _, schedule := range []string{p.id, "missing"} {
		_, err := animation.In(p.svc.In(schedule)).Entity3D(p.ctx, "missing")
		noEntity.check(t, err)
	}
	_, err := animation.In(p.svc.In("missing")).Entities3D(p.ctx, animation.Entity3DQuery{})
	noSchedule.check(t, err)
	if all, _ := p.entities(twinplatform.ListOptions{}); len(all) != 1 {
		t.Errorf("the refused requests left %v", all)
	}
}

// covers: Errors: error InvalidParameter
// covers: Kinds of schedules
func TestV10SchedulesHaveNoEntities(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	unsupported := invalid("InvalidParameter scheduleId").saying("v10")
	_, err := animation.In(p.in()).Entity3D(p.ctx, "any")
	unsupported.check(t, err)
	_, err = animation.In(p.in()).Entities3D(p.ctx, animation.Entity3DQuery{})
	unsupported.check(t, err)
	_, err = animation.In(p.in()).CreateEntity3D(p.ctx, animation.NewEntity3D{Name: "n"})
	unsupported.check(t, err)
	_, err = animation.In(p.in()).DeleteEntities3D(p.ctx, []string{"any"})
	unsupported.check(t, err)
	_, err = animation.In(p.in()).UpdateEntity3D(p.ctx, "any", animation.Entity3DPatch{Name: twinplatform.Set("n")})
	unsupported.check(t, err)
	p.tasks("dig")
	p.resources("crane")
	for _, id := range []string{"dig", "crane", "missing"} {
		_, err = animation.In(p.in()).Entities3DOfTask(p.ctx, id, animation.Entity3DQuery{})
		unsupported.check(t, err)
		_, err = animation.In(p.in()).Entities3DOfResource(p.ctx, id, animation.Entity3DQuery{})
		unsupported.check(t, err)
	}
}

func TestInterruptedDeletionOfEntitiesIsCompleted(t *testing.T) {
	t.Parallel()
	p := inMemory(t).v65()
	p.entity(animation.NewEntity3D{ID: "stays"})
	p.entity(animation.NewEntity3D{ID: "root"})
	for i := range 2_500 {
		p.entity(animation.NewEntity3D{ID: fmt.Sprint(i), ParentID: "root"})
	}
	if !p.interrupt(3, func(ctx context.Context, svc *schedules.Service) error {
		_, err := animation.In(svc.In(p.id)).DeleteEntities3D(ctx, []string{"root"})
		return err
	}) {
		t.Fatal("the deletion was done before it could be interrupted")
	}
	next := newService(p.store, schedules.Config{})
	if _, err := animation.In(next.In(p.id)).CreateEntity3D(p.ctx, animation.NewEntity3D{ID: "new", Name: "new"}); err != nil {
		t.Fatal(err)
	}
	all, _ := p.entities(twinplatform.ListOptions{})
	if diff := cmp.Diff([]string{"new", "stays"}, all); diff != "" {
		t.Errorf("left (-want +got):\n%s", diff)
	}
}
