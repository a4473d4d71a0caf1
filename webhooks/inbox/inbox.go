// Package inbox is a receiver of webhooks in the process that sends them, for those who try webhooks
// out: it keeps for a while what was delivered, and whether it was signed with the secret.
//
//	box := inbox.New(inbox.Config{})
//	hooks := webhooks.New(store, webhooks.Config{Inbox: box})
//	// create a webhook whose callback URL is https://receiver.twinplatform.invalid/any/path
//	got := box.Received(webhookID, caller)
//
// What is sent to [Host] is handed over in the process. No connection is made, so that the networks
// that deliveries may go to stay as they are.
package inbox

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/webhooks/receiver"
)

// Host is the host in the callback URLs that the inbox receives. Names that end in .invalid are reserved:
// no resolver knows one, so that without an inbox such a delivery fails.
const Host = "receiver.twinplatform.invalid"

// Bounds of what is kept, all in memory. Beyond them the oldest is forgotten: of one webhook that of
// the webhook, of all that of the webhook which has the most bytes.
const (
	// MaxWebhooks is of how many webhooks something is kept.
	MaxWebhooks = 1000
	// MaxDeliveries and MaxBytes are what is kept of one webhook.
	MaxDeliveries = 50
	MaxBytes      = 512 << 10
	// MaxTotal is how many bytes are kept of all webhooks.
	MaxTotal = 16 << 20
	// MaxBody is the longest body that is received, in bytes. Longer ones are answered with 413.
	MaxBody = 256 << 10
	// Keep is how long a delivery and a secret are kept.
	Keep = 24 * time.Hour
)

// ErrUnchecked is found of deliveries that came when the secret of their webhook was not known.
var ErrUnchecked = errors.New("inbox: the secret of the webhook is not known")

// Config sets how an inbox works. The zero value is ready.
type Config struct {
	Now func() time.Time // nil means time.Now
}

// Inbox receives deliveries. It is safe for concurrent use.
type Inbox struct {
	now func() time.Time

	mu     sync.Mutex
	boxes  map[string]*box // by webhook
	number int64           // of the last delivery
	total  int             // bytes of all boxes
}

// box is what came for one webhook, the oldest first.
type box struct {
	maker  maker
	secret string
	used   time.Time // last
	got    []Delivery
	bytes  int
}

// maker is the application that made a webhook. Its id alone is not enough: each issuer, and each
// account, has its own ids.
type maker struct{ issuer, account, id string }

func makerOf(p twinplatform.Principal) maker { return maker{p.Issuer, p.AccountID, p.ID} }

// Delivery is one attempt to deliver an event, as it came.
type Delivery struct {
	Number int64     // from 1, in the order in which all came
	At     time.Time // by the clock of Config.Now
	URL    string    // the callback URL
	Header http.Header
	Body   []byte // byte for byte
	// Err is what receiver.Verify finds of the signature: nil, one of its errors or ErrUnchecked.
	Err error
}

// size is what a delivery counts for, in bytes.
func (d *Delivery) size() int {
	n := len(d.Body) + len(d.URL)
	for name, values := range d.Header {
		for _, v := range values {
			n += len(name) + len(v)
		}
	}
	return n
}

// New returns an inbox that has received nothing.
func New(cfg Config) *Inbox {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	return &Inbox{now: cfg.Now, boxes: make(map[string]*box)}
}

// Received are the deliveries to a webhook that are kept, the latest first, for the application that
// made it; none for any other caller.
func (b *Inbox) Received(webhookID string, caller twinplatform.Principal) []Delivery {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.expire(b.now())
	one := b.boxes[webhookID]
	if one == nil || caller.ID == "" || one.maker != makerOf(caller) {
		return nil
	}
	all := slices.Clone(one.got)
	slices.Reverse(all)
	return all
}

// Trust is the secret with which deliveries to a webhook are signed, as its maker was shown it. Those
// that came before and were not checked are checked by it.
func (b *Inbox) Trust(webhookID string, caller twinplatform.Principal, secret string) {
	if caller.ID == "" || secret == "" {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	one := b.boxOf(webhookID, makerOf(caller), b.now())
	one.secret = secret
	for i := range one.got {
		if d := &one.got[i]; errors.Is(d.Err, ErrUnchecked) {
			d.Err = receiver.VerifyAt(secret, d.Header, d.Body, d.At)
		}
	}
}

// For sends requests for one webhook, which an application made, to the inbox. They are answered
// with 204, or 413 to a body longer than MaxBody.
func (b *Inbox) For(webhookID string, madeBy twinplatform.Principal) http.RoundTripper {
	return transport{b, webhookID, makerOf(madeBy)}
}

type transport struct {
	inbox     *Inbox
	webhookID string
	maker     maker
}

// RoundTrip implements http.RoundTripper.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	defer func() { _ = r.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(r.Body, MaxBody+1))
	if err != nil {
		return nil, err
	}
	status := http.StatusNoContent
	if len(body) > MaxBody {
		status = http.StatusRequestEntityTooLarge
	} else {
		t.inbox.add(t.webhookID, t.maker,
			Delivery{URL: r.URL.String(), Header: r.Header.Clone(), Body: bytes.Clone(body)})
	}
	return &http.Response{
		Status: http.StatusText(status), StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: make(http.Header), Body: http.NoBody, Request: r,
	}, nil
}

// add keeps a delivery.
func (b *Inbox) add(webhookID string, by maker, d Delivery) {
	b.mu.Lock()
	defer b.mu.Unlock()
	d.At = b.now()
	b.expire(d.At)
	one := b.boxOf(webhookID, by, d.At)
	b.number++
	d.Number, d.Err = b.number, ErrUnchecked
	if one.secret != "" {
		d.Err = receiver.VerifyAt(one.secret, d.Header, d.Body, d.At)
	}
	one.got = append(one.got, d)
	one.bytes, b.total = one.bytes+d.size(), b.total+d.size()
	for len(one.got) > MaxDeliveries || one.bytes > MaxBytes {
		b.forget(one)
	}
	for b.total > MaxTotal {
		b.forget(b.fullest())
	}
}

// boxOf is the box of a webhook, for the one that made it alone.
func (b *Inbox) boxOf(webhookID string, by maker, now time.Time) *box {
	one := b.boxes[webhookID]
	if one != nil && one.maker != by {
		b.drop(webhookID)
		one = nil
	}
	if one == nil {
		if len(b.boxes) >= MaxWebhooks {
			b.drop(b.leastUsed())
		}
		one = &box{maker: by}
		b.boxes[webhookID] = one
	}
	one.used = now
	return one
}

// expire forgets what was kept for long enough.
func (b *Inbox) expire(now time.Time) {
	for id, one := range b.boxes {
		for len(one.got) > 0 && now.Sub(one.got[0].At) >= Keep {
			b.forget(one)
		}
		if len(one.got) == 0 && now.Sub(one.used) >= Keep {
			delete(b.boxes, id)
		}
	}
}

// forget drops the oldest delivery of a box.
func (b *Inbox) forget(one *box) {
	size := one.got[0].size()
	one.got = slices.Delete(one.got, 0, 1)
	one.bytes, b.total = one.bytes-size, b.total-size
}

// drop forgets all of a webhook.
func (b *Inbox) drop(webhookID string) {
	b.total -= b.boxes[webhookID].bytes
	delete(b.boxes, webhookID)
}

func (b *Inbox) leastUsed() (id string) {
	for other, one := range b.boxes {
		if id == "" || one.used.Before(b.boxes[id].used) {
			id = other
		}
	}
	return id
}

func (b *Inbox) fullest() (most *box) {
	for _, one := range b.boxes {
		if most == nil || one.bytes > most.bytes {
			most = one
		}
	}
	return most
}
