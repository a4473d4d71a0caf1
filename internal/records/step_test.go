package records_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/storetest/distant"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

func TestAStepEndsWithItsTimeItsRecordsOrItsBytes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		look  time.Duration // what each look at the clock takes
		bytes int           // of each record
		want  int
	}{
		"its records, while no time goes by": {0, 0, 1_000},
		"its time":                           {100 * time.Microsecond, 0, 35},
		"a few records in any case":          {time.Hour, 0, 16},
		"its bytes":                          {0, 1 << 20, 4},
	} {
		db := records.New(memory.New())
		now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
		db.Clock(twinplatform.Env{Now: func() time.Time {
			now = now.Add(c.look)
			return now
		}})
		err := db.Update(t.Context(), func(u *records.Update) error {
			n, step := 0, records.NewStep(u)
			for ; ; n++ {
				more, err := step.Next(c.bytes)
				if err != nil {
					return err
				}
				if !more {
					break
				}
			}
			if n != c.want {
				t.Errorf("%s: %d records, want %d", name, n, c.want)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// Long transactions lose their races against short ones, which never end while others
// write.
func TestAStepThatHasLostARaceIsShorter(t *testing.T) {
	t.Parallel()
	db := records.New(distant.Over(storagetest.Reruns(storagetest.Reruns(memory.New()))))
	now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	db.Clock(twinplatform.Env{Now: func() time.Time { return now }})
	var did []int
	err := db.Update(t.Context(), func(u *records.Update) error {
		n, step := 0, records.NewStep(u)
		for {
			more, err := step.Next(0)
			if err != nil {
				return err
			}
			if !more {
				break
			}
			n++
		}
		did = append(did, n)
		return nil
	})
	if want := []int{4_000, 2_000, 1_000, 500}; err != nil || !slices.Equal(did, want) {
		t.Errorf("%d records, %v, want %d", did, err, want)
	}
}

func TestAStepFailsOnceItsContextIsDone(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	var did []string
	err := records.New(memory.New()).Update(ctx, func(u *records.Update) error {
		step := records.NewStep(u)
		for i := range 10 {
			if more, err := step.Next(0); !more || err != nil {
				return err
			}
			if did = append(did, fmt.Sprint(i)); i == 2 {
				cancel()
			}
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || len(did) != 3 {
		t.Errorf("%v after %v", err, did)
	}
}
