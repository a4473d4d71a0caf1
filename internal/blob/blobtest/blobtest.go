// Package blobtest has a place outside the store for the tests of what keeps bytes there:
// one that fails on cue, and is compared with what the records name.
package blobtest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/blob"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// Outside keeps objects in memory. The zero value is ready.
type Outside struct {
	mu       sync.Mutex
	objects  map[string][]byte // by name
	accounts map[string]string
	left     int // calls until those that follow fail
	err      error
}

var _ twinplatform.ByteStore = (*Outside)(nil)

// FailAfter lets n more calls be made and fails those that follow, as when the process had
// died or the place were out of reach. A nil error ends that.
func (o *Outside) FailAfter(n int, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.left, o.err = n, err
}

// call counts a call; o.mu is held.
func (o *Outside) call() error {
	if o.left--; o.left < 0 {
		return o.err
	}
	return nil
}

// WriteBytes implements twinplatform.ByteStore.
func (o *Outside) WriteBytes(_ context.Context, accountID, name string, content io.Reader) (int64, error) {
	all, err := io.ReadAll(content)
	if err != nil {
		return 0, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := o.call(); err != nil {
		return 0, err
	}
	if o.objects == nil {
		o.objects, o.accounts = make(map[string][]byte), make(map[string]string)
	}
	o.objects[name], o.accounts[name] = all, accountID
	return int64(len(all)), nil
}

type object struct{ *bytes.Reader }

// Close implements io.Closer.
func (object) Close() error { return nil }

// OpenBytes implements twinplatform.ByteStore.
func (o *Outside) OpenBytes(_ context.Context, accountID, name string) (io.ReadSeekCloser, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	content, ok := o.objects[name]
	if !ok || o.accounts[name] != accountID {
		return nil, fs.ErrNotExist
	}
	return object{bytes.NewReader(content)}, nil
}

// RemoveBytes implements twinplatform.ByteStore.
func (o *Outside) RemoveBytes(_ context.Context, accountID, name string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := o.call(); err != nil {
		return err
	}
	if o.accounts[name] == accountID {
		delete(o.objects, name)
		delete(o.accounts, name)
	}
	return nil
}

// Names lists the names of the objects, in order.
func (o *Outside) Names() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Sorted(maps.Keys(o.objects))
}

// Bytes are how many the objects of an account have.
func (o *Outside) Bytes(accountID string) (n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for name, content := range o.objects {
		if o.accounts[name] == accountID {
			n += len(content)
		}
	}
	return n
}

// Held are the names of the objects that the records of a store have in force, in order, how
// many are pending, and how many bytes are in the store itself.
func Held(t testing.TB, store storage.Store) (names []string, pending, inside int) {
	t.Helper()
	err := store.View(context.Background(), func(r storage.Reader) error {
		names, pending, inside = nil, 0, 0
		for key, value := range r.Scan("", "") {
			collection, _, _, wire, ok := records.Wire(key, value)
			switch {
			case ok && collection == blob.Objects.Name:
				pending++
			case ok && collection == blob.Pieces.Name:
				var p blob.Piece
				if err := json.Unmarshal(wire, &p); err != nil {
					return err
				}
				if inside += len(p.Bytes); p.Object != nil {
					names = append(names, p.Object.Name)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	return names, pending, inside
}

// WantNoneLost fails the test unless the objects outside are exactly the ones that the
// records of a store have in force, and nothing is pending.
func (o *Outside) WantNoneLost(t testing.TB, store storage.Store) {
	t.Helper()
	names, pending, _ := Held(t, store)
	if diff := cmp.Diff(names, o.Names()); diff != "" || pending > 0 {
		t.Errorf("%d objects are pending; those in force and those that are there (-records +outside):\n%s", pending,
			diff)
	}
}
