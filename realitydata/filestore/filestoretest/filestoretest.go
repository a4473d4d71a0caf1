// Package filestoretest holds backends of package filestore to what is relied on: any
// implementation of filestore.Backend runs it.
//
//	func TestBackend(t *testing.T) {
//		filestoretest.Run(t, func(t *testing.T) filestoretest.Place { return newPlace(t) })
//	}
package filestoretest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
)

// Place is where a backend keeps files, empty at first.
type Place struct {
	// Open opens a backend over the place, as a process does when it starts; the last
	// one is closed, unless it is a filestore.Shared. The test closes it.
	Open func(t *testing.T) filestore.Backend
	// Client reads what a filestore.Redirector leads to. Nil means http.DefaultClient.
	Client *http.Client
	// Large is the length of a file that the backend does not write at one go: 1 MiB
	// when 0.
	Large int
}

// Run holds a backend to each promise, in a fresh place: by itself, and behind a
// filestore.Store with records.
func Run(t *testing.T, place func(*testing.T) Place) {
	t.Helper()
	for _, promise := range slices.Concat(promises, served) {
		t.Run(promise.name, func(t *testing.T) {
			t.Parallel()
			p := place(t)
			if p.Large == 0 {
				p.Large = 1 << 20
			}
			if p.Client == nil {
				p.Client = http.DefaultClient
			}
			promise.hold(&subject{T: t, Place: p})
		})
	}
}

type promise struct {
	name string
	hold func(*subject)
}

var promises = []promise{
	{"a file is not seen before it is committed, and then whole", draftIsHidden},
	{"a draft that is discarded leaves nothing", discardLeavesNothing},
	{"a draft of a process that died leaves nothing", deadDraftLeavesNothing},
	{"a file takes the place of another", fileIsReplaced},
	{"a piece of a file is read", pieces},
	{"no two files share a place, whatever they are called", namesAreApart},
	{"a file is next to what is below its name, or in the way", inTheWay},
	{"a file that is removed is missing", removedIsMissing},
	{"a container is removed whole, and no other", containerIsRemoved},
	{"containers are measured and listed", containersAreMeasured},
	{"what is there outlives the process", filesOutlive},
	{"files are listed, and folders removed", filesAreListed},
	{"each file has its own mark, which its draft knows", marksAreKnown},
}

// subject is a place under test, with the backend opened last.
type subject struct {
	*testing.T
	Place

	b filestore.Backend
}

// open opens the backend as a process does when it starts.
func (s *subject) open() filestore.Backend {
	s.Helper()
	if _, shared := s.b.(filestore.Shared); !shared {
		s.close()
	}
	b := s.Open(s.T)
	s.b = b
	s.Cleanup(func() {
		if c, ok := b.(io.Closer); ok {
			_ = c.Close()
		}
	})
	return b
}

func (s *subject) close() {
	if c, ok := s.b.(io.Closer); ok {
		if err := c.Close(); err != nil {
			s.Fatalf("Close: %v", err)
		}
	}
}

func (s *subject) draft(container, name, content string) filestore.Draft {
	s.Helper()
	d, err := s.b.Create(s.Context(), container, name)
	if err != nil {
		s.Fatalf("Create(%q, %q): %v", container, name, err)
	}
	for piece := range slices.Chunk([]byte(content), 100_000) {
		if n, err := d.Write(piece); n != len(piece) || err != nil {
			s.Fatalf("Write = %d, %v", n, err)
		}
	}
	return d
}

func (s *subject) write(container, name, content string) {
	s.Helper()
	d := s.draft(container, name, content)
	defer d.Discard()
	if err := d.Close(); err != nil {
		s.Fatalf("Close: %v", err)
	}
	if err := d.Commit(s.Context()); err != nil {
		s.Fatalf("Commit(%q, %q): %v", container, name, twinplatform.Cause(err))
	}
}

func (s *subject) wantFile(container, name, want string) {
	s.Helper()
	f, err := s.b.Open(s.Context(), container, name)
	if err != nil {
		s.Errorf("Open(%q, %q): %v", container, name, err)
		return
	}
	defer func() { _ = f.Content.Close() }()
	if got, err := io.ReadAll(f.Content); string(got) != want || err != nil {
		s.Errorf("%q in %q is %.40q of %d bytes, %v; want %.40q of %d", name, container, got, len(got),
			twinplatform.Cause(err), want, len(want))
	}
	if n, ok, err := s.b.Size(s.Context(), container, name); n != int64(len(want)) || !ok || err != nil {
		s.Errorf("Size(%q, %q) = %d, %v, %v; want %d", container, name, n, ok, err, len(want))
	}
}

func (s *subject) wantMissing(container, name string) {
	s.Helper()
	if f, err := s.b.Open(s.Context(), container, name); !errors.Is(err, fs.ErrNotExist) {
		s.Errorf("Open(%q, %q) of what is missing: %v, want fs.ErrNotExist", container, name, err)
		if err == nil {
			_ = f.Content.Close()
		}
	}
	if n, ok, err := s.b.Size(s.Context(), container, name); n != 0 || ok || err != nil {
		s.Errorf("Size(%q, %q) of what is missing = %d, %v, %v", container, name, n, ok, err)
	}
}

func (s *subject) wantMeasure(container string, wantBytes, wantFiles int64) {
	s.Helper()
	if n, files, err := s.b.Measure(s.Context(), container); n != wantBytes || files != wantFiles || err != nil {
		s.Errorf("%q has %d bytes in %d files, %v; want %d in %d", container, n, files, err, wantBytes, wantFiles)
	}
}

func (s *subject) containers() []string {
	s.Helper()
	var all []string
	for id, err := range s.b.Containers(s.Context()) {
		if err != nil {
			s.Fatalf("Containers: %v", err)
		}
		all = append(all, id)
	}
	slices.Sort(all)
	return all
}

// large is a text that repeats nowhere.
func (s *subject) large() string {
	text := make([]byte, s.Large)
	_, _ = rand.NewChaCha8([32]byte{}).Read(text)
	return string(text)
}

func draftIsHidden(s *subject) {
	s.open()
	for name, content := range map[string]string{"small": "x", "empty": "", "large": s.large()} {
		d := s.draft("c", name, content)
		s.wantMissing("c", name)
		if err := d.Close(); err != nil {
			s.Fatal(err)
		}
		s.wantMissing("c", name)
		s.wantMeasure("c", 0, 0)
		if err := d.Commit(s.Context()); err != nil {
			s.Fatal(err)
		}
		d.Discard()
		s.wantFile("c", name, content)
		if err := s.b.Remove(s.Context(), "c", name); err != nil {
			s.Error(err)
		}
	}
}

func discardLeavesNothing(s *subject) {
	s.open()
	for _, closed := range []bool{false, true} {
		d := s.draft("c", "folder/file", s.large())
		if closed {
			if err := d.Close(); err != nil {
				s.Fatal(err)
			}
		}
		d.Discard()
		s.wantMissing("c", "folder/file")
		s.wantMeasure("c", 0, 0)
		if got := s.containers(); len(got) > 0 {
			s.Errorf("there are containers %q", got)
		}
	}
}

func deadDraftLeavesNothing(s *subject) {
	s.open()
	s.write("c", "there", "before")
	d := s.draft("c", "there", s.large())
	if err := d.Close(); err != nil {
		s.Fatal(err)
	}
	s.open()
	s.wantFile("c", "there", "before")
	s.wantMeasure("c", 6, 1)
}

func fileIsReplaced(s *subject) {
	s.open()
	for _, content := range []string{"first", s.large(), "", "the last"} {
		s.write("c", "folder/file", content)
		s.wantFile("c", "folder/file", content)
		s.wantMeasure("c", int64(len(content)), 1)
	}
}

func pieces(s *subject) {
	s.open()
	large := s.large()
	s.write("c", "f", large)
	f, err := s.b.Open(s.Context(), "c", "f")
	if err != nil {
		s.Fatal(err)
	}
	defer func() { _ = f.Content.Close() }()
	if n, err := f.Content.Seek(0, io.SeekEnd); n != int64(len(large)) || err != nil {
		s.Errorf("the end is at %d, %v", n, err)
	}
	for _, from := range []int{0, len(large) - 10, len(large) / 2, 1, len(large)} {
		if n, err := f.Content.Seek(int64(from), io.SeekStart); n != int64(from) || err != nil {
			s.Fatalf("Seek(%d) = %d, %v", from, n, err)
		}
		want := large[from:min(from+1000, len(large))]
		if got, err := io.ReadAll(io.LimitReader(f.Content, 1000)); string(got) != want || err != nil {
			s.Errorf("from %d: %.40q, %v; want %.40q", from, got, err, want)
		}
	}
}

// hostile are containers and files that something might take for one another, or for
// something else. Those that only some can keep are refused.
var hostile = [][2]string{
	{"a", "b/c"},
	{"a/b", "c"},
	{"a/b/c", "c"},
	{"..", "b"},
	{".", "b"},
	{"A", "b"},
	{"a", "B"},
	{"a", "b c"},
	{"a", "b+c"},
	{"a", "b%20c"},
	{"a", "b!20c"},
	{"a", "b%2Fc"},
	{"a", `b\c`},
	{"a", "b?c"},
	{"a", "b#c"},
	{"a", "b&c=d"},
	{"a", "b\nc"},
	{"a", "b\x01c"},
	{"a", "b\x7fc"},
	{"a", "<b>]]>&amp;"},
	{"a", "\u00e9"},
	{"a", "e\u0301"},
	{"a", "\uFFFD"},
	{"a", "\uFFFE"},
	{"a", "\u202ename"},
	{"a", "…/…"},
	{"a", "...b"},
	{"a", "b."},
	{"a", " b "},
	{"a", "~"},
	{"a", "🌉/模型.las"},
	{"c-a", "b"},
	{"a\x00", "b"},
	{"é", "b"},
	{strings.Repeat("i", 128), "b"},
}

func namesAreApart(s *subject) {
	s.open()
	var kept [][2]string
	for i, at := range hostile {
		d, err := s.b.Create(s.Context(), at[0], at[1])
		if err == nil {
			_, _ = fmt.Fprint(d, i)
			if err = d.Close(); err == nil {
				err = d.Commit(s.Context())
			}
			d.Discard()
		}
		switch {
		case err == nil:
			kept = append(kept, at)
		case !errors.Is(err, fs.ErrInvalid):
			s.Errorf("%q in %q: %v", at[1], at[0], err)
		}
	}
	if len(kept) < len(hostile)*3/4 {
		s.Errorf("only %q are kept", kept)
	}
	sizes := make(map[string]int64)
	files := make(map[string]int64)
	for i, at := range hostile {
		if slices.Contains(kept, at) {
			s.wantFile(at[0], at[1], fmt.Sprint(i))
			sizes[at[0]] += int64(len(fmt.Sprint(i)))
			files[at[0]]++
		}
	}
	for id := range files {
		s.wantMeasure(id, sizes[id], files[id])
	}
	for id := range files {
		if err := s.b.RemoveAll(s.Context(), id); err != nil {
			s.Errorf("RemoveAll(%q): %v", id, err)
		}
		s.wantMeasure(id, 0, 0)
		delete(files, id)
		for other := range files {
			s.wantMeasure(other, sizes[other], files[other])
		}
	}
	if got := s.containers(); len(got) > 0 {
		s.Errorf("there remain %q", got)
	}
	for _, name := range []string{strings.Repeat("a", 1_024), strings.Repeat("…/", 31) + strings.Repeat("…", 300)} {
		d, err := s.b.Create(s.Context(), "a", name)
		if err == nil {
			if err = d.Close(); err == nil {
				err = d.Commit(s.Context())
			}
			d.Discard()
		}
		if err == nil {
			s.wantFile("a", name, "")
		} else if !errors.Is(err, fs.ErrInvalid) {
			s.Errorf("%.20q…: %v, want fs.ErrInvalid", name, err)
		}
	}
}

func inTheWay(s *subject) {
	s.open()
	for i, names := range [][2]string{{"x", "x/y"}, {"x/y", "x"}, {"x", "x/y/z"}, {"x/y/z", "x/y"}} {
		id := fmt.Sprint("c", i)
		s.write(id, names[0], "first")
		d := s.draft(id, names[1], "second")
		err := d.Close()
		if err == nil {
			_, _, err = s.b.Size(s.Context(), id, names[1]) // as a Store asks
		}
		if err == nil {
			err = d.Commit(s.Context())
		}
		d.Discard()
		s.wantFile(id, names[0], "first")
		if err == nil {
			s.wantFile(id, names[1], "second")
			s.wantMeasure(id, 11, 2)
			continue
		}
		if !errors.Is(err, fs.ErrExist) {
			s.Errorf("%q next to %q: %v, want fs.ErrExist", names[1], names[0], twinplatform.Cause(err))
		}
		s.wantMeasure(id, 5, 1)
	}
}

func removedIsMissing(s *subject) {
	s.open()
	if err := s.b.Remove(s.Context(), "c", "f"); !errors.Is(err, fs.ErrNotExist) {
		s.Errorf("Remove of what was never there: %v", err)
	}
	s.write("c", "a/f", "x")
	s.write("c", "a/g", "y")
	if err := s.b.Remove(s.Context(), "c", "a/f"); err != nil {
		s.Error(err)
	}
	s.wantMissing("c", "a/f")
	s.wantFile("c", "a/g", "y")
	if err := s.b.Remove(s.Context(), "c", "a/f"); !errors.Is(err, fs.ErrNotExist) {
		s.Errorf("Remove again: %v", err)
	}
	if err := s.b.Remove(s.Context(), "c", "a/g"); err != nil {
		s.Error(err)
	}
	s.wantMeasure("c", 0, 0)
}

func containerIsRemoved(s *subject) {
	s.open()
	if err := s.b.RemoveAll(s.Context(), "never there"); err != nil {
		s.Error(err)
	}
	s.write("c", "a/b/c/d", "x")
	s.write("c", "e", s.large())
	s.write("cc", "e", "stays")
	under := s.draft("c", "under way", s.large())
	for range 2 {
		if err := s.b.RemoveAll(s.Context(), "c"); err != nil {
			s.Error(err)
		}
		s.wantMissing("c", "e")
		s.wantMeasure("c", 0, 0)
	}
	under.Discard()
	s.wantFile("cc", "e", "stays")
	if got := s.containers(); !slices.Equal(got, []string{"cc"}) {
		s.Errorf("there are %q", got)
	}
	s.write("c", "e", "again")
	s.wantMeasure("c", 5, 1)
}

func containersAreMeasured(s *subject) {
	s.open()
	s.wantMeasure("none", 0, 0)
	want := make(map[string]int64)
	for i := range 12 {
		id := fmt.Sprint("container ", i%3)
		s.write(id, fmt.Sprint("folder/", i), strings.Repeat("x", i))
		want[id] += int64(i)
	}
	for id, n := range want {
		s.wantMeasure(id, n, 4)
	}
	if got := s.containers(); !slices.Equal(got, []string{"container 0", "container 1", "container 2"}) {
		s.Errorf("there are %q", got)
	}
	ended, end := context.WithCancel(s.Context())
	end()
	if _, _, err := s.b.Measure(ended, "container 1"); err == nil {
		s.Error("no caller waits any more, and there is a measure")
	}
}

func marksAreKnown(s *subject) {
	b, ok := s.open().(filestore.Marking)
	if !ok {
		s.Skip("it gives files no marks")
	}
	seen := make(map[string]bool)
	for i, content := range []string{"x", "x", "", s.large(), "x"} {
		d := s.draft("c", "a/b", content)
		err := d.Close()
		var mark string
		if err == nil {
			mark, err = b.Mark(d)
		}
		if err == nil {
			err = d.Commit(s.Context())
		}
		d.Discard()
		if err != nil {
			s.Fatal(err)
		}
		if mark == "" || len(mark) > 64 ||
			strings.Trim(mark, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != "" || seen[mark] {
			s.Errorf("file %d has the mark %q", i, mark)
		}
		seen[mark] = true
		file, err := b.Open(s.Context(), "c", "a/b")
		if err != nil {
			s.Fatal(err)
		}
		if err := file.Content.Close(); file.Mark != mark || err != nil {
			s.Errorf("file %d has the mark %q, %v; its draft had %q", i, file.Mark, err, mark)
		}
		if shelf, ok := s.b.(filestore.Shelf); ok {
			for e, err := range shelf.List(s.Context(), "c", filestore.Listing{}) {
				if err != nil || e.Mark != "" && e.Mark != mark {
					s.Errorf("in a list file %d has the mark %q, %v; want %q or none", i, e.Mark, err, mark)
				}
			}
		}
	}
	if _, err := b.Mark(nil); err == nil {
		s.Error("what is no draft has a mark")
	}
}

func filesOutlive(s *subject) {
	s.open()
	s.write("c", "a/b", "x")
	s.open()
	s.wantFile("c", "a/b", "x")
}

func filesAreListed(s *subject) {
	b, ok := s.open().(filestore.Shelf)
	if !ok {
		s.Skip("it lists no files")
	}
	list := func(of filestore.Listing) (names []string) {
		for e, err := range b.List(s.Context(), "c", of) {
			if err != nil {
				s.Fatalf("List(%+v): %v", of, err)
			}
			if !strings.HasSuffix(e.Name, "/") && (e.Size != int64(len(e.Name)) || e.Modified.IsZero()) {
				s.Errorf("%+v, of %d bytes", e, len(e.Name))
			}
			names = append(names, e.Name)
		}
		return names
	}
	if got := list(filestore.Listing{}); len(got) > 0 {
		s.Errorf("what is not there has %q", got)
	}
	for _, name := range []string{"a-b", "a/b", "a/c/1", "a/c/2 3", "ab", "b!/c", "é/\u202e", "🌉"} {
		s.write("c", name, name)
	}
	s.write("other", "a/b", "x")
	all := list(filestore.Listing{})
	if len(all) != 8 {
		s.Errorf("there are %q", all)
	}
	for _, prefix := range []string{"", "a", "a/", "a/c", "a/c/", "b", "é", "é/", "none", "a/b/", "../", "./", "/"} {
		var files, level []string
		for _, name := range all {
			if !strings.HasPrefix(name, prefix) {
				continue
			}
			files = append(files, name)
			if at := strings.Index(name[len(prefix):], "/"); at >= 0 {
				name = name[:len(prefix)+at+1]
			}
			if !slices.Contains(level, name) {
				level = append(level, name)
			}
		}
		for i := range len(files) + 1 {
			after := ""
			if i > 0 {
				after = files[i-1]
			}
			if got := list(filestore.Listing{Prefix: prefix, After: after}); !slices.Equal(got, files[i:]) {
				s.Errorf("with %q behind %q there are %q, want %q", prefix, after, got, files[i:])
			}
		}
		for i := range len(level) + 1 {
			after := ""
			if i > 0 {
				after = level[i-1]
			}
			if got := list(filestore.Listing{Prefix: prefix, After: after, Level: true}); !slices.Equal(got,
				level[i:]) {
				s.Errorf("one level with %q behind %q has %q, want %q", prefix, after, got, level[i:])
			}
		}
	}
	for range 2 {
		if err := b.RemoveFolder(s.Context(), "c", "a"); err != nil {
			s.Error(err)
		}
		if got := list(filestore.Listing{Prefix: "a"}); !slices.Equal(got, []string{"a-b", "ab"}) {
			s.Errorf("of the folder there remain %q", got)
		}
	}
	s.wantFile("other", "a/b", "x")
}
