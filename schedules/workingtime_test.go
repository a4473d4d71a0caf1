package schedules_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// dates are what follows of a task, as clients read it.
func (p *plan) dates(id string) string {
	p.Helper()
	t := p.task(id)
	said := fmt.Sprintf("%s to %s", t.PlannedStart, t.PlannedFinish)
	for _, d := range []*int32{t.PlannedDuration, t.ActualDuration, t.RemainingDuration} {
		if d != nil {
			said += fmt.Sprintf(", %d", *d)
		} else {
			said += ", -"
		}
	}
	return said
}

func TestTaskFinishesWhenItsDurationIsWorked(t *testing.T) {
	t.Parallel()
	p := standard(t)
	p.tasks(
		"long 2024-05-20T09:00:00Z 9866640", "short 2024-05-20T09:00:00Z 4498740", "day 2026-03-02T09:00:00Z 28800",
		"weekend 2026-03-07T12:00:00Z 3600", "none 2026-03-07T12:00:00Z 0", "open 2026-03-07T12:00:00Z",
	)
	for id, want := range map[string]string{
		"long":    "2025-09-10T13:44:00Z",
		"short":   "2024-12-24T10:39:00Z",
		"day":     "2026-03-02T17:00:00Z",
		"weekend": "2026-03-09T10:00:00Z",
		"none":    "2026-03-07T12:00:00Z",
		"open":    "",
	} {
		finish := p.task(id).PlannedFinish
		if want == "" != finish.IsZero() || want != "" && finish.String() != want {
			t.Errorf("%s finishes %v, want %s", id, finish, want)
		}
	}
}

func TestProgressIsMeasuredInWorkingTime(t *testing.T) {
	t.Parallel()
	p := standard(t)
	p.tasks("a 2026-02-27T09:00:00Z 57600")
	p.patch("a", schedules.TaskPatch{Status: twinplatform.Set(schedules.Started), ActualStart: twinplatform.Set(date(t, "2026-02-27T10:00:00Z")), PercentComplete: twinplatform.Set(int32(25))})
	expect(t, "started", p.dates("a"), "2026-02-27T09:00:00Z to 2026-03-02T17:00:00Z, 57600, -, 43200")
	p.baseline("first")
	page, err := p.in().BaselineTasks(p.ctx, "first", schedules.BaselineTaskQuery{})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := page.Values()
	for _, row := range rows {
		if err != nil || row.FinishDate.String() != "2026-03-02T14:00:00Z" || row.Duration != 57_600 {
			t.Errorf("in the baseline it is %+v, %v", row, err)
		}
	}
	p.patch("a", schedules.TaskPatch{Status: twinplatform.Set(schedules.Finished), ActualFinish: twinplatform.Set(date(t, "2026-03-02T12:30:00Z"))})
	expect(t, "finished", p.dates("a"), "2026-02-27T09:00:00Z to 2026-03-02T17:00:00Z, 57600, 37800, 0")
}

func TestTaskIsSentBackAsItWasRead(t *testing.T) {
	t.Parallel()
	p := standard(t)
	start, finish, seconds := date(t, "2026-03-06T16:00:00Z"), date(t, "2026-03-09T10:00:00Z"), int32(7200)
	n := schedules.NewTask{ID: "a", Name: "a", Type: schedules.Work, PlannedStart: start, PlannedFinish: finish, PlannedDuration: &seconds}
	n.Status, n.ActualStart, n.ActualFinish, n.ActualDuration = schedules.Finished, start, finish, twinplatform.Set(seconds)
	for _, wrong := range []func(n *schedules.NewTask){
		func(n *schedules.NewTask) { n.PlannedFinish = date(t, "2026-03-06T18:00:00Z") },
		func(n *schedules.NewTask) { n.ActualDuration = twinplatform.Set(int32(237_600)) },
	} {
		bad := n
		wrong(&bad)
		if _, err := p.svc.CreateTask(p.ctx, p.id, bad); err == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
	p.create(n)
	expect(t, "made", p.dates("a"), "2026-03-06T16:00:00Z to 2026-03-09T10:00:00Z, 7200, 7200, 0")
	p.patch("a", schedules.TaskPatch{PlannedFinish: twinplatform.Set(finish), TaskAsRead: schedules.TaskAsRead{ActualDuration: twinplatform.Set(seconds)}})
	_, err := p.in().UpdateTask(p.ctx, "a", schedules.TaskPatch{TaskAsRead: schedules.TaskAsRead{ActualDuration: twinplatform.Set(int32(1))}})
	invalid("InvalidValue actualDuration").check(t, err)
	_, err = p.in().UpdateTask(p.ctx, "a", schedules.TaskPatch{PlannedFinish: twinplatform.Set(start)})
	invalid("InvalidValue plannedFinish").check(t, err)
}

func TestTaskThatWouldNeverFinishIsRefused(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	minute := working("minute", "08:00-08:01")
	minute.Week = schedules.CalendarWeek{MondayDayTypeID: "work"}
	p.calendar(minute)
	seconds := int32(600_000_000)
	n := schedules.NewTask{ID: "a", Name: "a", Type: schedules.Work, PlannedStart: at(0), PlannedDuration: &seconds, CalendarID: "minute"}
	_, err := p.svc.CreateTask(p.ctx, p.id, n)
	invalid("InvalidValue plannedDuration").saying("9999").check(t, err)
	n.CalendarID = ""
	p.create(n)
	_, err = p.in().UpdateTask(p.ctx, "a", schedules.TaskPatch{CalendarID: twinplatform.Set("minute")})
	invalid("InvalidValue plannedDuration").saying("9999").check(t, err)
	p.scheduling("minute", "UTC")
	if finish := p.task("a").PlannedFinish; finish.Year() != 9999 {
		t.Errorf("it finishes %v, want as late as a date can name", finish)
	}
}

func TestHammockReachesThroughWorkingTime(t *testing.T) {
	t.Parallel()
	p := standard(t)
	p.calendar(working("early", "06:00-14:00"))
	p.create(
		schedules.NewTask{ID: "a", Name: "a", Type: schedules.Work, PlannedStart: date(t, "2026-03-06T09:00:00Z"), PlannedDuration: new(int32(28_800))},
		schedules.NewTask{ID: "b", Name: "b", Type: schedules.Work, PlannedStart: date(t, "2026-03-16T09:00:00Z"), PlannedDuration: new(int32(28_800))},
		schedules.NewTask{ID: "c", Name: "c", Type: schedules.Work, PlannedStart: date(t, "2026-03-09T09:00:00Z"), PlannedDuration: new(int32(28_800))},
		schedules.NewTask{ID: "span", Name: "span", Type: schedules.LongHammock},
		schedules.NewTask{ID: "early", Name: "early", Type: schedules.LongHammock, CalendarID: "early"},
		schedules.NewTask{ID: "nothing", Name: "nothing", Type: schedules.ShortHammock},
		schedules.NewTask{ID: "later", Name: "later", Type: schedules.LongHammock},
	)
	p.links("a FinishToStart span", "span FinishToStart b", "a FinishToStart early", "early FinishToStart b", "a FinishToStart nothing", "nothing FinishToStart c", "a FinishToStart later 7200", "later FinishToStart b 86400")
	expect(t, "between two tasks", p.dates("span"), "2026-03-09T09:00:00Z to 2026-03-13T17:00:00Z, 144000, -, -")
	expect(t, "of another calendar", p.dates("early"), "2026-03-09T06:00:00Z to 2026-03-16T09:00:00Z, 154800, -, -")
	expect(t, "between a finish and the start that is the same instant of work", p.dates("nothing"), "2026-03-09T09:00:00Z to 2026-03-09T09:00:00Z, 0, -, -")
	expect(t, "behind lags", p.dates("later"), "2026-03-09T11:00:00Z to 2026-03-10T17:00:00Z, 50400, -, -")
	if _, err := p.in().UpdateTaskLinks(p.ctx, []schedules.TaskLinkPatch{{ID: "a-later", CalendarID: twinplatform.Set("early")}}); err != nil {
		t.Fatal(err)
	}
	expect(t, "behind a lag of another calendar", p.dates("later"), "2026-03-09T09:00:00Z to 2026-03-10T17:00:00Z, 57600, -, -")
	p.patch("a", schedules.TaskPatch{CalendarID: twinplatform.Set("early"), PlannedDuration: twinplatform.Set(int32(32_400))})
	expect(t, "behind a task of another calendar", p.dates("span"), "2026-03-09T10:00:00Z to 2026-03-13T17:00:00Z, 140400, -, -")
}

func TestClocksThatAreChangedLeaveWorkingDaysAlone(t *testing.T) {
	t.Parallel()
	p := standard(t)
	p.scheduling("standard", "Europe/Berlin")
	p.tasks("spring 2026-03-27T08:00:00Z 57600", "autumn 2026-10-23T07:00:00Z 57600")
	expect(t, "over the spring", p.dates("spring"), "2026-03-27T08:00:00Z to 2026-03-30T15:00:00Z, 57600, -, -")
	expect(t, "over the autumn", p.dates("autumn"), "2026-10-23T07:00:00Z to 2026-10-26T16:00:00Z, 57600, -, -")
	p.scheduling("", "Europe/Berlin")
	expect(t, "in elapsed time", p.dates("spring"), "2026-03-27T08:00:00Z to 2026-03-28T00:00:00Z, 57600, -, -")
}

// worked is a plan with tasks of every calendar, and hammocks between them.
func (p *plan) worked(n int) {
	p.Helper()
	for _, c := range []schedules.NewCalendar{working("own", "06:00-14:00"), {ID: "below", Name: "below", ParentID: "own"}} {
		p.calendar(c)
	}
	var batch []schedules.NewTask
	for i := range n {
		n := schedules.NewTask{ID: fmt.Sprintf("t%05d", i), Name: "t", Type: schedules.Work, PlannedStart: at(float64(i % 500)), PlannedDuration: new(int32(3600 * (i % 50)))}
		n.CalendarID = []string{"", "own", "below"}[i%3]
		switch {
		case i%7 == 3:
			n.Status, n.ActualStart, n.ActualFinish = schedules.Finished, at(float64(i%300)), at(float64(i%300+40))
		case i%100 == 99:
			n.Type, n.PlannedStart, n.PlannedDuration = schedules.LongHammock, twinplatform.DateTime{}, nil
		}
		batch = append(batch, n)
	}
	p.create(batch...)
	for i := 99; i < n; i += 100 {
		p.links(fmt.Sprintf("t%05d FinishToStart t%05d 7200", i-1, i), fmt.Sprintf("t%05d FinishToStart t%05d", i, i-2))
	}
}

// derived is what follows of all tasks.
func (p *plan) derived() (said []string) {
	p.Helper()
	all, _ := p.allTasks(twinplatform.ListOptions{Top: 1000})
	for _, t := range all {
		said = append(said, t.ID+" "+p.dates(t.ID))
	}
	return said
}

// TestWhatFollowsFromACalendarIsRenewed changes calendars, the default and the zone, and
// holds what follows to what would have followed had it been so from the beginning.
func TestWhatFollowsFromACalendarIsRenewed(t *testing.T) {
	t.Parallel()
	six := twinplatform.Set(working("", "07:00-13:00").DayTypes)
	off := twinplatform.Set([]schedules.CalendarException{{StartDate: "2026-03-03", EndDate: "2026-03-05"}})
	changes := map[string]func(p *plan) error{
		"a calendar": func(p *plan) error {
			_, err := p.in().UpdateCalendar(p.ctx, "own", schedules.CalendarPatch{DayTypes: six})
			return err
		},
		"one below another": func(p *plan) error {
			_, err := p.in().UpdateCalendar(p.ctx, "below", schedules.CalendarPatch{Exceptions: off})
			return err
		},
		"the default": func(p *plan) error {
			_, err := p.in().UpdateCalendar(p.ctx, "standard", schedules.CalendarPatch{Exceptions: off})
			return err
		},
		"which is the default": func(p *plan) error { p.scheduling("own", "UTC"); return nil },
		"elapsed time":         func(p *plan) error { p.scheduling("", "UTC"); return nil },
		"the zone":             func(p *plan) error { p.scheduling("standard", "America/New_York"); return nil },
		"what is above": func(p *plan) error {
			_, err := p.in().UpdateCalendar(p.ctx, "below", schedules.CalendarPatch{ParentID: twinplatform.Set("standard")})
			return err
		},
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := standard(t)
			p.worked(1_500)
			before := p.derived()
			if err := change(p); err != nil {
				t.Fatal(err)
			}
			after := p.derived()
			if cmp.Equal(before, after) {
				t.Error("nothing has followed")
			}
			// What a patch that changes nothing else makes of every task, and of hammocks; of one of
			// five in short mode.
			for i := 0; i < 1_500; i += testsize.Of(1, 5) {
				id := fmt.Sprintf("t%05d", i)
				p.patch(id, schedules.TaskPatch{Comment: twinplatform.Set("again")})
			}
			if diff := cmp.Diff(p.derived(), after); diff != "" {
				t.Errorf("otherwise than when each task is written again (-want +got):\n%s", diff)
			}
		})
	}
}

func TestChangeOfWorkingTimeThatMovesNothingWritesNothing(t *testing.T) {
	t.Parallel()
	p := standard(t)
	p.worked(100)
	_, delta := p.allTasks(twinplatform.ListOptions{})
	if _, err := p.in().UpdateCalendar(p.ctx, "standard", schedules.CalendarPatch{Name: twinplatform.Set("Usual"), Exceptions: twinplatform.Set([]schedules.CalendarException{{StartDate: "2040-01-01"}})}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.in().UpdateProjectScheduling(p.ctx, schedules.ProjectSchedulingPatch{DataDate: twinplatform.Set(at(3))}); err != nil {
		t.Fatal(err)
	}
	if changed, _ := p.allTasks(twinplatform.ListOptions{Delta: delta}); len(changed) != 0 {
		t.Errorf("%d tasks were written", len(changed))
	}
}

// TestOldScheduleKeepsElapsedTime works with a schedule without a calendar.
func TestOldScheduleKeepsElapsedTime(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	p.tasks("a 2026-03-06T16:00:00Z 86400")
	expect(t, "a task", p.dates("a"), "2026-03-06T16:00:00Z to 2026-03-07T16:00:00Z, 86400, -, -")
	p.calendar(working("own", "08:00-16:00"))
	p.patch("a", schedules.TaskPatch{Name: twinplatform.Set("b")})
	expect(t, "next to a calendar", p.dates("a"), "2026-03-06T16:00:00Z to 2026-03-07T16:00:00Z, 86400, -, -")
	p.scheduling("own", "UTC")
	expect(t, "with a calendar", p.dates("a"), "2026-03-06T16:00:00Z to 2026-03-11T16:00:00Z, 86400, -, -")
}

// TestFinishAgreesWithWorktime holds finishes of random tasks to the calendar that a
// program would build itself.
func TestFinishAgreesWithWorktime(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	p := inMemory(t)
	p.calendars()
	p.scheduling("site", "Europe/Berlin")
	const hour = worktime.Hour
	day := func(s string) worktime.Time {
		d, err := time.Parse(time.DateOnly, s)
		if err != nil {
			t.Fatal(err)
		}
		return worktime.Time(d.Unix())
	}
	night := worktime.Hours{{From: 0, To: 3 * hour}, {From: 22*hour + hour/2, To: 24 * hour}}
	c, err := worktime.New(worktime.Definition{
		Base: &worktime.Definition{
			Week: worktime.EachWeekday(worktime.Hours{{From: 8 * hour, To: 16 * hour}}),
			Exceptions: []worktime.Exception{{
				First: day("2026-12-25"), Last: day("2030-12-31"), Repeat: &worktime.Repeat{Every: worktime.Yearly, Month: time.December, Day: 25},
			}},
		},
		Week: worktime.Week{time.Monday: {{From: 7 * hour, To: 12 * hour}, {From: 13 * hour, To: 18 * hour}}, time.Friday: nil, time.Sunday: night},
		Exceptions: []worktime.Exception{
			{First: day("2026-05-01"), Last: day("2026-05-01")},
			{First: day("2026-06-01"), Last: day("2026-06-05"), Hours: night},
			{
				First: day("2026-01-01"), Last: day("2026-12-31"), Hours: worktime.Hours{{From: 8 * hour, To: 12 * hour}},
				Repeat: &worktime.Repeat{Every: worktime.Monthly, Interval: 3, Position: 5, Weekdays: []time.Weekday{time.Monday, time.Friday}},
			},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	var batch []schedules.NewTask
	for i := range 500 {
		start := twinplatform.At(morning.Add(time.Duration(r.IntN(400*24*60)) * time.Minute))
		batch = append(batch, schedules.NewTask{ID: fmt.Sprint(i), Name: "t", Type: schedules.Work, PlannedStart: start, PlannedDuration: new(int32(r.IntN(5_000_000)))})
	}
	p.create(batch...)
	for _, n := range batch {
		want := c.Add(worktime.Of(n.PlannedStart.Time, berlin), int64(*n.PlannedDuration)).In(berlin)
		if got := p.task(n.ID).PlannedFinish; *n.PlannedDuration > 0 && !got.Equal(want) {
			t.Errorf("%d seconds from %v end %v, want %v", *n.PlannedDuration, n.PlannedStart, got, want)
		}
	}
}

func TestRenewalContinuesAfterARestart(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	store := memory.New()
	p := newPlan(t, store, schedules.Config{})
	if _, err := p.svc.CreateSchedule(p.ctx, schedules.NewSchedule{ID: "large", Name: "Plan", TwinID: "twin"}); err != nil {
		t.Fatal(err)
	}
	p.id = "large"
	p.worked(3_000)
	env := twinplatform.Env{Background: true, Now: func() time.Time { return morning }}
	background := newService(store, schedules.Config{Env: env})
	res, err := background.In(p.id).UpdateProjectScheduling(p.ctx, schedules.ProjectSchedulingPatch{CalendarID: twinplatform.Set("own")})
	if err != nil || res.Status != twinplatform.OperationNotStarted {
		t.Fatalf("%+v, %v", res.Operation, err)
	}
	// Another process takes the work over.
	p.svc = newService(store, schedules.Config{Env: env})
	ctx, stop := context.WithCancel(p.ctx)
	ended := make(chan error)
	go func() { ended <- p.svc.Run(ctx) }()
	if _, err := p.in().Wait(p.ctx, res.ID); err != nil {
		t.Fatal(err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	want := p.derived()
	p.svc = newService(store, schedules.Config{})
	for i := 0; i < 3_000; i += testsize.Of(1, 5) {
		p.patch(fmt.Sprintf("t%05d", i), schedules.TaskPatch{Comment: twinplatform.Set("again")})
	}
	if diff := cmp.Diff(p.derived(), want); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
