package httpapi_test

import (
	"net/http/httptest"
	"slices"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// onlookers hold nothing, and note what they are asked about.
type onlookers struct {
	known, asked []string
}

func (o *onlookers) Knows(kind string) { o.known = append(o.known, kind) }

func (o *onlookers) Hold(kind string) (percent int, hold bool) {
	o.asked = append(o.asked, kind)
	return 0, false
}

func (o *onlookers) Held(twinplatform.HeldOperation) {}
func (o *onlookers) Asked(string)                    {}

// TestWorkIsCalledByTheOperationThatAsksForIt holds in all conversations the name under
// which work can be held, and by which its record calls it, to the request.
func TestWorkIsCalledByTheOperationThatAsksForIt(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	held, known := make(map[string]bool), make(map[string]bool)
	all := everyScenario(t)
	for name, s := range all {
		if !inSample(name) {
			continue
		}
		gate := new(onlookers)
		h := farWorlds[s.folder()](t, ground{store: memory.New(), gate: gate})
		for _, name := range gate.known {
			known[name] = true
		}
		var c conversation
		for _, st := range s.steps {
			gate.asked = nil
			c.shown(t, c.send(t, h, st.request))
			_, method, target := requestLine(st.request)
			o, _ := h.OperationOf(httptest.NewRequest(method, target, nil))
			for _, name := range gate.asked {
				held[name] = true
				if name != o.ID || !slices.Contains(gate.known, name) {
					t.Errorf("%s, %s: work of %s is called %q, which may be held: %t", s.path, st.title, o.ID, name, slices.Contains(gate.known, name))
				}
			}
		}
	}
	for _, o := range httpapi.Operations() {
		if known[o.ID] != held[o.ID] && (!testing.Short() || all[o.ID] != nil && inSample(o.ID)) {
			t.Errorf("%s: its work may be held: %t, and was met in a conversation: %t", o.ID, known[o.ID], held[o.ID])
		}
	}
}
