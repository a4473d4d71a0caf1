package admin

import (
	"cmp"
	"context"
	"log/slog"
	"maps"
	"net/http"
	"runtime"
	"runtime/metrics"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// metrics answers with all metrics.
func (a *admin) metrics(w http.ResponseWriter, r *http.Request) {
	t := &text{b: make([]byte, 0, 64<<10)}
	a.build(t)
	if a.Requests != nil {
		a.Requests.write(t)
	}
	if stats, ok := storage.StatsOf(a.Store); ok && a.Store != nil {
		writeStore(t, stats)
	}
	if a.Platform != nil {
		a.platform(r.Context(), t)
	}
	runtimeMetrics(t)
	w.Header().Set("Content-Type", textType)
	w.Header().Set("Content-Length", strconv.Itoa(len(t.b)))
	_, _ = w.Write(t.b)
}

func (a *admin) build(t *text) {
	t.family(prefix+"build_info", "gauge", "1, with the version of the program as labels.")
	t.sample(prefix+"build_info", 1, label{"version", a.Version.Version}, label{"revision", a.Version.Revision},
		label{"goversion", cmp.Or(a.Version.Go, runtime.Version())})
	t.one("process_start_time_seconds", "gauge", "When the process began to serve, in seconds since 1970.",
		float64(a.began.UnixMilli())/1000)
}

func writeStore(t *text, s storage.Stats) {
	const store = prefix + "store_"
	t.one(store+"commits_total", "counter", "Transactions that have changed something.", float64(s.Commits))
	if s.Remote != nil {
		writeRemote(t, store, s.Remote)
		return
	}
	t.family(store+"flush_duration_seconds", "summary", "Time of making what was written safe from a loss of power.")
	t.sample(store+"flush_duration_seconds_sum", s.Flushing.Seconds())
	t.sample(store+"flush_duration_seconds_count", float64(s.Flushes))
	t.one(store+"keys", "gauge", "Keys in the store.", float64(s.Keys))
	t.one(store+"live_bytes", "gauge", "Length of the keys and values in the store.", float64(s.LiveBytes))
	t.one(store+"file_bytes", "gauge", "Length of the store's file, with what was deleted since it was compacted.",
		float64(s.FileBytes))
	t.family(store+"compactions_total", "counter", "Compactions of the store's file, by result.")
	t.sample(store+"compactions_total", float64(s.Compactions), label{"result", "success"})
	t.sample(store+"compactions_total", float64(s.FailedCompactions), label{"result", "failure"})
	t.one(store+"failed", "gauge", "1 when no write will succeed until the store is reopened.", truth(s.Failure != nil))
	t.one(store+"disk_full", "gauge", "1 when the disk was full at the last write.", truth(s.Full))
}

// writeRemote writes what is known of a store behind a network.
func writeRemote(t *text, store string, s *storage.RemoteStats) {
	t.one(store+"broken_journeys_total", "counter", "Round trips to the store that failed or timed out.",
		float64(s.Broken))
	t.one(store+"retries_total", "counter", "Transactions that ran again after a conflict with another.",
		float64(s.Retries))
	t.one(store+"unknown_outcomes_total", "counter", "Changes of which it is not known whether they were made.",
		float64(s.Unknown))
	t.one(store+"ended_sessions_total", "counter",
		"Sessions of stalled processes that were ended because they blocked writers.", float64(s.Ended))
	t.family(store+"wait_duration_seconds", "summary",
		"Time for which changes waited for others of the same schedule or account in this process.")
	t.sample(store+"wait_duration_seconds_sum", s.Waited.Seconds())
	t.sample(store+"wait_duration_seconds_count", float64(s.Waits))
	t.one(store+"combined_total", "counter",
		"Changes that were committed together with others of the same schedule or account.", float64(s.Combined))
	t.family(store+"replica_reads_total", "counter",
		"Reads that were asked of the replica, by who answered: the replica, or the database where it was behind.")
	t.sample(store+"replica_reads_total", float64(s.ReplicaViews), label{"by", "replica"})
	t.sample(store+"replica_reads_total", float64(s.ReplicaPassed), label{"by", "database"})
	t.one(store+"connections", "gauge", "Connections to the store.", float64(s.Connections))
	t.one(store+"connections_in_use", "gauge", "Connections that transactions hold.", float64(s.InUse))
	t.one(store+"connections_max", "gauge",
		"Connections that there may be: those of the pool, and as many again while all of these wait.",
		float64(s.MostConnections))
}

func (a *admin) platform(ctx context.Context, t *text) {
	t.one(prefix+"running", "gauge", "1 while operations are worked off and events delivered.",
		truth(a.Platform.Running()))
	writeBudget(t, a.Platform.Budget())
	attempts := a.Platform.Webhooks.Attempts()
	t.family(prefix+"webhook_attempts_total", "counter", "Attempts to deliver an event, by result.")
	for _, outcome := range slices.Sorted(maps.Keys(attempts)) {
		t.sample(prefix+"webhook_attempts_total", float64(attempts[outcome]), label{"result", string(outcome)})
	}
	c, ok := a.census.take(ctx, a.Log)
	if !ok {
		return
	}
	now := time.Now()
	t.family(prefix+"operations", "gauge", "Operations that can be asked for, by status.")
	for _, status := range []twinplatform.OperationStatus{
		twinplatform.OperationNotStarted,
		twinplatform.OperationRunning, twinplatform.OperationSucceeded, twinplatform.OperationFailed,
	} {
		t.sample(prefix+"operations", float64(c.Operations[status]), label{"status", string(status)})
	}
	t.one(prefix+"operations_oldest_age_seconds", "gauge",
		"Age of the oldest operation that has not ended; 0 when all have.", age(now, c.OldestOperation))
	t.family(prefix+"webhook_deliveries", "gauge", "Deliveries that are kept, by state.")
	for _, state := range []webhooks.DeliveryState{webhooks.Pending, webhooks.Delivered, webhooks.Dead} {
		t.sample(prefix+"webhook_deliveries", float64(c.Deliveries[string(state)]), label{"state", string(state)})
	}
	t.one(prefix+"webhook_backlog_events", "gauge", "Events that the delivery has not taken up.", float64(c.Events))
	t.one(prefix+"webhook_backlog_oldest_age_seconds", "gauge",
		"Age of the oldest event that is not delivered to all of its webhooks; 0 when there is none.", age(now,
			c.OldestDelivery))
	t.family(prefix+"records", "gauge", "Records that are not deleted, by area and collection.")
	kinds := slices.SortedFunc(maps.Keys(c.Records), func(a, b platform.Collection) int {
		return cmp.Or(cmp.Compare(a.Area, b.Area), cmp.Compare(a.Name, b.Name))
	})
	for _, k := range kinds {
		t.sample(prefix+"records", float64(c.Records[k]), label{"area", k.Area}, label{"collection", k.Name})
	}
	t.one(prefix+"census_age_seconds", "gauge", "Age of the counts of records, operations, deliveries and events.",
		age(now, c.at))
	t.one(prefix+"census_duration_seconds", "gauge", "Time that counting them took.", c.took.Seconds())
}

// writeBudget writes what is used of a budget where it is counted. No account is named:
// the number of series is bounded.
func writeBudget(t *text, b platform.BudgetUse) {
	if !b.Counted {
		return
	}
	const budget = prefix + "budget_"
	t.one(budget+"used_bytes", "gauge", "Length of the keys and values in the store.", float64(b.Used))
	t.one(budget+"store_bytes", "gauge", "How long they may be; 0 is any length.", float64(b.Store))
	t.one(budget+"account_bytes", "gauge", "How long those of an account may be; 0 is any length.",
		float64(b.Budget.Account))
	t.one(budget+"accounts", "gauge", "Accounts that have any.", float64(b.Accounts))
	t.one(budget+"fullest_account_bytes", "gauge", "Length of those of the account that has most.", float64(b.Fullest))
}

func age(now, since time.Time) float64 {
	if since.IsZero() {
		return 0
	}
	return max(0, now.Sub(since).Seconds())
}

// census counts what the platform holds, as seldom as it is long: that takes at most one
// hundredth of one processor's time.
type census struct {
	platform *platform.Platform

	mu   sync.Mutex
	last counted
}

type counted struct {
	platform.Stats

	at   time.Time
	took time.Duration
}

// share is how much of the time counting may take, as one part of so many.
const share = 100

// take counts what is stored, unless it is too soon: then it returns the last numbers.
// Counting takes at most a hundredth of the time, see share. Concurrent callers wait for
// one count.
func (c *census) take(ctx context.Context, log *slog.Logger) (counted, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.last.at.IsZero() && time.Since(c.last.at) < share*c.last.took {
		return c.last, true
	}
	began := time.Now()
	stats, err := c.platform.Stats(ctx)
	if err != nil {
		log.WarnContext(ctx, "the records of the store could not be counted", "error", err)
		return c.last, !c.last.at.IsZero()
	}
	now := time.Now()
	c.last = counted{stats, now, now.Sub(began)}
	return c.last, true
}

// runtimeMetrics writes the metrics of the Go runtime under the names by which dashboards
// of Go programs know them.
func runtimeMetrics(t *text) {
	samples := []metrics.Sample{
		{Name: "/sched/goroutines:goroutines"},
		{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/total:bytes"},
		{Name: "/gc/cycles/total:gc-cycles"},
		{Name: "/cpu/classes/user:cpu-seconds"},
	}
	metrics.Read(samples)
	for i, m := range []struct{ name, kind, help string }{
		{"go_goroutines", "gauge", "Goroutines that exist."},
		{"go_memstats_heap_alloc_bytes", "gauge", "Bytes of objects on the heap."},
		{"go_memstats_sys_bytes", "gauge", "Bytes of memory obtained from the system."},
		{"go_gc_cycles_total", "counter", "Garbage collections."},
		{"go_cpu_classes_user_cpu_seconds_total", "counter", "Estimated time of processors in the program's own code."},
	} {
		v := 0.0
		switch value := samples[i].Value; value.Kind() {
		case metrics.KindUint64:
			v = float64(value.Uint64())
		case metrics.KindFloat64:
			v = value.Float64()
		}
		t.one(m.name, m.kind, m.help, v)
	}
}
