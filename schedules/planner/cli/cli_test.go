package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const files = "../testdata/"

// call runs the command, and returns what it prints and its exit code.
func call(args ...string) (out string, code int, err error) {
	var b bytes.Buffer
	c := command{program: "planner", out: &b, errs: io.Discard, bar: bar{now: time.Now}}
	err = c.run(args)
	return b.String(), ExitCode(err), err
}

func output(t *testing.T, args ...string) string {
	t.Helper()
	out, _, err := call(args...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestInfoShowsWhatIsInFiles(t *testing.T) {
	t.Parallel()
	want := `XER: 2 projects, 5 tasks, 1 links, 2 calendars, 3 resources, 0 assignments
  TestProject New Project, data date 2023-10-06T00:00:00
  TestProject2 New Project2, data date 2024-05-28T00:00:00
  warning: file: 2 lines of it are not in UTF-8; they are read by the code page windows-1252, such as "Çàäà÷à 1". Another one can be named.
P6XML: 1 projects, 2 tasks, 0 links, 2 calendars, 3 resources, 0 assignments
  TestProject2 New Project2, data date 2024-05-28T00:00:00
  warning: project 5442: It is left out: the file holds no more of it than what others refer to.
  warning: link 83845: It is left out: it leads to a project that the file does not hold.
  warning: element DisplayCurrency: It is left out with what is in it, 1 of them.
  warning: element FinancialPeriodTemplate: It is left out with what is in it, 1 of them.
  warning: element OBS: It is left out with what is in it, 1 of them.
`
	got := output(t, "info", files+"MultiprojectWithExternal.xer", files+"MultiprojectWithExternal.xml")
	if diff := cmp.Diff(want, strings.NewReplacer("(", "", ")", "").Replace(got)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestAnalyzePrintsBothKindsOfDates(t *testing.T) {
	t.Parallel()
	out := output(t, "analyze", "-json", "-project", "TestProject", "-codepage", "windows-1251", files+"MultiprojectWithExternal.xer")
	var got analysis
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Projects) != 1 || len(got.Projects[0].Tasks) != 2 {
		t.Fatalf("%s", out)
	}
	start, actual, finish, no, yes := "2023-10-06T08:00:00", "2023-03-08T08:00:00", "2023-10-18T10:00:00", int64(0), true
	free := int64(1270 * 3600)
	both := dates{
		Start: &actual, Finish: &finish, EarlyStart: &start, EarlyFinish: &finish, LateStart: &start, LateFinish: &finish,
		TotalFloat: &no, FreeFloat: &free, Critical: &yes, DrivingPath: &yes,
	}
	file := both
	file.Critical = nil
	want := task{ExternalID: "wWQq8tJ2RUaL1XJ39mmn6A", Code: "A1000", Name: "Задача 1", Type: "Work", Computed: both, File: file}
	if diff := cmp.Diff(want, got.Projects[0].Tasks[1]); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if x := got.Projects[0]; x.ID != "5442" || x.Code != "TestProject" || x.Name != "(New Project)" {
		t.Errorf("the project is %s, %s, %s", x.ID, x.Code, x.Name)
	}
	if people := output(t, "analyze", files+"MultiprojectWithExternal.xer"); !strings.HasPrefix(people, "TestProject (New Project), scheduled as P6 does") {
		t.Errorf("%s", people)
	}
	if got.Profile != "p6" || *got.DataDate != "2023-10-06T00:00:00" {
		t.Errorf("profile %s, data date %s", got.Profile, *got.DataDate)
	}
}

func TestAnalyzeFindsNoDateThatDiffersFromThatOfMicrosoftProject(t *testing.T) {
	t.Parallel()
	got := output(t, "analyze", "-differing", files+"mspdi-mp_j30_a2_nr1.xml")
	if lines := strings.Split(strings.TrimSpace(got), "\n"); len(lines) != 2 {
		t.Errorf("%s", got)
	}
	if got := output(t, "analyze", files+"mspdi-mp_j30_a2_nr1.xml"); strings.Count(got, "the same") != 64 {
		t.Errorf("%s", got)
	}
}

func TestRecalculatingWarnsOfEachValueThatDiffersAndKeepsAllTasks(t *testing.T) {
	t.Parallel()
	j30, unscheduled := files+"mspdi-mp_j30_a2_nr1.xml", files+"p6-5.0-roles-resources.xer"
	for _, c := range []struct {
		file            string
		tasks, warnings int
	}{{j30, 64, 0}, {unscheduled, 3, 6}} {
		var plain, recalculated analysis
		for out, args := range map[*analysis][]string{&plain: {"analyze", "-json", c.file}, &recalculated: {"analyze", "-json", "-recalculate", c.file}} {
			if err := json.Unmarshal([]byte(output(t, args...)), out); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(plain.Projects, recalculated.Projects); diff != "" {
			t.Errorf("%s (-plain +recalculated)\n%s", c.file, diff)
		}
		if tasks, warnings := len(plain.Projects[0].Tasks), len(recalculated.Warnings)-len(plain.Warnings); tasks != c.tasks || warnings != c.warnings {
			t.Errorf("%s: %d tasks and %d more warnings, want %d and %d: %q", c.file, tasks, warnings, c.tasks, c.warnings, recalculated.Warnings)
		}
	}
}

func TestWrongCallsNameTheMistake(t *testing.T) {
	t.Parallel()
	j30 := files + "mspdi-mp_j30_a2_nr1.xml"
	for _, c := range []struct {
		code int
		args []string
	}{
		{2, nil},
		{2, []string{"info"}},
		{2, []string{"paint", "x"}},
		{2, []string{"info", "-wide", "x"}},
		{2, []string{"info", "-codepage", "foo", j30}},
		{1, []string{"info", files + "none.xer"}},
		{1, []string{"info", "cli.go"}},
		{1, []string{"analyze", "-project", "17", files + "BaselineProjects.xml"}},
		{1, []string{"gantt", "-project", "17", files + "BaselineProjects.xml"}},
		{1, []string{"gantt", "-page", "2", j30}},
		{2, []string{"gantt", "-scale", "fortnight", j30}},
		{2, []string{"gantt", "-from", "yesterday", j30}},
		{2, []string{"gantt", "-format", "png", j30}},
		{2, []string{"gantt", j30, j30}},
		{2, []string{"compare", j30, j30, j30}},
		{2, []string{"compare", "-csv", "resources", j30, j30}},
		{1, []string{"compare", files + "MultiprojectWithExternal.xer"}},
		{2, []string{"convert", j30}},
		{2, []string{"convert", "-format", "mpp", j30}},
		{2, []string{"convert", "-format", "xer", j30, j30}},
		{1, []string{"convert", "-format", "xer", "cli.go"}},
		{2, []string{"check", "-threshold", "Lags", j30}},
		{1, []string{"check", "-threshold", "Luck=1", j30}},
	} {
		out, code, err := call(c.args...)
		if code != c.code || err == nil || out != "" {
			t.Errorf("%q: %v, code %d, want %d, %q", c.args, err, code, c.code, out)
		}
	}
}

func TestHelpListsEachCommandAndItsFlags(t *testing.T) {
	t.Parallel()
	all := output(t, "help")
	for _, v := range verbs() {
		if !strings.Contains(all, "\n  "+v.name+" ") {
			t.Errorf("there is no help on %s in\n%s", v.name, all)
		}
		for _, args := range [][]string{{"help", v.name}, {v.name, "-h"}, {v.name, "--help"}} {
			if got := output(t, args...); !strings.HasPrefix(got, "Usage: planner "+v.name) || !strings.Contains(got, "-codepage") {
				t.Errorf("%q: %s", args, got)
			}
		}
	}
}

func TestGanttDrawsAFile(t *testing.T) {
	t.Parallel()
	j30 := files + "mspdi-mp_j30_a2_nr1.xml"
	svg := output(t, "gantt", j30, "-rows", "32", "-page", "2", "-title", "Second half")
	for _, want := range []string{"<svg ", ">Second half<", "rows 33 to 64 of 64", "</svg>\n"} {
		if !strings.Contains(svg, want) {
			t.Errorf("there is no %s in\n%.1000s", want, svg)
		}
	}
	if got := output(t, "gantt", "-format", "mermaid", j30); !strings.HasPrefix(got, "gantt\n    title 6 mp_j30_a2_nr1\n") || strings.Count(got, "\n") != 69 {
		t.Errorf("%s", got)
	}
	if got := output(t, "gantt", "-from", "2026-01-05", "-to", "2026-01-11", "-scale", "day", "-baseline", j30, j30); !strings.Contains(got, `class="b"`) {
		t.Errorf("there is no baseline in\n%.1000s", got)
	}
}

func TestWhatIsWrittenToAFileIsWhatWouldBePrinted(t *testing.T) {
	t.Parallel()
	j30, to := files+"mspdi-mp_j30_a2_nr1.xml", filepath.Join(t.TempDir(), "plan.svg")
	if got := output(t, "gantt", "-o", to, j30); got != "" {
		t.Errorf("it prints %q", got)
	}
	got, err := os.ReadFile(to)
	if err != nil || string(got) != output(t, "gantt", j30) {
		t.Errorf("%v: %.1000s", err, got)
	}
	none := filepath.Join(t.TempDir(), "none.svg")
	if _, code, _ := call("gantt", "-page", "9", "-o", none, j30); code != 1 {
		t.Errorf("code %d", code)
	}
	if _, err := os.Stat(none); err == nil {
		t.Error("there is a file without a picture")
	}
}

// A program that is given a file by its ending finds in it what the ending says.
func TestTheNameOfAFileChoosesWhatIsWrittenOrIsRefused(t *testing.T) {
	t.Parallel()
	j30, folder := files+"mspdi-mp_j30_a2_nr1.xml", t.TempDir()
	for _, c := range []struct {
		to, begins string
		args       []string
	}{
		{"a.svg", "<svg", []string{"gantt"}},
		{"a.MMD", "gantt\n", []string{"gantt"}},
		{"b.md", "gantt\n", []string{"gantt"}},
		{"plan", "<svg", []string{"gantt"}},
		{"c.svg", "<svg", []string{"progress"}},
		{"c.csv", "", []string{"progress"}},
		{"a.pdf", "%PDF-1.4", []string{"gantt"}},
		{"c.pdf", "%PDF-1.4", []string{"progress", "-show", "resources"}},
		{"d.PDF", "%PDF-1.4", []string{"risk", "-runs", "10"}},
		{"c.json", "{", []string{"progress"}},
		{"d.svg", "<svg", []string{"risk", "-runs", "10"}},
		{"d.txt", "", []string{"risk", "-runs", "10"}},
		{"e.csv", "", []string{"compare", j30}},
		{"e.json", "{", []string{"compare", j30}},
		{"f.json", "{", []string{"check"}},
	} {
		to := filepath.Join(folder, c.to)
		if _, code, err := call(append(c.args, "-o", to, j30)...); code != 0 && code != 3 {
			t.Errorf("%s: %v", c.to, err)
		}
		if got, err := os.ReadFile(to); err != nil || len(got) == 0 || !strings.HasPrefix(string(got), c.begins) {
			t.Errorf("%s: %v %.60s", c.to, err, got)
		}
	}
	for _, v := range Verbs() {
		to := filepath.Join(folder, v+".png")
		_, code, err := call(v, "-o", to, j30)
		if code != 2 || err == nil || v != "convert" && !strings.Contains(err.Error(), ".png") {
			t.Errorf("%s: code %d, %v", v, code, err)
		}
		if _, err := os.Stat(to); err == nil {
			t.Errorf("%s has written a picture that is none", v)
		}
	}
	if _, code, err := call("gantt", "-format", "mermaid", "-o", filepath.Join(folder, "g.svg"), j30); code != 2 {
		t.Errorf("Mermaid into an SVG file: code %d, %v", code, err)
	}
}

func TestAFileCanComeFromTheStandardInput(t *testing.T) {
	t.Parallel()
	in, err := os.Open(files + "MultiprojectWithExternal.xer")
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var b bytes.Buffer
	c := command{program: "planner", in: in, out: &b, bar: bar{now: time.Now}}
	if err := c.run([]string{"info", "-"}); err != nil || !strings.HasPrefix(b.String(), "XER: 2 projects, 5 tasks") {
		t.Errorf("%v: %s", err, b.String())
	}
}

func TestCheckJudgesAFile(t *testing.T) {
	t.Parallel()
	j30 := files + "mspdi-mp_j30_a2_nr1.xml"
	if got := output(t, "check", j30); strings.Count(got, "passed") != 10 || strings.Count(got, "not applicable") != 4 {
		t.Errorf("%s", got)
	}
	out, code, err := call("check", "-v", "-high-duration", "5", j30)
	if code != 3 || !strings.Contains(out, "HighDuration: ") || !strings.Contains(out, "failed") {
		t.Errorf("code %d: %v\n%s", code, err, out)
	}
	var got verdict
	out, code, _ = call("check", "-json", "-threshold", "HighDuration=100", "-high-duration", "5", j30)
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != 0 || len(got.Points) != 14 {
		t.Fatalf("code %d: %v\n%s", code, err, out)
	}
	if p := got.Points[7]; p.Point != "HighDuration" || p.Threshold != 100 || p.State != "Passed" || len(p.Violations) == 0 || p.Violations[0].TaskID == "" {
		t.Errorf("%+v", p)
	}
}

func TestCompareReportsHowTwoFilesDiffer(t *testing.T) {
	t.Parallel()
	j30 := files + "mspdi-mp_j30_a2_nr1.xml"
	text, err := os.ReadFile(j30)
	if err != nil {
		t.Fatal(err)
	}
	// The duration of the third task is half as long again.
	edited := filepath.Join(t.TempDir(), "edited.xml")
	old := "<Name>P1-Task 3</Name>"
	at := bytes.Index(text, []byte(old))
	from := at + bytes.Index(text[at:], []byte("<Duration>"))
	to := from + bytes.Index(text[from:], []byte("</Duration>"))
	text = append(append(append([]byte{}, text[:from]...), "<Duration>PT96H0M0S"...), text[to:]...)
	if err := os.WriteFile(edited, text, 0o600); err != nil {
		t.Fatal(err)
	}
	var got comparison
	if err := json.Unmarshal([]byte(output(t, "compare", "-json", j30, edited)), &got); err != nil {
		t.Fatal(err)
	}
	if got.Totals.Longer != 1 || got.Totals.FinishVariance != 32*3600 || got.Totals.Links.Unchanged != 96 || len(got.Links) != 0 {
		t.Errorf("%+v", got.Totals)
	}
	third := slices.IndexFunc(got.Tasks, func(x taskDifference) bool { return x.Name == "P1-Task 3" })
	if x := got.Tasks[third]; x.Variance.Duration != 32*3600 || x.Variance.Start != 0 || *x.Plan.TotalFloat != 0 {
		t.Errorf("%+v", x)
	}
	people := output(t, "compare", j30, edited)
	if !strings.Contains(people, "3 P1-Task 3") || !strings.Contains(people, "+32 h of working time") {
		t.Errorf("%s", people)
	}
	sum := got.Move.Remainder
	for _, x := range got.Move.Causes {
		sum += x.By
	}
	if sum != 32*3600 || got.Move.Move != sum || got.Move.Causes[0].Name != "P1-Task 3" || !strings.Contains(people, "3 P1-Task 3          duration") {
		t.Errorf("%+v\n%.600s", got.Move, people)
	}
	if got := output(t, "compare", "-all", "-csv", "links", j30, edited); strings.Count(got, "\nunchanged,") != 96 {
		t.Errorf("%s", got)
	}
	if got := output(t, "compare", "-csv", "tasks", j30, j30); strings.Count(got, "\n") != 1 {
		t.Errorf("%s", got)
	}
}

func TestCompareTakesTheBaselineOfAFile(t *testing.T) {
	t.Parallel()
	got := output(t, "compare", files+"BaselineProjects.xml")
	if !strings.Contains(got, "tasks: 0 added, 0 removed, 0 changed, 2 as they were") {
		t.Errorf("%s", got)
	}
}

func TestConvertWritesAFileOfTheOtherTool(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, to, format string
		removed          int // the node that P6 has for the project
		flags            []string
	}{
		{"mspdi-mp_j30_a2_nr1.xml", "plan.xer", "XER", 0, nil},
		{"mspdi-mp_j30_a2_nr1.xml", "plan.XML", "MSPDI", 0, nil},
		{"p6-5.0-roles-resources.xer", "plan.xml", "MSPDI", 1, nil},
		{"MultiprojectWithExternal.xml", "plan.xer", "XER", 0, nil},
		{"MultiprojectWithExternal.xer", "plan.xml", "MSPDI", 0, nil},
		{"BaselineProjects.xml", "plan.xml", "MSPDI", 0, nil},
		{"mspdi-mp_j30_a2_nr1.xml", "plan.xml", "P6XML", 0, []string{"-format", "p6xml"}},
		{"p6-5.0-roles-resources.xer", "plan.xml", "P6XML", 1, []string{"-format", "P6XML"}},
		{"BaselineProjects.xml", "plan.xml", "P6XML", 0, []string{"-format", "p6xml"}},
	} {
		to := filepath.Join(t.TempDir(), c.to)
		var lost bytes.Buffer
		b := command{program: "planner", out: io.Discard, errs: &lost, bar: bar{now: time.Now}}
		if err := b.run(append([]string{"convert", "-o", to, files + c.file}, c.flags...)); err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		if got := output(t, "info", to); !strings.HasPrefix(got, c.format+": 1 projects") {
			t.Errorf("%s is %s", c.to, got)
		}
		for line := range strings.Lines(lost.String()) {
			if !strings.HasPrefix(line, "planner: warning: ") {
				t.Errorf("it says %q", line)
			}
		}
		var got comparison
		if err := json.Unmarshal([]byte(output(t, "compare", "-json", files+c.file, to)), &got); err != nil {
			t.Fatal(err)
		}
		if n := got.Totals; n.Tasks.Removed != c.removed || n.Links.Added+n.Links.Removed+n.Links.Changed != 0 || n.FinishVariance != 0 || n.Later+n.Earlier != 0 {
			t.Errorf("%s differs from %s: %+v", c.to, c.file, n)
		}
	}
}

func TestConvertReportsHowManyTasksTheOtherToolMoves(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(files + "mspdi-mp_j30_a2_nr1.xml")
	if err != nil {
		t.Fatal(err)
	}
	from := filepath.Join(t.TempDir(), "status.xml")
	text = bytes.Replace(text, []byte("<StartDate>"), []byte("<StatusDate>2026-01-12T09:00:00</StatusDate><StartDate>"), 1)
	if err := os.WriteFile(from, text, 0o600); err != nil {
		t.Fatal(err)
	}
	var lost bytes.Buffer
	c := command{program: "planner", out: io.Discard, errs: &lost, bar: bar{now: time.Now}}
	err = c.run([]string{"convert", "-format", "xer", from})
	want := "planner: warning: dates: By the rules of Primavera P6 64 of 64 tasks are at other dates than by those of " +
		"Microsoft Project: 0 earlier, 64 later; the furthest is "
	if err != nil || !strings.Contains(lost.String(), want) {
		t.Errorf("it says %s, %v, want %s", &lost, err, want)
	}
}

func TestProgressIsShownOfLongWorkAlone(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	now := time.Unix(0, 0)
	b := bar{out: &out, now: func() time.Time { return now }, shown: true}
	end := b.begin("reading plan.xer", 1000)
	in := b.reader(strings.NewReader(strings.Repeat("x", 1000)))
	read := func(n int64) {
		if _, err := io.CopyN(io.Discard, in, n); err != nil {
			t.Fatal(err)
		}
	}
	read(100)
	if out.Len() > 0 {
		t.Errorf("it shows %q at once", out.String())
	}
	now = now.Add(patience)
	read(400)
	read(100) // too soon after that
	want := "\rreading plan.xer [###############               ]  50 %"
	if out.String() != want {
		t.Errorf("it shows %q", out.String())
	}
	end()
	if got := out.String(); !strings.HasSuffix(got, "\r"+strings.Repeat(" ", len(want)-1)+"\r") {
		t.Errorf("it leaves %q", got)
	}
	quiet := bar{now: b.now}
	if in := strings.NewReader(""); quiet.reader(in) != io.Reader(in) {
		t.Error("it counts where nobody looks")
	}
}

func TestAPlanIsShownWithItsCriticalPathAndAsAPage(t *testing.T) {
	t.Parallel()
	page := filepath.Join(t.TempDir(), "plan.html")
	print := func(args ...string) string {
		var out, errs strings.Builder
		if err := Run("planner", args, Streams{Out: &out, Err: &errs}); err != nil || errs.Len() > 0 {
			t.Fatalf("%v: %v, %s", args, err, errs.String())
		}
		return out.String()
	}
	shown := print("demo")
	path, address, found := strings.Cut(shown, "\nchart: file://")
	if want := "C120 Windows ordered and made   2026-04-24 08:00  2026-06-19 17:00\n"; !found || !strings.Contains(path, want) {
		t.Errorf("the demo prints\n%s", shown)
	}
	if strings.Contains(path, "D110") {
		t.Error("a task with float is on the critical path")
	}
	written, err := os.ReadFile(strings.TrimSpace(address))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Remove(strings.TrimSpace(address)) })
	if got := print("demo.xer", "-o", page); got != "" {
		t.Errorf("beside its page, it prints %s", got)
	}
	same, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(written), string(same)); diff != "" {
		t.Errorf("the page of the demo is not that of its file\n%s", diff)
	}
	if !strings.Contains(string(same), "<svg") || strings.Contains(string(same), "src=") {
		t.Error("the page has no chart, or needs another file")
	}
}

func TestWhatIsNeitherCommandNorFileIsRefusedByName(t *testing.T) {
	t.Parallel()
	err := Run("planner", []string{"plann.xer"}, Streams{})
	if err == nil || !strings.Contains(err.Error(), `no command and no file "plann.xer"`) || ExitCode(err) != 2 {
		t.Errorf("it says %v and exits with %d", err, ExitCode(err))
	}
}
