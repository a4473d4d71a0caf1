package conformance

import (
	"maps"
	"net/url"
	"time"
)

// aTwin is a twin to work in.
func (p *probe) aTwin() string {
	if p.twin == "" {
		p.twin = p.newTwin(object{})
	}
	return p.twin
}

// newTwin makes a twin, with a name that no one has.
func (p *probe) newTwin(properties object) string {
	body := object{"class": "Thing", "displayName": unused()}
	maps.Copy(body, properties)
	a := p.want(p.post("/twins", body), 201)
	id := p.text(a, p.object(a, "twin"), "id")
	p.later("/twins/" + url.PathEscape(id))
	return id
}

// plan is a schedule that a check works in.
type plan struct {
	*probe
	id   string
	path string
}

// aPlan makes an empty schedule.
func (p *probe) aPlan(properties ...object) *plan {
	body := object{"id": unused(), "name": "Conformance", "twinId": p.aTwin()}
	with(body, properties)
	a := p.want(p.post("/schedules", body), 201)
	id := p.text(a, p.object(a, "schedule"), "id")
	path := "/schedules/" + url.PathEscape(id)
	p.later(path)
	return &plan{probe: p, id: id, path: path}
}

// with adds properties to a body.
func with(body object, properties []object) {
	for _, more := range properties {
		maps.Copy(body, more)
	}
}

// task makes a task, and waits until it is there.
func (s *plan) task(id string, properties ...object) {
	body := object{"id": id, "name": "Task " + id, "type": "Work"}
	with(body, properties)
	s.await(s.want(s.post(s.path+"/tasks", body), 202))
}

// tasks makes tasks of these ids.
func (s *plan) tasks(ids ...string) {
	batch := make([]object, len(ids))
	for i, id := range ids {
		batch[i] = object{"id": id, "name": "Task " + id, "type": "Work"}
	}
	s.await(s.want(s.post(s.path+"/tasks/batch", object{"batch": batch}), 200, 202))
}

// await waits until the work that an answer accepts is done.
func (p *probe) await(a *answer) *answer {
	if a.status == 202 && a.header.Get("Operation-Location") != "" {
		p.follow(a)
	}
	return a
}

// follow asks for an operation until it has ended, and returns its record.
func (p *probe) follow(a *answer) object {
	return p.watch(a, func(*answer, object) {})
}

// watch is follow that shows each state to see.
func (p *probe) watch(a *answer, see func(*answer, object)) object {
	state, op := p.ended(a, see)
	if op["status"] == "Failed" {
		p.giveUp("The operation should succeed.\n\t%v", state)
	}
	return op
}

// ended asks for an operation until it has succeeded or failed, and shows each state to
// see.
func (p *probe) ended(a *answer, see func(*answer, object)) (*answer, object) {
	at := p.header(a, "Operation-Location")
	for wait, left := time.Millisecond, p.Patience; ; wait = min(2*wait, time.Second) {
		state := p.want(p.get(at), 200)
		op := p.object(state, "operation")
		see(state, op)
		if op["status"] == "Succeeded" || op["status"] == "Failed" {
			return state, op
		}
		if left -= wait; left < 0 {
			p.giveUp("The specification asks for operations that end; this one has not within %v.\n\t%v", p.Patience,
				state)
		}
		p.sleep(wait)
	}
}

// page is a page of a list.
type page struct {
	*answer

	records []object
	next    string // where the next page is; empty on the last one
}

// page reads a page of the schedules area.
func (p *probe) page(path, name string) page {
	a := p.want(p.get(path), 200)
	return page{a, p.records(a, name), href(a.body, "next")}
}

// list reads a whole list, and the delta token behind it.
func (p *probe) list(path, name string) (records []object, delta string) {
	for range 1000 {
		page := p.page(path, name)
		records = append(records, page.records...)
		if path = page.next; path == "" {
			return records, page.answer.header.Get("Delta-Token")
		}
	}
	p.giveUp("The list %s has no last page: after 1000 pages there is a next one.", path)
	return nil, ""
}

// since reads what has changed since a delta token, and the token of the end.
func (p *probe) since(path, name, delta string) (changed []object, next string) {
	changed, next = p.list(path+"?deltaToken="+url.QueryEscape(delta), name)
	if next == "" {
		p.failf("The specification asks for a Delta-Token on the last page of %s, deltas included.", path)
	}
	return changed, next
}
