package webhooks_test

import (
	"bufio"
	"context"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage/buntdb"
	"github.com/seed-933f9a09/twinplatform/webhooks"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// childArgument makes the test binary the process that is killed: it takes the
// file of the store, the receiver's URL, the file of its certificate, what to do
// and a prefix for the ids of its events.
const childArgument = "-webhooks-child"

// What a child does.
const (
	record        = "record"          // record events, deliver nothing
	recordDeliver = "record, deliver" // both at once
	drain         = "drain"           // deliver what is left, then end
)

// When a child is killed.
const (
	between  = "between change and delivery"
	during   = "in mid-delivery"
	after    = "after the answer"
	anywhere = "anywhere"
)

// perChild is how many events a child records.
const perChild = 40

// child prints the id of every event that is recorded, and "done" at its end.
func child(args []string) int {
	err := childRun(context.Background(), args[0], args[1], args[2], args[3], args[4])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func childRun(ctx context.Context, file, url, certificate, what, prefix string) error {
	store, err := buntdb.Open(file, buntdb.Options{})
	if err != nil {
		return err
	}
	defer store.Close()
	raw, err := os.ReadFile(certificate)
	if err != nil {
		return err
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(raw)
	svc := webhooks.New(store, webhooks.Config{
		RootCAs: pool, AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")},
		Schedule: []time.Duration{10 * time.Millisecond}, Pause: 10 * time.Millisecond, MaxPause: 10 * time.Millisecond,
		// A killed process is relieved soon.
		Timeout: 500 * time.Millisecond, Lease: time.Second,
	})
	if what == "prepare" {
		for i := range 3 {
			made, err := svc.CreateWebhook(ctx, webhooks.NewWebhook{
				CallbackURL: fmt.Sprint(url, "/", i), Scope: webhooks.TwinScope, ScopeID: twinID, EventTypes: webhooks.EventTypes(),
			})
			if err != nil {
				return err
			}
			if _, err := svc.UpdateWebhook(ctx, made.Value().ID, webhooks.WebhookPatch{Active: twinplatform.Set(true)}); err != nil {
				return err
			}
		}
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ran := make(chan error, 1)
	if what == record {
		ran <- nil
	} else {
		go func() { ran <- svc.Run(ctx) }()
	}
	for i := range perChild {
		if what == drain {
			break
		}
		id := fmt.Sprint(prefix, "-", i)
		_, err := svc.Publish(ctx, twinplatform.Event{
			ID: id, Type: string(event.TypeRealityConversionJobCompleted), TwinID: twinID, Content: []byte(`{"jobId":"job"}`),
		})
		if err != nil {
			return err
		}
		fmt.Println(id)
	}
	for what != record {
		b, err := svc.Backlog(ctx)
		if err != nil {
			return err
		}
		if b.Pending == 0 && b.Events == 0 {
			break
		}
		<-time.After(5 * time.Millisecond)
	}
	fmt.Println("done")
	if what != drain {
		select {} // until it is killed
	}
	cancel()
	return <-ran
}

// victim is a child and what it has printed.
type victim struct {
	cmd    *exec.Cmd
	mu     sync.Mutex
	acked  []string
	exited chan struct{}
	killed atomic.Bool
}

func startChild(t *testing.T, dir, url, what, prefix string, said func(v *victim, line string)) *victim {
	t.Helper()
	v := &victim{exited: make(chan struct{})}
	v.cmd = exec.Command(os.Args[0], childArgument, filepath.Join(dir, "store"), url, filepath.Join(dir, "ca.pem"), what, prefix)
	var stderr strings.Builder
	v.cmd.Stderr = &stderr
	out, err := v.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := v.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(v.exited)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			line := lines.Text()
			if line != "done" {
				v.mu.Lock()
				v.acked = append(v.acked, line)
				v.mu.Unlock()
			}
			if said != nil {
				said(v, line)
			}
		}
		// A child that starts after a kill may log what the kill cut off.
		if err := v.cmd.Wait(); err != nil && !v.killed.Load() {
			t.Errorf("child (%s): %v\n%s", what, err, stderr.String())
		}
	}()
	return v
}

func (v *victim) kill() {
	v.killed.Store(true)
	_ = v.cmd.Process.Kill() // SIGKILL
}

func TestEveryRecordedEventOutlivesKills(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("kills processes")
	}
	in := &inbox{}
	var mu sync.Mutex
	var inMid, answered func()
	set := func(d, a func()) {
		mu.Lock()
		defer mu.Unlock()
		inMid, answered = d, a
	}
	in.answer = func(_ int, _ received, w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		d, a := inMid, answered
		mu.Unlock()
		if d != nil {
			d()
		}
		w.WriteHeader(http.StatusOK)
		if f, ok := w.(http.Flusher); ok && a != nil {
			f.Flush()
			a()
		}
	}
	url, _ := tlsReceiver(t, in)
	dir := t.TempDir()
	certificate, _ := authority()
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate.Certificate[0]})
	if err := os.WriteFile(filepath.Join(dir, "ca.pem"), ca, 0o600); err != nil {
		t.Fatal(err)
	}
	<-startChild(t, dir, url, "prepare", "", nil).exited

	acked := make(map[string]bool)
	attempted := make(map[string]bool) // perhaps recorded, the process died before it printed that
	rounds := 4
	for round := range rounds {
		for _, name := range []string{between, during, after, anywhere} {
			prefix := strings.ReplaceAll(fmt.Sprint(name, " ", round), " ", "-")
			var v *victim
			ready := make(chan struct{})
			n := 5 + 7*round
			count := 0
			strike := func() {
				<-ready
				mu.Lock()
				count++
				hit := count == n
				mu.Unlock()
				if hit {
					v.kill()
				}
			}
			what := recordDeliver
			var said func(*victim, string)
			switch name {
			case between:
				what = record
				set(nil, nil)
				said = func(v *victim, line string) {
					if line == "done" {
						v.kill()
					}
				}
			case during:
				set(strike, nil)
			case after:
				set(nil, strike)
			default:
				set(nil, nil)
				said = func(v *victim, line string) {
					if strings.HasSuffix(line, fmt.Sprint("-", 3+9*round)) {
						v.kill()
					}
				}
			}
			v = startChild(t, dir, url, what, prefix, said)
			close(ready)
			select {
			case <-v.exited:
			case <-time.After(time.Minute):
				v.kill()
				t.Fatalf("%s: the process was not killed", prefix)
			}
			for i := range perChild {
				attempted[fmt.Sprint(prefix, "-", i)] = true
			}
			for _, id := range v.acked {
				acked[id] = true
			}
		}
	}
	set(nil, nil)
	<-startChild(t, dir, url, drain, "", nil).exited

	bodies := make(map[string]string) // by webhook and id
	arrived := make(map[string]map[string]bool)
	repeated := 0
	for _, r := range in.all() {
		key := r.WebhookID + r.MessageID
		if prev, ok := bodies[key]; ok {
			repeated++
			if prev != string(r.body) {
				t.Errorf("%s came with two bodies", r.MessageID)
			}
		}
		bodies[key] = string(r.body)
		if !attempted[r.MessageID] {
			t.Errorf("%s was invented", r.MessageID)
		}
		if arrived[r.WebhookID] == nil {
			arrived[r.WebhookID] = make(map[string]bool)
		}
		arrived[r.WebhookID][r.MessageID] = true
	}
	if len(arrived) != 3 {
		t.Fatalf("deliveries to %d webhooks, want 3", len(arrived))
	}
	for hook, ids := range arrived {
		for id := range acked {
			if !ids[id] {
				t.Errorf("%s never came to %s", id, hook)
			}
		}
	}
	if in.overlaps > 0 {
		t.Logf("%d attempts met one of a killed process", in.overlaps)
	}
	t.Logf("%d events recorded, %d requests, %d of them repetitions", len(acked), len(in.all()), repeated)
}
