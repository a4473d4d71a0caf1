package risk_test

import (
	"bytes"
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/schedules/risk"
)

// drawn is a picture that is well-formed and has no style attributes.
func drawn(t *testing.T, r *risk.Result, d risk.Drawing) string {
	t.Helper()
	var b bytes.Buffer
	if err := risk.SVG(&b, r, d); err != nil {
		t.Fatal(err)
	}
	for in := xml.NewDecoder(bytes.NewReader(b.Bytes())); ; {
		token, err := in.Token()
		if err == io.EOF {
			return b.String()
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, b.Bytes())
		}
		if e, ok := token.(xml.StartElement); ok {
			for _, a := range e.Attr {
				if a.Name.Local == "style" || strings.HasPrefix(a.Name.Local, "on") || strings.Contains(a.Value, "NaN") {
					t.Errorf("<%s %s=%q>", e.Name.Local, a.Name.Local, a.Value)
				}
			}
		}
	}
}

func TestAPictureShowsWhenTheRunsEnded(t *testing.T) {
	t.Parallel()
	r := simulate(t, planOf([]float64{10}), risk.Options{Runs: 200})
	svg := drawn(t, r, risk.Drawing{Title: `Tower <A> & "B"` + "\u202e"})
	for _, want := range []string{"Tower &lt;A&gt; &amp; &#34;B&#34;: when it may end", ">Planned 15 Jan 2026<", ">P50 15 Jan 2026<", ">P90 16 Jan 2026<", "<style>", "prefers-color-scheme:dark"} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in\n%s", want, svg)
		}
	}
	if svg := drawn(t, r, risk.Drawing{Bare: true}); strings.Contains(svg, "<style") || !strings.Contains(svg, ">Plan: when it may end<") {
		t.Error(svg)
	}
	if !strings.Contains(risk.Policy(), "sha256-") || !strings.Contains(risk.Style(), ".plot") {
		t.Error(risk.Policy())
	}
}

func TestAPictureOfNothingShowsAMessage(t *testing.T) {
	t.Parallel()
	if svg := drawn(t, simulate(t, planOf(nil), risk.Options{}), risk.Drawing{}); !strings.Contains(svg, "Nothing has a finish.") {
		t.Error(svg)
	}
	drawn(t, simulate(t, planOf([]float64{3}), risk.Options{Optimistic: 100, Pessimistic: 100}), risk.Drawing{}) // one bin
}
