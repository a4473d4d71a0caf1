package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const files = "../../schedules/planner/testdata/"

func output(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := run(args, &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestInfoSaysWhatIsInFiles(t *testing.T) {
	t.Parallel()
	want := `XER: 2 projects, 5 tasks, 1 links, 2 calendars, 3 resources, 0 assignments
  TestProject New Project, data date 2023-10-06T00:00:00
  TestProject2 New Project2, data date 2024-05-28T00:00:00
P6XML: 1 projects, 2 tasks, 0 links, 2 calendars, 3 resources, 0 assignments
  TestProject2 New Project2, data date 2024-05-28T00:00:00
  warning: project 5442: It is left out: the file holds no more of it than what others refer to.
  warning: link 83845: It is left out: it leads to a project that the file does not hold.
  warning: element Currency: It is left out with what is in it, 1 of them.
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
	if got.Profile != "p6" || *got.DataDate != "2023-10-06T00:00:00" {
		t.Errorf("profile %s, data date %s", got.Profile, *got.DataDate)
	}
}

func TestAnalyzeFindsNoDateThatDiffersFromThatOfMicrosoftProject(t *testing.T) {
	t.Parallel()
	got := output(t, "analyze", "-recalculate", files+"mspdi-mp_j30_a2_nr1.xml")
	if lines := strings.Split(strings.TrimSpace(got), "\n"); len(lines) != 2 {
		t.Errorf("%s", got)
	}
	if got := output(t, "analyze", files+"mspdi-mp_j30_a2_nr1.xml"); strings.Count(got, "the same") != 64 {
		t.Errorf("%s", got)
	}
}

func TestWrongCallsSayWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{},
		{"info"},
		{"paint", "x"},
		{"info", "-wide", "x"},
		{"info", files + "none.xer"},
		{"info", "main.go"},
		{"analyze", "-project", "17", files + "BaselineProjects.xml"},
	} {
		if err := run(args, &bytes.Buffer{}); err == nil {
			t.Errorf("%q is done", args)
		}
	}
}
