package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// output is what a command prints.
func output(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := run(t.Context(), args, nil, &out, io.Discard); err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return out.String()
}

// A backup that is made while eight clients write is a state that the store had; a server
// elsewhere continues with it, and a client with a copy is asked to list again.
func TestBackupUnderWritersIsRestoredElsewhere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db, backup := filepath.Join(dir, "twin.db"), filepath.Join(dir, "twin.backup")
	s := start(t, "-db", db, "-seed", seedFile, "-rate", "0")
	_, delta := s.list(plan+"/tasks", "tasks")
	const writers, each = 8, 20
	var writing sync.WaitGroup
	begun := make(chan struct{}, writers)
	for w := range writers {
		writing.Go(func() {
			for i := range each {
				s.call("POST", plan+"/tasks", fmt.Sprintf(`{"id": "w%d-%02d", "name": "Extra", "type": "Work"}`, w, i), http.StatusAccepted)
				if i == 3 {
					begun <- struct{}{}
				}
			}
		})
	}
	for range writers {
		<-begun
	}
	output(t, "backup", "-db", db, backup)
	writing.Wait()
	if got := output(t, "check", backup); !strings.HasSuffix(got, "it is whole\n") {
		t.Errorf("check says %s", got)
	}
	if got := output(t, "check", db); !strings.HasSuffix(got, "it is whole\n") {
		t.Errorf("check prints for the open store: %s", got)
	}

	elsewhere := filepath.Join(dir, "elsewhere.db")
	output(t, "restore", "-db", elsewhere, backup)
	restored := start(t, "-db", elsewhere, "-rate", "0")
	tasks, _ := restored.list(plan+"/tasks?$top=100", "tasks")
	has := make(map[string]bool)
	for _, id := range ids(tasks, "id") {
		has[id] = true
	}
	for w := range writers {
		for i := 1; i < each; i++ {
			if id := fmt.Sprintf("w%d-%02d", w, i); i <= 3 && !has[id] || has[id] && !has[fmt.Sprintf("w%d-%02d", w, i-1)] {
				t.Errorf("%s is %v, which is no state that the store had", id, has[id])
			}
		}
	}
	restored.askedToListAgain(delta)
}

// askedToListAgain wants a delta token of another history to be refused as that.
func (s *running) askedToListAgain(delta string) {
	s.t.Helper()
	a := s.call("GET", plan+"/tasks?$deltaToken="+delta, "", http.StatusBadRequest)
	if text := fmt.Sprint(a.body); !strings.Contains(text, "older than") || !strings.Contains(text, "anew") {
		s.t.Errorf("a copy of another history is answered %s", text)
	}
}

// A server continues serving while its store is replaced, and what its clients know of
// before counts no more.
func TestRestoreWhileTheServerServes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db, backup := filepath.Join(dir, "twin.db"), filepath.Join(dir, "twin.backup")
	s := start(t, "-db", db, "-seed", seedFile, "-admin", "127.0.0.1:0")
	output(t, "backup", "-db", db, backup)
	s.call("DELETE", plan+"/tasks?taskIds=task-2", "", http.StatusAccepted)
	tasks, delta := s.list(plan+"/tasks", "tasks")
	if len(tasks) != 63 {
		t.Fatalf("there are %d tasks after one was deleted", len(tasks))
	}
	if err := run(t.Context(), []string{"restore", "-db", db, fileWith(t, "no backup")}, nil, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "not a whole backup") {
		t.Errorf("restoring what is no backup: %v", err)
	}
	if got := output(t, "restore", "-db", db, backup); !strings.Contains(got, "list again") {
		t.Errorf("restore says %s", got)
	}
	if tasks, _ := s.list(plan+"/tasks", "tasks"); len(tasks) != 64 {
		t.Errorf("there are %d tasks after the restoration", len(tasks))
	}
	s.askedToListAgain(delta)
	s.call("POST", plan+"/tasks", `{"name": "Dig", "type": "Work"}`, http.StatusAccepted)
}

// laterBackup is a backup of a store that a later version has written to.
func laterBackup(t *testing.T) (file string) {
	t.Helper()
	store := memory.New()
	defer store.Close()
	err := store.Update(t.Context(), func(w storage.Writer) error {
		text := fmt.Sprintf(`{"format":%d,"version":"v9.8.7"}`, platform.StoredFormat+1)
		return errors.Join(w.Put("schedules/schedules/r/later", []byte("unknown")), w.Put("stored/format", []byte(text)))
	})
	var b bytes.Buffer
	if err = errors.Join(err, storage.Backup(t.Context(), store, &b)); err != nil {
		t.Fatal(err)
	}
	return fileWith(t, b.String())
}

// What a later version has written is neither restored, nor written to, nor sent abroad.
func TestWhatALaterVersionWroteIsLeftAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db, none, backup := filepath.Join(dir, "twin.db"), filepath.Join(dir, "none.db"), laterBackup(t)
	refused := func(args ...string) {
		t.Helper()
		err := run(t.Context(), args, nil, io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), "open it with v9.8.7 or a later one") {
			t.Errorf("%v: %v", args, err)
		}
	}
	s := start(t, "-db", db, "-seed", seedFile, "-admin", "127.0.0.1:0")
	before, delta := s.list(plan+"/tasks", "tasks")
	refused("restore", "-db", db, backup)
	after, _ := s.list(plan+"/tasks", "tasks")
	wantSame(t, "the tasks of a server that has restored nothing", before, after)
	s.call("GET", plan+"/tasks?$deltaToken="+delta, "", http.StatusOK) // its history continues
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	bytesOf := func(file string) string {
		t.Helper()
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	was := bytesOf(db)
	refused("restore", "-db", db, backup)
	if bytesOf(db) != was {
		t.Error("a refused restoration has changed the store")
	}
	refused("restore", "-db", none, backup)
	if _, err := os.Stat(none); err == nil {
		t.Error("a refused restoration has made a store")
	}
	later := fileWith(t, bytesOf(backup)) // a backup is a store
	for _, args := range [][]string{{"import", "-db", later, seedFile}, {"export", "-db", later, filepath.Join(dir, "out.json")}, {"-db", later, "-seed", seedFile}} {
		refused(args...)
	}
	if records, err := buntdb.Check(later); err != nil || records.Records != 2 {
		t.Errorf("the later store holds %+v, %v", records, err)
	}
}

// What was written before the first release is neither restored nor written to, and each command
// says how it comes here.
func TestWhatIsFromBeforeTheFirstReleaseIsLeftAlone(t *testing.T) {
	t.Parallel()
	store := memory.New()
	defer store.Close()
	var b bytes.Buffer
	if err := errors.Join(
		store.Update(t.Context(), func(w storage.Writer) error {
			return errors.Join(w.Put("platform/format", []byte("1")), w.Put("stored/format", []byte(`{"format":62,"version":"v0.4.9"}`)))
		}),
		storage.Backup(t.Context(), store, &b),
	); err != nil {
		t.Fatal(err)
	}
	dir, before := t.TempDir(), fileWith(t, b.String())
	for _, args := range [][]string{
		{"restore", "-db", filepath.Join(dir, "none.db"), before},
		{"import", "-db", before, seedFile},
		{"export", "-db", before, filepath.Join(dir, "out.json")},
		{"-db", before, "-seed", seedFile},
	} {
		err := run(t.Context(), args, nil, io.Discard, io.Discard)
		if err == nil || !strings.Contains(err.Error(), "the program of commit 36fbb526 (twinplatform export FILE)") {
			t.Errorf("%v: %v", args, err)
		}
	}
	if records, err := buntdb.Check(before); err != nil || records.Records != 2 {
		t.Errorf("the store holds %+v, %v", records, err)
	}
}

// An earlier version does not take a store for its own because a backup of it was
// restored: this one continues writing.
func TestARestoredStoreIsOfTheVersionThatServesIt(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "twin.db")
	old := memory.New()
	var b bytes.Buffer
	if err := errors.Join(
		old.Update(t.Context(), func(w storage.Writer) error { return w.Put("of/a/program", []byte("without a version")) }),
		storage.Backup(t.Context(), old, &b), old.Close(),
	); err != nil {
		t.Fatal(err)
	}
	s := start(t, "-db", db, "-admin", "127.0.0.1:0")
	output(t, "restore", "-db", db, fileWith(t, b.String()))
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	store, err := buntdb.Open(db, buntdb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	err = store.View(t.Context(), func(r storage.Reader) error {
		text, err := r.Get("stored/format")
		if want := fmt.Sprintf(`"format":%d,`, platform.StoredFormat); !strings.Contains(string(text), want) {
			t.Errorf("the status of the store is %s", text)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestRestoreReportsThatAServerAdmitsNoOperator(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db, backup := filepath.Join(dir, "twin.db"), filepath.Join(dir, "twin.backup")
	start(t, "-db", db)
	output(t, "backup", "-db", db, backup)
	err := run(t.Context(), []string{"restore", "-db", db, backup}, nil, io.Discard, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "start it with -admin") {
		t.Errorf("restoring under a server without -admin: %v", err)
	}
}

func TestCheckAndRepairOfADamagedStore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := filepath.Join(dir, "twin.db")
	if err := start(t, "-db", db, "-seed", seedFile).stop(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(db)
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)/2] ^= 1
	if err := os.WriteFile(db, text, 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err = run(t.Context(), []string{"check", db}, nil, &out, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "keeps ") || !strings.Contains(err.Error(), "twinplatform repair "+db) {
		t.Errorf("check of a damaged store: %v\n%s", err, &out)
	}
	if now, err := os.ReadFile(db); err != nil || !bytes.Equal(text, now) {
		t.Errorf("check has changed the file (%v)", err)
	}
	if err := run(t.Context(), []string{"backup", "-db", db, filepath.Join(dir, "b")}, nil, io.Discard, io.Discard); err == nil {
		t.Error("a damaged store was backed up")
	}
	repaired := filepath.Join(dir, "repaired.db")
	if got := output(t, "repair", db, repaired); !strings.Contains(got, "left out") {
		t.Errorf("repair says %s", got)
	}
	if got := output(t, "check", repaired); !strings.Contains(got, "whole") {
		t.Errorf("check says %s", got)
	}
}

// A store that lacks a byte, and a backup that lacks its end, are neither served nor
// passed by a check, and nothing is changed; a repair keeps what is whole.
func TestDamagedFilesAreNotServed(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and runs the program")
	}
	program := build(t)
	source := filepath.Join(t.TempDir(), "twin.db")
	s := start(t, "-db", source, "-seed", seedFile)
	for i := range 50 {
		s.call("POST", plan+"/tasks", fmt.Sprintf(`{"id": "extra-%d", "name": "Übergabe %d", "type": "Work"}`, i, i), http.StatusAccepted)
	}
	backup := filepath.Join(t.TempDir(), "twin.backup")
	output(t, "backup", "-db", source, backup)
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	content := func(file string) []byte {
		t.Helper()
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	whole, lock, saved := content(source), content(source+".lock"), content(backup)
	records, err := buntdb.Check(source)
	if err != nil {
		t.Fatal(err)
	}
	lacksByte := slices.Delete(bytes.Clone(whole), len(whole)/10, len(whole)/10+1)
	for name, files := range map[string]map[string][]byte{
		"a store that lacks a byte":                        {"twin.db": lacksByte, "twin.db.lock": lock},
		"a store that lacks a byte, without its lock":      {"twin.db": lacksByte},
		"a store that lacks its end":                       {"twin.db": whole[:len(whole)/2], "twin.db.lock": lock},
		"a backup that lacks its end":                      {"twin.db": saved[:len(saved)/3]},
		"a backup of which the last byte is missing":       {"twin.db": saved[:len(saved)-1]},
		"a backup with something behind its end":           {"twin.db": append(bytes.Clone(saved), "more"...)},
		"a backup with a byte that is there a second time": {"twin.db": slices.Insert(bytes.Clone(saved), len(saved)/2, saved[len(saved)/2])},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			db := filepath.Join(dir, "twin.db")
			for file, text := range files {
				if err := os.WriteFile(filepath.Join(dir, file), text, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for _, args := range [][]string{{"serve", "-addr", "127.0.0.1:0", "-db", db}, {"check", db}} {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				out, err := exec.CommandContext(ctx, program, args...).CombinedOutput()
				cancel()
				if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != 1 || !strings.Contains(string(out), "twinplatform repair "+db) {
					t.Errorf("%v ends with %v: %s", args, err, out)
				}
			}
			entries, err := os.ReadDir(dir)
			if err != nil || len(entries) != len(files) {
				t.Errorf("the folder holds %v, %v", entries, err)
			}
			for file, text := range files {
				if !bytes.Equal(content(filepath.Join(dir, file)), text) {
					t.Errorf("%s has changed", file)
				}
			}
			repaired := filepath.Join(dir, "repaired.db")
			if got := output(t, "repair", db, repaired); !strings.Contains(got, "left out is what is damaged") {
				t.Errorf("repair says %s", got)
			}
			if kept, err := buntdb.Check(repaired); err != nil || kept.Damage != nil || kept.Records == 0 ||
				strings.Contains(name, "lacks a byte") && kept.Records < records.Records/2 {
				t.Errorf("the repair keeps %d of %d records, %v, %v", kept.Records, records.Records, kept.Damage, err)
			}
		})
	}
}

func TestImportAndExportNeedNoServer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db, out := filepath.Join(dir, "twin.db"), filepath.Join(dir, "world.json")
	if got := output(t, "import", "-db", db, bridgeFile); !strings.Contains(got, "is in "+db) {
		t.Errorf("import says %s", got)
	}
	output(t, "export", "-db", db, out)
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(text), exported(t, "-seed", fileWith(t, string(text)))); diff != "" {
		t.Errorf("the export of the export:\n%s", diff)
	}
}

func TestHealthAsksTheServer(t *testing.T) {
	t.Parallel()
	s := start(t)
	addr := strings.TrimPrefix(s.base, "http://")
	if got := output(t, "health", "-addr", addr); !strings.Contains(got, `"ready"`) {
		t.Errorf("health says %s", got)
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
	if err := run(t.Context(), []string{"health", "-addr", addr}, nil, io.Discard, io.Discard); err == nil {
		t.Error("a server that is gone is healthy")
	}
}

func TestCommandsNameWhatTheyNeed(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"backup"}, "backup wants FILE"},
		{[]string{"repair", "one"}, "repair wants FILE TARGET"},
		{[]string{"backup", "file"}, "-db names no file"},
		{[]string{"restore", "file"}, "-db names no file"},
		{[]string{"import", "file"}, "-db names no file"},
		{[]string{"check", filepath.Join(t.TempDir(), "nothing")}, "no such file"},
	} {
		if err := run(t.Context(), tt.args, nil, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: %v, want %s", tt.args, err, tt.want)
		}
	}
	if got := output(t, "version"); !strings.HasPrefix(got, "twinplatform ") || got != output(t, "-version") {
		t.Errorf("version says %s", got)
	}
}
