// Package problemtest says in tests what a caller was told about a failure.
package problemtest

import "github.com/seed-933f9a09/twinplatform"

// Told is an error in short: its code, and code and target of each detail; nil for
// none.
func Told(err error) []string {
	e := twinplatform.AsError(err)
	if e == nil {
		return nil
	}
	out := []string{e.Code}
	for _, d := range e.Details {
		out = append(out, d.Code+" "+d.Target)
	}
	return out
}
