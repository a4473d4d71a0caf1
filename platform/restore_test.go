package platform_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// backupOf is a backup of a store with some records, and its format.
func backupOf(t *testing.T, format string) []byte {
	t.Helper()
	store := memory.New()
	defer store.Close()
	err := store.Update(t.Context(), func(w storage.Writer) error {
		for i := range 3000 {
			if err := w.Put(fmt.Sprintf("twins/twins/r/%04d", i), bytes.Repeat([]byte("x"), 100)); err != nil {
				return err
			}
		}
		if format == "" {
			return nil
		}
		return w.Put("stored/format", []byte(format))
	})
	var b bytes.Buffer
	if err = errors.Join(err, storage.Backup(t.Context(), store, &b)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// plain is an engine that restores nothing in one step.
type plain struct{ storage.Store }

// stateOf are all keys of a store behind the name of its history.
func stateOf(t *testing.T, s storage.Store) (keys []string) {
	t.Helper()
	err := s.View(t.Context(), func(r storage.Reader) error {
		history, err := storage.History(s, r)
		if err != nil {
			return err
		}
		keys = append(keys, history)
		for key := range r.Scan("", "") {
			keys = append(keys, key)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

func TestBackupThatCannotBeReadChangesNothing(t *testing.T) {
	t.Parallel()
	good := backupOf(t, fmt.Sprintf(`{"format":%d,"version":"v0.1.0"}`, platform.StoredFormat))
	later := backupOf(t, fmt.Sprintf(`{"format":%d,"version":"v0.9.0"}`, platform.StoredFormat+1))
	damaged := bytes.Clone(good)
	damaged[len(damaged)/2] ^= 1
	gone := errors.New("the line is dead")
	storetest.OnEach(t, func(t *testing.T, engine storage.Store) {
		for name, store := range map[string]storage.Store{"in one step": engine, "in many": plain{engine}} {
			if err := store.Update(t.Context(), func(w storage.Writer) error { return w.Put("mine", []byte("1")) }); err != nil {
				t.Fatal(err)
			}
			before := stateOf(t, store)
			for what, r := range map[string]io.Reader{
				"later": bytes.NewReader(later), "later, in small pieces": iotest.OneByteReader(bytes.NewReader(later)),
				"later, with its end at once": iotest.DataErrReader(bytes.NewReader(later)),
				"damaged":                     bytes.NewReader(damaged), "cut": bytes.NewReader(good[:len(good)-1]), "nothing": bytes.NewReader(nil),
				"nonsense": bytes.NewReader(backupOf(t, "nonsense")), "lost": io.MultiReader(bytes.NewReader(good[:len(good)/2]), iotest.ErrReader(gone)),
			} {
				err := platform.Restore(t.Context(), store, r)
				if err == nil {
					t.Fatalf("%s, %s: the backup is restored", name, what)
				}
				format, isLater := errors.AsType[*platform.FormatError](err)
				if isLater != (what[0] == 'l' && what != "lost") || isLater && format.Version != "v0.9.0" {
					t.Errorf("%s, %s: %v", name, what, err)
				}
				if bad := what == "damaged" || what == "cut" || what == "nothing"; errors.Is(err, storage.ErrBadBackup) != bad {
					t.Errorf("%s, %s: %v", name, what, err)
				}
				if what == "lost" && !errors.Is(err, gone) {
					t.Errorf("%s, %s: %v", name, what, err)
				}
				if diff := cmp.Diff(before, stateOf(t, store)); diff != "" {
					t.Errorf("%s, %s: the store was changed (-before +after):\n%s", name, what, diff)
				}
			}
			ended, end := context.WithCancel(t.Context())
			end()
			if err := platform.Restore(ended, store, bytes.NewReader(good)); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: no one waits, and the error is %v", name, err)
			}
		}
	})
}

func TestBackupIsRestored(t *testing.T) {
	t.Parallel()
	storetest.OnEach(t, func(t *testing.T, engine storage.Store) {
		for _, format := range []string{"", fmt.Sprintf(`{"format":%d,"version":"v0.1.0"}`, platform.StoredFormat)} {
			for name, store := range map[string]storage.Store{"in one step": engine, "in many": plain{engine}} {
				backup := backupOf(t, format)
				if err := platform.CheckBackup(t.Context(), bytes.NewReader(backup)); err != nil {
					t.Errorf("%s: %v", format, err)
				}
				if err := platform.Restore(t.Context(), store, iotest.HalfReader(bytes.NewReader(backup))); err != nil {
					t.Errorf("%s, %s: %v", name, format, err)
				}
				if n := len(stateOf(t, store)); n < 3001 || n > 3003 {
					t.Errorf("%s, %s: %d records are restored", name, format, n)
				}
			}
		}
	})
}
