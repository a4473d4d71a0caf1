package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

const updates = files + "updates/update-"

func TestAComparisonIsAPageThatNeedsNothingElse(t *testing.T) {
	t.Parallel()
	to := filepath.Join(t.TempDir(), "report.html")
	output(t, "compare", "-o", to, updates+"2.xer", updates+"3.xer")
	page, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	got := string(page)
	for _, want := range []string{
		"<!doctype html>", "<h1>Bridge works: what changed</h1>", "ended on 2026-07-27 16:00 before: -32 d",
		"2 added, 1 removed", "link removed</td><td>A1260", ">in all<", `class="b"`, "<h2>Tasks</h2>", "<h2>Links</h2>", "Grout 1.1", "</html>\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in the page", want)
		}
	}
	loads := regexp.MustCompile(`<script|<link|src=|@import|https?://`).FindAllString(strings.ReplaceAll(got, "http://www.w3.org/2000/svg", ""), -1)
	if len(loads) > 0 {
		t.Errorf("the page has %q", loads)
	}
	if same := output(t, "compare", "-format", "html", updates+"2.xer", updates+"2.xer"); !strings.Contains(same, "0 changed") {
		t.Errorf("%.900s", same)
	}
}

func TestNamesOfAPlanAreTextInAReport(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(updates + "3.xer")
	if err != nil {
		t.Fatal(err)
	}
	edited := filepath.Join(t.TempDir(), "edited.xer")
	if err := os.WriteFile(edited, []byte(strings.ReplaceAll(string(text), "Grout 1.1", "<script>alert(1)</script>")), 0o600); err != nil {
		t.Fatal(err)
	}
	got := output(t, "compare", "-format", "html", updates+"2.xer", edited)
	if strings.Contains(got, "<script") || strings.Count(got, "&lt;script&gt;") < 2 {
		t.Error("a name is no text in the page")
	}
}

func TestAReportSaysHowMuchOfALargePlanItLeavesOut(t *testing.T) {
	t.Parallel()
	before, after := new(dated.Plan), new(dated.Plan)
	for i := range 2_500 {
		x := dated.Task{ID: fmt.Sprint(i), Name: fmt.Sprint("Task ", i), Parent: dated.None, Duration: worktime.Day}
		x.Start = worktime.Date(2026, 1, 5, 0, 0, 0)
		x.Finish = x.Start + worktime.Day
		before.Tasks = append(before.Tasks, x)
		x.Finish += worktime.Hour
		after.Tasks = append(after.Tasks, x)
	}
	var b strings.Builder
	c := command{out: &b}
	if err := c.compareReport(before, after, false); err != nil {
		t.Fatal(err)
	}
	for want, times := range map[string]int{
		"1500 more tasks that changed are not drawn.": 1, "<p>500 more rows are not shown.</p>": 1, "<td>Task 1999</td>": 1,
		"<td>Task 2000</td>": 0, "<figure><svg": 5, ">Task 999<": 2, ">Task 1000<": 1,
	} {
		if got := strings.Count(b.String(), want); got != times {
			t.Errorf("%q is %d times in the page, want %d", want, got, times)
		}
	}
}

func TestASeriesIsATableJSONAndAPicture(t *testing.T) {
	t.Parallel()
	all := []string{updates + "2.xer", updates + "1.xer", updates + "3.xer"}
	lines := strings.Split(output(t, append([]string{"series"}, all...)...), "\n")
	if len(lines) != 5 || !strings.HasPrefix(lines[1], "update-1 ") || !strings.Contains(lines[3], "-32 d") {
		t.Errorf("%q", lines)
	}
	var got []updateState
	if err := json.Unmarshal([]byte(output(t, append([]string{"series", "-json"}, all...)...)), &got); err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 || got[2].Late != -26 || got[2].Added != 1 || got[2].RemovedWork != 4 || got[0].Cause != "" {
		t.Errorf("%+v", got)
	}
	if text := output(t, append([]string{"series", "-format", "csv"}, all...)...); strings.Count(text, "\n") != 4 {
		t.Errorf("%s", text)
	}
	for ending, begins := range map[string]string{"svg": "<svg ", "pdf": "%PDF-", "xlsx": "PK", "json": "[", "csv": "\uFEFF"} {
		to := filepath.Join(t.TempDir(), "trend."+ending)
		output(t, append([]string{"series", "-o", to}, all...)...)
		if text, err := os.ReadFile(to); err != nil || !strings.HasPrefix(string(text), begins) {
			t.Errorf("%s: %v, %.20q", ending, err, text)
		}
	}
	if _, code, err := call("series", all[0], all[0]); code != 1 || !strings.Contains(err.Error(), "update-2 and update-2") {
		t.Errorf("one update twice: code %d, %v", code, err)
	}
	if !slices.Contains(Verbs(), "series") {
		t.Error("it is no command")
	}
}
