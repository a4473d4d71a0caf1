// Package problemtest shows in tests what a caller gets of a failure.
package problemtest

import (
	"slices"

	"github.com/seed-933f9a09/twinplatform"
)

// Details returns the details of an error, except those that name the permission which a
// forbidden caller lacks: tests of who may do what vary that, and check it separately.
func Details(e *twinplatform.Error) []twinplatform.Detail {
	return slices.DeleteFunc(slices.Clone(e.Details), func(d twinplatform.Detail) bool {
		return e.Kind == twinplatform.Forbidden && (d.Code == "MissingPermission" || d.Code == "NotPermitted")
	})
}

// Brief is an error in short: its code, and code and target of each of its Details; nil
// for none.
func Brief(err error) []string {
	e := twinplatform.AsError(err)
	if e == nil {
		return nil
	}
	out := []string{e.Code}
	for _, d := range Details(e) {
		out = append(out, d.Code+" "+d.Target)
	}
	return out
}
