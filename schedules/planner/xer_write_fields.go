package planner

import (
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform/schedules/cpm"
)

// accountRows writes the cost accounts.
func (x *xerWriter) accountRows() {
	t := x.table("ACCOUNT")
	for i := range x.Accounts {
		a := &x.Accounts[i]
		t.row(values{
			"acct_id": x.accounts.of(a.ID), "parent_acct_id": x.accounts.of(a.ParentID), "acct_short_name": a.Code,
			"acct_name": a.Name, "acct_descr": marked(a.Description),
		})
	}
}

// expenseRows writes expenses, and as expenses the fixed costs of tasks of Microsoft
// Project and the costs of baselines, for which P6 has no other place.
func (x *xerWriter) expenseRows() {
	t := x.table("PROJCOST")
	for i := range x.Expenses {
		e := &x.Expenses[i]
		task := x.tasks.of(e.TaskID)
		if task == "" {
			x.lose("expense", e.ID, "It is left out: a node of the WBS has none.")
			continue
		}
		t.row(values{
			"cost_item_id": x.expenses.of(e.ID), "task_id": task, "proj_id": x.projects.of(x.projectOf[e.TaskID]),
			"acct_id":   x.accounts.of(e.AccountID),
			"cost_name": e.Name, "cost_descr": marked(e.Description), "vendor_name": e.Vendor,
			"target_cost": x.decimal(e.Costs.Planned),
			"act_cost":    x.decimal(e.Costs.Actual), "remain_cost": x.decimal(e.Costs.Remaining),
		})
	}
	if x.Format == MSPDI {
		x.fixedCosts(t)
	}
	for i := range x.Baselines {
		b := &x.Baselines[i]
		for at := range b.Tasks {
			// A baseline knows one sum for each task and not what it is of.
			if one := &b.Tasks[at]; one.Cost != 0 {
				t.row(values{
					"cost_item_id": x.expenses.next(), "task_id": x.tasks.of(x.baselineID(b, one.ID)),
					"proj_id":   x.projects.of(x.baselineID(b, b.ID)),
					"cost_name": "Baseline", "target_cost": x.decimal(one.Cost),
				})
			}
		}
	}
}

// fixedCosts writes what tasks of Microsoft Project cost besides their resources.
func (x *xerWriter) fixedCosts(t *xerTable) {
	for i := range x.Tasks {
		one := &x.Tasks[i]
		fixed, ok := x.fixedCost(one)
		if !ok {
			continue
		}
		t.row(values{
			"cost_item_id": x.expenses.next(), "task_id": x.tasks.of(one.ID), "proj_id": x.projects.of(one.ProjectID),
			"cost_name":   "Fixed cost",
			"target_cost": x.decimal(fixed.Planned), "act_cost": x.decimal(fixed.Actual),
			"remain_cost": x.decimal(fixed.Remaining),
		})
	}
}

// topicRows writes a topic for each name under which there are notes.
func (x *xerWriter) topicRows() {
	of := []string{"eps_flag", "proj_flag", "wbs_flag", "task_flag"} // for which a topic is
	t := x.table("MEMOTYPE", append(of, "seq_num")...)
	for _, topic := range x.numberTopics() {
		v := values{"memo_type_id": x.topics[topic], "memo_type": topic, "seq_num": x.topics[topic]}
		for _, flag := range of {
			v[flag] = yes(true)
		}
		t.row(v)
	}
}

// projectMemoRows writes the notes of projects. P6 keeps the notes of projects, WBS nodes
// and tasks in three tables.
func (x *xerWriter) projectMemoRows() {
	t, number := x.table("PROJMEMO"), 0
	x.noted(func(p *Project, n Note) {
		number++
		t.row(values{
			"proj_memo_id": strconv.Itoa(number), "proj_id": x.projects.of(p.ID), "memo_type_id": x.topics[topicOf(n)],
			"proj_memo": marked(n.Text),
		})
	}, func(*Task, Note) {})
}

// nodeMemoRows writes the notes of WBS nodes, which are summaries in a plan.
func (x *xerWriter) nodeMemoRows() {
	t, number := x.table("WBSMEMO"), 0
	x.noted(func(*Project, Note) {}, func(one *Task, n Note) {
		if one.Kind == cpm.Summary {
			number++
			t.row(values{
				"wbs_memo_id": strconv.Itoa(number), "wbs_id": x.node(one.ID), "memo_type_id": x.topics[topicOf(n)],
				"proj_id": x.projects.of(one.ProjectID), "wbs_memo": marked(n.Text),
			})
		}
	})
}

// taskMemoRows writes the notes of all tasks that are no WBS nodes.
func (x *xerWriter) taskMemoRows() {
	t, number := x.table("TASKMEMO"), 0
	x.noted(func(*Project, Note) {}, func(one *Task, n Note) {
		if one.Kind != cpm.Summary {
			number++
			t.row(values{
				"memo_id": strconv.Itoa(number), "task_id": x.tasks.of(one.ID), "memo_type_id": x.topics[topicOf(n)],
				"proj_id": x.projects.of(one.ProjectID), "task_memo": marked(n.Text),
			})
		}
	})
}

// xerScopeNames are the words of P6 for where the values of an activity code may be given.
// Codes of resources and of projects are always global.
var xerScopeNames = map[CodeScope]string{Global: "AS_Global", EPSCode: "AS_EPS", OneProject: "AS_Project"}

// codeRows writes the codes of all subjects.
func (x *xerWriter) codeRows() {
	for _, of := range []Subject{OfResources, OfProjects, OfTasks} {
		table := map[Subject]string{OfResources: "RCATTYPE", OfProjects: "PCATTYPE", OfTasks: "ACTVTYPE"}[of]
		length := map[Subject]string{
			OfResources: "rsrc_catg_short_len", OfProjects: "proj_catg_short_len",
			OfTasks: "actv_short_len",
		}[of]
		t := x.table(table, length, "seq_num")
		for i := range x.Codes {
			c := &x.Codes[i]
			if c.Of != of {
				continue
			}
			v := values{t.columns[0]: x.codes.of(bare(c.ID)), t.columns[1]: c.Name}
			if of == OfTasks {
				v["actv_code_type_scope"], v["proj_id"] = xerScopeNames[c.Scope], x.projects.of(c.ProjectID)
			} else if c.Scope != Global {
				x.lose("code", c.ID, "It may be given everywhere.")
			}
			t.row(v, values{length: x.length[c.ID], "seq_num": strconv.Itoa(i)})
		}
	}
}

// subjectOf are the subjects of codes, by the ids of those.
func (w *writer) subjectOf() map[string]Subject {
	all := make(map[string]Subject, len(w.Codes))
	for i := range w.Codes {
		all[w.Codes[i].ID] = w.Codes[i].Of
	}
	return all
}

// codeValueRows writes the values of the codes of all subjects.
func (x *xerWriter) codeValueRows() {
	of := x.subjectOf()
	// The three tables hold the same members under names of their own.
	for _, s := range []struct {
		of                                      Subject
		table, id, code, parent, name, describe string
	}{
		{
			OfResources, "RCATVAL", "rsrc_catg_id", "rsrc_catg_type_id", "parent_rsrc_catg_id", "rsrc_catg_short_name",
			"rsrc_catg_name",
		},
		{
			OfProjects, "PCATVAL", "proj_catg_id", "proj_catg_type_id", "parent_proj_catg_id", "proj_catg_short_name",
			"proj_catg_name",
		},
		{
			OfTasks, "ACTVCODE", "actv_code_id", "actv_code_type_id", "parent_actv_code_id", "short_name",
			"actv_code_name",
		},
	} {
		t := x.table(s.table)
		for i := range x.CodeValues {
			c := &x.CodeValues[i]
			if of[c.CodeID] != s.of {
				continue
			}
			v := values{
				s.id: x.values.of(bare(c.ID)), s.code: x.codes.of(bare(c.CodeID)),
				s.parent: x.values.of(bare(c.ParentID)),
				s.name:   c.Name, s.describe: c.Description,
			}
			if s.of == OfTasks {
				v["color"] = strings.TrimPrefix(c.Color, "#")
			} else if c.Color != "" {
				x.lose("code value", c.ID, "Its colour is left out.")
			}
			t.row(v)
		}
	}
}

// codedRows writes which values of codes items have.
func (x *xerWriter) codedRows() {
	// The rows repeat the code of each value, which a plan has at the value alone.
	code := make(map[string]string, len(x.CodeValues))
	for i := range x.CodeValues {
		code[x.CodeValues[i].ID] = x.CodeValues[i].CodeID
	}
	t := x.table("RSRCRCAT")
	for i := range x.Resources {
		for _, id := range x.Resources[i].CodeValueIDs {
			t.row(values{
				"rsrc_id": x.resources.of(x.Resources[i].ID), "rsrc_catg_type_id": x.codes.of(bare(code[id])),
				"rsrc_catg_id": x.values.of(bare(id)),
			})
		}
	}
	t = x.table("PROJPCAT")
	for i := range x.Projects {
		for _, id := range x.Projects[i].CodeValueIDs {
			t.row(values{
				"proj_id": x.projects.of(x.Projects[i].ID), "proj_catg_type_id": x.codes.of(bare(code[id])),
				"proj_catg_id": x.values.of(bare(id)),
			})
		}
	}
	t = x.table("TASKACTV")
	for i := range x.Tasks {
		one := &x.Tasks[i]
		for _, id := range one.CodeValueIDs {
			if one.Kind != cpm.Summary {
				t.row(values{
					"task_id": x.tasks.of(one.ID), "actv_code_type_id": x.codes.of(code[id]),
					"actv_code_id": x.values.of(id),
					"proj_id":      x.projects.of(one.ProjectID),
				})
			}
		}
	}
}

// xerFamilyNames are the types of user fields by their families.
var xerFamilyNames = map[FieldFamily]string{
	TextField: "FT_TEXT", IndicatorField: "FT_STATICTYPE", IntegerField: "FT_INT", NumberField: "FT_FLOAT_2_DECIMALS",
	CostField:  "FT_MONEY",
	StartField: "FT_START_DATE", FinishField: "FT_END_DATE",
}

// fieldRows writes the definitions of user fields.
func (x *xerWriter) fieldRows() {
	t := x.table("UDFTYPE")
	for i := range x.UserFields {
		f := &x.UserFields[i]
		typ := xerFamilyNames[f.Family]
		if typ == "" {
			x.lose("user field", f.ID, "It is of text: P6 has no fields of its type.")
			typ = "FT_TEXT"
		}
		// P6 names the subject of a field by the table in which its items are.
		table := map[Subject]string{OfTasks: "TASK", OfResources: "RSRC", OfProjects: "PROJECT"}[f.Of]
		if f.Nodes {
			table = "PROJWBS"
		}
		t.row(values{
			"udf_type_id": x.fields.of(f.ID), "table_name": table, "udf_type_name": f.ExternalID,
			"udf_type_label": f.Name, "logical_data_type": typ,
		})
	}
}

// valueRows writes the values of user fields, in the column that the type of the field asks
// for.
func (x *xerWriter) valueRows() {
	t := x.table("UDFVALUE")
	fields := index(x.UserFields, func(f *UserField) string { return f.ID })
	row := func(kind, id, of, project string, node bool, all []Value) {
		for _, v := range all {
			f := &x.UserFields[fields[v.FieldID]]
			if f.Nodes != node {
				x.lose(kind, id, "A value of a user field is left out: P6 has others for nodes of the WBS.")
				continue
			}
			r := values{"udf_type_id": x.fields.of(f.ID), "fk_id": of, "proj_id": project}
			switch f.Family {
			// P6 keeps a value as a number, a date or a text, each in a column of its own.
			case IntegerField, NumberField, CostField:
				r["udf_number"] = x.decimal(v.Number)
			case StartField, FinishField:
				r["udf_date"] = x.time(kind, id, v.Time)
			default:
				r["udf_text"] = f.String(v)
			}
			t.row(r)
		}
	}
	for i := range x.Projects {
		row(
			"project", x.Projects[i].ID, x.projects.of(x.Projects[i].ID), x.projects.of(x.Projects[i].ID), false,
			x.Projects[i].Values,
		)
	}
	for i := range x.Tasks {
		one := &x.Tasks[i]
		id, node := x.tasks.of(one.ID), one.Kind == cpm.Summary
		if node {
			id = x.node(one.ID)
		}
		row("task", one.ID, id, x.projects.of(one.ProjectID), node, one.Values)
	}
	for i := range x.Resources {
		row("resource", x.Resources[i].ID, x.resources.of(x.Resources[i].ID), "", false, x.Resources[i].Values)
	}
}
