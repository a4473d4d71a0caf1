package planner

import (
	"cmp"
	"strconv"
	"strings"
)

// taskCode and the functions below it read the codes of tasks, resources and projects. P6
// numbers these each by themselves, so their ids get a prefix here.
func (x *xer) taskCode(r *row) {
	f := x.fields("code", r.get("actv_code_type_id"), r)
	x.Codes = append(x.Codes, Code{
		ID: r.get("actv_code_type_id"), Name: r.get("actv_code_type"), Of: OfTasks,
		Scope: codeScopes.of(&f, "actv_code_type_scope"), ProjectID: r.get("proj_id"),
	})
}

func (x *xer) taskCodeValue(r *row) {
	f := x.fields("code value", r.get("actv_code_id"), r)
	x.CodeValues = append(x.CodeValues, CodeValue{
		ID: r.get("actv_code_id"), CodeID: r.get("actv_code_type_id"), ParentID: r.get("parent_actv_code_id"),
		Name: r.get("short_name"), Description: r.get("actv_code_name"), Color: f.color("color"),
	})
}

func (x *xer) taskCodeOf(r *row) {
	add(x.attached.codes, r.get("task_id"), r.get("actv_code_id"))
}

func (x *xer) resourceCode(r *row) {
	x.Codes = append(
		x.Codes,
		Code{ID: prefixed(ofResource, r.get("rsrc_catg_type_id")), Name: r.get("rsrc_catg_type"), Of: OfResources},
	)
}

func (x *xer) resourceCodeValue(r *row) {
	x.CodeValues = append(x.CodeValues, CodeValue{
		ID: prefixed(ofResource, r.get("rsrc_catg_id")), CodeID: prefixed(ofResource, r.get("rsrc_catg_type_id")),
		ParentID: prefixed(ofResource, r.get("parent_rsrc_catg_id")), Name: r.get("rsrc_catg_short_name"),
		Description: r.get("rsrc_catg_name"),
	})
}

func (x *xer) resourceCodeOf(r *row) {
	add(x.attached.resourceCodes, r.get("rsrc_id"), prefixed(ofResource, r.get("rsrc_catg_id")))
}

func (x *xer) projectCode(r *row) {
	x.Codes = append(
		x.Codes,
		Code{ID: prefixed(ofProject, r.get("proj_catg_type_id")), Name: r.get("proj_catg_type"), Of: OfProjects},
	)
}

func (x *xer) projectCodeValue(r *row) {
	x.CodeValues = append(x.CodeValues, CodeValue{
		ID: prefixed(ofProject, r.get("proj_catg_id")), CodeID: prefixed(ofProject, r.get("proj_catg_type_id")),
		ParentID: prefixed(ofProject, r.get("parent_proj_catg_id")), Name: r.get("proj_catg_short_name"),
		Description: r.get("proj_catg_name"),
	})
}

func (x *xer) projectCodeOf(r *row) {
	add(x.attached.projectCodes, r.get("proj_id"), prefixed(ofProject, r.get("proj_catg_id")))
}

func add[V any](to map[string][]V, id string, v V) { to[id] = append(to[id], v) }

// color is a colour as P6 writes it, by the six digits of its red, green and blue.
func (f *fields) color(name string) string {
	s, _ := f.text(name)
	digits := strings.TrimPrefix(s, "#")
	if _, err := strconv.ParseUint(digits, 16, 24); err != nil || len(digits) != 6 {
		if s != "" {
			f.left(name, s, "no colour")
		}
		return ""
	}
	return "#" + strings.ToUpper(digits)
}

// userField reads the definition of a user field, of which the table that it belongs to
// says the subject.
func (x *xer) userField(r *row) {
	f := x.fields("user field", r.get("udf_type_id"), r)
	of := subjects.of(&f, "table_name")
	x.UserFields = append(x.UserFields, UserField{
		ID: r.get("udf_type_id"), ExternalID: r.get("udf_type_name"),
		Name: first(r.get("udf_type_label"), r.get("udf_type_name")),
		Of:   of.of, Family: families.of(&f, "logical_data_type"), Nodes: of.nodes,
	})
}

// value reads a value of a user field. What it is of, and which of its texts counts, is
// known once all fields are.
func (x *xer) value(r *row) {
	x.values = append(x.values, valueRow{
		field: r.get("udf_type_id"), of: r.get("fk_id"),
		date: r.get("udf_date"), number: r.get("udf_number"), text: first(r.get("udf_text"), r.get("udf_code_id")),
	})
}

// attach gives items the values of user fields.
func (x *xer) attach() {
	known := index(x.UserFields, func(f *UserField) string { return f.ID })
	for _, r := range x.values {
		at, ok := known[r.field]
		if !ok {
			x.warn("user field "+r.field, "Its value of %s is left out: the file has no such field.", r.of)
			continue
		}
		field := &x.UserFields[at]
		of := r.of
		f := x.fields("user field", r.field, alone(cmp.Or(r.date, r.number, r.text)))
		v := f.value(field)
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
	}
}

// account reads a cost account.
func (x *xer) account(r *row) {
	x.Accounts = append(x.Accounts, Account{
		ID: r.get("acct_id"), ParentID: r.get("parent_acct_id"), Code: r.get("acct_short_name"),
		Name:        r.get("acct_name"),
		Description: plain(r.get("acct_descr")),
	})
}

// expense reads a cost that no resource causes.
func (x *xer) expense(r *row) {
	e := Expense{
		ID: r.get("cost_item_id"), TaskID: r.get("task_id"), AccountID: r.get("acct_id"), Name: r.get("cost_name"),
		Description: plain(r.get("cost_descr")), Vendor: r.get("vendor_name"),
	}
	f := x.fields("expense", e.ID, r)
	f.number(&e.Costs.Planned, "target_cost")
	f.number(&e.Costs.Actual, "act_cost")
	f.number(&e.Costs.Remaining, "remain_cost")
	x.Expenses = append(x.Expenses, e)
}

// topic reads a topic of notebooks, by which notes are called.
func (x *xer) topic(r *row) {
	x.topics[r.get("memo_type_id")] = untopic(r.get("memo_type"))
}

// taskMemo reads a note of a task, and nodeMemo and projectMemo those of nodes and
// projects. Their topics may come later in the file.
func (x *xer) taskMemo(r *row) {
	add(x.attached.notes, r.get("task_id"), memo{r.get("memo_type_id"), r.get("task_memo")})
}

func (x *xer) nodeMemo(r *row) {
	add(x.attached.notes, nodeID(r.get("wbs_id")), memo{r.get("memo_type_id"), r.get("wbs_memo")})
}

func (x *xer) projectMemo(r *row) {
	add(x.attached.projectNotes, r.get("proj_id"), memo{r.get("memo_type_id"), r.get("proj_memo")})
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
