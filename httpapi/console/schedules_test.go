package console_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// order is where texts are in a page, each behind the one before it.
func (b *visitor) order(target string, texts ...string) {
	b.w.t.Helper()
	p, from := b.source(target, http.StatusOK), 0
	for _, text := range texts {
		i := strings.Index(p[from:], text)
		if i < 0 {
			b.w.t.Errorf("%s has no %q behind those before it: %s", target, text, p[from:])
			return
		}
		from += i + len(text)
	}
}

func TestSchedulesAreOneTableThatIsSortedAndSearched(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b := w.browser()
	small := w.plan("A small plan")
	w.now = w.now.Add(time.Hour)
	w.addTask(small, "one")
	ctx := twinplatform.WithPrincipal(t.Context(), w.tokens[ownerToken])
	if _, err := w.platform.Twins.CreateTwin(ctx, twins.NewTwin{
		Class: "Thing", SubClass: "Asset", DisplayName: "A twin without schedules", Number: "empty",
	}); err != nil {
		t.Fatal(err)
	}
	list := b.source("/console/schedules", http.StatusOK)
	table := list[strings.Index(list, "<tbody>"):strings.Index(list, "</tbody>")]
	if strings.Contains(table, "A twin without schedules") {
		t.Errorf("a twin without schedules is in the table: %s", table)
	}
	for _, want := range []string{">64<", ">20<", "critical=true", ">1<", "4 Mar 2026"} {
		if !strings.Contains(table, want) {
			t.Errorf("the table has no %q: %s", want, table)
		}
	}
	if strings.Count(list, "<table>") != 1 {
		t.Error("schedules are in more than one table")
	}
	b.order("/console/schedules", "A small plan</a>", "j30")
	b.order("/console/schedules?sort=tasks", `aria-sort="ascending"`, "A small plan</a>", ">64<")
	b.order("/console/schedules?sort=tasks&down=1", `aria-sort="descending"`, ">64<", "A small plan</a>")
	b.order("/console/schedules?sort=changed&down=1", "A small plan</a>", ">64<")
	if p := b.text("/console/schedules?find=SMALL", http.StatusOK); strings.Contains(p, "64") {
		t.Errorf("a search shows more than what matches: %s", p)
	}
	if p := b.text("/console/schedules?find=nowhere", http.StatusOK); !strings.Contains(p, "No schedule matches") {
		t.Errorf("a search without results shows %s", p)
	}
}
