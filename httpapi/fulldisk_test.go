package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// On a full disk one can tidy up and read: every request to delete something, and every one
// that reads, is answered as on any other day, in each recorded conversation. Deletions have
// the reserve, and reads need no space at all.
func TestReadsAndDeletionsWorkOnAFullDisk(t *testing.T) {
	t.Parallel()
	for name, s := range everyScenario(t) {
		if !inSample(name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			disk := storetest.NewFull(memory.New())
			h := farWorlds[s.folder()](t, ground{store: disk})
			var c conversation
			for _, st := range s.steps {
				_, method, target := requestLine(c.filled(st.request))
				o, known := h.OperationOf(httptest.NewRequest(method, target, http.NoBody))
				switch {
				case !known:
				case o.Method == http.MethodGet:
					disk.Leave(storetest.Nothing)
				case o.ID == "transformations.delete": // it aborts one, and deletes nothing
				case o.Method == http.MethodDelete || strings.Contains(o.ID, ".delete"):
					disk.Leave(storetest.Reserve)
				}
				answer := c.send(t, h, st.request)
				disk.Leave(storetest.Plenty)
				if answer.Code == http.StatusServiceUnavailable && !strings.HasPrefix(st.answer, "503 ") {
					t.Errorf("%s %s answers %d on a full disk:\n%s", method, target, answer.Code, answer.Body)
				}
				c.shown(t, answer)
			}
		})
	}
}
