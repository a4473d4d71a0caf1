package planner_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/heapgauge"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
)

// repeated is a text, then another one again and again, and a third one at the end.
type repeated struct {
	begin, again, end string
	times             int
	left              string
	stage             int
}

func (r *repeated) Read(b []byte) (int, error) {
	for r.left == "" {
		switch {
		case r.stage == 0:
			r.left, r.stage = r.begin, 1
		case r.times > 0:
			n := min(r.times, 1000)
			r.left, r.times = strings.Repeat(r.again, n), r.times-n
		case r.stage == 1:
			r.left, r.stage = r.end, 2
		default:
			return 0, io.EOF
		}
	}
	n := copy(b, r.left)
	r.left = r.left[n:]
	return n, nil
}

// TestHostileFilesEndSoonAndSmall reads files that would take up memory and time without
// bounds.
//
//nolint:paralleltest // it measures memory
func TestHostileFilesEndSoonAndSmall(t *testing.T) {
	xml := `<Project xmlns="http://schemas.microsoft.com/project">`
	pmxml := `<APIBusinessObjects><Project><ObjectId>1</ObjectId><DataDate>2026-01-05T08:00:00</DataDate>`
	for name, c := range map[string]struct {
		file   repeated
		memory int64 // in MiB that are held at a time
		want   error
	}{
		"an element without an end": {
			repeated{begin: xml + "<Title>", again: "xxxxxxxxxx", times: 100_000_000}, 100, planner.ErrTooLarge,
		},
		"an attribute without an end": {
			repeated{begin: xml + `<Title a="`, again: "xxxxxxxxxx", times: 100_000_000}, 100, planner.ErrTooLarge,
		},
		"a comment without an end": {
			repeated{begin: xml + "<!--", again: "< > - < >", times: 100_000_000}, 100, planner.ErrTooLarge,
		},
		"elements that go down and down": {repeated{begin: xml, again: "<a>", times: 100_000_000}, 50, planner.ErrMalformed},
		"a calendar of shifts": {
			repeated{
				begin: xml + "<Calendars><Calendar><UID>1</UID><WeekDays><WeekDay><DayType>1</DayType><WorkingTimes>",
				again: "<WorkingTime/>", times: 100_000_000,
			}, 150, planner.ErrTooLarge,
		},
		"tasks without an end": {
			repeated{begin: xml + "<Tasks>", again: "<Task><UID>1</UID></Task>", times: 100_000_000},
			2000,
			planner.ErrTooLarge,
		},
		"a line without an end": {
			repeated{begin: "ERMHDR\t1\n%T\tTASK\n%F\ttask_id\n%R\t", again: "xxxxxxxxxx", times: 100_000_000},
			100,
			planner.ErrTooLarge,
		},
		"a row without an end": {
			repeated{begin: "ERMHDR\t1\n%T\tTASK\n%F\ttask_id\n%R\t1\n", again: "\nx", times: 100_000_000},
			100,
			planner.ErrTooLarge,
		},
		"a row of fields": {
			repeated{begin: "ERMHDR\t1\n%T\tTASK\n%F\ttask_id\n%R\t1\n", again: "\t", times: 10_000_000, end: "\n%E\n"},
			100, planner.ErrMalformed,
		},
		"names of fields": {
			repeated{begin: "ERMHDR\t1\n%T\tTASK\n%F", again: "\tx", times: 1_000_000, end: "\n%E\n"},
			100,
			planner.ErrMalformed,
		},
		"links to nothing": {
			repeated{begin: "ERMHDR\t1\n%T\tTASK\n%F\ttask_id\n%R\t1\n%T\tTASKPRED\n%F\ttask_pred_id\ttask_id\n", again: "%R\t1\t2\n", times: 300_000},
			150, nil,
		},
		"kinds of elements": {
			repeated{begin: pmxml, again: "<Code/>", times: 300_000, end: "</Project></APIBusinessObjects>"}, 100, nil,
		},
		"a calendar without its ends": {
			repeated{
				begin: "ERMHDR\t1\n%T\tCALENDAR\n%F\tclndr_id\tclndr_data\n%R\t1\t", again: "(0||1()(", times: 1_000_000,
				end: "\n%T\tTASK\n%F\ttask_id\n%R\t1\n",
			},
			100, nil,
		},
	} {
		if testing.Short() && c.memory > 100 {
			continue
		}
		type answer struct {
			plan *planner.Plan
			err  error
		}
		read, held := heapgauge.Peak(t, func() answer {
			p, err := planner.Read(&c.file)
			return answer{p, err}
		})
		p, err := read.plan, read.err
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
		if p != nil && len(p.Warnings) > planner.MaxWarnings {
			t.Errorf("%s: %d warnings", name, len(p.Warnings))
		}
		if held >>= 20; held > c.memory {
			t.Errorf("%s: it holds %d MiB at a time, more than %d", name, held, c.memory)
		}
	}
}

func TestCalendarsThatWouldTakeUpTheMemoryAreRefused(t *testing.T) {
	t.Parallel()
	long := "<Exception><TimePeriod><FromDate>1900-01-01T00:00:00</FromDate><ToDate>2170-01-01T00:00:00</ToDate></TimePeriod><Type>1</Type><DayWorking>0</DayWorking></Exception>"
	var calendars strings.Builder
	for i := range 60 {
		fmt.Fprintf(
			&calendars,
			"<Calendar><UID>%d</UID><BaseCalendarUID>-1</BaseCalendarUID><Exceptions>%s</Exceptions></Calendar>", i+1,
			long,
		)
	}
	for name, text := range map[string]string{
		"many calendars of long exceptions": calendars.String(),
		"a calendar of many of them": "<Calendar><UID>1</UID><BaseCalendarUID>-1</BaseCalendarUID><Exceptions>" +
			strings.Repeat(long, 60) + "</Exceptions></Calendar>",
	} {
		p, err := planner.Read(strings.NewReader(mspdi("<Calendars>" + text + "</Calendars>")))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Schedule(); !errors.Is(err, planner.ErrTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTasksOfVeryManyProjectsShareOne(t *testing.T) {
	t.Parallel()
	var file strings.Builder
	file.WriteString("ERMHDR\t1\n%T\tTASK\n%F\ttask_id\tproj_id\n")
	for n := range 3000 {
		fmt.Fprintf(&file, "%%R\t%d\tp%[1]d\n", n)
	}
	p, err := planner.Read(strings.NewReader(file.String()))
	if err != nil || len(p.Projects) != 1000 || len(p.Tasks) != 3000 || p.Tasks[2999].ProjectID != "p999" {
		t.Errorf("%d projects, %d tasks, %v", len(p.Projects), len(p.Tasks), err)
	}
}

func TestTasksThatLieVeryDeepAreMovedUp(t *testing.T) {
	t.Parallel()
	var tasks strings.Builder
	const depth = 5000
	for i := range depth {
		fmt.Fprintf(&tasks, "<Task><UID>%d</UID><OutlineLevel>%[1]d</OutlineLevel><Duration>PT8H0M0S</Duration></Task>", i+1)
	}
	p, err := planner.Read(strings.NewReader(mspdi("<Tasks>" + tasks.String() + "</Tasks>")))
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Tasks) != depth || len(p.Warnings) == 0 {
		t.Errorf("%d tasks, %d warnings", len(p.Tasks), len(p.Warnings))
	}
	if _, err := p.Schedule(); err != nil {
		t.Error(err)
	}
}
