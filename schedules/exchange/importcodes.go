package exchange

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/codes"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/importing"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/synchronizers"
	"github.com/seed-933f9a09/twinplatform/schedules/userfields"
)

// codeSorts are what the file has of codes, by the category that they become.
func (d *planDiff) compareCodes() error {
	d.codeIDs, d.valueIDs = make(map[string]string), make(map[string]string)
	if n := len(importing.Filtered(d.file.Codes,
		func(c *planner.Code) bool { return c.Of == planner.OfProjects })); n > 0 {
		d.Warn("Warning: %d codes of projects are left out: a schedule has none.", n)
	}
	activity := codeKind{
		named: "activityCode", category: codes.ActivityCode, mode: d.w.Modes.ActivityCodes,
		merge: d.w.Modes.MergeActivityCodes, of: planner.OfTasks,
		codes:  func(c *synchronizers.SynchronizationCounts) **int { return &c.ActivityCodes },
		values: func(c *synchronizers.SynchronizationCounts) **int { return &c.ActivityCodeValues },
	}
	if err := d.compareCodesOf(&activity); err != nil {
		return err
	}
	resource := codeKind{
		named: "resourceCode", category: codes.ResourceCode, mode: d.w.Modes.ResourceCodes,
		merge: d.w.Modes.MergeResourceCodes, of: planner.OfResources,
		codes:  func(c *synchronizers.SynchronizationCounts) **int { return &c.ResourceCodes },
		values: func(c *synchronizers.SynchronizationCounts) **int { return &c.ResourceCodeValues },
	}
	if err := d.compareCodesOf(&resource); err != nil {
		return err
	}
	return d.compareAccounts()
}

// codeKind is a kind of codes.
type codeKind struct {
	named         string // as counts are
	category      codes.CodeCategory
	of            planner.Subject
	mode          importing.Mode
	merge         bool
	codes, values func(*synchronizers.SynchronizationCounts) **int
}

func (d *planDiff) compareCodesOf(k *codeKind) error {
	fileCodes := importing.Filtered(d.file.Codes, func(c *planner.Code) bool { return c.Of == k.of })
	keys, aliases := make(importing.Names), make(importing.Names)
	byID := make(map[string]string, len(fileCodes)) // keys
	entries := make([]importing.Entry[codes.Code], len(fileCodes))
	for i, c := range fileCodes {
		name := d.nameFor("a code", c.ID, cmp.Or(c.Name, c.ID), schedules.MaxText)
		named := "n:" + string(c.Scope) + "/" + d.projects[c.ProjectID] + "/" + c.Name
		entries[i] = importing.Entry[codes.Code]{
			Key: keys.Name(cmp.Or(importing.External(c.ExternalID), named)), Alias: aliases.Name(named),
			Parts: []importing.Part[codes.Code]{importing.Always(k.mode,
				importing.Value(name, func(v *codes.Code, name string) { v.Name = name }))},
		}
		byID[c.ID] = entries[i].Key
	}
	merge, err := d.sameNames(k)
	if err != nil {
		return err
	}
	ids, err := importing.Compare(d.Diff, &importing.Kind[codes.Code]{
		Name: "codes." + string(k.category), Records: codes.Imported.Codes.Records, Mode: k.mode,
		Counts: d.counting(k.named+"s", k.codes), Adopt: merge,
		Fresh: func(id string) *codes.Code { return &codes.Code{ID: id, Category: k.category} },
		Holds: func(v *codes.Code) bool { return v.Category == k.category },
	}, entries)
	if err != nil {
		return err
	}
	importing.IDsBy(d.codeIDs, fileCodes, func(c *planner.Code) string { return c.ID }, ids)
	return d.compareCodeValues(k, fileCodes, byID)
}

// sameNames finds the code made here that has a name, where codes are merged.
func (d *planDiff) sameNames(k *codeKind) (func(*codes.Code) string, error) {
	if !k.merge {
		return nil, nil
	}
	byName := make(map[string]string)
	for v, err := range codes.All(d.Tx, d.Scope) {
		if err != nil {
			return nil, err
		}
		if v.Category == k.category {
			byName[v.Name] = v.ID
		}
	}
	return func(v *codes.Code) string { return byName[v.Name] }, nil
}

func (d *planDiff) compareCodeValues(k *codeKind, fileCodes []planner.Code, codeKeys map[string]string) error {
	values := importing.Filtered(d.file.CodeValues, func(v *planner.CodeValue) bool { return codeKeys[v.CodeID] != "" })
	ours := make(map[string]bool)
	for _, c := range fileCodes {
		if id := d.codeIDs[c.ID]; id != "" {
			ours[id] = true
		}
	}
	byName := make(map[[3]string]string)
	holds := make(map[string]bool) // codes of the category
	for v, err := range codes.All(d.Tx, d.Scope) {
		if err != nil {
			return err
		}
		holds[v.ID] = v.Category == k.category
	}
	if k.merge {
		for v, err := range codes.AllValues(d.Tx, d.Scope) {
			if err != nil {
				return err
			}
			byName[[3]string{v.CodeID, aboveValue(v), v.Name}] = v.ID
		}
	}
	recordKeys := make(map[string]string, len(fileCodes)) // keys by ids of records
	for _, c := range fileCodes {
		recordKeys[d.codeIDs[c.ID]] = codeKeys[c.ID]
	}
	keys, aliases := make(importing.Names), make(importing.Names)
	paths, depths := make(map[string]string, len(values)), make(map[string]int, len(values))
	entries := make([]importing.Entry[codes.CodeValue], len(values))
	for i, v := range values {
		above := v.ParentID
		for depths[above] >= schedules.MaxDepth {
			d.Warn("Warning: The code value '%s' lies more than %d deep; it was put higher.", v.Name,
				schedules.MaxDepth)
			above = ""
		}
		depths[v.ID] = depths[above] + 1
		paths[v.ID] = cmp.Or(paths[above], codeKeys[v.CodeID]) + "/" + v.Name
		name, description := d.nameFor("a code value", v.ID, cmp.Or(v.Name, v.ID), schedules.MaxText),
			d.text("a code value",
				v.Description, schedules.MaxText)
		entries[i] = importing.Entry[codes.CodeValue]{
			Key: keys.Name("n:" + paths[v.ID]), Alias: aliases.Name("i:" + codeKeys[v.CodeID] + "/" + v.ID),
			Fits: func() (bool, error) { return d.codeIDs[v.CodeID] != "", nil },
			Parts: []importing.Part[codes.CodeValue]{{Mode: k.mode, Read: func() importing.Content[*codes.CodeValue] {
				return &filedCodeValue{
					Code: d.codeIDs[v.CodeID], Parent: d.valueIDs[above], Name: name,
					Description: description, Color: v.Color,
				}
			}}},
		}
	}
	_, err := importing.CompareInOrder(d.Diff, &importing.Kind[codes.CodeValue]{
		Name: "code-values." + string(k.category), Records: codes.Imported.Values.Records, Mode: k.mode,
		Counts: d.counting(k.named+"Values", k.values),
		Fresh:  func(id string) *codes.CodeValue { return &codes.CodeValue{ID: id} },
		Holds:  func(v *codes.CodeValue) bool { return holds[v.CodeID] },
		Adopt:  func(v *codes.CodeValue) string { return byName[[3]string{v.CodeID, aboveValue(v), v.Name}] },
		Named:  func(v *codes.CodeValue) (key, alias string) { return d.valueName(v, recordKeys, 0), "" },
		Parent: aboveValue,
	}, entries, func(i int, id string) { d.valueIDs[values[i].ID] = id })
	return err
}

// valueName is by what a value is known that is there, by the keys that the file has for its code.
func (d *planDiff) valueName(v *codes.CodeValue, codeKeys map[string]string, depth int) string {
	if v.ParentID == "" || depth > schedules.MaxDepth {
		if codeKeys[v.CodeID] == "" {
			return ""
		}
		return "n:" + codeKeys[v.CodeID] + "/" + v.Name
	}
	found, err := codes.Imported.Values.Records.Lookup(d.Tx, d.Scope, string(v.ParentID))
	above, ok := found.(*codes.CodeValue)
	if err != nil || !ok {
		return ""
	}
	return d.valueName(above, codeKeys, depth+1) + "/" + v.Name
}

// filedCodeValue is what a file has of a value of a code.
type filedCodeValue struct {
	Code, Parent, Name, Description, Color string

	account bool // which has no color
}

// Compared implements importing.Content.
func (c *filedCodeValue) Compared(*importing.Facts) any {
	content := []string{c.Code, c.Parent, c.Name, c.Description}
	if !c.account {
		content = append(content, c.Color)
	}
	return content
}

// Set implements importing.Content.
func (c *filedCodeValue) Set(v *codes.CodeValue) {
	v.CodeID, v.ParentID, v.Name, v.Description = c.Code, twinplatform.NullString(c.Parent), c.Name, c.Description
	if !c.account {
		v.Color = twinplatform.NullString(strings.ToLower(c.Color))
	}
}

// aboveValue is the id of the code value above one.
func aboveValue(v *codes.CodeValue) string { return string(v.ParentID) }

// costCode is the key of the code whose values are the cost accounts.
const costCode = "accounts"

// compareAccounts makes of the cost accounts values of the code for costs.
func (d *planDiff) compareAccounts() error {
	if len(d.file.Accounts) == 0 && len(d.ItemsOf("codes.Cost").All) == 0 {
		return nil
	}
	mode := d.w.Modes.CostAccounts
	var code []importing.Entry[codes.Code]
	if len(d.file.Accounts) > 0 {
		code = append(code, importing.Entry[codes.Code]{
			Key: costCode,
			Parts: []importing.Part[codes.Code]{importing.Always(mode,
				importing.Value("", func(v *codes.Code, _ string) { v.Name = "Cost accounts" }))},
		})
	}
	has := ""
	for v, err := range codes.All(d.Tx, d.Scope) {
		if err != nil {
			return err
		}
		if v.Category == codes.CostCode {
			has = v.ID
		}
	}
	ids, err := importing.Compare(d.Diff, &importing.Kind[codes.Code]{
		Name: "codes.Cost", Records: codes.Imported.Codes.Records, Mode: mode,
		Fresh: func(id string) *codes.Code {
			return &codes.Code{ID: id, Category: codes.CostCode, Name: "Cost accounts"}
		},
		Holds: func(v *codes.Code) bool { return v.Category == codes.CostCode },
		Adopt: func(*codes.Code) string { return has }, // a schedule has one at most
	}, code)
	if err != nil {
		return err
	}
	keys, aliases := make(importing.Names), make(importing.Names)
	accounts := importing.ParentsFirst(d.file.Accounts,
		func(a *planner.Account) (string, string) { return a.ID, a.ParentID })
	recordIDs := make(map[string]string)
	entries := make([]importing.Entry[codes.CodeValue], len(accounts))
	for i, a := range accounts {
		name := d.nameFor("a cost account", a.ID, cmp.Or(a.Code, a.Name, a.ID), schedules.MaxText)
		description := d.text("a cost account", cmp.Or(a.Name, a.Description), schedules.MaxText)
		entries[i] = importing.Entry[codes.CodeValue]{
			Key: keys.Name("n:" + a.Code), Alias: aliases.Name("i:" + a.ID),
			Fits: func() (bool, error) { return ids[0] != "", nil },
			Parts: []importing.Part[codes.CodeValue]{{Mode: mode, Read: func() importing.Content[*codes.CodeValue] {
				return &filedCodeValue{
					Code: ids[0], Parent: recordIDs[a.ParentID], Name: name,
					Description: description, account: true,
				}
			}}},
		}
	}
	_, err = importing.CompareInOrder(d.Diff, &importing.Kind[codes.CodeValue]{
		Name: "code-values.Cost", Records: codes.Imported.Values.Records, Mode: mode, Counts: d.counting("costCodes",
			func(c *synchronizers.SynchronizationCounts) **int { return &c.CostCodes }),
		Fresh:  func(id string) *codes.CodeValue { return &codes.CodeValue{ID: id} },
		Holds:  func(v *codes.CodeValue) bool { return len(ids) > 0 && v.CodeID == ids[0] },
		Parent: aboveValue,
	}, entries, func(i int, id string) { recordIDs[accounts[i].ID] = id })
	return err
}

func (d *planDiff) compareCodeAssignments() error {
	mode := d.w.Modes.ActivityCodeAssignments
	var entries []importing.Entry[codes.CodeValueAssignment]
	keys := make(importing.Names)
	for i := range d.file.Tasks {
		t := &d.file.Tasks[i]
		for _, id := range t.CodeValueIDs {
			task, value := d.filed[t.ID].id(), d.valueIDs[id]
			if task == "" || value == "" {
				continue
			}
			entries = append(entries, importing.Entry[codes.CodeValueAssignment]{
				Key: keys.Name(task + "/" + value), At: func() string { return records.Join(task, value) },
				Parts: []importing.Part[codes.CodeValueAssignment]{importing.Always(mode,
					importing.Value("", func(v *codes.CodeValueAssignment, _ string) {
						v.TaskID, v.CodeValueID = task,
							value
					}))},
			})
		}
	}
	_, err := importing.Compare(d.Diff, &importing.Kind[codes.CodeValueAssignment]{
		Name: "code-value-assignments", Records: codes.Imported.Assignments.Records, Mode: mode,
		Counts: d.counting("activityCodeValuesAssignments",
			func(c *synchronizers.SynchronizationCounts) **int { return &c.ActivityCodeValuesAssignments }),
		Fresh: func(string) *codes.CodeValueAssignment { return &codes.CodeValueAssignment{} },
	}, entries)
	return err
}

// fieldTypes are the types of user fields by their families.
var fieldTypes = map[planner.FieldFamily]userfields.UserFieldType{
	planner.IntegerField: userfields.IntegerField, planner.NumberField: userfields.FloatField,
	planner.CostField: userfields.FloatField, planner.FlagField: userfields.BooleanField,
	planner.DateField: userfields.StartDateField, planner.StartField: userfields.StartDateField,
	planner.FinishField: userfields.FinishDateField,
}

// fieldCategories are the categories of user fields by what they are of.
var fieldCategories = map[planner.Subject]userfields.UserFieldCategory{
	planner.OfTasks:     userfields.TaskField,
	planner.OfResources: userfields.ResourceField,
}

func (d *planDiff) compareFields() error {
	fields := importing.Filtered(d.file.UserFields,
		func(f *planner.UserField) bool { return fieldCategories[f.Of] != "" })
	for _, f := range d.file.UserFields {
		if fieldCategories[f.Of] == "" {
			d.Warn("Warning: The user field '%s' is left out: a schedule has no fields of a %s.", f.Name, f.Of)
		}
	}
	keys, aliases := make(importing.Names), make(importing.Names)
	entries := make([]importing.Entry[userfields.UserField], len(fields))
	for i, f := range fields {
		name, typ := d.nameFor("a user field", f.ID, cmp.Or(f.Name, f.ID), schedules.MaxText),
			cmp.Or(fieldTypes[f.Family],
				userfields.StringField)
		named := "n:" + string(f.Of) + "/" + string(typ) + "/" + f.Name
		entries[i] = importing.Entry[userfields.UserField]{
			Key: keys.Name(cmp.Or(importing.External(f.ExternalID), named)), Alias: aliases.Name(named),
			Parts: []importing.Part[userfields.UserField]{importing.Always[*userfields.UserField](d.w.Modes.UserFields,
				&filedField{f.Of, typ, name})},
		}
	}
	ids, err := importing.Compare(d.Diff, &importing.Kind[userfields.UserField]{
		Name: "user-fields", Records: userfields.Imported.Fields.Records, Mode: d.w.Modes.UserFields,
		Counts: d.counting("userFields", func(c *synchronizers.SynchronizationCounts) **int { return &c.UserFields }),
		Fresh:  userfields.Imported.Blank,
		Holds: func(v *userfields.UserField) bool {
			return v.Category == userfields.TaskField || v.Category == userfields.ResourceField
		},
	}, entries)
	d.fieldIDs = importing.IDsBy(nil, fields, func(f *planner.UserField) string { return f.ID }, ids)
	return err
}

// filedField is what a file has of a user field.
type filedField struct {
	Of   planner.Subject
	Type userfields.UserFieldType
	Name string
}

// Compared implements importing.Content.
func (c *filedField) Compared(*importing.Facts) any {
	return []string{string(c.Of), string(c.Type), c.Name}
}

// Set implements importing.Content.
func (c *filedField) Set(v *userfields.UserField) {
	v.Category, v.Type, v.Name = fieldCategories[c.Of], c.Type, c.Name
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
	if err := d.compareValuesOf(userfields.Imported.TaskValues.Records, tasks,
		func(v *userfields.UserFieldValue) *string { return &v.TaskID }); err != nil {
		return err
	}
	return d.compareValuesOf(userfields.Imported.ResourceValues.Records, resources,
		func(v *userfields.UserFieldValue) *string { return &v.ResourceID })
}

func (d *planDiff) compareValuesOf(c *records.Table, all []valued,
	object func(*userfields.UserFieldValue) *string,
) error {
	mode := d.w.Modes.UserFieldValues
	fields := make(map[string]*planner.UserField)
	for i := range d.file.UserFields {
		fields[d.file.UserFields[i].ID] = &d.file.UserFields[i]
	}
	var entries []importing.Entry[userfields.UserFieldValue]
	keys := make(importing.Names)
	for _, o := range all {
		for _, value := range o.values {
			field := d.fieldIDs[value.FieldID]
			if o.recordID == "" || field == "" {
				continue
			}
			text := d.valueText(fields[value.FieldID], value)
			entries = append(entries, importing.Entry[userfields.UserFieldValue]{
				Key: keys.Name(o.recordID + "/" + field), At: func() string { return records.Join(o.recordID, field) },
				Parts: []importing.Part[userfields.UserFieldValue]{importing.Always(mode,
					importing.Value(text, func(v *userfields.UserFieldValue, text string) {
						*object(v), v.UserFieldID, v.Value = o.recordID, field, text
					}))},
			})
		}
	}
	_, err := importing.Compare(d.Diff, &importing.Kind[userfields.UserFieldValue]{
		Name: c.Name(), Records: c, Mode: mode, Counts: d.counting("userFieldValues",
			func(c *synchronizers.SynchronizationCounts) **int { return &c.UserFieldValues }),
		Fresh: func(string) *userfields.UserFieldValue { return &userfields.UserFieldValue{} },
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
	return d.text("a user field value", f.String(v), schedules.MaxText)
}
