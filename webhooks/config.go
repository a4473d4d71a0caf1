package webhooks

import (
	"context"
	"crypto/x509"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/webhooks/inbox"
	"github.com/seed-933f9a09/twinplatform/webhooks/internal/delivery"
	"github.com/seed-933f9a09/twinplatform/webhooks/internal/egress"
)

// Off as a duration or a number of Config turns off what zero would give its
// default.
const Off = -1

// DefaultVisitorTime is how long an application of an issuer receives events without
// being seen, unless a Config says otherwise.
const DefaultVisitorTime = 7 * 24 * time.Hour

// Config reports how a Service is to work. The zero value is ready.
type Config struct {
	// Env is the clock, the ids, the log and the authorizer. Attempts, pauses
	// and failures are logged; secrets, bodies and callback URLs never are.
	Env twinplatform.Env
	// Twins reports which twins a webhook can be made for. Nil takes every id for a twin
	// of the caller's own account, and of none where the system calls: a webhook then
	// receives the events of the twins of its own account.
	Twins twinplatform.TwinDirectory
	// Applications reports what the service applications that made webhooks are at present. Nil
	// leaves it to Env.Principals, and without that takes each for what it was when it made or last
	// changed its webhook: an administrator role that was taken from it since goes unnoticed, a
	// permission does not.
	Applications ApplicationDirectory
	// Visitors knows the applications whose tokens an issuer outside of the platform gives
	// them. Nil: webhooks of such applications deliver nothing.
	Visitors VisitorDirectory
	// VisitorTime is how long after such an application was last seen its webhooks deliver;
	// its administrator roles are those of then, and its permissions those of the moment. 0
	// means DefaultVisitorTime, Off that none of them delivers.
	VisitorTime time.Duration
	// MaxPerTwin and MaxPerAccount bound the number of webhooks of a twin, and
	// of an account with its twins. 0 means 20 and 100, Off no bound.
	MaxPerTwin, MaxPerAccount int
	// SealingKey encrypts the secrets in the store. Without one they are kept
	// as they are. Secrets that were kept before there was a key are sealed
	// when Run begins.
	SealingKey SealingKey

	// Schedule is how long after a failed attempt the next one is made, while
	// the endpoint takes other events. Nil means 5 s, 5 min, 30 min, 2 h, 5 h,
	// 10 h, 14 h, 20 h and 24 h. At its end the delivery is dead.
	Schedule []time.Duration
	// Jitter is the fraction of each interval by which it may be longer. 0
	// means 0.1, Off none.
	Jitter float64
	// Timeout is how long an attempt may take, from the look-up of the name to
	// the end of the answer. 0 means 5 s.
	Timeout time.Duration
	// Pool is the number of attempts under way at a time. 0 means 64. One
	// account has at most half of them, a second one half of the rest, and so
	// on; endpoints that take a second or more to answer have half of them, all
	// accounts together.
	Pool int
	// Batch is the number of deliveries that are taken into memory for one
	// endpoint at a time. 0 means 32.
	Batch int
	// Lease is how long an endpoint stays with a process that no longer
	// reports progress, where several share a store. It is renewed while an attempt is
	// under way, and an attempt whose lease cannot be is cut off. 0 means Env.Lease. Over
	// a store that only one process can have open, the next one to open it
	// takes over at once.
	Lease time.Duration
	// PauseAfter is the number of failures in a row after which an endpoint is
	// left alone, for Pause at first and twice as long after each further
	// failure, up to MaxPause. After each pause the endpoint is probed with the
	// oldest event that waits and, if that fails, with one more; the first that it
	// takes ends the pauses. 0 means 4.
	PauseAfter int
	// Pause is the first pause. 0 means 1 min.
	Pause time.Duration
	// MaxPause is the longest one, also of what a receiver asks for by
	// Retry-After. 0 means 15 min.
	MaxPause time.Duration
	// DisableAfter is how long an endpoint may do nothing but fail before its
	// webhook is set inactive. 0 means 5 days, Off never.
	DisableAfter time.Duration
	// DisableAttempts is how often it fails in that time at least. 0 means 40, Off
	// that no webhook is set inactive for it.
	DisableAttempts int
	// GiveUpAfter is the age up to which a delivery waits for an endpoint that
	// takes nothing at all. 0 means 14 days.
	GiveUpAfter time.Duration
	// MaxPending is the number of deliveries that may wait for one endpoint.
	// What comes on top is kept as dead deliveries, for Replay. 0 means
	// 100,000.
	MaxPending int
	// KeepDelivered is how long a delivery is kept once it was made. 0 means
	// 72 h, Off not at all, and KeepDeliveries is the most, or Env.Retain where
	// that is less. Dead deliveries too are kept for no longer than Env.Retain;
	// those that wait for their receiver are not concerned by it.
	KeepDelivered time.Duration
	// DiscardAnswers keeps nothing of the bodies that receivers answer with. By
	// default the first 1,024 bytes of the last failure of a delivery are kept for a
	// day (Attempt.Answer).
	DiscardAnswers bool
	// Overlap is how long a replaced secret continues signing next to the new one. 0
	// means 24 h, Off not at all, and MaxOverlap is the most.
	Overlap time.Duration
	// PatchReplacesSecret makes an update that leaves the secret out generate one, as one
	// with null does, unless it only sets the webhook inactive. So the documentation can
	// be read; the default keeps the secret, since a receiver that does not expect a new
	// one would continue with the former.
	PatchReplacesSecret bool
	// Notify is called when the circuit of an endpoint opens, when the endpoint will soon
	// be switched off, and when it is switched off. Run calls it and waits for it.
	Notify func(ctx context.Context, n Notice)
	// Envelope, when set, puts the body of each delivery into other words before
	// it is signed and sent, such as those of a deployment (see package httpapi's
	// Vocabulary). It is called for each attempt, by several goroutines, makes the
	// same of the same body and keeps nothing of it.
	Envelope func(body []byte) []byte
	// Inbox receives what is sent to callback URLs of inbox.Host, within the process and over
	// no connection, for tests of webhooks. Nil: such deliveries fail, as no name resolver
	// knows that host.
	Inbox *inbox.Inbox
	// Poll is how often Run looks for events that no one announced with Wake. 0 means 1
	// s.
	Poll time.Duration

	// AllowPrivate are networks outside the public Internet that deliveries may go to, on
	// any port, as those of an intranet or a test. The addresses at which clouds give
	// machines their credentials stay refused unless one is named exactly, as a /32 or
	// /128.
	AllowPrivate []netip.Prefix
	// Ports are the ports of public addresses that deliveries may go to. Nil
	// means all of them.
	Ports []uint16
	// RootCAs are the authorities whose certificates are trusted. Nil means
	// those of the system.
	RootCAs *x509.CertPool
	// Resolver looks up the names of callback URLs. Nil means
	// net.DefaultResolver.
	Resolver *net.Resolver
	// Dial makes connections in place of the guarded dialer, for tests without a network.
	// The address is the host and port of the URL. What Dial reaches is its own
	// responsibility.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Transport sends requests in place of the guarded transport, for tests and for an
	// egress proxy that does its own filtering. What it reaches is its own
	// responsibility.
	Transport http.RoundTripper
}

func (c Config) withDefaults() Config {
	c.Env = c.Env.WithDefaults()
	if c.Schedule == nil {
		c.Schedule = []time.Duration{
			5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour,
			10 * time.Hour, 14 * time.Hour, 20 * time.Hour, 24 * time.Hour,
		}
	}
	c.Schedule = slices.Clone(c.Schedule)
	setDefault(&c.Jitter, 0.1)
	setDefault(&c.Timeout, 5*time.Second)
	setDefault(&c.Pool, 64)
	setDefault(&c.Batch, 32)
	setDefault(&c.Lease, c.Env.Lease)
	setDefault(&c.PauseAfter, 4)
	setDefault(&c.Pause, time.Minute)
	setDefault(&c.MaxPause, 15*time.Minute)
	setDefault(&c.DisableAfter, 5*24*time.Hour)
	setDefault(&c.DisableAttempts, 40)
	setDefault(&c.GiveUpAfter, 14*24*time.Hour)
	setDefault(&c.MaxPending, 100_000)
	setDefault(&c.KeepDelivered, 72*time.Hour)
	c.KeepDelivered = min(c.KeepDelivered, KeepDeliveries)
	setDefault(&c.VisitorTime, DefaultVisitorTime)
	setDefault(&c.MaxPerTwin, 20)
	setDefault(&c.MaxPerAccount, 100)
	setDefault(&c.Overlap, 24*time.Hour)
	c.Overlap = min(c.Overlap, MaxOverlap)
	setDefault(&c.Poll, time.Second)
	return c
}

// setDefault gives a field its default.
func setDefault[T int | float64 | time.Duration](field *T, value T) {
	if *field == 0 {
		*field = value
	}
}

// connections is how the service connects to receivers.
func (c *Config) connections(g egress.Guard) egress.Config {
	return egress.Config{
		Guard: g, RootCAs: c.RootCAs, Resolver: c.Resolver, Dial: c.Dial, Timeout: c.Timeout, Connections: c.Pool,
	}
}

// engine is how deliveries are made.
func (c *Config) engine(g egress.Guard) delivery.Config {
	out := delivery.Config{
		Env: c.Env, Transport: c.Transport, Envelope: c.Envelope, Notify: c.notify, Transactional: c.transactional(),
		Indexes:  len(webhookRecords.Indexes),
		Schedule: c.Schedule, Jitter: c.Jitter, Timeout: c.Timeout, Lease: c.Lease, Poll: c.Poll,
		Pool: c.Pool, Batch: c.Batch, MaxPending: c.MaxPending, PauseAfter: c.PauseAfter, Pause: c.Pause,
		MaxPause:        c.MaxPause,
		DisableAttempts: c.DisableAttempts, DisableAfter: c.DisableAfter, GiveUpAfter: c.GiveUpAfter,
		KeepDelivered: c.KeepDelivered, Keep: KeepDeliveries, DiscardAnswers: c.DiscardAnswers,
	}
	if out.Transport == nil {
		out.Transport = egress.NewTransport(c.connections(g))
	}
	return out
}
