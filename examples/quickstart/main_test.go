package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestShowsHowFarThePlanHasSlipped(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := run(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	const want = "tasks.createMany Succeeded\nDig: 48h0m0s later\nPour: 0s later\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}
}
