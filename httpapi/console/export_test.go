package console_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
)

func TestAScheduleIsExportedToEachPlanningToolFromItsPage(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	admin, _ := seeded(t, "world-j30.json", false)
	schedule := ""
	admin.crawl("/console/schedules", func(target string, _ int, _ page) {
		if path, ok := strings.CutSuffix(target, "/import"); ok && schedule == "" {
			schedule = path
		}
	})
	buttons := 0
	for _, action := range admin.see(schedule + "/export").forms {
		if strings.HasSuffix(action, "/export") {
			buttons++
		}
	}
	if buttons != 3 {
		t.Errorf("%s has buttons for %d formats", schedule, buttons)
	}
	for _, format := range []planner.Format{planner.XER, planner.P6XML, planner.MSPDI} {
		into := admin.send(schedule+"/export", url.Values{"format": {string(format)}})
		from, err := url.Parse(into)
		if err != nil {
			t.Fatal(err)
		}
		file := ""
		for _, link := range admin.see(into).links {
			if at, err := from.Parse(link); err == nil && strings.HasSuffix(at.Path, "/file") {
				file = at.String()
			}
		}
		w := admin.ask(http.MethodGet, file, "", nil)
		read, err := planner.Read(bytes.NewReader(w.Body.Bytes()))
		if err != nil || w.Code != http.StatusOK || read.Format != format || len(read.Tasks) < 64 || !strings.Contains(w.Header().Get("Content-Disposition"), "attachment") {
			t.Errorf("%s: %q answers %d, %v, %v", format, file, w.Code, w.Header(), err)
		}
	}
}

func TestAPictureOfAChartHasTheRowsOfAllItsPages(t *testing.T) {
	t.Parallel()
	admin, _ := seeded(t, "world-j30.json", false)
	if _, err := admin.platform.Schedules.CreateSchedule(t.Context(), schedules.NewSchedule{
		ID: "two-pages", Name: "Two pages", TwinID: "6f3a2c1e-7d4b-4a58-9c0d-2b1e5f8a7c90",
	}); err != nil {
		t.Fatal(err)
	}
	batch, duration := make([]schedules.NewTask, 230), int32(28_800)
	start := twinplatform.At(time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))
	for i := range batch {
		batch[i] = schedules.NewTask{
			ID: fmt.Sprintf("t%03d", i), Name: fmt.Sprintf("Pile %d of them", i), Type: schedules.Work,
			PlannedStart: start, PlannedDuration: &duration,
		}
	}
	if _, err := admin.platform.Schedules.In("two-pages").CreateTasks(t.Context(), batch); err != nil {
		t.Fatal(err)
	}
	const page = "/console/schedules/two-pages?page=2"
	if n := len(tasksOf(admin.see(page))); n != 30 {
		t.Fatalf("the second page has %d rows", n)
	}
	for _, link := range admin.see(page).links {
		to := resolve(t, page, link)
		if !strings.Contains(to, "/gantt.svg") && !strings.Contains(to, "/gantt.mmd") {
			continue
		}
		if drawn := admin.ask(http.MethodGet, to, "", http.NoBody).Body.String(); !strings.Contains(drawn, "Pile 0 of them") || !strings.Contains(drawn, "Pile 229 of them") {
			t.Errorf("%s has not all rows: %.300s", to, drawn)
		}
	}
}
