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
	"github.com/seed-933f9a09/twinplatform/storage"
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

// crowded is a store in which a transaction loses its race when it is longer than others leave it
// time for.
type crowded struct {
	storage.Store

	did    func() int // records of the run under way
	most   int
	losses int
}

var errRaced = errors.New("lost a race")

func (c *crowded) Update(ctx context.Context, fn func(storage.Writer) error) error {
	for {
		err := c.Store.Update(ctx, func(w storage.Writer) error {
			if err := fn(w); err != nil || c.did() <= c.most {
				return err
			}
			return errRaced
		})
		if !errors.Is(err, errRaced) {
			return err
		}
		c.losses++
	}
}

// However short a step has to be in order to win, the work does not begin with a full step each time to
// find out: it loses one race a step at most, once it knows, and is as long as may be once it may.
func TestStepsOfOneWorkKeepTheLengthThatWins(t *testing.T) {
	t.Parallel()
	for _, most := range []int{4_000, 3_000, 600, 100, 40} {
		n := 0
		store := &crowded{Store: memory.New(), did: func() int { return n }, most: most}
		db := records.New(distant.Over(store))
		now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
		db.Clock(twinplatform.Env{Now: func() time.Time { return now }})
		ctx := records.WithPace(t.Context())
		step := func() {
			err := db.Update(ctx, func(u *records.Update) error {
				n = 0
				for step := records.NewStep(u); ; n++ {
					if more, err := step.Next(0); !more || err != nil {
						return err
					}
				}
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		const steps = 40
		for range steps {
			step()
		}
		if store.losses > 7+steps/2 {
			t.Errorf("at most %d records: %d steps have lost %d races", most, steps, store.losses)
		}
		store.most = 4_000 // the others have left
		for range 8 {
			step()
		}
		if n != 4_000 {
			t.Errorf("at most %d records before: a step is of %d of them still", most, n)
		}
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
