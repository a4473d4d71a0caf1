package schedules_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/statuses"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// clock is one that a test moves.
type clock struct{ now time.Time }

func (c *clock) Now() time.Time { return c.now }

// marked is a plan with a resource whose statuses may be marked critical, by a clock of the
// test.
func marked(t *testing.T, store storage.Store) (*plan, *clock) {
	t.Helper()
	c := &clock{now: morning}
	p := newPlan(t, store, schedules.Config{Env: twinplatform.Env{Now: c.Now}})
	p.delivery()
	return p, c
}

// delivery makes what can be marked critical.
func (p *plan) delivery() {
	p.Helper()
	p.resources("crane", "crew")
	p.statuses("progress", "progress/delivery", "progress/delivery/late", "progress/delivery/onsite")
}

// markedUntil are marks of recorded statuses as their lists and each of them alone show
// them, such as "a until 2026-03-02T09:00:00Z" and "a" for one without an end.
func (p *plan) markedUntil() []string {
	p.Helper()
	lists := make(map[bool][]string)
	for _, latest := range []bool{false, true} {
		all, _ := readAll(p, twinplatform.ListOptions{}, func(o twinplatform.ListOptions) (twinplatform.Page[statuses.StatusHistoryItem], error) {
			return statuses.In(p.in()).StatusHistoryItems(p.ctx, statuses.StatusHistoryQuery{ListOptions: o, LatestOnly: latest})
		})
		for _, h := range all {
			rec, err := statuses.In(p.in()).StatusHistoryItem(p.ctx, h.ID)
			if err != nil {
				p.Fatal(err)
			}
			if diff := cmp.Diff(rec.Value, h); diff != "" {
				p.Errorf("the list (latest: %v) has another one (-alone +list):\n%s", latest, diff)
			}
			if text := markOf(h); text != "" {
				lists[latest] = append(lists[latest], text)
			}
		}
	}
	return lists[false]
}

func markOf(h statuses.StatusHistoryItem) string {
	switch {
	case !h.CriticalUntil.IsZero():
		return fmt.Sprintf("%s until %v, %v", h.ID, h.CriticalUntil, h.IsCritical)
	case h.IsCritical:
		return h.ID
	}
	return ""
}

// wantMarked holds the plan to its marks.
func (p *plan) wantMarked(want ...string) {
	p.Helper()
	if diff := cmp.Diff(want, p.markedUntil()); diff != "" {
		p.Errorf("marked critical are (-want +got):\n%s", diff)
	}
}

func TestMarkThatAStatusIsCriticalEndsWithTheNextWriteAfterItsEnd(t *testing.T) {
	t.Parallel()
	storetest.OnEach(t, func(t *testing.T, store storage.Store) {
		p, c := marked(t, store)
		p.record(statuses.NewStatusHistoryItem{ID: "hour", ResourceID: "crane", StatusItemID: "late", Date: at(0), IsCritical: true, CriticalUntil: at(1)})
		p.record(statuses.NewStatusHistoryItem{ID: "day", ResourceID: "crew", StatusItemID: "late", Date: at(0), IsCritical: true, CriticalUntil: at(24)})
		p.record(statuses.NewStatusHistoryItem{ID: "ever", ResourceID: "crew", StatusItemID: "late", Date: at(1), IsCritical: true})
		before := []string{"day until 2026-03-03T08:00:00Z, true", "ever", "hour until 2026-03-02T09:00:00Z, true"}
		p.wantMarked(before...)
		_, delta := p.history(statuses.StatusHistoryQuery{})
		_, latest := p.history(statuses.StatusHistoryQuery{LatestOnly: true})
		was, err := statuses.In(p.in()).StatusHistoryItem(p.ctx, "hour")
		if err != nil {
			t.Fatal(err)
		}

		c.now = morning.Add(time.Hour - time.Millisecond)
		p.tasks("early")
		p.wantMarked(before...)
		c.now = morning.Add(time.Hour)
		p.tasks("late")
		p.wantMarked("day until 2026-03-03T08:00:00Z, true", "ever")
		if got, _ := p.history(statuses.StatusHistoryQuery{ListOptions: twinplatform.ListOptions{Delta: delta}}); got != "hour" {
			t.Errorf("the delta lists %q", got)
		}
		if got, _ := p.history(statuses.StatusHistoryQuery{LatestOnly: true, ListOptions: twinplatform.ListOptions{Delta: latest}}); got != "hour" {
			t.Errorf("the delta of current statuses lists %q", got)
		}
		_, err = statuses.In(p.in()).UpdateStatusHistoryItem(p.ctx, "hour", statuses.StatusHistoryItemPatch{}, twinplatform.IfMatch(was.ETag))
		otherVersion.check(t, err)

		c.now = morning.Add(25 * time.Hour)
		p.tasks("later")
		p.wantMarked("ever")
	})
}

// The write may be the very one that is about what ends.
func TestWriteMeetsAStatusWhoseMarkIsOverAsNotCritical(t *testing.T) {
	t.Parallel()
	p, c := marked(t, memory.New())
	h := p.record(statuses.NewStatusHistoryItem{ID: "hour", ResourceID: "crane", StatusItemID: "late", Date: at(0), IsCritical: true, CriticalUntil: at(1)})
	rec, err := statuses.In(p.in()).StatusHistoryItem(p.ctx, h.ID)
	if err != nil {
		t.Fatal(err)
	}
	c.now = at(2).Time
	patch := statuses.StatusHistoryItemPatch{Note: twinplatform.Set("Free")}
	_, err = statuses.In(p.in()).UpdateStatusHistoryItem(p.ctx, h.ID, patch, twinplatform.IfMatch(rec.ETag))
	otherVersion.check(t, err)
	res, err := statuses.In(p.in()).UpdateStatusHistoryItem(p.ctx, h.ID, patch)
	if err != nil || res.Value().IsCritical || res.Value().Note != "Free" {
		t.Errorf("it is %+v, %v", res.Value(), err)
	}
}

func TestRunEndsMarksInTime(t *testing.T) {
	t.Parallel()
	for _, background := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			p := newPlan(t, memory.New(), schedules.Config{Env: twinplatform.Env{Now: time.Now}})
			p.delivery()
			p.svc = newService(p.store, schedules.Config{Env: twinplatform.Env{Background: background}})
			ctx, stop := context.WithCancel(p.ctx)
			ran := make(chan error, 1)
			go func() { ran <- p.svc.Run(ctx) }()
			time.Sleep(time.Hour) // Run has had nothing to do for a while
			now := time.Now()
			for id, d := range map[string]time.Duration{"a": time.Minute, "b": 90 * time.Second, "c": 40 * 24 * time.Hour} {
				res, err := statuses.In(p.in()).CreateStatusHistoryItem(ctx, statuses.NewStatusHistoryItem{
					ID: id, ResourceID: "crane", StatusItemID: "late", Date: twinplatform.At(now), IsCritical: true, CriticalUntil: twinplatform.At(now.Add(d)),
				})
				if err == nil {
					_, err = p.in().Wait(ctx, res.Operation.ID)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			critical := func(at time.Duration, want string) {
				t.Helper()
				time.Sleep(time.Until(now.Add(at)))
				synctest.Wait()
				got := ""
				for _, id := range []string{"a", "b", "c"} {
					rec, err := statuses.In(p.in()).StatusHistoryItem(ctx, id)
					if err != nil {
						t.Fatal(err)
					}
					if rec.Value.IsCritical {
						got += id
					}
				}
				if got != want {
					t.Errorf("after %v critical are %q, want %q", at, got, want)
				}
			}
			critical(time.Minute-time.Second, "abc")
			critical(time.Minute, "bc")
			critical(90*time.Second, "c")
			critical(40*24*time.Hour, "")
			stop()
			if err := <-ran; err != nil {
				t.Error(err)
			}
		})
	}
}

// EndDue is for a clock that is moved while nothing runs.
func TestEndDueEndsTheMarksOfAllSchedules(t *testing.T) {
	t.Parallel()
	p, c := marked(t, memory.New())
	first := p.id
	p.id = "other"
	p.schedule(schedules.NewSchedule{ID: p.id, Name: "Other", TwinID: "twin"})
	p.delivery()
	for _, p.id = range []string{first, "other"} {
		p.record(statuses.NewStatusHistoryItem{ID: "hour", ResourceID: "crane", StatusItemID: "late", Date: at(0), IsCritical: true, CriticalUntil: at(1)})
		p.record(statuses.NewStatusHistoryItem{ID: "two", ResourceID: "crane", StatusItemID: "late", Date: at(0), IsCritical: true, CriticalUntil: at(2)})
	}
	c.now = at(1).Time
	if err := p.svc.EndDue(p.ctx); err != nil {
		t.Fatal(err)
	}
	for _, p.id = range []string{first, "other"} {
		p.wantMarked("two until 2026-03-02T10:00:00Z, true")
	}
}

func TestMarkIsGivenAnotherEndOrNone(t *testing.T) {
	t.Parallel()
	p, c := marked(t, memory.New())
	p.recorded("crane late 0")
	change := func(patch statuses.StatusHistoryItemPatch) {
		t.Helper()
		if _, err := statuses.In(p.in()).UpdateStatusHistoryItem(p.ctx, "crane-late-0", patch); err != nil {
			t.Fatal(err)
		}
	}
	until := func(hours float64) statuses.StatusHistoryItemPatch {
		return statuses.StatusHistoryItemPatch{CriticalUntil: twinplatform.Set(at(hours))}
	}
	mark := until(4)
	mark.IsCritical = twinplatform.Set(true)
	change(mark)
	change(until(2))
	p.wantMarked("crane-late-0 until 2026-03-02T10:00:00Z, true")
	change(until(6))
	c.now = at(3).Time
	p.tasks("a")
	p.wantMarked("crane-late-0 until 2026-03-02T14:00:00Z, true")
	change(statuses.StatusHistoryItemPatch{CriticalUntil: twinplatform.Null[twinplatform.DateTime]()})
	c.now = at(7).Time
	p.tasks("b")
	p.wantMarked("crane-late-0")
	change(until(8))
	change(statuses.StatusHistoryItemPatch{IsCritical: twinplatform.Set(false)}) // which takes its end along
	p.wantMarked()
	change(statuses.StatusHistoryItemPatch{IsCritical: twinplatform.Set(true)})
	c.now = at(9).Time
	p.tasks("c")
	p.wantMarked("crane-late-0")
}

func TestEndOfAMarkThatIsPastOrOfNoMarkIsRefused(t *testing.T) {
	t.Parallel()
	p, c := marked(t, memory.New())
	p.recorded("crane late 0")
	create := func(critical bool, until twinplatform.DateTime) error {
		_, err := statuses.In(p.in()).CreateStatusHistoryItem(p.ctx, statuses.NewStatusHistoryItem{
			ResourceID: "crane", StatusItemID: "late", Date: at(0), IsCritical: critical, CriticalUntil: until,
		})
		return err
	}
	patch := func(patch statuses.StatusHistoryItemPatch) error {
		_, err := statuses.In(p.in()).UpdateStatusHistoryItem(p.ctx, "crane-late-0", patch)
		return err
	}
	bad := invalid("InvalidValue criticalUntil")
	bad.saying("future").check(t, create(true, at(0)))
	bad.saying("future").check(t, create(true, at(-1)))
	bad.check(t, create(false, at(1)))
	bad.check(t, create(true, twinplatform.At(time.Date(10000, 1, 2, 0, 0, 0, 0, time.UTC))))
	bad.check(t, patch(statuses.StatusHistoryItemPatch{CriticalUntil: twinplatform.Set(at(1))}))
	bad.check(t, patch(statuses.StatusHistoryItemPatch{IsCritical: twinplatform.Set(true), CriticalUntil: twinplatform.Set(at(0))}))
	bad.check(t, patch(statuses.StatusHistoryItemPatch{IsCritical: twinplatform.Set(false), CriticalUntil: twinplatform.Set(at(1))}))
	_, err := statuses.In(p.in()).CreateStatusHistoryItem(p.ctx, statuses.NewStatusHistoryItem{ResourceID: "crane", Date: at(0), IsCritical: true, CriticalUntil: at(0)})
	invalid("MissingRequiredProperty statusItemId", "InvalidValue criticalUntil").check(t, err)
	p.wantMarked()

	// The end of a mark may be sent back as it was read, until it is over.
	if err := patch(statuses.StatusHistoryItemPatch{IsCritical: twinplatform.Set(true), CriticalUntil: twinplatform.Set(at(1))}); err != nil {
		t.Fatal(err)
	}
	if err := patch(statuses.StatusHistoryItemPatch{CriticalUntil: twinplatform.Set(at(1)), Note: twinplatform.Set("Blocks the gate")}); err != nil {
		t.Error(err)
	}
	c.now = at(1).Time
	bad.check(t, patch(statuses.StatusHistoryItemPatch{IsCritical: twinplatform.Set(true), CriticalUntil: twinplatform.Set(at(1))}))
}

func TestCloneEndsItsMarksToo(t *testing.T) {
	t.Parallel()
	p, c := marked(t, memory.New())
	p.record(statuses.NewStatusHistoryItem{ID: "hour", ResourceID: "crane", StatusItemID: "late", Date: at(0), IsCritical: true, CriticalUntil: at(1)})
	if _, err := p.svc.CloneSchedule(p.ctx, p.id, schedules.NewClone{ID: "clone", Name: "Clone"}); err != nil {
		t.Fatal(err)
	}
	if err := p.svc.DeleteSchedule(p.ctx, p.id); err != nil {
		t.Fatal(err)
	}
	p.id = "clone"
	p.wantMarked("hour until 2026-03-02T09:00:00Z, true")
	c.now = at(1).Time
	if err := p.svc.EndDue(p.ctx); err != nil {
		t.Fatal(err)
	}
	p.wantMarked()
}

// A world may be older than the ends of its marks.
func TestWorldIsSeededWithMarksThatAreNotOver(t *testing.T) {
	t.Parallel()
	p, c := marked(t, memory.New())
	p.record(statuses.NewStatusHistoryItem{ID: "hour", ResourceID: "crane", StatusItemID: "late", Date: at(0), IsCritical: true, CriticalUntil: at(1)})
	p.record(statuses.NewStatusHistoryItem{ID: "day", ResourceID: "crane", StatusItemID: "late", Date: at(0), IsCritical: true, CriticalUntil: at(24)})
	var world schedules.Contents
	if err := world.Export(p.ctx, p.in()); err != nil {
		t.Fatal(err)
	}
	c.now = at(2).Time
	p.id = "seeded"
	p.schedule(schedules.NewSchedule{ID: p.id, Name: "Seeded", TwinID: "twin"})
	present := c.now
	err := world.Seed(p.ctx, p.in(), func(made seedDate) {
		if c.now = present; made.Present() {
			c.now = made.Or(twinplatform.DateTime{}).Time
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	p.wantMarked("day until 2026-03-03T08:00:00Z, true")
	c.now = at(24).Time
	if err := p.svc.EndDue(p.ctx); err != nil {
		t.Fatal(err)
	}
	p.wantMarked()
}

func TestDeletedScheduleLeavesNoEndOfAMark(t *testing.T) {
	t.Parallel()
	p, c := marked(t, memory.New())
	p.record(statuses.NewStatusHistoryItem{ID: "hour", ResourceID: "crane", StatusItemID: "late", Date: at(0), IsCritical: true, CriticalUntil: at(1)})
	if err := p.svc.DeleteSchedule(p.ctx, p.id); err != nil {
		t.Fatal(err)
	}
	before := storetest.Keys(t, p.store)
	c.now = at(2).Time
	if err := p.svc.EndDue(p.ctx); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, storetest.Keys(t, p.store)); diff != "" {
		t.Errorf("there was an end of a mark (-before +after):\n%s", diff)
	}
}

// A thousand and more marks that end together end in steps, and so do those that a write
// meets.
func TestManyMarksEndTogether(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	for _, byWrite := range []bool{false, true} {
		p, c := marked(t, memory.New())
		const n = 2_500
		for i := range n {
			_, err := statuses.In(p.in()).CreateStatusHistoryItem(p.ctx, statuses.NewStatusHistoryItem{
				ID: fmt.Sprint(i), ResourceID: "crane", StatusItemID: "late", Date: at(0), IsCritical: true, CriticalUntil: at(1),
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		c.now = at(1).Time
		if byWrite {
			p.tasks("a")
		} else if err := p.svc.EndDue(p.ctx); err != nil {
			t.Fatal(err)
		}
		p.wantMarked()
	}
}
