package main

import (
	"strings"
	"testing"
)

func TestTargetFollowsTheModel(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	if err := run(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	const want = "Succeeded: looked at 3 elements; inserted 4, updated 0, deleted 0\n" +
		"Succeeded: looked at 1 elements; inserted 0, updated 1, deleted 2\n"
	if out.String() != want {
		t.Errorf("it printed:\n%s", out.String())
	}
}
