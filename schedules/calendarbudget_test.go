package schedules_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/heapgauge"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/analysis"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// readerBytes is how much memory a reader's request may take at a time.
const readerBytes = 64 << 20

// lastingDays is an exception of so many days.
func lastingDays(days int) schedules.CalendarException {
	return schedules.CalendarException{
		StartDate: "1900-01-01", EndDate: time.Date(1900, time.January, days, 0, 0, 0, 0, time.UTC).Format(time.DateOnly),
		TimeBlocks: blocks("06:00-07:15 08:00-11:45 13:00-18:30"),
	}
}

// otherDays are every other day of so many.
func otherDays(days int) schedules.CalendarException {
	x := lastingDays(days)
	x.TimeBlocks, x.Recurrence = nil, &schedules.Recurrence{Frequency: schedules.DailyRecurrence, Interval: 2}
	return x
}

// TestThePlanOfManyLongCalendarsTakesLittleMemory runs alone: it measures the process.
func TestThePlanOfManyLongCalendarsTakesLittleMemory(t *testing.T) { //nolint:paralleltest // see above
	p := standard(t)
	var tasks []schedules.NewTask
	for i := range 250 {
		c := working(fmt.Sprintf("shift-%03d", i), "06:30-14:45")
		x := lastingDays(98_600 - i)
		x.TimeBlocks = nil
		for hour := range 24 {
			from, half := fmt.Sprintf("%02d:%02d", hour, i%20), fmt.Sprintf("%02d:%02d", hour, 20+i%20)
			x.TimeBlocks = append(x.TimeBlocks, blocks(from+"-"+half)...)
		}
		c.Exceptions = []schedules.CalendarException{x}
		p.calendar(c)
		tasks = append(tasks, schedules.NewTask{
			ID: fmt.Sprintf("task-%03d", i), Name: "Séance " + c.ID, Type: schedules.Work, CalendarID: c.ID,
			PlannedStart: twinplatform.At(morning.AddDate(0, 0, 3*i)), PlannedDuration: new(int32(3_600 * (i + 1))),
		})
	}
	p.create(tasks...)
	path, bytes := heapgauge.Peak(t, func() scheduling.Path {
		path, err := scheduling.In(p.in()).CriticalPath(p.ctx)
		if err != nil {
			t.Fatal(err)
		}
		return path
	})
	if len(path.Tasks) == 0 {
		t.Fatal("nothing is critical")
	}
	if bytes > readerBytes/8 {
		t.Errorf("the critical path took %.1f MiB", float64(bytes)/(1<<20))
	}
}

// fullOfRuns fills the calendars of a schedule, except for one that may have days days of
// which every other one is off.
func (p *plan) fullOfRuns() (days int) {
	p.Helper()
	const (
		most     = worktime.MaxExceptionDays/2 + 1 + 2 // the runs of every other day, a time block and the calendar
		standard = 2                                   // a time block and the calendar
	)
	left := int64(schedules.MaxCalendarRuns - standard)
	for i := 0; left > most+10_000; i++ {
		c := working(fmt.Sprintf("full-%d", i), "07:00-15:00")
		c.Exceptions = []schedules.CalendarException{otherDays(worktime.MaxExceptionDays)}
		p.calendar(c)
		left -= most
	}
	c := working("base", "07:30-15:30")
	c.Exceptions = []schedules.CalendarException{otherDays(20_000)}
	p.calendar(c)
	left -= 10_001 + 2
	return int(left-2-1) * 2
}

func TestASchedulesCalendarsHaveABudgetOfRuns(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	p := standard(t)
	days := p.fullOfRuns()
	last := working("last", "07:15-15:15")
	tooMany := invalid("InvalidValue exceptions").saying("at most 400000 runs")

	last.Exceptions = []schedules.CalendarException{otherDays(days + 2)}
	before := p.calendarIDs()
	_, err := p.in().CreateCalendar(p.ctx, last)
	tooMany.check(t, err)
	if diff := cmp.Diff(before, p.calendarIDs()); diff != "" {
		t.Errorf("a refused calendar is there (-before +after)\n%s", diff)
	}

	last.Exceptions = []schedules.CalendarException{otherDays(days)}
	p.calendar(last)
	more := schedules.CalendarPatch{Exceptions: twinplatform.Set([]schedules.CalendarException{otherDays(days + 2)})}
	_, err = p.in().UpdateCalendar(p.ctx, "last", more)
	tooMany.check(t, err)
	_, err = p.in().UpdateCalendar(p.ctx, "last", schedules.CalendarPatch{ParentID: twinplatform.Set("base")})
	tooMany.check(t, err)
	one := schedules.CalendarPatch{Exceptions: twinplatform.Set([]schedules.CalendarException{lastingDays(90_000)})}
	if _, err = p.in().UpdateCalendar(p.ctx, "last", one); err != nil {
		t.Errorf("a calendar that becomes smaller is refused: %v", err)
	}
	for i := range 500 { // for which there is room by now
		c := working(fmt.Sprintf("long-%d", i), "07:00-15:00")
		c.Exceptions = []schedules.CalendarException{lastingDays(90_000 + i)}
		p.calendar(c)
	}
}

func (p *plan) calendarIDs() (ids []string) {
	p.Helper()
	for c, err := range twinplatform.All(p.ctx, p.svc.In(p.id).Calendars, schedules.CalendarQuery{}) {
		if err != nil {
			p.Fatal(err)
		}
		ids = append(ids, c.ID)
	}
	return ids
}

func TestAnImportBeyondTheBudgetOfCalendarsLeavesTheScheduleAlone(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	p := standard(t)
	file := &planner.Plan{Projects: []planner.Project{{ID: "1", Code: "P", Name: "Projet d'été", Start: worktime.Date(2026, time.March, 2, 8, 0, 0)}}}
	first := worktime.Date(1990, time.January, 1, 0, 0, 0)
	for i := range 9 {
		id := fmt.Sprint(i + 1)
		file.Calendars = append(file.Calendars, planner.Calendar{
			ID: id, Name: "Calendar " + id, Week: worktime.EachWeekday(worktime.Hours{{From: (6 + i) * worktime.Hour, To: (7 + i) * worktime.Hour}}),
			Exceptions: []worktime.Exception{{First: first, Last: first + 99_000*worktime.Day, Repeat: &worktime.Repeat{Every: worktime.Daily, Interval: 2}}},
		})
	}
	file.Tasks = []planner.Task{{ID: "1", ProjectID: "1", Code: "A10", Name: "Dig", Duration: 8 * worktime.Hour, CalendarID: "1"}}
	var text bytes.Buffer
	if _, err := planner.Write(&text, file, planner.MSPDI); err != nil {
		t.Fatal(err)
	}
	id := p.upload(text.Bytes())
	before := p.calendarIDs()
	res, err := exchange.In(p.in()).ImportMicrosoftProject(p.ctx, exchange.MicrosoftProjectImport{PlannerFile: exchange.PlannerFile{FileID: id}})
	if err == nil {
		t.Fatalf("the import ended as %+v", res.Operation)
	}
	if !strings.Contains(err.Error(), "runs of equal days") {
		t.Errorf("the import failed with %v", err)
	}
	tasks, _ := p.allTasks(twinplatform.ListOptions{})
	if diff := cmp.Diff(before, p.calendarIDs()); diff != "" || len(tasks) > 0 {
		t.Errorf("there are the tasks %v, and calendars (-before +after)\n%s", tasks, diff)
	}
}

// TestCalendarsFromBeforeTheBudget holds that what a store has beyond the budget is still there,
// and can be made smaller.
func TestCalendarsFromBeforeTheBudget(t *testing.T) {
	t.Parallel()
	p := standard(t)
	most := working("most", "07:00-15:00")
	most.Exceptions = []schedules.CalendarException{otherDays(p.fullOfRuns())}
	p.calendar(most)
	p.create(schedules.NewTask{ID: "dig", Name: "Dig", Type: schedules.Work, CalendarID: "full-0", PlannedStart: twinplatform.At(morning), PlannedDuration: new(int32(3_600))})
	err := p.store.Update(t.Context(), func(w storage.Writer) error {
		for key, value := range w.Scan("", "") {
			if strings.HasSuffix(key, "/calendars/r/full-0") {
				text := bytes.ReplaceAll(bytes.Clone(value), []byte(`"full-0"`), []byte(`"full-9"`))
				return w.Put(strings.Replace(key, "full-0", "full-9", 1), text)
			}
		}
		return fmt.Errorf("there is no such calendar")
	})
	if err != nil {
		t.Fatal(err)
	}
	p.svc = newService(p.store, schedules.Config{})
	if _, err := p.in().Calendar(p.ctx, "full-9"); err != nil {
		t.Fatal(err)
	}
	if path, err := scheduling.In(p.in()).CriticalPath(p.ctx); err != nil || len(path.Tasks) != 1 {
		t.Errorf("of the calendars that tasks name: %+v, %v", path, err)
	}
	large := refusal{kind: twinplatform.Conflict, code: "LimitExceeded", target: "calendars", says: "at most 400000"}
	_, err = p.svc.CloneSchedule(p.ctx, p.id, schedules.NewClone{ID: "clone", Name: "Clone"})
	large.check(t, err)
	var all []schedules.NewTask
	for _, id := range p.calendarIDs() {
		all = append(all, schedules.NewTask{ID: "of-" + id, Name: id, Type: schedules.Work, CalendarID: id, PlannedStart: twinplatform.At(morning), PlannedDuration: new(int32(3_600))})
	}
	_, err = p.in().CreateCalendar(p.ctx, working("last", "07:15-15:15"))
	invalid("InvalidValue exceptions").saying("at most 400000 runs").check(t, err)
	if _, err := p.in().UpdateCalendar(p.ctx, "base", schedules.CalendarPatch{Exceptions: twinplatform.Set([]schedules.CalendarException{otherDays(19_000)})}); err != nil {
		t.Errorf("a calendar that becomes smaller is refused: %v", err)
	}
	p.create(all...)
	_, err = scheduling.In(p.in()).CriticalPath(p.ctx)
	large.check(t, err)
	_, err = analysis.In(p.in()).GanttSVG(p.ctx, analysis.ChartQuery{})
	large.check(t, err)
	if _, err = p.in().DeleteTasks(p.ctx, []string{"of-full-9"}); err != nil {
		t.Error(err)
	}
	if _, err = scheduling.In(p.in()).CriticalPath(p.ctx); err != nil {
		t.Errorf("with the calendars that tasks name by now: %v", err)
	}
}

// TestPlansFollowTheirCalendars holds that what is kept of calendars is never older than
// they are: also where one is deleted and made again, where one above another changes, and
// where the store is another one.
func TestPlansFollowTheirCalendars(t *testing.T) {
	t.Parallel()
	p := standard(t)
	base := working("base", "08:00-16:00")
	p.calendar(base)
	p.calendar(schedules.NewCalendar{ID: "own", Name: "own", ParentID: "base"})
	p.create(schedules.NewTask{ID: "dig", Name: "Dig", Type: schedules.Work, CalendarID: "own", PlannedStart: twinplatform.At(morning), PlannedDuration: new(int32(4 * 3_600))})
	finish := func() string {
		t.Helper()
		path, err := scheduling.In(p.in()).CriticalPath(p.ctx)
		if err != nil || len(path.Tasks) != 1 {
			t.Fatalf("%+v, %v", path, err)
		}
		return path.Tasks[0].EarlyFinish.String()
	}
	noon := finish()
	off := schedules.CalendarException{StartDate: morning.Format(time.DateOnly), EndDate: morning.AddDate(0, 0, 400).Format(time.DateOnly)}
	set := func(id string, all ...schedules.CalendarException) {
		t.Helper()
		if _, err := p.in().UpdateCalendar(p.ctx, id, schedules.CalendarPatch{Exceptions: twinplatform.Set(all)}); err != nil {
			t.Fatal(err)
		}
	}
	set("base", off)
	if later := finish(); later == noon {
		t.Errorf("with days off of the calendar above its own it still ends %s", later)
	}
	fork, err := memory.Fork(p.store)
	if err != nil {
		t.Fatal(err)
	}
	other := *p
	other.store, other.svc = fork, newService(fork, schedules.Config{})
	set("base")
	expect(t, "without them", finish(), noon)
	p = &other
	if later := finish(); later == noon {
		t.Errorf("in the store from before it ends %s", later)
	}
}
