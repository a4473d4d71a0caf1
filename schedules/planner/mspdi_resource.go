package planner

import (
	"encoding/xml"
	"strconv"
	"strings"
)

// mspdiResources are the types of resources by their numbers.
var mspdiResources = map[string]ResourceType{"0": Material, "1": Human, "2": Cost}

// resource reads a resource with its rates. When there is how much of it is left out with
// a warning: a plan knows one amount.
func (m *mspdi) resource(xml.StartElement) error {
	x, f, codes, values, err := m.item("resource")
	if err != nil {
		return err
	}
	if x["IsNull"] == "1" || x["Name"] == "" { // a blank line, and no resource
		return nil
	}
	r := Resource{
		ID: x.take("UID"), ExternalID: x.take("GUID"), Code: first(x.take("Code"), x["ID"]), Name: x.take("Name"),
		Type: mspdiResources[first(x.take("Type"), "1")], CalendarID: uid(x.take("CalendarUID")),
		Email: x.take("EmailAddress"),
		Unit:  x.take("MaterialLabel"), CodeValueIDs: codes, Values: values,
	}
	if n, ok := m.note("resource "+r.ID, "", x.take("Notes")); ok {
		r.Notes = []Note{n}
	}
	if len(m.below["Baseline"]) > 0 {
		m.warn("resource "+r.ID, "Its baselines are left out.")
	}
	var most float64
	f.number(&most, x.take("MaxUnits"))
	r.Rates = f.rates(m.below["Rate"], x, most)
	m.available(r.ID, most)
	delete(x, "IsNull")
	m.keep("Resource", "UID", r.ID, x)
	m.Resources = append(m.Resources, r)
	return f.of("resource", r.ID)
}

// available names what is left out of when there is how much of a resource.
func (m *mspdi) available(resource string, most float64) {
	for _, a := range m.below["AvailabilityPeriod"] {
		var f fields
		var units float64
		if f.number(&units, a["AvailableUnits"]); len(m.below["AvailabilityPeriod"]) > 1 || units != most {
			m.warn("resource "+resource, "When there is how much of it is left out.")
			return
		}
	}
}

// never is how Microsoft Project writes the ends of time: rates hold from 1984 to 2049.
const firstDay, lastDay = "1984-01-01T00:00:00", "2049-12-31T23:59:00"

// rates reads what a resource costs: from the tables of its rates, or else from its
// own members, those of an hour in the currency, those of a use in hundredths.
func (f *fields) rates(tables []members, x members, most float64) (all []Rate) {
	standard, overtime, use := x.take("StandardRate"), x.take("OvertimeRate"), x.take("CostPerUse")
	for _, t := range tables {
		r := Rate{MaxUnits: most}
		table, err := strconv.Atoi(first(t["RateTable"], "0"))
		if r.Table = table; err != nil || table < 0 || table > 4 {
			f.failed(strconv.ErrRange)
			continue
		}
		if from := t["RatesFrom"]; from != firstDay {
			f.time(&r.From, from)
		}
		if to := t["RatesTo"]; to != lastDay {
			f.time(&r.To, to)
		}
		f.number(&r.Price, t["StandardRate"])
		f.number(&r.Overtime, t["OvertimeRate"])
		f.cents(&r.PerUse, t["CostPerUse"])
		all = append(all, r)
	}
	if len(all) > 0 {
		sortRates(all)
		return all
	}
	r := Rate{MaxUnits: most}
	f.number(&r.Price, standard)
	f.number(&r.Overtime, overtime)
	if f.cents(&r.PerUse, use); r != (Rate{}) {
		all = []Rate{r}
	}
	return all
}

// unassigned is the resource of assignments without one.
const unassigned = "-65535"

// assignment reads which resource works on which task. Work is given in time, which is
// hours of units here.
func (m *mspdi) assignment(xml.StartElement) error {
	m.phases = phases{}
	x, f, _, values, err := m.item("assignment")
	if err != nil {
		return err
	}
	a := Assignment{
		ID: x.take("UID"), TaskID: x.take("TaskUID"), ResourceID: x.take("ResourceUID"), ExternalID: x.take("GUID"),
	}
	m.phase(a.TaskID)
	switch {
	case a.ResourceID == "" || a.ResourceID == unassigned:
		return nil
	case a.TaskID == "0":
		m.warn("assignment "+a.ID, "It is left out: it is of the project itself.")
		return nil
	}
	if len(values)+len(m.below["Baseline"]) > 0 {
		m.warn("assignment "+a.ID, "Its values of user fields and its baselines are left out.")
	}
	m.works(&f, &a, x)
	f.number(&a.UnitsPerTime, x.take("Units"))
	f.tenths(&a.Delay, x.take("Delay"))
	f.cents(&a.Costs.Planned, x.take("Cost"))
	f.cents(&a.Costs.Actual, x.take("ActualCost"))
	f.cents(&a.Costs.Remaining, x.take("RemainingCost"))
	f.time(&a.Start, first(x.take("Start"), x.take("start"))) // as TaskJuggler has it
	f.time(&a.Finish, first(x.take("Finish"), x.take("finish")))
	f.time(&a.ActualStart, x.take("ActualStart"))
	f.time(&a.ActualFinish, x.take("ActualFinish"))
	m.keep("Assignment", "UID", a.ID, x)
	m.Assignments = appended(m.Assignments, a)
	return f.of("assignment", a.ID)
}

// mspdiFamilies are the families of user fields by their numbers.
var mspdiFamilies = map[string]FieldFamily{
	"0": CostField, "1": DateField, "2": DurationField, "3": FinishField, "4": FlagField, "5": NumberField,
	"6": StartField, "7": TextField,
}

// family is that of a user field by the name that Microsoft Project gives it, "Text1" and
// so on, or by its number.
func family(name, number string) FieldFamily {
	for _, f := range []FieldFamily{
		TextField, NumberField, CostField, FlagField, DateField, StartField, FinishField, DurationField,
	} {
		if rest, ok := strings.CutPrefix(name, string(f)); ok && strings.Trim(rest, "0123456789") == "" {
			return f
		}
	}
	if f := mspdiFamilies[number]; f != "" {
		return f
	}
	return TextField
}

// subject is what a field is of: its number has it in its upper half.
func subject(fieldID string) Subject {
	n, _ := strconv.ParseUint(fieldID, 10, 32)
	switch n >> 20 {
	case 0x0B4:
		return OfTasks
	case 0x0C4:
		return OfResources
	}
	return ""
}

// userField reads the definition of a user field, which gives one of a fixed set of
// fields a meaning.
func (m *mspdi) userField(xml.StartElement) error {
	list := 0
	x, err := m.members(map[string]func(xml.StartElement) error{
		"ValueList": func(xml.StartElement) error { list++; return m.d.Skip() },
	})
	field := UserField{
		ID: x["FieldID"], ExternalID: x["FieldName"], Name: first(x["Alias"], x["FieldName"], x["FieldID"]),
		Of: subject(x["FieldID"]),
	}
	field.Family = family(x["FieldName"], x["CFType"])
	if x["Formula"] != "" || list > 0 {
		m.warn("user field "+field.ID, "Its formula or its list of values is left out.")
	}
	if field.ID != "" {
		m.fields[field.ID] = len(m.UserFields)
		m.UserFields = append(m.UserFields, field)
	}
	return err
}

// value reads a value of a user field. One of a field that is not defined is text.
func (m *mspdi) value(f *fields, x members) (Value, bool) {
	id := x["FieldID"]
	at, ok := m.fields[id]
	if !ok && id != "" {
		at = len(m.UserFields)
		m.fields[id] = at
		m.UserFields = append(m.UserFields, UserField{ID: id, Name: id, Of: subject(id), Family: TextField})
	}
	if id == "" || m.UserFields[at].Of == "" {
		return Value{}, false
	}
	v := Value{FieldID: id}
	switch text := x["Value"]; m.UserFields[at].Family {
	case DurationField:
		var seconds int64
		f.span(&seconds, text)
		v.Number = float64(seconds)
	case CostField:
		f.cents(&v.Number, text)
	default:
		v = f.value(&m.UserFields[at], text)
	}
	return v, true
}

// code reads an outline code with its values.
func (m *mspdi) code(xml.StartElement) error {
	var values []members
	one := func(xml.StartElement) error {
		v, err := m.members(nil)
		values = append(values, v)
		return err
	}
	x, err := m.members(map[string]func(xml.StartElement) error{
		"Values": func(xml.StartElement) error { return m.each("Value", one) },
	})
	c := Code{
		ID: x["FieldID"], ExternalID: x["FieldName"], Name: first(x["Alias"], x["FieldName"], x["FieldID"]),
		Of: subject(x["FieldID"]), Scope: OneProject, ProjectID: "1",
	}
	if c.Of == "" {
		m.warn("code "+c.ID, "It is left out with its values: it is of nothing that has codes here.")
		return err
	}
	m.Codes = append(m.Codes, c)
	for _, v := range values {
		value := CodeValue{ID: c.ID + "-" + v["ValueID"], CodeID: c.ID, Name: v["Value"], Description: v["Description"]}
		if parent := v["ParentValueID"]; parent != "" && parent != "0" {
			value.ParentID = c.ID + "-" + parent
		}
		m.CodeValues = append(m.CodeValues, value)
	}
	return err
}
