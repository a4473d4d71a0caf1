package httpapi_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// hinted records the contention keys of Updates.
type hinted struct {
	storage.Store

	mu   sync.Mutex
	keys []string
}

// History implements storage.Historian.
func (s *hinted) History(r storage.Reader) (string, error) { return storage.History(s.Store, r) }

// Update implements storage.Store.
func (s *hinted) Update(ctx context.Context, fn func(storage.Writer) error) error {
	s.mu.Lock()
	s.keys = append(s.keys, storage.Contention(ctx))
	s.mu.Unlock()
	return s.Store.Update(ctx, fn)
}

// take returns the keys since it was called last.
func (s *hinted) take() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	keys := s.keys
	s.keys = nil
	return keys
}

// An engine that lets transactions race lets those of one key run one after the other. An
// Update with another key than the rest loses every race with many small changes.
func TestAllThatWritesInAScheduleContendsByItsKey(t *testing.T) {
	t.Parallel()
	for name, s := range everyScenario(t) {
		folder := s.folder()
		if folder != "schedules" || !inSample(name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := &hinted{Store: memory.New()}
			handler := farWorlds[folder](t, ground{store: store})
			store.take()
			var c conversation
			for _, st := range s.steps {
				_, method, target := requestLine(st.request)
				c.shown(t, c.send(t, handler, st.request))
				keys := store.take()
				_, below, ok := strings.Cut(target, "/schedules/")
				id, _, _ := strings.Cut(below, "/")
				id, _, _ = strings.Cut(id, "?")
				if !ok || method == http.MethodGet || id == "" { // which makes one
					continue
				}
				if slices.ContainsFunc(keys, func(key string) bool { return key != "schedules/"+id }) {
					t.Errorf("%s %s: its transactions contend by %q", method, target, keys)
				}
			}
		})
	}
}
