package gantt_test

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/gantt"
)

const (
	a3 = "[0 0 1190.55 841.89]"
	a4 = "[0 0 841.89 595.28]"
)

// papers are the texts of the pages of a plan in their order, and the size of the paper.
func papers(t *testing.T, p *dated.Plan, o gantt.Options) (pages [][]string, size string) {
	t.Helper()
	var b bytes.Buffer
	if _, err := gantt.PDF(&b, p, o); err != nil {
		t.Fatal(err)
	}
	size = regexp.MustCompile(`/MediaBox(\[[^]]*\])`).FindStringSubmatch(b.String())[1]
	for _, at := range regexp.MustCompile(`/Length (\d+)/Filter/FlateDecode>>\nstream\n`).FindAllSubmatchIndex(b.Bytes(), -1) {
		length, _ := strconv.Atoi(string(b.Bytes()[at[2]:at[3]]))
		z, err := zlib.NewReader(bytes.NewReader(b.Bytes()[at[1] : at[1]+length]))
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, m := range regexp.MustCompile(`0 Tr [^(]*\(([^)]*)\) Tj`).FindAllSubmatch(content, -1) {
			texts = append(texts, string(m[1]))
		}
		pages = append(pages, texts)
	}
	return pages, size
}

func TestALongPlanIsOnPagesOfA3ThatRepeatTheHeadAndTheTime(t *testing.T) {
	t.Parallel()
	p := long(t, 150)
	pages, size := papers(t, p, gantt.Options{})
	if len(pages) < 3 || size != a3 {
		t.Fatalf("%d pages of %s", len(pages), size)
	}
	months := func(page []string) (all []string) {
		for _, s := range page {
			if regexp.MustCompile(`^[A-Z][a-z]+ \d{4}$|^\d+ [A-Z][a-z]{2}$`).MatchString(s) {
				all = append(all, s)
			}
		}
		return all
	}
	seen := 0
	for i, page := range pages {
		if !slices.Contains(page, "Name") || !slices.Equal(months(page), months(pages[0])) || len(months(page)) < 3 {
			t.Errorf("page %d has %q, the first %q", i+1, months(page), months(pages[0]))
		}
		for _, s := range page {
			if from, _, ok := strings.Cut(s, " of 150"); ok {
				var first, last int
				if _, err := fmt.Sscanf(from[strings.LastIndex(from, "rows "):], "rows %d to %d", &first, &last); err != nil || first != seen+1 {
					t.Errorf("page %d says %q behind row %d: %v", i+1, s, seen, err)
				}
				seen = last
			}
		}
	}
	if seen != 150 {
		t.Errorf("the last row is %d", seen)
	}
}

func TestAShortPlanIsOnA4AndAPageCanBeChosen(t *testing.T) {
	t.Parallel()
	if pages, size := papers(t, kinds(t), gantt.Options{Width: 300}); len(pages) != 1 || size != a4 {
		t.Errorf("%d pages of %s", len(pages), size)
	}
	p := long(t, 150)
	all, _ := papers(t, p, gantt.Options{Rows: 50})
	second, size := papers(t, p, gantt.Options{Rows: 50, Page: 2})
	if len(all) != 3 || len(second) != 1 || size != a3 || !slices.Equal(all[1], second[0]) {
		t.Errorf("%d pages, and %d of %s for the second: %.200q", len(all), len(second), size, second)
	}
	if _, err := gantt.PDF(io.Discard, p, gantt.Options{Rows: 50, Page: 4}); !errors.Is(err, gantt.ErrPage) {
		t.Errorf("the fourth page: %v", err)
	}
	if _, err := gantt.PDF(io.Discard, long(t, gantt.MaxPaper+1), gantt.Options{Rows: 1}); !errors.Is(err, gantt.ErrPaper) {
		t.Errorf("a page for each row: %v", err)
	}
}

func TestAPDFHasTheTextsOfThePictureAndCountsWhatItLacks(t *testing.T) {
	t.Parallel()
	p := file(t, "mspdi-mp_j30_a2_nr1.xml")
	pages, _ := papers(t, p, gantt.Options{Rows: 64})
	for i := range p.Tasks {
		if !slices.Contains(pages[0], p.Tasks[i].Name) {
			t.Errorf("%s is not on the page", p.Tasks[i].Name)
		}
	}
	if got, err := gantt.PDF(io.Discard, p, gantt.Options{}); got != (gantt.Paper{Pages: 2}) || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
	p.Tasks[0].Name = "Задача"
	if got, err := gantt.PDF(io.Discard, p, gantt.Options{}); got != (gantt.Paper{Pages: 2, Replaced: 6}) || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
}
