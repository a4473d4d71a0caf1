package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCopyFollowsMoreChangesThanAPageHolds(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := run(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	const want = `250 changes, 250 tasks, the first is "Floor 1"
250 changes, 249 tasks, the first is "Pour floor-1"
0 changes, 249 tasks, the first is "Pour floor-1"
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}
}
