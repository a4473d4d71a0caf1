package planner_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/planner"
)

// outcome is what a file says in the end: when its tasks are, and what it warns of.
func outcome(t *testing.T, p *planner.Plan) []string {
	t.Helper()
	s, err := p.Schedule()
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for i := range p.Tasks {
		if task := &p.Tasks[i]; !strings.HasPrefix(task.ID, "wbs-") {
			d := s.Dates(i)
			lines = append(lines, fmt.Sprintf("%s %v to %v", task.Name, d.Start, d.Finish))
		}
	}
	for _, w := range append(p.Warnings, s.Warnings...) {
		lines = append(lines, w.What+": "+w.Text)
	}
	return lines
}

// TestOddFilesAreReadOrWarnedOf reads the smallest forms of what files of others held.
func TestOddFilesAreReadOrWarnedOf(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"exception-without-day.xer": {
			"A 2026-01-07T07:00:00 to 2026-01-07T17:00:00",
			`calendar 1: An exception of it is left out: "" is no number of a day.`,
		},
		"clock-of-twelve-hours.xer": {"A 2026-01-05T08:00:00 to 2026-01-06T08:00:00"},
		"link-type-with-number.xer": {
			"A 2026-01-05T08:00:00 to 2026-01-16T16:00:00", "B 2026-01-15T08:00:00 to 2026-01-16T16:00:00",
		},
		"link-type-unknown.xer": {
			"A 2026-01-05T08:00:00 to 2026-01-16T16:00:00", "B 2026-01-19T08:00:00 to 2026-01-20T16:00:00",
			`link 500: Its pred_type "PR_XX" is no type of link that is known: it is taken as finish to start.`,
		},
		"dates-of-other-locales.xer": {"A 2026-01-05T08:00:00 to 2026-01-09T16:00:00"},
		"line-ends-of-old-macs.xer": {
			"A 2026-01-05T08:00:00 to 2026-01-09T16:00:00", "B 2026-01-12T08:00:00 to 2026-01-16T16:00:00",
		},
		"one-odd-value.xer": {
			"A 2026-01-05T08:00:00 to 2026-01-09T16:00:00", "B 2026-01-12T08:00:00 to 2026-01-16T16:00:00",
			`task 100: Its phys_complete_pct "n/a" is no number: it is left out.`,
		},
		"number-with-blanks.xer": {"A 2026-01-05T08:00:00 to 2026-01-09T16:00:00"},
		"msp-booleans-in-words.xml": {
			"A 1970-01-01T00:00:00 to 1970-01-01T00:00:00", "B 2026-01-05T08:00:00 to 2026-01-09T17:00:00",
			"C 2026-01-05T08:00:00 to 2026-01-05T08:00:00", "D 2026-02-02T08:00:00 to 2026-02-06T17:00:00",
		},
		"msp-times-with-fractions.xml": {"A 2026-01-05T08:00:00 to 2026-01-09T17:00:00"},
		"msp-control-character.xml": {
			"Pourslab 2026-01-05T08:00:00 to 2026-01-09T17:00:00", "B 2026-01-05T08:00:00 to 2026-01-09T17:00:00",
			"line 1: The character U+0002 is left out: XML does not allow it.",
		},
		"p6-control-character.xml": {
			"Pourslab 2026-01-05T08:00:00 to 2026-01-09T16:00:00", "B 2026-01-12T08:00:00 to 2026-01-16T16:00:00",
			"line 1: The character U+001F is left out: XML does not allow it.",
		},
		"msp-duration-with-comma.xml": {"A 2026-01-05T08:00:00 to 2026-01-05T16:30:00"},
		"msp-duration-in-weeks.xml": {
			"A 2026-01-05T08:00:00 to 2026-02-02T17:00:00",
			`task 1: Its Duration "P1W" counts in days or more: it is taken as 168 hours.`,
		},
		"msp-work-over-midnight.xml": {"A 2026-01-05T08:00:00 to 2026-01-06T02:00:00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(want, outcome(t, read(t, "values/"+name, planner.Options{}))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// physical is how much of the task of an XER is done, in a file whose currency has signs for decimals and
// groups; said are the warnings of it.
func physical(t *testing.T, point, group, number string) (percent float64, said []string) {
	t.Helper()
	currency := "%T|CURRTYPE\n%F|curr_id|decimal_symbol|digit_group_symbol|curr_short_name\n%R|1|" + point + "|" + group + "|USD\n"
	if point == "" {
		currency = ""
	}
	p := parse(t, xer(currency+"%T|TASK\n%F|task_id|proj_id|phys_complete_pct\n%R|1|p|"+number+"\n"))
	for _, w := range p.Warnings {
		said = append(said, w.Text)
	}
	return p.Tasks[0].Physical, said
}

func TestNumbersAreReadAsTheFileWritesThem(t *testing.T) {
	t.Parallel()
	const none = -1
	for _, c := range []struct {
		point, group, text string
		want               float64
		unsure             bool
	}{
		{"", "", "7.5", 7.5, false},
		{"", "", "7,5", 7.5, false},
		{"", "", " 7.5 ", 7.5, false},
		{"", "", "1,040", 1.04, true},
		{"", "", "1 040,5", 1040.5, false},
		{"", "", "1\u00a0040.5", 1040.5, false},
		{"", "", "1'040.5", 1040.5, false},
		{"", "", "1.040,5", 1040.5, false},
		{"", "", "1,040.5", 1040.5, false},
		{"", "", "1.040.000", 1040000, false},
		{"", "", "-1,5", -1.5, false},
		{"", "", "−1.5", -1.5, false},
		{"", "", "+1.5", 1.5, false},
		{"", "", "1.5E+2", 150, false},
		{"", "", "1.040", 1.04, false},
		{"", "", "0,125", 0.125, false},
		{".", ",", "1,040", 1040, false},
		{".", ",", "7,5", 7.5, false},
		{".", ",", "1,040.5", 1040.5, false},
		{".", ",", "0,040", 0.04, false},
		{",", ".", "1.040", 1040, false},
		{",", ".", "1,040", 1.04, false},
		{",", ".", "7.5", 7.5, false},
		{",", " ", "1 040", 1040, false},
		{",", "", "26.667", 26.667, true},
		{"", "", "n/a", none, false},
		{"", "", "1 04", none, false},
		{"", "", "1,04,000", none, false},
		{"", "", "0x10", none, false},
		{"", "", "NaN", none, false},
		{"", "", "Inf", none, false},
		{"", "", "1e300", none, false},
		{"", "", "1_000", none, false},
		{"", "", "-", none, false},
	} {
		got, said := physical(t, c.point, c.group, c.text)
		var want []string
		switch {
		case c.want == none:
			c.want, want = 0, []string{`Its phys_complete_pct "` + c.text + `" is no number: it is left out.`}
		case c.unsure:
			want = []string{fmt.Sprintf(`Its phys_complete_pct %q can be read in two ways: it is taken as %v.`, c.text, c.want)}
		}
		if diff := cmp.Diff(want, said); got != c.want || diff != "" {
			t.Errorf("%q with %q and %q: %v, want %v; warned (-want +got)\n%s", c.text, c.point, c.group, got, c.want, diff)
		}
	}
}

// TestASignThatIsProvenBeforeDecimalsIsNoneOfGroups reads a file whose numbers are not as its currency
// has them.
func TestASignThatIsProvenBeforeDecimalsIsNoneOfGroups(t *testing.T) {
	t.Parallel()
	p := parse(t, xer("%T|CURRTYPE\n%F|curr_id|decimal_symbol|digit_group_symbol\n%R|1|,|.\n%T|TASK\n%F|task_id|proj_id|phys_complete_pct\n%R|1|p|7.5\n%R|2|p|26.667\n"))
	if got := p.Tasks[1].Physical; got != 26.667 || len(p.Warnings) != 1 || p.Warnings[0].What != "task 2" {
		t.Errorf("it is %v, warned of %v", got, p.Warnings)
	}
}

func TestTimesAreReadAsToolsInOtherLanguagesWriteThem(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"2026-01-05 08:00": "", "2026-01-05": "2026-01-05T00:00:00", "2026-01-05T08:00:00": "", "2026-1-5 8:00": "", "2026-01-05 08.00": "",
		"2026/01/05 08:00": "", "2026-01-05T08:00:00.0000000+01:00": "", "2026-01-05T08:00:00Z": "", "2026-01-05T08:00:00.5": "",
		"2026-01-05 08:00 AM": "", "2026-01-05 8:00 PM": "2026-01-05T20:00:00", "05-JAN-26 08:00": "", "5 Jan 2026 08:00": "",
		"Jan 5, 2026 08:00": "", "05-JAN-98": "1998-01-05T00:00:00", "2026-01-05 24:00": "2026-01-06T00:00:00", "05-JAN-2026": "2026-01-05T00:00:00",
		"13/01/2026 08:00": "? 2026-01-13T08:00:00", "01/13/2026": "? 2026-01-13T00:00:00", "05.01.2026 08:00": "? 2026-01-05T08:00:00",
		"0000-00-00": "-", "0000-00-00 00:00": "-", "2026-02-30 08:00": "-", "2026-13-05": "-", "05/01/2026": "-", "soon": "-", "2026-01-05 25:00": "-",
		"2026-01-05 08:61": "-", "29-XXX-24": "-", "2026": "-", "1/2/3": "-", "20260105": "-", "2026-01-05 x": "-",
	} {
		p := parse(t, xer("%T|TASK\n%F|task_id|proj_id|act_start_date|status_code\n%R|1|p|"+text+"|TK_Active\n"))
		got, warned := p.Tasks[0].ActualStart, len(p.Warnings) > 0
		switch {
		case want == "-":
			if got != 0 || !warned {
				t.Errorf("%q is read as %v, warned of %v", text, got, p.Warnings)
			}
			continue
		case want == "":
			want = "2026-01-05T08:00:00"
		}
		rest, unsure := strings.CutPrefix(want, "? ")
		if got.String() != rest || warned != unsure {
			t.Errorf("%q is read as %v, want %v; warned of %v", text, got, want, p.Warnings)
		}
	}
}

func TestHoursOfCalendarsAreReadByAnyClock(t *testing.T) {
	t.Parallel()
	const week = "(0¦¦CalendarData()((0¦¦DaysOfWeek()((0¦¦2()((0¦¦0(s¦FROM¦f¦TO)())(0¦¦1(s¦20:00¦f¦21:00)())))))))"
	for _, c := range []struct{ from, to, want string }{
		{"7:00 AM", "5:00 PM", "[{25200 61200} {72000 75600}]"},
		{"12:00 AM", "12:30 PM", "[{0 45000} {72000 75600}]"},
		{"07.00", "17.30", "[{25200 63000} {72000 75600}]"},
		{"07:00:00.0000000+01:00", "17:00:00Z", "[{25200 61200} {72000 75600}]"},
		{"7 am", "5 p.m.", "[{25200 61200} {72000 75600}]"},
		{"00:00", "24:00", "[{0 86400}]"},
		{"22:00", "02:00", "[{72000 75600} {79200 86400}]"},
		{"7:00 XM", "17:00", "[{72000 75600}]"},
		{"07:00", "25:00", "[{72000 75600}]"},
		{"", "17:00", "[{72000 75600}]"},
		{"13:00 AM", "17:00", "[{72000 75600}]"},
	} {
		data := strings.NewReplacer("FROM", c.from, "TO", c.to).Replace(week)
		p := parse(t, xer("%T|CALENDAR\n%F|clndr_id|clndr_data\n%R|d|"+data+"\n%T|TASK\n%F|task_id\n"))
		if got := fmt.Sprint(p.Calendars[1].Week[1]); got != c.want {
			t.Errorf("from %q to %q: %s, want %s", c.from, c.to, got, c.want)
		}
		if warned := len(p.Warnings) > 1; warned != (c.want == "[{72000 75600}]") {
			t.Errorf("from %q to %q: warned of %v", c.from, c.to, p.Warnings)
		}
	}
}

// TestPartsOfCalendarsThatCannotBeReadAreLeftOutAlone reads a week and exceptions with one fault each.
func TestPartsOfCalendarsThatCannotBeReadAreLeftOutAlone(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"XER": xer("%T|CALENDAR\n%F|clndr_id|clndr_data\n%R|d|(0¦¦CalendarData()((0¦¦DaysOfWeek()((0¦¦9()())(0¦¦2()((0¦¦0(s¦x¦f¦9:00)())(0¦¦1(s¦10:00¦f¦11:00)())))))(0¦¦Exceptions()((0¦¦0(d¦46027)())(0¦¦1(d¦soon)())(0¦¦2()())(0¦¦3(d¦46029)((0¦¦0(s¦y¦f¦z)())(0¦¦0(s¦9:00¦f¦10:00)())))))))\n%T|TASK\n%F|task_id\n"),
		"P6XML": p6(`<Calendar><ObjectId>c</ObjectId></Calendar><Calendar><ObjectId>d</ObjectId><StandardWorkWeek><StandardWorkHours><DayOfWeek>Someday</DayOfWeek></StandardWorkHours>
<StandardWorkHours><DayOfWeek>Monday</DayOfWeek><WorkTime><Start>x</Start><Finish>08:59:00</Finish></WorkTime><WorkTime><Start>10:00:00</Start><Finish>10:59:00</Finish></WorkTime></StandardWorkHours></StandardWorkWeek>
<HolidayOrExceptions><HolidayOrException><Date>2026-01-05T00:00:00</Date></HolidayOrException><HolidayOrException><Date>soon</Date></HolidayOrException><HolidayOrException/>
<HolidayOrException><Date>2026-01-07T00:00:00</Date><WorkTime><Start>y</Start><Finish>z</Finish></WorkTime><WorkTime><Start>09:00:00</Start><Finish>09:59:00</Finish></WorkTime></HolidayOrException></HolidayOrExceptions></Calendar>`, ""),
		"MSPDI": mspdi(`<Calendars><Calendar><UID>c</UID></Calendar><Calendar><UID>d</UID><WeekDays><WeekDay><DayType>9</DayType></WeekDay><WeekDay><DayType>2</DayType><DayWorking>1</DayWorking><WorkingTimes>
<WorkingTime><FromTime>x</FromTime><ToTime>09:00:00</ToTime></WorkingTime><WorkingTime><FromTime>10:00:00</FromTime><ToTime>11:00:00</ToTime></WorkingTime></WorkingTimes></WeekDay></WeekDays>
<Exceptions><Exception><TimePeriod><FromDate>2026-01-05T00:00:00</FromDate><ToDate>2026-01-05T23:59:00</ToDate></TimePeriod><DayWorking>0</DayWorking></Exception>
<Exception><TimePeriod><FromDate>soon</FromDate><ToDate>2026-01-05T23:59:00</ToDate></TimePeriod><DayWorking>0</DayWorking></Exception><Exception><DayWorking>0</DayWorking></Exception>
<Exception><TimePeriod><FromDate>2026-01-07T00:00:00</FromDate><ToDate>2026-01-07T00:00:00</ToDate></TimePeriod><DayWorking>1</DayWorking><WorkingTimes><WorkingTime><FromTime>y</FromTime><ToTime>z</ToTime></WorkingTime>
<WorkingTime><FromTime>09:00:00</FromTime><ToTime>10:00:00</ToTime></WorkingTime></WorkingTimes></Exception></Exceptions></Calendar></Calendars>`),
	} {
		p := parse(t, text)
		c := p.Calendars[1]
		got := fmt.Sprint(c.Week[1])
		for _, x := range c.Exceptions {
			got += fmt.Sprintf(" %v %v", x.First, x.Hours)
		}
		if want := "[{36000 39600}] 2026-01-05T00:00:00 [] 2026-01-07T00:00:00 [{32400 36000}]"; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		warned := 0
		for _, w := range p.Warnings {
			if w.What == "calendar d" {
				warned++
			}
		}
		if warned < 5 {
			t.Errorf("%s: warned of %v", name, p.Warnings)
		}
	}
}

// TestWorkOverMidnightGoesOnOnTheNextDay reads a week of night shifts in each format.
func TestWorkOverMidnightGoesOnOnTheNextDay(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"XER": xer("%T|CALENDAR\n%F|clndr_id|clndr_data\n%R|d|(0¦¦CalendarData()((0¦¦DaysOfWeek()((0¦¦7()((0¦¦0(s¦22:00¦f¦2:00)())))(0¦¦1()((0¦¦0(s¦01:00¦f¦03:00)())))))))\n%T|TASK\n%F|task_id\n"),
		"P6XML": p6(`<Calendar><ObjectId>c</ObjectId></Calendar><Calendar><ObjectId>d</ObjectId><StandardWorkWeek><StandardWorkHours><DayOfWeek>Saturday</DayOfWeek><WorkTime><Start>22:00:00</Start><Finish>01:59:00</Finish></WorkTime></StandardWorkHours>
<StandardWorkHours><DayOfWeek>Sunday</DayOfWeek><WorkTime><Start>01:00:00</Start><Finish>02:59:00</Finish></WorkTime></StandardWorkHours></StandardWorkWeek></Calendar>`, ""),
		"MSPDI": mspdi(`<Calendars><Calendar><UID>c</UID></Calendar><Calendar><UID>d</UID><WeekDays><WeekDay><DayType>7</DayType><DayWorking>1</DayWorking><WorkingTimes><WorkingTime><FromTime>22:00:00</FromTime><ToTime>02:00:00</ToTime></WorkingTime></WorkingTimes></WeekDay>
<WeekDay><DayType>1</DayType><DayWorking>1</DayWorking><WorkingTimes><WorkingTime><FromTime>01:00:00</FromTime><ToTime>03:00:00</ToTime></WorkingTime></WorkingTimes></WeekDay></WeekDays></Calendar></Calendars>`),
	} {
		c := parse(t, text).Calendars[1]
		if got, want := fmt.Sprint(c.Week[6], c.Week[0]), "[{79200 86400}] [{0 10800}]"; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestTruthIsReadByAnyWord reads an inactive task, and the milestone of another format.
func TestTruthIsReadByAnyWord(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]bool{
		"1": true, "true": true, "TRUE": true, "Y": true, "yes": true, " 1 ": true, "-1": true,
		"0": false, "false": false, "N": false, "no": false, "": false, "perhaps": false,
	} {
		m := parse(t, mspdi("<Tasks><Task><UID>1</UID><Manual>"+word+"</Manual><IgnoreResourceCalendar>"+word+"</IgnoreResourceCalendar></Task></Tasks>"))
		x := parse(t, xer("%T|SCHEDOPTIONS\n%F|proj_id|sched_open_critical_flag\n%R|p|"+word+"\n%T|TASK\n%F|task_id|proj_id\n%R|1|p\n"))
		p := parse(t, p6("", "<ScheduleOptions><MakeOpenEndedActivitiesCritical>"+word+"</MakeOpenEndedActivitiesCritical></ScheduleOptions>"))
		got := []bool{m.Tasks[0].Manual, !m.Tasks[0].ResourceCalendars, x.Projects[0].OpenEndsCritical, p.Projects[0].OpenEndsCritical}
		if diff := cmp.Diff([]bool{want, want, want, want}, got); diff != "" {
			t.Errorf("%q (-want +got)\n%s", word, diff)
		}
		for _, plan := range []*planner.Plan{m, x, p} {
			if warned := strings.Contains(fmt.Sprint(plan.Warnings), "perhaps"); warned != (word == "perhaps") {
				t.Errorf("%q: warned of %v", word, plan.Warnings)
			}
		}
	}
}
