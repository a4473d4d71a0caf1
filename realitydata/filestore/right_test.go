package filestore_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
)

// TestAddressEndsWithTheRightBehindIt takes rights away from an address that was
// given out, also while a file is on its way.
func TestAddressEndsWithTheRightBehindIt(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		end         func(w *world, id string) error
		write, read int
		code        string
	}{
		"complete": {func(w *world, id string) error {
			_, err := w.UpdateRealityData(w.t.Context(), id, realitydata.RealityDataPatch{Authoring: twinplatform.Set(false)})
			return err
		}, 409, 200, "RealityDataComplete"},
		"deleted":   {func(w *world, id string) error { return w.DeleteRealityData(w.t.Context(), id) }, 404, 404, "RealityDataNotFound"},
		"dismissed": {func(w *world, _ string) error { w.managers.dismissed.Store(true); return nil }, 404, 404, "RealityDataNotFound"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, filestore.Config{})
			id, address := w.data(w.of("acme", "ann"))
			if status, body := w.put(address, "a", "x"); status != 201 {
				t.Fatal(status, body)
			}
			// The right ends between the first byte of a file and its last.
			underway := &atEnd{Reader: strings.NewReader("late"), end: func() error { return test.end(w, id) }}
			if status, body := w.do(http.MethodPut, address, "late", underway); status != test.write || !strings.Contains(body, `"code":"`+test.code+`"`) {
				t.Errorf("a file under way: %d %s", status, body)
			}
			if status, body := w.put(address, "b", "x"); status != test.write || !strings.Contains(body, `"code":"`+test.code+`"`) {
				t.Errorf("writing: %d %s", status, body)
			}
			if status, _ := w.do(http.MethodDelete, address, "a", nil); status != test.write {
				t.Errorf("removing: %d", status)
			}
			if status, _ := w.do(http.MethodGet, address, "a", nil); status != test.read {
				t.Errorf("reading: %d", status)
			}
			if name == "deleted" && (len(w.onDisk()) > 0 || w.folders() > 0) {
				t.Errorf("of deleted data there remain %q in %d containers", w.onDisk(), w.folders())
			}
		})
	}
}

// staff is who may call, by account and id.
type staff struct {
	known atomic.Pointer[twinplatform.Principal]
}

func (s *staff) Principal(_ context.Context, accountID, id string) (p twinplatform.Principal, ok bool, err error) {
	if known := s.known.Load(); known != nil {
		return *known, known.ID == id && known.AccountID == accountID, nil
	}
	return p, false, nil
}

// TestAddressEndsWithThePrincipal strikes a principal from those who may call, and makes
// an administrator someone who may do nothing.
func TestAddressEndsWithThePrincipal(t *testing.T) {
	t.Parallel()
	boss := twinplatform.Principal{
		ID: "boss", AccountID: "acme", Kind: twinplatform.User, AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator},
	}
	demoted, moved := boss, boss
	demoted.AdministratorRoles, moved.AccountID = nil, "other"
	for name, later := range map[string]*twinplatform.Principal{"struck": nil, "demoted": &demoted, "of another account": &moved} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, who := newWorld(t, filestore.Config{}), new(staff)
			w.staff = who
			if err := w.files.Close(); err != nil {
				t.Fatal(err)
			}
			w.open(filestore.Config{})
			who.known.Store(&boss)
			w.managers.dismissed.Store(true) // except for administrators
			_, address := w.data(twinplatform.WithPrincipal(t.Context(), boss))
			if status, body := w.put(address, "a", "x"); status != 201 {
				t.Fatal(status, body)
			}
			end := func() error { who.known.Store(later); return nil }
			underway := &atEnd{Reader: strings.NewReader("late"), end: end}
			if status, body := w.do(http.MethodPut, address, "late", underway); status != 404 {
				t.Errorf("a file under way: %d %s", status, body)
			}
			if status, body := w.put(address, "b", "x"); status != 404 {
				t.Errorf("writing: %d %s", status, body)
			}
			for _, method := range []string{http.MethodGet, http.MethodDelete} {
				if status, body := w.do(method, address, "a", nil); status != 404 {
					t.Errorf("%s: %d %s", method, status, body)
				}
			}
			who.known.Store(&boss)
			if status, body := w.do(http.MethodGet, address, "a", nil); status != 200 {
				t.Errorf("reading again: %d %s", status, body)
			}
		})
	}
}

// atEnd is a body that does something once it is read.
type atEnd struct {
	io.Reader

	end func() error
}

func (e *atEnd) Read(b []byte) (int, error) {
	n, err := e.Reader.Read(b)
	if errors.Is(err, io.EOF) {
		if failed := e.end(); failed != nil {
			return n, failed
		}
	}
	return n, err
}

func TestWritingBeginsAgainWithAuthoring(t *testing.T) {
	t.Parallel()
	w := newWorld(t, filestore.Config{})
	id, address := w.data(w.of("acme", "ann"))
	for _, step := range []struct {
		authoring bool
		want      int
	}{{false, 409}, {true, 201}, {false, 409}} {
		if _, err := w.UpdateRealityData(t.Context(), id, realitydata.RealityDataPatch{Authoring: twinplatform.Set(step.authoring)}); err != nil {
			t.Fatal(err)
		}
		if status, _ := w.put(address, "a", "x"); status != step.want {
			t.Errorf("authoring %v: %d", step.authoring, status)
		}
		_, err := w.WriteAccess(w.of("acme", "ann"), id, "")
		if complete := errors.Is(err, twinplatform.Conflict); complete == step.authoring {
			t.Errorf("authoring %v: a new address: %v", step.authoring, err)
		}
	}
}

// Stores with one key take each other's addresses, before a restart and behind it; those
// of another key are no one's.
func TestAddressesAreGoodWhereverTheirKeyIs(t *testing.T) {
	t.Parallel()
	key := bytes.Repeat([]byte{7}, filestore.MinKey)
	w := newWorld(t, filestore.Config{Key: key})
	_, address := w.data(w.of("acme", "ann"))
	for _, test := range []struct {
		name   string
		key    []byte
		status int
	}{
		{"the same key", key, 201},
		{"another key", bytes.Repeat([]byte{8}, filestore.MinKey), 403},
		{"no key", nil, 403},
		{"the same key again", key, 201},
	} {
		if err := w.files.Close(); err != nil {
			t.Fatal(err)
		}
		w.open(filestore.Config{Key: test.key})
		if status, body := w.put(address, "a", "x"); status != test.status {
			t.Errorf("%s: %d %s, want %d", test.name, status, body, test.status)
		}
	}
	if _, err := filestore.Open(t.TempDir(), filestore.Config{Key: []byte("secret")}); err == nil {
		t.Error("a key that can be guessed was taken")
	}
}

func TestStoreServesNothingBeforeItFollowsRecords(t *testing.T) {
	t.Parallel()
	w := newWorld(t, filestore.Config{})
	_, address := w.data(w.of("acme", "ann"))
	var err error
	if w.files, err = filestore.Open(t.TempDir(), filestore.Config{BaseURL: "http://files.test"}); err != nil {
		t.Fatal(err)
	}
	if status, _ := w.put(address, "a", "x"); status != 403 {
		t.Errorf("an address of another store: %d", status)
	}
	if address, err = w.files.ContainerURL(t.Context(), "any", true); err != nil {
		t.Fatal(err)
	}
	if status, body := w.put(address, "a", "x"); status != 503 {
		t.Errorf("without records: %d %s", status, body)
	}
}

// TestCrashLeavesNothingBehind ends the process between the deletion of a record and
// that of its bytes, and in the middle of a file.
func TestCrashLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	w := newWorld(t, filestore.Config{})
	id, address := w.data(w.of("acme", "ann"))
	if status, _ := w.put(address, "folder/a", "four"); status != 201 {
		t.Fatal(status)
	}
	kept, keptAt := w.data(w.of("acme", "ann"))
	if status, _ := w.put(keptAt, "a", "four"); status != 201 {
		t.Fatal(status)
	}
	// The deletion comes to its bytes when the folder is gone.
	_ = w.files.Close()
	if err := w.DeleteRealityData(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	w.leave("uploads/HALF")
	w.leave(w.containerOf(kept) + "/.part-ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	w.leave("removed-ABC/x")
	if w.folders() != 2 {
		t.Fatalf("%d containers before the start", w.folders())
	}
	w.open(filestore.Config{MaxAccount: 8})
	if got := w.onDisk(); len(got) != 1 || w.folders() != 1 {
		t.Errorf("after the start there are %q in %d containers", got, w.folders())
	}
	if n, err := w.files.ContainerSize(t.Context(), kept); n != 4 || err != nil {
		t.Errorf("%d bytes are kept, %v", n, err)
	}
	// Only what is kept counts against the limits.
	a, err := w.WriteAccess(w.of("acme", "ann"), kept, "")
	if err != nil {
		t.Fatal(err)
	}
	if status, body := w.put(a.URL, "b", "four"); status != 201 {
		t.Errorf("four bytes more: %d %s", status, body)
	}
	if status, body := w.put(a.URL, "c", "x"); status != 409 {
		t.Errorf("and one: %d %s", status, body)
	}
}

// Tools that take an address apart with the Go library drop an end that is no time in RFC 3339, in UTC and whole seconds.
func TestAddressesSayWhenTheyEndAsToolsKeepIt(t *testing.T) {
	t.Parallel()
	files, err := filestore.Open(t.TempDir(), filestore.Config{BaseURL: "http://files.test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = files.Close() })
	address, err := files.ContainerURL(t.Context(), "any", false)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	until := u.Query().Get("se")
	if end, err := time.Parse("2006-01-02T15:04:05Z", until); err != nil || time.Until(end) > filestore.AddressTime {
		t.Errorf("it ends at %q: %v", until, err)
	}
}
