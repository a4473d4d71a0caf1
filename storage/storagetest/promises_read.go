package storagetest

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// awkward are keys in byte order that trip engines which compare letters,
// treat bytes as patterns, or end strings early.
var awkward = []string{
	"\x00", "\x00\x00", "\x00tx", "\x00tx\x00", "\x00tx\x00a", "\r\n", "$3\r\nset\r\n", "*", "*:a", "A", "Z", "[", "a",
	"a\x00", "a*",
	"a/b", "a:b", "a?", "aa", "b", "~", "\x7f", "é", "\xc3\xff", "\xff", "\xff\xff",
}

var readPromises = []promise{
	{"GetReturnsWhatWasPut", "Get returns the value of a key.", func(t *testing.T, s storage.Store) {
		put(t, s, "a", "1", "b", "")
		wantValue(t, s, "a", "1")
		wantValue(t, s, "b", "")
		put(t, s, "a", "2")
		wantValue(t, s, "a", "2")
	}},
	{
		"GetOfMissingIsErrNotFound", "Get of a key that is not there fails with ErrNotFound.",
		func(t *testing.T, s storage.Store) {
			wantMissing(t, s, "a")
			wantMissing(t, s, "")
			put(t, s, "a", "1")
			wantMissing(t, s, "A")
			wantMissing(t, s, "a\x00")
		},
	},
	{
		"MissingDoesNotFailTheTransaction", "A Get that finds nothing is an answer, not a failure.",
		func(t *testing.T, s storage.Store) {
			err := s.Update(t.Context(), func(w storage.Writer) error {
				if _, err := w.Get("a"); !errors.Is(err, storage.ErrNotFound) {
					return err
				}
				return w.Put("a", []byte("1"))
			})
			if err != nil {
				t.Fatal(err)
			}
			wantValue(t, s, "a", "1")
		},
	},
	{"AnyBytesAreAKey", "Keys and values are bytes; none of them is special.", func(t *testing.T, s storage.Store) {
		for _, key := range awkward {
			put(t, s, key, "value of "+key)
		}
		for _, key := range awkward {
			wantValue(t, s, key, "value of "+key)
		}
	}},
	{"ValuesMayBeKept", "A value handed out may be kept for ever.", func(t *testing.T, s storage.Store) {
		put(t, s, "a", "first")
		var kept []byte
		err := s.View(t.Context(), func(r storage.Reader) error {
			var err error
			kept, err = r.Get("a")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		put(t, s, "a", "other")
		put(t, s, "b", "third")
		if string(kept) != "first" {
			t.Errorf("kept value became %q", kept)
		}
		_ = append(kept, "tail"...)
		wantValue(t, s, "a", "other")
	}},
	{
		"ReaderDiesWithItsTransaction", "A Reader or Writer is dead once its call has returned.",
		func(t *testing.T, s storage.Store) {
			put(t, s, "a", "1")
			var r storage.Reader
			var w storage.Writer
			if err := s.View(t.Context(), func(reader storage.Reader) error { r = reader; return nil }); err != nil {
				t.Fatal(err)
			}
			if err := s.Update(t.Context(), func(writer storage.Writer) error { w = writer; return nil }); err != nil {
				t.Fatal(err)
			}
			if _, err := r.Get("a"); err == nil {
				t.Error("Get of a dead Reader succeeded")
			}
			if _, err := w.Get("a"); err == nil {
				t.Error("Get of a dead Writer succeeded")
			}
			if w.Put("b", nil) == nil || w.Delete("a") == nil {
				t.Error("a dead Writer wrote")
			}
			wantValue(t, s, "a", "1")
			wantMissing(t, s, "b")
		},
	},
}

var scanPromises = []promise{
	{
		"ScanInByteOrder", "A scan yields keys in ascending byte order, whatever they contain.",
		func(t *testing.T, s storage.Store) {
			for i := range awkward {
				put(t, s, awkward[(i*7+3)%len(awkward)], "x")
			}
			want := slices.Sorted(slices.Values(awkward))
			view(t, s, func(r storage.Reader) {
				if diff := cmp.Diff(want, keysOf(r, "", "")); diff != "" {
					t.Errorf("order (-want +got):\n%s", diff)
				}
			})
		},
	},
	{
		"ScanOfPrefixAfter", "A scan yields the keys that begin with prefix and are greater than after.",
		func(t *testing.T, s storage.Store) {
			put(t, s, "a", "", "a:1", "", "a:2", "", "a:3", "", "a;", "", "b", "")
			view(t, s, func(r storage.Reader) {
				for _, c := range []struct {
					prefix, after string
					want          []string
				}{
					{"a:", "", []string{"a:1", "a:2", "a:3"}},
					{"a:", "a:1", []string{"a:2", "a:3"}},
					{"a:", "a:11", []string{"a:2", "a:3"}},
					{"a:", "a:3", nil},
					{"a:", "b", nil},
					{"a:", "A", []string{"a:1", "a:2", "a:3"}},
					{"", "a;", []string{"b"}},
					{"a", "a", []string{"a:1", "a:2", "a:3", "a;"}},
					{"c", "", nil},
					{"a:*", "", nil},
				} {
					if diff := cmp.Diff(c.want, keysOf(r, c.prefix, c.after)); diff != "" {
						t.Errorf("Scan(%q, %q) (-want +got):\n%s", c.prefix, c.after, diff)
					}
				}
			})
		},
	},
	{
		"FindAndFirstAreGetAndScan",
		"Find and First answer as Get and Scan do, also of what the transaction has written.",
		func(t *testing.T, s storage.Store) {
			for _, key := range awkward {
				put(t, s, key, "value of "+key)
			}
			err := s.Update(t.Context(), func(w storage.Writer) error {
				for range 2 {
					wantFound(t, w)
					if err := errors.Join(w.Put("a\x01", nil), w.Put("a", []byte("again")), w.Delete("a/b"),
						w.Delete("\xff\xff"), w.Delete("c")); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			view(t, s, func(r storage.Reader) { wantFound(t, r) })
		},
	},
	{"PrefixOfHighestBytes", "A prefix of 0xFF bytes has an end like any other.", func(t *testing.T, s storage.Store) {
		put(t, s, "\xfe", "", "\xff", "", "\xff\xff", "", "\xff\xffa", "")
		view(t, s, func(r storage.Reader) {
			if diff := cmp.Diff([]string{"\xff\xff", "\xff\xffa"}, keysOf(r, "\xff\xff", "")); diff != "" {
				t.Error(diff)
			}
		})
	}},
	{
		"ScanMayStop", "A loop may be left at any time, and the transaction continues.",
		func(t *testing.T, s storage.Store) {
			put(t, s, "a", "1", "b", "2", "c", "3")
			view(t, s, func(r storage.Reader) {
				for key := range r.Scan("", "") {
					if key == "b" {
						break
					}
				}
				if got := keysOf(r, "", "b"); !slices.Equal(got, []string{"c"}) {
					t.Errorf("after a break: %q", got)
				}
			})
		},
	},
	{"ScansNest", "Scans and reads nest within one transaction.", func(t *testing.T, s storage.Store) {
		put(t, s, "a", "1", "b", "2", "c", "3")
		view(t, s, func(r storage.Reader) {
			pairs := 0
			for a := range r.Scan("", "") {
				for b := range r.Scan("", a) {
					if _, err := r.Get(b); err != nil {
						t.Error(err)
					}
					pairs++
				}
			}
			if pairs != 3 {
				t.Errorf("%d pairs, want 3", pairs)
			}
		})
	}},
	{
		"LoopSeesItsBeginning", "A scan sees the state at its beginning, and the loop's body may write.",
		func(t *testing.T, s storage.Store) {
			put(t, s, "a", "1", "c", "3", "e", "5")
			err := s.Update(t.Context(), func(w storage.Writer) error {
				if err := w.Put("b", []byte("2")); err != nil {
					return err
				}
				var seen []string
				for key, value := range w.Scan("", "") {
					seen = append(seen, key+string(value))
					if err := errors.Join(w.Put(key+"x", []byte("new")), w.Delete("e"),
						w.Put("c", []byte("9"))); err != nil {
						return err
					}
				}
				if diff := cmp.Diff([]string{"a1", "b2", "c3", "e5"}, seen); diff != "" {
					t.Errorf("loop saw (-want +got):\n%s", diff)
				}
				if diff := cmp.Diff([]string{"a", "ax", "b", "bx", "c", "cx", "ex"}, keysOf(w, "", "")); diff != "" {
					t.Errorf("afterwards (-want +got):\n%s", diff)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		},
	},
}

// view runs fn over a state and fails the test on an error of the store.
func view(t *testing.T, s storage.Store, fn func(storage.Reader)) {
	t.Helper()
	if err := s.View(t.Context(), func(r storage.Reader) error { fn(r); return nil }); err != nil {
		t.Fatalf("View: %v", err)
	}
}

// wantFound compares what Find and First say with Get and Scan, for all that is awkward.
func wantFound(t *testing.T, r storage.Reader) {
	t.Helper()
	for i, key := range append(awkward, "a\x01", "c") {
		value, ok, err := storage.Find(r, key)
		want, missing := r.Get(key)
		if err != nil || ok != (missing == nil) || string(value) != string(want) {
			t.Errorf("Find(%q) = %q, %t, %v; Get says %q, %v", key, value, ok, err, want, missing)
		}
		// Each is asked for behind a fifth of the keys: over a network each read is a journey.
		for n, after := range append(awkward, "") {
			if (n+i)%5 != 0 && after != key && after != "" {
				continue
			}
			first, value, ok := storage.First(r, key, after)
			want, all := "", keysOf(r, key, after)
			if len(all) > 0 {
				want = all[0]
			}
			stored, _ := r.Get(want)
			if ok != (len(all) > 0) || first != want || string(value) != string(stored) {
				t.Errorf("First(%q, %q) = %q, %q, %t; Scan begins with %q", key, after, first, value, ok, want)
			}
		}
	}
}
