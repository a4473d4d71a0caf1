package buntdb_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// filled makes a store of some transactions.
func filled(t *testing.T, path string) storage.Store {
	t.Helper()
	s := mustOpen(t, path, buntdb.Options{})
	for n := range 30 {
		update(t, s, func(w storage.Writer) error { return w.Put(fmt.Sprint("key ", n%20), bytes.Repeat([]byte("v"), n)) })
	}
	return s
}

func TestCheckAndCopyOfAStoreThatIsOpen(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "open.db")
	s := filled(t, path)
	defer closeStore(t, s)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c, err := buntdb.Check(path)
	if err != nil || c.Records != 20 || c.Transactions < 30 || c.Damage != nil || c.Torn != 0 || c.FileBytes != int64(len(before)) {
		t.Errorf("Check = %+v, %v", c, err)
	}
	var backup bytes.Buffer
	if _, err := buntdb.CopyTo(t.Context(), path, &backup); err != nil {
		t.Fatal(err)
	}
	target := memory.New()
	if err := storage.Restore(t.Context(), target, &backup); err != nil {
		t.Fatal(err)
	}
	got := dump(t, target)
	delete(got, "\x00history")
	if !maps.Equal(got, dump(t, s)) {
		t.Error("the copy differs")
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("looking at the file has changed it (%v)", err)
	}
}

// Wherever a file is damaged or cut: what Check says is what Open does, and what Repair keeps.
func TestCheckAgreesWithOpen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "whole.db")
	closeStore(t, filled(t, path))
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(whole); at += 101 {
		flipped := bytes.Clone(whole)
		flipped[at] ^= 4
		for name, content := range map[string][]byte{"flipped": flipped, "cut": whole[:at]} {
			path := filepath.Join(dir, fmt.Sprint(name, at, ".db"))
			if err := os.WriteFile(path, content, 0o600); err != nil {
				t.Fatal(err)
			}
			c, err := buntdb.Check(path)
			if err != nil {
				t.Fatal(err)
			}
			kept, repairErr := buntdb.Repair(path, path+".repaired")
			if repairErr == nil && (kept.Records != c.Records || kept.Transactions != c.Transactions) {
				t.Errorf("%s at %d: Check says %+v, the repair keeps %+v", name, at, c, kept)
			}
			s, err := buntdb.Open(path, buntdb.Options{})
			if _, damaged := errors.AsType[*buntdb.DamageError](err); damaged != (c.Damage != nil) {
				t.Errorf("%s at %d: Check says %v, Open %v", name, at, c.Damage, err)
			}
			if err == nil {
				closeStore(t, s)
			}
		}
	}
}
