package records_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// readers counts the values that the views of a store read.
type readers struct {
	storage.Store
	read int
}

func (s *readers) View(ctx context.Context, fn func(storage.Reader) error) error {
	return s.Store.View(ctx, func(r storage.Reader) error { return fn(countedReader{r, s}) })
}

type countedReader struct {
	storage.Reader
	s *readers
}

func (r countedReader) Get(key string) ([]byte, error) {
	r.s.read++
	return r.Reader.Get(key)
}

func (r countedReader) Scan(prefix, after string) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for key, value := range r.Reader.Scan(prefix, after) {
			if r.s.read++; !yield(key, value) {
				return
			}
		}
	}
}

// byName lists parts by their names, the last one first.
func byName(tx records.Reading, continuation string) (names []string, next string, err error) {
	q := records.Query[part]{
		ListOptions: twinplatform.ListOptions{Top: 10, Continuation: continuation},
		Op:          "byName", Order: "name desc", Compare: func(a, b *part) int { return strings.Compare(b.Name, a.Name) },
	}
	page, err := parts.List(tx, bin, q)
	if err != nil {
		return nil, "", err
	}
	values, err := page.Values()
	for _, p := range values {
		names = append(names, p.Name)
	}
	return names, page.Next, err
}

func TestPagesOfAnOrderedListReadItOnceUntilItChanges(t *testing.T) {
	t.Parallel()
	const n = 200
	store := &readers{Store: memory.New()}
	db := records.New(store)
	err := db.Update(t.Context(), func(u *records.Update) error {
		for i := range n {
			if err := put(u, bin, part{ID: fmt.Sprint(i), Name: fmt.Sprintf("%03d", i*7%n)}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	page := func(continuation string) (names []string, next string) {
		t.Helper()
		err := db.View(t.Context(), func(v *records.View) (err error) {
			names, next, err = byName(v, continuation)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return names, next
	}
	_, second := page("")
	store.read = 0
	names, third := page(second)
	if names[0] != "189" || store.read > 20 {
		t.Errorf("the second page begins with %s and reads %d values", names[0], store.read)
	}
	// A transaction sees what it has written itself, which no one else does.
	refused := errors.New("refused")
	err = db.Update(t.Context(), func(u *records.Update) error {
		if err := put(u, bin, part{ID: "new", Name: "999"}); err != nil {
			return err
		}
		names, _, err := byName(u, "")
		if err == nil && names[0] != "999" {
			t.Errorf("the transaction that wrote 999 lists %s first", names[0])
		}
		return errors.Join(err, refused)
	})
	if names, _ := page(""); !errors.Is(err, refused) || names[0] != "199" {
		t.Errorf("%s is first after %v", names[0], err)
	}
	err = db.Update(t.Context(), func(u *records.Update) error { return put(u, bin, part{ID: "new", Name: "999"}) })
	if names, _ := page(third); err != nil || names[0] != "180" {
		t.Errorf("the third page begins with %s after a change: %v", names[0], err)
	}
}
