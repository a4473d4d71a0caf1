package proof_test

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// transformer runs transformations, each into its own model.
type transformer struct {
	*clients

	twin, source, view, prefix string
	n                          int
	elements                   int // that a run makes

	mu   sync.Mutex
	runs map[string]*run // by configuration
}

type run struct {
	target string
	id     string // empty: of unknown outcome
}

func newTransformer(c *clients, twin, prefix string) *transformer {
	t := &transformer{clients: c, twin: twin, source: prefix + "-source", view: prefix + "-view", prefix: prefix, runs: make(map[string]*run)}
	c.create(0, "/models", map[string]any{"id": t.source, "twinId": twin, "displayName": "Source"})
	var inserted []any
	for i := range 40 {
		inserted = append(inserted, map[string]any{"id": fmt.Sprintf("wall-%02d", i), "class": "Wall", "category": "walls", "parentId": "", "subModelId": "physical"})
	}
	c.create(1, "/models/"+t.source+"/changesets", map[string]any{"id": "first", "description": "Walls", "inserted": inserted})
	c.create(0, "/saved-views", map[string]any{
		"id": t.view, "modelId": t.source, "displayName": "All", "shared": true, "view": map[string]any{"hiddenCategories": []string{"none"}},
	})
	t.step() // while nothing happens: what the others have to come to
	for _, r := range t.runs {
		t.elements = len(c.list(0, "/models/"+r.target+"/elements?$top=1000", "elements"))
	}
	if t.elements == 0 {
		c.t.Fatalf("a transformation has made nothing: %v", c.faults)
	}
	return t
}

// step runs one into a new model.
func (t *transformer) step() {
	t.n++
	target := fmt.Sprintf("%s-target-%04d", t.prefix, t.n)
	if _, ok := t.insist(request{method: "POST", path: "/models", body: map[string]any{"id": target, "twinId": t.twin, "displayName": target}}, existing...); !ok {
		return
	}
	a := t.send(t.any(), request{method: "POST", path: "/transformations/configurations/filterbysavedview", body: map[string]any{
		"transformName": target, "comment": "All walls", "sourceProjectId": t.twin, "sourceModelId": t.source, "targetProjectId": t.twin, "targetModelId": target,
		"transformParameters": map[string]any{"savedViewId": t.view},
	}})
	configuration := a.text("configuration", "id")
	if a.outcome != made {
		if a.outcome == refused && !a.passing() {
			t.fault("a configuration is refused with %d %s", a.status, a.raw)
		}
		pause()
		return
	}
	a = t.send(t.any(), request{method: "POST", path: "/transformations", body: map[string]any{"configurationId": configuration}})
	if a.outcome == refused {
		if !a.passing() {
			t.fault("a transformation is refused with %d %s", a.status, a.raw)
		}
		pause()
		return
	}
	r := &run{target: target, id: a.text("transformation", "id")}
	t.mu.Lock()
	t.runs[configuration] = r
	t.mu.Unlock()
	if r.id != "" {
		t.await(r.id)
	}
}

// await waits for the end of a transformation, which has to be a good one.
func (t *transformer) await(id string) {
	var a answer
	for began := time.Now(); time.Since(began) < patience; pause() {
		a = t.read("/transformations/" + id)
		switch a.text("transformation", "status") {
		case "Succeeded":
			return
		case "Failed", "TimedOut", "Aborted":
			t.fault("a transformation has failed: %s", a.raw)
			return
		}
	}
	t.fault("a transformation does not end: %s", a.raw)
}

// check wants each run to have made one changeset, with all elements.
func (t *transformer) check(node int) {
	doubtful := 0
	for _, configuration := range slices.Sorted(maps.Keys(t.runs)) {
		r := t.runs[configuration]
		all := t.list(node, "/transformations?configurationId="+configuration, "transformations")
		if len(all) > 1 || r.id != "" && (len(all) != 1 || all[0]["id"] != r.id) {
			t.fault("node %d shows %v of configuration %s, and %q was acknowledged", node, all, configuration, r.id)
			continue
		}
		for _, one := range all {
			t.await(one["id"].(string))
		}
		if r.id == "" {
			doubtful++
		}
		changesets := t.list(node, "/models/"+r.target+"/changesets", "changesets")
		got := t.list(node, "/models/"+r.target+"/elements?$top=1000", "elements")
		if len(changesets) != len(all) || len(got) != t.elements*len(all) {
			t.fault("node %d shows %d changesets with %d elements of %d transformations into %s", node, len(changesets), len(got), len(all), r.target)
		}
	}
	t.t.Logf("node %d, transformations: %d, %d of them of unknown outcome", node, len(t.runs), doubtful)
}

// acknowledged are the ids of the transformations that are known.
func (t *transformer) acknowledged() (ids []string) {
	for _, r := range t.runs {
		if r.id != "" {
			ids = append(ids, r.id)
		}
	}
	return ids
}
