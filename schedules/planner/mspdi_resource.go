package planner

import (
	"encoding/xml"
	"strconv"
	"strings"
)

// resource reads a resource with its rates. When there is how much of it is left out with
// a warning: a plan knows one amount.
func (m *mspdi) resource(xml.StartElement) error {
	x, f, codes, values, err := m.item("resource")
	if err != nil {
		return err
	}
	if f.holds("IsNull") || x["Name"] == "" { // a blank line, and no resource
		return nil
	}
	r := Resource{
		ID: x.take("UID"), ExternalID: x.take("GUID"), Code: first(x.take("Code"), x["ID"]), Name: x.take("Name"),
		Type: mspdiResourceTypes.of(&f, "Type"), CalendarID: uid(x.take("CalendarUID")),
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
	f.number(&most, "MaxUnits")
	r.Rates = f.rates(m.below["Rate"], most)
	m.available(r.ID, most)
	m.keep("Resource", "UID", r.ID, x)
	m.Resources = append(m.Resources, r)
	return nil
}

// available names what is left out of when there is how much of a resource.
func (m *mspdi) available(resource string, most float64) {
	for _, a := range m.below["AvailabilityPeriod"] {
		f := m.fields("resource", resource, a)
		var units float64
		if f.number(&units, "AvailableUnits"); len(m.below["AvailabilityPeriod"]) > 1 || units != most {
			m.warn("resource "+resource, "When there is how much of it is left out.")
			return
		}
	}
}

// never is how Microsoft Project writes the ends of time: rates hold from 1984 to 2049.
const firstDay, lastDay = "1984-01-01T00:00:00", "2049-12-31T23:59:00"

// rates reads what a resource costs: from the tables of its rates, or else from its
// own members, those of an hour in the currency, those of a use in hundredths.
func (f *fields) rates(tables []members, most float64) (all []Rate) {
	one := Rate{MaxUnits: most}
	f.number(&one.Price, "StandardRate")
	f.number(&one.Overtime, "OvertimeRate")
	f.cents(&one.PerUse, "CostPerUse")
	for _, t := range tables {
		r, f := Rate{MaxUnits: most}, f.fields("rate of resource", f.id, t)
		if t["RateTable"] != "" && !f.whole(&r.Table, 0, 4, "RateTable") {
			f.warn(f.what(), "It is left out: its table is not known.")
			continue
		}
		if t["RatesFrom"] != firstDay {
			f.time(&r.From, "RatesFrom")
		}
		if t["RatesTo"] != lastDay {
			f.time(&r.To, "RatesTo")
		}
		f.number(&r.Price, "StandardRate")
		f.number(&r.Overtime, "OvertimeRate")
		f.cents(&r.PerUse, "CostPerUse")
		all = append(all, r)
	}
	switch {
	case len(all) > 0:
		sortRates(all)
	case one != (Rate{}):
		all = []Rate{one}
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
	m.works(&f, &a)
	f.number(&a.UnitsPerTime, "Units")
	f.tenths(&a.Delay, "Delay")
	f.cents(&a.Costs.Planned, "Cost")
	f.cents(&a.Costs.Actual, "ActualCost")
	f.cents(&a.Costs.Remaining, "RemainingCost")
	f.time(&a.Start, "Start", "start") // as TaskJuggler has it
	f.time(&a.Finish, "Finish", "finish")
	f.time(&a.ActualStart, "ActualStart")
	f.time(&a.ActualFinish, "ActualFinish")
	m.keep("Assignment", "UID", a.ID, x)
	m.Assignments = appended(m.Assignments, a)
	return nil
}

// family derives the family of a user field from the name that Microsoft Project gives it,
// such as "Text1". A field of another name has its family in CFType, which is a number.
func (f *fields) family(name string) FieldFamily {
	for _, is := range []FieldFamily{
		TextField, NumberField, CostField, FlagField, DateField, StartField, FinishField, DurationField,
	} {
		if rest, ok := strings.CutPrefix(name, string(is)); ok && strings.Trim(rest, "0123456789") == "" {
			return is
		}
	}
	return mspdiFamilyTypes.of(f, "CFType")
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
	f := m.fields("user field", field.ID, x)
	field.Family = f.family(field.ExternalID)
	if x["Formula"] != "" || list > 0 {
		m.warn("user field "+field.ID, "Its formula or its list of values is left out.")
	}
	if field.ID != "" {
		m.userFields[field.ID] = len(m.UserFields)
		m.UserFields = append(m.UserFields, field)
	}
	return err
}

// value reads a value of a user field. One of a field that is not defined is text.
func (m *mspdi) value(f *fields, x members) (Value, bool) {
	id := x["FieldID"]
	at, ok := m.userFields[id]
	if !ok && id != "" {
		at = len(m.UserFields)
		m.userFields[id] = at
		m.UserFields = append(m.UserFields, UserField{ID: id, Name: id, Of: subject(id), Family: TextField})
	}
	if id == "" || m.UserFields[at].Of == "" {
		return Value{}, false
	}
	v, one := Value{FieldID: id}, m.fields("user field "+id+" of "+f.kind, f.id, alone(x["Value"]))
	switch m.UserFields[at].Family {
	case DurationField:
		var seconds int64
		one.span(&seconds, "value")
		v.Number = float64(seconds)
	case CostField:
		one.cents(&v.Number, "value")
	default:
		v = one.value(&m.UserFields[at])
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
