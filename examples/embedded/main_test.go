package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTellsWhatChanged(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := run(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	const want = `4 tasks, of which changed since the baseline:
  Dig: starts 2026-03-04, 48h0m0s later than agreed
  Set up the crane: given up
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}
}
