package schedules

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"net/mail"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/schedules/codes"
	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
	"github.com/seed-933f9a09/twinplatform/schedules/internal/model"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
	"github.com/seed-933f9a09/twinplatform/schedules/userfields"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

// planDiff is the comparison of a whole plan with a schedule.
type planDiff struct {
	*importDiff

	scheduled *planner.Scheduled
	projects  map[string]string // their codes, by their ids
	calendars map[string]*worktime.Calendar
	standard  *worktime.Calendar

	calendarIDs, codeIDs, valueIDs, fieldIDs, resourceIDs map[string]string // of records, by ids of the file

	filed map[string]*filedTask // the tasks of the file by their ids
	tasks *importedTasks
	links map[string]linkPut // those that are written

	sweepCalendars   func() error       // to be called when all else is known
	named, rewritten map[string]bool    // calendars, and ids of records; see calendarUsed
	scheduling       *ProjectScheduling // where it is written
	defaultCalendar  string
}

// diff finds out what an import writes. It fails where the file cannot be imported, in
// words that its user understands.
func (s *Service) diff(tx *records.View, w *importing, file *planner.Plan) (*planDiff, error) {
	d := &planDiff{importDiff: &importDiff{s: s, tx: tx, w: w, scope: w.Scope, file: file}, links: make(map[string]linkPut)}
	set, err := projectScheduling(tx, w.Scope)
	if err != nil {
		return nil, err
	}
	if d.zone, err = time.LoadLocation(set.Value.TimeZone); err != nil {
		return nil, err
	}
	if err := d.choose(); err != nil {
		return nil, err
	}
	d.describe()
	if d.scheduled, err = file.Schedule(); err != nil {
		return nil, cannotSchedule(err)
	}
	for _, warning := range slices.Concat(file.Warnings, d.scheduled.Warnings) {
		d.warn("Warning: %s: %s", warning.What, warning.Text)
	}
	if err := d.loadItems(); err != nil {
		return nil, err
	}
	for _, sort := range []func() error{
		d.compareCalendars, d.compareScheduling, d.compareCodes, d.compareFields, d.compareResources, d.compareTasks, d.compareLinks,
		d.compareAssignments, d.compareCodeAssignments, d.compareValues, d.compareBaselines, d.planned,
	} {
		if err := sort(); err != nil {
			return nil, err
		}
	}
	if err := d.lastCalendars(); err != nil {
		return nil, err
	}
	if err := d.calendarsFit(); err != nil {
		return nil, err
	}
	d.left()
	for _, gone := range slices.Backward(d.gone) {
		d.changes = append(d.changes, gone...)
	}
	return d, d.finish()
}

// lastCalendars finds out which calendars are to go, behind all that may name them.
func (d *planDiff) lastCalendars() error {
	if err := d.sweepCalendars(); err != nil {
		return err
	}
	last := len(d.gone) - 1
	d.gone = append([][]importChange{d.gone[last]}, d.gone[:last]...)
	return nil
}

// cannotSchedule says why a plan has no dates.
func cannotSchedule(err error) error {
	if cycle, ok := errors.AsType[*cpm.CycleError](err); ok {
		return badFile("The links of the file go round in a circle: %s.", model.InShort(cycle.Tasks))
	}
	return badFile("The file cannot be scheduled: %s.", err)
}

// choose leaves out what is not of the projects that are asked for.
func (d *planDiff) choose() error {
	if len(d.w.Projects) == 0 {
		return nil
	}
	chosen := make(map[string]bool)
	for _, want := range d.w.Projects {
		at := slices.IndexFunc(d.file.Projects, func(p planner.Project) bool { return p.ID == want.ID || p.Code == want.ID })
		if at < 0 && want.UserDefinedID != "" { // ids differ from database to database
			at = slices.IndexFunc(d.file.Projects, func(p planner.Project) bool { return p.Code == want.UserDefinedID })
		}
		if at < 0 {
			return badFile("The file has no project '%s'.", want.ID)
		}
		chosen[d.file.Projects[at].ID] = true
	}
	file := *d.file
	file.Projects = filtered(file.Projects, func(p *planner.Project) bool { return chosen[p.ID] })
	tasks := make(map[string]bool)
	file.Tasks = filtered(file.Tasks, func(t *planner.Task) bool {
		tasks[t.ID] = chosen[t.ProjectID]
		return chosen[t.ProjectID]
	})
	file.Links = filtered(file.Links, func(l *planner.Link) bool {
		whole := tasks[l.PredecessorID] && tasks[l.SuccessorID]
		if !whole && (tasks[l.PredecessorID] || tasks[l.SuccessorID]) {
			d.warn("Warning: The link (ID=%s) leads to a project that is not imported; it was ignored.", l.ID)
		}
		return whole
	})
	file.Assignments = filtered(file.Assignments, func(a *planner.Assignment) bool { return tasks[a.TaskID] })
	file.Expenses = filtered(file.Expenses, func(e *planner.Expense) bool { return tasks[e.TaskID] })
	file.Baselines = filtered(file.Baselines, func(b *planner.Baseline) bool { return b.ProjectID == "" || chosen[b.ProjectID] })
	file.Codes = filtered(file.Codes, func(c *planner.Code) bool { return c.ProjectID == "" || chosen[c.ProjectID] })
	codes := make(map[string]bool)
	for _, c := range file.Codes {
		codes[c.ID] = true
	}
	file.CodeValues = filtered(file.CodeValues, func(v *planner.CodeValue) bool { return codes[v.CodeID] })
	d.file = &file
	return nil
}

// filtered are the elements for which a function holds, in a slice of their own.
func filtered[T any](all []T, holds func(*T) bool) []T {
	var some []T
	for i := range all {
		if holds(&all[i]) {
			some = append(some, all[i])
		}
	}
	return some
}

// describe notes what is looked up of the file again and again.
func (d *planDiff) describe() {
	d.projects = make(map[string]string)
	for _, p := range d.file.Projects {
		d.projects[p.ID] = cmp.Or(p.Code, p.Name, p.ID)
	}
	d.standard, _ = worktime.New(planner.Standard) // it is sound
	definitions := make(map[string]*worktime.Definition)
	for _, c := range d.file.Calendars {
		definitions[c.ID] = &worktime.Definition{Week: c.Week, Exceptions: c.Exceptions}
	}
	for _, c := range d.file.Calendars {
		definitions[c.ID].Base = definitions[c.BaseID]
	}
	d.calendars = make(map[string]*worktime.Calendar)
	for id, definition := range definitions {
		if made, err := worktime.New(*definition); err == nil {
			d.calendars[id] = made
		}
	}
	if len(d.file.Projects) > 0 && d.calendars[d.file.Projects[0].CalendarID] != nil {
		d.standard = d.calendars[d.file.Projects[0].CalendarID]
	}
}

// calendarOf is the calendar of a task of the file.
func (d *planDiff) calendarOf(t *planner.Task) *worktime.Calendar {
	switch c := d.calendars[t.CalendarID]; {
	case t.Elapsed:
		return worktime.Continuous
	case c != nil:
		return c
	}
	for _, p := range d.file.Projects {
		if p.ID == t.ProjectID && d.calendars[p.CalendarID] != nil {
			return d.calendars[p.CalendarID]
		}
	}
	return d.standard
}

// at is an instant of the file, which knows no zone.
func (d *planDiff) at(t worktime.Time) twinplatform.DateTime {
	if t == 0 {
		return twinplatform.DateTime{}
	}
	return twinplatform.At(t.In(d.zone))
}

// text is a text as the schedule holds it.
func (d *planDiff) text(what, s string, most int) string {
	short, cut := cutText(strings.ToValidUTF8(s, "�"), most)
	if cut {
		d.warn("Warning: The text of %s has more than %d characters; the rest was ignored.", what, most)
	}
	return short
}

// textOf is the text of one of many, which is named by its id where the text is cut.
func (d *planDiff) textOf(what, id, s string, most int) string {
	if len(s) > most {
		what = fmt.Sprintf("%s (ID=%s)", what, id)
	}
	return d.text(what, s, most)
}

// external is the id that a planner gave to a thing, in one way of writing.
func external(id string) string {
	if id == "" {
		return ""
	}
	return "g:" + strings.ToLower(strings.Trim(id, "{}"))
}

// always is a part of a mode that says the same whenever it is asked.
func always[P any](mode SyncMode, said any, set func(P)) partOf[P] {
	return partOf[P]{mode: mode, say: func() (any, func(P)) { return said, set }}
}

// idsBy are ids of records by ids of the file.
func idsBy[T any](into map[string]string, things []T, id func(*T) string, recordIDs []string) map[string]string {
	if into == nil {
		into = make(map[string]string, len(things))
	}
	for i := range things {
		if recordIDs[i] != "" {
			into[id(&things[i])] = recordIDs[i]
		}
	}
	return into
}

// codeSorts are what the file has of codes, by the category that they become.
func (d *planDiff) compareCodes() error {
	d.codeIDs, d.valueIDs = make(map[string]string), make(map[string]string)
	if n := len(filtered(d.file.Codes, func(c *planner.Code) bool { return c.Of == planner.OfProjects })); n > 0 {
		d.warn("Warning: %d codes of projects are left out: a schedule has none.", n)
	}
	activity := codeSort{
		category: codes.ActivityCode, mode: d.w.Modes.ActivityCodes, merge: d.w.Modes.MergeActivityCodes, of: planner.OfTasks,
		codes:  func(c *SynchronizationCounts) **int { return &c.ActivityCodes },
		values: func(c *SynchronizationCounts) **int { return &c.ActivityCodeValues },
	}
	if err := d.compareCodesOf(&activity); err != nil {
		return err
	}
	resource := codeSort{
		category: codes.ResourceCode, mode: d.w.Modes.ResourceCodes, merge: d.w.Modes.MergeResourceCodes, of: planner.OfResources,
		codes:  func(c *SynchronizationCounts) **int { return &c.ResourceCodes },
		values: func(c *SynchronizationCounts) **int { return &c.ResourceCodeValues },
	}
	if err := d.compareCodesOf(&resource); err != nil {
		return err
	}
	return d.compareAccounts()
}

// codeSort is a sort of codes.
type codeSort struct {
	category      codes.CodeCategory
	of            planner.Subject
	mode          SyncMode
	merge         bool
	codes, values func(*SynchronizationCounts) **int
}

func (d *planDiff) compareCodesOf(k *codeSort) error {
	fileCodes := filtered(d.file.Codes, func(c *planner.Code) bool { return c.Of == k.of })
	keys, aliases := make(nameGiver), make(nameGiver)
	byID := make(map[string]string, len(fileCodes)) // keys
	things := make([]thing[codes.Code], len(fileCodes))
	for i, c := range fileCodes {
		name := d.text("a code", cmp.Or(c.Name, c.ID), MaxText)
		named := "n:" + string(c.Scope) + "/" + d.projects[c.ProjectID] + "/" + c.Name
		things[i] = thing[codes.Code]{
			key: keys.name(cmp.Or(external(c.ExternalID), named)), alias: aliases.name(named),
			parts: []part[codes.Code]{always(k.mode, name, func(v *codes.Code) { v.Name = name })},
		}
		byID[c.ID] = things[i].key
	}
	merge, err := d.sameNames(k)
	if err != nil {
		return err
	}
	ids, err := diffOf(d.importDiff, &sortOf[codes.Code]{
		name: "codes." + string(k.category), records: codes.Imported.Codes.Records, mode: k.mode, counts: k.codes, adopt: merge,
		fresh: func(id string) *codes.Code { return &codes.Code{ID: id, Category: k.category} },
		holds: func(v *codes.Code) bool { return v.Category == k.category },
	}, things)
	if err != nil {
		return err
	}
	idsBy(d.codeIDs, fileCodes, func(c *planner.Code) string { return c.ID }, ids)
	return d.compareCodeValues(k, fileCodes, byID)
}

// sameNames finds the code made here that has a name, where codes are merged.
func (d *planDiff) sameNames(k *codeSort) (func(*codes.Code) string, error) {
	if !k.merge {
		return nil, nil
	}
	byName := make(map[string]string)
	for v, err := range codes.All(d.tx, d.scope) {
		if err != nil {
			return nil, err
		}
		if v.Category == k.category {
			byName[v.Name] = v.ID
		}
	}
	return func(v *codes.Code) string { return byName[v.Name] }, nil
}

func (d *planDiff) compareCodeValues(k *codeSort, fileCodes []planner.Code, codeKeys map[string]string) error {
	values := filtered(d.file.CodeValues, func(v *planner.CodeValue) bool { return codeKeys[v.CodeID] != "" })
	ours := make(map[string]bool)
	for _, c := range fileCodes {
		if id := d.codeIDs[c.ID]; id != "" {
			ours[id] = true
		}
	}
	byName := make(map[[3]string]string)
	holds := make(map[string]bool) // codes of the category
	for v, err := range codes.All(d.tx, d.scope) {
		if err != nil {
			return err
		}
		holds[v.ID] = v.Category == k.category
	}
	if k.merge {
		for v, err := range codes.AllValues(d.tx, d.scope) {
			if err != nil {
				return err
			}
			byName[[3]string{v.CodeID, aboveValue(v), v.Name}] = v.ID
		}
	}
	keys, aliases := make(nameGiver), make(nameGiver)
	paths, depths := make(map[string]string, len(values)), make(map[string]int, len(values))
	things := make([]thing[codes.CodeValue], len(values))
	for i, v := range values {
		above := v.ParentID
		for depths[above] >= MaxDepth {
			d.warn("Warning: The code value '%s' lies more than %d deep; it was put higher.", v.Name, MaxDepth)
			above = ""
		}
		depths[v.ID] = depths[above] + 1
		paths[v.ID] = cmp.Or(paths[above], codeKeys[v.CodeID]) + "/" + v.Name
		name, description := d.text("a code value", cmp.Or(v.Name, v.ID), MaxText), d.text("a code value", v.Description, MaxText)
		things[i] = thing[codes.CodeValue]{
			key: keys.name("n:" + paths[v.ID]), alias: aliases.name("i:" + codeKeys[v.CodeID] + "/" + v.ID),
			fits: func() (bool, error) { return d.codeIDs[v.CodeID] != "", nil },
			parts: []part[codes.CodeValue]{{mode: k.mode, say: func() (any, func(*codes.CodeValue)) {
				code, parent := d.codeIDs[v.CodeID], d.valueIDs[above]
				return []string{code, parent, name, description, v.Color}, func(r *codes.CodeValue) {
					r.CodeID, r.ParentID, r.Name, r.Description = code, twinplatform.NullString(parent), name, description
					r.Color = twinplatform.NullString(strings.ToLower(v.Color))
				}
			}}},
		}
	}
	_, err := compareInOrder(d.importDiff, &sortOf[codes.CodeValue]{
		name: "code-values." + string(k.category), records: codes.Imported.Values.Records, mode: k.mode, counts: k.values,
		fresh:  func(id string) *codes.CodeValue { return &codes.CodeValue{ID: id} },
		holds:  func(v *codes.CodeValue) bool { return holds[v.CodeID] },
		adopt:  func(v *codes.CodeValue) string { return byName[[3]string{v.CodeID, aboveValue(v), v.Name}] },
		parent: aboveValue,
	}, things, func(i int, id string) { d.valueIDs[values[i].ID] = id })
	return err
}

// aboveValue is the id of the code value above one.
func aboveValue(v *codes.CodeValue) string { return string(v.ParentID) }

// costCode is the key of the code whose values are the cost accounts.
const costCode = "accounts"

// compareAccounts makes of the cost accounts values of the code for costs.
func (d *planDiff) compareAccounts() error {
	if len(d.file.Accounts) == 0 && len(d.itemsOf("codes.Cost").all) == 0 {
		return nil
	}
	mode := d.w.Modes.CostAccounts
	var code []thing[codes.Code]
	if len(d.file.Accounts) > 0 {
		code = append(code, thing[codes.Code]{key: costCode, parts: []part[codes.Code]{always(mode, "", func(v *codes.Code) { v.Name = "Cost accounts" })}})
	}
	has := ""
	for v, err := range codes.All(d.tx, d.scope) {
		if err != nil {
			return err
		}
		if v.Category == codes.CostCode {
			has = v.ID
		}
	}
	ids, err := diffOf(d.importDiff, &sortOf[codes.Code]{
		name: "codes.Cost", records: codes.Imported.Codes.Records, mode: mode,
		fresh: func(id string) *codes.Code {
			return &codes.Code{ID: id, Category: codes.CostCode, Name: "Cost accounts"}
		},
		holds: func(v *codes.Code) bool { return v.Category == codes.CostCode },
		adopt: func(*codes.Code) string { return has }, // a schedule has one at most
	}, code)
	if err != nil {
		return err
	}
	keys, aliases := make(nameGiver), make(nameGiver)
	accounts := parentsFirst(d.file.Accounts, func(a *planner.Account) (string, string) { return a.ID, a.ParentID })
	recordIDs := make(map[string]string)
	things := make([]thing[codes.CodeValue], len(accounts))
	for i, a := range accounts {
		name := d.text("a cost account", cmp.Or(a.Code, a.Name, a.ID), MaxText)
		description := d.text("a cost account", cmp.Or(a.Name, a.Description), MaxText)
		things[i] = thing[codes.CodeValue]{
			key: keys.name("n:" + a.Code), alias: aliases.name("i:" + a.ID),
			fits: func() (bool, error) { return ids[0] != "", nil },
			parts: []part[codes.CodeValue]{{mode: mode, say: func() (any, func(*codes.CodeValue)) {
				parent := recordIDs[a.ParentID]
				return []string{ids[0], parent, name, description}, func(v *codes.CodeValue) {
					v.CodeID, v.ParentID, v.Name, v.Description = ids[0], twinplatform.NullString(parent), name, description
				}
			}}},
		}
	}
	_, err = compareInOrder(d.importDiff, &sortOf[codes.CodeValue]{
		name: "code-values.Cost", records: codes.Imported.Values.Records, mode: mode, counts: func(c *SynchronizationCounts) **int { return &c.CostCodes },
		fresh:  func(id string) *codes.CodeValue { return &codes.CodeValue{ID: id} },
		holds:  func(v *codes.CodeValue) bool { return len(ids) > 0 && v.CodeID == ids[0] },
		parent: aboveValue,
	}, things, func(i int, id string) { recordIDs[accounts[i].ID] = id })
	return err
}

// compareInOrder is compare for things that name others before them: the id of each is
// told before the next one's turn.
func compareInOrder[P any](d *importDiff, o *sortBy[P], things []thingOf[P], tell func(i int, id string)) ([]string, error) {
	o.told = tell
	return diffOf(d, o, things)
}

// parentsFirst puts things behind what they lie below. A circle is cut open.
func parentsFirst[T any](all []T, ids func(*T) (id, parent string)) []T {
	at := make(map[string]int, len(all))
	for i := range all {
		id, _ := ids(&all[i])
		at[id] = i
	}
	out, done := make([]T, 0, len(all)), make([]bool, len(all))
	for i := range all {
		var way []int
		for next, ok := i, true; ok && !done[next]; {
			done[next] = true
			way = append(way, next)
			_, parent := ids(&all[next])
			next, ok = at[parent]
			ok = ok && parent != ""
		}
		for _, j := range slices.Backward(way) {
			out = append(out, all[j])
		}
	}
	return out
}

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
	things := make([]thing[userfields.UserField], len(fields))
	for i, f := range fields {
		name, typ := d.text("a user field", cmp.Or(f.Name, f.ID), MaxText), cmp.Or(fieldTypes[f.Family], userfields.StringField)
		named := "n:" + string(f.Of) + "/" + string(typ) + "/" + f.Name
		things[i] = thing[userfields.UserField]{
			key: keys.name(cmp.Or(external(f.ExternalID), named)), alias: aliases.name(named),
			parts: []part[userfields.UserField]{always(d.w.Modes.UserFields, []string{string(f.Of), string(typ), name}, func(v *userfields.UserField) {
				v.Category, v.Type, v.Name = fieldCategories[f.Of], typ, name
			})},
		}
	}
	ids, err := diffOf(d.importDiff, &sortOf[userfields.UserField]{
		name: "user-fields", records: userfields.Imported.Fields.Records, mode: d.w.Modes.UserFields,
		counts: func(c *SynchronizationCounts) **int { return &c.UserFields },
		fresh: func(id string) *userfields.UserField {
			return &userfields.UserField{ID: id, Color: userfields.DefaultColor}
		},
		holds: func(v *userfields.UserField) bool {
			return v.Category == userfields.TaskField || v.Category == userfields.ResourceField
		},
	}, things)
	d.fieldIDs = idsBy(nil, fields, func(f *planner.UserField) string { return f.ID }, ids)
	return err
}

// resourceTypesOf are the types of resources by those of planners.
var resourceTypesOf = map[planner.ResourceType]ResourceType{
	planner.Human: HumanResource, planner.Equipment: EquipmentResource, planner.Material: MaterialResource,
}

func (d *planDiff) compareResources() error {
	m := &d.w.Modes
	d.resourceIDs = make(map[string]string)
	resources := parentsFirst(d.file.Resources, func(r *planner.Resource) (string, string) { return r.ID, r.ParentID })
	taken, err := d.takenIDs(&resourceRecords, "resources", func(r *Resource) string { return string(r.UserDefinedID) })
	if err != nil {
		return err
	}
	keys, aliases := make(nameGiver), make(nameGiver)
	things, depths := make([]thing[Resource], len(resources)), make(map[string]int)
	for i, r := range resources {
		above := r.ParentID
		if depths[above] >= MaxDepth {
			d.warn("Warning: Resource (ID=%s) lies more than %d deep; it was put higher.", r.Code, MaxDepth)
			above = ""
		}
		depths[r.ID] = depths[above] + 1
		named := "c:" + cmp.Or(r.Code, r.Name, r.ID)
		things[i] = thing[Resource]{
			key: keys.name(cmp.Or(external(r.ExternalID), named)), alias: aliases.name(named),
			parts: []part[Resource]{
				{mode: m.Resources, say: func() (any, func(*Resource)) { return d.sayResource(&r, above, taken) }},
				{mode: m.Notebooks, say: func() (any, func(*Resource)) {
					text := d.text("the notes of a resource", notesOf(r.Notes), MaxText)
					return text, func(v *Resource) { v.Description = text }
				}},
			},
		}
		if len(r.Rates) > 1 || len(r.Rates) == 1 && r.Rates[0].Price+r.Rates[0].Overtime+r.Rates[0].PerUse != 0 {
			d.warn("Warning: Resource (ID=%s) has rates; a schedule keeps none, and they were ignored.", cmp.Or(r.Code, r.ID))
		}
	}
	o := &sortOf[Resource]{
		name: "resources", records: resourceRecords.Table(), mode: m.Resources, counts: func(c *SynchronizationCounts) **int { return &c.Resources },
		fresh:  func(id string) *Resource { return &Resource{ID: id, Type: UnknownResourceType, UnitType: UnknownUnit} },
		parent: (*Resource).parent,
		keeps:  d.resourceStays,
	}
	_, err = compareInOrder(d.importDiff, o, things, func(i int, id string) { d.resourceIDs[resources[i].ID] = id })
	return err
}

// resourceStays says why a resource stays that the file does not have: what was made here
// needs it.
func (d *planDiff) resourceStays(r *Resource) string {
	if d.w.Modes.ResourceAssignments == SynchronizeMode {
		return ""
	}
	ours := make(map[string]bool)
	for _, item := range d.itemsOf("resource-assignments").all {
		ours[item.RecordID] = true
	}
	for id := range assignmentRecords.IDs(d.tx, d.scope, assignedResource, r.ID) {
		if !ours[id] || d.w.Modes.ResourceAssignments != IntegrateMode {
			return fmt.Sprintf("Warning: Resource '%s' is no longer in the file, and stays since a task uses it.", r.Name)
		}
	}
	if use, _ := used(model.Resources, d.tx, d.scope, r.ID); use != nil {
		return fmt.Sprintf("Warning: Resource '%s' is no longer in the file, and stays since %s.", r.Name, use.Because)
	}
	for child := range resourceRecords.IDs(d.tx, d.scope, "parent", r.ID) {
		if !d.imported("resources", child) {
			return fmt.Sprintf("Warning: Resource '%s' is no longer in the file, and stays since one made here lies below it.", r.Name)
		}
	}
	return ""
}

// imported reports whether a record came from a file.
func (d *importDiff) imported(sort, recordID string) bool {
	return slices.ContainsFunc(d.itemsOf(sort).all, func(i *importedItem) bool { return i.RecordID == recordID })
}

// sayResource is what the file says of a resource but its notes.
func (d *planDiff) sayResource(r *planner.Resource, above string, taken map[string]bool) (any, func(*Resource)) {
	name, typ := d.text("a resource", cmp.Or(r.Name, r.Code, r.ID), MaxText), cmp.Or(resourceTypesOf[r.Type], UnknownResourceType)
	parent, calendar, code := d.resourceIDs[above], d.calendarIDs[r.CalendarID], d.text("a resource", r.Code, MaxText)
	if taken[code] {
		d.warn("Warning: Resource (ID=%s) has an id that another resource of the schedule has; it has none here.", code)
		code = ""
	}
	email := ""
	if typ == HumanResource && r.Email != "" {
		if _, err := mail.ParseAddress(r.Email); err == nil && len(r.Email) <= MaxEmail {
			email = r.Email
		}
	}
	unit := UnknownUnit
	if typ == MaterialResource {
		unit = d.unitOf(r)
	}
	said := []string{name, string(typ), parent, calendar, code, email, string(unit)}
	quantity := quantityOf(r)
	if quantity != nil {
		said = append(said, fmt.Sprint(*quantity))
	}
	return said, func(v *Resource) {
		v.Name, v.Type, v.ParentID, v.UserDefinedID = name, typ, twinplatform.NullString(parent), twinplatform.NullString(code)
		v.CalendarID, v.Email, v.UnitType = twinplatform.NullString(calendar), email, unit
		v.Renewable, v.WholeUnits = typ != MaterialResource, false // hours are divided
		if v.Renewable {
			v.Quantity = quantity
		}
	}
}

// quantityOf is how many there are of what is no material, by the earliest of its standard
// rates; nil where the file does not say. Of a material a file tells at most how fast it comes.
func quantityOf(r *planner.Resource) *float64 {
	i := slices.IndexFunc(r.Rates, func(rate planner.Rate) bool { return rate.Table == 0 })
	if r.Type == planner.Material || i < 0 || r.Rates[i].MaxUnits <= 0 {
		return nil
	}
	return new(r.Rates[i].MaxUnits)
}

// unitOf is the unit of a material.
func (d *planDiff) unitOf(r *planner.Resource) ResourceUnitType {
	if r.Unit == "" {
		return UnknownUnit
	}
	for _, u := range resourceUnitTypes {
		if strings.EqualFold(string(u), strings.ReplaceAll(r.Unit, " ", "")) {
			return u
		}
	}
	for short, u := range map[string]ResourceUnitType{"m3": UnitCubicMeter, "m2": UnitSqMeter, "m": UnitMeter, "kg": UnitKilo, "t": UnitMetricTon, "h": UnitHour, "ea": UnitEach, "lm": UnitLinearMeter, "cy": UnitCubicYard, "cf": UnitCubicFeet, "sf": UnitSqFoot, "ft": UnitFeet} {
		if strings.EqualFold(r.Unit, short) {
			return u
		}
	}
	d.warn("Warning: Resource (ID=%s) is counted in '%s', which is no unit of a schedule; its unit is Unknown.", cmp.Or(r.Code, r.ID), r.Unit)
	return UnknownUnit
}

// notesOf are notes as one text.
func notesOf(notes []planner.Note) string {
	texts := make([]string, 0, len(notes))
	for _, n := range notes {
		if n.Topic != "" {
			texts = append(texts, n.Topic+": "+n.Text)
			continue
		}
		texts = append(texts, n.Text)
	}
	return strings.Join(texts, "\n")
}

// takenIDs are the user-defined ids of records that were made here.
func (d *planDiff) takenIDs(c *records.Collection[Resource], sort string, of func(*Resource) string) (map[string]bool, error) {
	taken := make(map[string]bool)
	if d.w.Modes.Resources == SynchronizeMode {
		return taken, nil
	}
	known := make(map[string]bool)
	for _, item := range d.itemsOf(sort).all {
		known[item.RecordID] = true
	}
	for v, err := range c.From(d.tx, d.scope, "") {
		if err != nil {
			return nil, err
		}
		if id := of(v); id != "" && !known[c.ID(v)] {
			taken[id] = true
		}
	}
	return taken, nil
}

func (d *planDiff) compareAssignments() error {
	mode := d.w.Modes.ResourceAssignments
	resources := make(map[string]string)
	for _, r := range d.file.Resources {
		resources[r.ID] = cmp.Or(external(r.ExternalID), r.Code, r.Name)
	}
	keys, aliases := make(nameGiver, len(d.file.Assignments)), make(nameGiver, len(d.file.Assignments))
	things, left := make([]thing[ResourceAssignment], len(d.file.Assignments)), 0
	for i := range d.file.Assignments {
		a := &d.file.Assignments[i]
		task := d.task(a.TaskID)
		named := "p:" + task.key + "/" + resources[a.ResourceID]
		things[i] = thing[ResourceAssignment]{
			key: keys.name(cmp.Or(external(a.ExternalID), named)), alias: aliases.name(named),
			fits: func() (bool, error) {
				fits := task.recordID != "" && d.resourceIDs[a.ResourceID] != ""
				if !fits {
					left++
				}
				return fits, nil
			},
			parts: []part[ResourceAssignment]{{mode: mode, say: func() (any, func(*ResourceAssignment)) { return d.sayAssignment(a, task.recordID) }}},
		}
	}
	_, err := diffOf(d.importDiff, &sortOf[ResourceAssignment]{
		name: "resource-assignments", records: assignmentRecords.Table(), mode: mode,
		counts: func(c *SynchronizationCounts) **int { return &c.ResourceAssignments },
		fresh: func(id string) *ResourceAssignment {
			return &ResourceAssignment{ID: id, AppearanceProfileID: UnchangedAppearance}
		},
	}, things)
	if left > 0 && mode != SkipMode {
		d.warn("Warning: %d resource assignments were ignored, since the schedule has not both the task and the resource.", left)
	}
	return err
}

func (d *planDiff) sayAssignment(a *planner.Assignment, task string) (any, func(*ResourceAssignment)) {
	resource := d.resourceIDs[a.ResourceID]
	amount := func(n float64) float64 {
		if n < 0 || math.IsNaN(n) || math.IsInf(n, 0) {
			return 0
		}
		return n
	}
	count := amount(a.UnitsPerTime)
	planned := Utilization{ResourceUnits: amount(a.Units), ResourceCount: count, PercentOfOneResourceUnitPerDay: 100 * count}
	remaining := planned
	remaining.ResourceUnits = amount(a.RemainingUnits)
	actual := ActualUtilization{ResourceUnits: amount(a.ActualUnits)}
	return []any{task, resource, planned, remaining, actual}, func(v *ResourceAssignment) {
		v.TaskID, v.ResourceID, v.PlannedUtilization, v.RemainingUtilization, v.ActualUtilization = task, resource, planned, remaining, actual
	}
}

func (d *planDiff) compareCodeAssignments() error {
	mode := d.w.Modes.ActivityCodeAssignments
	var things []thing[codes.CodeValueAssignment]
	keys := make(nameGiver)
	for i := range d.file.Tasks {
		t := &d.file.Tasks[i]
		for _, id := range t.CodeValueIDs {
			task, value := d.filed[t.ID].id(), d.valueIDs[id]
			if task == "" || value == "" {
				continue
			}
			things = append(things, thing[codes.CodeValueAssignment]{
				key: keys.name(task + "/" + value), at: func() string { return records.Join(task, value) },
				parts: []part[codes.CodeValueAssignment]{always(mode, "", func(v *codes.CodeValueAssignment) { v.TaskID, v.CodeValueID = task, value })},
			})
		}
	}
	_, err := diffOf(d.importDiff, &sortOf[codes.CodeValueAssignment]{
		name: "code-value-assignments", records: codes.Imported.Assignments.Records, mode: mode,
		counts: func(c *SynchronizationCounts) **int { return &c.ActivityCodeValuesAssignments },
		fresh:  func(string) *codes.CodeValueAssignment { return &codes.CodeValueAssignment{} },
	}, things)
	return err
}

// valued is a thing of a file with values of user fields.
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
	var things []thing[userfields.UserFieldValue]
	keys := make(nameGiver)
	for _, o := range all {
		for _, value := range o.values {
			field := d.fieldIDs[value.FieldID]
			if o.recordID == "" || field == "" {
				continue
			}
			text := d.valueText(fields[value.FieldID], value)
			things = append(things, thing[userfields.UserFieldValue]{
				key: keys.name(o.recordID + "/" + field), at: func() string { return records.Join(o.recordID, field) },
				parts: []part[userfields.UserFieldValue]{always(mode, text, func(v *userfields.UserFieldValue) {
					*object(v), v.UserFieldID, v.Value = o.recordID, field, text
				})},
			})
		}
	}
	_, err := diffOf(d.importDiff, &sortOf[userfields.UserFieldValue]{
		name: c.Name(), records: c, mode: mode, counts: func(c *SynchronizationCounts) **int { return &c.UserFieldValues },
		fresh: func(string) *userfields.UserFieldValue { return &userfields.UserFieldValue{} },
	}, things)
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

// left warns of what the schedule has no record for.
func (d *planDiff) left() {
	d.unheld()
	if d.w.Modes.Costs != SkipMode && len(d.file.Expenses) > 0 {
		d.warn("Warning: %d expenses were ignored: a schedule keeps no costs.", len(d.file.Expenses))
	}
	costly, coded := 0, 0
	for i := range d.file.Tasks {
		if d.file.Tasks[i].Costs != (planner.Costs{}) {
			costly++
		}
	}
	for i := range d.file.Resources {
		coded += len(d.file.Resources[i].CodeValueIDs)
	}
	if d.w.Modes.Costs != SkipMode && costly > 0 {
		d.warn("Warning: The costs of %d tasks were ignored: a schedule keeps none.", costly)
	}
	if d.w.Modes.ResourceCodeAssignments != SkipMode && coded > 0 {
		d.warn("Warning: %d assignments of codes to resources were ignored: a schedule keeps those of tasks alone.", coded)
	}
	for _, p := range d.file.Projects {
		if len(p.Notes)+len(p.Values)+len(p.CodeValueIDs) > 0 {
			d.warn("Warning: Notes, user field values and codes of the project (ID=%s) were ignored: a schedule keeps those of tasks and resources.", cmp.Or(p.Code, p.ID))
		}
	}
}

// finish adds what tells of the import as a whole.
func (d *planDiff) finish() error {
	stored, err := synchronizerRecords.Lookup(d.tx, d.scope, d.w.SynchronizerID)
	if err != nil {
		return err
	}
	if d.unsaid > 0 {
		d.details.Warnings = append(d.details.Warnings, SynchronizationWarning{Message: fmt.Sprintf("Warning: There are %d more warnings.", d.unsaid)})
	}
	name := d.s.projectNames(d.file)
	y := Synchronizer{ID: d.w.SynchronizerID, SynchronizerName: name}
	if stored != nil {
		y = *stored
	}
	y.ProjectName, y.ProjectPath = name, d.w.FilePath
	y.Projects = nil
	for i, p := range d.file.Projects {
		if i < MaxBatch {
			id, _ := cutText(cmp.Or(p.ID, p.Code), MaxText)
			code, _ := cutText(p.Code, MaxText)
			y.Projects = append(y.Projects, PlannerProject{ID: id, UserDefinedID: code})
		}
	}
	y.SynchronizationTime, y.SynchronizationType, y.SynchronizationDetails = d.s.now(), d.w.Type, d.details
	y.complete(y.SynchronizationTime)
	return d.write(synchronizerRecords.Table(), &y, false)
}

// projectNames are the names of the projects of a file.
func (s *Service) projectNames(file *planner.Plan) string {
	var names []string
	for _, p := range file.Projects {
		if name := cmp.Or(p.Name, p.Code); name != "" {
			names = append(names, name)
		}
	}
	name, _ := cutText(strings.Join(names, ", "), MaxText)
	return cmp.Or(name, "Plan")
}
