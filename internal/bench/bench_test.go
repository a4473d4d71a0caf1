package bench_test

import (
	"context"
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/bench"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/twins"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// row is a piece of work that could make others wait.
type row struct {
	name string
	// size is what is measured, small what the tests run.
	size, small int
	// prepare fills a world and returns the work.
	prepare func(w *world, size int) func(context.Context) error
}

// rows are all of them. None may make others wait for more than ten milliseconds.
var rows = [][]row{controlRows, schedulesRows, webhooksRows, listRows, transformRows}

func TestEveryRowRuns(t *testing.T) {
	t.Parallel()
	for _, area := range rows {
		for _, r := range area {
			t.Run(r.name, func(t *testing.T) {
				t.Parallel()
				waits := newWorld(t).measure(r, r.small)
				if waits.Took <= 0 || waits.Writes <= 0 {
					t.Errorf("nothing was measured: %+v", waits)
				}
			})
		}
	}
}

// BenchmarkWaits does each piece of work while another account makes one task after
// another. It prints, in milliseconds, how long the work took, the longest and the
// 99th percentile and the median of the times that the other account waited for a
// task, the longest time that one transaction held the writer and the longest that the
// processor was at one: on a busy machine the last is the one to compare. With -short
// the pieces are small.
func BenchmarkWaits(b *testing.B) {
	for _, area := range rows {
		for _, r := range area {
			b.Run(r.name, func(b *testing.B) {
				size := r.size
				if testing.Short() {
					size = r.small
				}
				var worst bench.Waits
				for range b.N {
					worst = worse(worst, newWorld(b).measure(r, size))
				}
				b.ReportMetric(0, "ns/op")
				for _, m := range []struct {
					unit  string
					value time.Duration
				}{
					{"took-ms", worst.Took}, {"longest-ms", worst.Longest}, {"p99-ms", worst.P99}, {"median-ms", worst.Median}, {"held-ms", worst.Held}, {"worked-ms", worst.Worked},
				} {
					b.ReportMetric(float64(m.value)/1e6, m.unit)
				}
				b.ReportMetric(float64(worst.Writes)/worst.Took.Seconds(), "creates/s")
			})
		}
	}
}

// worse is the worse of two in each respect.
func worse(a, b bench.Waits) bench.Waits {
	return bench.Waits{
		Took: max(a.Took, b.Took), Writes: b.Writes, Longest: max(a.Longest, b.Longest), P99: max(a.P99, b.P99),
		Median: max(a.Median, b.Median), Held: max(a.Held, b.Held), Worked: max(a.Worked, b.Worked),
	}
}

// world is a platform with the schedule of someone else in it.
type world struct {
	*platform.Platform
	tb    testing.TB
	store *bench.Store
	ctx   context.Context // of a user who works
	twin  string          // of that user
}

// The two who use a world.
var (
	worker = administrator("worker", "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa")
	other  = administrator("other", "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb")
)

func administrator(id, account string) twinplatform.Principal {
	return twinplatform.Principal{
		ID: id, AccountID: account, Kind: twinplatform.User, AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator},
		Scopes: []string{twinplatform.ScopePlatform, twinplatform.ScopeWebhooksRead, twinplatform.ScopeWebhooksModify},
	}
}

func newWorld(tb testing.TB) *world {
	tb.Helper()
	return worldOver(tb, memory.New(), webhooks.Config{
		AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}, MaxPerTwin: 10_000, MaxPerAccount: 10_000,
	})
}

func worldOver(tb testing.TB, store storage.Store, hooks webhooks.Config) *world {
	tb.Helper()
	w := &world{tb: tb, store: bench.Over(store), ctx: twinplatform.WithPrincipal(tb.Context(), worker)}
	p, err := platform.New(w.store, platform.Config{Webhooks: hooks})
	w.must(err)
	tb.Cleanup(func() { w.must(p.Close()) })
	w.Platform = p
	w.twin = w.schedule(worker, "s", schedules.V65)
	w.schedule(other, "other", schedules.V10)
	return w
}

// schedule makes a schedule of its own twin, whose id it returns.
func (w *world) schedule(as twinplatform.Principal, id string, typ schedules.ScheduleType) (twinID string) {
	w.tb.Helper()
	ctx := twinplatform.WithPrincipal(w.tb.Context(), as)
	twin, err := w.Twins.CreateTwin(ctx, twins.NewTwin{Class: twins.Endeavor, DisplayName: id})
	w.must(err)
	_, err = w.Schedules.CreateSchedule(ctx, schedules.NewSchedule{ID: id, Name: id, TwinID: twin.Value().ID, Type: typ})
	w.must(err)
	return twin.Value().ID
}

func (w *world) must(err error) {
	w.tb.Helper()
	if err != nil {
		w.tb.Fatal(err)
	}
}

// measure does the work of a row during the work of the other user.
func (w *world) measure(r row, size int) bench.Waits {
	w.tb.Helper()
	work := r.prepare(w, size)
	otherCtx := twinplatform.WithPrincipal(w.tb.Context(), other)
	waits, err := w.store.WithWriter(w.ctx, func(_ context.Context, i int) error {
		_, err := w.Schedules.CreateTask(otherCtx, "other", task(fmt.Sprint("other-", i)))
		return err
	}, work)
	w.must(err)
	return waits
}

// task is an ordinary one.
func task(id string) schedules.NewTask {
	day := int32(86_400)
	return schedules.NewTask{
		ID: id, Name: "Pour the concrete of " + id, Type: schedules.Work, UserDefinedID: id,
		PlannedStart: twinplatform.At(time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)), PlannedDuration: &day,
	}
}
