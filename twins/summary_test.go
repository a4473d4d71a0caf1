package twins_test

import (
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/wire"
	"github.com/seed-933f9a09/twinplatform/twins"
)

func TestSummaryIsWrittenAsTheEncoderWould(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "plain", `"quoted" \ and <tagged> & more`, "Brücke 橋 🌉", "tab\tline\nnull\x00\x7f", "\xff broken"} {
		s := twins.Summary{Class: twins.Thing, DisplayName: text, ID: "id", Number: text, SubClass: twins.Asset, TwinAccountID: "a"}
		if text == "plain" {
			s.Type = "T"
		}
		want, err := wire.Marshal(s)
		// What is no UTF-8 is an escape, or U+FFFD itself, which says the same: that differs by the release of Go.
		spelled := strings.NewReplacer(`\ufffd`, "\ufffd")
		if got := string(s.AppendJSON(nil)); spelled.Replace(got) != spelled.Replace(string(want)) || err != nil {
			t.Errorf("%q: %s\nwant %s", text, got, want)
		}
	}
}
