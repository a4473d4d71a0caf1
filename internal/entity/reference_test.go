package entity_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/problem/problemtest"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// hazard is a record of a new type, of which nothing is said but its rows.
type hazard struct {
	Deleted bool                    `json:"deleted"`
	ID      string                  `json:"id"`
	TaskID  twinplatform.NullString `json:"taskId"`
}

type newHazard struct{ ID, TaskID string }

type hazardPatch struct{ TaskID twinplatform.Optional[string] }

// task is what hazards are of.
type task struct {
	Deleted  bool   `json:"deleted"`
	ID       string `json:"id"`
	ParentID string `json:"parentId"`
}

type newTask struct{ ID, ParentID string }

type taskPatch struct {
	ParentID twinplatform.Optional[string]
}

const deepest = 4

// yard has tasks and hazards, which refer to tasks as a row says.
type yard struct {
	t       *testing.T
	db      *records.DB
	tasks   *entity.Kind[task, newTask, taskPatch]
	hazards *entity.Kind[hazard, newHazard, hazardPatch]
}

func newYard(t *testing.T, row func(*entity.RefMember) *entity.RefMember) *yard {
	store := memory.New()
	t.Cleanup(func() { store.Close() })
	tasks := &records.Collection[task]{
		Name: "tasks", ID: func(v *task) string { return v.ID }, MarkDeleted: func(v *task) { v.Deleted = true },
		Indexes: []records.Index[task]{{Name: "above", Value: func(v *task) string { return v.ParentID }}},
	}
	hazards := &records.Collection[hazard]{
		Name: "hazards", ID: func(v *hazard) string { return v.ID }, MarkDeleted: func(v *hazard) { v.Deleted = true },
		Indexes: []records.Index[hazard]{{Name: "of", Value: func(v *hazard) string { return string(v.TaskID) }}},
	}
	y := &yard{
		t: t, db: records.New(store),
		tasks: &entity.Kind[task, newTask, taskPatch]{
			Records: tasks, One: "task", Many: "tasks", Batches: true, Resource: "task",
			Missing: problem.NotFound("TaskNotFound", "taskId", "task"), Bad: &bad,
			Members: func(r *task, n *newTask, p *taskPatch) []entity.Member {
				return []entity.Member{
					entity.ID(&r.ID, &n.ID, nil),
					entity.Ref("parentId", &r.ParentID, &n.ParentID, &p.ParentID, tasks).Deep(deepest).Owns(),
				}
			},
		},
		hazards: &entity.Kind[hazard, newHazard, hazardPatch]{
			Records: hazards, One: "hazard", Many: "hazards", Resource: "hazard",
			Missing: problem.NotFound("HazardNotFound", "hazardId", "hazard"), Bad: &bad,
			Members: func(r *hazard, n *newHazard, p *hazardPatch) []entity.Member {
				return []entity.Member{
					entity.ID(&r.ID, &n.ID, nil), row(entity.Ref("taskId", &r.TaskID, &n.TaskID, &p.TaskID, tasks)),
				}
			},
		},
	}
	entity.Relate("yard", []entity.Stored{
		entity.KeepsKind(y.tasks, entity.InList("tasks")), entity.KeepsKind(y.hazards, entity.InList("hazards")),
	})
	return y
}

// update is what comes of a change: nil, or the code of an error and its details.
func (y *yard) update(fn func(u *records.Update) error) []string {
	return problemtest.Brief(y.db.Update(y.t.Context(), fn))
}

func (y *yard) task(id, parent string) []string {
	return y.update(func(u *records.Update) error {
		_, err := y.tasks.Insert(u, "yard", y.tasks.New(&newTask{id, parent}), &problem.Checks{})
		return err
	})
}

func (y *yard) move(id, parent string) []string {
	return y.update(func(u *records.Update) error {
		_, err := y.tasks.Modify(u, "yard", id, "", &taskPatch{twinplatform.Set(parent)})
		return err
	})
}

func (y *yard) hazard(id, taskID string) []string {
	return y.update(func(u *records.Update) error {
		_, err := y.hazards.Insert(u, "yard", y.hazards.New(&newHazard{id, taskID}), &problem.Checks{})
		return err
	})
}

func (y *yard) remove(ids ...string) (refusal string) {
	err := y.db.Update(y.t.Context(), func(u *records.Update) error {
		d := entity.Deletion{IDs: ids}
		for {
			if whole, err := y.tasks.RemoveAll(u, "yard", &d); whole || err != nil {
				return err
			}
		}
	})
	if err != nil {
		refusal = err.Error()
	}
	return refusal
}

// all are the records that there are: tasks by their ids, hazards with what they refer to.
func (y *yard) all() (out []string) {
	err := y.db.View(y.t.Context(), func(v *records.View) error {
		out = nil
		for r, err := range y.tasks.Records.From(v, "yard", "") {
			if err != nil {
				return err
			}
			out = append(out, r.ID)
		}
		for h, err := range y.hazards.Records.From(v, "yard", "") {
			if err != nil {
				return err
			}
			out = append(out, h.ID+" of "+string(h.TaskID))
		}
		return nil
	})
	if err != nil {
		y.t.Fatal(err)
	}
	return out
}

// TestARowAloneSaysWhatBecomesOfARecordWhenWhatItRefersToIsDeleted tries each word of a row of a
// type of record that says nothing else.
func TestARowAloneSaysWhatBecomesOfARecordWhenWhatItRefersToIsDeleted(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		row     func(*entity.RefMember) *entity.RefMember
		refusal string // part of it
		left    []string
	}{
		"Owns":   {(*entity.RefMember).Owns, "", []string{"other", "h2 of other"}},
		"Clears": {(*entity.RefMember).Clears, "", []string{"other", "h1 of ", "h2 of other"}},
		"Keeps": {
			func(m *entity.RefMember) *entity.RefMember { return m.Keeps("used") },
			"The task 'dig' is used by the hazard 'h1'.",
			[]string{"dig", "other", "site", "h1 of dig", "h2 of other"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			y := newYard(t, tt.row)
			for _, id := range []string{"site", "other"} {
				if refusal := y.task(id, ""); refusal != nil {
					t.Fatal(refusal)
				}
			}
			none := []string{"InvalidRequest", "InvalidValue taskId"}
			for of, want := range map[string][]string{"dig": none, "": nil, "other": nil} {
				if diff := cmp.Diff(want, y.hazard("h-"+of, of)); diff != "" {
					t.Errorf("a hazard of the task '%s': %s", of, diff)
				}
			}
			y = newYard(t, tt.row)
			for _, refusal := range [][]string{
				y.task("site", ""), y.task("other", ""), y.task("dig", "site"), y.hazard("h1", "dig"), y.hazard("h2", "other"),
			} {
				if refusal != nil {
					t.Fatal(refusal)
				}
			}
			refusal := y.remove("site")
			if !strings.Contains(refusal, tt.refusal) || (refusal == "") != (tt.refusal == "") {
				t.Errorf("deleted: %q, want %q", refusal, tt.refusal)
			}
			if diff := cmp.Diff(tt.left, y.all()); diff != "" {
				t.Errorf("left (-want +got):\n%s", diff)
			}
			if tt.refusal != "" && !strings.Contains(refusal, "TaskInUse") {
				t.Errorf("refused with %q", refusal)
			}
			y.remove("other")
			if tt.refusal == "" && !cmp.Equal(y.hazard("h3", "other"), none) {
				t.Error("a hazard of a task that was deleted is taken")
			}
		})
	}
}

func TestRecordsAreSeededBehindWhatTheyReferTo(t *testing.T) {
	t.Parallel()
	y := newYard(t, (*entity.RefMember).Owns)
	lists, err := entity.SeedOrder(entity.Lists[*shelf]([]entity.Stored{
		entity.KeepsKind(y.hazards, shelfList("hazards")), entity.KeepsKind(y.tasks, shelfList("tasks")),
	}))
	if err != nil || len(lists) != 2 || lists[0].Name != "tasks" {
		t.Errorf("seeded as %v, %v", lists, err)
	}
}

func TestARecordThatChangesMayStillReferToWhatIsGoneMeanwhile(t *testing.T) {
	t.Parallel()
	y := newYard(t, (*entity.RefMember).Owns)
	y.task("dig", "")
	y.hazard("h", "dig")
	modify := func(of string) []string {
		return y.update(func(u *records.Update) error {
			_ = y.tasks.Records.Erase(u, "yard", "dig") // by a deletion that goes in steps
			_, err := y.hazards.Modify(u, "yard", "h", "", &hazardPatch{twinplatform.Set(of)})
			return err
		})
	}
	if refusal := modify("dig"); refusal != nil {
		t.Errorf("the task as it is: %v", refusal)
	}
	if diff := cmp.Diff([]string{"InvalidRequest", "InvalidValue taskId"}, modify("fill")); diff != "" {
		t.Errorf("another task: %s", diff)
	}
}

func TestATreeIsAsDeepAsItsRowSaysAndHasNoCycle(t *testing.T) {
	t.Parallel()
	y := newYard(t, (*entity.RefMember).Owns)
	above := ""
	for i := range deepest {
		id := fmt.Sprint(i)
		if refusal := y.task(id, above); refusal != nil {
			t.Fatalf("%d deep: %v", i+1, refusal)
		}
		above = id
	}
	y.task("a", "")
	y.task("b", "a")
	refused := []string{"InvalidRequest", "InvalidValue parentId"}
	for name, tt := range map[string]struct{ got, want []string }{
		"too deep":             {y.task("x", above), refused},
		"below none":           {y.task("x", "none"), refused},
		"below itself":         {y.task("x", "x"), refused},
		"moved below itself":   {y.move("a", "a"), refused},
		"moved below its own":  {y.move("a", "b"), refused},
		"moved below none":     {y.move("a", "none"), refused},
		"moved too deep":       {y.move("a", "2"), refused},
		"moved where it fits":  {y.move("a", "1"), nil},
		"left where it is":     {y.move("b", "a"), nil},
		"moved to the top":     {y.move("b", ""), nil},
		"deep by its children": {y.move("0", "b"), refused},
	} {
		if diff := cmp.Diff(tt.want, tt.got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
