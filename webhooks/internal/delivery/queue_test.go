package delivery_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks/internal/delivery"
)

var noon = time.Date(2026, 1, 5, 12, 0, 0, 0, time.UTC)

func TestQueueKeepsItsContract(t *testing.T) {
	t.Parallel()
	at := func(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }
	for name, c := range map[string]struct {
		do   func(push func(id string, due time.Time), drop func(id string))
		want []string
	}{
		"what is due first goes first": {func(push func(string, time.Time), _ func(string)) {
			push("b", at(2))
			push("c", at(1))
			push("a", at(3))
		}, []string{"c", "b", "a"}},
		"what is due at once goes in the order of events": {func(push func(string, time.Time), _ func(string)) {
			push("b", at(1))
			push("a", at(1))
		}, []string{"a", "b"}},
		"tests go before all events": {func(push func(string, time.Time), _ func(string)) {
			push("a", at(1))
			push("test", at(9))
		}, []string{"test", "a"}},
		"before 1970 and after 2262": {func(push func(string, time.Time), _ func(string)) {
			push("d", at(1).AddDate(900, 0, 0))
			push("c", at(1).AddDate(240, 0, 0))
			push("b", at(1))
			push("a", at(1).AddDate(-200, 0, 0))
		}, []string{"a", "b", "c", "d"}},
		"a delivery has one place": {func(push func(string, time.Time), _ func(string)) {
			push("a", at(1))
			push("b", at(2))
			push("a", at(3))
		}, []string{"b", "a"}},
		"what is dropped is out, also twice": {func(push func(string, time.Time), drop func(string)) {
			push("a", at(1))
			push("b", at(2))
			drop("a")
			drop("a")
		}, []string{"b"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := records.New(memory.New()).Update(t.Context(), func(u *records.Update) error {
				q := delivery.Queue("webhook1")
				all := make(map[string]*delivery.Delivery)
				check := func(err error) {
					if err != nil {
						t.Fatal(err)
					}
				}
				c.do(func(id string, due time.Time) {
					if all[id] == nil {
						all[id] = delivery.NewDelivery(id, id == "test")
					}
					check(q.Push(u, all[id], due))
					if d := all[id]; d.State != delivery.Pending || !d.NextAttempt.Equal(due) {
						t.Errorf("%s is %s and due at %v, want %v", id, d.State, d.NextAttempt, due)
					}
				}, func(id string) { check(q.Drop(u, all[id])) })
				got, err := q.Order(u)
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Errorf("order (-want +got):\n%s", diff)
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// Processes whose clocks are a few milliseconds apart, or parts of one, take events up in turn: what is taken up
// later is due no earlier, so that it does not pass what came before.
func TestEventsKeepTheirOrderWhereClocksAreAPartOfAMillisecondApart(t *testing.T) {
	t.Parallel()
	db := records.New(memory.New())
	rnd := rand.New(rand.NewPCG(48, 3))
	now, last := noon, time.Time{}
	for range 2_000 {
		now = now.Add(time.Duration(rnd.Int64N(int64(300 * time.Microsecond))))
		shown := now.Add(time.Duration(rnd.Int64N(int64(4*time.Millisecond)) - int64(2*time.Millisecond)))
		err := db.Update(t.Context(), func(u *records.Update) error {
			at, err := delivery.TakenUp(u, shown)
			if at.Before(last) {
				t.Errorf("taken up at %v behind %v", at, last)
			}
			last = at
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
