package schedules_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/userfields"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// contents are what a schedule holds now: the records of each kind, with their places
// in indexes and in the order of changes.
type contents map[string]string

// contentsOf are the contents of every schedule in a store.
func contentsOf(t testing.TB, store storage.Store) (all []contents) {
	t.Helper()
	err := store.View(t.Context(), func(r storage.Reader) error {
		byScope := make(map[string]contents)
		all = nil
		for key, value := range r.Scan("schedule-", "") {
			scope, key, _ := strings.Cut(key, "/")
			if byScope[scope] == nil {
				byScope[scope] = make(contents)
				all = append(all, byScope[scope])
			}
			byScope[scope].add(r, scope, key, value)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// add adds a key of a scope, unless it is of its history.
func (c contents) add(r storage.Reader, scope, key string, value []byte) {
	kind, rest, _ := strings.Cut(key, "/")
	table, _, _ := strings.Cut(rest, "/")
	switch {
	case kind == "0rev" || kind == records.Operations || kind == "indexing" || table == "t" || table == "l" || table == "purged":
		return
	case table == "c":
		if _, err := r.Get(scope + "/" + kind + "/t/" + string(value)); err == nil {
			return // a deletion
		}
	case kind == "resource-status-places" && table == "r":
		value = value[17:] // behind its revisions, which no one sees
	}
	c[key] = string(value)
}

// with are the contents of schedules, without those of empty ones, that hold a record,
// such as tasks/r/dig.
func with(all []contents, record string) []contents {
	return slices.DeleteFunc(slices.Clone(all), func(c contents) bool { _, ok := c[record]; return !ok })
}

func (c contents) hold(kind string) bool {
	for key := range c {
		if strings.HasPrefix(key, kind+"/r/") {
			return true
		}
	}
	return false
}

// cloneOf makes a clone of a schedule.
func cloneOf(ctx context.Context, svc *schedules.Service, scheduleID, id string) error {
	_, err := svc.CloneSchedule(ctx, scheduleID, schedules.NewClone{ID: id, Name: "Clone"})
	return err
}

// checkTwins checks that there are two schedules with a record in a store, and that they
// hold the same.
func checkTwins(t testing.TB, store storage.Store, record string) (held contents) {
	t.Helper()
	both := with(contentsOf(t, store), record)
	if len(both) != 2 {
		t.Fatalf("%d schedules hold %s, want a schedule and its clone", len(both), record)
	}
	if diff := cmp.Diff(both[0], both[1]); diff != "" {
		t.Errorf("a schedule and its clone hold different records:\n%s", diff)
	}
	return both[1]
}

// onlyInV65 are the kinds of what schedules hold that are not cloned.
var onlyInV65 = []string{"entities-3d", "entity-3d-values"}

// covers: operations schedules.clone
func TestCloneHoldsWhatItsScheduleHolds(t *testing.T) {
	t.Parallel()
	storetest.OnEach(t, func(t *testing.T, store storage.Store) {
		p := storedWorld(t, store)
		p.svc, p.id = newService(store, schedules.Config{}), "tower"
		if _, err := userfields.In(p.in()).SetUserFieldValue(p.ctx, userfields.ResourceField, userfields.NewUserFieldValue{ResourceID: "crane", UserFieldID: "field-1", FloatValue: new(2.5)}); err != nil {
			t.Fatal(err)
		}
		res, err := p.svc.CloneSchedule(p.ctx, p.id, schedules.NewClone{Name: "Clone"})
		if err != nil {
			t.Fatal(err)
		}
		clone := res.Value()
		if clone.ID == "" || clone.Name != "Clone" || clone.TwinID != "twin" || clone.ModelID != "model" || clone.Type != schedules.V10 || !clone.IsNextGen || clone.State != schedules.Ready {
			t.Errorf("made the clone %+v", clone)
		}
		if op, err := p.in().Operation(p.ctx, res.ID); err != nil || op.Value.Status != twinplatform.OperationSucceeded || !cmp.Equal(op.Value.Subjects, []string{clone.ID}) {
			t.Errorf("the operation is %+v, %v", op.Value, err)
		}
		held := checkTwins(t, store, "tasks/r/dig")
		for _, k := range schedules.Kinds() {
			if k.Records != nil && !slices.Contains(onlyInV65, k.Name) && !held.hold(k.Name) {
				t.Errorf("of %s there were none to be cloned", k.Name)
			}
		}
	})
}

func TestCloneAndItsScheduleAreIndependent(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		callable(p, "s", schedules.V10)
		_, before := p.allTasks(twinplatform.ListOptions{})
		if err := cloneOf(p.ctx, p.svc, "s", "clone"); err != nil {
			p.Fatal(err)
		}
		p.patch("a", schedules.TaskPatch{Name: twinplatform.Set("of the schedule")})
		p.id = "clone"
		_, token := p.allTasks(twinplatform.ListOptions{})
		task := p.task("a")
		p.patch("a", schedules.TaskPatch{Name: twinplatform.Set("of the clone")})
		p.delete("b")
		changed, _ := p.allTasks(twinplatform.ListOptions{Delta: token})
		var names []string
		for _, task := range changed {
			names = append(names, fmt.Sprint(task.Name, " ", task.Deleted))
		}
		if diff := cmp.Diff([]string{"of the clone false", "b true"}, names); diff != "" || task.Name != "a" {
			p.Errorf("cloned %s, and what has changed since in the clone (-want +got):\n%s", task.Name, diff)
		}
		_, err := p.svc.In("clone").Tasks(p.ctx, schedules.TaskQuery{ListOptions: twinplatform.ListOptions{Delta: before}})
		invalid("InvalidValue delta").check(p, err)
		p.id = "s"
		if task := p.task("a"); task.Name != "of the schedule" || p.task("b").Deleted {
			p.Errorf("the schedule has the task %+v", task)
		}
		if err := p.svc.DeleteSchedule(p.ctx, "s"); err != nil {
			p.Fatal(err)
		}
		p.id = "clone"
		if task := p.task("a"); task.Name != "of the clone" {
			p.Errorf("the clone of a deleted schedule has the task %+v", task)
		}
	})
}

func TestCloneIsTiedToTheModelOfItsTwin(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.schedule(schedules.NewSchedule{ID: "s", Name: "s", TwinID: "twin", ModelID: "model"})
	for _, c := range []struct {
		n    schedules.NewClone
		want twinplatform.NullString
	}{
		{schedules.NewClone{}, "model"},
		{schedules.NewClone{TwinID: "twin"}, "model"},
		{schedules.NewClone{ModelID: twinplatform.Null[string]()}, ""},
		{schedules.NewClone{ModelID: twinplatform.Set("another")}, "another"},
		{schedules.NewClone{TwinID: "other"}, ""},
		{schedules.NewClone{TwinID: "other", ModelID: twinplatform.Set("another")}, "another"},
	} {
		c.n.Name = "n"
		res, err := p.svc.CloneSchedule(p.ctx, "s", c.n)
		if err != nil {
			t.Fatal(err)
		}
		if got := res.Value(); got.ModelID != c.want || got.TwinID != "twin" && got.TwinID != c.n.TwinID {
			t.Errorf("%+v made %+v, want the model %q", c.n, got, c.want)
		}
	}
}

func TestCloneRefusals(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.svc = newService(p.store, schedules.Config{Twins: oneTwin{}})
	p.schedule(schedules.NewSchedule{ID: "busy", Name: "n", TwinID: "twin", State: schedules.Processing})
	p.schedule(schedules.NewSchedule{ID: "old", Name: "n", TwinID: "twin", Type: schedules.V65})
	before := storetest.Keys(t, p.store)
	long := strings.Repeat("x", schedules.MaxText+1)
	for _, c := range []struct {
		id   string
		n    schedules.NewClone
		want refusal
	}{
		{"plan", schedules.NewClone{}, invalid("MissingRequiredProperty name")},
		{"plan", schedules.NewClone{ID: "a/b", Name: long, TwinID: long, ModelID: twinplatform.Set(long)}, invalid("InvalidValue id", "InvalidValue name", "InvalidValue twinId", "InvalidValue modelId")},
		{"plan", schedules.NewClone{Name: "n", TwinID: "nowhere"}, invalid("InvalidValue twinId")},
		{"plan", schedules.NewClone{ID: "old", Name: "n"}, idTaken},
		{"old", schedules.NewClone{Name: "n"}, invalid("InvalidParameter scheduleId")},
		{"busy", schedules.NewClone{Name: "n"}, refusal{kind: twinplatform.Conflict, code: "ScheduleNotInitialized"}},
		{"missing", schedules.NewClone{Name: "n"}, noSchedule},
	} {
		_, err := p.svc.CloneSchedule(p.ctx, c.id, c.n)
		c.want.check(t, err)
	}
	if after := storetest.Keys(t, p.store); after != before {
		t.Errorf("refused clones took the store from %d to %d keys", before, after)
	}
}

// places are twins of one account on which callers hold permissions.
type places map[string][]string

func (places) TwinAccount(context.Context, string) (string, bool, error) { return "account", true, nil }

func (g places) Allowed(_ context.Context, _ twinplatform.Principal, permission string, at twinplatform.Target) (bool, error) {
	return slices.Contains(g[at.TwinID], permission), nil
}

func TestCloneNeedsWhatReadingAndMakingNeed(t *testing.T) {
	t.Parallel()
	read, modify := []string{schedules.PermissionRead}, []string{schedules.PermissionRead, schedules.PermissionModify}
	for name, c := range map[string]struct {
		rights places
		want   *refusal
	}{
		"who may read the one and modify the other": {places{"twin": read, "other": modify}, nil},
		"who may read both":                         {places{"twin": modify, "other": read}, &forbidden},
		"who may not see the other":                 {places{"twin": modify}, new(invalid("InvalidValue twinId"))},
		"who may not see the schedule":              {places{"other": modify}, &noSchedule},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := inMemory(t)
			boss := newService(p.store, schedules.Config{Twins: c.rights})
			if _, err := boss.CreateSchedule(p.ctx, schedules.NewSchedule{ID: "s", Name: "s", TwinID: "twin"}); err != nil {
				t.Fatal(err)
			}
			svc := newService(p.store, schedules.Config{Twins: c.rights, Env: twinplatform.Env{Authorizer: c.rights}})
			res, err := svc.CloneSchedule(twinplatform.WithPrincipal(p.ctx, someone), "s", schedules.NewClone{Name: "n", TwinID: "other"})
			switch {
			case c.want != nil:
				c.want.check(t, err)
			case err != nil || res.Value().TwinID != "other":
				t.Errorf("made %+v, %v", res.Value(), err)
			}
		})
	}
}

// TestLargeCloneIsOneMoment makes clones that take many transactions while others
// write what only fits together as a whole.
func TestLargeCloneIsOneMoment(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(p *plan) {
		const n = 6_000
		p.create(many(n)...)
		var lines []string
		for i := range 300 {
			lines = append(lines, fmt.Sprintf("task-%06d FinishToStart task-%06d", i*10, i*10+5))
		}
		p.links(lines...)
		links := newLinks(p, lines...)
		stop := make(chan struct{})
		var writers sync.WaitGroup
		writers.Go(func() {
			for i := int32(1); ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				if err := p.disturb(links, i); err != nil {
					p.Error(err)
					return
				}
			}
		})
		source := p.id
		for i := range 3 {
			p.id = fmt.Sprint("clone-", i)
			if err := cloneOf(p.ctx, p.svc, source, p.id); err != nil {
				p.Fatal(err)
			}
			p.checkMoment(n, len(lines))
		}
		close(stop)
		writers.Wait()
	})
}

// disturb gives all links of the plan the same lag, which is i, makes two tasks and
// deletes those of three turns ago.
func (p *plan) disturb(links []schedules.NewTaskLink, i int32) error {
	patches := make([]schedules.TaskLinkPatch, len(links))
	for k, l := range links {
		patches[k] = schedules.TaskLinkPatch{ID: l.ID, Lag: twinplatform.Set(i)}
	}
	if _, err := p.svc.In("plan").UpdateTaskLinks(p.ctx, patches); err != nil {
		return err
	}
	pair := func(i int32) []string { return []string{fmt.Sprintf("a-pair-%d", i), fmt.Sprintf("z-pair-%d", i)} }
	made := pair(i)
	_, err := p.svc.In("plan").CreateTasks(p.ctx, []schedules.NewTask{
		{ID: made[0], Name: made[0], Type: schedules.Work}, {ID: made[1], Name: made[1], Type: schedules.Work},
	})
	if err == nil && i > 3 {
		_, err = p.svc.In("plan").DeleteTasks(p.ctx, pair(i-3))
	}
	return err
}

// checkMoment checks that the plan has so many tasks besides whole pairs, and links of
// one lag.
func (p *plan) checkMoment(tasks, links int) {
	p.Helper()
	all, _ := p.allTasks(twinplatform.ListOptions{Top: schedules.MaxTop})
	pairs := make(map[string]int)
	for _, task := range all {
		if _, number, ok := strings.Cut(task.ID, "-pair-"); ok {
			pairs[number]++
			tasks++
		}
	}
	if len(all) != tasks || len(pairs) > 4 {
		p.Errorf("the clone has %d tasks, want %d, of which in pairs %v", len(all), tasks, pairs)
	}
	for number, halves := range pairs {
		if halves != 2 {
			p.Errorf("the clone has half of the pair %s", number)
		}
	}
	held, _ := p.allLinks(twinplatform.ListOptions{Top: schedules.MaxTop})
	lags := make(map[int32]bool)
	for _, l := range held {
		lags[l.Lag] = true
	}
	if len(held) != links {
		p.Errorf("the clone has %d links, want %d", len(held), links)
	}
	if len(lags) != 1 {
		p.Errorf("the clone shows the links of several moments: lags %v", lags)
	}
}

// interruptClone leaves a clone half made, and reports whether it was.
func (p *plan) interruptClone(n int) (died bool) {
	p.Helper()
	return p.interrupt(n, func(ctx context.Context, svc *schedules.Service) error { return cloneOf(ctx, svc, p.id, "clone") })
}

// resume has a new process continue with what others left.
func (p *plan) resume(twins twinplatform.TwinDirectory) {
	p.Helper()
	p.svc = newService(p.store, schedules.Config{Twins: twins})
	if err := p.svc.DeleteSchedule(p.ctx, "nobody's"); err == nil {
		p.Fatal("a schedule was deleted that is not there")
	}
}

// ownTwins are the platform's own twins: all but one.
type ownTwins struct{ gone string }

func (ownTwins) Transactional() {}

func (o ownTwins) TwinAccount(_ context.Context, twinID string) (string, bool, error) {
	return "", twinID != o.gone, nil
}

func TestInterruptedCloneIsCompletedByTheNextProcess(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	for n := 2; ; n += testsize.Of(1+n/2, n) {
		p := inMemory(t)
		p.create(many(4_000)...)
		p.links("task-000000 FinishToStart task-000001 1", "task-000001 FinishToStart task-000002 1")
		p.baseline("b")
		if !p.interruptClone(n) {
			if n < 4 {
				t.Fatalf("the clone took %d transactions, want more to interrupt", n-1)
			}
			return
		}
		_, err := p.svc.Schedule(p.ctx, "clone")
		noSchedule.check(t, err)
		p.patch("task-000000", schedules.TaskPatch{Name: twinplatform.Set("written again")})
		p.delete("task-000003", "task-003999")
		p.resume(nil)
		if _, err := p.svc.Schedule(p.ctx, "clone"); err != nil {
			t.Errorf("interrupted at transaction %d: %v", n, err)
		}
		checkTwins(t, p.store, "tasks/r/task-000000")
	}
}

func TestCloneThatCannotBeMadeLeavesNothing(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		meanwhile func(p *plan) error
		gone      string // twin
		left      int    // schedules with the tasks
	}{
		"the schedule is deleted": {meanwhile: func(p *plan) error { return p.svc.DeleteSchedule(p.ctx, p.id) }},
		"the twin is deleted":     {gone: "twin", left: 1},
		"the id is taken": {left: 1, meanwhile: func(p *plan) error {
			_, err := p.svc.CreateSchedule(p.ctx, schedules.NewSchedule{ID: "clone", Name: "first", TwinID: "twin"})
			return err
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := inMemory(t)
			p.create(many(4_000)...)
			if !p.interruptClone(3) {
				t.Fatal("the clone was made before it could be interrupted")
			}
			if len(with(contentsOf(t, p.store), "tasks/r/task-000000")) != 2 {
				t.Fatal("nothing was copied yet")
			}
			if c.meanwhile != nil {
				if err := c.meanwhile(p); err != nil {
					t.Fatal(err)
				}
			}
			p.resume(ownTwins{c.gone})
			if n := len(with(contentsOf(t, p.store), "tasks/r/task-000000")); n != c.left {
				t.Errorf("%d schedules hold the tasks, want %d", n, c.left)
			}
			if sc, err := p.svc.Schedule(p.ctx, "clone"); err == nil && sc.Value.Name != "first" {
				t.Errorf("there is the clone %+v", sc.Value)
			}
		})
	}
}

func TestCloneInBackgroundShowsItsOutcome(t *testing.T) {
	t.Parallel()
	p := inBackground(t, nil)
	inline := *p
	inline.svc = newService(p.store, schedules.Config{})
	inline.create(many(10)...)
	var ops []twinplatform.Operation
	for range 2 {
		res, err := p.svc.CloneSchedule(p.ctx, p.id, schedules.NewClone{ID: "clone", Name: "Clone"})
		if err != nil || res.Status != twinplatform.OperationNotStarted {
			t.Fatalf("accepted as %+v, %v", res.Operation, err)
		}
		ops = append(ops, res.Operation)
	}
	_, err := p.svc.Schedule(p.ctx, "clone")
	noSchedule.check(t, err)
	p.resume(nil)
	if op, err := p.in().Wait(p.ctx, ops[0].ID); err != nil || op.Status != twinplatform.OperationSucceeded {
		t.Errorf("the first ended as %+v, %v", op, err)
	}
	op, err := p.in().Wait(p.ctx, ops[1].ID)
	idTaken.check(t, err)
	if op.Status != twinplatform.OperationFailed || op.PercentComplete != 100 {
		t.Errorf("the second ended as %+v", op)
	}
	checkTwins(t, p.store, "tasks/r/task-000000")
}

func TestCloneUnderWayOutlivesAPurge(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.create(many(4_000)...)
	p.delete("task-000001")
	if err := p.in().PurgeDeleted(p.ctx, 0); err != nil { // of which the clone has seen nothing
		t.Fatal(err)
	}
	if !p.interruptClone(3) {
		t.Fatal("the clone was made before it could be interrupted")
	}
	p.delete("task-000000", "task-003999")
	if err := p.in().PurgeDeleted(p.ctx, 0); err != nil {
		t.Fatal(err)
	}
	p.resume(nil)
	if held := checkTwins(t, p.store, "tasks/r/task-000002"); held["tasks/r/task-000000"] != "" {
		t.Error("the clone has a task that was deleted meanwhile")
	}
}

func TestCloneHasNothingOfABaselineThatIsNotThere(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.create(many(4_000)...)
	p.links("task-000000 FinishToStart task-000001 1")
	p.baseline("whole")
	p.interruptBaseline(3)
	if err := cloneOf(p.ctx, p.svc, p.id, "clone"); err != nil { // by a service that does not wait for the other
		t.Fatal(err)
	}
	p.id = "clone"
	rows := len(p.baselineTasks("whole"))
	var held contents
	for _, c := range with(contentsOf(t, p.store), "tasks/r/task-000000") {
		if held == nil || len(c) < len(held) {
			held = c // the schedule has those of the other baseline too
		}
	}
	for key := range held {
		if strings.HasPrefix(key, "baseline-tasks/r/") {
			rows--
		}
	}
	if rows != 0 || !held.hold("baseline-task-links") {
		t.Errorf("the clone holds %d rows that no baseline of it has", -rows)
	}
}
