package planner_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/planner"
)

// element is one of an XML with what is in it.
type element struct {
	XMLName xml.Name
	Text    string    `xml:",chardata"`
	Below   []element `xml:",any"`
}

// all are the elements of a name directly in one.
func (e *element) all(name string) (some []*element) {
	for i := range e.Below {
		if e.Below[i].XMLName.Local == name {
			some = append(some, &e.Below[i])
		}
	}
	return some
}

// say is the text of the one element of a name directly in one.
func (e *element) say(t *testing.T, name string) string {
	t.Helper()
	all := e.all(name)
	if len(all) != 1 {
		t.Fatalf("%s has %d elements %s", e.XMLName.Local, len(all), name)
	}
	return all[0].Text
}

// writtenXML is a plan as an XML file.
func writtenXML(t *testing.T, p *planner.Plan, f planner.Format) (*element, []planner.Warning) {
	t.Helper()
	var file bytes.Buffer
	warnings, err := planner.Write(&file, p, f)
	if err != nil {
		t.Fatal(err)
	}
	root := new(element)
	if err := xml.Unmarshal(file.Bytes(), root); err != nil {
		t.Fatal(err)
	}
	return root, warnings
}

// asked are plans of all formats: those of testdata, small ones and random ones.
func asked(t *testing.T) map[string]*planner.Plan {
	t.Helper()
	all := plans(t, 10)
	for _, name := range []string{"taskjuggler.xml", "level-of-effort.xer", "names.xer", "for-p6.xml"} {
		all[name] = read(t, "cases/"+name, planner.Options{})
	}
	return all
}

// TestEachTaskOfAnMSPDISaysWhatItIs holds all that is written for Microsoft Project: programs that
// read it take a task for something else that does not say whether it is a milestone, of which type
// it is, what work it takes and how long.
func TestEachTaskOfAnMSPDISaysWhatItIs(t *testing.T) {
	t.Parallel()
	for name, p := range asked(t) {
		root, _ := writtenXML(t, p, planner.MSPDI)
		tasks := 0
		for _, list := range root.all("Tasks") {
			for _, task := range list.all("Task") {
				tasks++
				for _, member := range []string{"Milestone", "Type", "Work", "Duration", "Summary", "OutlineLevel", "OutlineNumber"} {
					if task.say(t, member) == "" {
						t.Errorf("%s: task %s does not say its %s", name, task.say(t, "UID"), member)
					}
				}
				if done := task.say(t, "PercentComplete"); p.Format != planner.MSPDI && len(task.all("ActualFinish")) > 0 && done != "100" {
					t.Errorf("%s: task %s has ended and is done to %s %%", name, task.say(t, "UID"), done)
				}
			}
		}
		if tasks == 0 || tasks < len(p.Tasks)-len(p.Projects) {
			t.Errorf("%s: %d tasks of %d are written", name, tasks, len(p.Tasks))
		}
	}
}

// TestTheWorkOfATaskIsThatOfItsAssignments adds up work, and no material, up to the summaries.
func TestTheWorkOfATaskIsThatOfItsAssignments(t *testing.T) {
	t.Parallel()
	p := parse(t, mspdi("<Tasks><Task><UID>1</UID><Name>above</Name><Summary>1</Summary><OutlineLevel>1</OutlineLevel></Task>"+
		"<Task><UID>2</UID><Name>a</Name><OutlineLevel>2</OutlineLevel><Duration>PT8H0M0S</Duration></Task>"+
		"<Task><UID>3</UID><Name>b</Name><OutlineLevel>2</OutlineLevel><Duration>PT8H0M0S</Duration><Work>PT5H0M0S</Work><Type>2</Type></Task></Tasks>"+
		"<Resources><Resource><UID>1</UID><Name>r</Name><Type>1</Type></Resource><Resource><UID>2</UID><Name>m</Name><Type>0</Type></Resource></Resources><Assignments>"+
		"<Assignment><UID>1</UID><TaskUID>2</TaskUID><ResourceUID>1</ResourceUID><Work>PT6H30M0S</Work></Assignment>"+
		"<Assignment><UID>2</UID><TaskUID>2</TaskUID><ResourceUID>2</ResourceUID><Work>PT99H0M0S</Work></Assignment>"+
		"<Assignment><UID>3</UID><TaskUID>3</TaskUID><ResourceUID>1</ResourceUID><Work>PT4H0M0S</Work></Assignment></Assignments>"))
	root, _ := writtenXML(t, p, planner.MSPDI)
	var got []string
	for _, task := range root.all("Tasks")[0].all("Task") {
		got = append(got, task.say(t, "UID")+" "+task.say(t, "Work")+" "+task.say(t, "Type"))
	}
	if diff := cmp.Diff([]string{"1 PT10H30M0S 1", "2 PT6H30M0S 0", "3 PT5H0M0S 2"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestNamesThatMicrosoftProjectRefusesAreChanged writes resources and calendars with such names next
// to others that have the names that these would get.
func TestNamesThatMicrosoftProjectRefusesAreChanged(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("Öffentliche Feiertage 😀 ", 5)
	p := read(t, "cases/names.xer", planner.Options{})
	for i, name := range []string{"Crew - night (north)", "Crew, night (north)", "[a]", "(a)", "Plain", long, long + "2"} {
		p.Resources = append(p.Resources, planner.Resource{ID: fmt.Sprint(100 + i), Name: name, Type: planner.Human})
		p.Calendars = append(p.Calendars, planner.Calendar{ID: fmt.Sprint(100 + i), Name: name, Week: planner.Standard.Week})
	}
	for _, f := range []planner.Format{planner.XER, planner.MSPDI} { // as one of an XER and as one of a schedule
		q := *p
		q.Format = f
		root, warnings := writtenXML(t, &q, planner.MSPDI)
		var resources, calendars []string
		for _, r := range root.all("Resources")[0].all("Resource") {
			resources = append(resources, r.say(t, "Name"))
		}
		for _, c := range root.all("Calendars")[0].all("Calendar") {
			calendars = append(calendars, c.say(t, "Name"))
		}
		want := []string{"Crew - night (north) 2", "Crew - night (north)", "Crew - night (north) 3", "(a) 2", "(a)", "Plain", strings.TrimSpace(long), strings.TrimSpace(long + "2")}
		if diff := cmp.Diff(want, resources); diff != "" {
			t.Errorf("%s: resources (-want +got)\n%s", f, diff)
		}
		for _, name := range slices.Concat(resources, calendars) {
			if strings.ContainsAny(name, ",[]") || slices.Contains(calendars, name) && len(utf16.Encode([]rune(name))) > 51 {
				t.Errorf("%s: something is called %q", f, name)
			}
		}
		for _, all := range [][]string{resources, calendars} {
			if slices.Sort(all); len(slices.Compact(all)) != len(want) && len(slices.Compact(all)) != len(p.Calendars) {
				t.Errorf("%s: names are not unique: %q", f, all)
			}
		}
		warned := 0
		for _, w := range warnings {
			if strings.HasPrefix(w.Text, "It is called ") {
				warned++
			}
		}
		if warned != 3+5 {
			t.Errorf("%s: %d changed names are warned of: %v", f, warned, warnings)
		}
	}
}

// tables are the rows of an XER by their tables, each by the names of its fields.
func tables(t *testing.T, p *planner.Plan) map[string][]map[string]string {
	t.Helper()
	var file bytes.Buffer
	if _, err := (planner.Options{Page: planner.UTF8}).Write(&file, p, planner.XER); err != nil {
		t.Fatal(err)
	}
	all, name, fields := make(map[string][]map[string]string), "", []string(nil)
	for line := range strings.SplitSeq(file.String(), "\r\n") {
		switch cells := strings.Split(line, "\t"); cells[0] {
		case "%T":
			name = cells[1]
		case "%F":
			fields = cells[1:]
		case "%R":
			row := make(map[string]string)
			for i, field := range fields[:min(len(fields), len(cells)-1)] {
				row[field] = cells[1+i]
			}
			all[name] = append(all[name], row)
		}
	}
	return all
}

// TestAnXERHasWhatP6AsksFor holds all that is written for P6: it refuses rows without these fields, or
// takes something else for them.
func TestAnXERHasWhatP6AsksFor(t *testing.T) {
	t.Parallel()
	for name, p := range asked(t) {
		all := tables(t, p)
		of := func(table, field string) map[string]bool {
			known := make(map[string]bool)
			for _, row := range all[table] {
				known[row[field]] = true
			}
			return known
		}
		said := map[string][]string{
			"ACTVTYPE": {"actv_short_len", "seq_num", "actv_code_type_scope"}, "RCATTYPE": {"rsrc_catg_short_len"}, "PCATTYPE": {"proj_catg_short_len"},
			"RSRC": {"curr_id"}, "CALENDAR": {"day_hr_cnt", "clndr_type", "default_flag"}, "TASK": {"duration_type"},
			"TASKMEMO": {"memo_type_id"}, "WBSMEMO": {"memo_type_id"}, "PROJMEMO": {"memo_type_id"}, "MEMOTYPE": {"task_flag", "seq_num"},
			"CURRTYPE": {"curr_short_name", "decimal_symbol"}, "SCHEDOPTIONS": {"sched_float_type"},
		}
		if p.Format != planner.XER {
			said["TASK"] = append(said["TASK"], "target_start_date", "target_end_date")
		}
		for table, fields := range said {
			for _, row := range all[table] {
				for _, field := range fields {
					if row[field] == "" && (field != "target_start_date" && field != "target_end_date" || row["orig_proj_id"] == "" && !baselined(p, row)) {
						t.Errorf("%s: a row of %s has no %s: %v", name, table, field, row)
					}
				}
			}
		}
		for _, x := range [][4]string{
			{"RSRC", "curr_id", "CURRTYPE", "curr_id"},
			{"TASKMEMO", "memo_type_id", "MEMOTYPE", "memo_type_id"},
			{"WBSMEMO", "memo_type_id", "MEMOTYPE", "memo_type_id"},
			{"PROJMEMO", "memo_type_id", "MEMOTYPE", "memo_type_id"},
		} {
			known := of(x[2], x[3])
			for _, row := range all[x[0]] {
				if !known[row[x[1]]] {
					t.Errorf("%s: %s of %s is %s, which %s does not have", name, x[1], x[0], row[x[1]], x[2])
				}
			}
		}
		for _, row := range all["CALENDAR"] {
			if (row["clndr_type"] == "CA_Project") != (row["proj_id"] != "") {
				t.Errorf("%s: a calendar is of type %s and of project %q", name, row["clndr_type"], row["proj_id"])
			}
		}
	}
}

// baselined reports whether a row is of a task of a baseline, of which a plan may know no dates.
func baselined(p *planner.Plan, row map[string]string) bool {
	return len(p.Baselines) > 0 && !slices.ContainsFunc(p.Tasks, func(t planner.Task) bool { return t.Code == row["task_code"] && t.Name == row["task_name"] })
}

// TestAnXMLOfP6HasWhatP6AsksFor holds all that is written for P6 as XML.
func TestAnXMLOfP6HasWhatP6AsksFor(t *testing.T) {
	t.Parallel()
	for name, p := range asked(t) {
		root, _ := writtenXML(t, p, planner.P6XML)
		currencies := make(map[string]bool)
		for _, c := range root.all("Currency") {
			currencies[c.say(t, "ObjectId")] = c.say(t, "Id") != ""
		}
		for _, r := range root.all("Resource") {
			if id := r.say(t, "CurrencyObjectId"); !currencies[id] {
				t.Errorf("%s: a resource is paid in %q, and the file has %v", name, id, currencies)
			}
		}
		for _, topic := range root.all("NotebookTopic") {
			if topic.say(t, "AvailableForActivity") != "1" {
				t.Errorf("%s: topic %s is for no activity", name, topic.say(t, "Name"))
			}
		}
		scopes := append([]*element{root}, root.all("Project")...)
		for at, scope := range scopes {
			for _, kind := range []string{"ActivityCodeType", "ResourceCodeType", "ProjectCodeType"} {
				for _, c := range scope.all(kind) {
					own := len(c.all("Scope")) > 0 && c.say(t, "Scope") == "Project"
					if own != (at > 0) || own && c.say(t, "ProjectObjectId") != scope.say(t, "ObjectId") || c.say(t, "Length") == "" {
						t.Errorf("%s: a code stands in place %d: %+v", name, at, c.Below)
					}
				}
			}
			for _, c := range scope.all("Calendar") {
				if own := c.say(t, "Type") == "Project"; own != (at > 0) || c.say(t, "HoursPerDay") == "" || c.say(t, "IsDefault") == "" {
					t.Errorf("%s: a calendar stands in place %d: %+v", name, at, c.Below)
				}
			}
			for _, a := range scope.all("Activity") {
				if a.say(t, "DurationType") == "" || p.Format != planner.P6XML && at > 0 && (len(a.all("PlannedStartDate")) == 0 || len(a.all("PlannedFinishDate")) == 0) {
					t.Errorf("%s: activity %s has no type or no planned dates", name, a.say(t, "ObjectId"))
				}
				for _, n := range scope.all("ActivityNote") {
					if n.say(t, "NotebookTopicObjectId") == "" {
						t.Errorf("%s: a note has no topic", name)
					}
				}
			}
		}
	}
}

// TestAPlanOfMicrosoftProjectIsCompleteForP6 has the fields that P6 missed.
func TestAPlanOfMicrosoftProjectIsCompleteForP6(t *testing.T) {
	t.Parallel()
	p := read(t, "cases/for-p6.xml", planner.Options{})
	all := tables(t, p)
	for at, want := range map[string]string{
		"ACTVTYPE actv_short_len": "7", "ACTVTYPE actv_code_type_scope": "AS_Project", "ACTVTYPE proj_id": "1",
		"MEMOTYPE memo_type": "Notes", "RSRC curr_id": "1", "CALENDAR day_hr_cnt": "8", "CALENDAR week_hr_cnt": "40",
		"CALENDAR clndr_type": "CA_Base", "CALENDAR default_flag": "Y", "TASK duration_type": "DT_FixedRate",
		"TASK target_start_date": "2026-01-05 08:00", "TASK target_end_date": "2026-01-09 17:00", "CURRTYPE curr_short_name": "USD",
	} {
		table, field, _ := strings.Cut(at, " ")
		if got := all[table][0][field]; got != want {
			t.Errorf("%s is %q, not %q", at, got, want)
		}
	}
	root, _ := writtenXML(t, p, planner.P6XML)
	project := root.all("Project")[0]
	if len(root.all("ActivityCodeType"))+len(root.all("ActivityCode")) > 0 || project.all("ActivityCode")[0].say(t, "CodeValue") != "North" {
		t.Error("the code of the project stands among those of all")
	}
	if got := project.all("Activity")[0].say(t, "DurationType"); got != "Fixed Units/Time" {
		t.Errorf("the duration is of type %s", got)
	}
}

// TestTheCurrencyOfAPlanGoesWhereThePlanGoes takes plans in euros to all formats.
func TestTheCurrencyOfAPlanGoesWhereThePlanGoes(t *testing.T) {
	t.Parallel()
	filed := read(t, "cases/taskjuggler.xml", planner.Options{})
	for _, from := range formats {
		p, _ := written(t, filed, from, planner.Options{Page: planner.UTF8})
		if got := tables(t, p)["CURRTYPE"][0]; got["curr_short_name"] != "EUR" {
			t.Errorf("from %s as an XER: %v", from, got)
		}
		root, _ := writtenXML(t, p, planner.P6XML)
		if got := root.all("Currency")[0].say(t, "Id"); got != "EUR" {
			t.Errorf("from %s as XML of P6: %s", from, got)
		}
		if root, _ = writtenXML(t, p, planner.MSPDI); root.say(t, "CurrencyCode") != "EUR" {
			t.Errorf("from %s for Microsoft Project: %s", from, root.say(t, "CurrencyCode"))
		}
	}
}

// TestACalendarOfOneProjectStaysIts takes one from an XER to the XML of P6 and back.
func TestACalendarOfOneProjectStaysIts(t *testing.T) {
	t.Parallel()
	p := read(t, "cases/names.xer", planner.Options{})
	for _, f := range []planner.Format{planner.P6XML, planner.XER} {
		p, _ = written(t, p, f, planner.Options{})
		if got := []string{p.Calendars[0].ProjectID, p.Calendars[1].ProjectID}; got[0] != "" || got[1] != "1" {
			t.Errorf("as %s calendars are of projects %q", f, got)
		}
	}
}
