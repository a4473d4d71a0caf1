package schedules

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/userfields"
)

// fieldTypes are the types of user fields by their families.
var fieldTypes = map[planner.FieldFamily]userfields.UserFieldType{
	planner.IntegerField: userfields.IntegerField, planner.NumberField: userfields.FloatField, planner.CostField: userfields.FloatField, planner.FlagField: userfields.BooleanField,
	planner.DateField: userfields.StartDateField, planner.StartField: userfields.StartDateField, planner.FinishField: userfields.FinishDateField,
}

// fieldCategories are the categories of user fields by what they are of.
var fieldCategories = map[planner.Subject]userfields.UserFieldCategory{planner.OfTasks: userfields.TaskField, planner.OfResources: userfields.ResourceField}

func (d *planDiff) compareFields() error {
	fields := filtered(d.file.UserFields, func(f *planner.UserField) bool { return fieldCategories[f.Of] != "" })
	for _, f := range d.file.UserFields {
		if fieldCategories[f.Of] == "" {
			d.warn("Warning: The user field '%s' is left out: a schedule has no fields of a %s.", f.Name, f.Of)
		}
	}
	keys, aliases := make(nameGiver), make(nameGiver)
	entries := make([]entry[userfields.UserField], len(fields))
	for i, f := range fields {
		name, typ := d.text("a user field", cmp.Or(f.Name, f.ID), MaxText), cmp.Or(fieldTypes[f.Family], userfields.StringField)
		named := "n:" + string(f.Of) + "/" + string(typ) + "/" + f.Name
		entries[i] = entry[userfields.UserField]{
			key: keys.name(cmp.Or(external(f.ExternalID), named)), alias: aliases.name(named),
			parts: []part[userfields.UserField]{always(d.w.Modes.UserFields, []string{string(f.Of), string(typ), name}, func(v *userfields.UserField) {
				v.Category, v.Type, v.Name = fieldCategories[f.Of], typ, name
			})},
		}
	}
	ids, err := diffOf(d.importDiff, &kindOf[userfields.UserField]{
		name: "user-fields", records: userfields.Imported.Fields.Records, mode: d.w.Modes.UserFields,
		counts: func(c *SynchronizationCounts) **int { return &c.UserFields },
		fresh: func(id string) *userfields.UserField {
			return &userfields.UserField{ID: id, Color: userfields.DefaultColor}
		},
		holds: func(v *userfields.UserField) bool {
			return v.Category == userfields.TaskField || v.Category == userfields.ResourceField
		},
	}, entries)
	d.fieldIDs = idsBy(nil, fields, func(f *planner.UserField) string { return f.ID }, ids)
	return err
}

// valued is an item of a file with values of user fields.
type valued struct {
	recordID string
	values   []planner.Value
}

func (d *planDiff) compareValues() error {
	var tasks, resources []valued
	for i := range d.file.Tasks {
		if len(d.file.Tasks[i].Values) == 0 {
			continue
		}
		tasks = append(tasks, valued{d.filed[d.file.Tasks[i].ID].id(), d.file.Tasks[i].Values})
	}
	for i := range d.file.Resources {
		resources = append(resources, valued{d.resourceIDs[d.file.Resources[i].ID], d.file.Resources[i].Values})
	}
	if err := d.compareValuesOf(userfields.Imported.TaskValues.Records, tasks, func(v *userfields.UserFieldValue) *string { return &v.TaskID }); err != nil {
		return err
	}
	return d.compareValuesOf(userfields.Imported.ResourceValues.Records, resources, func(v *userfields.UserFieldValue) *string { return &v.ResourceID })
}

func (d *planDiff) compareValuesOf(c *records.Table, all []valued, object func(*userfields.UserFieldValue) *string) error {
	mode := d.w.Modes.UserFieldValues
	fields := make(map[string]*planner.UserField)
	for i := range d.file.UserFields {
		fields[d.file.UserFields[i].ID] = &d.file.UserFields[i]
	}
	var entries []entry[userfields.UserFieldValue]
	keys := make(nameGiver)
	for _, o := range all {
		for _, value := range o.values {
			field := d.fieldIDs[value.FieldID]
			if o.recordID == "" || field == "" {
				continue
			}
			text := d.valueText(fields[value.FieldID], value)
			entries = append(entries, entry[userfields.UserFieldValue]{
				key: keys.name(o.recordID + "/" + field), at: func() string { return records.Join(o.recordID, field) },
				parts: []part[userfields.UserFieldValue]{always(mode, text, func(v *userfields.UserFieldValue) {
					*object(v), v.UserFieldID, v.Value = o.recordID, field, text
				})},
			})
		}
	}
	_, err := diffOf(d.importDiff, &kindOf[userfields.UserFieldValue]{
		name: c.Name(), records: c, mode: mode, counts: func(c *SynchronizationCounts) **int { return &c.UserFieldValues },
		fresh: func(string) *userfields.UserFieldValue { return &userfields.UserFieldValue{} },
	}, entries)
	return err
}

// valueText is a value of a user field as the schedule keeps it.
func (d *planDiff) valueText(f *planner.UserField, v planner.Value) string {
	switch fieldTypes[f.Family] {
	case userfields.StartDateField, userfields.FinishDateField:
		return strings.Trim(string(d.at(v.Time).AppendJSON(nil)), `"`)
	case userfields.IntegerField:
		return strconv.FormatInt(int64(v.Number), 10)
	case userfields.BooleanField:
		return strconv.FormatBool(v.Flag)
	}
	return d.text("a user field value", f.String(v), MaxText)
}
