package jobs_test

import (
	"errors"
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

func TestWorkIsJudgedInTheTransactionThatAcceptsIt(t *testing.T) {
	t.Parallel()
	for _, background := range []bool{false, true} {
		d := newDomain(t, memory.New(), twinplatform.Env{Background: background})
		judged := 0
		refuse := func(refused bool) func(*records.Update) (records.Scope, error) {
			return func(u *records.Update) (records.Scope, error) {
				judged++
				// What is written to the store here is rolled back with the work.
				if _, err := marks.Put(u, board, &mark{ID: "judged"}); err != nil || !refused {
					return board, err
				}
				return board, errRefused
			}
		}
		spec := jobs.Spec{Subjects: []string{"a"}, Open: refuse(true)}
		if _, err := d.chores.Start(t.Context(), spec, &chore{Marks: []string{"a"}}); !errors.Is(err, errRefused) {
			t.Fatalf("background %t: error %v, want that of the judge", background, err)
		}
		d.wantMarks(map[string]int{})
		spec.Open = refuse(false)
		if _, err := d.chores.Start(t.Context(), spec, &chore{Marks: []string{"a"}}); err != nil {
			t.Fatal(err)
		}
		want := map[string]int{"judged": 0, "a": 1}
		if background {
			delete(want, "a")
		}
		d.wantMarks(want)
		if judged < 2 {
			t.Errorf("background %t: judged %d times", background, judged)
		}
	}
}
