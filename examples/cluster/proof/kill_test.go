package proof_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

// load is clients that write in all areas, and know what they were answered.
type load struct {
	*clients

	twin       string
	schedulers []*scheduler
	surveyors  []*surveyor
	runners    []*transformer
	makers     []*maker
	counters   []*counter
	twins      *maker   // those whose events are counted
	updated    *counter // that of the twin
	webhook    string   // that receives them
	importer   *importer
	thousands  int                // of tasks of the schedule that is cloned
	heavies    map[string]outcome // of its clones, by name; guarded by mu

	stopping chan struct{}
	running  sync.WaitGroup
}

// newLoad is a load, with a schedule of so many thousand tasks, whose clones take their time.
func newLoad(p *pair, thousands int) *load {
	l := &load{clients: newClients(p), stopping: make(chan struct{}), heavies: make(map[string]outcome), thousands: thousands}
	l.twin = l.create(0, "/twins", map[string]any{"class": "Thing", "displayName": "counted to 0"}).text("twin", "id")
	l.subscribe()
	for i := range 2 {
		l.schedulers = append(l.schedulers, newScheduler(l.clients, fmt.Sprintf("plan%d", i), l.twin))
		l.surveyors = append(l.surveyors, newSurveyor(l.clients, l.twin))
		l.runners = append(l.runners, newTransformer(l.clients, l.twin, fmt.Sprintf("run%d", i)))
	}
	l.importer = newImporter(l.clients, l.twin)
	l.heavy()
	l.forms()
	l.others()
	return l
}

// subscribe makes a webhook for all that the test counts.
func (l *load) subscribe() {
	a := l.send(0, request{method: "POST", path: "/webhooks", token: robotToken, body: map[string]any{
		"callbackUrl": l.pair.inbox.url, "scope": "Account",
		"eventTypes": []string{"twins.twinCreated.v1", "twins.twinUpdated.v1", "transformations.jobCompleted.v1", "models.modelCreated.v1"},
	}})
	l.webhook = a.text("id")
	a = l.send(0, request{method: "PATCH", path: "/webhooks/" + l.webhook, token: robotToken, body: map[string]any{"active": true}})
	if a.outcome != made {
		l.t.Fatalf("the webhook: %d %s", a.status, a.raw)
	}
}

// heavy makes the schedule whose clones take their time.
func (l *load) heavy() {
	l.create(0, "/schedules", map[string]any{"id": "heavy", "name": "heavy", "twinId": l.twin})
	for i := range l.thousands {
		var batch []any
		for j := range 1000 {
			batch = append(batch, task(fmt.Sprintf("heavy-%d", 1000*i+j)))
		}
		l.create(0, "/schedules/heavy/tasks/batch", map[string]any{"batch": batch})
	}
}

func (l *load) forms() {
	definition := l.create(0, "/forms/formDefinitions", map[string]any{"twinId": l.twin, "displayName": "Snag", "type": "Snag", "status": "Approved"}).text("formDefinition", "id")
	form := func(name string) any { return map[string]any{"formId": definition, "subject": name} }
	id := l.create(1, "/forms", form("counted to 0")).text("formData", "id")
	l.counters = append(l.counters, &counter{clients: l.clients, what: "a form", path: "/forms/" + id, wraps: []string{"formData"}, member: "subject", prefix: countedTo})
	l.makers = append(l.makers, &maker{
		clients: l.clients, what: "form", path: "/forms", wrapped: []string{"formData"}, body: form, below: "/forms/", prefix: "form",
		list: "/forms?$top=50&twinId=" + l.twin, listed: []string{"forms", "formDataInstances"}, named: named("displayName"),
	}, &maker{
		clients: l.clients, what: "comment", path: "/forms/" + id + "/comments", wrapped: []string{"comment"}, prefix: "comment",
		body: func(name string) any { return map[string]any{"text": name} },
		list: "/forms/" + id + "/comments?$top=50", listed: []string{"comments"}, named: named("text"),
	})
}

const countedTo = "counted to "

func named(member string) func(map[string]any) string {
	return func(item map[string]any) string {
		name, _ := item[member].(string)
		return name
	}
}

func (l *load) others() {
	thing := func(name string) any { return map[string]any{"class": "Thing", "displayName": name} }
	scan := func(name string) any {
		return map[string]any{"twinId": l.twin, "displayName": name, "type": "3MX", "description": "counted to 0"}
	}
	hook := func(name string) any {
		return map[string]any{"callbackUrl": l.pair.inbox.url + "/" + name, "scope": "Twin", "scopeId": l.twin, "eventTypes": []string{"twins.twinDeleted.v1"}}
	}
	data := l.create(0, "/reality-management/reality-data", scan("Counted")).text("realityData", "id")
	l.create(0, "/schedules/plan0/tasks", map[string]any{"id": "counted", "name": "counted to 0", "type": "Work"})
	l.schedulers[0].tasks["counted"] = true
	l.schedulers[0].kept = "counted"
	l.create(0, "/saved-views", map[string]any{"id": "counted", "modelId": "run0-source", "displayName": "counted to 0", "shared": true, "view": map[string]any{}})
	l.updated = &counter{clients: l.clients, what: "the twin", path: "/twins/" + l.twin, wraps: []string{"twin"}, member: "displayName", prefix: countedTo}
	l.counters = append(l.counters, l.updated,
		&counter{clients: l.clients, what: "a task", path: "/schedules/plan0/tasks/counted", wraps: []string{"task"}, member: "name", prefix: countedTo},
		&counter{clients: l.clients, what: "reality data", path: "/reality-management/reality-data/" + data, wraps: []string{"realityData"}, member: "description", prefix: countedTo},
		&counter{clients: l.clients, what: "a saved view", path: "/saved-views/counted", wraps: []string{"savedView"}, member: "displayName", prefix: countedTo},
	)
	l.twins = &maker{
		clients: l.clients, what: "twin", path: "/twins", wrapped: []string{"twin"}, body: thing, below: "/twins/", prefix: "twin",
		list: "/twins?$top=1000", listed: []string{"twins"}, named: named("displayName"), most: 200,
	}
	l.makers = append(l.makers, l.twins, &maker{
		clients: l.clients, what: "reality data", path: "/reality-management/reality-data", wrapped: []string{"realityData"}, body: scan, prefix: "scan",
		below: "/reality-management/reality-data/", list: "/reality-management/reality-data?$top=1000&twinId=" + l.twin, listed: []string{"realityData"}, named: named("displayName"),
	}, &maker{
		clients: l.clients, what: "webhook", path: "/webhooks", token: robotToken, body: hook, below: "/webhooks/", prefix: "hook", most: 8,
		list: "/webhooks", listed: []string{"webhooks"}, named: func(item map[string]any) string {
			return item["callbackUrl"].(string)[min(len(item["callbackUrl"].(string)), len(l.pair.inbox.url)+1):]
		},
	})
}

// begin lets all clients go.
func (l *load) begin() {
	var steps []func()
	for i := range 2 {
		steps = append(steps, l.schedulers[i].step, l.surveyors[i].step, l.runners[i].step)
	}
	steps = append(steps, l.importer.step)
	for _, m := range l.makers {
		steps = append(steps, m.step)
	}
	for _, k := range l.counters {
		steps = append(steps, k.step, k.step) // two clients each
	}
	for _, step := range steps {
		l.running.Go(func() {
			for {
				select {
				case <-l.stopping:
					return
				default:
					step()
				}
			}
		})
	}
}

// end waits for what the clients have begun.
func (l *load) end() {
	close(l.stopping)
	l.running.Wait()
}

// check wants everything to be as it was acknowledged, and to be so at both nodes.
func (l *load) check() {
	for _, s := range l.schedulers {
		s.idle()
	}
	for node := range 2 {
		for _, s := range l.schedulers {
			s.check(node)
		}
		for _, s := range l.surveyors {
			s.check(node)
		}
		for _, r := range l.runners {
			r.check(node)
		}
		for _, m := range l.makers {
			m.check(node)
		}
		for _, k := range l.counters {
			k.check(node)
		}
		l.checkClones(node)
		l.importer.check(node)
	}
	l.checkEvents()
}

// checkEvents wants every event of what was done to have come, each of one change, and in
// the order of the events where no attempt failed.
func (l *load) checkEvents() {
	deliveries := l.delivered()
	messages := make(map[string]map[string]bool) // by their subject
	first := make(map[string]int)                // when a message came first
	twice := 0
	for i, e := range l.pair.inbox.received() {
		if _, again := first[e.MessageID]; again {
			twice++
			continue
		}
		first[e.MessageID] = i
		of := subject(e)
		if messages[of] == nil {
			messages[of] = make(map[string]bool)
		}
		messages[of][e.MessageID] = true
	}
	want := map[string]int{"twins.twinUpdated.v1 " + l.twin: 0}
	a := l.readAt(0, l.updated.path)
	want["twins.twinUpdated.v1 "+l.twin], _ = l.updated.value(a)
	for _, at := range l.twins.attempts {
		if at.id != "" {
			want["twins.twinCreated.v1 "+at.id] = 1
		}
	}
	for _, r := range l.runners {
		for _, id := range r.acknowledged() {
			want["transformations.jobCompleted.v1 "+id] = 1
		}
		for _, one := range r.runs {
			want["models.modelCreated.v1 "+one.target] = 1
		}
	}
	for of, n := range want {
		if len(messages[of]) != n {
			l.fault("there are %d events %s, and have to be %d", len(messages[of]), of, n)
		}
	}
	l.t.Logf("events: %d deliveries, %d requests for them were repetitions, %d things counted", len(deliveries), twice, len(want))
	last, uneven := -1, 0
	for _, d := range deliveries {
		at, came := first[d["messageId"].(string)]
		if !came {
			l.fault("the delivery %v has not come", d)
			continue
		}
		if attempts, _ := d["attempts"].([]any); len(attempts) != 1 {
			uneven++
			continue
		}
		if at < last {
			l.fault("the delivery %v came before an earlier one", d)
		}
		last = at
	}
	l.t.Logf("events: %d of them needed more than one attempt that was answered", uneven)
}

// subject is the record that an event is about.
func subject(e event) string {
	switch e.EventType {
	case "transformations.jobCompleted.v1":
		return fmt.Sprint(e.EventType, " ", e.Content["transformationId"])
	case "models.modelCreated.v1":
		return fmt.Sprint(e.EventType, " ", e.Content["modelId"])
	}
	return e.EventType + " " + e.TwinID
}

// delivered waits until nothing is pending for the webhook, and returns its deliveries in
// the order of the events.
func (l *load) delivered() (all []map[string]any) {
	for began := time.Now(); time.Since(began) < patience; pause() {
		all = l.listAs(0, robotToken, "/webhooks/"+l.webhook+"/deliveries?$top=1000", "deliveries")
		if !slices.ContainsFunc(all, func(d map[string]any) bool { return d["state"] == "Pending" }) {
			return all
		}
	}
	for _, d := range all {
		if d["state"] != "Delivered" {
			l.fault("a delivery is %v", d)
		}
	}
	return all
}

// takeover starts clones at a node, stops the node in the middle, and returns how long it took
// until the other one had ended what there was; false where there was nothing.
func (l *load) takeover(victim, clones int, after time.Duration, round string, stop func()) (took time.Duration, found bool) {
	var starting sync.WaitGroup
	for i := range clones {
		name := fmt.Sprintf("heavy-%s-%d", round, i)
		starting.Go(func() {
			a := l.send(victim, request{method: "POST", path: "/schedules/heavy/clone", body: map[string]any{"name": name}})
			l.mu.Lock()
			defer l.mu.Unlock()
			l.heavies[name] = a.outcome
		})
	}
	for began := time.Now(); len(l.unended(1-victim)) == 0 && time.Since(began) < 10*time.Second; {
		pause()
	}
	<-time.After(after)
	stopped := time.Now()
	stop()
	starting.Wait()
	left := l.unended(1 - victim)
	for _, id := range left {
		if failed, ok := l.endedAt(1-victim, heavyOperations+"/"+id); failed != "" || !ok {
			l.fault("work of a node that has stopped: %q", failed)
		}
	}
	return time.Since(stopped), len(left) > 0
}

const heavyOperations = "/schedules/heavy/operations"

// unended are the ids of the heavy operations that a node shows as not ended.
func (l *load) unended(node int) (ids []string) {
	a := l.readAt(node, heavyOperations+"?$top=20") // the newest
	ops, _ := a.at("operations").([]any)
	for _, op := range ops {
		if o := op.(map[string]any); o["status"] != "Succeeded" && o["status"] != "Failed" {
			ids = append(ids, o["id"].(string))
		}
	}
	return ids
}

// endedAt is ended by what one node says.
func (l *load) endedAt(node int, path string) (failed string, ok bool) {
	for began := time.Now(); time.Since(began) < patience; pause() {
		a := l.readAt(node, path)
		switch a.text("operation", "status") {
		case "Succeeded":
			return "", true
		case "Failed":
			return a.text("operation", "failureDescription"), true
		}
	}
	l.fault("operation %s does not end", path)
	return "", false
}

// killings are how often a node is killed before everything is looked through.
const killings = 5

// Two nodes over one PostgreSQL are killed at random while clients write in all areas:
// nothing that was acknowledged is lost, nothing is done twice, every operation ends and
// every event is delivered.
//
//nolint:paralleltest // it has the machine for itself
func TestNodesThatAreKilledUnderLoadLoseNothing(t *testing.T) {
	if testing.Short() || testsize.Raced {
		t.Skip("kills processes for more than a minute")
	}
	for series := range storagetest.Scale(1) {
		t.Run(fmt.Sprint(series), killUnderLoad)
	}
}

func killUnderLoad(t *testing.T) {
	l := newLoad(startPair(t, true), 2)
	l.begin()
	var took []time.Duration
	for round := range killings {
		victim := number(2)
		<-time.After(time.Duration(number(1000)) * time.Millisecond)
		if d, found := l.takeover(victim, 3, time.Duration(number(400))*time.Millisecond, fmt.Sprint(round), l.pair.nodes[victim].kill); found {
			took = append(took, d.Round(10*time.Millisecond))
		}
		<-time.After(time.Duration(number(1500)) * time.Millisecond)
		l.pair.nodes[victim].start()
	}
	l.end()
	l.check()
	slices.Sort(took)
	t.Logf("what a killed node was at, three clones of %d tasks, was ended by the other one after %v", 1000*l.thousands, took)
	l.report()
}

// report shows what clients were answered and nodes wrote, and ends the nodes.
func (l *load) report() {
	for _, status := range slices.Sorted(maps.Keys(l.answers)) {
		l.t.Logf("%6d answers %s", l.answers[status], status)
	}
	for i, n := range l.pair.nodes {
		n.stop()
		if l.t.Logf("node %d wrote:\n%s", i, n.output); strings.Contains(n.output.String(), "panic") {
			l.t.Errorf("node %d panicked", i)
		}
	}
	for _, fault := range l.faults {
		l.t.Error(fault)
	}
}
