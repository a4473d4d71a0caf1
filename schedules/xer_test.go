package schedules_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// xer is a small plan of Primavera P6 for tests: what an XER has of it.
type xer struct {
	tasks       []xerTask
	nodes       []xerNode
	links       []xerLink
	resources   []string // codes
	assignments []xerAssignment
	noGUID      bool
}

// xerTask is an activity, known by its guid, which is made of its number.
type xerTask struct {
	n     int // of the guid; its place when zero
	code  string
	name  string // the code when empty
	node  string // code of the node; the root when empty
	hours int
	typ   string // TT_Task when empty
	begun string // actual start
	ended string // actual finish
	left  int    // hours that remain of one that has begun
	bound string // a start no earlier than this
	early string // early start
}

type xerNode struct{ code, name, above string }

type xerLink struct {
	from, to, typ string
	lag           int // hours
}

type xerAssignment struct {
	task, resource string
	hours          int
}

// xerOf writes a plan as an XER.
func xerOf(t testing.TB, x xer) []byte {
	t.Helper()
	var b strings.Builder
	table := func(name string, fields ...string) {
		fmt.Fprintf(&b, "%%T\t%s\n%%F\t%s\n", name, strings.Join(fields, "\t"))
	}
	row := func(values ...any) {
		b.WriteString("%R")
		for _, v := range values {
			fmt.Fprintf(&b, "\t%v", v)
		}
		b.WriteByte('\n')
	}
	guid := func(kind, n int) string {
		if x.noGUID {
			return ""
		}
		return fmt.Sprintf("g%d-%d", kind, n)
	}
	b.WriteString("ERMHDR\t20.12\t2026-03-02\tProject\tadmin\tadmin\tdb\tProject Management\tUSD\n")
	table("CALENDAR", "clndr_id", "clndr_name", "clndr_type", "clndr_data", "default_flag")
	day := "(0||%d()((0||0(s|08:00|f|12:00)())(0||1(s|13:00|f|17:00)())))"
	days := "(0||1()())"
	for i := 2; i <= 6; i++ {
		days += fmt.Sprintf(day, i)
	}
	row(1, "Five days", "CA_Base", "(0||CalendarData()((0||DaysOfWeek()("+days+"(0||7()())))(0||Exceptions()())))", "Y")
	table("PROJECT", "proj_id", "proj_short_name", "last_recalc_date", "plan_start_date", "clndr_id")
	row(1, "PRJ", "2026-03-02 08:00", "2026-03-02 08:00", 1)
	table("PROJWBS", "wbs_id", "proj_id", "proj_node_flag", "wbs_short_name", "wbs_name", "parent_wbs_id", "guid")
	nodes := map[string]int{"": 1}
	row(1, 1, "Y", "PRJ", "Project", "", guid(0, 1))
	for i, n := range x.nodes {
		nodes[n.code] = i + 2
		row(i+2, 1, "N", n.code, n.name, nodes[n.above], guid(0, xerNumber(n.code)))
	}
	if len(x.resources) > 0 {
		table("RSRC", "rsrc_id", "parent_rsrc_id", "guid", "rsrc_name", "rsrc_short_name", "rsrc_type")
		for i, r := range x.resources {
			row(i+1, "", guid(2, xerNumber(r)), "Resource "+r, r, "RT_Labor")
		}
	}
	table("TASK", "task_id", "proj_id", "wbs_id", "clndr_id", "task_code", "task_name", "task_type", "status_code", "guid",
		"target_drtn_hr_cnt", "remain_drtn_hr_cnt", "act_start_date", "act_end_date", "cstr_type", "cstr_date", "duration_type", "early_start_date")
	ids := make(map[string]int)
	for i, task := range x.tasks {
		n, name, typ, status, left := task.n, task.name, task.typ, "TK_NotStart", task.hours
		if n == 0 {
			n = i + 1
		}
		if name == "" {
			name = task.code
		}
		if typ == "" {
			typ = "TT_Task"
		}
		if task.begun != "" {
			status, left = "TK_Active", task.left
		}
		if task.ended != "" {
			status, left = "TK_Complete", 0
		}
		constraint := ""
		if task.bound != "" {
			constraint = "CS_MSOA"
		}
		ids[task.code] = i + 100
		row(i+100, 1, nodes[task.node], 1, task.code, name, typ, status, guid(1, n), task.hours, left, task.begun, task.ended, constraint, task.bound, "DT_FixedDrtn", task.early)
	}
	table("TASKPRED", "task_pred_id", "task_id", "pred_task_id", "proj_id", "pred_proj_id", "pred_type", "lag_hr_cnt")
	for i, l := range x.links {
		row(i+1, ids[l.to], ids[l.from], 1, 1, l.typ, l.lag)
	}
	if len(x.assignments) > 0 {
		table("TASKRSRC", "taskrsrc_id", "task_id", "proj_id", "rsrc_id", "target_qty", "remain_qty", "guid")
		for i, a := range x.assignments {
			row(i+1, ids[a.task], 1, indexOf(x.resources, a.resource)+1, a.hours, a.hours, guid(3, xerNumber(a.task)*1000+xerNumber(a.resource)))
		}
	}
	b.WriteString("%E\n")
	return []byte(b.String())
}

// xerNumber is the number in a code.
func xerNumber(code string) int {
	n, _ := strconv.Atoi(strings.TrimLeft(code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
	return n
}

func indexOf(all []string, s string) int {
	for i, v := range all {
		if v == s {
			return i
		}
	}
	return -1
}

// randomXER is a plan of so many activities, the same for every seed.
func randomXER(seed uint64, n int) (x xer) {
	rnd := rand.New(rand.NewPCG(seed, 2))
	for i := range max(n/10, 2) {
		node := xerNode{code: fmt.Sprint("W", i+2), name: fmt.Sprint("Node ", i)}
		if i > 0 {
			node.above = x.nodes[rnd.IntN(i)].code
			if rnd.IntN(4) == 0 || i > 40 {
				node.above = ""
			}
		}
		x.nodes = append(x.nodes, node)
	}
	for i := range 5 {
		x.resources = append(x.resources, fmt.Sprint("R", i+1))
	}
	for i := range n {
		task := xerTask{n: i + 1, code: fmt.Sprint("A", i+1), hours: 8 * rnd.IntN(10), node: x.nodes[rnd.IntN(len(x.nodes))].code}
		if rnd.IntN(10) == 0 {
			task.typ, task.hours = "TT_FinMile", 0
		}
		if rnd.IntN(4) > 0 {
			task.early = fmt.Sprintf("2026-%02d-%02d 08:00", 3+rnd.IntN(6), 1+rnd.IntN(28))
		}
		x.tasks = append(x.tasks, task)
		for range rnd.IntN(3) {
			if i > 0 {
				l := xerLink{x.tasks[rnd.IntN(i)].code, task.code, []string{"PR_FS", "PR_SS", "PR_FF"}[rnd.IntN(3)], rnd.IntN(3) * 4}
				if !x.linked(l.from, l.to) {
					x.links = append(x.links, l)
				}
			}
		}
		if rnd.IntN(3) == 0 {
			x.assignments = append(x.assignments, xerAssignment{task.code, x.resources[rnd.IntN(5)], 1 + rnd.IntN(80)})
		}
	}
	return x
}

func (x *xer) linked(from, to string) bool {
	for _, l := range x.links {
		if l.from == from && l.to == to {
			return true
		}
	}
	return false
}
