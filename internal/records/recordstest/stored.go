// Package recordstest holds a domain to what it has ever stored: every format
// that it wrote is read for ever, and the present one is written as before.
//
// The files are in testdata/stored, a folder for each format: v1, v2 and so on.
// In it, store.txt is what a store held, one quoted key and value per line, and
// read.txt what was read from it on the day it was made. An update adds a folder
// for what is written now, when the newest is of another format. It never writes
// a file of a format that there is: one that is still in the making is removed by
// hand first.
package recordstest

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// folder is where the files are, seen from the package under test.
const folder = "testdata/stored"

// Stored is what a domain stores.
type Stored struct {
	// World fills a store with every type of record in every condition: made,
	// changed, deleted, and accepted but not done. It writes the same each time.
	World func(t *testing.T, store storage.Store)
	// Read tells everything that is in a store, through the public API and
	// without changing it.
	Read func(t *testing.T, store storage.Store) []string
	// Withdrawn takes out of what was read of an earlier format what answers no
	// longer have, by a choice that is documented. Nil takes nothing.
	Withdrawn func(line string) string
	// Kinds are all types of records that the domain keeps.
	Kinds []entity.Stored
	// Random tells the keys whose values differ each time, if there are any.
	Random func(key string) bool
}

// Update is the flag by which tests write what they compare with: here the files of a
// format that differs from the newest.
var Update = flag.Bool("update", false,
	"write the files that tests compare with; those of a stored format are added alone")

// Name needs escapes in JSON, and would in HTML.
const Name = "Graben \"tief\" & mehr < Löcher"

// Must returns what ends a test with an error.
func Must(t testing.TB) func(error) {
	return func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Written fails when a change of the code changes what is stored. Such a change
// needs an upgrade of the collection, and the files of a new format next to those
// of the formats before.
func (s Stored) Written(t *testing.T) {
	t.Helper()
	store := Load(t, known)
	s.World(t, store)
	formats := Formats(t, ".")
	present := ""
	if len(formats) > 0 {
		present = Text(t, ".", formats[len(formats)-1], "store.txt")
	}
	now := Dump(t, store)
	s.listed(t, now)
	diff := gocmp.Diff(s.lines(t, present), s.lines(t, now))
	if diff == "" {
		return
	}
	if *Update {
		s.add(t, len(formats)+1, now, store)
		return
	}
	t.Errorf("the store is written otherwise (-want +got):\n%s", diff)
}

// listed fails unless the domain lists every type of record that is stored or
// declared, and the world has every one that is listed.
func (s Stored) listed(t *testing.T, dump string) {
	t.Helper()
	stored, listed := make(map[string]bool), make(map[string]bool)
	for line := range strings.Lines(dump) {
		key, _, err := cutQuoted(line)
		if err != nil {
			t.Fatal(err)
		}
		part := strings.SplitN(key, "/", 4) // scope, collection, records or tombstones
		if len(part) == 4 && strings.Contains("rt", part[2]) && !strings.HasPrefix(part[0], "jobs-") &&
			part[1] != records.Operations {
			stored[part[1]] = true
		}
	}
	passing := make(map[string]bool)
	for _, k := range s.Kinds {
		listed[k.Name], passing[k.Name] = true, k.Passing
	}
	for name := range listed {
		if !stored[name] && !passing[name] {
			t.Errorf("the world has no record of %s", name)
		}
	}
	maps.Copy(stored, declared(t))
	for name := range stored {
		if !listed[name] {
			t.Errorf("the records of %s are not among the kinds of the domain", name)
		}
	}
}

var collection = regexp.MustCompile(`records\.Collection\[\w+\]\{\s*Name:\s+"([^"]+)"`)

// declared are the types of records that the code of the domain declares.
func declared(t *testing.T) map[string]bool {
	t.Helper()
	names := make(map[string]bool)
	for _, pattern := range []string{"*.go", "internal/*/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			code, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range collection.FindAllStringSubmatch(string(code), -1) {
				names[m[1]] = true
			}
		}
	}
	return names
}

// compressed is what a release of Go may compress otherwise than another: the pixels of an
// image, and how many bytes it has.
var compressed = regexp.MustCompile(`(iVBORw0KGgo)[\w+/=]*|(\\"format\\":\\"png\\",[^}]*?\\"size\\":)\d+`)

// lines returns the lines of a dump, without the values that differ from run to run or by
// the release of Go.
func (s Stored) lines(t *testing.T, dump string) (lines []string) {
	t.Helper()
	for line := range strings.Lines(dump) {
		line = compressed.ReplaceAllString(line, "$1$2…")
		if s.Random != nil {
			key, _, err := cutQuoted(line)
			if err != nil {
				t.Fatal(err)
			}
			if s.Random(key) {
				line = key
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// add writes the files of a new format.
func (s Stored) add(t *testing.T, version int, dump string, store storage.Store) {
	t.Helper()
	dir := filepath.Join(folder, "v"+strconv.Itoa(version))
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err) // also when it is there
	}
	read := strings.Join(s.Read(t, store), "\n") + "\n"
	for name, text := range map[string]string{"store.txt": dump, "read.txt": read} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// ReadForEver reads the stores of every format. What was read on the day they
// were made must be read today, and nothing but members may have come to it.
// Then more is asked of each store.
func (s Stored) ReadForEver(t *testing.T, more func(t *testing.T, store storage.Store, read []string)) {
	t.Helper()
	for _, format := range Formats(t, ".") {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			store := Load(t, Text(t, ".", format, "store.txt"))
			before := strings.Split(strings.TrimSuffix(Text(t, ".", format, "read.txt"), "\n"), "\n")
			for i, line := range before {
				if s.Withdrawn != nil {
					before[i] = s.Withdrawn(line)
				}
			}
			now := strings.Split(strings.Join(s.Read(t, store), "\n"), "\n")
			if diff := lost(before, now); diff != "" {
				t.Errorf("the stored records are read otherwise:\n%s", diff)
			}
			if more != nil {
				more(t, store, before)
			}
		})
	}
}

// Formats are the folders of the stored formats of the package in dir, oldest
// first.
func Formats(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(dir, folder))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var formats []string
	for _, e := range entries {
		formats = append(formats, e.Name())
	}
	slices.SortFunc(formats, func(a, b string) int { return cmp.Compare(number(t, a), number(t, b)) })
	return formats
}

func number(t testing.TB, format string) int {
	t.Helper()
	n, err := strconv.Atoi(strings.TrimPrefix(format, "v"))
	if err != nil {
		t.Fatalf("%s is no format", format)
	}
	return n
}

// Text is a file of a stored format of the package in dir.
func Text(t testing.TB, dir, format, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, folder, format, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// known are the keys of a store whose secret is known to any caller.
const known = `"platform/format" "3"
"platform/secret" "a secret that is known to anybod"
`

// Dump writes what a store holds, one quoted key and value per line.
func Dump(t testing.TB, store storage.Store) string {
	t.Helper()
	var b strings.Builder
	err := store.View(t.Context(), func(r storage.Reader) error {
		b.Reset()
		for key, value := range r.Scan("", "") {
			fmt.Fprintf(&b, "%q %q\n", key, value)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Load makes a store of what Dump wrote.
func Load(t testing.TB, dump string) storage.Store {
	t.Helper()
	store := memory.New()
	t.Cleanup(func() { _ = store.Close() })
	err := store.Update(t.Context(), func(w storage.Writer) error {
		for line := range strings.Lines(dump) {
			key, rest, err := cutQuoted(line)
			if err != nil {
				return err
			}
			value, _, err := cutQuoted(strings.TrimPrefix(rest, " "))
			if err != nil {
				return err
			}
			if err := w.Put(key, []byte(value)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return store
}

func cutQuoted(s string) (text, rest string, err error) {
	quoted, err := strconv.QuotedPrefix(s)
	if err != nil {
		return "", "", err
	}
	text, err = strconv.Unquote(quoted)
	return text, s[len(quoted):], err
}
