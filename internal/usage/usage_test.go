package usage_test

import (
	"flag"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/internal/usage"
)

const page = `Usage: mill grind [flags] GRAIN…

Grinds grain until there is none, or until it is asked to stop. It prints how
much flour there is.

Second paragraph.

Examples:

  mill grind wheat rye
      Grinds two kinds.
  mill grind -stones 2 oat

Power:

  -wind           grind by wind

Flags:

  -stones number  number of stones that turn at the same time, as many as there
                  is wind and water for (default: 1)

A miller knows more.
`

func TestPageIsPlainTextOf80Columns(t *testing.T) {
	t.Parallel()
	set := flag.NewFlagSet("grind", flag.ContinueOnError)
	set.Int("stones", 1, "`number` of stones that turn at the same time, as many as there is wind and water for")
	p := usage.Page{
		Call:     "mill grind [flags] GRAIN…",
		Text:     "Grinds grain until there is none, or until it is asked to stop. It prints how much flour there is.\nSecond paragraph.",
		Examples: []usage.Example{{Call: "mill grind wheat rye", Does: "Grinds two kinds."}, {Call: "mill grind -stones 2 oat"}},
		Flags:    append([]usage.Flag{{Group: "Power", Name: "wind", Does: "grind by wind"}}, usage.Flags(set)...),
		Notes:    []string{"A miller knows more."},
	}
	var b strings.Builder
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(page, b.String()); diff != "" {
		t.Errorf("the page is another (-want +got):\n%s", diff)
	}
	for line := range strings.Lines(b.String()) {
		if n := utf8.RuneCountInString(strings.TrimSpace(line)); n > 80 {
			t.Errorf("a line has %d columns: %s", n, line)
		}
	}
}
