package proof_test

import (
	"fmt"
	"maps"
	"slices"
)

// scheduler changes one schedule that is its own, so that it knows what there has to be.
type scheduler struct {
	*clients

	id   string
	n    int    // what ids have been given out
	kept string // a task that is not deleted

	tasks     map[string]bool // those that are there; false: deleted
	links     map[string]bool
	baselines map[string][]string // the tasks of each, in order
	clones    map[string][]string // the tasks of each by the name of the clone
	refused   []string            // names of clones
	counts    map[string]int      // of what was done
}

func newScheduler(c *clients, id, twin string) *scheduler {
	c.create(0, "/schedules", map[string]any{"id": id, "name": id, "twinId": twin})
	return &scheduler{
		clients: c, id: id, tasks: make(map[string]bool), links: make(map[string]bool), counts: make(map[string]int),
		baselines: make(map[string][]string), clones: make(map[string][]string),
	}
}

func (s *scheduler) path() string { return "/schedules/" + s.id }

func (s *scheduler) next(what string) string {
	s.n++
	return fmt.Sprintf("%s-%s-%05d", s.id, what, s.n)
}

// present are the ids of what is there, in order.
func present(all map[string]bool) (ids []string) {
	for id, there := range all {
		if there {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// steps of a scheduler, by how often each is done.
var schedulerSteps = []func(*scheduler){
	(*scheduler).one, (*scheduler).one, (*scheduler).one, (*scheduler).batch, (*scheduler).batch,
	(*scheduler).link, (*scheduler).baseline, (*scheduler).deletion, (*scheduler).clone,
}

func (s *scheduler) step() { schedulerSteps[number(len(schedulerSteps))](s) }

// made notes that something was done for certain.
func (s *scheduler) made(what string) { s.counts[what]++ }

func (s *scheduler) one() {
	id := s.next("task")
	if _, ok := s.insist(request{method: "POST", path: s.path() + "/tasks", body: task(id)}, existing...); ok {
		s.tasks[id] = true
		s.made("tasks")
	}
}

func task(id string) map[string]any { return map[string]any{"id": id, "name": id, "type": "Work"} }

func (s *scheduler) batch() {
	var batch []any
	var ids []string
	for range 10 + number(90) {
		id := s.next("task")
		ids, batch = append(ids, id), append(batch, task(id))
	}
	if _, ok := s.insist(request{method: "POST", path: s.path() + "/tasks/batch", body: map[string]any{"batch": batch}}, existing...); ok {
		for _, id := range ids {
			s.tasks[id] = true
		}
		s.made("batches")
	}
}

// link puts tasks into a chain that no other link is in.
func (s *scheduler) link() {
	ids := present(s.tasks)
	if len(ids) < 2 {
		return
	}
	from := number(len(ids) - 1)
	ids = ids[from:min(from+50, len(ids))]
	var batch []any
	var links []string
	for i := range len(ids) - 1 {
		id := ids[i] + "+" + ids[i+1]
		if _, ok := s.links[id]; ok {
			continue
		}
		links = append(links, id)
		batch = append(batch, map[string]any{"id": id, "predecessorId": ids[i], "successorId": ids[i+1], "type": "FinishToStart"})
	}
	if len(batch) == 0 {
		return
	}
	if _, ok := s.insist(request{method: "POST", path: s.path() + "/task-links/batch", body: map[string]any{"batch": batch}}, existing...); ok {
		for _, id := range links {
			s.links[id] = true
		}
		s.made("batches of links")
	}
}

func (s *scheduler) baseline() {
	if len(s.baselines) >= 12 {
		return
	}
	id := s.next("baseline")
	if _, ok := s.insist(request{method: "POST", path: s.path() + "/baselines", body: map[string]any{"id": id, "name": id}}, existing...); ok {
		s.baselines[id] = present(s.tasks)
		s.made("baselines")
	}
}

func (s *scheduler) deletion() {
	ids := present(s.tasks)
	if len(ids) < 100 {
		return
	}
	ids = slices.DeleteFunc(ids, func(id string) bool { return id == s.kept })
	from := number(len(ids) - 20)
	list := ""
	for _, id := range ids[from : from+20] {
		list += "," + id
	}
	if _, ok := s.insist(request{method: "DELETE", path: s.path() + "/tasks?taskIds=" + list[1:]}, missing...); ok {
		for _, id := range ids[from : from+20] {
			s.tasks[id] = false
			for link := range s.links {
				if linked(link, id) {
					s.links[link] = false
				}
			}
		}
		s.made("deletions")
	}
}

func linked(link, task string) bool {
	return len(link) > len(task) && (link[:len(task)+1] == task+"+" || link[len(link)-len(task)-1:] == "+"+task)
}

// clone makes a new schedule of all that there is. An attempt of unknown outcome leaves
// one or none.
func (s *scheduler) clone() {
	if len(s.clones) >= 4 {
		return
	}
	name := s.next("clone")
	a := s.send(s.any(), request{method: "POST", path: s.path() + "/clone", body: map[string]any{"name": name}})
	if a.outcome == refused {
		if !a.passing() {
			s.fault("cloning %s is refused with %d %s", s.id, a.status, a.raw)
		}
		s.refused = append(s.refused, name)
		return
	}
	if a.outcome == unknown {
		if !s.idle() { // or what is done next might be in it
			s.fault("an operation of %s does not end", s.id)
		}
		s.clones[name] = nil
		return
	}
	if failed, ok := s.await(a); !ok || failed != "" {
		s.fault("cloning %s failed: %s", s.id, failed)
		return
	}
	s.clones[name] = present(s.tasks)
	s.made("clones")
}

// idle waits until no operation of the schedule is under way.
func (s *scheduler) idle() bool {
	for range 2 { // what was in the database's hands when its client died may come after the first look
		a := s.read(s.path() + "/operations?$top=50")
		ops, _ := a.at("operations").([]any)
		for _, op := range ops {
			if _, ok := s.ended(s.path() + "/operations/" + op.(map[string]any)["id"].(string)); !ok {
				return false
			}
		}
		pause()
	}
	return true
}

// check wants everything to be as it was acknowledged, at a node.
func (s *scheduler) check(node int) {
	s.compare(node, s.path()+"/tasks?$top=1000", "tasks", "id", present(s.tasks))
	s.compare(node, s.path()+"/task-links?$top=1000", "taskLinks", "id", present(s.links))
	s.compare(node, s.path()+"/baselines", "baselines", "id", slices.Sorted(maps.Keys(s.baselines)))
	for id, tasks := range s.baselines {
		s.compare(node, s.path()+"/baselines/"+id+"/baseline-tasks?$top=1000", "baselineTasks", "taskId", tasks)
	}
	for _, op := range s.list(node, s.path()+"/operations?$top=1000", "operations") {
		if op["status"] != "Succeeded" && op["status"] != "Failed" {
			s.fault("an operation of %s has not ended at node %d: %v", s.id, node, op)
		}
	}
	s.t.Logf("node %d, %s: %v, of which %d tasks and %d links are there", node, s.id, s.counts, len(present(s.tasks)), len(present(s.links)))
}

// compare wants a list to hold the ids and no others, each once.
func (c *clients) compare(node int, path, member, id string, want []string) {
	var got []string
	for _, item := range c.list(node, path, member) {
		got = append(got, item[id].(string))
	}
	slices.Sort(got)
	if slices.Equal(got, want) {
		return
	}
	c.fault("node %d shows %d at %s, and %d have to be there: lost are %v, too many %v", node, len(got), path, len(want), less(want, got), less(got, want))
}

// less are those of a that are not among b, and those that are there twice; the first few.
func less(a, b []string) (left []string) {
	has := make(map[string]int)
	for _, s := range b {
		has[s]++
	}
	for _, s := range a {
		if has[s]--; has[s] < 0 && len(left) < 10 {
			left = append(left, s)
		}
	}
	return left
}

// checkClones wants each clone to hold what its schedule held, and none to be there twice.
func (l *load) checkClones(node int) {
	byName := make(map[string][]string)
	for _, item := range l.list(node, "/schedules?$top=1000&twinId="+l.twin, "schedules") {
		name := item["name"].(string)
		byName[name] = append(byName[name], item["id"].(string))
	}
	for _, s := range l.schedulers {
		for name, tasks := range s.clones {
			if tasks == nil {
				l.checkClone(node, name, byName[name], 0, 1, -1)
				continue
			}
			l.checkClone(node, name, byName[name], 1, 1, len(tasks))
		}
		for _, name := range s.refused {
			l.checkClone(node, name, byName[name], 0, 0, -1)
		}
	}
	for name, came := range l.heavies {
		least, most := 0, 1
		switch came {
		case made:
			least = 1
		case refused:
			most = 0
		case unknown:
		}
		l.checkClone(node, name, byName[name], least, most, 1000*l.thousands)
	}
}

// checkClone wants a clone to be there so many times, with so many tasks; -1: any number.
func (l *load) checkClone(node int, name string, ids []string, least, most, tasks int) {
	if len(ids) < least || len(ids) > most {
		l.fault("node %d shows clone %s %d times, and it has to be there %d to %d times", node, name, len(ids), least, most)
		return
	}
	for _, id := range ids {
		if n := len(l.list(node, "/schedules/"+id+"/tasks?$top=1000", "tasks")); tasks >= 0 && n != tasks {
			l.fault("node %d shows %d tasks in clone %s of %d", node, n, name, tasks)
		}
	}
}
