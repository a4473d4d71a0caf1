package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-933f9a09/twinplatform/platform"
)

// failingDisk is a disk of which one call fails, or every one from there on.
type failingDisk struct {
	systemDisk

	mu      sync.Mutex
	calls   int
	at      int // the first call that fails, from 0; below 0: none does
	forever bool
	fault   error
	hit     string // what failed first
}

func (d *failingDisk) fails(op, name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := d.calls
	d.calls++
	if d.at < 0 || n < d.at || n > d.at && !d.forever {
		return nil
	}
	if d.hit == "" {
		d.hit = op + " " + name
	}
	return &fs.PathError{Op: op, Path: name, Err: d.fault}
}

func (d *failingDisk) failed() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.hit
}

func (d *failingDisk) Create(name string, mode fs.FileMode) (ownFile, error) {
	if err := d.fails("open", name); err != nil {
		return nil, err
	}
	f, err := d.systemDisk.Create(name, mode)
	return &failingFile{f, d, name}, err
}

func (d *failingDisk) Rename(from, to string) error {
	if err := d.fails("rename", to); err != nil {
		return err
	}
	return d.systemDisk.Rename(from, to)
}

func (d *failingDisk) Remove(name string) error {
	if err := d.fails("remove", name); err != nil {
		return err
	}
	return d.systemDisk.Remove(name)
}

type failingFile struct {
	ownFile

	disk *failingDisk
	name string
}

func (f *failingFile) Write(p []byte) (int, error) {
	if err := f.disk.fails("write", f.name); err != nil {
		return 0, err
	}
	return f.ownFile.Write(p)
}

func (f *failingFile) Chmod(mode fs.FileMode) error {
	if err := f.disk.fails("chmod", f.name); err != nil {
		return err
	}
	return f.ownFile.Chmod(mode)
}

func (f *failingFile) Sync() error {
	if err := f.disk.fails("sync", f.name); err != nil {
		return err
	}
	return f.ownFile.Sync()
}

// startOn starts a server whose own files are on a disk, and ends it once it serves. It
// returns what it logged and what ended its start, if anything did.
func startOn(t *testing.T, d disk, stdout io.Writer, args ...string) (log string, err error) {
	t.Helper()
	var out syncBuffer
	cfg, err := Parse(Process{Args: args, Stdout: io.Discard, Stderr: &out})
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(cfg)
	s.disk = d
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	done := make(chan error, 1)
	go func() { done <- serveAll(ctx, s, nil, stdout) }()
	for !strings.Contains(out.String(), "msg=serving ") {
		select {
		case err := <-done:
			return out.String(), err
		case <-time.After(time.Millisecond):
		}
	}
	stop()
	if err := <-done; err != nil && d == (systemDisk{}) { // another fault may last
		t.Error(err)
	}
	return out.String(), nil
}

// syncBuffer is a buffer that is read while it is written.
type syncBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// Next to the store a start writes the address file and the file with the secret of -admin.
// Whichever call fails, once or from then on, the server serves and says what it does
// without, or it ends with the file and what to do.
func TestAStartThatCannotWriteItsFilesContinuesOrSaysWhatToDo(t *testing.T) {
	t.Parallel()
	cures := map[error]string{
		syscall.ENOSPC: "make room there", syscall.EIO: "the disk fails", syscall.EACCES: "give the user that runs this",
		syscall.EROFS: "it can only be read", syscall.EDQUOT: "make room there", syscall.EFBIG: "ulimit -f",
	}
	faults := []error{syscall.ENOSPC, syscall.EIO, syscall.EACCES, syscall.EROFS, syscall.EDQUOT, syscall.EFBIG}
	served, refused := 0, 0
	for _, port := range []string{"0", "free"} {
		for _, forever := range []bool{false, true} {
			for at := 0; ; at++ {
				fault := faults[at%len(faults)]
				dir := t.TempDir()
				address := "127.0.0.1:0"
				if port == "free" {
					address = freeAddress(t)
				}
				d := &failingDisk{at: at, forever: forever, fault: fault}
				log, err := startOn(t, d, io.Discard, "-addr", address, "-db", filepath.Join(dir, "twin.db"), "-admin", "127.0.0.1:0", "-addr-file", filepath.Join(dir, "addr"))
				failed := d.failed()
				if failed == "" {
					break
				}
				subject := fmt.Sprintf("port %s, %v at call %d, %s, from then on: %t", port, fault, at, failed, forever)
				op, name, _ := strings.Cut(failed, " ")
				name = strings.TrimSuffix(name, ".part")
				switch said := log; {
				case err != nil:
					refused++
					if said = err.Error(); !errors.Is(err, fault) {
						t.Errorf("%s: it ends with %v", subject, err)
					}
					fallthrough
				case op != "remove": // of what is not there
					if err == nil {
						served++
					}
					if !strings.Contains(said, name) || !strings.Contains(said, cures[fault]) {
						t.Errorf("%s: it says neither file nor cure:\n%s", subject, said)
					}
				}
				if err != nil && !strings.HasSuffix(name, "addr") {
					t.Errorf("%s: it does not start: %v", subject, err)
				}
			}
		}
	}
	if served < 10 || refused < 5 {
		t.Errorf("%d starts went on without, %d were refused", served, refused)
	}
}

// freeAddress is an address that no one listens at.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// A folder that is missing, or is a file, is named with what to do, whichever option names
// it.
func TestAStartInAMissingFolderSaysWhatToMake(t *testing.T) {
	t.Parallel()
	for _, option := range []string{"-db", "-addr-file"} {
		dir := filepath.Join(t.TempDir(), "missing")
		_, err := startOn(t, systemDisk{}, io.Discard, "-addr", "127.0.0.1:0", option, filepath.Join(dir, "file"))
		if err == nil || !strings.Contains(err.Error(), "make the folder "+dir) {
			t.Errorf("%s: the start ends with %v", option, err)
		}
	}
	file := fileWith(t, "no folder")
	for _, option := range []string{"-db", "-files", "-addr-file"} {
		args := []string{"-addr", "127.0.0.1:0", option, filepath.Join(file, "below")}
		if _, err := startOn(t, systemDisk{}, io.Discard, args...); err == nil || !strings.Contains(err.Error(), file) {
			t.Errorf("%s below a file: the start ends with %v", option, err)
		}
	}
}

// The last uses of tokens are no reason to end either: that they are not kept is logged, once
// and with the file.
func TestUsesThatCannotBeKeptAreLoggedOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		cfg, err := Parse(Process{Stdout: io.Discard, Stderr: &log})
		if err != nil {
			t.Fatal(err)
		}
		s := newServer(cfg)
		s.disk = &failingDisk{forever: true, fault: syscall.ENOSPC}
		s.who.uses.file = useFile(filepath.Join(dir, "uses.json"))
		callers, err := platform.ReadCallers(strings.NewReader(twoCallers))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.who.become(callers); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			s.who.uses.of(callers[0].TokenDigest())(time.Now())
			s.keepUses(t.Context())
			time.Sleep(usesEvery)
		}
		if got := strings.Count(log.String(), "uses.json"); got == 0 || strings.Count(log.String(), "level=WARN") != 1 || !strings.Contains(log.String(), "make room there") {
			t.Errorf("the log is\n%s", &log)
		}
		s.disk = systemDisk{}
		s.keepUses(t.Context())
		if used, err := s.who.uses.file.read(); err != nil || used[callers[0].TokenDigest()].IsZero() {
			t.Errorf("once there is room the file has %v (%v)", used, err)
		}
	})
}
