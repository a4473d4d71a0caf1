package plantest

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// named is a plan whose records are known by names, with what it has of each by the members of
// package planner, such as Task.Priority.
type named struct {
	*planner.Plan

	names  map[string]string // of records, by their kinds and ids
	values map[string]string // by members and names
}

// Differences are what of a plan another one says otherwise, an example of each by the
// members of package planner. Ids are not compared, but what they name.
func Differences(was, is *planner.Plan) map[string]string {
	a, b := read(was), read(is)
	out := make(map[string]string)
	for key, values := range a.values {
		if other, ok := b.values[key]; !ok || other != values {
			put(out, key, values, other)
		}
	}
	for key, values := range b.values {
		if _, ok := a.values[key]; !ok {
			put(out, key, "", values)
		}
	}
	return out
}

// put notes a difference of a member, and of several the first by name.
func put(out map[string]string, key, was, is string) {
	member, name, _ := strings.Cut(key, "\x00")
	text := fmt.Sprintf("%s: %q, then %q", name, was, is)
	if known, ok := out[member]; !ok || text < known {
		out[member] = text
	}
}

func read(p *planner.Plan) *named {
	n := &named{Plan: p, names: make(map[string]string), values: make(map[string]string)}
	n.name()
	skip := n.roots()
	n.list(reflect.ValueOf(p.Projects), func(int) string { return "the project" })
	n.list(reflect.ValueOf(p.Calendars), func(i int) string { return n.of("Calendar", p.Calendars[i].ID) })
	n.list(reflect.ValueOf(p.Tasks), func(i int) string {
		if skip[p.Tasks[i].ID] {
			return ""
		}
		return n.of("Task", p.Tasks[i].ID)
	})
	n.list(reflect.ValueOf(p.Links), func(i int) string {
		return n.of("Task", p.Links[i].PredecessorID) + " before " + n.of("Task", p.Links[i].SuccessorID)
	})
	n.list(reflect.ValueOf(p.Resources), func(i int) string { return n.of("Resource", p.Resources[i].ID) })
	n.list(reflect.ValueOf(p.Assignments), func(i int) string {
		return n.of("Resource", p.Assignments[i].ResourceID) + " at " + n.of("Task", p.Assignments[i].TaskID)
	})
	n.list(reflect.ValueOf(p.Codes), func(i int) string { return n.of("Code", p.Codes[i].ID) })
	n.list(reflect.ValueOf(p.CodeValues), func(i int) string { return n.of("CodeValue", p.CodeValues[i].ID) })
	n.list(reflect.ValueOf(p.UserFields), func(i int) string { return n.of("Field", p.UserFields[i].ID) })
	n.list(reflect.ValueOf(p.Accounts), func(i int) string { return n.of("Account", p.Accounts[i].ID) })
	n.list(reflect.ValueOf(p.Expenses),
		func(i int) string { return p.Expenses[i].Name + " of " + n.of("Task", p.Expenses[i].TaskID) })
	n.list(reflect.ValueOf(p.Baselines), func(i int) string { return p.Baselines[i].Name })
	return n
}

func (n *named) of(sort, id string) string { return n.names[sort+"\x00"+id] }

// name finds the names of records.
func (n *named) name() {
	set := func(sort, id, name string) { n.names[sort+"\x00"+id] = name }
	for i, x := range n.Projects {
		set("Project", x.ID, fmt.Sprint("project ", i+1))
	}
	for _, x := range n.Calendars {
		set("Calendar", x.ID, x.Name)
	}
	skip := n.roots()
	for _, x := range n.Tasks {
		if !skip[x.ID] {
			set("Task", x.ID, strings.TrimPrefix(n.of("Task", x.ParentID)+"/"+x.Name, "/"))
		}
	}
	for _, x := range n.Resources {
		set("Resource", x.ID, x.Name)
	}
	for _, x := range n.Codes {
		set("Code", x.ID, x.Name)
	}
	for _, x := range n.CodeValues {
		set("CodeValue", x.ID, n.of("Code", x.CodeID)+"/"+x.Name)
	}
	for _, x := range n.UserFields {
		set("Field", x.ID, fmt.Sprint(x.Of, " ", x.Nodes, " ", x.Name))
	}
	for _, x := range n.Accounts {
		set("Account", x.ID, x.Code)
	}
	for _, b := range n.Baselines {
		for _, x := range b.Tasks { // Microsoft Project has them by the ids of the plan
			if n.of("Task", x.ID) == "" {
				set("Task", x.ID, b.Name+"/"+x.Name)
			}
		}
	}
}

// roots are the nodes that stand for whole projects, which some formats have.
func (n *named) roots() map[string]bool {
	roots := make(map[string]bool)
	for _, x := range n.Tasks {
		stands := slices.ContainsFunc(n.Projects,
			func(p planner.Project) bool { return p.ID == x.ProjectID && (p.Name == x.Name || p.Code == x.Code) })
		roots[x.ID] = x.ParentID == "" && x.Kind == cpm.Summary && stands && n.Format != planner.MSPDI
	}
	return roots
}

// list adds each of a slice of structs. One without a name is left out; names that are not
// unique get numbers.
func (n *named) list(v reflect.Value, name func(i int) string) {
	seen := make(map[string]int)
	for i := range v.Len() {
		of := name(i)
		if of == "" {
			continue
		}
		if seen[of]++; seen[of] > 1 {
			of = fmt.Sprint(of, " ", seen[of])
		}
		n.object(v.Index(i), of)
	}
}

// references are the members that name other records, and the kind of these.
var references = map[string]string{
	"ProjectID": "Project", "CalendarID": "Calendar", "BaseID": "Calendar", "TaskID": "Task", "PredecessorID": "Task",
	"SuccessorID": "Task", "ResourceID": "Resource",
	"AccountID": "Account", "CodeID": "Code", "FieldID": "Field", "CodeValueIDs": "CodeValue",
}

// object adds one record.
func (n *named) object(v reflect.Value, of string) {
	t := v.Type()
	for f := range t.Fields() {
		member := t.Name() + "." + f.Name
		x := v.FieldByIndex(f.Index)
		switch {
		case f.Name == "ID":
		case f.Type == reflect.TypeFor[planner.Dates]():
			n.object(x, of)
		case f.Name == "ParentID":
			sort := t.Name()
			n.values[member+"\x00"+of] = n.of(sort, x.String())
		default:
			if text := n.text(x, references[f.Name]); text != "" {
				n.values[member+"\x00"+of] = text
			}
		}
	}
}

// unordered are what lists hold whose order says nothing.
var unordered = map[reflect.Type]bool{
	reflect.TypeFor[planner.Value](): true, reflect.TypeFor[planner.BaselineTask](): true,
	reflect.TypeFor[planner.Link](): true,
}

// text is a value as text, empty for none.
func (n *named) text(v reflect.Value, sort string) string {
	switch v.Kind() {
	case reflect.String:
		if sort != "" {
			return n.of(sort, v.String())
		}
		return v.String()
	case reflect.Pointer:
		if v.IsNil() {
			return ""
		}
		return n.text(v.Elem(), sort)
	case reflect.Slice:
		var all []string
		for i := range v.Len() {
			all = append(all, n.text(v.Index(i), sort))
		}
		if t := v.Type().Elem(); unordered[t] || sort != "" {
			slices.Sort(all)
		}
		return strings.Join(all, "; ")
	case reflect.Struct:
		var all []string
		for f := range v.Type().Fields() {
			if f.Name != "ID" {
				all = append(all, n.text(v.FieldByIndex(f.Index), references[f.Name]))
			}
		}
		return strings.TrimRight(strings.Join(all, ", "), ", ")
	case reflect.Float64:
		return number(v.Float())
	}
	if t, ok := reflect.TypeAssert[worktime.Time](v); ok && t != 0 {
		return t.String()
	}
	if v.IsZero() {
		return ""
	}
	return fmt.Sprint(v.Interface())
}

// number is a number without what calculations add to it.
func number(f float64) string {
	if f = math.Round(f*1e6) / 1e6; f == 0 {
		return ""
	}
	return fmt.Sprint(f)
}
