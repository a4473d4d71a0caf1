package conformance

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
)

var deltaChecks = []Check{
	{Name: "nothing has changed when nothing was changed", run: func(p *probe) {
		s := p.aPlan()
		s.tasks("a", "b")
		_, delta := p.list(s.path+"/tasks", "tasks")
		p.wantChanges(s, delta)
	}},
	{Name: "created, changed and deleted come once each, and nothing else", run: func(p *probe) {
		s := p.aPlan()
		s.tasks("a", "b", "c", "d")
		_, delta := p.list(s.path+"/tasks?$top=2", "tasks")
		s.tasks("e")
		s.rename("b", "Changed")
		s.rename("b", "Changed again")
		s.remove("c")
		changed := p.wantChanges(s, delta, "b", "c", "e")
		if b := byID(changed)["b"]; b["name"] != "Changed again" {
			p.failf("The delta has the latest state of a record, and b comes as %v.", encoded(b))
		}
	}},
	{Name: "deleted record comes with deleted: true and its last members", run: func(p *probe) {
		s := p.aPlan()
		s.tasks("a", "b")
		_, delta := p.list(s.path+"/tasks", "tasks")
		s.remove("a")
		gone := byID(p.wantChanges(s, delta, "a"))["a"]
		if gone["deleted"] != true || gone["name"] != "Task a" {
			p.failf("The specification asks for deleted records to be marked with deleted: true, and a comes as %s.",
				encoded(gone))
		}
		_, delta = p.list(s.path+"/tasks", "tasks")
		s.rename("b", "Changed")
		if b := byID(p.wantChanges(s, delta, "b"))["b"]; b["deleted"] != false {
			p.failf("A record that was changed is not deleted, and b comes as %s.", encoded(b))
		}
	}},
	{Name: "token of a delta has what changed since the delta", run: func(p *probe) {
		s := p.aPlan()
		s.tasks("a", "b")
		_, delta := p.list(s.path+"/tasks", "tasks")
		s.rename("a", "One")
		_, delta = p.since(s.path+"/tasks", "tasks", delta)
		s.rename("b", "Two")
		p.wantChanges(s, delta, "b")
	}},
	{Name: "delta has pages", run: func(p *probe) {
		s := p.aPlan()
		_, delta := p.list(s.path+"/tasks", "tasks")
		s.tasks(numbered(5)...)
		path := s.path + "/tasks?$top=2&deltaToken=" + url.QueryEscape(delta)
		if page := p.page(path, "tasks"); len(page.records) != 2 || page.next == "" {
			p.failf("The specification asks for a delta in pages of $top; of five changes, %d came on the first "+
				"page.\n\t%v", len(page.records), page)
		}
		changed, delta := p.list(path, "tasks")
		p.wantSameIDs(changed, numbered(5)...)
		p.wantChanges(s, delta)
	}},
	{Name: "invalid token is refused", run: func(p *probe) {
		s := p.aPlan()
		_, delta := p.list(s.path+"/tasks", "tasks")
		p.wantError(p.get(s.path+"/tasks?deltaToken=x"), invalid("InvalidValue deltaToken"))
		p.wantError(p.get(s.path+"/resources?deltaToken="+url.QueryEscape(delta)), invalid("InvalidValue deltaToken"))
	}},
	{Name: "token of a schedule that is gone is refused by the next one", run: func(p *probe) {
		s := p.aPlan()
		s.tasks("a")
		_, delta := p.list(s.path+"/tasks", "tasks")
		p.want(p.delete(s.path), 204)
		p.aPlan(object{"id": s.id})
		p.wantError(p.get(s.path+"/tasks?deltaToken="+url.QueryEscape(delta)), invalid("InvalidValue deltaToken"))
	}},
	{Name: "copy that is kept by deltas equals the list", run: func(p *probe) {
		s := p.aPlan()
		s.tasks(numbered(6)...)
		records, delta := p.list(s.path+"/tasks?$top=4", "tasks")
		mirror := byID(records)
		for round := range 4 {
			s.rename(fmt.Sprintf("t%03d", round), fmt.Sprintf("Round %d", round))
			s.remove(fmt.Sprintf("t%03d", round+2))
			s.tasks(fmt.Sprintf("t%03d", round+2), fmt.Sprintf("u%d", round))
			var changed []object
			changed, delta = p.since(s.path+"/tasks", "tasks", delta)
			apply(mirror, changed)
		}
		truth, _ := p.list(s.path+"/tasks", "tasks")
		if want := byID(truth); !alike(want, mirror) {
			p.failf("A copy that is kept by the deltas should equal the list.\n\tlist: %s\n\tcopy: %s", encoded(want),
				encoded(mirror))
		}
	}},
	{Name: "both spellings of the parameter are taken where they are documented", run: func(p *probe) {
		s := p.aPlan()
		group := s.group("crew")
		a := p.want(p.get(group+"/resources"), 200)
		p.want(p.get(group+"/resources?$deltaToken="+url.QueryEscape(p.header(a, "Delta-Token"))), 200)
	}},
}

// byID are records by their ids.
func byID(records []object) map[string]object {
	out := make(map[string]object, len(records))
	for _, r := range records {
		id, _ := r["id"].(string)
		out[id] = r
	}
	return out
}

// apply brings a copy up to date.
func apply(mirror map[string]object, changed []object) {
	for id, r := range byID(changed) {
		if r["deleted"] == true {
			delete(mirror, id)
		} else {
			mirror[id] = r
		}
	}
}

// wantChanges checks which tasks have changed since a token.
func (p *probe) wantChanges(s *plan, delta string, want ...string) []object {
	if delta == "" {
		p.giveUp("The specification asks for a Delta-Token on the last page of %s/tasks.", s.path)
	}
	changed, _ := p.since(s.path+"/tasks", "tasks", delta)
	p.wantSameIDs(changed, want...)
	return changed
}

// wantSameIDs checks which records came, each once, in whatever order.
func (p *probe) wantSameIDs(records []object, want ...string) {
	came := slices.Sorted(slices.Values(idsOf(records, "id")))
	if !slices.Equal(came, slices.Sorted(slices.Values(want))) {
		p.failf("The delta should have the records %v, each once, and has %v.", want, came)
	}
	for id := range maps.Keys(byID(records)) {
		if id == "" {
			p.failf("The delta has a record without an id.")
		}
	}
}

// rename changes a task.
func (s *plan) rename(id, name string) {
	s.await(s.want(s.patch(s.path+"/tasks/"+id, object{"name": name}), 200, 202))
}

// remove deletes a task.
func (s *plan) remove(id string) {
	s.await(s.want(s.delete(s.path+"/tasks?taskIds="+id), 202))
}
