package platform_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// Where transactions race, they are run again when one of them has written what the other
// has read or written. Accounts that have nothing to do with each other do not.
func TestNothingThatTwoAccountsDoTouchesOneKey(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &tracing{Store: memory.New(), by: make(map[string]*touched)}
		var lives []*life
		var callers []context.Context
		for _, name := range []string{"ann", "bob"} {
			ctx := twinplatform.WithPrincipal(t.Context(), twinplatform.Principal{
				ID: name, AccountID: twinplatform.NewGUID(), Kind: twinplatform.Service, Email: name + "@example.com",
				AdministratorRoles: []twinplatform.AdministratorRole{"Account Administrator"},
				Scopes:             []string{twinplatform.ScopePlatform, twinplatform.ScopeWebhooksRead, twinplatform.ScopeWebhooksModify},
			})
			lives, callers = append(lives, beginLife(ctx, t, store)), append(callers, ctx)
		}
		// What a store needs once is there by now, and everything has its place.
		for i, name := range []string{"ann", "bob"} {
			store.as(name)
			for range 2 {
				lives[i].change(callers[i], false)
				lives[i].day++
			}
			store.as("")
		}
		for _, pair := range [][2]string{{"ann", "bob"}, {"bob", "ann"}} {
			for _, clash := range store.by[pair[0]].against(store.by[pair[1]]) {
				t.Errorf("%s writes %s", pair[0], clash)
			}
		}
		if n := len(store.by["ann"].written); n < 500 {
			t.Errorf("only %d keys are written", n)
		}
	})
}

// tracing notes what the transactions that write have read and written.
type tracing struct {
	storage.Store
	mu  sync.Mutex
	now *touched
	by  map[string]*touched
}

// touched is what someone has read and written in transactions that write.
type touched struct {
	read    map[string]bool
	written map[string]bool
	passed  map[passage]bool
}

// passage is the keys that a scan has come by: those with a prefix that come after one
// key, up to another; up to the last of them when that is empty.
type passage struct{ prefix, after, upto string }

func (p passage) has(key string) bool {
	return strings.HasPrefix(key, p.prefix) && key > p.after && (p.upto == "" || key <= p.upto)
}

// as begins to note for someone; no one is empty.
func (s *tracing) as(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now = nil; name != "" {
		s.now = &touched{make(map[string]bool), make(map[string]bool), make(map[passage]bool)}
		s.by[name] = s.now
	}
}

// against reports what of the keys that t has written another has read or written.
func (t *touched) against(other *touched) (clashes []string) {
	for key := range t.written {
		how := ""
		switch {
		case other.written[key]:
			how = "written by both"
		case other.read[key]:
			how = "read by the other"
		}
		for p := range other.passed {
			if how == "" && p.has(key) {
				how = fmt.Sprintf("within a scan of %q after %q up to %q", p.prefix, p.after, p.upto)
			}
		}
		if how != "" {
			clashes = append(clashes, key+": "+how)
		}
	}
	slices.Sort(clashes)
	return clashes
}

func (s *tracing) Update(ctx context.Context, fn func(storage.Writer) error) error {
	var w *tracer
	err := s.Store.Update(ctx, func(writer storage.Writer) error {
		w = &tracer{Writer: writer, t: touched{make(map[string]bool), make(map[string]bool), make(map[passage]bool)}}
		return fn(w)
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now == nil || err != nil || len(w.t.written) == 0 {
		return err
	}
	for key := range w.t.read {
		s.now.read[key] = true
	}
	for key := range w.t.written {
		s.now.written[key] = true
	}
	for p := range w.t.passed {
		s.now.passed[p] = true
	}
	return nil
}

type tracer struct {
	storage.Writer
	t touched
}

func (w *tracer) Get(key string) ([]byte, error) {
	w.t.read[key] = true
	return w.Writer.Get(key)
}

func (w *tracer) Put(key string, value []byte) error {
	w.t.written[key] = true
	return w.Writer.Put(key, value)
}

func (w *tracer) Delete(key string) error {
	w.t.written[key] = true
	return w.Writer.Delete(key)
}

func (w *tracer) Scan(prefix, after string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for key, value := range w.Writer.Scan(prefix, after) {
			if !yield(key, value) {
				w.t.passed[passage{prefix, after, key}] = true
				return
			}
		}
		w.t.passed[passage{prefix: prefix, after: after}] = true
	}
}
