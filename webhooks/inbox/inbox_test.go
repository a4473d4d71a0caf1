package inbox_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/webhooks/inbox"
	"github.com/seed-933f9a09/twinplatform/webhooks/receiver"
)

const secret = "a secret of at least thirty-two characters"

var maker = twinplatform.Principal{ID: "m", AccountID: "a", Issuer: "https://issuer.example"}

// clock is one that tests move.
type clock struct{ now time.Time }

func open() (*inbox.Inbox, *clock) {
	c := &clock{time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)}
	return inbox.New(inbox.Config{Now: func() time.Time { return c.now }}), c
}

// send delivers a body to a webhook, signed with a secret where there is one, and returns the status of the answer.
func send(t *testing.T, b *inbox.Inbox, webhook, key, body string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://"+inbox.Host+"/x", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if key != "" {
		receiver.Sign(r.Header, "id", time.Now(), []byte(body), key)
	}
	res, err := b.For(webhook, maker).RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	return res.StatusCode
}

// bodies are those of the deliveries that are kept.
func bodies(b *inbox.Inbox, webhook string, caller twinplatform.Principal) (all []string) {
	for _, d := range b.Received(webhook, caller) {
		all = append(all, string(d.Body))
	}
	return all
}

func TestTheMakerOfAWebhookAloneSeesWhatItReceived(t *testing.T) {
	t.Parallel()
	b, _ := open()
	send(t, b, "w", secret, "1")
	send(t, b, "w", secret, "2")
	if diff := cmp.Diff([]string{"2", "1"}, bodies(b, "w", maker)); diff != "" {
		t.Errorf("received (-want +got):\n%s", diff)
	}
	for name, other := range map[string]twinplatform.Principal{
		"no caller":      {},
		"another id":     {ID: "n", AccountID: "a", Issuer: maker.Issuer},
		"another issuer": {ID: "m", AccountID: "a"},
		"another one of the same id in another account": {ID: "m", AccountID: "b", Issuer: maker.Issuer},
	} {
		if got := bodies(b, "w", other); len(got) > 0 {
			t.Errorf("%s sees %q", name, got)
		}
	}
	// A box that the system's own webhook filled is for no caller.
	r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://"+inbox.Host, strings.NewReader("3"))
	res, err := b.For("system", twinplatform.Principal{}).RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if got := bodies(b, "system", twinplatform.Principal{}); len(got) > 0 {
		t.Errorf("a caller without an id sees %q", got)
	}
}

func TestSignaturesAreCheckedOnceTheSecretIsKnown(t *testing.T) {
	t.Parallel()
	b, _ := open()
	send(t, b, "w", secret, "before")
	found := func() (all []error) {
		for _, d := range b.Received("w", maker) {
			all = append(all, d.Err)
		}
		return all
	}
	if diff := cmp.Diff([]error{inbox.ErrUnchecked}, found(), cmpopts.EquateErrors()); diff != "" {
		t.Errorf("without the secret (-want +got):\n%s", diff)
	}
	b.Trust("w", maker, secret)
	send(t, b, "w", "another secret of thirty-two characters", "other")
	if diff := cmp.Diff([]error{receiver.ErrSignature, nil}, found(), cmpopts.EquateErrors()); diff != "" {
		t.Errorf("with the secret (-want +got):\n%s", diff)
	}
	b.Trust("w", twinplatform.Principal{ID: "thief"}, secret)
	if got := bodies(b, "w", twinplatform.Principal{ID: "thief"}); len(got) > 0 {
		t.Errorf("a caller that names a secret sees %q", got)
	}
}

func TestWhatIsKeptIsBounded(t *testing.T) {
	t.Parallel()
	b, c := open()
	for i := range inbox.MaxDeliveries + 5 {
		send(t, b, "many", "", fmt.Sprint(i))
	}
	if got := bodies(b, "many", maker); len(got) != inbox.MaxDeliveries || got[0] != fmt.Sprint(inbox.MaxDeliveries+4) {
		t.Errorf("of many %d are kept, the latest %s", len(got), got[0])
	}
	if status := send(t, b, "long", "", strings.Repeat("x", inbox.MaxBody+1)); status != http.StatusRequestEntityTooLarge {
		t.Errorf("a body that is too long is answered with %d", status)
	}
	const webhooks = 40
	long := strings.Repeat("x", 250<<10)
	for i := range 3 * webhooks {
		send(t, b, fmt.Sprint("webhook", i%webhooks), "", long)
	}
	total := 0
	for i := range webhooks {
		sum := len(strings.Join(bodies(b, fmt.Sprint("webhook", i), maker), ""))
		if sum > inbox.MaxBytes {
			t.Errorf("of one webhook %d bytes are kept", sum)
		}
		total += sum
	}
	if total > inbox.MaxTotal || total < inbox.MaxTotal/2 {
		t.Errorf("of all webhooks %d bytes are kept", total)
	}
	if got := bodies(b, "many", maker); len(got) != inbox.MaxDeliveries {
		t.Errorf("webhooks that receive much drove out one that received little: %d are left", len(got))
	}
	c.now = c.now.Add(inbox.Keep)
	if got := bodies(b, "many", maker); len(got) > 0 {
		t.Errorf("after a day %d are kept", len(got))
	}
}

func TestTheWebhookThatWasUsedLastIsForgottenLast(t *testing.T) {
	t.Parallel()
	b, c := open()
	for i := range inbox.MaxWebhooks + 1 {
		c.now = c.now.Add(time.Second)
		send(t, b, fmt.Sprint(i), "", "x")
	}
	if len(bodies(b, "0", maker)) != 0 || len(bodies(b, "1", maker)) != 1 {
		t.Error("not the webhook that was used the longest ago is forgotten")
	}
}
