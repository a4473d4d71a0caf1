package schedules_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

func (p *plan) schedules(ctx context.Context, twinID string, o twinplatform.ListOptions) (said []string, delta string) {
	p.Helper()
	all, delta := readAll(p, o, func(o twinplatform.ListOptions) (twinplatform.Page[schedules.Schedule], error) {
		return p.svc.Schedules(ctx, schedules.ScheduleQuery{ListOptions: o, TwinID: twinID})
	})
	for _, sc := range all {
		text := sc.ID
		if sc.Deleted {
			text += " deleted"
		}
		said = append(said, text)
	}
	return said, delta
}

// covers: Kinds of schedules: value v6.5
// covers: Kinds of schedules: value v10
// covers: Kinds of schedules: rule the kind is read from the schedule
func TestSchedulesOfEachType(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		for _, test := range []struct {
			n    schedules.NewSchedule
			want string
		}{
			{
				schedules.NewSchedule{ID: "a", Name: "Tower", TwinID: "t", ModelID: "m"},
				`{"deleted":false,"id":"a","isNextGen":true,"modelId":"m","name":"Tower","twinId":"t","type":"v10"}`,
			},
			{
				schedules.NewSchedule{ID: "b", Name: "Tower", TwinID: "t", Type: schedules.V65},
				`{"deleted":false,"id":"b","isNextGen":false,"modelId":null,"name":"Tower","twinId":"t","type":"v6.5"}`,
			},
		} {
			made := p.schedule(test.n)
			rec, err := p.svc.Schedule(p.ctx, test.n.ID)
			if err != nil {
				p.Fatal(err)
			}
			if diff := cmp.Diff(test.want, string(rec.JSON)); diff != "" {
				p.Errorf("schedule (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(rec.Value, made); diff != "" || made.State != schedules.Ready {
				p.Errorf("what the creation returned is not what is stored (state %s):\n%s", made.State, diff)
			}
		}
		if chosen := p.schedule(schedules.NewSchedule{Name: "n", TwinID: "t"}); chosen.ID == "" {
			p.Error("no id was chosen")
		}
	})
}

func TestNewScheduleRefusals(t *testing.T) {
	t.Parallel()
	p := newPlan(t, memory.New(), schedules.Config{Twins: oneTwin{}, Env: twinplatform.Env{Authorizer: grants{"reader": {schedules.PermissionRead}}}})
	tests := []struct {
		name   string
		caller string
		n      schedules.NewSchedule
		want   refusal
	}{
		{"nothing", "", schedules.NewSchedule{}, invalid("MissingRequiredProperty name", "MissingRequiredProperty twinId")},
		{"no name", "", schedules.NewSchedule{TwinID: "twin"}, invalid("MissingRequiredProperty name")},
		{"no twin", "", schedules.NewSchedule{Name: "n"}, invalid("MissingRequiredProperty twinId")},
		{"a twin that is missing", "", schedules.NewSchedule{Name: "n", TwinID: "missing"}, invalid("InvalidValue twinId")},
		{"a twin that the caller cannot see", "stranger", schedules.NewSchedule{Name: "n", TwinID: "twin"}, invalid("InvalidValue twinId")},
		{"a twin that the caller may only read", "reader", schedules.NewSchedule{Name: "n", TwinID: "twin"}, forbidden},
		{"an unknown type", "", schedules.NewSchedule{Name: "n", TwinID: "twin", Type: "v11"}, invalid("InvalidValue type").saying("v6.5")},
		{"an unknown state", "", schedules.NewSchedule{Name: "n", TwinID: "twin", State: "Broken"}, invalid("InvalidValue state")},
		{"a bad id, a long name and a long model id", "", schedules.NewSchedule{ID: "a/b", Name: strings.Repeat("n", 10_001), TwinID: "twin", ModelID: twinplatform.NullString(strings.Repeat("n", 10_001))}, invalid("InvalidValue id", "InvalidValue name", "InvalidValue modelId")},
		{"an id that is taken", "", schedules.NewSchedule{ID: "plan", Name: "n", TwinID: "twin"}, idTaken},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			ctx := p.ctx
			if test.caller != "" {
				ctx = twinplatform.WithPrincipal(t.Context(), twinplatform.Principal{ID: test.caller})
			}
			_, err := p.svc.CreateSchedule(ctx, test.n)
			test.want.check(t, err)
		})
	}
}

func TestSchedulesAreListedByTwin(t *testing.T) {
	t.Parallel()
	p := newPlan(t, memory.New(), schedules.Config{Env: twinplatform.Env{Authorizer: grants{}}})
	for i := range 5 {
		p.schedule(schedules.NewSchedule{ID: fmt.Sprint(i), Name: "n", TwinID: fmt.Sprint("twin", i%2)})
	}
	all, delta := p.schedules(p.ctx, "twin0", twinplatform.ListOptions{Top: 2})
	if diff := cmp.Diff([]string{"0", "2", "4"}, all); diff != "" {
		t.Errorf("of one twin (-want +got):\n%s", diff)
	}
	if all, _ := p.schedules(p.ctx, "", twinplatform.ListOptions{}); len(all) != 6 {
		t.Errorf("the system sees %v", all)
	}
	stranger := twinplatform.WithPrincipal(p.ctx, twinplatform.Principal{ID: "stranger"})
	if all, _ := p.schedules(stranger, twinplatform.NewGUID(), twinplatform.ListOptions{}); all != nil {
		t.Errorf("a stranger sees %v", all)
	}
	_, err := p.svc.Schedules(stranger, schedules.ScheduleQuery{TwinID: "twin0"})
	invalid("InvalidValue twinId").check(t, err)
	_, err = p.svc.Schedules(stranger, schedules.ScheduleQuery{})
	invalid("MissingRequiredProperty twinId").check(t, err)
	_, err = p.svc.Schedules(stranger, schedules.ScheduleQuery{TwinID: twinplatform.NewGUID(), ListOptions: twinplatform.ListOptions{Delta: delta}})
	invalid("InvalidValue delta").check(t, err)
	if err := p.svc.DeleteSchedule(p.ctx, "2"); err != nil {
		t.Fatal(err)
	}
	p.schedule(schedules.NewSchedule{ID: "6", Name: "n", TwinID: "twin0"})
	p.schedule(schedules.NewSchedule{ID: "7", Name: "n", TwinID: "twin1"})
	changed, _ := p.schedules(p.ctx, "twin0", twinplatform.ListOptions{Delta: delta})
	if diff := cmp.Diff([]string{"2 deleted", "6"}, changed); diff != "" {
		t.Errorf("delta (-want +got):\n%s", diff)
	}
}

// covers: States: state Processing is moved on
func TestScheduleMadeInProcessingIsMovedOn(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.schedule(schedules.NewSchedule{ID: "s", Name: "s", TwinID: "twin", State: schedules.Processing})
	p.id = "s"
	create := func() error {
		_, err := p.svc.CreateTask(p.ctx, "s", schedules.NewTask{Name: "n", Type: schedules.Work})
		return err
	}
	processing.check(t, create())
	invalid("InvalidValue state").check(t, p.svc.SetState(p.ctx, "s", "Broken"))
	noSchedule.check(t, p.svc.SetState(p.ctx, "missing", schedules.Ready))
	if err := p.svc.SetState(p.ctx, "s", schedules.Ready); err != nil {
		t.Fatal(err)
	}
	if err := create(); err != nil {
		t.Error(err)
	}
}

func TestScheduleMadeAgainBeginsWithNothingOfTheOld(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		callable(p, "s", schedules.V10)
		first, err := p.svc.In("s").Tasks(p.ctx, schedules.TaskQuery{ListOptions: twinplatform.ListOptions{Top: 1}})
		if err != nil {
			p.Fatal(err)
		}
		_, delta := p.allTasks(twinplatform.ListOptions{})
		res, err := p.svc.CreateTask(p.ctx, "s", schedules.NewTask{Name: "n", Type: schedules.Work})
		if err != nil {
			p.Fatal(err)
		}
		if err := p.svc.DeleteSchedule(p.ctx, "s"); err != nil {
			p.Fatal(err)
		}
		for _, c := range append(slices.Clip(readsOfV10), writesOfV10...) {
			c.missing.check(p, c.do(p.ctx, p.svc, "s"))
		}
		_, err = p.svc.In("s").Operation(p.ctx, res.ID)
		noOperation.check(p, err)

		p.schedule(schedules.NewSchedule{ID: "s", Name: "again", TwinID: "twin", Type: schedules.V10})
		tasks, _ := p.allTasks(twinplatform.ListOptions{})
		links, _ := p.allLinks(twinplatform.ListOptions{})
		baselines, err := p.svc.In("s").Baselines(p.ctx, schedules.BaselineQuery{})
		if err != nil || len(tasks)+len(links)+baselines.Len() != 0 {
			p.Errorf("the new schedule holds %d tasks, %d links, %d baselines (%v)", len(tasks), len(links), baselines.Len(), err)
		}
		_, err = p.svc.In("s").Operation(p.ctx, res.ID)
		noOperation.check(p, err)
		_, err = p.svc.In("s").Tasks(p.ctx, schedules.TaskQuery{ListOptions: twinplatform.ListOptions{Continuation: first.Next}})
		invalid("InvalidValue continuation").check(p, err)
		_, err = p.svc.In("s").Tasks(p.ctx, schedules.TaskQuery{ListOptions: twinplatform.ListOptions{Delta: delta}})
		invalid("InvalidValue delta").check(p, err)
		again, err := p.svc.In("s").Tasks(p.ctx, schedules.TaskQuery{ListOptions: twinplatform.ListOptions{Top: 1, IfNoneMatch: first.ETag}})
		if err != nil || again.NotModified {
			p.Errorf("the list of the new schedule passes for that of the old (%v)", err)
		}
	})
}

func TestDeletedScheduleLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		if storage.Epoch(p.store) == "" {
			p.Skip("where processes share a store none continues what another left before its lease ends")
		}
		before := storetest.Keys(p, p.store)
		callable(p, "s", schedules.V10)
		p.create(many(6_000)...)
		if !p.interrupt(3, func(ctx context.Context, svc *schedules.Service) error { return svc.DeleteSchedule(ctx, "s") }) {
			p.Fatal("the deletion was done before it could be interrupted")
		}
		_, err := p.svc.Schedule(p.ctx, "s")
		noSchedule.check(p, err)
		_, err = p.svc.In("s").Tasks(p.ctx, schedules.TaskQuery{})
		noSchedule.check(p, err)
		p.svc = newService(p.store, schedules.Config{}) // which continues with what the other left
		callable(p, "s", schedules.V10)
		if tasks, _ := p.allTasks(twinplatform.ListOptions{}); len(tasks) != 6 {
			p.Errorf("the new schedule has %d tasks, want 6", len(tasks))
		}
		if err := p.svc.DeleteSchedule(p.ctx, "s"); err != nil {
			p.Fatal(err)
		}
		// What stays are the counter of scopes, the tombstone and its place, the
		// operation of the long deletion, and when each of the two is forgotten; the second
		// deletion may have taken more than one step too.
		if left := storetest.Keys(p, p.store) - before; left > 8 {
			p.Errorf("%d keys are left of the schedules", left)
		}
	})
}
