package console_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/testsize"
)

func TestAChartIsDownloadedWholeOnPaperAndItsTasksForExcel(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	admin, _ := seeded(t, "world-j30.json", false)
	at := "/console/schedules/mp-j30-a2-nr1"
	wanted := map[string]struct{ begins, media, name string }{
		"gantt.pdf":  {"%PDF-", "application/pdf", "mp-j30-a2-nr1.pdf"},
		"tasks.xlsx": {"PK", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "mp-j30-a2-nr1.xlsx"},
	}
	for _, link := range admin.see(at + "?levels=1").links {
		file, _, _ := strings.Cut(link[strings.LastIndexByte(link, '/')+1:], "?")
		want, ok := wanted[file]
		if !ok {
			continue
		}
		delete(wanted, file)
		w := admin.ask(http.MethodGet, resolve(t, at, link), "", http.NoBody)
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") != want.media || !strings.HasPrefix(w.Body.String(), want.begins) ||
			!strings.Contains(w.Header().Get("Content-Disposition"), want.name) {
			t.Errorf("%s: %d %v %.20q", link, w.Code, w.Header(), w.Body)
		}
	}
	for file := range wanted {
		t.Errorf("the page has no link to %s", file)
	}
	for _, page := range []string{"", "?page=1"} {
		w := admin.ask(http.MethodGet, at+"/gantt.pdf"+page, "", http.NoBody)
		if got, want := strings.Count(w.Body.String(), "/Type/Page/"), 2; got != want || !strings.Contains(w.Body.String(), fmt.Sprintf("/Count %d/", want)) {
			t.Errorf("%q: %d pages, want %d", page, got, want)
		}
	}
}
