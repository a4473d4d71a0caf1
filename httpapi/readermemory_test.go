package httpapi_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/internal/heapgauge"
	"github.com/seed-933f9a09/twinplatform/schedules"
	planfiles "github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// readerBytes is how much memory a reader's request may take at a time.
const readerBytes = 64 << 20

// discarded is an answer that is read and forgotten, as a client over a connection does.
type discarded struct {
	head   http.Header
	status int
	bytes  int
}

func (d *discarded) Header() http.Header { return d.head }
func (d *discarded) WriteHeader(s int)   { d.status = s }
func (d *discarded) Write(b []byte) (int, error) {
	d.bytes += len(b)
	return len(b), nil
}

// heavy is a schedule that is as large as a reader's request is promised to be bounded
// for, and names of its records for the places in paths.
type heavy struct {
	*httpapi.Handler

	in map[string]string
}

const (
	heavyTasks = 4_000
	heavyDepth = 60
)

// heavySchedule makes one with as many calendars as there may be, as large as they may be,
// all of them named by tasks; with deep trees, links and baselines as wide as the plan, and
// texts as long as they may be.
func heavySchedule(t *testing.T) *heavy {
	t.Helper()
	ctx, store := t.Context(), memory.New()
	t.Cleanup(func() { _ = store.Close() })
	svc := schedules.New(store, schedules.Config{Twins: oneTwin{}}, scheduling.Feature, planfiles.Feature)
	plan := svc.In("s")
	ok := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	_, err := svc.CreateSchedule(ctx, schedules.NewSchedule{ID: "s", Name: "Plan", TwinID: "tower"})
	ok(err)
	heavyCalendars(t, plan)
	long := strings.Repeat("Bétonnage ", schedules.MaxText/10)
	begin := time.Date(2026, time.March, 2, 8, 0, 0, 0, time.UTC)
	all, links := make([]schedules.NewTask, heavyTasks), make([]schedules.NewTaskLink, 0, heavyTasks)
	for i := range all {
		n := &all[i]
		n.ID, n.Type, n.Name = fmt.Sprintf("task-%05d", i), schedules.Work, fmt.Sprint(i, " ", long[:len(long)/2-10])
		n.CalendarID = fmt.Sprintf("cal-%03d", i%(schedules.MaxCalendars-1))
		n.PlannedStart, n.PlannedDuration = twinplatform.At(begin.Add(time.Duration(i)*time.Hour)), new(int32(3_600*(1+i%90)))
		if i%heavyDepth > 0 && i < 50*heavyDepth {
			n.ParentID = fmt.Sprintf("task-%05d", i-1)
		}
		if i > 50*heavyDepth+1 {
			links = append(links, schedules.NewTaskLink{
				ID: fmt.Sprintf("link-%05d", i), PredecessorID: fmt.Sprintf("task-%05d", i-1), SuccessorID: n.ID, Type: schedules.FinishToStart,
			})
		}
	}
	for part := range slices.Chunk(all, 250) {
		_, err := plan.CreateTasks(ctx, part)
		ok(err)
	}
	for part := range slices.Chunk(links, schedules.MaxBatch) {
		_, err := plan.CreateTaskLinks(ctx, part)
		ok(err)
	}
	_, err = plan.CreateBaseline(ctx, schedules.NewBaseline{ID: "first", Name: "First"})
	ok(err)
	for i := 0; i < heavyTasks; i += 3 {
		id := fmt.Sprintf("task-%05d", i)
		if i < 50*heavyDepth && i%heavyDepth != heavyDepth-1 {
			continue // which is above others
		}
		_, err := plan.UpdateTask(ctx, id, schedules.TaskPatch{PlannedDuration: twinplatform.Set(int32(7_200))})
		ok(err)
	}
	resources := make([]schedules.NewResource, 600)
	for i := range resources {
		resources[i] = schedules.NewResource{Type: schedules.HumanResource, ID: fmt.Sprintf("crew-%04d", i), Name: fmt.Sprint(i, long[:len(long)/2])}
	}
	for part := range slices.Chunk(resources, 50) {
		_, err := plan.CreateResources(ctx, part)
		ok(err)
	}
	h, err := httpapi.New(httpapi.Config{
		Authenticator: httpapi.StaticTokens(map[string]twinplatform.Principal{"ann": {
			ID: "ann", AccountID: "acme", Kind: twinplatform.User, Scopes: []string{twinplatform.ScopePlatform},
			AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator},
		}}),
		Schedules: svc,
	})
	ok(err)
	return &heavy{h, map[string]string{
		"scheduleId": "s", "taskId": "task-03999", "taskLinkId": "link-03500", "baselineId": "first", "resourceId": "crew-0001", "calendarId": "cal-000",
	}}
}

// heavyCalendars makes 999 calendars besides the standard one, which take up the budget
// of runs: centuries in one exception, every other day of 270 years, and many exceptions
// of a day, some of them below others.
func heavyCalendars(t *testing.T, plan schedules.Plan) {
	t.Helper()
	clock := func(minute int) string { return fmt.Sprintf("%02d:%02d", minute/60, minute%60) }
	left := int64(schedules.MaxCalendarRuns - 100)
	for i := range schedules.MaxCalendars - 1 {
		n := schedules.NewCalendar{ID: fmt.Sprintf("cal-%03d", i), Name: fmt.Sprint("Équipe ", i)}
		day := schedules.DayType{ID: "on", Type: schedules.NormalDay}
		for b := range schedules.MaxTimeBlocks {
			day.TimeBlocks = append(day.TimeBlocks, schedules.TimeBlock{StartTime: clock(30 * b), EndTime: clock(30*b + 5 + i%20)})
		}
		n.DayTypes = []schedules.DayType{day}
		n.Week = schedules.CalendarWeek{MondayDayTypeID: "on", TuesdayDayTypeID: "on", WednesdayDayTypeID: "on", ThursdayDayTypeID: "on", FridayDayTypeID: "on"}
		runs := int64(1 + len(day.TimeBlocks))
		long := schedules.CalendarException{StartDate: "1901-05-06", EndDate: "2170-01-01"}
		switch {
		case i < 4:
			long.Recurrence = &schedules.Recurrence{Frequency: schedules.DailyRecurrence, Interval: 2}
			n.Exceptions, runs = append(n.Exceptions, long), runs+49_200
		case i%3 == 0:
			long.DayTypeID = "on"
			n.Exceptions, runs = append(n.Exceptions, long), runs+1
		default:
			for x := range 150 {
				date := time.Date(2026, time.January, 1+2*x, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
				n.Exceptions = append(n.Exceptions, schedules.CalendarException{StartDate: date, Name: "Férié"})
			}
			runs += 150
		}
		if left -= runs; left < 50*int64(schedules.MaxCalendars-i) {
			n.Exceptions = nil
			left += runs - int64(1+len(day.TimeBlocks))
		}
		if _, err := plan.CreateCalendar(t.Context(), n); err != nil {
			t.Fatal(i, err)
		}
	}
}

// none are the places in paths of records that a reader gets one of, each of which has at
// most 512 KiB: the schedule has none.
var none = []string{
	"operationId", "fileId", "synchronizerId", "resourceGroupId", "resourceStatusCategoryId", "resourceStatusSetId", "resourceStatusItemId",
	"statusHistoryItemId", "resourceAssignmentId", "userFieldId", "entity3dId", "appearanceProfileId", "animationBindingId",
	"animation3dTransformId", "animation3dPathId", "animation3dPathAssignmentId", "keyframeId", "codeId", "codeValueId", "ruleId", "taskQueryFilterId",
}

// TestEveryReadOfAHeavyScheduleTakesBoundedMemory asks all operations of the schedules
// area that read, which it finds in the route table: one for which no request can be made
// fails by its name. It runs alone, since it measures the process.
func TestEveryReadOfAHeavyScheduleTakesBoundedMemory(t *testing.T) { //nolint:paralleltest // see above
	if testing.Short() {
		t.Skip("takes seconds")
	}
	w := heavySchedule(t)
	asked := 0
	for _, o := range w.Operations() { //nolint:paralleltest // one after the other
		reads := o.Method == http.MethodGet || strings.HasSuffix(o.Path, "/dcma/analyze") || strings.HasSuffix(o.Path, "/reschedule")
		if !reads || !strings.HasPrefix(o.Path, "/schedules") {
			continue
		}
		asked++
		t.Run(o.ID, func(t *testing.T) {
			path := o.Path
			for name, id := range w.in {
				path = strings.ReplaceAll(path, "{"+name+"}", id)
			}
			missing := false
			for strings.Contains(path, "{") {
				before, rest, _ := strings.Cut(path, "{")
				name, behind, _ := strings.Cut(rest, "}")
				if !slices.Contains(none, name) {
					t.Fatalf("there is nothing in the place of %s in %s", name, o.Path)
				}
				path, missing = before+"none"+behind, true
			}
			path += wholePage(o)
			answer, bytes := heapgauge.Peak(t, func() *discarded {
				d := &discarded{head: make(http.Header)}
				method := o.Method
				r, err := http.NewRequestWithContext(t.Context(), method, path, strings.NewReader(map[bool]string{true: "{}"}[method == http.MethodPost]))
				if err != nil {
					t.Fatal(err)
				}
				r.Header.Set("Authorization", "Bearer ann")
				w.ServeHTTP(d, r)
				return d
			})
			of65 := answer.status == http.StatusBadRequest && strings.Contains(o.Path, "entities-3d") // which a v10 schedule has none of
			of3D := answer.status == http.StatusBadRequest && o.ID == "animation.glb"                 // which a schedule without a model has none of
			if answer.status >= 300 && !(missing && answer.status == http.StatusNotFound) && !of65 && !of3D {
				t.Errorf("%s %s answers %d", o.Method, path, answer.status)
			}
			most := int64(readerBytes)
			if strings.HasSuffix(o.Path, "/reschedule") {
				most += 8 << 20 // a dry run compares the plan as it is with what it would be
			}
			if bytes > most {
				t.Errorf("%s %s took %.1f MiB for an answer of %d bytes (%d)", o.Method, path, float64(bytes)/(1<<20), answer.bytes, answer.status)
			}
			t.Logf("%.1f MiB, %d bytes, %d", float64(bytes)/(1<<20), answer.bytes, answer.status)
		})
	}
	if asked < 80 {
		t.Errorf("%d operations were asked", asked)
	}
}

// wholePage asks for as much as one request may.
func wholePage(o httpapi.Operation) string {
	switch {
	case o.Path == "/schedules":
		return "?twinId=tower"
	case strings.HasSuffix(o.Path, "/reschedule"):
		return "?dryRun=true"
	case strings.HasSuffix(o.Path, "/animation-state"):
		return "?time=2026-01-05T00:00:00Z&$top=10000"
	case strings.Contains(o.Path, "/gantt."):
		return "?rows=2000&baselineId=first"
	case slices.ContainsFunc(o.Query, func(p httpapi.Parameter) bool { return p.Name == "$top" }):
		return "?$top=10000"
	}
	return ""
}
