package planner_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// phased is time-phased work of a day in January 2026, of eight hours of the calendar of phasedPlan
// or of none.
func phased(typ string, day, hours int) string {
	return fmt.Sprintf("<TimephasedData><Type>%s</Type><UID>1</UID><Start>2026-01-%02dT08:00:00</Start><Finish>2026-01-%02dT16:00:00</Finish><Unit>2</Unit><Value>PT%dH0M0S</Value></TimephasedData>", typ, day, day, hours)
}

// phasedPlan is a plan of one task of three days from Monday, 5 January, and one day behind it,
// with assignments of the first.
func phasedPlan(t *testing.T, finish int, progress string, assignments ...string) *planner.Plan {
	t.Helper()
	week := ""
	for day := 2; day <= 6; day++ {
		week += fmt.Sprintf("<WeekDay><DayType>%d</DayType><DayWorking>1</DayWorking><WorkingTimes><WorkingTime><FromTime>08:00:00</FromTime><ToTime>16:00:00</ToTime></WorkingTime></WorkingTimes></WeekDay>", day)
	}
	var all strings.Builder
	for i, text := range assignments {
		resource := fmt.Sprint(i + 1)
		if len(assignments) == 1 {
			resource = "-65535"
		}
		fmt.Fprintf(&all, "<Assignment><UID>%d</UID><TaskUID>1</TaskUID><ResourceUID>%s</ResourceUID><Units>1</Units><Work>PT24H0M0S</Work><RemainingWork>PT24H0M0S</RemainingWork>%s</Assignment>", i+1, resource, text)
	}
	text := `<?xml version="1.0"?><Project xmlns="http://schemas.microsoft.com/project"><StartDate>2026-01-05T08:00:00</StartDate><CalendarUID>1</CalendarUID>
<Calendars><Calendar><UID>1</UID><Name>Standard</Name><WeekDays>` + week + `</WeekDays></Calendar></Calendars>
<Tasks><Task><UID>1</UID><ID>1</ID><Name>Split</Name><OutlineLevel>1</OutlineLevel><Duration>PT24H0M0S</Duration><Start>2026-01-05T08:00:00</Start><Finish>2026-01-` + fmt.Sprintf("%02d", finish) + `T16:00:00</Finish>` + progress + `</Task>
<Task><UID>2</UID><ID>2</ID><Name>Behind</Name><OutlineLevel>1</OutlineLevel><Duration>PT8H0M0S</Duration><PredecessorLink><PredecessorUID>1</PredecessorUID><Type>1</Type></PredecessorLink></Task></Tasks>
<Resources><Resource><UID>1</UID><Name>One</Name><CalendarUID>1</CalendarUID></Resource><Resource><UID>2</UID><Name>Two</Name><CalendarUID>1</CalendarUID></Resource></Resources>
<Assignments>` + all.String() + `</Assignments></Project>`
	p, err := planner.Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestATaskIsSplitWhereNoneOfItsAssignmentsHasWork reads time-phased work, schedules the plan, and
// reads again what is written of it.
func TestATaskIsSplitWhereNoneOfItsAssignmentsHasWork(t *testing.T) {
	t.Parallel()
	const day = 8 * worktime.Hour
	days := func(typ string, hours ...int) (text string) { // from Monday on, without the weekend
		for i, n := range hours {
			text += phased(typ, 5+i+2*(i/5), n)
		}
		return text
	}
	for name, c := range map[string]struct {
		finish      int
		progress    string
		assignments []string
		want        []cpm.Split
		last        string
	}{
		"in one piece":                           {7, "", []string{days("1", 8, 8, 8)}, nil, "2026-01-07T16:00:00"},
		"without a resource":                     {9, "", []string{days("1", 8, 0, 0, 8, 8)}, []cpm.Split{{After: day, Pause: 2 * day}}, "2026-01-09T16:00:00"},
		"twice and over a weekend":               {13, "", []string{days("1", 8, 0, 8, 0, 0, 0, 8)}, []cpm.Split{{After: day, Pause: day}, {After: 2 * day, Pause: 3 * day}}, "2026-01-13T16:00:00"},
		"by both of two":                         {9, "", []string{days("1", 8, 0, 0, 8, 8), days("1", 8, 0, 0, 8, 8)}, []cpm.Split{{After: day, Pause: 2 * day}}, "2026-01-09T16:00:00"},
		"by one of two":                          {7, "", []string{days("1", 8, 0, 8), days("1", 8, 8, 8)}, nil, "2026-01-07T16:00:00"},
		"where the one pauses as the other ends": {9, "", []string{days("1", 8, 8), days("1", 0, 0, 0, 0, 8)}, []cpm.Split{{After: 2 * day, Pause: 2 * day}}, "2026-01-09T16:00:00"},
		"with none before and behind":            {7, "", []string{days("1", 0, 8, 8, 8, 0)}, nil, "2026-01-07T16:00:00"},
		"begun, and split later": {
			9, "<ActualStart>2026-01-05T08:00:00</ActualStart><RemainingDuration>PT16H0M0S</RemainingDuration><Stop>2026-01-05T16:00:00</Stop><Resume>2026-01-06T08:00:00</Resume>",
			[]string{days("2", 8) + phased("1", 6, 8) + phased("1", 7, 0) + phased("1", 8, 0) + phased("1", 9, 8)},
			[]cpm.Split{{After: 2 * day, Pause: 2 * day}},
			"2026-01-09T16:00:00",
		},
		"begun, and interrupted": {
			9, "<ActualStart>2026-01-05T08:00:00</ActualStart><RemainingDuration>PT16H0M0S</RemainingDuration><Stop>2026-01-05T16:00:00</Stop><Resume>2026-01-08T08:00:00</Resume>",
			[]string{days("2", 8) + phased("1", 8, 8) + phased("1", 9, 8)},
			nil, "2026-01-09T16:00:00",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := phasedPlan(t, c.finish, c.progress, c.assignments...)
			if diff := cmp.Diff(c.want, p.Tasks[0].Splits); diff != "" {
				t.Errorf("splits (-want +got)\n%s", diff)
			}
			s, err := p.Schedule()
			if err != nil {
				t.Fatal(err)
			}
			if got := s.Dates(0).Finish.String(); got != c.last {
				t.Errorf("it ends %s, want %s", got, c.last)
			}
			var out bytes.Buffer
			lost, err := planner.Write(&out, p, planner.MSPDI)
			if err != nil || len(lost) > 0 {
				t.Fatal(err, lost)
			}
			again, err := planner.Read(&out)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(p.Tasks, again.Tasks) + cmp.Diff(p.Assignments, again.Assignments); diff != "" {
				t.Errorf("written and read again (-was +is)\n%s", diff)
			}
			if text := fmt.Sprint(again.Warnings); strings.Contains(text, "Timephased") {
				t.Errorf("what was written is read with a warning: %s", text)
			}
		})
	}
}

// TestSplitsThatAFileCannotHoldAreNamed writes a split task for P6, and one whose work has more
// periods than its duration.
func TestSplitsThatAFileCannotHoldAreNamed(t *testing.T) {
	t.Parallel()
	p := phasedPlan(t, 9, "", phased("1", 5, 8)+phased("1", 6, 0)+phased("1", 7, 8)+phased("1", 8, 8))
	for _, f := range []planner.Format{planner.XER, planner.P6XML} {
		lost, err := planner.Write(new(bytes.Buffer), p, f)
		if err != nil || !strings.Contains(fmt.Sprint(lost), "Its splits are left out") || !strings.Contains(fmt.Sprint(lost), "are at other dates") {
			t.Errorf("%s: %v, %v", f, lost, err)
		}
	}
	longer := phasedPlan(t, 9, "", phased("1", 5, 8)+phased("1", 6, 8)+phased("1", 7, 8)+phased("1", 8, 0)+phased("1", 9, 8))
	if text := fmt.Sprint(longer.Warnings); len(longer.Tasks[0].Splits) != 0 || !strings.Contains(text, "the pause behind that is left out") {
		t.Errorf("%v, warned: %s", longer.Tasks[0].Splits, text)
	}
}
