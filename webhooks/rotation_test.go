package webhooks_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/webhooks"
	"github.com/seed-933f9a09/twinplatform/webhooks/receiver"
)

func TestReplacedSecretSignsOnForADay(t *testing.T) {
	t.Parallel()
	in := &inbox{}
	bubble(t, in, webhooks.Config{}, func(t *testing.T, ctx context.Context, svc *webhooks.Service, _ storage.Store) {
		hook, old := subscribe(t, ctx, svc, webhooks.NewWebhook{})
		fresh := hush(strings.Repeat("a new secret ", 3), "a new secret")
		if _, err := svc.UpdateWebhook(ctx, hook.ID, webhooks.WebhookPatch{Secret: twinplatform.Set(webhooks.NewSecret(fresh))}); err != nil {
			t.Fatal(err)
		}
		check := func(withOld bool) {
			t.Helper()
			publish(t, ctx, svc, "")
			time.Sleep(time.Second)
			synctest.Wait()
			all := in.all()
			r := all[len(all)-1]
			if err := receiver.Verify(fresh, r.header, r.body); err != nil {
				t.Errorf("the new secret: %v", err)
			}
			if err := receiver.Verify(old, r.header, r.body); (err == nil) != withOld {
				t.Errorf("the old secret: %v", err)
			}
			if s := r.header.Get("Signature"); strings.Count(s, "=") != 1 || len(s) != len("sha256=")+64 {
				t.Errorf("the documented header holds %q", s)
			}
		}
		check(true)
		time.Sleep(23 * time.Hour)
		check(true)
		time.Sleep(2 * time.Hour)
		check(false)

		for i := range webhooks.MaxOldSecrets + 1 {
			s := hush(fmt.Sprint(strings.Repeat("another secret ", 3), i), "another secret")
			_, err := svc.UpdateWebhook(ctx, hook.ID, webhooks.WebhookPatch{Secret: twinplatform.Set(webhooks.NewSecret(s))})
			if (err == nil) != (i < webhooks.MaxOldSecrets) {
				t.Errorf("rotation %d: %v", i+1, err)
			}
		}
	})
}

func TestSecretsAreSealedAtRest(t *testing.T) {
	t.Parallel()
	store := memory.New()
	in := &inbox{}
	ctx := t.Context()
	key, err := webhooks.NewSealingKey(webhooks.GenerateSealingKey())
	if err != nil {
		t.Fatal(err)
	}
	holds := func(secret string) bool {
		found := false
		err := store.View(ctx, func(r storage.Reader) error {
			for _, v := range r.Scan("", "") {
				found = found || strings.Contains(string(v), secret)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	// One secret from before there was a key, one from after.
	plain := newService(store, webhooks.Config{Transport: inMemory{in}})
	_, before := subscribe(t, ctx, plain, webhooks.NewWebhook{})
	if !holds(before) {
		t.Error("without a key the secret should be readable")
	}
	sealed := newService(store, webhooks.Config{Transport: inMemory{in}, SealingKey: key})
	hook, after := subscribe(t, ctx, sealed, webhooks.NewWebhook{})
	if holds(after) {
		t.Error("the store holds a secret in the clear")
	}
	bubbleOn(t, in, webhooks.Config{SealingKey: key}, store, func(*testing.T, context.Context, *webhooks.Service) {
		synctest.Wait()
	})
	if holds(before) {
		t.Error("the secret of before there was a key is still in the clear")
	}

	// Without the key, or with another one, the process cannot sign: nothing is sent or
	// lost.
	publish(t, ctx, plain, "event")
	other, _ := webhooks.NewSealingKey(webhooks.GenerateSealingKey())
	for _, svc := range []*webhooks.Service{plain, newService(store, webhooks.Config{Transport: inMemory{in}, SealingKey: other})} {
		if n, err := svc.Deliver(ctx); n != 0 || err != nil {
			t.Errorf("%d attempts without the key, %v", n, err)
		}
	}
	later := newService(store, webhooks.Config{
		Transport: inMemory{in}, SealingKey: key,
		Env: twinplatform.Env{Now: func() time.Time { return time.Now().Add(time.Hour) }},
	})
	in.answer = func(_ int, r received, _ http.ResponseWriter, _ *http.Request) {
		secret := before
		if r.WebhookID == hook.ID {
			secret = after
		}
		if err := receiver.Verify(secret, r.header, r.body); err != nil {
			t.Error(err)
		}
	}
	if n, err := later.Deliver(ctx); n != 2 || err != nil {
		t.Errorf("%d attempts with the key, %v", n, err)
	}
}
