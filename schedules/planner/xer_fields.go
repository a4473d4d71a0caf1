package planner

import (
	"cmp"
	"strconv"
	"strings"
)

// xerScopes are the scopes of codes by how P6 calls them.
var xerScopes = map[string]CodeScope{"AS_EPS": EPSCode, "AS_Project": OneProject}

// taskCode and the functions below it read the codes of tasks, resources and projects. P6
// numbers these each by themselves, so their ids get a prefix here.
func (x *xer) taskCode(r row) error {
	x.Codes = append(x.Codes, Code{
		ID: r.get("actv_code_type_id"), Name: r.get("actv_code_type"), Of: OfTasks,
		Scope: xerScopes[r.get("actv_code_type_scope")], ProjectID: r.get("proj_id"),
	})
	return nil
}

func (x *xer) taskCodeValue(r row) error {
	x.CodeValues = append(x.CodeValues, CodeValue{
		ID: r.get("actv_code_id"), CodeID: r.get("actv_code_type_id"), ParentID: r.get("parent_actv_code_id"),
		Name: r.get("short_name"), Description: r.get("actv_code_name"), Color: color(r.get("color")),
	})
	return nil
}

func (x *xer) taskCodeOf(r row) error {
	add(x.attached.codes, r.get("task_id"), r.get("actv_code_id"))
	return nil
}

func (x *xer) resourceCode(r row) error {
	x.Codes = append(
		x.Codes,
		Code{ID: prefixed(ofResource, r.get("rsrc_catg_type_id")), Name: r.get("rsrc_catg_type"), Of: OfResources},
	)
	return nil
}

func (x *xer) resourceCodeValue(r row) error {
	x.CodeValues = append(x.CodeValues, CodeValue{
		ID: prefixed(ofResource, r.get("rsrc_catg_id")), CodeID: prefixed(ofResource, r.get("rsrc_catg_type_id")),
		ParentID: prefixed(ofResource, r.get("parent_rsrc_catg_id")), Name: r.get("rsrc_catg_short_name"),
		Description: r.get("rsrc_catg_name"),
	})
	return nil
}

func (x *xer) resourceCodeOf(r row) error {
	add(x.attached.resourceCodes, r.get("rsrc_id"), prefixed(ofResource, r.get("rsrc_catg_id")))
	return nil
}

func (x *xer) projectCode(r row) error {
	x.Codes = append(
		x.Codes,
		Code{ID: prefixed(ofProject, r.get("proj_catg_type_id")), Name: r.get("proj_catg_type"), Of: OfProjects},
	)
	return nil
}

func (x *xer) projectCodeValue(r row) error {
	x.CodeValues = append(x.CodeValues, CodeValue{
		ID: prefixed(ofProject, r.get("proj_catg_id")), CodeID: prefixed(ofProject, r.get("proj_catg_type_id")),
		ParentID: prefixed(ofProject, r.get("parent_proj_catg_id")), Name: r.get("proj_catg_short_name"),
		Description: r.get("proj_catg_name"),
	})
	return nil
}

func (x *xer) projectCodeOf(r row) error {
	add(x.attached.projectCodes, r.get("proj_id"), prefixed(ofProject, r.get("proj_catg_id")))
	return nil
}

func add[V any](to map[string][]V, id string, v V) { to[id] = append(to[id], v) }

// color is a colour as P6 writes it, by the six digits of its red, green and blue, or
// nothing.
func color(s string) string {
	s = strings.TrimPrefix(s, "#")
	if _, err := strconv.ParseUint(s, 16, 24); err != nil || len(s) != 6 {
		return ""
	}
	return "#" + strings.ToUpper(s)
}

// xerFamilies are the families of user fields by how P6 calls them.
var xerFamilies = map[string]FieldFamily{
	"FT_TEXT": TextField, "FT_STATICTYPE": IndicatorField, "FT_INT": IntegerField, "FT_FLOAT": NumberField,
	"FT_FLOAT_2_DECIMALS": NumberField,
	"FT_MONEY":            CostField, "FT_START_DATE": StartField, "FT_END_DATE": FinishField,
}

// xerSubjects are what user fields are for, by the table of it.
var xerSubjects = map[string]Subject{"TASK": OfTasks, "PROJWBS": OfTasks, "RSRC": OfResources, "PROJECT": OfProjects}

// userField reads the definition of a user field, of which the table that it belongs to
// says the subject.
func (x *xer) userField(r row) error {
	x.UserFields = append(x.UserFields, UserField{
		ID: r.get("udf_type_id"), ExternalID: r.get("udf_type_name"),
		Name: first(r.get("udf_type_label"), r.get("udf_type_name")),
		Of:   xerSubjects[r.get("table_name")], Family: xerFamilies[r.get("logical_data_type")],
		Nodes: r.get("table_name") == "PROJWBS",
	})
	return nil
}

// value reads a value of a user field. What it is of, and which of its texts counts, is
// known once all fields are.
func (x *xer) value(r row) error {
	x.values = append(x.values, valueRow{
		field: r.get("udf_type_id"), of: r.get("fk_id"),
		date: r.get("udf_date"), number: r.get("udf_number"), text: first(r.get("udf_text"), r.get("udf_code_id")),
	})
	return nil
}

// attach gives items the values of user fields.
func (x *xer) attach() error {
	known := index(x.UserFields, func(f *UserField) string { return f.ID })
	for _, r := range x.values {
		at, ok := known[r.field]
		if !ok {
			x.warn("user field "+r.field, "Its value of "+r.of+" is left out: the file has no such field.")
			continue
		}
		field := &x.UserFields[at]
		var f fields
		v, of := f.value(field, cmp.Or(r.date, r.number, r.text)), r.of
		if field.Family == TextField || field.Family == IndicatorField {
			v.Text = cmp.Or(r.text, r.number, r.date)
		}
		if field.Nodes {
			of = nodeID(of)
		}
		switch field.Of {
		case OfTasks:
			add(x.attached.values, of, v)
		case OfResources:
			add(x.attached.resourceValues, of, v)
		case OfProjects:
			add(x.attached.projectValues, of, v)
		}
		if err := f.of("value of user field", r.field); err != nil {
			return err
		}
	}
	return nil
}

// account reads a cost account.
func (x *xer) account(r row) error {
	x.Accounts = append(x.Accounts, Account{
		ID: r.get("acct_id"), ParentID: r.get("parent_acct_id"), Code: r.get("acct_short_name"), Name: r.get("acct_name"),
		Description: plain(r.get("acct_descr")),
	})
	return nil
}

// expense reads a cost that no resource causes.
func (x *xer) expense(r row) error {
	e := Expense{
		ID: r.get("cost_item_id"), TaskID: r.get("task_id"), AccountID: r.get("acct_id"), Name: r.get("cost_name"),
		Description: plain(r.get("cost_descr")), Vendor: r.get("vendor_name"),
	}
	var f fields
	f.number(&e.Costs.Planned, r.get("target_cost"))
	f.number(&e.Costs.Actual, r.get("act_cost"))
	f.number(&e.Costs.Remaining, r.get("remain_cost"))
	x.Expenses = append(x.Expenses, e)
	return f.of("expense", e.ID)
}

// topic reads a topic of notebooks, by which notes are called.
func (x *xer) topic(r row) error {
	x.topics[r.get("memo_type_id")] = untopic(r.get("memo_type"))
	return nil
}

// taskMemo reads a note of a task, and nodeMemo and projectMemo those of nodes and
// projects. Their topics may come later in the file.
func (x *xer) taskMemo(r row) error {
	add(x.attached.notes, r.get("task_id"), memo{r.get("memo_type_id"), r.get("task_memo")})
	return nil
}

func (x *xer) nodeMemo(r row) error {
	add(x.attached.notes, nodeID(r.get("wbs_id")), memo{r.get("memo_type_id"), r.get("wbs_memo")})
	return nil
}

func (x *xer) projectMemo(r row) error {
	add(x.attached.projectNotes, r.get("proj_id"), memo{r.get("memo_type_id"), r.get("proj_memo")})
	return nil
}

// notes are memos with their topics.
func (x *xer) notes(what string, memos []memo) (all []Note) {
	for _, m := range memos {
		if n, ok := x.note(what, x.topics[m.topic], m.text); ok {
			all = append(all, n)
		}
	}
	return all
}
