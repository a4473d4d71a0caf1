package planner_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

const hour = worktime.Hour

func read(t *testing.T, name string, o planner.Options) *planner.Plan {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := o.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestFilesAreRead(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"mspdi-mp_j30_a2_nr1.xml":      "MSPDI: 1 projects, 8 calendars, 64 tasks, 96 links, 6 resources, 240 assignments, 0 baselines",
		"MultiprojectWithExternal.xer": "XER: 2 projects, 2 calendars, 5 tasks, 1 links, 3 resources, 0 assignments, 0 baselines",
		"MultiprojectWithExternal.xml": "P6XML: 1 projects, 2 calendars, 2 tasks, 0 links, 3 resources, 0 assignments, 0 baselines",
		"BaselineProjects.xml":         "P6XML: 1 projects, 5 calendars, 2 tasks, 0 links, 10 resources, 4 assignments, 2 baselines",
		"p6-5.0-roles-resources.xer":   "XER: 1 projects, 1 calendars, 3 tasks, 0 links, 4 resources, 4 assignments, 0 baselines",
	} {
		p := read(t, name, planner.Options{})
		got := fmt.Sprintf("%s: %d projects, %d calendars, %d tasks, %d links, %d resources, %d assignments, %d baselines",
			p.Format, len(p.Projects), len(p.Calendars), len(p.Tasks), len(p.Links), len(p.Resources), len(p.Assignments),
			len(p.Baselines))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
	}
}

func TestTextIsReadByTheCodePageOfItsFile(t *testing.T) {
	t.Parallel()
	name := func(p *planner.Plan) string {
		return p.Tasks[slices.IndexFunc(p.Tasks, func(t planner.Task) bool { return t.ID == "133031" })].Name
	}
	if got := name(
		read(t, "MultiprojectWithExternal.xer", planner.Options{Page: planner.Windows1251}),
	); got != "Задача 1" {
		t.Errorf("in Cyrillic it is %q", got)
	}
	if got := name(read(t, "MultiprojectWithExternal.xer", planner.Options{})); got != "Çàäà÷à 1" {
		t.Errorf("without a code page it is %q", got)
	}
}

// xer is a file of one project with the tables that are given.
func xer(tables string) string {
	return strings.NewReplacer("|", "\t", "¦", "|").Replace(`ERMHDR|20.12
%T|CALENDAR
%F|clndr_id|clndr_name|base_clndr_id|clndr_data
%R|c|Office||(0¦¦CalendarData()((0¦¦DaysOfWeek()((0¦¦2()((0¦¦0(f¦12:00¦s¦8:00)())(0¦¦1(f¦17:00¦s¦13:00)())))(0¦¦3()((0¦¦0(s¦00:00¦f¦00:00)())))(0¦¦4()())))(0¦¦VIEW(ShowTotal¦N)())(0¦¦Exceptions()((0¦¦0(d¦46027)((0¦¦0(s¦09:00¦f¦10:00)())))(0¦¦1(d¦46028)())))))
%T|PROJECT
%F|proj_id|proj_short_name|clndr_id|plan_start_date|last_recalc_date
%R|p|Bridge|c|2026-01-05 08:00|2026-01-05 08:00
` + strings.TrimSuffix(tables, "%E\n") + "%E\n")
}

func TestACalendarOfAnXERHasItsHoursAndItsExceptions(t *testing.T) {
	t.Parallel()
	p, err := planner.Read(strings.NewReader(xer("%T|TASK\n%F|task_id\n%E\n")))
	if err != nil {
		t.Fatal(err)
	}
	want := []planner.Calendar{{
		ID: "c", Name: "Office",
		Week: worktime.Week{
			time.Monday:    {{From: 8 * hour, To: 12 * hour}, {From: 13 * hour, To: 17 * hour}},
			time.Tuesday:   {{From: 0, To: 24 * hour}},
			time.Wednesday: {},
		},
		Exceptions: []worktime.Exception{
			{
				First: worktime.Date(2026, time.January, 5, 0, 0, 0), Last: worktime.Date(2026, time.January, 5, 0, 0, 0),
				Hours: worktime.Hours{{From: 9 * hour, To: 10 * hour}},
			},
			{
				First: worktime.Date(2026, time.January, 6, 0, 0, 0), Last: worktime.Date(2026, time.January, 6, 0, 0, 0),
				Hours: worktime.Hours{},
			},
		},
	}}
	if diff := cmp.Diff(want, p.Calendars); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestRowsOfAnXERAreReadAsTheyAre(t *testing.T) {
	t.Parallel()
	p, err := planner.Read(strings.NewReader(strings.ReplaceAll(xer(`%T|TASK
%F|task_code|task_id|proj_id|task_name|task_type|target_drtn_hr_cnt|remain_drtn_hr_cnt|status_code|cstr_type|cstr_date|act_start_date|act_end_date
%R|A1|1|p|Pour ""it""`+"\x7f"+`well|TT_Task|8|7,5|TK_NotStart|CS_MSOA|2026-01-07 08:00
%R|A2|2|p|broken
name|TT_Task|8|4|TK_Active|||2026-01-05 08:00
%R|A3|3|p|done|TT_FinMile|0|0|TK_Complete||||2026-01-05 09:00
%T|UNKNOWN
%R|1
%T|TASKPRED
%F|task_pred_id|task_id|pred_task_id|pred_type|lag_hr_cnt
%R|7|2|1|PR_SS|-1.5
%E
`), "\n%", "\r\n%")))
	if err != nil {
		t.Fatal(err)
	}
	at := worktime.Date(2026, time.January, 5, 8, 0, 0)
	want := []planner.Task{
		{
			ID: "1", Code: "A1", Name: "Pour \"it\"\nwell", ProjectID: "p", Duration: 7*hour + hour/2,
			Remaining: 7*hour + hour/2, Planned: 8 * hour,
			Constraints: []cpm.Constraint{{Type: cpm.StartNoEarlier, Date: at + 2*worktime.Day}},
		},
		{
			ID: "2", Code: "A2", Name: "broken\nname", ProjectID: "p", Duration: 8 * hour, Remaining: 4 * hour,
			Planned: 8 * hour, ActualStart: at, Percent: 50,
			File: planner.Dates{Start: at},
		},
		{
			ID: "3", Code: "A3", Name: "done", ProjectID: "p", Kind: cpm.FinishMilestone, ActualStart: at + hour,
			ActualFinish: at + hour, Percent: 100,
			File: planner.Dates{Finish: at + hour},
		},
	}
	if diff := cmp.Diff(want, p.Tasks); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(
		[]planner.Link{{ID: "7", PredecessorID: "1", SuccessorID: "2", Type: cpm.StartToStart, Lag: -hour - hour/2}},
		p.Links,
	); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestWhatIsLeftOutIsNamed(t *testing.T) {
	t.Parallel()
	p, err := planner.Read(strings.NewReader(xer(`%T|PROJWBS
%F|wbs_id|proj_id|parent_wbs_id|wbs_name|proj_node_flag
%R|1|p||Bridge|Y
%R|2|p|3|around|N
%R|3|p|2|around|N
%T|TASK
%F|task_id|proj_id|wbs_id|clndr_id
%R|1|p|1|c
%R|2|p|9|none
%R|2|p|1|c
%T|TASKPRED
%F|task_pred_id|task_id|pred_task_id|pred_type
%R|1|1|8|PR_FS
%R|2|1|1|PR_FS
%T|TASKRSRC
%F|taskrsrc_id|task_id|rsrc_id
%R|5|1|77
`)))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, w := range p.Warnings {
		got = append(got, w.What)
	}
	if diff := cmp.Diff(
		[]string{"task 2", "task 2", "task 2", "task wbs-2", "link 1", "link 2", "assignment 5"}, got,
	); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if s, err := p.Schedule(); err != nil || len(p.Tasks) != 5 {
		t.Errorf("%d tasks, scheduled %v: %v", len(p.Tasks), s, err)
	}
}

// TestThePlannedFinishIsThatOfATaskThatHasNotBegun reads tasks that P6 has not scheduled.
func TestThePlannedFinishIsThatOfATaskThatHasNotBegun(t *testing.T) {
	t.Parallel()
	p, err := planner.Read(strings.NewReader(xer(`%T|TASK
%F|task_id|proj_id|status_code|act_start_date|act_end_date|early_end_date|reend_date|target_end_date
%R|1|p|TK_NotStart||||2026-01-08 08:00|2026-01-07 08:00
%R|2|p|TK_Active|2026-01-05 08:00|||2026-01-08 08:00|2026-01-07 08:00
%R|3|p|TK_Active|2026-01-05 08:00|||2026-01-08 08:00
%R|4|p|TK_Active|2026-01-05 08:00||||2026-01-07 08:00
%R|5|p|TK_Active|2026-01-05 08:00||2026-01-09 08:00|2026-01-08 08:00|2026-01-07 08:00
%R|6|p|TK_Complete|2026-01-05 08:00|2026-01-06 08:00||2026-01-08 08:00|2026-01-07 08:00
`)))
	if err != nil {
		t.Fatal(err)
	}
	again, warnings := written(t, p, planner.XER, planner.Options{})
	for i, day := range []int{7, 8, 8, 0, 9, 6} {
		var want worktime.Time
		if day > 0 {
			want = worktime.Date(2026, time.January, day, 8, 0, 0)
		}
		got, kept := p.Tasks[i].File.Finish, again.Tasks[i].File.Finish
		if got != want || kept != want {
			t.Errorf("task %s ends %v, and written %v, want %v", p.Tasks[i].ID, got, kept, want)
		}
	}
	if len(warnings) > 0 {
		t.Errorf("it loses %v", warnings)
	}
}

// TestTasksWithoutAProjectGetOne reads an XER without a table of projects, and one
// that lacks one of two.
func TestTasksWithoutAProjectGetOne(t *testing.T) {
	t.Parallel()
	tables := `%T|PROJWBS
%F|wbs_id|proj_id|parent_wbs_id|wbs_name|proj_node_flag
%R|1|q||Bridge|Y
%T|TASK
%F|task_id|proj_id|wbs_id|remain_drtn_hr_cnt|status_code|target_start_date
%R|1|q|1|2|TK_NotStart|2026-01-05 08:00
%R|2||1|2|TK_NotStart|2026-01-06 08:00
`
	whole := xer(tables)
	begin, end := strings.Index(whole, "%T\tPROJECT"), strings.Index(whole, "%T\tPROJWBS")
	made := []planner.Project{
		{ID: "q", Name: "Bridge", CalendarID: "c", Lag: cpm.LagOfPredecessor}, {ID: "1", CalendarID: "c", Lag: cpm.LagOfPredecessor},
	}
	for text, want := range map[string][]planner.Project{
		whole[:begin] + whole[end:]: made[:1], // in a file without projects all tasks are of one
		whole: {{
			ID: "p", Code: "Bridge", Name: "Bridge", CalendarID: "c", Lag: cpm.LagOfPredecessor,
			Start: worktime.Date(2026, time.January, 5, 8, 0, 0), DataDate: worktime.Date(2026, time.January, 5, 8, 0, 0),
		}, made[0], made[1]},
	} {
		p, err := planner.Read(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, p.Projects); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
		var warned []string
		for _, w := range p.Warnings {
			warned = append(warned, w.What)
		}
		if diff := cmp.Diff([]string{"project q", "project 1"}[:min(len(want), 2)], warned); diff != "" {
			t.Errorf("warned (-want +got)\n%s", diff)
		}
		s, err := p.Schedule()
		if err != nil {
			t.Fatal(err)
		}
		// An hour on Monday, an exception, and one a week later.
		if got, want := s.Dates(1).Finish, worktime.Date(2026, time.January, 12, 9, 0, 0); got != want || len(s.Warnings) > 0 {
			t.Errorf("task %s ends %v, want %v; warned of %v", p.Tasks[1].ID, got, want, s.Warnings)
		}
	}
}

// TestTheOnlyProjectOfAFileNeedsNoID reads an XML of P6 whose project has none, and whose
// activities name one, or none either.
func TestTheOnlyProjectOfAFileNeedsNoID(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/MultiprojectWithExternal.xml")
	if err != nil {
		t.Fatal(err)
	}
	nameless := strings.Replace(string(text), "<ObjectId>5494</ObjectId>", "", 1)
	whole, err := planner.Read(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"5494": nameless, "TestProject2": strings.ReplaceAll(nameless, "<ProjectObjectId>5494</ProjectObjectId>", "")} {
		p, err := planner.Read(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Projects) != 1 || p.Projects[0].ID != name || p.Projects[0].CalendarID != whole.Projects[0].CalendarID {
			t.Fatalf("the projects are %+v, want %s", p.Projects, name)
		}
		if !slices.ContainsFunc(p.Warnings, func(w planner.Warning) bool { return w.What == "project "+name }) {
			t.Errorf("warned of %v", p.Warnings)
		}
		for i := range p.Tasks {
			if p.Tasks[i].ProjectID != name {
				t.Errorf("task %s is of project %q", p.Tasks[i].ID, p.Tasks[i].ProjectID)
			}
		}
		if n, err := differing(whole, p); n > 0 || err != nil || len(p.Tasks) != len(whole.Tasks) {
			t.Errorf("%d of %d differ: %v", n, len(p.Tasks), err)
		}
	}
}

func TestACalendarThatNothingCanNameIsLeftOut(t *testing.T) {
	t.Parallel()
	allDay := "(0¦¦CalendarData()((0¦¦DaysOfWeek()((0¦¦2()((0¦¦0(s¦00:00¦f¦00:00)())))))))"
	p, err := planner.Read(strings.NewReader(xer(strings.ReplaceAll(`%T|CALENDAR
%F|clndr_id|clndr_name|clndr_data
%R||nameless|DATA
%R|c|again|DATA
%T|TASK
%F|task_id|proj_id|target_drtn_hr_cnt|remain_drtn_hr_cnt|status_code
%R|1|p|2|2|TK_NotStart
`, "DATA", allDay))))
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Schedule()
	if err != nil {
		t.Fatal(err)
	}
	// The fifth is an exception of the one calendar that has its own name: one hour.
	if got, want := s.Dates(0).Finish, worktime.Date(
		2026, time.January, 12, 9, 0, 0,
	); got != want || len(p.Calendars) != 1 || len(p.Warnings) != 2 {
		t.Errorf("it ends %v, want %v, on %d calendars; warned of %v", got, want, len(p.Calendars), p.Warnings)
	}
}

func TestACalendarThatCannotBeReadIsReplacedWithAWarning(t *testing.T) {
	t.Parallel()
	for _, data := range []string{
		"", "(0¦¦CalendarData()(", "(0¦¦CalendarData()((0¦¦DaysOfWeek()((0¦¦8()()))))",
		"(0¦¦CalendarData()((0¦¦DaysOfWeek()((0¦¦2()((0¦¦0(s¦x¦f¦9:00)())))))))",
	} {
		p, err := planner.Read(strings.NewReader(strings.NewReplacer("|", "\t", "¦", "|").Replace(
			"ERMHDR|1\n%T|CALENDAR\n%F|clndr_id|clndr_data\n%R|c|" + data +
				"\n%T|PROJECT\n%F|proj_id|clndr_id|plan_start_date\n%R|p|c|2026-01-05 00:00\n%T|TASK\n%F|task_id\n%E\n")))
		if err != nil {
			t.Fatal(err)
		}
		s, err := p.Schedule()
		if err != nil || len(p.Warnings)+len(s.Warnings) == 0 {
			t.Errorf("%q: %v, %v, %v", data, p.Warnings, s, err)
		}
	}
}

// mspdi is a file of Microsoft Project with the elements that are given.
func mspdi(elements string) string {
	if !strings.Contains(elements, "<Tasks") {
		elements += "<Tasks/>"
	}
	return "\xEF\xBB\xBF" +
		`<?xml version="1.0" encoding="UTF-8"?><Project xmlns="http://schemas.microsoft.com/project"><StartDate>2026-01-05T08:00:00</StartDate><CalendarUID>1</CalendarUID>` + elements + `</Project>`
}

func TestLagsOfMicrosoftProjectAreInTenthsOfAMinute(t *testing.T) {
	t.Parallel()
	p, err := planner.Read(strings.NewReader(mspdi(`<Tasks>
<Task><UID>1</UID><Name>a</Name><OutlineLevel>1</OutlineLevel><Duration>PT8H0M0S</Duration></Task>
<Task><UID>2</UID><Name>b</Name><OutlineLevel>2</OutlineLevel><Duration>PT8H30M0S</Duration>
<PredecessorLink><PredecessorUID>3</PredecessorUID><Type>0</Type><LinkLag>48000</LinkLag><LagFormat>9</LagFormat></PredecessorLink>
<PredecessorLink><PredecessorUID>3</PredecessorUID><Type>3</Type><LinkLag>-600</LinkLag><LagFormat>38</LagFormat></PredecessorLink>
<PredecessorLink><PredecessorUID>3</PredecessorUID><Type>1</Type><LinkLag>50</LinkLag><LagFormat>19</LagFormat></PredecessorLink>
<PredecessorLink><PredecessorUID>9</PredecessorUID><CrossProject>1</CrossProject></PredecessorLink></Task>
<Task><UID>0</UID><Name>the project</Name></Task><Task><UID>4</UID><IsNull>1</IsNull></Task>
<Task><UID>3</UID><Name>c</Name><OutlineLevel>1</OutlineLevel><Milestone>1</Milestone><Duration>PT0H0M0S</Duration></Task></Tasks>`)))
	if err != nil {
		t.Fatal(err)
	}
	want := []planner.Link{
		{ID: "3-2", PredecessorID: "3", SuccessorID: "2", Type: cpm.FinishToFinish, Lag: 80 * hour},
		{ID: "3-2-2", PredecessorID: "3", SuccessorID: "2", Type: cpm.StartToStart, Lag: -hour, Elapsed: true},
		{ID: "3-2-3", PredecessorID: "3", SuccessorID: "2", Type: cpm.FinishToStart, Lag: 50, Percent: true},
	}
	if diff := cmp.Diff(want, p.Links); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	var tasks []string
	for _, task := range p.Tasks {
		tasks = append(tasks, fmt.Sprint(task.ID, " ", task.ParentID, " ", task.Kind, " ", task.Duration))
	}
	if diff := cmp.Diff([]string{"1  5 28800", "2 1 0 30600", "3  1 0"}, tasks); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if p.Warnings[0].What != "link 9-2" {
		t.Errorf("warned of %v", p.Warnings)
	}
}

// TestMilestonesOfMicrosoftProjectAreOfWhatLeadsToThem puts a milestone behind a day of
// work, or next to it with a lag of a day.
func TestMilestonesOfMicrosoftProjectAreOfWhatLeadsToThem(t *testing.T) {
	t.Parallel()
	evening := worktime.Date(2026, time.January, 5, 12, 0, 0)
	for _, c := range []struct {
		name, number, lag string
		kind              cpm.Kind
		want              worktime.Time
	}{
		{"FS", "1", "0", cpm.FinishMilestone, evening},
		{"FF", "0", "0", cpm.FinishMilestone, evening},
		{"SS", "3", "2400", cpm.StartMilestone, evening + 20*hour},
		{"SF", "2", "2400", cpm.StartMilestone, evening + 20*hour},
	} {
		p, err := planner.Read(strings.NewReader(mspdi("<Calendars>" + mspdiCalendar(1, -1, 2, 3, 4, 5, 6) + `</Calendars><Tasks>
<Task><UID>1</UID><OutlineLevel>1</OutlineLevel><Duration>PT4H0M0S</Duration></Task>
<Task><UID>2</UID><OutlineLevel>1</OutlineLevel><Duration>PT0H0M0S</Duration><Milestone>1</Milestone>
<PredecessorLink><PredecessorUID>1</PredecessorUID><Type>` + c.number + `</Type><LinkLag>` + c.lag +
			`</LinkLag></PredecessorLink></Task></Tasks>`)))
		if err != nil {
			t.Fatal(err)
		}
		s, err := p.Schedule()
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Dates(1).Finish; got != c.want || p.Tasks[1].Kind != c.kind {
			t.Errorf("behind %s a milestone of kind %d is at %v, want kind %d at %v", c.name, p.Tasks[1].Kind, got, c.kind, c.want)
		}
	}
}

// TestAManualTaskWithTextForItsDatesIsNeverCritical has tasks without slack, by hand and not,
// with text, with an empty one and without.
func TestAManualTaskWithTextForItsDatesIsNeverCritical(t *testing.T) {
	t.Parallel()
	var tasks strings.Builder
	texts := []string{
		"", "<StartText>soon</StartText>", "<FinishText/>", "<DurationText></DurationText>", "<StartText>soon</StartText>",
	}
	for i, text := range texts {
		manual := 1
		if i == len(texts)-1 {
			manual = 0
		}
		fmt.Fprintf(&tasks, "<Task><UID>%d</UID><Manual>%d</Manual><OutlineLevel>1</OutlineLevel>"+
			"<Start>2026-01-05T08:00:00</Start>%s<Finish>2026-01-05T12:00:00</Finish><Duration>PT4H0M0S</Duration>"+
			"<DurationFormat>7</DurationFormat></Task>",
			i+1, manual, text)
	}
	calendars := "<Calendars>" + mspdiCalendar(1, -1, 2, 3, 4, 5, 6) + "</Calendars>"
	p, err := planner.Read(strings.NewReader(mspdi(calendars + "<Tasks>" + tasks.String() + "</Tasks>")))
	if err != nil {
		t.Fatal(err)
	}
	again, warnings := written(t, p, planner.MSPDI, planner.Options{})
	if diff := cmp.Diff(p, again, withoutWarnings); diff != "" || len(warnings) > 0 {
		t.Errorf("%v (-read +read again)\n%s", warnings, diff)
	}
	for _, p := range []*planner.Plan{p, again} {
		s, err := p.Schedule()
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []bool{true, false, false, false, true} {
			if d := s.Dates(i); d.Critical != want || d.TotalFloat != 0 {
				t.Errorf("task %d is critical: %v, by a slack of %d", i+1, d.Critical, d.TotalFloat)
			}
		}
	}
}

func TestExceptionsOfMicrosoftProjectRepeat(t *testing.T) {
	t.Parallel()
	p, err := planner.Read(strings.NewReader(mspdi(`<Calendars><Calendar><UID>1</UID><Name>Office</Name><BaseCalendarUID>-1</BaseCalendarUID><WeekDays>
<WeekDay><DayType>2</DayType><DayWorking>1</DayWorking><WorkingTimes><WorkingTime><FromTime>23:00:00</FromTime><ToTime>00:00:00</ToTime></WorkingTime></WorkingTimes></WeekDay>
<WeekDay><DayType>0</DayType><DayWorking>0</DayWorking><TimePeriod><FromDate>2026-01-06T00:00:00</FromDate><ToDate>2026-01-06T23:59:00</ToDate></TimePeriod></WeekDay>
</WeekDays><Exceptions><Exception><TimePeriod><FromDate>2026-01-01T00:00:00</FromDate><ToDate>2030-12-31T23:59:00</ToDate></TimePeriod><Type>3</Type><Month>10</Month><MonthItem>7</MonthItem><MonthPosition>3</MonthPosition><DayWorking>0</DayWorking></Exception></Exceptions></Calendar></Calendars>`)))
	if err != nil {
		t.Fatal(err)
	}
	want := []planner.Calendar{{
		ID: "1", Name: "Office", Week: worktime.Week{time.Monday: {{From: 23 * hour, To: 24 * hour}}},
		Exceptions: []worktime.Exception{{
			First: worktime.Date(2026, time.January, 1, 0, 0, 0), Last: worktime.Date(2030, time.December, 31, 23, 59, 0),
			Hours: worktime.Hours{},
			Repeat: &worktime.Repeat{
				Every: worktime.Yearly, Interval: 1, Month: time.November, Position: 4,
				Weekdays: []time.Weekday{time.Thursday},
			},
		}},
	}}
	if diff := cmp.Diff(want, p.Calendars); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestWhatIsNoPlanIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want error
	}{
		"nothing":             {"", planner.ErrFormat},
		"text":                {"Hello", planner.ErrFormat},
		"another XML":         {"<html></html>", planner.ErrFormat},
		"an MPP":              {"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", planner.ErrMPP},
		"XML that is cut off": {strings.TrimSuffix(mspdi("<Tasks><Task>"), "</Project>"), planner.ErrMalformed},
		"an entity that it makes up": {
			`<!DOCTYPE x [<!ENTITY a "b">]><Project><Name>&a;</Name></Project>`, planner.ErrMalformed,
		},
		"XML that is very deep":  {"<Project><Tasks><Task>" + strings.Repeat("<a>", 200_000), planner.ErrMalformed},
		"a line that never ends": {"ERMHDR\t" + strings.Repeat("x", 17<<20), planner.ErrTooLarge},
	} {
		if p, err := planner.Read(strings.NewReader(c.text)); !errors.Is(err, c.want) || p != nil {
			t.Errorf("%s: %v, %v, want %v", name, p, err, c.want)
		}
	}
}

func TestErrorsAndWarningsQuoteLittleOfTheFile(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 1<<20)
	for name, text := range map[string]string{
		"the name of an element": mspdi("<Tasks><" + long + "\xff></Tasks>"),
		"the first element":      "<" + long + "/>",
		"the encoding":           `<?xml version="1.0" encoding="` + long + `"?><Project/>`,
		"a time":                 xer("%T|TASK\n%F|task_id|early_start_date\n%R|1|" + long + "\n"),
		"the id of a task":       xer("%T|TASK\n%F|task_id|early_start_date\n%R|" + long + "|soon\n"),
		"a span":                 mspdi("<Tasks><Task><UID>1</UID><Duration>" + long + "</Duration></Task></Tasks>"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := planner.Read(strings.NewReader(text))
			if err == nil {
				for _, w := range p.Warnings {
					if len(w.What)+len(w.Text)+len(w.Kind) > 600 || !utf8.ValidString(w.What+w.Text) {
						t.Errorf("a warning has %d bytes: %.100q", len(w.What)+len(w.Text), w)
					}
				}
				return
			}
			if !errors.Is(err, planner.ErrMalformed) && !errors.Is(err, planner.ErrFormat) {
				t.Fatalf("the file is read with %.100v", err)
			}
			if said := err.Error(); len(said) > 600 || !utf8.ValidString(said) {
				t.Errorf("the error has %d bytes: %.100q", len(said), said)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	for _, name := range []string{
		"MultiprojectWithExternal.xer", "MultiprojectWithExternal.xml", "p6-5.0-roles-resources.xer",
	} {
		text, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add(
		xer(
			"%T|TASK\n%F|task_id|proj_id|task_type|remain_drtn_hr_cnt\n%R|1|p|TT_LOE|1\n%R|2|p|TT_Mile|0\n%T|TASKPRED\n%F|task_id|pred_task_id\n%R|1|2\n",
		),
	)
	for _, format := range []planner.Format{planner.XER, planner.MSPDI} {
		var file bytes.Buffer
		if _, err := planner.Write(&file, random(1, format), format); err != nil {
			f.Fatal(err)
		}
		f.Add(file.String())
	}
	f.Add(mspdi("<Tasks><Task><UID>1</UID><OutlineLevel>1</OutlineLevel><Duration>PT8H0M0S</Duration></Task></Tasks>"))
	f.Fuzz(func(t *testing.T, text string) {
		p, err := planner.Read(strings.NewReader(text))
		if err != nil {
			if said := err.Error(); len(said) > 600 {
				t.Fatalf("the error has %d bytes", len(said))
			}
			return
		}
		s, err := p.Schedule()
		if _, cycle := errors.AsType[*cpm.CycleError](err); err != nil && !cycle && !errors.Is(err, cpm.ErrNetwork) &&
			!errors.Is(err, planner.ErrTooLarge) {
			t.Fatal(err)
		}
		for i := range p.Tasks {
			if err == nil {
				s.Dates(i)
			}
		}
	})
}
