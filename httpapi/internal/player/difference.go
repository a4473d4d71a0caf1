package player

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"
)

// Difference is one between the answers of two sides to one request.
type Difference struct {
	Conversation string `json:"conversation"` // the name of its file
	Step         string `json:"step"`         // its title
	Operation    string `json:"operation"`    // such as tasks.create; empty where the request is for none
	// Member is what differs: "status", "header ETag", or a member of the body such as
	// "tasks[].name"; "body" is one that is no JSON.
	Member string `json:"member"`
	Kind   Kind   `json:"kind"`
	// Target and Emulator are what either side has: a JSON value; nil where it has none. Of lists
	// it is the number of entries, or the place of the first one that is elsewhere.
	Target   any `json:"target"`
	Emulator any `json:"emulator"`
}

// Kind is how a member differs.
type Kind string

// The kinds of differences.
const (
	Changed Kind = "value"
	Type    Kind = "type"    // a number and a text, or a value and null
	Missing Kind = "missing" // the emulator has it not
	Added   Kind = "added"   // the emulator alone has it
	Length  Kind = "length"  // a list has more or fewer entries
	Order   Kind = "order"   // the entries of a list are in another order
)

// String is the difference in a line.
func (d Difference) String() string {
	return fmt.Sprintf("%s: %s: %s: the target has %s, the emulator %s (%s, %q)",
		cmp.Or(d.Operation, "no operation"), d.Member, d.Kind, Shown(d.Target), Shown(d.Emulator), d.Conversation,
		d.Step)
}

// Shown is a value of a difference as JSON, and a hyphen for none.
func Shown(v any) string {
	if v == nil {
		return "-"
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return "?"
	}
	return strings.ReplaceAll(string(raw), "\t", " ")
}
