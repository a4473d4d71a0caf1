package buntdb_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

func TestSecondOpenerIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "test.db")
	s := mustOpen(t, path, quiet)
	link := filepath.Join(dir, "link.db")
	if err := os.Symlink(path, link); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	for _, name := range []string{path, link} {
		if _, err := buntdb.Open(name, quiet); !errors.Is(err, buntdb.ErrLocked) || !strings.Contains(err.Error(), path) {
			t.Errorf("Open(%s) = %v, want ErrLocked with the file's name", name, err)
		}
	}
	if _, err := buntdb.Repair(path, filepath.Join(dir, "repaired.db")); !errors.Is(err, buntdb.ErrLocked) {
		t.Errorf("Repair = %v, want ErrLocked", err)
	}
	closeStore(t, s)
	closeStore(t, mustOpen(t, link, quiet))
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v", err)
	}
}

func TestFilesAreTheOwnersAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := mustOpen(t, filepath.Join(dir, "test.db"), buntdb.Options{})
	if err := storage.Compact(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	closeStore(t, s)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode().Perm(); mode != 0o600 && runtime.GOOS != "windows" {
			t.Errorf("%s has mode %o, want 600", entry.Name(), mode)
		}
	}
	if len(entries) != 3 {
		t.Errorf("%d files, want journal, lock and reserve file", len(entries))
	}
}

func TestTornTailIsCutAndReported(t *testing.T) {
	t.Parallel()
	path, states := unclosed(t)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data[:len(data)-10], 0o600); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	s := mustOpen(t, path, buntdb.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	defer closeStore(t, s)
	if got := dump(t, s)["count"]; got != states[len(states)-2] {
		t.Errorf("count = %s, want %s", got, states[len(states)-2])
	}
	if !strings.Contains(log.String(), "cut off") || !strings.Contains(log.String(), path) {
		t.Errorf("the log says %q", log.String())
	}
	kept, err := filepath.Glob(path + ".cut-*")
	if err != nil || len(kept) != 1 || !bytes.HasSuffix(data[:len(data)-10], readFile(t, kept[0])) || len(readFile(t, kept[0])) < 80 {
		t.Fatalf("what was cut off is kept as %v, %v", kept, err)
	}
	if info, err := os.Stat(kept[0]); err != nil || (info.Mode().Perm() != 0o600 && runtime.GOOS != "windows") {
		t.Errorf("%s is readable by others: %v, %v", kept[0], info.Mode(), err)
	}
}

// Of what was cut off the newest is kept, and so much of the rest as the options allow.
func TestCutTailsAreKeptWithinBounds(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		opts buntdb.Options
		want int
	}{
		"eight without a word":   {buntdb.Options{}, 8},
		"as many as are wanted":  {buntdb.Options{CutFiles: 3}, 3},
		"as much as is wanted":   {buntdb.Options{CutBytes: 46}, 4}, // of 9 or 10 bytes
		"the newest in any case": {buntdb.Options{CutBytes: 1}, 1},
		"all":                    {buntdb.Options{CutFiles: -1, CutBytes: -1}, 12},
	} {
		synctest.Test(t, func(t *testing.T) {
			disk, opts := storagetest.NewDisk(), test.opts
			opts.ReserveBytes, opts.Logger = -1, quiet.Logger
			var last []byte
			for n := range 12 {
				s, err := buntdb.OpenOn(disk, "/test.db", opts)
				if err != nil {
					t.Fatal(err)
				}
				closeStore(t, s)
				last = fmt.Appendf(nil, "*3\r\n$3\r\n%d", n)
				disk.Put("/test.db", append(disk.Files()["/test.db"], last...))
				if n%2 == 0 {
					time.Sleep(time.Second)
				}
			}
			s, err := buntdb.OpenOn(disk, "/test.db", opts)
			if err != nil {
				t.Fatal(err)
			}
			defer closeStore(t, s)
			var kept []string
			for name := range disk.Files() {
				if strings.HasPrefix(name, "/test.db.cut-") {
					kept = append(kept, name)
				}
			}
			slices.Sort(kept)
			if len(kept) != test.want || !bytes.Equal(disk.Files()[kept[len(kept)-1]], last) {
				t.Errorf("%s: kept are %v", name, kept)
			}
		})
	}
}

// A disk that is full when there is something to be cut off gives up the reserve file for
// it.
func TestCutTailIsKeptOnAFullDisk(t *testing.T) {
	t.Parallel()
	disk := storagetest.NewDisk()
	opts := quiet
	opts.ReserveBytes = 4096
	s, err := buntdb.OpenOn(disk, "/test.db", opts)
	if err != nil {
		t.Fatal(err)
	}
	update(t, s, func(w storage.Writer) error { return w.Put("a", []byte("1")) })
	closeStore(t, s)
	torn := bytes.Repeat([]byte("torn"), 500)
	disk.Put("/test.db", append(disk.Files()["/test.db"], torn...))
	used := 0
	for _, data := range disk.Files() {
		used += len(data)
	}
	disk.Limit(int64(used))
	s, err = buntdb.OpenOn(disk, "/test.db", opts)
	if err != nil {
		t.Fatal(err)
	}
	defer closeStore(t, s)
	if got := dump(t, s); got["a"] != "1" {
		t.Errorf("the store holds %v", got)
	}
	for name, data := range disk.Files() {
		if strings.HasPrefix(name, "/test.db.cut-") && bytes.Equal(data, torn) {
			return
		}
	}
	t.Error("what was cut off is not kept")
}

func TestDamageIsRefusedAndRepaired(t *testing.T) {
	t.Parallel()
	path, states := unclosed(t)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(data, []byte("\r\n"+states[5]+"\r\n"))
	data[at+2] ^= 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}

	_, err = buntdb.Open(path, quiet)
	damage, ok := errors.AsType[*buntdb.DamageError](err)
	if !ok || damage.Path != path || damage.Offset >= int64(at) || damage.Transactions == 0 || damage.Later == 0 {
		t.Fatalf("Open = %v", err)
	}
	if !strings.Contains(err.Error(), fmt.Sprint(damage.Offset)) || !strings.Contains(err.Error(), path) {
		t.Errorf("message %q", err)
	}

	target := filepath.Join(t.TempDir(), "repaired.db")
	done, err := buntdb.Repair(path, target)
	if err != nil || done.Damage == nil || done.Records != 1 || done.Transactions != damage.Transactions+uint64(damage.Later) {
		t.Fatalf("Repair = %+v, %v", done, err)
	}
	if after, _ := os.ReadFile(path); !bytes.Equal(after, data) {
		t.Error("the original was touched")
	}
	s := mustOpen(t, target, quiet)
	defer closeStore(t, s)
	if got, last := dump(t, s)["count"], states[len(states)-1]; got != last {
		t.Errorf("count = %s, want %s", got, last)
	}
	if _, err := buntdb.Repair(path, target); !errors.Is(err, fs.ErrExist) {
		t.Errorf("second Repair = %v, want ErrExist", err)
	}
}

func TestDamagedHeaderIsRepaired(t *testing.T) {
	t.Parallel()
	path, states := unclosed(t)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := range 75 {
		data := bytes.Clone(whole)
		data[at] ^= 4
		dir := t.TempDir()
		harmed := filepath.Join(dir, "harmed.db")
		if err := os.WriteFile(harmed, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := buntdb.Open(harmed, quiet); err == nil {
			t.Errorf("byte %d: a damaged header was not seen", at)
			continue
		}
		done, err := buntdb.Repair(harmed, filepath.Join(dir, "repaired.db"))
		if err != nil || done.Records != 1 || done.Damage == nil {
			t.Errorf("byte %d: Repair = %+v, %v", at, done, err)
			continue
		}
		s := mustOpen(t, filepath.Join(dir, "repaired.db"), quiet)
		if got := dump(t, s)["count"]; got != states[len(states)-1] {
			t.Errorf("byte %d: count = %s", at, got)
		}
		closeStore(t, s)
	}
}

// unclosed returns a copy of a file that was never closed, and the value of
// its only key after each transaction.
func unclosed(t *testing.T) (path string, states []string) {
	t.Helper()
	dir := t.TempDir()
	live := filepath.Join(dir, "live.db")
	s := mustOpen(t, live, quiet)
	defer closeStore(t, s)
	for n := range 10 {
		states = append(states, strings.Repeat(string(rune('a'+n)), 50))
		update(t, s, func(w storage.Writer) error { return w.Put("count", []byte(states[n])) })
	}
	data, err := os.ReadFile(live)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(dir, "copy.db")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path, states
}

func TestStoreThatTakesTooMuchMemoryIsLoggedWhileItIsRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.db")
	s := mustOpen(t, path, quiet)
	for i := range 200 {
		update(t, s, func(w storage.Writer) error {
			return w.Put(fmt.Sprint("key-", i), bytes.Repeat([]byte("v"), 100+i))
		})
	}
	closeStore(t, s)
	for _, tt := range []struct {
		bytes int64
		warns bool
	}{{0, false}, {200 * 500, false}, {200 * 300, false}, {200 * 150, true}} {
		var log bytes.Buffer
		closeStore(t, mustOpen(t, path, buntdb.Options{MemoryBytes: tt.bytes, Logger: slog.New(slog.NewTextHandler(&log, nil))}))
		text := log.String()
		warns := strings.Contains(text, "needs more memory than Options.MemoryBytes")
		if warns != tt.warns || strings.Count(text, "level=WARN") > 1 {
			t.Errorf("with %d bytes it says %q", tt.bytes, text)
		}
		for _, want := range []string{"path=" + path, "allowed=30000", "records=1"} {
			if tt.warns && !strings.Contains(text, want) {
				t.Errorf("%q lacks %s", text, want)
			}
		}
	}
}
