package jobs_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

func TestPayloadLargerThanAStoredValueIsKeptUntilItIsDone(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: it takes seconds")
	}
	t.Parallel()
	store := memory.New()
	d := newDomain(t, store, twinplatform.Env{Background: true})
	var c chore
	want := make(map[string]int)
	for i := range 60 { // one after the other, until the payload fits into a value again
		c.Marks = append(c.Marks, fmt.Sprint(i, strings.Repeat("m", storage.MaxValueBytes/25)))
		want[c.Marks[i]] = 1
	}
	res, err := d.chores.Start(t.Context(), jobs.Spec{Scope: board, Keep: true}, &c)
	if err != nil {
		t.Fatal(err)
	}
	next := newDomain(t, store, twinplatform.Env{Background: true})
	stop := next.run(t)
	if _, err := next.runner.Wait(t.Context(), board, res.ID); err != nil {
		t.Fatal(err)
	}
	stop()
	next.wantMarks(want)
	err = store.View(context.Background(), func(r storage.Reader) error {
		for key := range r.Scan("jobs-test/pending", "") {
			t.Errorf("%s is left in the journal", key)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
