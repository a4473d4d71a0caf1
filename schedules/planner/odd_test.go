package planner_test

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
)

// oddValues are what stands in place of values in files of others, and what never should.
var oddValues = []string{
	"", " ", "0", "-1", "1e300", "NaN", "n/a", "1 040,5", "1.040.5", "7,5", "0000-00-00", "2026-02-30 08:00", "29-JAN-24", "2026-1-5 8.00",
	"24:00", "7:00 AM", "true", "Y", "PT7,5H", "P1W", "-PT1H", "PR_FF1", "Finish to Start", "\x00\x00", "\xff\xfe", "&#x1F;", "<a>",
	"</a>", "(0||0()(", ")", "%E", "99999999999999999999", "2147483648", "TT_Mile", "\t", "\r", "\n", "é",
}

// oddLines are lines and elements that are put in.
var oddLines = []string{
	"%T\tTASK\n", "%F\ttask_id\n", "%R\t1\n", "%E\n", "\n", "%T\n", "%F\n", "\r%R\tx\r", "<Task><UID>1</UID></Task>", "<Activity/>", "<![CDATA[",
	"<!--", "]]>", strings.Repeat("<a>", 70), strings.Repeat("<a>", 10) + strings.Repeat("</a>", 10), "<Project>", "</Project>",
}

var (
	values = regexp.MustCompile(`>[^<>\n]+<|\t[^\t\r\n]+`)
	breaks = regexp.MustCompile(`\n|><`)
)

// odd is a file as it might come from anywhere: with some values, lines and pieces changed.
func odd(text string, r *rand.Rand) string {
	place := func(of *regexp.Regexp) (from, to int) {
		begin := r.IntN(len(text) + 1)
		if at := of.FindStringIndex(text[begin:]); at != nil {
			return begin + at[0], begin + at[1]
		}
		return begin, begin
	}
	for range 1 + r.IntN(6) {
		switch r.IntN(6) {
		case 0, 1, 2:
			if from, to := place(values); to-from > 1 {
				end := to
				if text[from] == '>' {
					end--
				}
				text = text[:from+1] + oddValues[r.IntN(len(oddValues))] + text[end:]
			}
		case 3:
			from, _ := place(breaks)
			from = min(from+1, len(text))
			text = text[:from] + oddLines[r.IntN(len(oddLines))] + text[from:]
		case 4:
			from, _ := place(breaks)
			to := min(len(text), from+r.IntN(200))
			if r.IntN(2) == 0 {
				text = text[:from] + text[to:]
			} else {
				text = text[:to] + text[from:]
			}
		case 5:
			switch r.IntN(8) {
			case 0:
				text = text[:r.IntN(len(text)+1)]
			case 1:
				text = strings.ReplaceAll(text, "\n", "\r")
			case 2:
				text = strings.Replace(text, "task_id", "TASK_ID", 1)
			}
		}
	}
	return text
}

// rowsOfTasks are how many rows a plain look finds in the tables of tasks of an XER, before its end.
func rowsOfTasks(text string) (rows int) {
	table, named := "", false
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r", "\n"), "\n") {
		marked, rest, _ := strings.Cut(strings.TrimPrefix(line, "\xEF\xBB\xBF"), "\t")
		switch marked {
		case "%E":
			return rows
		case "%T":
			table, named = strings.ToUpper(strings.TrimSpace(rest)), false
		case "%F":
			named = table != ""
		case "%R":
			if table == "TASK" && named {
				rows++
			}
		}
	}
	return rows
}

// TestOddFilesLoseNoTaskInSilence reads more of the files that FuzzOdd makes.
func TestOddFilesLoseNoTaskInSilence(t *testing.T) {
	t.Parallel()
	for name, text := range realFiles(t) {
		if name == "mspdi-mp_j30_a2_nr1.xml" && testing.Short() {
			continue
		}
		for seed := range testsize.Seeds(300, 30) {
			checkOdd(t, odd(text, rand.New(rand.NewPCG(seed, 7))))
		}
	}
}

// checkOdd reads a file, which takes no panic and no memory without bounds, and counts its tasks.
func checkOdd(t *testing.T, text string) {
	t.Helper()
	p, err := planner.Read(strings.NewReader(text))
	if err != nil {
		if said := err.Error(); len(said) > 600 {
			t.Fatalf("the error has %d bytes", len(said))
		}
		return
	}
	got, summaries := 0, 0
	for i := range p.Tasks {
		if strings.HasPrefix(p.Tasks[i].ID, "wbs-") {
			summaries++
		}
	}
	got = len(p.Tasks) - summaries
	for i := range p.Baselines {
		got += len(p.Baselines[i].Tasks)
	}
	for _, w := range p.Warnings {
		if strings.HasPrefix(w.What, "task ") && strings.Contains(w.Text, "left out: its id") {
			got++
		}
	}
	if want := rowsOfTasks(text); p.Format == planner.XER && got < want {
		t.Errorf("%d tasks of %d are read or warned of:\n%v\n%.2000q", got, want, p.Warnings, text)
	}
	if s, err := p.Schedule(); err == nil {
		for i := range p.Tasks {
			s.Dates(i)
		}
	}
}

// FuzzOdd reads files of the tools that are changed in some places.
func FuzzOdd(f *testing.F) {
	texts := realFiles(f)
	var names []string
	for name := range texts {
		names = append(names, name)
	}
	slices.Sort(names)
	for i := range names {
		f.Add(uint8(i), uint64(i))
	}
	f.Fuzz(func(t *testing.T, which uint8, seed uint64) {
		checkOdd(t, odd(texts[names[int(which)%len(names)]], rand.New(rand.NewPCG(seed, 1))))
	})
}
