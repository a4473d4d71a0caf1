package gantt_test

import (
	"encoding/xml"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/gantt"
)

func TestRowsAndLinksOfBarePicturesHaveNumbers(t *testing.T) {
	t.Parallel()
	p := file(t, "mspdi-mp_j30_a2_nr1.xml")
	for name, test := range map[string]struct {
		options gantt.Options
		bare    bool
	}{"bare": {gantt.Options{Bare: true, Rows: 20}, true}, "with its colours": {gantt.Options{Rows: 20}, false}} {
		rows, links := 0, 0
		elements(t, draw(t, p, test.options), func(e xml.StartElement) {
			at := make(map[string]string)
			for _, a := range e.Attr {
				at[a.Name.Local] = a.Value
			}
			if row, ok := at["data-row"]; ok {
				if row != fmt.Sprint(rows) {
					t.Errorf("%s: row %d has the number %s", name, rows, row)
				}
				rows++
			}
			if from, to := at["data-from"], at["data-to"]; from != "" && to != "" && from != to {
				links++
			}
		})
		if (rows == 20) != test.bare || (links > 0) != test.bare {
			t.Errorf("%s: %d rows and %d links have numbers", name, rows, links)
		}
	}
}

func TestTheSummaryCountsTasksWithoutThoseAbove(t *testing.T) {
	t.Parallel()
	p := file(t, "mspdi-mp_j30_a2_nr1.xml")
	s := gantt.SummaryOf(p)
	first, last := s.Start.String()[:10], s.Finish.String()[:10]
	if diff := cmp.Diff([]any{64, 20}, []any{s.Tasks, s.Critical}); diff != "" || first >= last {
		t.Errorf("from %s to %s (-want +got)\n%s", first, last, diff)
	}
}
