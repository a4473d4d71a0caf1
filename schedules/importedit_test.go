package schedules_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
)

// edits changes a plan at random, each record once at most, and counts what it has done.
type edits struct {
	*xer

	rnd     *rand.Rand
	touched map[string]bool
	counts  map[string]map[string]int
	last    int // number of the last new activity
}

func newEdits(x *xer, seed uint64) *edits {
	return &edits{
		xer: x, rnd: rand.New(rand.NewPCG(seed, 3)), touched: map[string]bool{"A1": true}, last: 1000 * int(seed+1),
		counts: map[string]map[string]int{"created": {}, "updated": {}, "deleted": {}},
	}
}

func (e *edits) next() int {
	e.last++
	return e.last
}

// task is an activity that nothing was done to, and whose links and assignments are as
// they were.
func (e *edits) task() *xerTask {
	for {
		t := &e.tasks[e.rnd.IntN(len(e.tasks))]
		if !e.touched[t.code] {
			e.touched[t.code] = true
			return t
		}
	}
}

func (e *edits) free(l xerLink) bool { return !e.touched[l.from] && !e.touched[l.to] }

func (e *edits) count(what, of string, n int) {
	if n > 0 {
		e.counts[what][of] += n
	}
}

// one makes an edit.
func (e *edits) one() {
	switch e.rnd.IntN(10) {
	case 0:
		e.task().name = fmt.Sprint("Name ", e.next())
		e.count("updated", "tasks", 1)
	case 1:
		t := e.task()
		t.hours += 8
		if t.typ == "TT_FinMile" {
			t.typ = ""
		}
		e.count("updated", "tasks", 1)
	case 2: // of which the guid stays
		t := e.task()
		was := t.code
		t.code = "X" + was
		e.touched[t.code] = true
		for i := range e.links {
			e.links[i].from, e.links[i].to = renamed(e.links[i].from, was, t.code), renamed(e.links[i].to, was, t.code)
		}
		for i := range e.assignments {
			e.assignments[i].task = renamed(e.assignments[i].task, was, t.code)
		}
		e.count("updated", "tasks", 1)
	case 3:
		t := e.task()
		if node := e.nodes[e.rnd.IntN(len(e.nodes))].code; node != t.node {
			t.node = node
			e.count("updated", "tasks", 1)
		}
	case 4:
		t := e.task()
		if t.typ == "" && t.hours > 8 && t.begun == "" {
			t.begun, t.left = "2026-03-02 08:00", t.hours-8
			e.count("updated", "tasks", 1)
		}
	case 5:
		e.task().bound = fmt.Sprintf("2026-06-01 %02d:%02d", e.next()/60%24, e.last%60)
		e.count("updated", "tasks", 1)
	case 6:
		e.touched[fmt.Sprint("N", e.next())] = true
		e.tasks = append(e.tasks, xerTask{n: e.last, code: fmt.Sprint("N", e.last), hours: 16, node: e.nodes[e.rnd.IntN(len(e.nodes))].code, early: "2026-05-04 08:00"})
		e.count("created", "tasks", 1)
	case 7:
		e.remove(e.task().code)
	case 8:
		e.link()
	case 9:
		if i := e.rnd.IntN(len(e.assignments)); !e.touched[e.assignments[i].task] {
			e.touched[e.assignments[i].task] = true
			e.assignments[i].hours++
			e.count("updated", "resourceAssignments", 1)
		}
	}
}

func renamed(s, from, to string) string {
	if s == from {
		return to
	}
	return s
}

// remove takes an activity away with what belongs to it.
func (e *edits) remove(code string) {
	e.count("deleted", "tasks", 1)
	links, assignments := len(e.links), len(e.assignments)
	e.tasks = slices.DeleteFunc(e.tasks, func(t xerTask) bool { return t.code == code })
	e.links = slices.DeleteFunc(e.links, func(l xerLink) bool { return l.from == code || l.to == code })
	e.assignments = slices.DeleteFunc(e.assignments, func(a xerAssignment) bool { return a.task == code })
	e.count("deleted", "links", links-len(e.links))
	e.count("deleted", "resourceAssignments", assignments-len(e.assignments))
}

// link changes, removes or adds a link.
func (e *edits) link() {
	i := e.rnd.IntN(len(e.links))
	l := &e.links[i]
	if !e.free(*l) {
		return
	}
	e.touched[l.from], e.touched[l.to] = true, true
	switch e.rnd.IntN(4) {
	case 0:
		l.lag++
		e.count("updated", "links", 1)
	case 1:
		l.typ = map[string]string{"PR_FS": "PR_SS", "PR_SS": "PR_FF", "PR_FF": "PR_FS"}[l.typ]
		e.count("updated", "links", 1)
	case 2:
		e.links = slices.Delete(e.links, i, i+1)
		e.count("deleted", "links", 1)
	case 3: // a second one between the two
		e.links = append(e.links, xerLink{l.from, l.to, map[string]string{"PR_FS": "PR_SS", "PR_SS": "PR_FF", "PR_FF": "PR_FS"}[l.typ], 1})
		e.count("created", "links", 1)
	}
}

// covers: Files and imports: rule the import of an edited copy is the edit
// covers: operations plannerImports.synchronize
func TestImportOfAnEditedCopyIsTheEdit(t *testing.T) {
	t.Parallel()
	seeds := uint64(24)
	if testing.Short() {
		seeds = 4
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			x := randomXER(seed, 60)
			p := inMemory(t)
			p.importPlan(xerOf(t, x), exchange.PlannerImportOptions{})
			ids := p.byCode()
			mine := p.madeHere(x.nodes[0], ids)
			for round, mode := range []exchange.SyncMode{exchange.IntegrateMode, exchange.IntegrateMode, exchange.SynchronizeMode} {
				e := newEdits(&x, seed*10+uint64(round))
				for range 1 + e.rnd.IntN(12) {
					e.one()
				}
				if mode == exchange.SynchronizeMode { // which takes away what was made here
					e.count("deleted", "tasks", 2)
					e.count("deleted", "links", 2)
					e.count("deleted", "resourceAssignments", 1)
				}
				content := xerOf(t, x)
				y := p.synchronize(content, mode)
				if diff := cmp.Diff(e.counts, changes(t, y)); diff != "" {
					t.Fatalf("round %d (-want +got):\n%s\n%v", round, diff, y.SynchronizationDetails.Warnings)
				}
				if mode == exchange.SynchronizeMode {
					break
				}
				for _, id := range mine {
					p.task(id)
				}
				if diff := cmp.Diff(noChanges, changes(t, p.synchronize(content, mode))); diff != "" {
					t.Fatalf("round %d, once more:\n%s", round, diff)
				}
			}
			fresh := inMemory(t)
			fresh.importPlan(xerOf(t, x), exchange.PlannerImportOptions{})
			if diff := cmp.Diff(fresh.said(), p.said()); diff != "" {
				t.Errorf("what was synchronized is not what the file says (-file +synchronized):\n%s", diff)
			}
		})
	}
}

// madeHere makes two tasks, one of them below a node of the file, with links and an
// assignment, and returns their ids.
func (p *plan) madeHere(below xerNode, codes map[string]string) (ids []string) {
	p.Helper()
	node := ""
	all, _ := p.allTasks(twinplatform.ListOptions{})
	for _, task := range all {
		if task.Name == below.name {
			node = task.ID
		}
	}
	p.create(schedules.NewTask{ID: "mine", Name: "mine", Type: schedules.Work, ParentID: node}, schedules.NewTask{ID: "mine-too", Name: "mine too", Type: schedules.Work})
	p.links("mine FinishToStart mine-too", "mine-too StartToStart "+codes["A1"])
	var resource string
	for r, err := range twinplatform.All(p.ctx, p.svc.In(p.id).Resources, schedules.ResourceQuery{}) {
		if err != nil {
			p.Fatal(err)
		}
		resource = r.ID
	}
	if _, err := p.in().CreateResourceAssignments(p.ctx, []schedules.NewResourceAssignment{{TaskID: "mine", ResourceID: resource, AppearanceProfileID: "p"}}); err != nil {
		p.Fatal(err)
	}
	return []string{"mine", "mine-too"}
}

// content is what a schedule holds, without ids.
func (p *plan) said() map[string][]string {
	p.Helper()
	tasks, _ := p.allTasks(twinplatform.ListOptions{Top: schedules.MaxTop})
	links, _ := p.allLinks(twinplatform.ListOptions{Top: schedules.MaxTop})
	names, calendars := make(map[string]string), make(map[string]string)
	for c, err := range twinplatform.All(p.ctx, p.svc.In(p.id).Calendars, schedules.CalendarQuery{}) {
		if err != nil {
			p.Fatal(err)
		}
		calendars[c.ID] = c.Name
	}
	for _, t := range tasks {
		names[t.ID] = t.UserDefinedID + " " + t.Name
	}
	out := make(map[string][]string)
	for _, t := range tasks {
		parent := string(t.ParentID)
		t.ID, t.ParentID, t.CalendarID = "", "", twinplatform.NullString(calendars[string(t.CalendarID)])
		data, err := json.Marshal(t)
		if err != nil {
			p.Fatal(err)
		}
		out["tasks"] = append(out["tasks"], fmt.Sprintf("%s below %q: %s", t.UserDefinedID, names[parent], data))
	}
	for _, l := range links {
		out["links"] = append(out["links"], fmt.Sprint(names[l.PredecessorID], " ", l.Type, " ", l.Lag, " ", names[l.SuccessorID]))
	}
	for k := range maps.Keys(out) {
		slices.Sort(out[k])
	}
	return out
}
