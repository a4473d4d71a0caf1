package table_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/table"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// house is a plan of three tasks below a summary, with a calendar of eight hours a day.
func house(t *testing.T) *dated.Plan {
	t.Helper()
	office, err := worktime.New(worktime.Definition{
		Week: worktime.EachWeekday(worktime.Hours{{From: 8 * worktime.Hour, To: 16 * worktime.Hour}}),
	})
	if err != nil {
		t.Fatal(err)
	}
	at := func(day, hour int) worktime.Time { return worktime.Date(2026, time.January, day, hour, 0, 0) }
	limit := 2.0
	return &dated.Plan{
		Name: "House", Projects: []dated.Project{{Name: "Haus Süd", Calendar: office}},
		Tasks: []dated.Task{
			{ID: "1", Code: "A", Name: "Rohbau", Parent: dated.None, Kind: cpm.Summary, Duration: 12 * 3600 * 8, Dates: cpm.Dates{Start: at(5, 8), Finish: at(20, 16)}},
			{ID: "2", Code: "C", Name: "Abnahme", Parent: dated.None, Kind: cpm.FinishMilestone, Dates: cpm.Dates{Start: at(20, 16), Finish: at(20, 16)}},
			{
				ID: "3", Code: "A.1", Name: "=1+1", Parent: 0, Duration: 4 * 3600, Remaining: 2 * 3600,
				Dates: cpm.Dates{Start: at(5, 8), Finish: at(5, 12), HasFloat: true, TotalFloat: -8 * 3600, Critical: true}, ActualStart: at(5, 8),
			},
		},
		Links: []dated.Link{
			{ID: "l", Predecessor: 2, Successor: 1, Type: cpm.StartToStart, Lag: 16 * 3600},
			{ID: "m", Predecessor: 2, Successor: 1, Lag: 50, Percent: true},
			{ID: "n", Predecessor: 2, Successor: 1, Lag: -24 * 3600, Elapsed: true},
		},
		Resources:   []dated.Resource{{ID: "r", Code: "K", Name: "Kran", Unit: "h", Limit: &limit}},
		Assignments: []dated.Assignment{{Task: 2, AtOnce: 1, Units: 4, Actual: 1, Remaining: 3}, {Task: 1, Units: 0.5, Remaining: 0.5}},
	}
}

// field is a cell of a sheet as a program that opens it has it.
type field struct {
	At    string `xml:"r,attr"`
	Type  string `xml:"t,attr"`
	Style int    `xml:"s,attr"`
	Value string `xml:"v"`
	Text  string `xml:"is>t"`
	What  []struct {
		XMLName xml.Name
	} `xml:",any"`
}

// sheets are the rows of the sheets of a workbook by the names of the sheets.
func sheets(t *testing.T, book []byte) map[string][][]field {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(book), int64(len(book)))
	if err != nil {
		t.Fatal(err)
	}
	read := func(name string, into any) {
		f, err := z.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if err := xml.NewDecoder(f).Decode(into); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	var of struct {
		Sheets []struct {
			Name string `xml:"name,attr"`
		} `xml:"sheets>sheet"`
	}
	read("xl/workbook.xml", &of)
	all := make(map[string][][]field)
	for i, s := range of.Sheets {
		var sheet struct {
			Rows []struct {
				Cells []field `xml:"c"`
			} `xml:"sheetData>row"`
		}
		read(fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1), &sheet)
		for _, r := range sheet.Rows {
			all[s.Name] = append(all[s.Name], r.Cells)
		}
	}
	return all
}

func book(t *testing.T, tables ...*table.Table) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := table.XLSX(&b, tables...); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func lines(t *testing.T, of *table.Table) [][]string {
	t.Helper()
	var b bytes.Buffer
	if err := table.CSV(&b, of); err != nil {
		t.Fatal(err)
	}
	text, ok := strings.CutPrefix(b.String(), "\uFEFF")
	if !ok {
		t.Error("there is no byte order mark")
	}
	all, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestTasksAreInTheirOutlineWithDaysMinutesAndAWordForSummaries(t *testing.T) {
	t.Parallel()
	var got []string
	for _, line := range lines(t, table.Tasks(house(t))) {
		got = append(got, strings.Join(line[:10], "|"))
	}
	want := []string{
		"Code|Name|Level|Summary|Type|Start|Finish|Duration (days)|Remaining (days)|Total float (days)",
		"A|Rohbau|1|yes|summary|2026-01-05 08:00|2026-01-20 16:00|12|0|",
		"A.1|'=1+1|2|no|task|2026-01-05 08:00|2026-01-05 12:00|0.5|0.25|-1",
		"C|Abnahme|1|no|finish milestone|2026-01-20 16:00|2026-01-20 16:00|0|0|",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestTasksThatNoOnePutIntoAnOrderAreByTheirStarts(t *testing.T) {
	t.Parallel()
	p := house(t)
	for i := range p.Tasks {
		p.Tasks[i].Unplaced = true
	}
	p.Tasks[0].Start, p.Tasks[0].Finish = 0, 0
	var got []string
	for _, line := range lines(t, table.Tasks(p))[1:] {
		got = append(got, line[0])
	}
	if diff := cmp.Diff([]string{"C", "A", "A.1"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestLinksAndResourcesSayInWhatTheyCount(t *testing.T) {
	t.Parallel()
	p := house(t)
	want := [][]string{
		{"A.1", "'=1+1", "C", "Abnahme", "SS", "2", "working days", "0", "no", "l"},
		{"A.1", "'=1+1", "C", "Abnahme", "FS", "50", "% of the predecessor", "0", "no", "m"},
		{"A.1", "'=1+1", "C", "Abnahme", "FS", "-1", "days of 24 hours", "0", "no", "n"},
	}
	if diff := cmp.Diff(want, lines(t, table.Links(p))[1:]); diff != "" {
		t.Errorf("links (-want +got)\n%s", diff)
	}
	want = [][]string{{"K", "Kran", "h", "2", "2", "4.5", "1", "3.5", "r"}}
	if diff := cmp.Diff(want, lines(t, table.Resources(p))[1:]); diff != "" {
		t.Errorf("resources (-want +got)\n%s", diff)
	}
	want = [][]string{
		{"K", "Kran", "A.1", "'=1+1", "2026-01-05 08:00", "2026-01-05 12:00", "1", "4", "1", "3", "h"},
		{"K", "Kran", "C", "Abnahme", "2026-01-20 16:00", "2026-01-20 16:00", "0", "0.5", "0", "0.5", "h"},
	}
	if diff := cmp.Diff(want, lines(t, table.Assignments(p))[1:]); diff != "" {
		t.Errorf("assignments (-want +got)\n%s", diff)
	}
}

func TestAComparisonIsTablesOfTasksLinksAndCauses(t *testing.T) {
	t.Parallel()
	before, after := house(t), house(t)
	after.Tasks[2].Duration, after.Tasks[2].Finish = 8*3600, worktime.Date(2026, time.January, 5, 16, 0, 0)
	after.Links = after.Links[:2]
	after.Tasks[1].Finish += worktime.Day
	x := table.Compare(before, after, false)
	got := lines(t, x.Tasks)[1:]
	if len(got) != 2 || got[1][0] != "changed" || got[1][1] != "A.1" || got[1][10] != "0.5" || got[1][13] != "0.5" {
		t.Errorf("tasks: %q", got)
	}
	if got := lines(t, x.Links)[1:]; len(got) != 1 || got[0][0] != "removed" || got[0][5] != "-1" || got[0][7] != "" {
		t.Errorf("links: %q", got)
	}
	if got := lines(t, x.Causes)[1:]; len(got) < 2 || got[len(got)-1][0] != "in all" || got[len(got)-1][5] != "1" {
		t.Errorf("causes: %q", got)
	}
	if got := lines(t, table.Compare(before, after, true).Tasks); len(got) != 4 {
		t.Errorf("all of it is %q", got)
	}
}

func TestAWorkbookHasNumbersDatesAndTextsInSheetsOfTheirNames(t *testing.T) {
	t.Parallel()
	p := house(t)
	got := sheets(t, book(t, table.Tasks(p), table.Links(p), table.Resources(p)))
	if len(got["Tasks"]) != 4 || len(got["Links"]) != 4 || len(got["Resources"]) != 2 {
		t.Fatalf("%v", got)
	}
	cells := make(map[string]field)
	for _, c := range got["Tasks"][2] {
		cells[c.At] = c
	}
	for at, want := range map[string]field{
		"B3": {Type: "inlineStr", Style: 3, Text: "=1+1"},
		"F3": {Style: 2, Value: "46027.33333333333"}, // 5 January 2026, 8:00
		"H3": {Value: "0.5"},
		"J3": {Value: "-1"},
		"D3": {Type: "inlineStr", Text: "no"},
	} {
		want.At = at
		if diff := cmp.Diff(want, cells[at]); diff != "" {
			t.Errorf("%s (-want +got)\n%s", at, diff)
		}
	}
}

// Whatever names a plan has, the workbook is XML without formulas from which the same names are read.
func TestAnyTextIsReadBackFromAWorkbookAndNoneIsAFormula(t *testing.T) {
	t.Parallel()
	pieces := []string{"=", "+", "-", "@", "\x00", "\x01", "\t", "\n", "\r", "_x0041_", "_x", "_", "&", "<f>", "]]>", "\"", "ä", "基", "😀", "\uFFFE", " ", "\xff"}
	coded := regexp.MustCompile(`_x([0-9A-F]{4})_`)
	for seed := range uint64(200) {
		rnd := rand.New(rand.NewPCG(seed, 53))
		var name strings.Builder
		for range 1 + rnd.IntN(8) {
			name.WriteString(pieces[rnd.IntN(len(pieces))])
		}
		p := house(t)
		p.Tasks[0].Name = name.String()
		var got string
		for _, c := range sheets(t, book(t, table.Tasks(p)))["Tasks"][1] {
			if len(c.What) > 0 {
				t.Errorf("seed %d: %s has %v", seed, c.At, c.What)
			}
			if c.At == "B2" {
				got = c.Text
			}
		}
		got = coded.ReplaceAllStringFunc(got, func(s string) string {
			n, _ := strconv.ParseUint(s[2:6], 16, 16)
			return string(rune(n))
		})
		if want := strings.ToValidUTF8(name.String(), "\uFFFD"); strings.ReplaceAll(want, "\uFFFD\uFFFD", "\uFFFD") != strings.ReplaceAll(got, "\uFFFD\uFFFD", "\uFFFD") {
			t.Errorf("seed %d: %q is read as %q", seed, want, got)
		}
	}
}

func TestDatesThatExcelDoesNotHaveAreText(t *testing.T) {
	t.Parallel()
	p := house(t)
	p.Tasks[0].Start, p.Tasks[0].Finish = worktime.Date(1900, time.February, 28, 8, 0, 0), worktime.Date(1900, time.March, 1, 0, 0, 0)
	row := sheets(t, book(t, table.Tasks(p)))["Tasks"][1]
	if c := row[5]; c.Text != "1900-02-28 08:00" {
		t.Errorf("%+v", c)
	}
	if c := row[6]; c.Value != "61" || c.Style != 2 {
		t.Errorf("%+v", c)
	}
}

func TestWhatASheetDoesNotHoldIsRefusedByName(t *testing.T) {
	t.Parallel()
	p := house(t)
	p.Tasks[1].Name = strings.Repeat("😀", table.MaxText/2)
	if err := table.XLSX(io.Discard, table.Tasks(p)); err != nil {
		t.Errorf("what fits is refused: %v", err)
	}
	p.Tasks[1].Name += "ab"
	err := table.XLSX(io.Discard, table.Tasks(p))
	if !errors.Is(err, table.ErrTooLarge) || !strings.Contains(err.Error(), "Tasks: ") || !strings.Contains(err.Error(), "row 4") {
		t.Errorf("%v", err)
	}
	if testing.Short() {
		return
	}
	p.Assignments = make([]dated.Assignment, table.MaxRows-1)
	if err := table.XLSX(io.Discard, table.Assignments(p)); err != nil {
		t.Errorf("what fits is refused: %v", err)
	}
	p.Assignments = append(p.Assignments, dated.Assignment{AtOnce: math.Pi})
	if err := table.XLSX(io.Discard, table.Assignments(p)); !errors.Is(err, table.ErrTooLarge) || !strings.Contains(err.Error(), "1048576 rows") {
		t.Errorf("%v", err)
	}
}

func TestAFailingWriterEndsATable(t *testing.T) {
	t.Parallel()
	full := errors.New("no room")
	for room := range 40 {
		p := house(t)
		if err := table.XLSX(&small{room * 60, full}, table.Tasks(p)); !errors.Is(err, full) {
			t.Errorf("room for %d bytes: %v", room*60, err)
		}
		if err := table.CSV(&small{room, full}, table.Tasks(p)); !errors.Is(err, full) {
			t.Errorf("room for %d bytes: %v", room, err)
		}
	}
}

// small has room for so many bytes.
type small struct {
	room int
	err  error
}

func (s *small) Write(p []byte) (int, error) {
	if s.room -= len(p); s.room < 0 {
		return 0, s.err
	}
	return len(p), nil
}

func TestATableOfAPageHasTextsAsTextAndSaysWhatItLeavesOut(t *testing.T) {
	t.Parallel()
	p := house(t)
	p.Tasks[0].Name = "<b>Rohbau"
	var b strings.Builder
	if err := table.HTML(&b, table.Tasks(p), 2); err != nil {
		t.Fatal(err)
	}
	for want, times := range map[string]int{
		"<th>Name</th>": 1, "<td>&lt;b&gt;Rohbau</td>": 1, "<b>": 0, `<td class="number">0.5</td>`: 1, `<td class="number">2026-01-05 08:00</td>`: 3,
		"<td>=1+1</td>": 1, "<p>1 more rows are not shown.</p>": 1, "Abnahme": 0,
	} {
		if got := strings.Count(b.String(), want); got != times {
			t.Errorf("%q is there %d times, want %d, in %s", want, got, times, b.String())
		}
	}
	full := errors.New("no room")
	if err := table.HTML(&small{20, full}, table.Tasks(p), 2); !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
}
