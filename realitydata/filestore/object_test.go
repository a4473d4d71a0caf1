package filestore_test

import (
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
)

// objects is a store of objects in a folder, alone or shared.
func objects(t *testing.T, dir string, shared bool, cfg filestore.Config) *filestore.Store {
	t.Helper()
	open := filestore.Open
	if shared {
		open, cfg.Key = filestore.OpenShared, []byte("for tests of several nodes alone")
	}
	s, err := open(dir, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// write writes an object of so many bytes, and returns the code of what stood against it.
func write(t *testing.T, s *filestore.Store, account, name string, bytes int) string {
	t.Helper()
	n, err := s.WriteBytes(t.Context(), account, name, strings.NewReader(strings.Repeat("x", bytes)))
	if err == nil && n != int64(bytes) {
		t.Errorf("of %d bytes %d were written", bytes, n)
	}
	if err == nil {
		return ""
	}
	return twinplatform.AsError(err).Code
}

func eachKind(t *testing.T, test func(t *testing.T, shared bool)) {
	t.Helper()
	for name, shared := range map[string]bool{"alone": false, "shared": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, shared)
		})
	}
}

func TestObjectIsThereWholeUntilItIsRemoved(t *testing.T) {
	t.Parallel()
	eachKind(t, func(t *testing.T, shared bool) {
		dir := t.TempDir()
		s := objects(t, dir, shared, filestore.Config{})
		if code := write(t, s, "acme", "ABCDEF", 3); code != "" {
			t.Fatal(code)
		}
		cut := errors.New("cut")
		_, err := s.WriteBytes(t.Context(), "acme", "CUTOFF", io.MultiReader(strings.NewReader("some"), iotest.ErrReader(cut)))
		if !errors.Is(err, cut) {
			t.Errorf("what failed to be read failed with %v", err)
		}
		for name, in := range map[string]string{"CUTOFF": "acme", "ABCDEF": "other"} {
			if _, err := s.OpenBytes(t.Context(), in, name); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s of %s: %v", name, in, err)
			}
		}
		_ = s.Close()
		s = objects(t, dir, shared, filestore.Config{})
		content, err := s.OpenBytes(t.Context(), "acme", "ABCDEF")
		if err != nil {
			t.Fatal(err)
		}
		_, err = content.Seek(1, io.SeekStart)
		rest, unread := io.ReadAll(content)
		if err := errors.Join(err, unread, content.Close()); string(rest) != "xx" || err != nil {
			t.Errorf("behind the first byte there is %q, %v", rest, err)
		}
		for range 2 { // what is not there needs no removal
			if err := s.RemoveBytes(t.Context(), "acme", "ABCDEF"); err != nil {
				t.Error(err)
			}
		}
		if _, err := s.OpenBytes(t.Context(), "acme", "ABCDEF"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("it was removed, and then: %v", err)
		}
	})
}

func TestObjectsHaveTheQuotasOfTheirAccount(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cfg   filestore.Config
		bytes int // of the second object
		want  string
		other string // for another account
	}{
		"bytes of the account": {filestore.Config{MaxAccount: 100, MaxContainer: 1}, 41, "AccountStorageFull", ""},
		"number":               {filestore.Config{MaxObjects: 1, MaxFiles: 1}, 1, "AccountStorageFull", ""},
		"bytes of all":         {filestore.Config{MaxTotal: 100}, 41, "StorageFull", "StorageFull"},
		"free bytes":           {filestore.Config{MinFree: 100, Free: func() (int64, error) { return 130, nil }}, 31, "StorageFull", "StorageFull"},
		"bytes of one":         {filestore.Config{MaxFile: 60}, 61, "RequestTooLarge", "RequestTooLarge"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachKind(t, func(t *testing.T, shared bool) {
				dir := t.TempDir()
				s := objects(t, dir, shared, c.cfg)
				first := 60
				if c.cfg.Free != nil {
					first = 30
				}
				if code := write(t, s, "acme", "FIRST", first); code != "" {
					t.Fatal(code)
				}
				_ = s.Close() // what is there is counted by the next one, before Follow too
				s = objects(t, dir, shared, c.cfg)
				if c.cfg.MaxTotal > 0 {
					write(t, s, "acme", "TINY", 0)
				}
				for account, want := range map[string]string{"acme": c.want, "other": c.other} {
					if code := write(t, s, account, "SECOND", c.bytes); code != want {
						t.Errorf("%d bytes of %s: %q, want %q", c.bytes, account, code, want)
					}
				}
				if err := s.RemoveBytes(t.Context(), "acme", "FIRST"); err != nil {
					t.Fatal(err)
				}
				if c.cfg.MaxAccount+c.cfg.MaxObjects+c.cfg.MaxTotal > 0 {
					if code := write(t, s, "acme", "THIRD", c.bytes); code != "" {
						t.Errorf("with room again: %s", code)
					}
				}
			})
		})
	}
}
