package schedules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

// documentedLinkTypes are the values of the specification.
var documentedLinkTypes = strings.Fields("FinishToStart StartToFinish StartToStart FinishToFinish Unknown")

// covers: Baseline task link (S2): rule a negative lag carries a minus sign
// covers: Task link types
func TestEveryLinkTypeIsTaken(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.tasks("a", "b")
		for i, typ := range documentedLinkTypes {
			id := fmt.Sprint(i)
			res, err := p.in().CreateTaskLinks(p.ctx, []schedules.NewTaskLink{
				{ID: id, PredecessorID: "a", SuccessorID: "b", Type: schedules.TaskLinkType(typ), Lag: int32(-i)},
			})
			if err != nil {
				p.Fatal(err)
			}
			rec, err := p.in().TaskLink(p.ctx, id)
			if err != nil {
				p.Fatal(err)
			}
			want := fmt.Sprintf(`{"calendarId":null,"createdOn":"2026-03-02T08:00:00Z","deleted":false,"id":"%d","lag":%d,"predecessorId":"a","successorId":"b","type":"%s"}`, i, -i, typ)
			if diff := cmp.Diff(want, string(rec.JSON)); diff != "" {
				p.Errorf("link (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(rec.Value, res.Value()); diff != "" {
				p.Errorf("what the creation returned is not what is stored:\n%s", diff)
			}
			updated, err := p.in().UpdateTaskLinks(p.ctx, []schedules.TaskLinkPatch{
				{ID: id, Type: twinplatform.Set(schedules.TaskLinkType(documentedLinkTypes[0]))},
				{ID: id, Type: twinplatform.Set(schedules.TaskLinkType(typ)), Lag: twinplatform.Null[int32]()},
			})
			if err != nil || updated.Values()[1].Lag != 0 {
				p.Fatal(updated, err)
			}
		}
	})
}

func TestTaskLinkRefusals(t *testing.T) {
	t.Parallel()
	tests := []struct {
		link string
		want refusal
	}{
		{"a FinishToStart a", invalid("InvalidValue %ssuccessorId").saying("itself")},
		{"missing FinishToStart a", invalid("InvalidValue %spredecessorId").saying("missing")},
		{"a FinishToStart missing", invalid("InvalidValue %ssuccessorId").saying("missing")},
		{"one FinishToStart two", invalid("InvalidValue %spredecessorId", "InvalidValue %ssuccessorId")},
		{"leaf FinishToStart root", invalid("InvalidValue %spredecessorId").saying("ancestor")},
		{"node FinishToStart leaf", invalid("InvalidValue %ssuccessorId").saying("ancestor")},
		{"b FinishToStart a", invalid("InvalidValue %ssuccessorId").saying("b → a → b")},
		{"c FinishToFinish a", invalid("InvalidValue %ssuccessorId").saying("c → a → b → c")},
		{"a late b", invalid("InvalidValue %stype").saying("FinishToFinish")},
	}
	for _, test := range tests {
		t.Run(test.link, func(t *testing.T) {
			t.Parallel()
			p := inMemory(t)
			p.create(
				schedules.NewTask{ID: "root", Name: "root", Type: schedules.Work},
				schedules.NewTask{ID: "node", Name: "node", Type: schedules.Work, ParentID: "root"},
				schedules.NewTask{ID: "leaf", Name: "leaf", Type: schedules.Work, ParentID: "node"},
			)
			p.tasks("a", "b", "c", "d")
			p.links("a FinishToStart b", "b StartToStart c")
			before, _ := p.allLinks(twinplatform.ListOptions{})
			in := func(list string) refusal {
				r := test.want
				r.details = nil
				for _, d := range test.want.details {
					r.details = append(r.details, fmt.Sprintf(d, list))
				}
				return r
			}
			l := newLinks(t, test.link)[0]
			l.ID = "new"
			_, err := p.in().CreateTaskLinks(p.ctx, append(newLinks(t, "c FinishToStart d"), l))
			in("batch[1].").check(t, err)
			// A link that closes a circle only as a second one is let through
			// where it takes the place of the first.
			if !strings.Contains(test.want.says, "→") {
				_, err = p.in().UpdateTaskLinks(p.ctx, []schedules.TaskLinkPatch{{ID: "b-c", Lag: twinplatform.Set(int32(7))}, {
					ID: "a-b", PredecessorID: twinplatform.Set(l.PredecessorID), SuccessorID: twinplatform.Set(l.SuccessorID), Type: twinplatform.Set(l.Type),
				}})
				in("taskLinks[1].").check(t, err)
			}
			after, _ := p.allLinks(twinplatform.ListOptions{})
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("the refused requests changed the links:\n%s", diff)
			}
		})
	}
}

func TestTaskLinkRequestRefusals(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.tasks("a", "b")
	p.links("a FinishToStart b")
	create := func(batch ...schedules.NewTaskLink) error {
		_, err := p.in().CreateTaskLinks(p.ctx, batch)
		return err
	}
	invalid("MissingRequiredProperty batch").check(t, create())
	invalid("InvalidValue batch").check(t, create(make([]schedules.NewTaskLink, schedules.MaxBatch+1)...))
	invalid("MissingRequiredProperty batch[0].predecessorId", "MissingRequiredProperty batch[0].successorId", "MissingRequiredProperty batch[0].type",
		"InvalidValue batch[1].id", "MissingRequiredProperty batch[1].type").check(t, create(schedules.NewTaskLink{}, schedules.NewTaskLink{ID: "/", PredecessorID: "a", SuccessorID: "b"}))
	idTaken.check(t, create(schedules.NewTaskLink{ID: "a-b", PredecessorID: "a", SuccessorID: "b", Type: schedules.StartToStart}))

	update := func(patches ...schedules.TaskLinkPatch) error {
		_, err := p.in().UpdateTaskLinks(p.ctx, patches)
		return err
	}
	invalid("MissingRequiredProperty taskLinks").check(t, update())
	invalid("InvalidValue taskLinks").check(t, update(make([]schedules.TaskLinkPatch, schedules.MaxBatch+1)...))
	invalid("MissingRequiredProperty taskLinks[0].id", "MissingRequiredProperty taskLinks[0].predecessorId", "MissingRequiredProperty taskLinks[0].successorId", "InvalidValue taskLinks[0].type").
		check(t, update(schedules.TaskLinkPatch{PredecessorID: twinplatform.Null[string](), SuccessorID: twinplatform.Set(""), Type: twinplatform.Null[schedules.TaskLinkType]()}))
	noTaskLink.check(t, update(schedules.TaskLinkPatch{ID: "a-b", Lag: twinplatform.Set(int32(1))}, schedules.TaskLinkPatch{ID: "missing"}))

	remove := func(ids ...string) error {
		_, err := p.in().DeleteTaskLinks(p.ctx, ids)
		return err
	}
	invalid("MissingRequiredProperty taskLinkIds").check(t, remove())
	invalid("InvalidValue taskLinkIds").check(t, remove(make([]string, schedules.MaxBatch+1)...))
	refusal{kind: twinplatform.NotFound, code: "TaskLinkNotFound", target: "taskLinkIds", says: "'missing'"}.check(t, remove("a-b", "missing"))
	_, err := p.in().TaskLink(p.ctx, "missing")
	noTaskLink.check(t, err)
	_, err = p.svc.In("missing").TaskLink(p.ctx, "a-b")
	noTaskLink.check(t, err)
	links, _ := p.allLinks(twinplatform.ListOptions{})
	if len(links) != 1 || links[0].Lag != 0 {
		t.Errorf("the refused requests left %+v", links)
	}
}

func TestBatchOfLinkChangesIsCheckedAsAWhole(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.tasks("a", "b", "c", "d")
	p.links("a FinishToStart b", "c FinishToStart d")
	_, err := p.in().UpdateTaskLinks(p.ctx, []schedules.TaskLinkPatch{
		{ID: "a-b", PredecessorID: twinplatform.Set("d"), SuccessorID: twinplatform.Set("c")}, // a circle, while c-d stands
		{ID: "c-d", PredecessorID: twinplatform.Set("a"), SuccessorID: twinplatform.Set("b")},
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.in().UpdateTaskLinks(p.ctx, []schedules.TaskLinkPatch{
		{ID: "a-b", SuccessorID: twinplatform.Set("a")}, // d → a
		{ID: "c-d", SuccessorID: twinplatform.Set("d")}, // a → d
	})
	invalid("InvalidValue taskLinks[0].successorId").saying("d → a → d").check(t, err)
}

func TestLongCircleIsNamedInShort(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.create(many(500)...)
	var lines []string
	for i := range 499 {
		lines = append(lines, fmt.Sprintf("task-%06d FinishToStart task-%06d", i, i+1))
	}
	p.links(lines...)
	_, err := p.in().CreateTaskLinks(p.ctx, newLinks(p, "task-000499 FinishToStart task-000000"))
	invalid("InvalidValue batch[0].successorId").saying("task-000499 → task-000000 → task-000001 → task-000002 → task-000003 → task-000004 → … 490 more … → task-000495").check(t, err)
}

func TestTaskLinksAreFilteredByTheirEnds(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		p.tasks("a", "b", "c", "d")
		p.links("a FinishToStart b", "a FinishToStart c", "b FinishToStart c", "c FinishToStart d")
		list := func(predecessor, successor string, o twinplatform.ListOptions) (ids []string, delta string) {
			p.Helper()
			links, delta := readAll(p, o, func(o twinplatform.ListOptions) (twinplatform.Page[schedules.TaskLink], error) {
				return p.in().TaskLinks(p.ctx, schedules.TaskLinkQuery{ListOptions: o, PredecessorID: predecessor, SuccessorID: successor})
			})
			for _, l := range links {
				id := l.ID
				if l.Deleted {
					id += " deleted"
				}
				ids = append(ids, id)
			}
			return ids, delta
		}
		for _, test := range []struct {
			predecessor, successor string
			want                   []string
		}{
			{"", "", []string{"a-b", "a-c", "b-c", "c-d"}},
			{"a", "", []string{"a-b", "a-c"}},
			{"", "c", []string{"a-c", "b-c"}},
			{"a", "c", []string{"a-c"}},
			{"d", "", nil},
			{"missing", "", nil},
		} {
			got, _ := list(test.predecessor, test.successor, twinplatform.ListOptions{Top: 1})
			if diff := cmp.Diff(test.want, got); diff != "" {
				p.Errorf("from %q to %q (-want +got):\n%s", test.predecessor, test.successor, diff)
			}
		}
		_, delta := list("a", "", twinplatform.ListOptions{})
		if _, err := p.in().UpdateTaskLinks(p.ctx, []schedules.TaskLinkPatch{
			{ID: "a-b", PredecessorID: twinplatform.Set("d")}, // leaves the filter
			{ID: "b-c", PredecessorID: twinplatform.Set("a")}, // enters it
		}); err != nil {
			p.Fatal(err)
		}
		got, _ := list("a", "", twinplatform.ListOptions{Delta: delta})
		if diff := cmp.Diff([]string{"a-b deleted", "b-c"}, got); diff != "" {
			p.Errorf("the delta of the filtered list (-want +got):\n%s", diff)
		}
	})
}
