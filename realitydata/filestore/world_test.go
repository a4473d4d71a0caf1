package filestore_test

import (
	"context"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// directory maps twins to their accounts.
type directory map[string]string

func (d directory) TwinAccount(_ context.Context, twinID string) (string, bool, error) {
	account, ok := d[twinID]
	return account, ok, nil
}

// managers lets everybody manage the twins of the own account, unless no one may any
// more.
type managers struct{ dismissed atomic.Bool }

func (m *managers) Allowed(_ context.Context, p twinplatform.Principal, _ string, at twinplatform.Target) (bool, error) {
	return !m.dismissed.Load() && p.AccountID == at.AccountID, nil
}

// world is a file store and the records that it follows.
type world struct {
	*realitydata.Service
	t        *testing.T
	store    storage.Store
	dir      string
	files    *filestore.Store
	managers *managers
	staff    twinplatform.PrincipalDirectory
	shared   bool // others have the folder open too
}

// newWorld has the twins bridge of acme and mine of other.
func newWorld(t *testing.T, cfg filestore.Config) *world {
	t.Helper()
	w := &world{t: t, store: memory.New(), dir: t.TempDir(), managers: new(managers)}
	w.open(cfg)
	t.Cleanup(func() { _ = w.files.Close() })
	return w
}

// open opens the folder, as a process does when it starts.
func (w *world) open(cfg filestore.Config) {
	w.t.Helper()
	cfg.BaseURL = "http://files.test"
	if cfg.Free == nil {
		cfg.Free = func() (int64, error) { return 1 << 40, nil }
	}
	open := filestore.Open
	if w.shared {
		open = filestore.OpenShared
	}
	var err error
	if w.files, err = open(w.dir, cfg); err != nil {
		w.t.Fatal(err)
	}
	w.Service = realitydata.New(w.store, realitydata.Config{
		Env:        twinplatform.Env{Authorizer: w.managers, Principals: w.staff, Now: func() time.Time { return noon }},
		Twins:      directory{"bridge": "acme", "mine": "other"},
		Containers: w.files,
	})
	if err := w.files.Follow(w.t.Context(), w.Service); err != nil {
		w.t.Fatal(err)
	}
}

// of is someone of an account.
func (w *world) of(account, id string) context.Context {
	return twinplatform.WithPrincipal(w.t.Context(), twinplatform.Principal{ID: id, AccountID: account, Kind: twinplatform.User})
}

// data makes reality data at the twin of an account, and returns an address to write
// their bytes to.
func (w *world) data(ctx context.Context) (id, address string) {
	w.t.Helper()
	p, _ := twinplatform.PrincipalFrom(ctx)
	res, err := w.CreateRealityData(w.t.Context(), realitydata.NewRealityData{
		TwinID: map[string]string{"acme": "bridge", "other": "mine"}[p.AccountID], DisplayName: "Scan", Type: "LAS", Authoring: true,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	a, err := w.WriteAccess(ctx, res.Value().ID, "")
	if err != nil {
		w.t.Fatal(err)
	}
	return res.Value().ID, a.URL
}

// at is the address of a file in a container.
func at(t *testing.T, address, file string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	u.Path += "/" + file
	return u.String()
}

// do sends a request for a file.
func (w *world) do(method, address, file string, body io.Reader) (status int, answer string) {
	w.t.Helper()
	rec := httptest.NewRecorder()
	w.files.ServeHTTP(rec, httptest.NewRequestWithContext(w.t.Context(), method, at(w.t, address, file), body))
	return rec.Code, rec.Body.String()
}

func (w *world) put(address, file, body string) (status int, answer string) {
	w.t.Helper()
	return w.do(http.MethodPut, address, file, strings.NewReader(body))
}

// onDisk are the files of the folder, with their paths below those of containers.
func (w *world) onDisk() (files []string) {
	w.t.Helper()
	err := filepath.WalkDir(w.dir, func(_ string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, d.Name())
		}
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return files
}

// folders are the containers of the folder.
func (w *world) folders() int {
	w.t.Helper()
	all, err := filepath.Glob(filepath.Join(w.dir, "c-*"))
	if err != nil {
		w.t.Fatal(err)
	}
	return len(all)
}

// leave writes a file as a dead process left it.
func (w *world) leave(name string) {
	w.t.Helper()
	name = filepath.Join(w.dir, name)
	err := os.MkdirAll(filepath.Dir(name), 0o700)
	if err == nil {
		err = os.WriteFile(name, []byte("left behind"), 0o600)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// containerOf is the folder of a container.
func (w *world) containerOf(id string) string {
	return "c-" + base64.RawURLEncoding.EncodeToString([]byte(id))
}
