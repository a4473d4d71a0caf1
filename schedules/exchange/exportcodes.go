package exchange

import (
	"strconv"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/codes"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/importing"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/rescheduling"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/userfields"
)

// codedOf are what codes are for in planners, by their categories.
var codedOf = map[codes.CodeCategory]planner.Subject{
	codes.ActivityCode: planner.OfTasks,
	codes.ResourceCode: planner.OfResources,
}

// addCodes adds the codes of tasks and of resources with their values, and cost accounts.
func (e *planExport) addCodes(v *records.View) error {
	values := make(map[string][]*codes.CodeValue)
	for x, err := range codes.AllValues(v, e.network.Scope) {
		if err == nil {
			err = records.Interrupted(v)
		}
		if err != nil {
			return err
		}
		values[x.CodeID] = append(values[x.CodeID], x)
	}
	codeOf := make(map[string]string) // of values
	for c, err := range codes.All(v, e.network.Scope) {
		if err != nil {
			return err
		}
		of := codedOf[c.Category]
		switch {
		case c.Category == codes.CostCode:
			e.addAccounts(values[c.ID])
			continue
		case of == "":
			e.warn("The code (ID=%s) was left out: planners have none of %s.", c.ID, c.Category)
			continue
		}
		e.Codes = append(e.Codes, planner.Code{ID: e.codeID(of, c.ID), Name: c.Name, Of: of})
		for _, x := range importing.ParentsFirst(values[c.ID],
			func(x **codes.CodeValue) (string, string) { return (*x).ID, string((*x).ParentID) }) {
			codeOf[x.ID] = c.ID
			e.CodeValues = append(e.CodeValues, planner.CodeValue{
				ID: e.codeID(of, x.ID), CodeID: e.codeID(of, c.ID), ParentID: e.codeID(of, string(x.ParentID)),
				Name:        x.Name,
				Description: x.Description, Color: string(x.Color),
			})
		}
	}
	return e.addCoded(v, codeOf)
}

// codeID is the id that a code or a value of one has in the file. Planners count those of
// resources apart.
func (e *planExport) codeID(of planner.Subject, id string) string {
	if id == "" {
		return ""
	}
	if of == planner.OfResources {
		return "rsrc-" + e.coded.of(id)
	}
	return e.coded.of(id)
}

// addCoded finds which values tasks have, of whose codes planners let them have one each.
func (e *planExport) addCoded(v *records.View, codeOf map[string]string) error {
	had := make(map[[2]string]bool)
	for found, err := range codes.Imported.Assignments.Records.From(v, e.network.Scope, "") {
		if err == nil {
			err = records.Interrupted(v)
		}
		if err != nil {
			return err
		}
		x := found.(*codes.CodeValueAssignment)
		code := codeOf[x.CodeValueID]
		switch pair := [2]string{x.TaskID, code}; {
		case code == "":
		case had[pair]:
			e.warn("A further value of the code (ID=%s) of task (ID=%s) was left out: in the file it has one.", code,
				x.TaskID)
		default:
			had[pair] = true
			e.codeValues[x.TaskID] = append(e.codeValues[x.TaskID], e.coded.of(x.CodeValueID))
		}
	}
	return nil
}

// fieldFamilies are the families of user fields by their types.
var fieldFamilies = map[userfields.UserFieldType]planner.FieldFamily{
	userfields.IntegerField: planner.IntegerField, userfields.FloatField: planner.NumberField,
	userfields.BooleanField:   planner.FlagField,
	userfields.StartDateField: planner.StartField, userfields.FinishDateField: planner.FinishField,
	userfields.StringField: planner.TextField,
}

// addFields adds the user fields of tasks and of resources, and finds their values. P6 has
// their own fields for what is above tasks.
func (e *planExport) addFields(v *records.View) error {
	fields := make(map[string]*userfields.UserField)
	for found, err := range userfields.Imported.Fields.Records.From(v, e.network.Scope, "") {
		if err != nil {
			return err
		}
		f := found.(*userfields.UserField)
		fields[f.ID] = f
	}
	used := usedFields{make(map[string]bool), make(map[string]bool)}
	for _, from := range []struct {
		records *records.Table
		to      map[string][]planner.Value
	}{{userfields.Imported.TaskValues.Records, e.taskValues}, {
		userfields.Imported.ResourceValues.Records,
		e.resourceValues,
	}} {
		for found, err := range from.records.From(v, e.network.Scope, "") {
			if err == nil {
				err = records.Interrupted(v)
			}
			if err != nil {
				return err
			}
			x := found.(*userfields.UserFieldValue)
			if f := fields[x.UserFieldID]; f != nil {
				e.addValue(from.to, f, x, used)
			}
		}
	}
	for _, id := range rescheduling.Sorted(fields) {
		e.addField(fields[id], used.nodes[id], used.others[id])
	}
	return nil
}

// usedFields are the fields with values of what is above tasks, and of all else.
type usedFields struct{ nodes, others map[string]bool }

// addValue takes up a value of a user field.
func (e *planExport) addValue(to map[string][]planner.Value, f *userfields.UserField, x *userfields.UserFieldValue,
	used usedFields,
) {
	value, ok := e.value(f, x.Value)
	if !ok {
		return
	}
	if t := e.tasks[x.TaskID]; t != nil && t.IsWBS && e.Format != planner.MSPDI {
		used.nodes[f.ID], value.FieldID = true, e.coded.of("node\x00"+f.ID)
	} else {
		used.others[f.ID] = true
	}
	to[x.TaskID+x.ResourceID] = append(to[x.TaskID+x.ResourceID], value)
}

// addField adds a user field that what is above tasks has values of, and what is not.
func (e *planExport) addField(f *userfields.UserField, nodes, leaves bool) {
	one := planner.UserField{ID: e.coded.of(f.ID), Name: f.Name, Family: fieldFamilies[f.Type]}
	for of, category := range fieldCategories {
		if category == f.Category {
			one.Of = of
		}
	}
	if one.Of == "" || one.Family == "" {
		e.warn("The user field (ID=%s) was left out: planners have none of %s.", f.ID, f.Category)
		return
	}
	if leaves || !nodes {
		e.UserFields = append(e.UserFields, one)
	}
	if nodes {
		one.ID, one.Nodes = e.coded.of("node\x00"+f.ID), true
		e.UserFields = append(e.UserFields, one)
	}
}

// value is one of a user field as planners have it.
func (e *planExport) value(f *userfields.UserField, text string) (v planner.Value, ok bool) {
	v.FieldID = e.coded.of(f.ID)
	var err error
	switch f.Type {
	case userfields.IntegerField, userfields.FloatField:
		v.Number, err = strconv.ParseFloat(text, 64)
	case userfields.BooleanField:
		v.Flag, err = strconv.ParseBool(text)
	case userfields.StartDateField, userfields.FinishDateField:
		var at twinplatform.DateTime
		err = at.UnmarshalJSON([]byte(strconv.Quote(text)))
		v.Time = e.network.Calendars.Local(at)
	case userfields.StringField:
		v.Text = text
	default:
		return v, false
	}
	return v, err == nil
}
