package webhooks_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records/recordstest"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

var (
	storedSecret = strings.Repeat("stored secret ", 3)
	storedMoment = time.Date(2026, 1, 5, 9, 0, 0, 463_000_000, time.UTC)
)

func storedService(t *testing.T, store storage.Store, now time.Time, in *inbox) *webhooks.Service {
	t.Helper()
	key, err := webhooks.NewSealingKey(bytes.Repeat([]byte{7}, webhooks.SealingKeySize))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	return newService(store, webhooks.Config{
		Env: twinplatform.Env{
			Now:     func() time.Time { return now },
			NewID:   func() string { n++; return fmt.Sprint("id-", n) },
			NewGUID: func() string { n++; return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) },
		},
		SealingKey: key, Transport: inMemory{in}, Jitter: webhooks.Off, Lease: time.Minute,
	})
}

// fillStored leaves something in every state: a webhook with a replaced secret
// and deliveries that were made, refused and not attempted; an inactive one; a
// test event; and an event that was not taken up.
func fillStored(t *testing.T, store storage.Store) {
	t.Helper()
	in := &inbox{}
	in.answer = func(_ int, r received, w http.ResponseWriter, _ *http.Request) {
		if r.MessageID != "made" {
			w.WriteHeader(http.StatusTeapot)
		}
	}
	svc := storedService(t, store, storedMoment, in)
	ctx := t.Context()
	hook, _ := subscribe(t, ctx, svc, webhooks.NewWebhook{})
	create(t, ctx, svc, webhooks.NewWebhook{CallbackURL: "https://receiver.example.com/?a=<1>&b=2"})
	_, err := svc.UpdateWebhook(ctx, hook.ID, webhooks.WebhookPatch{Secret: twinplatform.Set(webhooks.NewSecret(storedSecret))})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"made", "refused 1", "refused 2", "refused 3", "refused 4", "waits"} {
		publish(t, ctx, svc, id)
	}
	if _, err := svc.Deliver(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := svc.SendTest(ctx, hook.ID, webhooks.TestEvent{}); err != nil {
		t.Fatal(err)
	}
	publish(t, ctx, svc, "not taken up")
}

// useStored reports what a later process finds in the store.
func useStored(t *testing.T, store storage.Store) []byte {
	t.Helper()
	in := &inbox{secret: storedSecret}
	svc := storedService(t, store, storedMoment.Add(time.Hour), in)
	ctx := t.Context()
	var out bytes.Buffer
	page, err := svc.Webhooks(ctx, webhooks.WebhookQuery{})
	if err != nil {
		t.Fatal(err)
	}
	show := func() {
		for w, err := range page.OnPage() {
			if err != nil {
				t.Fatal(err)
			}
			rec, err := svc.Webhook(ctx, w.ID)
			if err != nil {
				t.Fatal(err)
			}
			st, err := svc.Status(ctx, w.ID)
			if err != nil {
				t.Fatal(err)
			}
			if st.Barred {
				t.Errorf("%s is barred", w.ID)
			}
			fmt.Fprintf(&out, "%s %s\n{Pending:%d Dead:%d Failures:%d FailingSince:%v PausedUntil:%v Full:%v}\n", rec.ETag, rec.JSON,
				st.Pending, st.Dead, st.Failures, st.FailingSince.Time, st.PausedUntil.Time, st.Full)
			deliveries, err := svc.Deliveries(ctx, w.ID, webhooks.DeliveryQuery{})
			if err != nil {
				t.Fatal(err)
			}
			for _, wire := range deliveries.JSON() {
				fmt.Fprintf(&out, "%s\n", wire)
			}
		}
	}
	show()
	attempts, err := svc.Deliver(ctx)
	fmt.Fprintf(&out, "%d attempts, %v, %v\n", attempts, err, in.bad)
	for _, r := range in.all() {
		fmt.Fprintf(&out, "%s\n", r.body)
	}
	show()
	return out.Bytes()
}

var storedFormat = recordstest.Stored{
	World: fillStored,
	Read: func(t *testing.T, store storage.Store) []string {
		return strings.Split(string(useStored(t, store)), "\n")
	},
	Random: func(key string) bool { return strings.Contains(key, "/keyrings/") },
	Kinds:  webhooks.Kinds(),
}

func TestStoredFormatIsReadForEver(t *testing.T) {
	t.Parallel()
	storedFormat.ReadForEver(t, nil)
}

func TestStoredFormatIsWrittenAsBefore(t *testing.T) {
	t.Parallel()
	storedFormat.Written(t)
}
