package planner_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// mspdiCalendar is a calendar with hours from eight to twelve on some days of a week,
// Sunday being 1.
func mspdiCalendar(uid int, base int, days ...int) string {
	var s strings.Builder
	fmt.Fprintf(&s, "<Calendar><UID>%d</UID><BaseCalendarUID>%d</BaseCalendarUID><WeekDays>", uid, base)
	for _, d := range days {
		working := "<DayWorking>1</DayWorking><WorkingTimes><WorkingTime><FromTime>08:00:00</FromTime><ToTime>12:00:00</ToTime></WorkingTime></WorkingTimes>"
		if d < 0 {
			d, working = -d, "<DayWorking>0</DayWorking>"
		}
		fmt.Fprintf(&s, "<WeekDay><DayType>%d</DayType>%s</WeekDay>", d, working)
	}
	return s.String() + "</WeekDays></Calendar>"
}

// finishes are when the first task of a plan ends.
func finish(t *testing.T, text string) worktime.Time {
	t.Helper()
	p, err := planner.Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Schedule()
	if err != nil {
		t.Fatal(err)
	}
	return s.Dates(0).Finish
}

func TestTasksOfMicrosoftProjectAreDoneWhenTheirResourcesWork(t *testing.T) {
	t.Parallel()
	// Calendar 1 works every weekday, 2 is 1, 3 has Tuesdays off, 4 works on Tuesdays
	// alone, 5 on Saturdays and is that of a task.
	calendars := "<Calendars>" + mspdiCalendar(1, -1, 2, 3, 4, 5, 6) + mspdiCalendar(2, 1) + mspdiCalendar(3, 1, -3) +
		mspdiCalendar(4, -1, 3) + mspdiCalendar(5, -1, 7) + "</Calendars>"
	var resources strings.Builder
	for _, uid := range []int{2, 3, 4} {
		fmt.Fprintf(&resources, "<Resource><UID>%d</UID><Name>r</Name><CalendarUID>%[1]d</CalendarUID></Resource>", uid)
	}
	resources.WriteString("<Resource><UID>9</UID><Name>cement</Name><Type>0</Type><CalendarUID>4</CalendarUID></Resource>")
	monday := worktime.Date(2026, time.January, 5, 12, 0, 0)
	for name, c := range map[string]struct {
		task      string
		resources []int
		want      worktime.Time
	}{
		"nobody":                     {"", nil, monday + worktime.Day},
		"one on the base calendar":   {"", []int{2}, monday + worktime.Day},
		"one who is off on Tuesdays": {"", []int{3}, monday + 2*worktime.Day},
		"one who is not asked": {
			"<IgnoreResourceCalendar>1</IgnoreResourceCalendar>", []int{3}, monday + worktime.Day,
		},
		"material":                         {"", []int{9}, monday + worktime.Day},
		"two who make up for one another":  {"", []int{3, 4}, monday + worktime.Day},
		"one on a calendar of the task":    {"<CalendarUID>4</CalendarUID>", []int{2}, monday + 8*worktime.Day},
		"one who never is there for it":    {"<CalendarUID>5</CalendarUID>", []int{2}, monday + 12*worktime.Day},
		"a duration that counts all hours": {"<DurationFormat>8</DurationFormat>", []int{3}, monday},
	} {
		var assignments strings.Builder
		for i, r := range c.resources {
			fmt.Fprintf(
				&assignments,
				"<Assignment><UID>%d</UID><TaskUID>1</TaskUID><ResourceUID>%d</ResourceUID><Work>PT8H0M0S</Work></Assignment>",
				i, r,
			)
		}
		duration := "PT8H0M0S"
		if strings.Contains(c.task, "DurationFormat") {
			duration = "PT4H0M0S"
		}
		got := finish(t, mspdi(calendars+"<Tasks><Task><UID>1</UID><OutlineLevel>1</OutlineLevel><Duration>"+duration+
			"</Duration>"+c.task+"</Task></Tasks><Resources>"+
			resources.String()+"</Resources><Assignments>"+assignments.String()+"</Assignments>"))
		if got != c.want {
			t.Errorf("%s: it ends %v, want %v", name, got, c.want)
		}
	}
}

// p6Task is a plan of P6 that begins on Monday, the fifth of January 2026, at eight, with
// a task that takes two days of eight hours, and what else is known of it.
func p6Task(fields, values, tables string) string {
	week := "(0¦¦CalendarData()((0¦¦DaysOfWeek()(" + strings.Repeat("X", 7) + "))))"
	for d := 1; d <= 7; d++ {
		hours := "(0¦¦0(s¦08:00¦f¦16:00)())"
		if d == 1 || d == 7 {
			hours = ""
		}
		week = strings.Replace(week, "X", fmt.Sprintf("(0¦¦%d()(%s))", d, hours), 1)
	}
	return strings.NewReplacer("|", "\t", "¦", "|").Replace(`ERMHDR|20.12
%T|CALENDAR
%F|clndr_id|clndr_data
%R|c|` + week + `
%R|late|` + strings.ReplaceAll(week, "s¦08:00", "s¦12:00") + `
%T|PROJECT
%F|proj_id|clndr_id|plan_start_date|last_recalc_date
%R|p|c|2026-01-05 08:00|2026-01-05 08:00
%T|TASK
%F|task_id|proj_id|clndr_id|target_drtn_hr_cnt|remain_drtn_hr_cnt|status_code|task_type` + fields + `
%R|1|p|c|16|16|TK_NotStart|TT_Task` + values + `
` + tables)
}

func TestWhatP6HoldsATaskToMovesIt(t *testing.T) {
	t.Parallel()
	tuesday := worktime.Date(2026, time.January, 6, 16, 0, 0)
	rsrc := "%T|RSRC\n%F|rsrc_id|rsrc_type|clndr_id\n%R|r|RT_Labor|c\n%R|s|RT_Labor|late\n%T|TASKRSRC\n%F|taskrsrc_id|task_id|rsrc_id|target_qty\n%R|1|1|r|8\n%R|2|1|s|8\n"
	options := "%T|SCHEDOPTIONS\n%F|proj_id|sched_use_expect_end_flag|sched_outer_depend_type\n%R|p|N|SD_None\n"
	for name, c := range map[string]struct {
		fields, values, tables string
		want                   worktime.Time
	}{
		"nothing": {"", "", "", tuesday},
		"an external early start": {
			"|external_early_start_date", "|2026-01-07 08:00", "", tuesday + 2*worktime.Day,
		},
		"one that the project ignores":     {"|external_early_start_date", "|2026-01-07 08:00", options, tuesday},
		"an expected finish":               {"|expect_end_date", "|2026-01-08 12:00", "", tuesday + 2*worktime.Day - 4*hour},
		"one that the project leaves out":  {"|expect_end_date", "|2026-01-08 12:00", options, tuesday},
		"resources that are not asked":     {"", "", rsrc, tuesday},
		"a resumption before it has begun": {"|resume_date", "|2026-01-09 08:00", "", tuesday},
		"a second constraint": {
			"|cstr_type|cstr_date|cstr_type2|cstr_date2", "|CS_MEOB|2026-01-05 16:00|CS_MSOA|2026-01-07 08:00", "",
			tuesday + 2*worktime.Day,
		},
		"an external late finish of itself": {"|external_late_end_date", "|2026-01-05 16:00", "", tuesday},
	} {
		if got := finish(t, p6Task(c.fields, c.values, c.tables)); got != c.want {
			t.Errorf("%s: it ends %v, want %v", name, got, c.want)
		}
	}
	dependent := strings.Replace(p6Task("", "", rsrc), "TT_Task", "TT_Rsrc", 1)
	if got, want := finish(t, dependent), worktime.Date(2026, time.January, 8, 16, 0, 0); got != want {
		t.Errorf("resource dependent: it ends %v, want %v", got, want)
	}
	begun := strings.Replace(
		p6Task("|act_start_date|suspend_date|resume_date", "|2026-01-05 08:00|2026-01-05 12:00|2026-01-09 08:00", ""),
		"TK_NotStart", "TK_Active", 1,
	)
	if got, want := finish(t, begun), worktime.Date(2026, time.January, 12, 16, 0, 0); got != want {
		t.Errorf("suspended: it ends %v, want %v", got, want)
	}
}

func TestAWBSSummarySpansWhatItIsBelow(t *testing.T) {
	t.Parallel()
	text := strings.NewReplacer("|", "\t").Replace(`%T|PROJWBS
%F|wbs_id|proj_id|proj_node_flag|parent_wbs_id
%R|1|p|Y|
%T|TASK
%F|task_id|proj_id|wbs_id|clndr_id|remain_drtn_hr_cnt|status_code|task_type
%R|2|p|1|c|16|TK_NotStart|TT_Task
%R|3|p|1|c|0|TK_NotStart|TT_WBS
`)
	p, err := planner.Read(strings.NewReader(p6Task("", "", text)))
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Schedule()
	if err != nil {
		t.Fatal(err)
	}
	for i := range p.Tasks {
		if got, want := s.Dates(i).Finish, worktime.Date(2026, time.January, 6, 16, 0, 0); got != want {
			t.Errorf("task %s ends %v, want %v", p.Tasks[i].ID, got, want)
		}
	}
}

// TestAMilestoneWithALeadIsNotBeforeTheDataDate leads a finish milestone before the data date,
// and with it what it is below.
func TestAMilestoneWithALeadIsNotBeforeTheDataDate(t *testing.T) {
	t.Parallel()
	text := strings.NewReplacer("|", "\t").Replace(`%T|PROJWBS
%F|wbs_id|proj_id|proj_node_flag|parent_wbs_id
%R|1|p|Y|
%T|TASK
%F|task_id|proj_id|wbs_id|clndr_id|status_code|task_type
%R|2|p|1|c|TK_NotStart|TT_Mile
%R|3|p|1|c|TK_NotStart|TT_FinMile
%T|TASKPRED
%F|task_pred_id|task_id|pred_task_id|pred_type|lag_hr_cnt
%R|7|3|2|PR_FS|-1
`)
	p, err := planner.Read(strings.NewReader(p6Task("", "", text)))
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Schedule()
	if err != nil {
		t.Fatal(err)
	}
	for i := range p.Tasks {
		if d := s.Dates(i); d.Start < p.Projects[0].DataDate || d.Finish < p.Projects[0].DataDate {
			t.Errorf("task %s is at %v to %v", p.Tasks[i].ID, d.Start, d.Finish)
		}
	}
}
