package receiver_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/webhooks/receiver"
)

// The documented vector of a widely used sender whose header has the same form.
const (
	vectorSecret    = "It's a Secret to Everybody"
	vectorBody      = "Hello, World!"
	vectorSignature = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
)

// covers: Events: rule the Signature is HMAC-SHA256 of the whole body
func TestSignaturesMatchThePublishedVectors(t *testing.T) {
	t.Parallel()
	header := make(http.Header)
	receiver.Sign(header, "id", time.Now(), []byte(vectorBody), vectorSecret)
	if got := header.Get("Signature"); got != vectorSignature {
		t.Errorf("Signature: %s", got)
	}
	if err := receiver.Verify(vectorSecret, http.Header{"Signature": {vectorSignature}}, []byte(vectorBody)); err != nil {
		t.Error(err)
	}

	// The vector of Standard Webhooks.
	header = make(http.Header)
	receiver.Sign(header, "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`),
		"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	if got := header.Get("webhook-signature"); got != "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" {
		t.Errorf("webhook-signature: %s", got)
	}
}

// documentedReceiver checks a delivery the way the documentation's receivers do:
// it splits the header at the equals sign and compares hexadecimal digits.
func documentedReceiver(secret string, header http.Header, body []byte) bool {
	parts := strings.Split(header.Get("Signature"), "=")
	if len(parts) != 2 || parts[0] != "sha256" {
		return false
	}
	h := hmac.New(sha256.New, []byte(secret))
	h.Write(body)
	return strings.EqualFold(parts[1], hex.EncodeToString(h.Sum(nil)))
}

// covers: Events: rule a POST to the callback URL
func TestDocumentedReceiverAcceptsDeliveries(t *testing.T) {
	t.Parallel()
	header := make(http.Header)
	body := []byte(`{"content":{},"eventType":"twins.twinCreated.v1"}`)
	old, fresh := strings.Repeat("old", 20), strings.Repeat("new", 20)
	receiver.Sign(header, "id", time.Now(), body, fresh, old)
	if !documentedReceiver(fresh, header, body) {
		t.Error("refused")
	}
	if documentedReceiver(old, header, body) {
		t.Error("the documented header is signed with a replaced secret")
	}
}

// covers: Events: rule the Signature is HMAC-SHA256 of the whole body
func TestVerify(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	body := []byte(`{"eventType":"twins.twinCreated.v1"}`)
	old, fresh := strings.Repeat("old", 20), strings.Repeat("new", 20)
	signed := func(edit func(http.Header)) http.Header {
		header := make(http.Header)
		receiver.Sign(header, "id", now, body, fresh, old)
		if edit != nil {
			edit(header)
		}
		return header
	}
	without := func(names ...string) func(http.Header) {
		return func(h http.Header) {
			for _, n := range names {
				h.Del(n)
			}
		}
	}
	for name, c := range map[string]struct {
		secret string
		header http.Header
		body   string
		late   time.Duration
		want   error
	}{
		"the present secret":               {secret: fresh, header: signed(nil)},
		"the present secret, years later":  {secret: fresh, header: signed(nil), late: 9000 * time.Hour},
		"upper case digits":                {secret: fresh, header: signed(func(h http.Header) { h.Set("Signature", "sha256="+strings.ToUpper(h.Get("Signature")[7:])) })},
		"the documented header alone":      {secret: fresh, header: signed(without("webhook-signature", "webhook-id", "webhook-timestamp"))},
		"the standard headers alone":       {secret: fresh, header: signed(without("Signature"))},
		"a replaced secret":                {secret: old, header: signed(nil)},
		"a replaced secret, later":         {secret: old, header: signed(nil), late: 6 * time.Minute, want: receiver.ErrTimestamp},
		"a replaced secret, earlier":       {secret: old, header: signed(nil), late: -6 * time.Minute, want: receiver.ErrTimestamp},
		"another secret":                   {secret: "another", header: signed(nil), want: receiver.ErrSignature},
		"another body":                     {secret: fresh, header: signed(nil), body: "{}", want: receiver.ErrSignature},
		"another id":                       {secret: old, header: signed(func(h http.Header) { h.Set("webhook-id", "other") }), want: receiver.ErrSignature},
		"another time":                     {secret: old, header: signed(func(h http.Header) { h.Set("webhook-timestamp", "1") }), want: receiver.ErrSignature},
		"no signature":                     {secret: fresh, header: signed(without("Signature", "webhook-signature")), want: receiver.ErrUnsigned},
		"another algorithm":                {secret: fresh, header: http.Header{"Signature": {"sha1=00"}}, want: receiver.ErrSignature},
		"half a signature":                 {secret: fresh, header: signed(func(h http.Header) { h.Set("Signature", h.Get("Signature")[:39]); h.Del("webhook-signature") }), want: receiver.ErrSignature},
		"a signature of the empty secret":  {secret: "", header: signed(nil), want: receiver.ErrSignature},
		"a signature that is no hex":       {secret: fresh, header: http.Header{"Signature": {"sha256=zz"}}, want: receiver.ErrSignature},
		"a signature of another version":   {secret: fresh, header: signed(func(h http.Header) { h.Del("Signature"); h.Set("webhook-signature", "v2,AAAA") }), want: receiver.ErrSignature},
		"a signature among others of v1":   {secret: old, header: signed(func(h http.Header) { h.Set("webhook-signature", "v1,AAAA v1a,x "+h.Get("webhook-signature")) })},
		"the documented header comes bare": {secret: fresh, header: signed(func(h http.Header) { h.Set("Signature", h.Get("Signature")[7:]); h.Del("webhook-signature") }), want: receiver.ErrSignature},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := body
			if c.body != "" {
				b = []byte(c.body)
			}
			if err := receiver.VerifyAt(c.secret, c.header, b, now.Add(c.late)); !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}

func TestParseRefusesWhatIsNoMessage(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"", "{", "[]", "{}", `{"eventType":"x"}`, `{"messageId":"x"}`, `{"eventType":1,"messageId":"x"}`} {
		if m, err := receiver.Parse([]byte(body)); err == nil {
			t.Errorf("%s: %+v", body, m)
		}
	}
	m, err := receiver.Parse([]byte(`{"content":{"a":"b"},"eventType":"t","messageId":"m","more":1,"enqueuedDateTime":"2026-01-05T09:00:00.463Z"}`))
	if err != nil || string(m.Content) != `{"a":"b"}` || m.EnqueuedDateTime.Nanosecond() != 463_000_000 {
		t.Errorf("%+v, %v", m, err)
	}
}
