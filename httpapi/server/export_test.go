package server

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// exported is what -export writes with some flags.
func exported(t *testing.T, args ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "world.json")
	if err := run(t.Context(), append(args, "-export", out), nil, io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestExportOfAServerIsASeedOfTheSameWorld(t *testing.T) {
	t.Parallel()
	for _, seed := range []string{bridgeFile, seedFile} {
		db := filepath.Join(t.TempDir(), "twin.db")
		s := start(t, "-db", db, "-seed", seed)
		if err := s.stop(); err != nil {
			t.Fatal(err)
		}
		text := exported(t, "-db", db)
		again := start(t, "-seed", fileWith(t, text))
		if seed == bridgeFile {
			first := start(t, "-seed", bridgeFile)
			want, got := first.census(), again.census()
			for name := range want { // ids of roles are new, and with them their order
				sameSet(t, name, want[name], got[name])
			}
		}
		wantSame(t, "the export of the export", text, exported(t, "-seed", fileWith(t, text)))
	}
}

func TestExportNamesWhatItCannotRead(t *testing.T) {
	t.Parallel()
	missing := filepath.Join(t.TempDir(), "missing.db")
	err := run(t.Context(), []string{"-db", missing, "-export", "-"}, nil, io.Discard, io.Discard)
	if err == nil || !strings.Contains(err.Error(), missing) {
		t.Errorf("exporting a store that is not there: %v", err)
	}
	if _, err := os.Stat(missing); err == nil {
		t.Error("the store that was not there has been made")
	}
	var out bytes.Buffer
	if err := run(t.Context(), []string{"-seed", bridgeFile, "-export", "-"}, nil, &out, io.Discard); err != nil || !strings.Contains(out.String(), "North Bridge") {
		t.Errorf("standard output gets %q (%v)", out.String(), err)
	}
}
