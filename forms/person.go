package forms

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
)

// Person is who a form is assigned to, or who did something.
type Person struct {
	// DisplayName is the id where none is given.
	DisplayName string `json:"displayName"`
	// ID is a GUID.
	ID string `json:"id"`
}

// systemName is the name under which a program without a principal acts.
const systemName = "System"

// callerOf returns who acts; the system has no id.
func callerOf(ctx context.Context) Person {
	p, ok := twinplatform.PrincipalFrom(ctx)
	switch {
	case !ok:
		return Person{DisplayName: systemName}
	case p.DisplayName == "":
		return Person{DisplayName: p.ID, ID: p.ID}
	}
	return Person{DisplayName: p.DisplayName, ID: p.ID}
}
