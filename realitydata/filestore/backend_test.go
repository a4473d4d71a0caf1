package filestore_test

import (
	"bytes"
	"context"
	"io/fs"
	"iter"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore/filestoretest"
)

func TestFolder(t *testing.T) {
	t.Parallel()
	filestoretest.Run(t, func(t *testing.T) filestoretest.Place {
		dir := t.TempDir()
		return filestoretest.Place{Open: func(t *testing.T) filestore.Backend {
			f, err := filestore.OpenFolder(dir)
			if err != nil {
				t.Fatal(err)
			}
			return f
		}}
	})
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
