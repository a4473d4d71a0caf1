package webhooks_test

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// attempted makes one attempt at a callback URL and returns what is kept of it.
func attempted(t *testing.T, url string, cfg webhooks.Config) webhooks.Attempt {
	t.Helper()
	svc := newService(memory.New(), cfg)
	hook, _ := subscribe(t, t.Context(), svc, webhooks.NewWebhook{CallbackURL: url})
	publish(t, t.Context(), svc, "event")
	if _, err := svc.Deliver(t.Context()); err != nil {
		t.Fatal(err)
	}
	d := onlyDelivery(t, t.Context(), svc, hook.ID)
	if len(d.Attempts) != 1 {
		t.Fatalf("attempts %+v", d.Attempts)
	}
	return d.Attempts[0]
}

func onlyDelivery(t *testing.T, ctx context.Context, svc *webhooks.Service, webhookID string) webhooks.Delivery {
	t.Helper()
	page, err := svc.Deliveries(ctx, webhookID, webhooks.DeliveryQuery{})
	if err != nil {
		t.Fatal(err)
	}
	for d, err := range page.OnPage() {
		if err == nil && page.Len() == 1 {
			return d
		}
	}
	t.Fatalf("%d deliveries", page.Len())
	return webhooks.Delivery{}
}

func TestFailedAttemptHasItsCause(t *testing.T) {
	t.Parallel()
	quiet := log.New(io.Discard, "", 0)
	refusing := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }))
	refusing.Config.ErrorLog = quiet
	refusing.StartTLS()
	t.Cleanup(refusing.Close)
	local := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	trusting := webhooks.Config{AllowPrivate: local, Transport: refusing.Client().Transport}
	failing := func(err error) webhooks.Config {
		return webhooks.Config{Dial: func(context.Context, string, string) (net.Conn, error) {
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: err}
		}}
	}
	closing := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			_ = conn.Close()
		}
	}))
	t.Cleanup(closing.Close)
	hanging := webhooks.Config{Timeout: time.Millisecond, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	for _, c := range []struct {
		name, url string
		cfg       webhooks.Config
		want      webhooks.Cause
		outcome   webhooks.Outcome
	}{
		{"a status", refusing.URL, trusting, webhooks.StatusNotAccepted, webhooks.Rejected},
		{"a certificate that is not trusted", refusing.URL, webhooks.Config{AllowPrivate: local}, webhooks.TLSFailed, webhooks.Unanswered},
		{"a private address", callback, webhooks.Config{Resolver: resolverTo(t, "10.0.0.1")}, webhooks.AddressNotAllowed, webhooks.Blocked},
		{"no such name", callback, failing(&net.DNSError{Err: "no such host", IsNotFound: true}), webhooks.NameNotFound, webhooks.Unanswered},
		{"nothing listens", callback, failing(syscall.ECONNREFUSED), webhooks.ConnectionRefused, webhooks.Unanswered},
		{"no route", callback, failing(syscall.ENETUNREACH), webhooks.Unreachable, webhooks.Unanswered},
		{"no answer in time", callback, hanging, webhooks.TimedOut, webhooks.Unanswered},
		{"a closed connection", closing.URL, webhooks.Config{AllowPrivate: local, Transport: closing.Client().Transport}, webhooks.Disconnected, webhooks.Unanswered},
		{"anything else", callback, failing(syscall.EMFILE), webhooks.OtherCause, webhooks.Unanswered},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := attempted(t, c.url, c.cfg)
			if got.Cause != c.want || got.Outcome != c.outcome {
				t.Errorf("the attempt is %s for %s, want %s for %s", got.Outcome, got.Cause, c.outcome, c.want)
			}
		})
	}
}

// resolverTo resolves every name to one address.
func resolverTo(_ *testing.T, addr string) *net.Resolver {
	n := &names{asked: make(map[string]int), answers: map[string]func(int) string{
		"receiver.example.com": func(int) string { return addr },
	}}
	return n.resolver()
}

func TestBeginningOfAFailuresAnswerIsKeptForADay(t *testing.T) {
	t.Parallel()
	long := "the field 'twin' is missing \xff " + strings.Repeat("é", 2_000)
	in := &inbox{network: true}
	in.answer = func(n int, _ received, w http.ResponseWriter, _ *http.Request) {
		status := http.StatusUnprocessableEntity
		if n > 1 {
			status = http.StatusOK
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, long)
	}
	bubble(t, in, webhooks.Config{Jitter: webhooks.Off, Schedule: []time.Duration{10 * 24 * time.Hour}}, func(t *testing.T, ctx context.Context, svc *webhooks.Service, _ storage.Store) {
		hook, _ := subscribe(t, ctx, svc, webhooks.NewWebhook{})
		publish(t, ctx, svc, "event")
		time.Sleep(time.Minute)
		synctest.Wait()
		answer := onlyDelivery(t, ctx, svc, hook.ID).Attempts[0].Answer
		if !strings.HasPrefix(answer, "the field 'twin' is missing \uFFFD é") || len(answer) > 1_024 || len(answer) < 1_000 {
			t.Errorf("of the answer %d bytes are kept: %.60q", len(answer), answer)
		}
		time.Sleep(26 * time.Hour)
		synctest.Wait()
		if a := onlyDelivery(t, ctx, svc, hook.ID).Attempts[0]; a.Answer != "" || a.Cause != webhooks.StatusNotAccepted {
			t.Errorf("after a day the attempt is %+v", a)
		}
		time.Sleep(10 * 24 * time.Hour)
		synctest.Wait()
		if a := onlyDelivery(t, ctx, svc, hook.ID).Attempts; len(a) != 2 || a[1].Answer != "" || a[1].Cause != "" || a[1].Outcome != webhooks.Accepted {
			t.Errorf("the attempts are %+v", a)
		}
	})
}

func TestAnswersAreDiscardedWhereConfigured(t *testing.T) {
	t.Parallel()
	refusing := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "no", http.StatusBadRequest)
	}))
	t.Cleanup(refusing.Close)
	cfg := webhooks.Config{AllowPrivate: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Transport: refusing.Client().Transport}
	got := []string{attempted(t, refusing.URL, cfg).Answer}
	cfg.DiscardAnswers = true
	got = append(got, attempted(t, refusing.URL, cfg).Answer)
	if diff := cmp.Diff([]string{"no\n", ""}, got); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
}
