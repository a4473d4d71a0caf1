package planner_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// scheduled are the tasks of a plan by their names, as "early start, early finish, late start,
// late finish, total float, free float", floats in hours.
func scheduled(t *testing.T, p *planner.Plan) map[string]string {
	t.Helper()
	s, err := p.Schedule()
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]string)
	for i := range p.Tasks {
		if p.Tasks[i].Kind == cpm.Summary {
			continue
		}
		d := s.Dates(i)
		text := fmt.Sprintf("%s..%s %s..%s", clock(d.EarlyStart), clock(d.EarlyFinish), clock(d.LateStart), clock(d.LateFinish))
		if d.HasFloat {
			text += fmt.Sprintf(" %v %v", float64(d.TotalFloat)/hour, float64(d.FreeFloat)/hour)
		}
		if d.Start != d.EarlyStart {
			text += " since " + clock(d.Start)
		}
		all[p.Tasks[i].Name] = text
	}
	return all
}

// clock is a time without its year and its seconds.
func clock(t worktime.Time) string {
	if t == 0 {
		return "-"
	}
	return t.String()[5:16]
}

// TestPlansHaveTheDatesThatTheirToolsGiveThem has small plans in which something counts that
// real files of P6 and of Microsoft Project were seen to hold.
func TestPlansHaveTheDatesThatTheirToolsGiveThem(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]map[string]string{
		"expected-finish-behind-ff.xer": {
			"A": "01-12T08:00..02-06T16:00 01-12T08:00..02-06T16:00 0 0",
			"B": "02-04T08:00..02-06T16:00 02-04T08:00..02-06T16:00 0 0 since 01-05T08:00",
			"C": "02-09T08:00..02-13T16:00 02-09T08:00..02-13T16:00 0 0",
		},
		"expected-finish-free-float.xer": {
			"A": "01-05T08:00..01-09T16:00 01-19T08:00..01-23T16:00 80 0",
			"B": "01-26T08:00..01-30T16:00 01-26T08:00..01-30T16:00 0 0",
		},
		"level-of-effort.xer": {
			"A": "01-05T08:00..01-09T16:00 02-09T08:00..02-13T16:00 200 200",
			"B": "01-05T08:00..01-16T16:00 02-02T08:00..02-13T16:00 160 160",
			"C": "01-05T08:00..01-16T16:00 02-09T08:00..02-13T16:00 160 0",
			"D": "01-05T08:00..01-16T16:00 02-09T08:00..02-13T16:00 160 0 since 12-15T08:00",
			"E": "01-05T08:00..02-13T16:00 01-05T08:00..02-13T16:00 0 0",
		},
		"start-no-earlier-before-project.xml":  {"A": "12-08T08:00..12-12T17:00 12-08T08:00..12-12T17:00 0 0"},
		"finish-no-earlier-before-project.xml": {"A": "12-08T08:00..12-12T17:00 12-08T08:00..12-12T17:00 0 0"},
	} {
		p := read(t, filepath.Join("cases", name), planner.Options{})
		if diff := cmp.Diff(want, scheduled(t, p)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}

// TestTheFloatOfALevelOfEffortIsToTheEndThatTheFileNames gives a plan each type of float that
// P6 knows, and one that it does not, in both formats.
func TestTheFloatOfALevelOfEffortIsToTheEndThatTheFileNames(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/cases/level-of-effort.xer")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"FT_FF": "160 0", "FT_SF": "200 0", "FT_MIN": "160 0", "FT_Odd": "160 0", "": "160 0"} {
		p := parse(t, strings.Replace(string(text), "FT_FF", name, 1))
		if warned := len(p.Warnings) > 0; warned != (name == "FT_Odd") {
			t.Errorf("%q: warnings %v", name, p.Warnings)
		}
		for _, f := range []planner.Format{planner.XER, planner.P6XML} {
			q, _ := written(t, p, f, planner.Options{})
			if got := scheduled(t, q)["C"]; !strings.HasSuffix(got, " "+want) {
				t.Errorf("%q as %s: C is %s, and its floats are to be %s", name, f, got, want)
			}
		}
	}
}

// TestACriticalFloatMayBeNegative writes a plan with one in each format.
func TestACriticalFloatMayBeNegative(t *testing.T) {
	t.Parallel()
	p := read(t, "cases/critical-float-negative.xer", planner.Options{})
	for _, f := range formats {
		q, _ := written(t, p, f, planner.Options{})
		if got := q.Projects[0].Critical; got != -16*hour {
			t.Errorf("as %s it is %d s", f, got)
		}
		s, err := q.Schedule()
		if err != nil {
			t.Fatal(err)
		}
		for i := range q.Tasks {
			if s.Dates(i).Critical {
				t.Errorf("as %s task %s is critical with a float of 0", f, q.Tasks[i].ID)
			}
		}
	}
	var file bytes.Buffer
	if _, err := (planner.Options{}).Write(&file, p, planner.MSPDI); err != nil || !strings.Contains(file.String(), "<CriticalSlackLimit>-2</CriticalSlackLimit>") {
		t.Errorf("%v: no limit of -2 days in %s", err, file.String())
	}
}

// outlined are the tasks of a plan with what they are below and how far they are.
func outlined(p *planner.Plan) (all []string) {
	for i := range p.Tasks {
		t := &p.Tasks[i]
		all = append(all, fmt.Sprintf("%s below %q: kind %d, %s %v %%, %v h, %v h left, %s..%s", t.Name, t.ParentID, t.Kind, t.Status(), t.Percent,
			float64(t.Duration)/hour, float64(t.Remaining)/hour, clock(t.File.Start), clock(t.File.Finish)))
	}
	return all
}

// TestAnExportOfTaskJugglerIsThePlanThatItIs reads what TaskJuggler 3.7.1 exports for Microsoft
// Project: it counts levels from 0, gives all tasks actual dates and none a duration, and has work
// in periods alone.
func TestAnExportOfTaskJugglerIsThePlanThatItIs(t *testing.T) {
	t.Parallel()
	p := read(t, "cases/taskjuggler.xml", planner.Options{})
	want := []string{
		`Ground below "": kind 5, Planned 0 %, 64 h, 64 h left, 01-05T00:00..01-14T17:00`,
		`Dig below "1": kind 0, Started 30 %, 24 h, 16.8 h left, 01-05T00:00..01-08T00:00`,
		`Pour below "1": kind 0, Planned 0 %, 32 h, 32 h left, 01-09T08:00..01-14T17:00`,
		`Shell below "": kind 5, Planned 0 %, 48 h, 48 h left, 01-16T08:00..01-23T17:00`,
		`Walls below "4": kind 0, Planned 0 %, 40 h, 40 h left, 01-16T08:00..01-22T17:00`,
		`Roof below "4": kind 0, Planned 0 %, 8 h, 8 h left, 01-23T08:00..01-23T17:00`,
		`Handover below "": kind 2, Planned 0 %, 0 h, 0 h left, 01-23T17:00..01-23T17:00`,
	}
	if diff := cmp.Diff(want, outlined(p)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	var work []string
	for _, a := range p.Assignments {
		work = append(work, fmt.Sprintf("task %s: %v h, %v h done, %v h left, %s..%s", a.TaskID, a.Units, a.ActualUnits, a.RemainingUnits, clock(a.Start), clock(a.Finish)))
	}
	want = []string{
		"task 2: 24 h, 0 h done, 24 h left, 01-05T00:00..01-08T00:00", "task 3: 32 h, 0 h done, 32 h left, 01-09T08:00..01-14T17:00",
		"task 5: 40 h, 0 h done, 40 h left, 01-16T08:00..01-22T17:00", "task 6: 8 h, 0 h done, 8 h left, 01-23T08:00..01-23T17:00",
		"task 6: 8 h, 0 h done, 8 h left, 01-23T08:00..01-23T17:00",
	}
	if diff := cmp.Diff(want, work); diff != "" {
		t.Errorf("work (-want +got)\n%s", diff)
	}
	for _, text := range []string{"6 have no duration:", "7 have an actual finish and are not all done"} {
		if !slices.ContainsFunc(p.Warnings, func(w planner.Warning) bool { return strings.HasPrefix(w.Text, text) }) {
			t.Errorf("no warning %q in %v", text, p.Warnings)
		}
	}
	for _, f := range formats {
		if q, _ := written(t, p, f, planner.Options{}); slices.ContainsFunc(q.Tasks, func(t planner.Task) bool { return t.Status() == planner.Finished }) {
			t.Errorf("as %s: something has ended: %v", f, outlined(q))
		}
	}
}

// TestTheLowestLevelOfAnOutlineIsItsTop has levels as programs count them.
func TestTheLowestLevelOfAnOutlineIsItsTop(t *testing.T) {
	t.Parallel()
	for levels, want := range map[string]string{
		"1 2 3 2 1": " 1 2 1 ", "0 1 2 1 0": " 1 2 1 ", "2 3 2": " 1 ", "1 3 4 3": " 1 2 1", "- 1 - 2": "   3", "1 x": " ", "0 0": " ",
	} {
		var tasks strings.Builder
		for i, level := range strings.Fields(levels) {
			fmt.Fprintf(&tasks, "<Task><UID>%d</UID><Name>t</Name><Summary>1</Summary>", i+1)
			if level != "-" {
				fmt.Fprintf(&tasks, "<OutlineLevel>%s</OutlineLevel>", level)
			}
			tasks.WriteString("</Task>")
		}
		p := parse(t, mspdi("<Tasks>"+tasks.String()+"</Tasks>"))
		above := make(map[string]string)
		for i := range p.Tasks {
			above[p.Tasks[i].ID] = p.Tasks[i].ParentID
		}
		var got []string
		for i := range strings.Fields(levels) {
			got = append(got, above[fmt.Sprint(i+1)])
		}
		if diff := cmp.Diff(strings.Split(want, " "), got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", levels, diff)
		}
	}
}

// TestAnActualFinishIsAFactOnceAllIsDone has tasks of a day that are said to have
// ended, as of a status date or of none.
func TestAnActualFinishIsAFactOnceAllIsDone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ day, percent, root, want string }{
		"all is done":                        {"06", "100", "<StatusDate>2026-01-05T17:00:00</StatusDate>", "Finished"},
		"it has passed":                      {"05", "", "<StatusDate>2026-01-07T08:00:00</StatusDate>", "Finished"},
		"it has passed and not all is done":  {"05", "40", "<StatusDate>2026-01-07T08:00:00</StatusDate>", "Started"},
		"it is to come":                      {"08", "40", "<StatusDate>2026-01-07T08:00:00</StatusDate>", "Started"},
		"it is to come and nothing is done":  {"08", "0", "<StatusDate>2026-01-07T08:00:00</StatusDate>", "Planned"},
		"it is to come and not said how far": {"08", "", "<StatusDate>2026-01-07T08:00:00</StatusDate>", "Planned"},
		"it is to come for its program":      {"08", "0", "<CurrentDate>2026-01-07T08:00:00</CurrentDate>", "Planned"},
		"no one knows, and half is done":     {"08", "50", "", "Started"},
		"no one knows":                       {"08", "", "", "Finished"},
	} {
		percent := ""
		if c.percent != "" {
			percent = "<PercentComplete>" + c.percent + "</PercentComplete>"
		}
		day := "2026-01-" + c.day
		p := parse(t, mspdi("<Calendars>"+mspdiCalendar(1, -1, 2)+"</Calendars>"+c.root+"<Tasks><Task><UID>1</UID><Name>a</Name><Duration>PT8H0M0S</Duration><RemainingDuration>PT0H0M0S</RemainingDuration>"+
			"<ActualStart>"+day+"T08:00:00</ActualStart><ActualFinish>"+day+"T17:00:00</ActualFinish>"+percent+"</Task></Tasks>"))
		if got := p.Tasks[0].Status(); string(got) != c.want {
			t.Errorf("%s: it is %s, not %s", name, got, c.want)
		}
		left, want := p.Tasks[0].Remaining, map[string]int64{"Planned": 8 * hour, "Finished": 0}[c.want]
		if c.want == "Started" {
			want = map[string]int64{"40": 8 * hour * 6 / 10, "50": 4 * hour}[c.percent]
		}
		if left != want {
			t.Errorf("%s: %d s are left, not %d", name, left, want)
		}
		if warned := len(p.Warnings) > 0; warned != (c.want != "Finished") {
			t.Errorf("%s: warnings %v", name, p.Warnings)
		}
	}
}

// TestATaskWithoutADurationTakesTheTimeBetweenItsDates has tasks over a weekend, of
// which one continues day and night, and one behind the first.
func TestATaskWithoutADurationTakesTheTimeBetweenItsDates(t *testing.T) {
	t.Parallel()
	dates := "<Start>2026-01-08T08:00:00</Start><Finish>2026-01-12T17:00:00</Finish>"
	p := parse(t, mspdi("<Calendars>"+mspdiCalendar(1, -1, 2, 3, 4, 5, 6)+"</Calendars><Tasks>"+
		"<Task><UID>1</UID><Name>a</Name>"+dates+"</Task>"+
		"<Task><UID>2</UID><Name>b</Name><DurationFormat>8</DurationFormat>"+dates+"</Task>"+
		"<Task><UID>3</UID><Name>c</Name><PercentComplete>25</PercentComplete><ActualStart>2026-01-08T08:00:00</ActualStart>"+dates+"</Task>"+
		"<Task><UID>4</UID><Name>d</Name><Milestone>1</Milestone>"+dates+"</Task>"+
		"<Task><UID>5</UID><Name>e</Name><Finish>2026-01-12T17:00:00</Finish></Task>"+
		"<Task><UID>6</UID><Name>f</Name><Duration>PT0H0M0S</Duration>"+dates+"</Task></Tasks>"))
	var got []string
	for _, task := range p.Tasks {
		got = append(got, fmt.Sprintf("%s: %d h, %d h left", task.Name, task.Duration/hour, task.Remaining/hour))
	}
	want := []string{"a: 12 h, 12 h left", "b: 105 h, 105 h left", "c: 12 h, 9 h left", "d: 0 h, 0 h left", "e: 0 h, 0 h left", "f: 0 h, 0 h left"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestTheWorkOfAnAssignmentIsWhatItsPeriodsHave leaves out one member of it after the other.
func TestTheWorkOfAnAssignmentIsWhatItsPeriodsHave(t *testing.T) {
	t.Parallel()
	for members, want := range map[string]string{
		"<Work>PT8H0M0S</Work>":                                  "8 0 8",
		"<Work>PT8H0M0S</Work><ActualWork>PT2H0M0S</ActualWork>": "8 2 6",
		"<Work>PT8H0M0S</Work><ActualWork>PT2H0M0S</ActualWork><RemainingWork>PT0H0M0S</RemainingWork>":                     "8 2 0",
		"<Work>PT1H0M0S</Work><ActualWork>PT2H0M0S</ActualWork>":                                                            "1 2 0",
		phased("1", 5, 8) + phased("1", 6, 8):                                                                               "16 0 16",
		phased("2", 5, 8) + phased("1", 6, 4):                                                                               "12 8 4",
		phased("2", 5, 8) + phased("1", 6, 4) + phased("4", 6, 40):                                                          "12 8 4",
		"<Work>PT20H0M0S</Work>" + phased("2", 5, 8) + phased("1", 6, 4):                                                    "20 8 12",
		"<ActualWork>PT2H0M0S</ActualWork><RemainingWork>PT3H0M0S</RemainingWork>" + phased("1", 5, 8):                      "10 2 3",
		"<Work>PT0H0M0S</Work><ActualWork>PT0H0M0S</ActualWork><RemainingWork>PT0H0M0S</RemainingWork>" + phased("1", 5, 8): "0 0 0",
	} {
		p := parse(t, mspdi("<Tasks><Task><UID>1</UID><Name>a</Name><Duration>PT8H0M0S</Duration></Task></Tasks><Resources><Resource><UID>1</UID><Name>r</Name></Resource></Resources>"+
			"<Assignments><Assignment><UID>1</UID><TaskUID>1</TaskUID><ResourceUID>1</ResourceUID><Units>1</Units>"+members+"</Assignment></Assignments>"))
		a := p.Assignments[0]
		if got := fmt.Sprint(a.Units, a.ActualUnits, a.RemainingUnits); got != want {
			t.Errorf("%s: %s, not %s", members, got, want)
		}
	}
}
