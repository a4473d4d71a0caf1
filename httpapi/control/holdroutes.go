package control

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"
)

// holdRoutes are the controls of operations that wait.
func (o *Operations) holdRoutes() map[string]Action {
	return map[string]Action{
		"GET /operations":  o.show,
		"POST /operations": o.hold,
		"DELETE /operations": func(r *http.Request) (any, error) {
			return nil,
				o.release(r.URL.Query().Get("kind"))
		},
		"POST /operations/release": o.endOne(false),
		"POST /operations/fail":    o.endOne(true),
	}
}

// endOne releases one operation, or fails it.
func (o *Operations) endOne(fails bool) Action {
	return func(r *http.Request) (any, error) {
		var body struct {
			ID       string `json:"id"`
			FailWith string `json:"failWith"`
		}
		if err := Read(r, &body); err != nil {
			return nil, err
		}
		if fails != (body.FailWith != "") {
			return nil, errors.New("failWith is the code of a failure, and of nothing else")
		}
		return nil, o.End(r.Context(), body.ID, body.FailWith)
	}
}

func (o *Operations) show(*http.Request) (any, error) {
	type held struct {
		ID   string `json:"id"`
		Kind string `json:"kind"`
		// SubjectIDs are what it is about, such as a transformation.
		SubjectIDs []string `json:"subjectIds"`
	}
	kept := []held{}
	for _, op := range o.Held() {
		kept = append(kept, held{op.ID, op.Kind, append([]string{}, op.Subjects...)})
	}
	return map[string]any{"kinds": o.Kinds(), "holding": append([]string{}, o.Holding()...), "held": kept}, nil
}

func (o *Operations) hold(r *http.Request) (any, error) {
	var body struct {
		Kind       string    `json:"kind"`
		Percent    *int      `json:"percent"`
		After      *Duration `json:"after"`
		AfterPolls *int      `json:"afterPolls"`
		FailWith   string    `json:"failWith"`
	}
	if err := Read(r, &body); err != nil {
		return nil, err
	}
	// What the methods would end the test for is an answer here.
	_, fails := o.failures()[body.FailWith]
	kind, err := o.kind(body.Kind)
	switch {
	case err != nil:
		return nil, err
	case body.Percent != nil && (*body.Percent < 0 || *body.Percent > 99):
		return nil, fmt.Errorf("a running operation has 0 to 99 percent, not %d", *body.Percent)
	case body.After != nil && *body.After < 0, body.AfterPolls != nil && *body.AfterPolls < 0:
		return nil, fmt.Errorf("after and afterPolls are 0 or more")
	case body.FailWith != "" && !fails:
		return nil, fmt.Errorf("no operation fails with %q; the codes are %q", body.FailWith, o.Codes())
	}
	h := o.Hold(kind)
	if body.Percent != nil {
		h.Percent(*body.Percent)
	}
	if body.After != nil {
		h.After(time.Duration(*body.After))
	}
	if body.AfterPolls != nil {
		h.AfterPolls(*body.AfterPolls)
	}
	if body.FailWith != "" {
		h.FailWith(body.FailWith)
	}
	return nil, nil
}

// release ends the hold of an operation, or every hold where none is named.
func (o *Operations) release(kind string) error {
	if id, err := o.kind(kind); err == nil {
		kind = id
	}
	o.mu.Lock()
	holds := maps.Clone(o.holds)
	o.mu.Unlock()
	if kind != "" && holds[kind] == nil {
		return fmt.Errorf("the work of %q is not held", kind)
	}
	for _, k := range slices.Sorted(maps.Keys(holds)) {
		if kind == "" || k == kind {
			holds[k].Release()
		}
	}
	return nil
}
