package console_test

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/testsize"
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
