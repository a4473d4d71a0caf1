package webhooks_test

import (
	"bytes"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

var update = flag.Bool("update", false, "rewrite the files of the stored format")

// stored is where the files of the first stored format are: what a store held,
// one quoted key and value per line, and what became of it.
const stored = "testdata/stored/v1"

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
		SealingKey: key, Transport: inMemory{in}, Jitter: webhooks.Off,
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
	if _, err := svc.SendTest(ctx, hook.ID); err != nil {
		t.Fatal(err)
	}
	publish(t, ctx, svc, "not taken up")
}

// useStored tells what a later process makes of the store.
func useStored(t *testing.T, store storage.Store) []byte {
	t.Helper()
	in := &inbox{secret: storedSecret}
	svc := storedService(t, store, storedMoment.Add(time.Hour), in)
	ctx := t.Context()
	var out bytes.Buffer
	page, err := svc.Webhooks(ctx)
	if err != nil {
		t.Fatal(err)
	}
	show := func() {
		for w, err := range page.All() {
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
			fmt.Fprintf(&out, "%s %s\n%+v\n", rec.ETag, rec.JSON, st)
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

func TestStoresOfEarlierVersionsAreUnderstood(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	if *update {
		store := memory.New()
		fillStored(t, store)
		var held bytes.Buffer
		err := store.View(ctx, func(r storage.Reader) error {
			for key, value := range r.Scan("", "") {
				fmt.Fprintf(&held, "%q %q\n", key, value)
			}
			return nil
		})
		if err == nil {
			err = os.MkdirAll(stored, 0o755)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(stored, "store.txt"), held.Bytes(), 0o644)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(stored, "used.txt"), useStored(t, store), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	held, err := os.ReadFile(filepath.Join(stored, "store.txt"))
	if err != nil {
		t.Fatal(err)
	}
	store := memory.New()
	err = store.Update(ctx, func(w storage.Writer) error {
		for line := range strings.Lines(string(held)) {
			var key, value string
			if _, err := fmt.Sscanf(line, "%q %q", &key, &value); err != nil {
				return fmt.Errorf("%s: %w", strconv.Quote(line), err)
			}
			if err := w.Put(key, []byte(value)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(filepath.Join(stored, "used.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(useStored(t, store))); diff != "" {
		t.Errorf("what becomes of a stored world (-want +got):\n%s", diff)
	}
}
