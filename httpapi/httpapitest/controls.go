package httpapitest

import "github.com/seed-933f9a09/twinplatform/httpapi/control"

// What a test names of the controls that a harness has.
type (
	// Fault is what goes wrong with the calls of an operation.
	Fault = control.Fault
	// Faults are what is to go wrong.
	Faults = control.Faults
	// Exchange is one call and what came of it.
	Exchange = control.Exchange
	// Journal is what was called.
	Journal = control.Journal
	// Operations keeps operations from being done.
	Operations = control.Operations
	// Hold is what becomes of the operations of one kind.
	Hold = control.Hold
)
