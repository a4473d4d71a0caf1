package admin_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/admin"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/twins"
)

func ask(h http.Handler, method, path, secret string, body []byte) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, bytes.NewReader(body))
	r.Host = "127.0.0.1:4791"
	if secret != "" {
		r.Header.Set("Authorization", "Bearer "+secret)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func opened(t testing.TB, store storage.Store) *platform.Platform {
	t.Helper()
	p, err := platform.New(store, platform.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// grammar is a line of the text format.
var grammar = regexp.MustCompile(`^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="(\\.|[^"\\])*"(,[a-z]+="(\\.|[^"\\])*")*\})? (\+Inf|-?[0-9.e+-]+))$`)

func TestMetricsAreWellFormed(t *testing.T) {
	t.Parallel()
	store := memory.New()
	p := opened(t, store)
	requests := admin.NewRequests()
	for _, id := range []string{"tasks.list", "/etc/passwd?x=1", ""} {
		for status := range 600 {
			requests.Observe(t.Context(), httpapi.Observation{Operation: id, Status: status, Duration: time.Duration(status) * time.Millisecond})
		}
	}
	h := admin.New(admin.Config{Requests: requests, Store: store, Platform: p, Version: admin.Version{Version: "a\"b\\c\nd"}})
	w := ask(h, "GET", "/metrics", "", nil)
	if w.Code != http.StatusOK || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain; version=0.0.4") {
		t.Fatalf("%d %s", w.Code, w.Header())
	}
	text := w.Body.String()
	described, types := make(map[string]bool), make(map[string]string)
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if !grammar.MatchString(line) {
			t.Errorf("%q is no line of the format", line)
		}
		if words := strings.Fields(line); words[0] == "#" {
			if words[1] == "TYPE" {
				types[words[2]] = words[3]
			} else if described[words[2]] {
				t.Errorf("%s is there twice", words[2])
			} else {
				described[words[2]] = true
			}
			continue
		}
		name := regexp.MustCompile(`^[a-z_]+`).FindString(line)
		base := name
		for _, suffix := range []string{"_bucket", "_sum", "_count"} {
			if types[strings.TrimSuffix(name, suffix)] != "" {
				base = strings.TrimSuffix(name, suffix)
			}
		}
		if types[base] == "" || !described[base] {
			t.Errorf("%s is missing", name)
		}
		if (types[base] == "counter") != strings.HasSuffix(name, "_total") && types[base] == "counter" {
			t.Errorf("the counter %s does not end in _total", name)
		}
	}
	// Whatever clients send, there is one series for what is for no operation.
	if n := strings.Count(text, "twinplatform_http_requests_total{"); n > 2*22 || strings.Contains(text, "passwd") {
		t.Errorf("there are %d series of requests", n)
	}
	if !strings.Contains(text, `twinplatform_http_request_duration_seconds_bucket{operation="tasks.list",le="0.1"} 101`+"\n") {
		t.Error("a request that took as long as the bound of a bucket is not in it")
	}
}

func TestMetricsHaveWhatWaits(t *testing.T) {
	t.Parallel()
	store := memory.New()
	p, err := platform.New(store, platform.Config{Env: twinplatform.Env{Background: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	ctx := t.Context()
	twin, err := p.Twins.CreateTwin(ctx, twins.NewTwin{Class: "Thing", DisplayName: "Bridge"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Schedules.CreateSchedule(ctx, schedules.NewSchedule{ID: "s", Name: "Plan", TwinID: twin.Value().ID}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Schedules.CreateTask(ctx, "s", schedules.NewTask{Name: "Dig", Type: schedules.Work}); err != nil {
		t.Fatal(err)
	}
	stats, err := p.Stats(ctx)
	if err != nil {
		t.Fatal(err)
	}
	waits := stats.Operations[twinplatform.OperationNotStarted]
	if waits == 0 || stats.OldestOperation.IsZero() || p.Running() {
		t.Errorf("%d operations wait since %v, running %v", waits, stats.OldestOperation, p.Running())
	}
	text := ask(admin.New(admin.Config{Store: store, Platform: p}), "GET", "/metrics", "", nil).Body.String()
	for _, want := range []string{fmt.Sprintf(`twinplatform_operations{status="NotStarted"} %d`, waits), "twinplatform_running 0", `twinplatform_records{area="twins",collection="twins"} 1`} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("the metrics do not say %s", want)
		}
	}
}

func TestMetricsHaveABudgetOnlyWhereOneIsKept(t *testing.T) {
	t.Parallel()
	store := memory.New()
	p, err := platform.New(store, platform.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	handler := admin.New(admin.Config{Store: store, Platform: p})
	if text := ask(handler, "GET", "/metrics", "", nil).Body.String(); strings.Contains(text, "twinplatform_budget_") {
		t.Error("the metrics have a budget where there is none")
	}
	p.SetBudget(platform.Budget{Account: 1000, Store: 5000})
	if _, err := p.Twins.CreateTwin(t.Context(), twins.NewTwin{Class: "Thing", DisplayName: "Bridge"}); err != nil {
		t.Fatal(err)
	}
	text := ask(handler, "GET", "/metrics", "", nil).Body.String()
	for _, want := range []string{
		fmt.Sprintf("twinplatform_budget_used_bytes %d", p.Budget().Used), "twinplatform_budget_store_bytes 5000",
		"twinplatform_budget_account_bytes 1000", "twinplatform_budget_accounts 0", "twinplatform_budget_fullest_account_bytes 0",
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("the metrics do not say %s", want)
		}
	}
}

func TestBackupAndRestoreNeedTheSecret(t *testing.T) {
	t.Parallel()
	store := memory.New()
	put := func(value string) {
		if err := store.Update(t.Context(), func(w storage.Writer) error { return w.Put("key", []byte(value)) }); err != nil {
			t.Fatal(err)
		}
	}
	put("before")
	restored := 0
	h := admin.New(admin.Config{Store: store, Secret: "s3cret", Restored: func(context.Context) error { restored++; return nil }})
	for _, secret := range []string{"", "s3cre", "s3cret2"} {
		if w := ask(h, "GET", "/backup", secret, nil); w.Code != http.StatusUnauthorized {
			t.Errorf("with %q: %d", secret, w.Code)
		}
	}
	if w := ask(admin.New(admin.Config{Store: store}), "GET", "/backup", "", nil); w.Code != http.StatusUnauthorized {
		t.Errorf("without a secret to know: %d", w.Code)
	}
	backup := ask(h, "GET", "/backup", "s3cret", nil).Body.Bytes()
	put("after")
	if w := ask(h, "POST", "/restore", "s3cret", backup[:len(backup)-1]); w.Code != http.StatusBadRequest || restored != 0 {
		t.Errorf("a part of a backup: %d %s", w.Code, w.Body)
	}
	later := laterBackup(t)
	if w := ask(h, "POST", "/restore", "s3cret", later); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "v9.8.7 or a later one") || restored != 0 {
		t.Errorf("a backup of a later version: %d %s", w.Code, w.Body)
	}
	if w := ask(h, "POST", "/restore", "s3cret", backup); w.Code != http.StatusOK || restored != 1 {
		t.Errorf("the backup: %d %s", w.Code, w.Body)
	}
	err := store.View(t.Context(), func(r storage.Reader) error {
		value, err := r.Get("key")
		if string(value) != "before" {
			t.Errorf("the store holds %q", value)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// However many ask, the checks are made once a second, and one that hangs makes nothing
// pile up.
func TestReadinessIsCheckedSeldom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var checks atomic.Int64
		failing := errors.New("it is down")
		var now atomic.Pointer[error]
		p := admin.NewProbes(admin.Version{}, nil, admin.Check{Name: "store", Holds: func(ctx context.Context) error {
			checks.Add(1)
			if err := now.Load(); err != nil {
				return *err
			}
			return nil
		}})
		h := p.Wrap(http.NotFoundHandler())
		for range 100 {
			if w := ask(h, "GET", "/readyz", "", nil); w.Code != http.StatusOK {
				t.Fatalf("%d %s", w.Code, w.Body)
			}
		}
		if n := checks.Load(); n != 1 {
			t.Errorf("%d checks for 100 requests", n)
		}
		now.Store(&failing)
		time.Sleep(admin.CheckEvery)
		w := ask(h, "GET", "/readyz", "", nil)
		if w.Code != http.StatusServiceUnavailable || strings.Contains(w.Body.String(), "down") || !strings.Contains(w.Body.String(), `"store":"failed"`) {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
}

func TestReadinessOfAStoreThatHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := memory.New()
		leave := make(chan struct{})
		go store.Update(t.Context(), func(storage.Writer) error { <-leave; return nil })
		synctest.Wait()
		h := admin.NewProbes(admin.Version{}, nil, admin.Check{Name: "store", Holds: admin.Writable(store)}).Wrap(http.NotFoundHandler())
		began := time.Now()
		if w := ask(h, "GET", "/readyz", "", nil); w.Code != http.StatusServiceUnavailable || time.Since(began) > 2*admin.CheckTimeout {
			t.Errorf("%d after %v", w.Code, time.Since(began))
		}
		close(leave)
		time.Sleep(admin.CheckEvery)
		if w := ask(h, "GET", "/readyz", "", nil); w.Code != http.StatusOK {
			t.Errorf("%d %s", w.Code, w.Body)
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if w := ask(h, "GET", "/readyz", "", nil); w.Code != http.StatusServiceUnavailable {
			t.Errorf("of a store that is closed: %d", w.Code)
		}
	})
}

// distant is a store behind a network, of which journeys break.
type distant struct {
	storage.Store
	broken *atomic.Int64
	writes *atomic.Int64
}

func (d distant) Stats() storage.Stats {
	return storage.Stats{Remote: &storage.RemoteStats{Broken: d.broken.Load()}}
}

func (d distant) Update(ctx context.Context, fn func(storage.Writer) error) error {
	d.writes.Add(1)
	return d.Store.Update(ctx, fn)
}

func TestReadinessLooksAgainAsSoonAsAJourneyToTheStoreHasBroken(t *testing.T) {
	t.Parallel()
	store := distant{memory.New(), new(atomic.Int64), new(atomic.Int64)}
	holds := admin.Writable(store)
	for i, want := range []int64{1, 1, 2, 2} {
		if i == 2 {
			store.broken.Add(1)
		}
		if err := holds(t.Context()); err != nil || store.writes.Load() != want {
			t.Errorf("look %d: %v, and %d writes, want %d", i, err, store.writes.Load(), want)
		}
	}
}

// laterBackup is one of a store that a later version has written to.
func laterBackup(t *testing.T) []byte {
	t.Helper()
	store := memory.New()
	defer store.Close()
	err := store.Update(t.Context(), func(w storage.Writer) error {
		return w.Put("stored/format", fmt.Appendf(nil, `{"format":%d,"version":"v9.8.7"}`, platform.StoredFormat+1))
	})
	var b bytes.Buffer
	if err = errors.Join(err, storage.Backup(t.Context(), store, &b)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A page of a host name that was made to resolve to this machine is answered nothing, on
// any path but those of the probes.
func TestOnlyKnownHostsAreAnswered(t *testing.T) {
	t.Parallel()
	store := memory.New()
	h := admin.New(admin.Config{
		Requests: admin.NewRequests(), Store: store, Platform: opened(t, store), Secret: "secret", Hosts: []string{"Metrics.internal"},
		Probes: admin.NewProbes(admin.Version{}, nil),
	})
	status := func(host, method, path string) int {
		r := httptest.NewRequest(method, path, http.NoBody)
		r.Host = host
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code
	}
	for host, known := range map[string]bool{
		"127.0.0.1:4791": true, "10.1.2.3": true, "[::1]:4791": true, "[fe80::1%25eth0]:4791": true, "localhost:4791": true, "LOCALHOST.": true, "a.localhost:1": true,
		"metrics.internal:4791": true, "METRICS.INTERNAL.": true, "": true,
		"evil.example:4791": false, "evil.example": false, "127.0.0.1.evil.example": false, "localhost.evil.example:4791": false,
		"xmetrics.internal": false, "127.0.0.1@evil.example": false, "2130706433": false, "0x7f000001": false,
	} {
		for _, route := range []string{"GET /metrics", "GET /backup", "POST /restore", "GET /debug/pprof/", "GET /"} {
			method, path, _ := strings.Cut(route, " ")
			if got := status(host, method, path); (got != http.StatusMisdirectedRequest) != known {
				t.Errorf("%s at host %q answers %d", route, host, got)
			}
		}
		if got := status(host, "GET", "/healthz"); got != http.StatusOK {
			t.Errorf("the probe at host %q answers %d", host, got)
		}
	}
}
