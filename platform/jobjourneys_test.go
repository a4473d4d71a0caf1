package platform_test

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/storetest/distant"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/analysis"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/files"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/transform/models"
	"github.com/seed-933f9a09/twinplatform/twins"
)

var update = flag.Bool("update", false, "write testdata/journeys.txt")

// longWork is a kind of it. prepare makes so many records for it, and returns the work, which is measured.
type longWork struct {
	name    string
	prepare func(d *farAway, n int) func()
}

// longWorks are all kinds of long work that read or write records which may be many.
var longWorks = []longWork{
	{"import", func(d *farAway, n int) func() {
		file := d.upload(xerOf(n, 0))
		return func() { d.importFile(distantPlan, file) }
	}},
	{"import of Microsoft Project", func(d *farAway, n int) func() { return d.importing(n, exchange.FormatMSPDI) }},
	{"import of P6 XML with a baseline", func(d *farAway, n int) func() { return d.importing(n, exchange.FormatP6XML) }},
	{"synchronization of changes", func(d *farAway, n int) func() {
		d.fill(n)
		file := d.upload(xerOf(n, 8))
		return func() { d.synchronize(file, exchange.IntegrateMode) }
	}},
	{"synchronization by another name", func(d *farAway, n int) func() {
		d.fill(n)
		file := d.upload(xerOf(n, 8))
		return func() {
			d.must(errOf(exchange.In(d.plan()).Import(d.ctx, exchange.PlannerImport{PlannerFile: exchange.PlannerFile{FileID: file, SynchronizerID: "other"}})))
		}
	}},
	{"synchronization that deletes", func(d *farAway, n int) func() {
		d.fill(n)
		file := d.upload(xerOf(5, 0))
		return func() { d.synchronize(file, exchange.SynchronizeMode) }
	}},
	{"synchronization with the same file", func(d *farAway, n int) func() {
		d.fill(n)
		file := d.upload(xerOf(n, 0))
		return func() { d.synchronize(file, exchange.IntegrateMode) }
	}},
	{"export as XER", func(d *farAway, n int) func() {
		d.fill(n)
		return func() { d.export(exchange.FormatXER) }
	}},
	{"export as MSPDI", func(d *farAway, n int) func() {
		d.fill(n)
		return func() { d.export(exchange.FormatMSPDI) }
	}},
	{"export as P6 XML", func(d *farAway, n int) func() {
		d.fill(n)
		return func() { d.export(exchange.FormatP6XML) }
	}},
	{"clone", func(d *farAway, n int) func() {
		d.fill(n)
		d.baseline()
		return func() {
			d.must(errOf(d.Schedules.CloneSchedule(d.ctx, distantPlan, schedules.NewClone{ID: "clone", Name: "Clone"})))
		}
	}},
	{"deletion of a schedule", func(d *farAway, n int) func() {
		d.fill(n)
		d.baseline()
		return func() { d.must(d.Schedules.DeleteSchedule(d.ctx, distantPlan)) }
	}},
	{"baseline", func(d *farAway, n int) func() {
		d.fill(n)
		return d.baseline
	}},
	{"rescheduling of half as many tasks", func(d *farAway, n int) func() {
		d.create(0, n/2)
		for i := 0; i < n/2; i += 1000 {
			d.link(i, min(n/2-i, 1000))
		}
		return d.reschedule
	}},
	{"rescheduling of new tasks", func(d *farAway, n int) func() {
		d.create(0, n)
		for i := 0; i < n; i += 1000 {
			d.link(i, min(n-i, 1000))
		}
		return d.reschedule
	}},
	{"rescheduling of an imported plan", func(d *farAway, n int) func() {
		d.fill(n)
		d.must(errOf(d.plan().UpdateProjectScheduling(d.ctx, schedules.ProjectSchedulingPatch{
			StartDate: twinplatform.Set(twinplatform.At(noon.AddDate(1, 0, 0))), DataDate: twinplatform.Set(twinplatform.At(noon.AddDate(1, 0, 0))),
		})))
		return d.reschedule
	}},
	{"change of a calendar", func(d *farAway, n int) func() {
		d.fill(n)
		set := made[twinplatform.Record[schedules.ProjectScheduling]](d.T)(d.plan().ProjectScheduling(d.ctx))
		return func() {
			d.must(errOf(d.plan().UpdateCalendar(d.ctx, string(set.Value.CalendarID), schedules.CalendarPatch{
				Exceptions: twinplatform.Set([]schedules.CalendarException{{Name: "Holiday", StartDate: "2026-03-09", EndDate: "2026-09-13"}}),
			})))
		}
	}},
	{"progress", func(d *farAway, n int) func() {
		d.fill(n)
		in := analysis.In(d.cold().plan())
		return func() {
			d.must(errOf(in.ProgressCurve(d.ctx, analysis.ProgressQuery{})))
			d.must(errOf(in.ResourceHistogram(d.ctx, analysis.ProgressQuery{})))
			d.must(errOf(in.ProgressLine(d.ctx, analysis.ProgressQuery{})))
		}
	}},
	{"compare", func(d *farAway, n int) func() {
		d.fill(n)
		d.baseline()
		in := analysis.In(d.cold().plan())
		return func() { d.must(errOf(in.CompareBaseline(d.ctx, "approved", analysis.ComparisonQuery{}))) }
	}},
	{"seed", func(d *farAway, n int) func() {
		d.fill(n)
		world := made[*platform.World](d.T)(d.Export(d.Context()))
		empty := distant.Over(memory.New())
		p := over(d.T, empty, platform.Config{})
		empty.Journey, d.store = d.store.Journey, empty
		return func() {
			d.must(p.Seed(d.Context(), world, platform.SeedOptions{Owner: twinplatform.Principal{ID: "boss", AccountID: "acme"}}))
		}
	}},
	{"restore", func(d *farAway, n int) func() {
		d.fill(n)
		var backup bytes.Buffer
		d.must(storage.Backup(d.Context(), d.store, &backup))
		empty := distant.Over(memory.New())
		empty.Journey, d.store = d.store.Journey, empty
		return func() { d.must(platform.Restore(d.Context(), journeying{empty}, &backup)) }
	}},
	{"retention", func(d *farAway, n int) func() {
		d.fill(n)
		d.must(d.Schedules.DeleteSchedule(d.ctx, distantPlan))
		d.deleted(n)
		time.Sleep(2 * twinplatform.DefaultRetain)
		return func() { d.must(d.ForgetDue(d.Context())) }
	}},
	{"transformation", func(d *farAway, n int) func() { return d.transforming(n) }},
	{"export of twins", func(d *farAway, n int) func() {
		admin := twinplatform.WithPrincipal(d.Context(), twinplatform.Principal{
			ID: "boss", AccountID: "acme", Scopes: []string{twinplatform.ScopePlatform}, AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator},
		})
		for i := range n {
			d.must(errOf(d.Twins.CreateTwin(admin, twins.NewTwin{Class: twins.Thing, DisplayName: fmt.Sprint("Pier ", i), Number: fmt.Sprint("P-", 3*i)})))
		}
		return func() {
			d.must(errOf(d.Twins.CreateExport(admin, twins.ExportRequest{OutputFormat: twins.JSONGZip, QueryScope: twins.ExportOrganizationAdmin})))
		}
	}},
}

// journeying is a store that takes nothing at once but a transaction.
type journeying struct{ storage.Store }

func (d *farAway) plan() schedules.Plan { return d.Schedules.In(distantPlan) }

// cold is another process over the same store, which knows nothing of it yet.
func (d *farAway) cold() *farAway {
	return &farAway{d.T, over(d.T, d.store, platform.Config{}), d.store, d.ctx}
}

func (d *farAway) upload(content []byte) (fileID string) { return d.uploadTo(distantPlan, content) }

func (d *farAway) uploadTo(schedule string, content []byte) (fileID string) {
	d.Helper()
	in := files.In(d.Schedules.In(schedule))
	file := made[twinplatform.Record[files.File]](d.T)(in.CreateFile(d.ctx, files.NewFile{Length: int64(len(content))}))
	d.must(errOf(in.AppendFile(d.ctx, file.Value.ID, 0, bytes.NewReader(content))))
	return file.Value.ID
}

func (d *farAway) importFile(schedule, file string) {
	d.Helper()
	d.must(errOf(exchange.In(d.Schedules.In(schedule)).Import(d.ctx, exchange.PlannerImport{PlannerFile: exchange.PlannerFile{FileID: file, SynchronizerID: "planner"}})))
}

// fill imports a plan of so many activities.
func (d *farAway) fill(n int) {
	d.Helper()
	d.importFile(distantPlan, d.upload(xerOf(n, 0)))
}

func (d *farAway) synchronize(file string, mode exchange.SyncMode) {
	d.Helper()
	d.must(errOf(exchange.In(d.plan()).Synchronize(d.ctx, exchange.PlannerSynchronization{
		PlannerFile: exchange.PlannerFile{FileID: file, SynchronizerID: "planner"},
		Options: exchange.PlannerSyncOptions{
			SyncActivityCodes: mode, SyncActivityCodesAssignment: mode, SyncLinks: mode, SyncResourceAssignments: mode, SyncResources: mode,
			SyncTaskActuals: mode, SyncTaskConstraints: mode, SyncTasks: mode, SyncUserFieldValues: mode, SyncUserField: mode,
			MaxDeletedShare: twinplatform.Set(1.0),
		},
	})))
}

func (d *farAway) export(format exchange.PlannerFormat) {
	d.Helper()
	d.must(errOf(exchange.In(d.plan()).Export(d.ctx, exchange.PlannerExport{Format: format, SynchronizerID: "export"})))
}

func (d *farAway) baseline() {
	d.Helper()
	d.must(errOf(d.plan().CreateBaseline(d.ctx, schedules.NewBaseline{ID: "approved", Name: "Approved"})))
}

func (d *farAway) reschedule() {
	d.Helper()
	d.must(errOf(scheduling.In(d.plan()).Reschedule(d.ctx, scheduling.Rescheduling{})))
}

// schedule makes a schedule of the twins of the caller.
func (d *farAway) schedule(id string) {
	d.Helper()
	page := made[twinplatform.Page[twins.Twin]](d.T)(d.Twins.Twins(d.ctx, twins.TwinQuery{}))
	for t := range page.OnPage() {
		d.must(errOf(d.Schedules.CreateSchedule(d.ctx, schedules.NewSchedule{ID: id, Name: "Plan", TwinID: t.ID})))
	}
}

// importing is the import of what a plan with a baseline is exported as.
func (d *farAway) importing(n int, format exchange.PlannerFormat) func() {
	d.Helper()
	d.fill(n)
	d.baseline()
	d.export(format)
	file := made[*exchange.ExportedFile](d.T)(exchange.In(d.plan()).OpenExport(d.ctx, "export"))
	content := made[[]byte](d.T)(io.ReadAll(file))
	d.must(d.Schedules.DeleteSchedule(d.ctx, distantPlan))
	d.schedule("again")
	from := exchange.PlannerFile{FileID: d.uploadTo("again", content), SynchronizerID: "planner"}
	return func() {
		if format == exchange.FormatMSPDI {
			d.must(errOf(exchange.In(d.Schedules.In("again")).ImportMicrosoftProject(d.ctx, exchange.MicrosoftProjectImport{PlannerFile: from})))
			return
		}
		d.must(errOf(exchange.In(d.Schedules.In("again")).Import(d.ctx, exchange.PlannerImport{PlannerFile: from})))
	}
}

// deleted makes so many tasks and deletes them.
func (d *farAway) deleted(n int) {
	d.Helper()
	d.schedule(distantPlan)
	for i := 0; i < n; i += 1000 {
		var ids []string
		for _, t := range d.tasks(i, min(n-i, 1000)) {
			ids = append(ids, t.ID)
		}
		d.create(i, len(ids))
		d.must(errOf(d.plan().DeleteTasks(d.ctx, ids)))
	}
}

// transforming is the transformation of a model of so many elements.
func (d *farAway) transforming(n int) func() {
	d.Helper()
	ctx, in := d.Context(), d.Transform.Models()
	twin := made[twinplatform.Result[twins.Twin]](d.T)(d.Twins.CreateTwin(ctx, twins.NewTwin{Class: twins.Endeavor, DisplayName: "Bridge"})).Value().ID
	model := func(name string) string {
		return made[twinplatform.Result[models.Model]](d.T)(in.CreateModel(ctx, models.NewModel{TwinID: twin, DisplayName: name})).Value().ID
	}
	source, target := model("Source"), model("Target")
	for i := 0; i < n; i += 500 {
		var change models.NewChangeset
		for j := i; j < min(n, i+500); j++ {
			change.Inserted = append(change.Inserted, models.NewElement{ID: fmt.Sprint("wall-", j), Class: "Wall", Category: twinplatform.NullString(fmt.Sprint("category ", j%7)), Code: twinplatform.NullString(fmt.Sprint("W", 3*j))})
		}
		d.must(errOf(in.CreateChangeset(ctx, source, change)))
	}
	view := made[twinplatform.Result[models.SavedView]](d.T)(in.CreateSavedView(ctx, models.NewSavedView{ModelID: source, DisplayName: "All", Shared: true})).Value().ID
	id := made[twinplatform.Result[transform.Configuration]](d.T)(d.Transform.CreateConfiguration(ctx, transform.NewConfiguration{
		TransformName: "Parts", Comment: "of the bridge", SourceProjectID: twin, SourceModelID: source, TargetProjectID: twin, TargetModelID: target,
		TransformParameters: &transform.NewParameters{SavedViewID: view},
	})).Value().ID
	return func() {
		d.must(errOf(d.Transform.RunTransformation(ctx, transform.NewTransformation{ConfigurationID: id})))
	}
}

// journeysOfWork is how many journeys work takes on so many records, each of which is 3 ms long.
func journeysOfWork(t *testing.T, w longWork, n int) (journeys int) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d := newDistantBy(t, nil)
		do := w.prepare(d, n)
		d.store.Journey = func() { time.Sleep(3 * time.Millisecond) }
		began := time.Now()
		d.store.Journeys()
		do()
		if journeys = d.store.Journeys(); time.Since(began) > 5*time.Second {
			t.Errorf("%s %d: took %v, want 5 s at most", w.name, n, time.Since(began))
		}
		d.store.Journey = nil
	})
	return journeys
}

const workHead = `# Journeys of long work
#
# How many round trips to a store over a network long work takes on so many records, each of them 3 ms long: tasks of
# a plan with their links, assignments, codes and user fields, elements of a model, twins. No kind takes more than it
# is listed with. Made by go test ./platform -run LongWork -update.
#
`

// workSizes are how many records long work is measured on; the last is left out by -short.
var workSizes = []int{1000, 5000}

// Long work is held to the number of journeys that it is listed with, of which a thousand more records take a few.
func TestLongWorkTakesNoMoreJourneysThanItIsListedWith(t *testing.T) {
	const listed = "testdata/journeys.txt"
	sizes := workSizes[:testsize.Of(len(workSizes), 1)]
	took := make(map[string][]int)
	var mu sync.Mutex
	t.Run("all", func(t *testing.T) {
		for _, w := range longWorks {
			t.Run(w.name, func(t *testing.T) {
				t.Parallel()
				counts := make([]int, len(sizes))
				for i, n := range sizes {
					counts[i] = journeysOfWork(t, w, n)
				}
				mu.Lock()
				defer mu.Unlock()
				took[w.name] = counts
			})
		}
	})
	if *update && !testing.Short() {
		var b strings.Builder
		b.WriteString(workHead)
		for _, w := range longWorks {
			for i, n := range sizes {
				fmt.Fprintf(&b, "%s %d: %d\n", w.name, n, took[w.name][i])
			}
		}
		if err := errors.Join(os.MkdirAll("testdata", 0o755), os.WriteFile(listed, []byte(b.String()), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	most := listedWork(t, listed)
	for _, name := range slices.Sorted(maps.Keys(took)) {
		for i, n := range sizes {
			key := fmt.Sprint(name, " ", n)
			if bound, ok := most[key]; !ok || took[name][i] > bound {
				t.Errorf("%s takes %d journeys, %s says %d", key, took[name][i], listed, bound)
			}
		}
	}
}

// listedWork are the bounds of a list, by work and size.
func listedWork(t *testing.T, path string) map[string]int {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	most := make(map[string]int)
	for line := range strings.Lines(string(content)) {
		key, count, ok := strings.Cut(strings.TrimSpace(line), ": ")
		n := 0
		if _, err := fmt.Sscan(count, &n); ok && !strings.HasPrefix(line, "#") && err == nil {
			most[key] = n
		}
	}
	return most
}
