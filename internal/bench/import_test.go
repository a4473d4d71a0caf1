package bench_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/internal/bench"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/files"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// scatter is a number that is unrelated to its neighbours, as ids from databases do.
func scatter(kind string, i int) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %d", kind, i)
	return h.Sum64()
}

// guidOf is the id of a record as Primavera P6 writes it.
func guidOf(kind string, i int) string {
	sum := fnv.New128a()
	fmt.Fprintf(sum, "%s %d", kind, i)
	return base64.RawStdEncoding.EncodeToString(sum.Sum(nil))
}

// p6Plan is an XER of so many activities, each below one of a tree of WBS and with an
// assignment, and with one and a half times as many links.
func p6Plan(activities int) []byte {
	var b bytes.Buffer
	table := func(name, fields string) {
		fmt.Fprintf(&b, "%%T\t%s\n%%F\t%s\n", name, strings.ReplaceAll(fields, " ", "\t"))
	}
	row := func(format string, values ...any) {
		fmt.Fprintf(&b, "%%R\t"+strings.ReplaceAll(format, " ", "\t")+"\n", values...)
	}
	b.WriteString("ERMHDR\t20.12\t2026-03-02\tProject\tadmin\tadmin\tdb\tProject Management\tEUR\n")
	table("CALENDAR", "clndr_id clndr_name clndr_type clndr_data default_flag")
	day := "(0||%d()((0||0(s|08:00|f|12:00)())(0||1(s|13:00|f|17:00)())))"
	week := "(0||1()())"
	for i := 2; i <= 6; i++ {
		week += fmt.Sprintf(day, i)
	}
	row("1 %s CA_Base %s Y", "Fünf Tage", "(0||CalendarData()((0||DaysOfWeek()("+week+"(0||7()())))(0||Exceptions()())))")
	table("PROJECT", "proj_id proj_short_name last_recalc_date plan_start_date clndr_id")
	row("1 BRÜCKE-7 %s %s 1", "2026-03-02 08:00", "2026-01-05 08:00")
	parts := 1 + activities/20
	table("PROJWBS", "wbs_id proj_id proj_node_flag wbs_short_name wbs_name parent_wbs_id guid")
	node := func(i int) uint64 { return 1_000_000 + scatter("wbs", i)%1_000_000_000 }
	row("%d 1 Y BRÜCKE-7 %s  %s", node(0), "Brücke über die Elbe", guidOf("wbs", 0))
	for i := 1; i < parts; i++ {
		row("%d 1 N W%d %s %d %s", node(i), i, fmt.Sprintf("Überbau, Feld %d", i), node((i-1)/8), guidOf("wbs", i))
	}
	resources := 1 + min(activities/100, 300)
	table("RSRC", "rsrc_id parent_rsrc_id guid rsrc_name rsrc_short_name rsrc_type")
	for i := range resources {
		row("%d  %s %s R%d RT_Labor", i+1, guidOf("resource", i), fmt.Sprintf("Équipe %d", i), i)
	}
	table("TASK", "task_id proj_id wbs_id clndr_id task_code task_name task_type status_code guid target_drtn_hr_cnt "+
		"remain_drtn_hr_cnt act_start_date act_end_date duration_type target_start_date target_end_date early_start_date early_end_date")
	id := func(i int) uint64 { return 1_000_000 + scatter("task", i)%1_000_000_000 }
	for i := range activities {
		hours := 8 * (1 + scatter("hours", i)%10)
		start := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC).AddDate(0, 0, 7*(i%200))
		if i < activities/10 { // which are done
			start = start.AddDate(0, 0, -7*220)
		}
		finish := start.AddDate(0, 0, int(hours)/8-1).Add(9 * time.Hour)
		from, to := start.Format("2006-01-02 15:04"), finish.Format("2006-01-02 15:04")
		status, left, began, ended := "TK_NotStart", hours, "", ""
		if i < activities/10 {
			status, left, began, ended = "TK_Complete", 0, from, to
		}
		row("%d 1 %d 1 A%07d %s TT_Task %s %s %d %d %s %s DT_FixedDrtn %s %s %s %s", id(i), node(1+int(scatter("place", i)%uint64(max(parts-1, 1)))),
			scatter("code", i)%10_000_000, fmt.Sprintf("Schalung Träger %d, Achse Ω", i), status, guidOf("task", i), hours, left, began, ended, from, to, from, to)
	}
	table("TASKPRED", "task_pred_id task_id pred_task_id proj_id pred_proj_id pred_type lag_hr_cnt")
	kinds := [...]string{"PR_FS", "PR_SS", "PR_FF"}
	for i := range activities - 1 {
		row("%d %d %d 1 1 PR_FS 0", 2*i+1, id(i+1), id(i))
		if to := i + 2 + int(scatter("link", i)%500); i%2 == 0 && to < activities {
			row("%d %d %d 1 1 %s %d", 2*i+2, id(to), id(i), kinds[i/2%len(kinds)], i%5*8)
		}
	}
	table("TASKRSRC", "taskrsrc_id task_id proj_id rsrc_id target_qty remain_qty guid")
	for i := range activities {
		row("%d %d 1 %d %d %d %s", i+1, id(i), 1+scatter("who", i)%uint64(resources), 8+i%40, 8+i%40, guidOf("assignment", i))
	}
	b.WriteString("%E\n")
	return b.Bytes()
}

// importer imports the same file into one schedule, again and again.
type importer struct {
	svc  *schedules.Service
	file string
	ctx  context.Context
	http *httptest.Server // nil: typed
}

func newImporter(tb testing.TB, store storage.Store, content []byte, overHTTP bool) *importer {
	tb.Helper()
	i := &importer{svc: schedules.New(store, schedules.Config{}, scheduling.Feature, exchange.Feature), ctx: twinplatform.WithPrincipal(tb.Context(), worker)}
	if _, err := i.svc.CreateSchedule(i.ctx, schedules.NewSchedule{ID: "s", Name: "Bench", TwinID: "tower"}); err != nil {
		tb.Fatal(err)
	}
	plan := files.In(i.svc.In("s"))
	made, err := plan.CreateFile(i.ctx, files.NewFile{Length: int64(len(content))})
	if err == nil {
		_, err = plan.AppendFile(i.ctx, made.Value.ID, 0, bytes.NewReader(content))
	}
	if err != nil {
		tb.Fatal(err)
	}
	i.file = made.Value.ID
	if overHTTP {
		i.http = httptest.NewServer(served(tb, httpapi.Config{Schedules: i.svc}))
		tb.Cleanup(i.http.Close)
	}
	return i
}

// run imports the file, and returns how many records it made.
func (i *importer) run() (made int, err error) {
	synchronizer := "planner"
	if i.http != nil {
		err = i.request()
	} else {
		_, err = exchange.In(i.svc.In("s")).Import(i.ctx, exchange.PlannerImport{PlannerFile: exchange.PlannerFile{FileID: i.file, SynchronizerID: synchronizer}})
	}
	if err != nil {
		return 0, err
	}
	rec, err := synchronizers.In(i.svc.In("s")).Synchronizer(i.ctx, synchronizer)
	if err != nil {
		return 0, err
	}
	counts := rec.Value.SynchronizationDetails.Created
	for _, n := range []*int{counts.Tasks, counts.Links, counts.ResourceAssignments} {
		if n != nil {
			made += *n
		}
	}
	return made, nil
}

// request is run over HTTP, to the end of its operation.
func (i *importer) request() error {
	body, err := json.Marshal(map[string]any{"fileId": i.file, "synchronizerId": "planner"})
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(i.ctx, http.MethodPost, i.http.URL+"/schedules/s/imports/planner", bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+bearer)
	r.Header.Set("Content-Type", "application/json")
	answer, err := i.http.Client().Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	var accepted struct {
		Operation struct {
			ID string `json:"id"`
		} `json:"operation"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&accepted); err != nil {
		return err
	}
	if answer.StatusCode >= http.StatusBadRequest {
		return fmt.Errorf("the import was answered %s", answer.Status)
	}
	_, err = i.svc.In("s").Wait(i.ctx, accepted.Operation.ID)
	return err
}

// inUse is how many bytes the program holds.
func inUse() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// BenchmarkImport imports a plan of 50,000 activities, 75,000 links and 50,000 assignments,
// the same again, which finds nothing to do, and one of twice the size. It prints how many
// seconds of processor each takes, besides those that reading and scheduling the file
// takes, how many kilobytes are in use for an activity in the end, how many more once a caller
// has looked at the plan, and how many times as long as the first the last takes. With -short
// the plan has 1,000 activities.
func BenchmarkImport(b *testing.B) {
	activities := 50_000
	if testing.Short() {
		activities = 1_000
	}
	content, double := p6Plan(activities), p6Plan(2*activities)
	for _, way := range []struct {
		name   string
		engine storetest.Engine
		http   bool
	}{
		{"typed-memory", storetest.Engines[0], false},
		{"http-memory", storetest.Engines[0], true},
		{"http-buntdb", storetest.Engines[1], true},
	} {
		b.Run(way.name, func(b *testing.B) {
			for range b.N {
				one := importOnce(b, way.engine.Open, content, activities, way.http)
				two := importOnce(b, way.engine.Open, double, 2*activities, way.http)
				b.ReportMetric(one.read.Seconds(), "read-s")
				b.ReportMetric(one.first.Seconds(), "first-s")
				b.ReportMetric(one.again.Seconds(), "again-s")
				b.ReportMetric(two.first.Seconds(), "double-s")
				b.ReportMetric(two.first.Seconds()/one.first.Seconds(), "growth")
				b.ReportMetric(one.kilobytes, "kB/activity")
				b.ReportMetric(one.network, "network-kB/activity")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// imported is what an import takes, of the processors.
type imported struct {
	read, first, again time.Duration
	kilobytes, network float64 // in use for an activity, and more once the plan was looked at
}

func importOnce(b *testing.B, open func(testing.TB) storage.Store, content []byte, activities int, overHTTP bool) (took imported) {
	b.Helper()
	store := open(b)
	defer func() { _ = store.Close() }()
	timed := func(fn func() error) time.Duration {
		runtime.GC()
		began := bench.ProcessTime()
		if err := fn(); err != nil {
			b.Fatal(err)
		}
		return bench.ProcessTime() - began
	}
	took.read = timed(func() error {
		plan, err := planner.Read(bytes.NewReader(content))
		if err == nil {
			_, err = plan.Schedule()
		}
		return err
	})
	i := newImporter(b, store, content, overHTTP)
	before := inUse()
	takes := func(least int) time.Duration {
		made := 0
		t := timed(func() (err error) {
			made, err = i.run()
			return err
		})
		if made < least || least == 0 && made > 0 {
			b.Fatalf("%d things were made, want %d", made, least)
		}
		return t
	}
	took.first = takes(3 * activities)
	took.kilobytes = float64(inUse()-before) / 1000 / float64(activities)
	took.again = takes(0)
	before = inUse()
	if _, err := scheduling.In(i.svc.In("s")).Simulate(i.ctx, scheduling.Rescheduling{}); err != nil {
		b.Fatal(err)
	}
	took.network = float64(inUse()-before) / 1000 / float64(activities)
	runtime.KeepAlive(i)
	return took
}
