package recording

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// Difference is one between the answers of two servers to one request.
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
		cmp.Or(d.Operation, "no operation"), d.Member, d.Kind, shown(d.Target), shown(d.Emulator), d.Conversation, d.Step)
}

// Row is what differs in the same way in the answers of an operation.
type Row struct {
	Difference     // the first one
	Times      int `json:"times"`
}

// Rows are differences by operation and member.
func Rows(all []Difference) []Row {
	var rows []Row
	for _, d := range all {
		i := slices.IndexFunc(rows, func(r Row) bool { return r.Operation == d.Operation && r.Member == d.Member && r.Kind == d.Kind })
		if i < 0 {
			rows = append(rows, Row{Difference: d})
			i = len(rows) - 1
		}
		rows[i].Times++
	}
	slices.SortStableFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.Member, b.Member))
	})
	return rows
}

// WriteTable writes differences as a table, a line for each operation and member.
func WriteTable(w io.Writer, all []Difference) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "operation\tmember\tdiffers in\ttarget\temulator\ttimes\tfirst in")
	for _, r := range Rows(all) {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%d\t%s: %s\n",
			cmp.Or(r.Operation, "-"), r.Member, r.Kind, short(shown(r.Target)), short(shown(r.Emulator)), r.Times, r.Conversation, r.Step)
	}
	return t.Flush()
}

// shown is a value as JSON.
func shown(v any) string {
	if v == nil {
		return "-"
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return "?"
	}
	return strings.ReplaceAll(string(raw), "\t", " ")
}

func short(text string) string {
	if runes := []rune(text); len(runes) > 40 {
		return string(runes[:39]) + "…"
	}
	return text
}
