package control

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/httperror"
)

// failures are the errors that work can fail with, by their codes: those of the
// operations that can be held which report the request and what is there.
func (o *Operations) failures() map[string]*twinplatform.Error {
	kinds := make(map[int]twinplatform.Kind)
	for _, kind := range []twinplatform.Kind{
		twinplatform.Invalid, twinplatform.Forbidden, twinplatform.NotFound,
		twinplatform.Conflict,
	} {
		kinds[httperror.Status(kind)] = kind
	}
	out := make(map[string]*twinplatform.Error)
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, op := range everyOperation() {
		if !o.kinds[op.ID] {
			continue
		}
		for _, e := range op.Errors {
			kind, known := kinds[e.Status]
			if known && (out[e.Code] == nil || out[e.Code].Target == "") {
				out[e.Code] = &twinplatform.Error{Kind: kind, Code: e.Code, Target: e.Target, Message: e.Message}
			}
		}
	}
	return out
}
