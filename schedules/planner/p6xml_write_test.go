package planner_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/dated"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// dates are the tasks of a plan as its analyses see them, with those of its baselines, except
// for what is above tasks and where all of them are in their lists.
func dates(t *testing.T, p *planner.Plan) map[string]dated.Task {
	t.Helper()
	s, err := p.Schedule()
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]dated.Task)
	put := func(of string, d *dated.Plan) {
		for i := range d.Tasks {
			x := d.Tasks[i]
			if x.Parent, x.Node, x.Project, x.Calendar = 0, 0, 0, nil; x.Kind != cpm.Summary {
				all[of+x.ID] = x
			}
		}
	}
	put("", s.Dated())
	for i := range p.Baselines {
		put(p.Baselines[i].ID+" ", s.DatedBaseline(&p.Baselines[i]))
	}
	return all
}

// TestAnalysesOfAWrittenXMLOfP6AreThoseOfTheOriginal writes plans of P6 as its XML.
func TestAnalysesOfAWrittenXMLOfP6AreThoseOfTheOriginal(t *testing.T) {
	t.Parallel()
	for name, p := range plans(t, 20) {
		if p.Format == planner.MSPDI {
			continue // its dates are compared where all conversions are
		}
		p, _ = written(t, p, p.Format, planner.Options{Page: planner.UTF8}) // in the order of a file
		q, warnings := written(t, p, planner.P6XML, planner.Options{Page: planner.UTF8})
		if diff := cmp.Diff(dates(t, p), dates(t, q), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %v (-want +got)\n%s", name, warnings, diff)
		}
	}
}

func TestHostileNamesStayWithinTheirElementsInXMLOfP6(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		`</Name><ObjectId>9</ObjectId>`: `</Name><ObjectId>9</ObjectId>`,
		`]]>&amp;&#0;<!--`:              `]]>&amp;&#0;<!--`,
		`"'<?xml?>` + "\r\n\tx":         `"'<?xml?>` + "\n x",
		"a\x00b\x1b\u0085\ufffe\ufeffc": "abc",
		"bad \xff\xfe bytes":            "bad \ufffd bytes",
		"  around\u00a0":                "around",
	} {
		p := small()
		p.Projects[0].Name, p.Tasks[0].Code, p.Tasks[1].Name = name, name, name
		p.Tasks[1].Notes = []planner.Note{{Topic: name, Text: name}}
		p.Resources = []planner.Resource{{ID: "r", Name: name, Type: planner.Material, Unit: name}}
		q, _ := written(t, p, planner.P6XML, planner.Options{})
		got := []string{
			q.Projects[0].Name, q.Tasks[0].Name, q.Tasks[1].Name, q.Tasks[1].Notes[0].Topic, q.Tasks[1].Notes[0].Text,
			q.Resources[0].Name, q.Resources[0].Unit,
		}
		wanted := []string{want, "", want, want, want, want, want}
		if q.Tasks[0].Kind == cpm.Summary {
			got[1], wanted[1] = q.Tasks[0].Code, want
		}
		if diff := cmp.Diff(wanted, got); diff != "" || len(q.Tasks) != len(p.Tasks) || len(q.Projects) != 2 {
			t.Errorf("%q: %d tasks, %d projects (-want +got)\n%s", name, len(q.Tasks), len(q.Projects), diff)
		}
	}
}

func TestAPlanIsTheSameXMLOfP6EachTime(t *testing.T) {
	t.Parallel()
	for name, p := range plans(t, 3) {
		var first bytes.Buffer
		for range 3 {
			var file bytes.Buffer
			if _, err := planner.Write(&file, p, planner.P6XML); err != nil {
				t.Fatal(err)
			}
			if first.Len() == 0 {
				first = file
			} else if !bytes.Equal(first.Bytes(), file.Bytes()) {
				t.Errorf("%s is not the same", name)
			}
		}
	}
}

// TestWhatXMLOfP6DoesNotHoldIsNamed writes what another tool has.
func TestWhatXMLOfP6DoesNotHoldIsNamed(t *testing.T) {
	t.Parallel()
	monday := worktime.Date(2026, 1, 5, 8, 0, 0)
	p := &planner.Plan{
		Format:    planner.MSPDI,
		Projects:  []planner.Project{{ID: "1", Name: "One", Start: monday, CalendarID: "c"}},
		Calendars: []planner.Calendar{{ID: "c", Week: worktime.EachWeekday(worktime.Hours{{From: 8 * hour, To: 16*hour + 4*60}})}},
		Tasks: []planner.Task{
			{ID: "1", ProjectID: "1", Kind: cpm.Summary, Notes: []planner.Note{{Text: "kept"}}, Deadline: monday},
			{
				ID: "2", ProjectID: "1", ParentID: "1", Deadline: monday, Manual: true, Inactive: true, Elapsed: true,
				Duration: hour, Remaining: hour, Planned: hour, ActualStart: monday, File: planner.Dates{Start: monday + hour},
				Values: []planner.Value{{FieldID: "f", Flag: true}},
			},
			{ID: "3", ProjectID: "1", Kind: cpm.ShortHammock},
		},
		Links: []planner.Link{
			{ID: "1", PredecessorID: "1", SuccessorID: "3"},
			{ID: "2", PredecessorID: "2", SuccessorID: "3", Percent: true, Elapsed: true, Lag: 50},
		},
		UserFields: []planner.UserField{{ID: "f", Name: "Flag", Of: planner.OfTasks, Family: planner.FlagField}},
		Resources: []planner.Resource{
			{ID: "r", Type: planner.Cost, Rates: []planner.Rate{{Overtime: 1}}},
		},
		Assignments: []planner.Assignment{{ID: "a", TaskID: "1", ResourceID: "r"}},
		Expenses:    []planner.Expense{{ID: "e", TaskID: "1"}},
		Tables:      []planner.Table{{Name: "Task", Fields: []string{"UID", "Priority"}, Rows: []string{"2\t500"}}},
	}
	q, warnings := written(t, p, planner.P6XML, planner.Options{})
	var got []string
	for _, w := range warnings {
		if w.What != "dates" {
			got = append(got, w.What+": "+w.Text)
		}
	}
	want := []string{
		"assignment a: It is left out: a node of the WBS has no assignments.",
		"calendar c, c, c, c, c: Work of it ends a minute sooner: P6 would take its end for the last minute of it.",
		"expense e: It is left out: a node of the WBS has none.",
		"link 2: Its lag is one of working time.",
		"link 2: Its lag is so many hours, and no share of a duration.",
		"link 1: It is left out: P6 has no links of nodes of the WBS.",
		"resource r: It is material: P6 has no resources that are costs.",
		"resource r: What it costs overtime and for each use, and until when, is left out.",
		"table Task: Columns that have no place there were dropped.",
		"task 1: Its constraints and its deadline are left out: a node of the WBS has none.",
		"task 2: Its deadline is left out: P6 has none.",
		"task 3: It is a level of effort, which spans all that it is linked to.",
		"task 2: It counts: P6 has no inactive tasks.",
		"task 2: It is on a calendar that works day and night.",
		"task 2: It is scheduled by its links: P6 keeps no task where it is put.",
		"task 2: It is shown where it has begun and ended.",
		"user field f: It is of text: P6 has no fields of its type.",
	}
	if diff := cmp.Diff(want, got, cmpopts.SortSlices(strings.Compare)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if n := q.Tasks[0].Notes; len(n) != 1 || n[0].Text != "kept" {
		t.Errorf("the notes of a node are %v", n)
	}
}

// TestNodesOfXMLOfP6HaveTheirCodes reads a node, whose code is text where those of other items
// are elements, and a value of a user field for what has no fields here.
func TestNodesOfXMLOfP6HaveTheirCodes(t *testing.T) {
	t.Parallel()
	p := parse(t, `<APIBusinessObjects><UDFType><ObjectId>1</ObjectId><SubjectArea>Risk</SubjectArea>
<DataType>Text</DataType></UDFType><Project><ObjectId>1</ObjectId><DataDate>2026-01-05T08:00:00</DataDate>
<WBS><ObjectId>7</ObjectId><Code>A.1</Code><Name>Deck</Name></WBS>
<Activity><ObjectId>8</ObjectId><WBSObjectId>7</WBSObjectId>
<UDF><TypeObjectId>1</TypeObjectId><TextValue>x</TextValue></UDF></Activity></Project></APIBusinessObjects>`)
	if p.Tasks[0].Code != "A.1" || len(p.Tasks[1].Values) != 0 {
		t.Errorf("the code is %q, the values are %v", p.Tasks[0].Code, p.Tasks[1].Values)
	}
	for _, f := range formats {
		written(t, p, f, planner.Options{})
	}
}
