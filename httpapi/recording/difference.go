package recording

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/player"
)

// Difference is one between the answers of two servers to one request: the file and the title of
// the step in which it was seen, the operation, the member that differs, how, and what either side
// has.
type Difference = player.Difference

// Kind is how a member differs.
type Kind = player.Kind

// The kinds of differences.
const (
	Changed = player.Changed
	Type    = player.Type    // a number and a text, or a value and null
	Missing = player.Missing // the emulator has it not
	Added   = player.Added   // the emulator alone has it
	Length  = player.Length  // a list has more or fewer entries
	Order   = player.Order   // the entries of a list are in another order
)

// Row is what differs in the same way in the answers of an operation.
type Row struct {
	Difference     // the first one
	Times      int `json:"times"`
}

// Rows are differences by operation and member.
func Rows(all []Difference) []Row {
	var rows []Row
	for _, d := range all {
		i := slices.IndexFunc(rows, func(r Row) bool {
			return r.Operation == d.Operation && r.Member == d.Member &&
				r.Kind == d.Kind
		})
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
			cmp.Or(r.Operation, "-"), r.Member, r.Kind, short(player.Shown(r.Target)), short(player.Shown(r.Emulator)),
			r.Times, r.Conversation, r.Step)
	}
	return t.Flush()
}

func short(text string) string {
	if runes := []rune(text); len(runes) > 40 {
		return string(runes[:39]) + "…"
	}
	return text
}
