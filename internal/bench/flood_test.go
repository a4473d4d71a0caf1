package bench_test

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/twins"
)

var floodTime = flag.Duration("flood", 5*time.Minute, "how long BenchmarkFloodByOneAccount floods, unless it is -short")

const (
	floodAccountBytes = 64 << 20
	floodRate         = 5_000 // requests a minute, that of the server
)

// floodTokens are of the one who floods, and of the other who works at the same time.
var floodTokens = map[string]twinplatform.Principal{
	"flooding": floodingUser("flooding", "11111111-1111-4111-8111-111111111111"),
	"working":  floodingUser("working", "22222222-2222-4222-8222-222222222222"),
}

func floodingUser(id, account string) twinplatform.Principal {
	return twinplatform.Principal{
		ID: id, AccountID: account, Kind: twinplatform.User, Scopes: []string{"twin-platform"},
		AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator},
	}
}

// BenchmarkFloodByOneAccount has one account send batches, clones and analyses from four
// connections as fast as it is let, for five minutes, and another one make a task every ten
// milliseconds, over a store in a file. times is how much longer one in a hundred of those takes than without the
// first one: 3 at most is wanted; memory how much the heap grows by, as a share of what the
// account may have.
//
//	go test -run '^$' -bench FloodByOneAccount -benchtime 1x ./internal/bench
func BenchmarkFloodByOneAccount(b *testing.B) {
	d := *floodTime
	if testing.Short() {
		d = time.Second
	}
	for b.Loop() {
		f := newFlood(b)
		alone := f.p99(b, min(d, 30*time.Second))
		before := heap()
		ctx, stop := context.WithCancel(b.Context())
		var flooding sync.WaitGroup
		var sent [4]map[int]int
		for i := range sent {
			flooding.Go(func() { sent[i] = f.send(ctx, i) })
		}
		loaded := f.p99(b, d)
		stop()
		flooding.Wait()
		taken := heap() - before
		statuses := make(map[int]int)
		for _, s := range sent {
			for status, n := range s {
				statuses[status] += n
			}
		}
		b.Logf("answers to the flood: %v; it has %d bytes of %d", statuses, f.p.BytesOf(floodTokens["flooding"].AccountID), floodAccountBytes)
		b.ReportMetric(float64(alone.Microseconds())/1000, "alone-p99-ms")
		b.ReportMetric(float64(loaded.Microseconds())/1000, "other-p99-ms")
		b.ReportMetric(float64(loaded)/float64(alone), "times")
		b.ReportMetric(float64(taken)/floodAccountBytes, "memory")
		b.ReportMetric(0, "ns/op")
	}
}

// flood is a server with a plan of each of the two accounts.
type flood struct {
	p     *platform.Platform
	h     http.Handler
	plans map[string]string // by token
}

func newFlood(b *testing.B) *flood {
	b.Helper()
	store, err := buntdb.Open(filepath.Join(b.TempDir(), "flood.db"), buntdb.Options{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	p, err := platform.New(store, platform.Config{Budget: platform.Budget{Account: floodAccountBytes}})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = p.Close() })
	h, err := httpapi.New(httpapi.Config{
		Authenticator: httpapi.StaticTokens(floodTokens), Rate: floodRate,
		Schedules: p.Schedules, Twins: p.Twins,
	})
	if err != nil {
		b.Fatal(err)
	}
	f := &flood{p: p, h: h, plans: make(map[string]string)}
	for token, who := range floodTokens {
		ctx := twinplatform.WithPrincipal(b.Context(), who)
		account, err := p.Twins.PrimaryAccount(ctx)
		if err != nil {
			b.Fatal(err)
		}
		twin, err := p.Twins.CreateTwin(ctx, twins.NewTwin{Class: twins.Endeavor, DisplayName: "Tower of " + token, ParentID: account.Value.ID})
		if err != nil {
			b.Fatal(err)
		}
		plan, err := p.Schedules.CreateSchedule(ctx, schedules.NewSchedule{Name: "Plan of " + token, TwinID: twin.Value().ID})
		if err != nil {
			b.Fatal(err)
		}
		f.plans[token] = plan.Value().ID
	}
	return f
}

func (f *flood) ask(ctx context.Context, token, method, path, body string) int {
	r := httptest.NewRequestWithContext(ctx, method, "/schedules/"+f.plans[token]+path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+token)
	w := httptest.NewRecorder()
	f.h.ServeHTTP(w, r)
	return w.Code
}

// p99 is how long one in a hundred tasks takes to be made, of one every ten milliseconds.
func (f *flood) p99(b *testing.B, d time.Duration) time.Duration {
	b.Helper()
	var took []time.Duration
	each := time.NewTicker(max(10*time.Millisecond, time.Minute/floodRate))
	defer each.Stop()
	for began := time.Now(); time.Since(began) < d; <-each.C {
		at := time.Now()
		if status := f.ask(b.Context(), "working", "POST", "/tasks", fmt.Sprintf(`{"name":"Task %d","type":"Work"}`, len(took))); status >= 400 {
			b.Fatalf("who works on is answered %d", status)
		}
		took = append(took, time.Since(at))
	}
	slices.Sort(took)
	return took[len(took)*99/100]
}

// send is what one connection of the flood sends until ctx is done: mostly batches. It
// returns how often it was answered with which status.
func (f *flood) send(ctx context.Context, conn int) map[int]int {
	statuses := make(map[int]int)
	var tasks strings.Builder
	for n := range 1_000 {
		fmt.Fprintf(&tasks, `,{"name":"Task %d by %d %s","type":"Work"}`, n, conn, strings.Repeat("x", 700))
	}
	batch := `{"batch":[` + tasks.String()[1:] + `]}` // made once: the client shares the machine
	for i := 0; ctx.Err() == nil; i++ {
		var status int
		switch i % 20 {
		case 18:
			status = f.ask(ctx, "flooding", "POST", "/clone", `{"name":"Copy"}`)
		case 19:
			status = f.ask(ctx, "flooding", "GET", "/tasks/critical-path", "")
		default:
			status = f.ask(ctx, "flooding", "POST", "/tasks/batch", batch)
		}
		statuses[status]++
		if status == http.StatusTooManyRequests {
			select { // as a client of four that pays no heed to Retry-After
			case <-ctx.Done():
			case <-time.After(10 * time.Millisecond):
			}
		}
	}
	return statuses
}
