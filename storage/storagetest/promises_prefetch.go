package storagetest

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// prefetchPromises hold for every engine, whether or not it is a storage.Prefetcher.
var prefetchPromises = []promise{
	{
		"PrefetchChangesNoAnswer", "What was read ahead is answered as if it were read now.",
		func(t *testing.T, s storage.Store) {
			put(t, s, "a", "1", "b", "", "p/1", "x", "p/2", "y", "p/3", "z")
			err := s.View(t.Context(), func(r storage.Reader) error {
				for range 2 { // what is known is not read again
					if err := storage.Prefetch(r, []string{"a", "b", "none", "a", ""},
						storage.Range{Prefix: "p/", Limit: 2}, storage.Range{Prefix: "q/"}, storage.Range{
							Prefix: "p/",
							After:  "p/1",
						}); err != nil {
						return err
					}
				}
				for key, want := range map[string]string{"a": "1", "b": ""} {
					if value, err := r.Get(key); err != nil || string(value) != want || value == nil {
						t.Errorf("Get(%q) = %q, %v; want %q", key, value, err, want)
					}
				}
				for _, key := range []string{"none", ""} {
					if _, err := r.Get(key); !errors.Is(err, storage.ErrNotFound) {
						t.Errorf("Get(%q): %v, want ErrNotFound", key, err)
					}
				}
				wantKeys(t, r, "p/", "", "p/1", "p/2", "p/3")
				wantKeys(t, r, "p/", "p/1", "p/2", "p/3")
				wantKeys(t, r, "p/", "p/2", "p/3")
				wantKeys(t, r, "q/", "")
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		},
	},
	{
		"PrefetchSeesOwnWrites", "A transaction that has read ahead reads its own writes.",
		func(t *testing.T, s storage.Store) {
			put(t, s, "a", "1", "b", "2", "p/1", "x", "p/2", "y")
			err := s.Update(t.Context(), func(w storage.Writer) error {
				if err := errors.Join(w.Put("a", []byte("own")), w.Delete("p/1")); err != nil {
					return err
				}
				if err := storage.Prefetch(w, []string{"a", "b", "c"}, storage.Range{Prefix: "p/"}); err != nil {
					return err
				}
				if err := errors.Join(w.Delete("b"), w.Put("c", []byte("3")), w.Put("p/3", []byte("z"))); err != nil {
					return err
				}
				for key, want := range map[string]string{"a": "own", "c": "3"} {
					if value, err := w.Get(key); err != nil || string(value) != want {
						t.Errorf("Get(%q) = %q, %v; want %q", key, value, err, want)
					}
				}
				if _, err := w.Get("b"); !errors.Is(err, storage.ErrNotFound) {
					t.Errorf("Get of a deleted key: %v", err)
				}
				wantKeys(t, w, "p/", "", "p/2", "p/3")
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		},
	},
	{
		"PrefetchIsOfTheSnapshot", "What is read ahead, and what is not, is of one state.",
		func(t *testing.T, s storage.Store) {
			put(t, s, "a", "0", "b", "0", "p/0", "0")
			runs := 0
			err := s.View(t.Context(), func(r storage.Reader) error {
				if err := storage.Prefetch(r, []string{"a"}, storage.Range{Prefix: "p/"}); err != nil {
					return err
				}
				runs++
				now := strconv.Itoa(runs)
				put(t, s, "a", now, "b", now, "p/"+now, now)
				before := strconv.Itoa(runs - 1)
				for _, key := range []string{"a", "b", "p/" + before} {
					if value, err := r.Get(key); err != nil || string(value) != before {
						t.Errorf("Get(%q) = %q, %v; want that of the beginning", key, value, err)
					}
				}
				if got := keysOf(r, "p/", ""); len(got) != runs {
					t.Errorf("Scan yields %q, of which one is written meanwhile", got)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			wantValue(t, s, "a", strconv.Itoa(runs))
		},
	},
	{"PrefetchFollowsValues", "What a range leads to is answered as if it were read now, whatever the values are, " +
		"and whatever was written before.", func(t *testing.T, s storage.Store) {
		long, odd := strings.Repeat("l", 300), "\xff\x00odd"
		put(t, s, "i/1", "one", "i/2", "", "i/3", long, "i/4", odd, "i/5", "two", "i/6", "\x00\xff/'%", "i/7", "none",
			"i/8", "one")
		put(t, s, "r/", "of nothing", "r/one", "1", "t/two", "", "r/"+long, "long", "r/"+odd, "odd", "r/\x00\xff/'%",
			"any bytes", "s/one", "else")
		want := map[string]string{
			"r/": "of nothing", "r/one": "1", "t/two": "", "r/" + long: "long", "r/" +
				odd: "odd", "r/\x00\xff/'%": "any bytes",
			"t/one": missing, "r/two": missing, "r/none": missing, "t/none": missing, "t/" +
				long: missing, "t/": missing,
		}
		check := func(r storage.Reader) error {
			for _, at := range []storage.Range{
				{Prefix: "i/", Limit: 20, Follow: [2]string{"r/", "t/"}},
				{Prefix: "i/", After: "i/1", Limit: 2, Follow: [2]string{"", "r/"}},
				{Prefix: "none/", Follow: [2]string{"r/", ""}},
			} {
				if err := storage.Prefetch(r, []string{"r/one"}, at); err != nil {
					return err
				}
			}
			for key, want := range want {
				value, err := r.Get(key)
				if (want == missing) != errors.Is(err, storage.ErrNotFound) || err == nil && string(value) != want {
					t.Errorf("Get(%q) = %q, %v; want %q", key, value, err, want)
				}
			}
			wantKeys(t, r, "i/", "", "i/1", "i/2", "i/3", "i/4", "i/5", "i/6", "i/7", "i/8")
			wantKeys(t, r, "i/", "i/1", "i/2", "i/3", "i/4", "i/5", "i/6", "i/7", "i/8")
			return nil
		}
		if err := s.View(t.Context(), check); err != nil {
			t.Fatal(err)
		}
		err := s.Update(t.Context(), func(w storage.Writer) error {
			if err := errors.Join(w.Put("r/two", []byte("own")), w.Delete("r/one")); err != nil {
				return err
			}
			want["r/two"], want["r/one"] = "own", missing
			return check(w)
		})
		if err != nil {
			t.Fatal(err)
		}
	}},
	{"PrefetchOfMuch", "However much is read ahead, all of it is answered.", func(t *testing.T, s storage.Store) {
		var keys, pairs []string
		var ranges []storage.Range
		for i := range 1500 {
			key := fmt.Sprintf("key %04d/", i)
			pairs = append(pairs, key, "whole", key+"1", "first", key+"2", "second")
			keys, ranges = append(keys, key), append(ranges, storage.Range{Prefix: key, After: key, Limit: 1 + i%3})
		}
		put(t, s, pairs...)
		keys, ranges = append(keys, "none"), append(ranges, storage.Range{Prefix: "none/"})
		err := s.View(t.Context(), func(r storage.Reader) error {
			if err := storage.Prefetch(r, keys, ranges...); err != nil {
				return err
			}
			for _, key := range keys[:1500] {
				if value, err := r.Get(key); err != nil || string(value) != "whole" {
					t.Fatalf("Get(%q) = %q, %v", key, value, err)
				}
				wantKeys(t, r, key, key, key+"1", key+"2")
			}
			wantKeys(t, r, "none/", "")
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}},
	{
		"ScanLimitEndsBehindTheLimit", "A limited scan yields what a scan begins with.",
		func(t *testing.T, s storage.Store) {
			put(t, s, "p/1", "", "p/2", "", "p/3", "", "q", "")
			err := s.View(t.Context(), func(r storage.Reader) error {
				all := []string{"p/1", "p/2", "p/3"}
				for limit := range 6 {
					if diff := cmp.Diff(all[:min(limit, 3)], limited(r, "p/", "", limit), cmpEmpty); diff != "" {
						t.Errorf("limit %d (-want +got):\n%s", limit, diff)
					}
				}
				if got := limited(r, "p/", "p/1", 1); !slices.Equal(got, []string{"p/2"}) {
					t.Errorf("behind the first: %q", got)
				}
				for range storage.ScanLimit(r, "p/", "", 3) {
					break
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		},
	},
	{
		"ScanLimitCountsWhatItYields",
		"What the transaction deleted takes no room of a limited scan, and what it put does.", func(t *testing.T,
			s storage.Store,
		) {
			put(t, s, "p/1", "", "p/2", "", "p/3", "", "p/4", "")
			err := s.Update(t.Context(), func(w storage.Writer) error {
				if err := errors.Join(w.Delete("p/1"), w.Delete("p/2"), w.Put("p/3a", nil)); err != nil {
					return err
				}
				if got := limited(w, "p/", "", 2); !slices.Equal(got, []string{"p/3", "p/3a"}) {
					t.Errorf("yields %q", got)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		},
	},
	{
		"PrefetcherDiesWithItsTransaction", "Nothing is read ahead for a transaction that is over.",
		func(t *testing.T, s storage.Store) {
			var readers []storage.Reader
			err := s.View(t.Context(), func(r storage.Reader) error { readers = append(readers, r); return nil })
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Update(t.Context(),
				func(w storage.Writer) error { readers = append(readers, w); return nil }); err != nil {
				t.Fatal(err)
			}
			for _, r := range readers {
				if err := storage.Prefetch(r, []string{"a"}); storage.Prefetches(r) &&
					!errors.Is(err, storage.ErrClosed) {
					t.Errorf("Prefetch: %v, want ErrClosed", err)
				}
				if got := limited(r, "", "", 1); got != nil {
					t.Errorf("ScanLimit yields %q", got)
				}
			}
		},
	},
}

// missing stands for the value of a key that is not there.
const missing = "\x00missing"

// cmpEmpty takes an empty slice for none.
var cmpEmpty = cmp.Transformer("list", func(keys []string) string { return fmt.Sprintf("%q", keys) })

// limited collects the keys of a limited scan.
func limited(r storage.Reader, prefix, after string, limit int) []string {
	var keys []string
	for key := range storage.ScanLimit(r, prefix, after, limit) {
		keys = append(keys, key)
	}
	return keys
}

// wantKeys fails the test when a scan, or a limited one, yields other keys.
func wantKeys(t *testing.T, r storage.Reader, prefix, after string, want ...string) {
	t.Helper()
	if got := keysOf(r, prefix, after); !slices.Equal(got, want) {
		t.Errorf("Scan(%q, %q) = %q, want %q", prefix, after, got, want)
	}
	if got := limited(r, prefix, after, len(want)+1); !slices.Equal(got, want) {
		t.Errorf("ScanLimit(%q, %q) = %q, want %q", prefix, after, got, want)
	}
}
