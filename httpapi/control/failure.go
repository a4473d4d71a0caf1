package control

import (
	"net/http"
	"sync"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/httperror"
)

// failures are the errors that work on schedules can fail with, by their codes: those
// of the operations that accept it which report the request and of the records.
var failures = sync.OnceValue(func() map[string]*twinplatform.Error {
	out := make(map[string]*twinplatform.Error)
	kinds := make(map[int]twinplatform.Kind)
	for _, kind := range []twinplatform.Kind{twinplatform.Invalid, twinplatform.Forbidden, twinplatform.NotFound, twinplatform.Conflict} {
		kinds[httperror.Status(kind)] = kind
	}
	for _, o := range everyOperation() {
		if o.Area != "schedules" || o.Method == http.MethodGet {
			continue
		}
		for _, e := range o.Errors {
			kind, known := kinds[e.Status]
			if known && (out[e.Code] == nil || out[e.Code].Target == "") {
				out[e.Code] = &twinplatform.Error{Kind: kind, Code: e.Code, Target: e.Target, Message: e.Message}
			}
		}
	}
	return out
})
