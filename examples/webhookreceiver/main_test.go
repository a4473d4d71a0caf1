package main

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestEventArrivesAndAForgedOneDoesNot(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	var out strings.Builder
	if err := run(ctx, &out); err != nil {
		t.Fatal(err)
	}
	got := regexp.MustCompile(`[0-9a-f-]{36}`).ReplaceAllString(out.String(), "…")
	const want = `POST /webhooks 202
PATCH /webhooks/… 200
POST /twins 201
received twins.twinCreated.v1
POST /events 401
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}
}
