package memory_test

import (
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

func put(t testing.TB, s storage.Store, key, value string) {
	t.Helper()
	if err := s.Update(t.Context(), func(w storage.Writer) error { return w.Put(key, []byte(value)) }); err != nil {
		t.Fatal(err)
	}
}

func value(t testing.TB, s storage.Store, key string) (value string) {
	t.Helper()
	err := s.View(t.Context(), func(r storage.Reader) error {
		v, err := r.Get(key)
		value = string(v)
		if errors.Is(err, storage.ErrNotFound) {
			return nil
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return value
}

func fork(t testing.TB, s storage.Store) storage.Store {
	t.Helper()
	f, err := memory.Fork(s)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestForkBeginsAsTheStoreIsAndGoesItsOwnWay(t *testing.T) {
	t.Parallel()
	trunk := memory.New()
	put(t, trunk, "a", "1")
	left, right := fork(t, trunk), fork(t, trunk)
	put(t, left, "a", "2")
	put(t, trunk, "b", "3")
	for name, c := range map[string]struct {
		store storage.Store
		want  string
	}{"trunk": {trunk, "1 3"}, "left": {left, "2 "}, "right": {right, "1 "}, "fork of a fork": {fork(t, left), "2 "}} {
		if got := value(t, c.store, "a") + " " + value(t, c.store, "b"); got != c.want {
			t.Errorf("%s holds %q, want %q", name, got, c.want)
		}
	}
	if err := trunk.Close(); err != nil {
		t.Fatal(err)
	}
	if got := value(t, left, "a"); got != "2" {
		t.Errorf("behind the end of the trunk the fork holds %q", got)
	}
	if _, err := memory.Fork(trunk); !errors.Is(err, storage.ErrClosed) {
		t.Errorf("forking a store that is closed: %v", err)
	}
	if _, err := memory.Fork(nil); err == nil {
		t.Error("nothing was forked without an error")
	}
}

func TestForksAreTakenWhileEverybodyWrites(t *testing.T) {
	t.Parallel()
	trunk := memory.New()
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for j := range 50 {
				put(t, trunk, fmt.Sprintf("%d/%d", i, j), "trunk")
				f := fork(t, trunk)
				put(t, f, fmt.Sprintf("%d/%d", i, j), "fork")
				if got := value(t, f, fmt.Sprintf("%d/%d", i, j)) + value(t, trunk, fmt.Sprintf("%d/%d", i, j)); got != "forktrunk" {
					t.Errorf("got %q", got)
				}
			}
		})
	}
	all.Wait()
}

func BenchmarkForkOf100000Records(b *testing.B) {
	trunk := memory.New()
	for i := range 100 {
		err := trunk.Update(b.Context(), func(w storage.Writer) error {
			for j := range 1000 {
				if err := w.Put(strconv.Itoa(i*1000+j), make([]byte, 300)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := memory.Fork(trunk); err != nil {
			b.Fatal(err)
		}
	}
}
