package filestore_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore/filestoretest"
)

func TestFolder(t *testing.T) {
	t.Parallel()
	testFolder(t, filestore.OpenFolder)
}

func TestSharedFolder(t *testing.T) {
	t.Parallel()
	testFolder(t, filestore.OpenSharedFolder)
}

func testFolder(t *testing.T, open func(dir string) (filestore.Backend, error)) {
	t.Helper()
	filestoretest.Run(t, func(t *testing.T) filestoretest.Place {
		dir := t.TempDir()
		return filestoretest.Place{Open: func(t *testing.T) filestore.Backend {
			f, err := open(dir)
			if err != nil {
				t.Fatal(err)
			}
			return f
		}}
	})
}

func TestKeyOfAFileIsItsTextOrItsBytes(t *testing.T) {
	t.Parallel()
	text, random := strings.Repeat("k", 32), strings.Repeat("\x00\xff", 15)+"\r\n"
	for file, want := range map[string]string{text: text, text + "\n": text, text + "\r\n": text, random: random, text[1:] + "\n": "", random[1:]: "", "": ""} {
		got, err := filestore.ParseKey([]byte(file))
		if string(got) != want || (err == nil) != (want != "") {
			t.Errorf("%q: got %q, %v; want %q", file, got, err, want)
		}
	}
}

func TestOpenSharedWantsAKeyOfAll(t *testing.T) {
	t.Parallel()
	if _, err := filestore.OpenShared(t.TempDir(), filestore.Config{}); err == nil || !strings.Contains(err.Error(), "Config.Key") {
		t.Errorf("got %v; want an error that names Config.Key", err)
	}
}

// What someone is writing at the moment stays; what was left longer ago than anybody may
// take, and removals that were cut off, go.
func TestSharedFolderIsSweptOfWhatDeadProcessesLeft(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b, err := filestore.OpenSharedFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	draft := func() filestore.Draft {
		d, err := b.Create(t.Context(), "c", "a/b")
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	names := func() (found []string) {
		entries, err := os.ReadDir(filepath.Join(dir, "uploads"))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			found = append(found, e.Name())
		}
		return found
	}
	old := draft()
	long := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(filepath.Join(dir, "uploads", names()[0]), long, long); err != nil {
		t.Fatal(err)
	}
	young := draft()
	if err := os.MkdirAll(filepath.Join(dir, "removed-x", "deep"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := b.(filestore.Shared).Sweep(t.Context(), time.Hour); err != nil {
		t.Fatal(err)
	}
	if left := names(); len(left) != 1 {
		t.Errorf("the drafts %v are left, want the young one", left)
	}
	if _, err := os.Stat(filepath.Join(dir, "removed-x")); err == nil {
		t.Error("a removal that was cut off is not finished")
	}
	old.Discard()
	if err := errors.Join(young.Close(), young.Commit(t.Context())); err != nil {
		t.Error(err)
	}
	young.Discard()
	if n, ok, err := b.Size(t.Context(), "c", "a/b"); n != 0 || !ok || err != nil {
		t.Errorf("the young one is there: %v, %v", ok, err)
	}
}

// Two processes add and remove files in one folder, which goes and comes with them.
func TestSharedFolderTakesFilesWhileItsFoldersArePruned(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var done sync.WaitGroup
	for n := range 2 {
		b, err := filestore.OpenSharedFolder(dir)
		if err != nil {
			t.Fatal(err)
		}
		done.Go(func() {
			name := "a/b/" + string(rune('x'+n))
			for range 200 {
				d, err := b.Create(t.Context(), "c", name)
				if err != nil {
					t.Error(err)
					return
				}
				err = errors.Join(d.Close(), d.Commit(t.Context()))
				d.Discard()
				if err = errors.Join(err, b.Remove(t.Context(), "c", name)); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	done.Wait()
}

// shelf is a backend in memory that several stores share: what it has is kept in a map,
// and what it does is what a Backend must.
type shelf struct {
	mu    sync.Mutex
	files map[[2]string]string // by container and name
}

var _ filestore.Shared = (*shelf)(nil)

func (s *shelf) Fresh() time.Duration                       { return time.Minute }
func (s *shelf) Sweep(context.Context, time.Duration) error { return nil }

func (s *shelf) Create(_ context.Context, container, name string) (filestore.Draft, error) {
	return &sheet{shelf: s, at: [2]string{container, name}}, nil
}

// sheet is a file that is written.
type sheet struct {
	bytes.Buffer

	shelf *shelf
	at    [2]string
}

func (d *sheet) Close() error { return nil }
func (d *sheet) Discard()     {}

func (d *sheet) Commit(context.Context) error {
	d.shelf.mu.Lock()
	defer d.shelf.mu.Unlock()
	d.shelf.files[d.at] = d.String()
	return nil
}

func (s *shelf) get(container, name string) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	content, ok := s.files[[2]string{container, name}]
	return content, ok
}

// page is a file that is read.
type page struct{ *strings.Reader }

func (page) Close() error { return nil }

func (s *shelf) Open(_ context.Context, container, name string) (filestore.File, error) {
	content, ok := s.get(container, name)
	if !ok {
		return filestore.File{}, fs.ErrNotExist
	}
	return filestore.File{Content: page{strings.NewReader(content)}}, nil
}

func (s *shelf) Size(_ context.Context, container, name string) (int64, bool, error) {
	content, ok := s.get(container, name)
	return int64(len(content)), ok, nil
}

func (s *shelf) Remove(_ context.Context, container, name string) error {
	if _, ok := s.get(container, name); !ok {
		return fs.ErrNotExist
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.files, [2]string{container, name})
	return nil
}

func (s *shelf) RemoveAll(_ context.Context, container string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.DeleteFunc(s.files, func(at [2]string, _ string) bool { return at[0] == container })
	return nil
}

func (s *shelf) Measure(ctx context.Context, container string) (size, files int64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for at, content := range s.files {
		if at[0] == container {
			size += int64(len(content))
			files++
		}
	}
	return size, files, ctx.Err()
}

func (s *shelf) Containers(context.Context) iter.Seq2[string, error] {
	s.mu.Lock()
	defer s.mu.Unlock()
	ids := make(map[string]error)
	for at := range s.files {
		ids[at[0]] = nil
	}
	return maps.All(ids)
}

func TestBackendThatStoresShare(t *testing.T) {
	t.Parallel()
	filestoretest.Run(t, func(*testing.T) filestoretest.Place {
		s := &shelf{files: make(map[[2]string]string)}
		return filestoretest.Place{Open: func(*testing.T) filestore.Backend { return s }}
	})
}
