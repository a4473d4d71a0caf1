// Package journal keeps the last requests of an API, for people who look for what their
// program sent and what it was answered.
//
//	j := journal.New(journal.Config{})
//	cfg.Observer = j.Observe
//	api, err := httpapi.New(cfg)
//	if err != nil {
//		return err
//	}
//	handler := j.Handler(api)
//
// It is bounded and holds no secrets. It keeps only headers that cannot hold one, so no
// cookies and no credentials, and only values of parameters that the API knows. The token
// of the caller, members of bodies with names of secrets, and the parts of addresses that
// give access are replaced by [Mask].
package journal

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// Bounds where a Config names none.
const (
	DefaultSize    = 500
	DefaultMaxBody = 8 << 10
)

// Config sets how much a journal keeps. The zero value is ready.
type Config struct {
	// Size is how many exchanges are kept; the oldest make room. 0 means DefaultSize.
	Size int
	// MaxBody is how much of each body is kept, in bytes. 0 means DefaultMaxBody; with a
	// negative number no body is kept.
	MaxBody int
	// Now is the clock. Nil means time.Now.
	Now func() time.Time
	// Vocabulary is the vocabulary with which the API is served.
	Vocabulary httpapi.Vocabulary
}

// Journal is the last exchanges. It is safe for concurrent use.
type Journal struct {
	cfg  Config
	mask masker
	off  atomic.Bool

	buffers sync.Pool // of *[]byte with room for a body

	mu      sync.Mutex
	ring    []*recording // the exchange of a number is at that number modulo the size
	number  uint64       // of the last one
	minutes counters
}

// New returns an empty journal.
func New(cfg Config) *Journal {
	if cfg.Size <= 0 {
		cfg.Size = DefaultSize
	}
	if cfg.MaxBody == 0 {
		cfg.MaxBody = DefaultMaxBody
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	j := &Journal{cfg: cfg, mask: newMasker(cfg.Vocabulary), ring: make([]*recording, cfg.Size), minutes: newCounters()}
	j.buffers.New = func() any {
		b := make([]byte, 0, max(0, cfg.MaxBody))
		return &b
	}
	return j
}

// Recording reports whether exchanges are kept.
func (j *Journal) Recording() bool { return !j.off.Load() }

// Record begins or ends the keeping of exchanges. What is kept stays until Clear.
func (j *Journal) Record(on bool) { j.off.Store(!on) }

// Clear forgets the exchanges that the caller may see; those are all for a nil one.
func (j *Journal) Clear(mayForget func(twinplatform.Principal) bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for i, r := range j.ring {
		if r != nil && (mayForget == nil || mayForget(r.principal)) {
			j.reuse(r)
			j.ring[i] = nil
		}
	}
}

// Exchange is one request and its answer, without secrets.
type Exchange struct {
	Number    uint64 // from 1, in the order in which they ended
	At        time.Time
	Duration  time.Duration
	Operation string // id; empty where the request is for none
	Method    string
	Host      string
	Target    string                 // path and query
	Principal twinplatform.Principal // the zero value where no caller is known
	Status    int                    // of the answer; 0 where nothing was answered
	Code      string                 // of the answer's error
	RequestID string
	Unread    []string // see httpapi.Observation

	// Request and Answer are what was sent. Only Exchange has them, Exchanges leaves
	// them empty.
	Request, Answer Message
}

// Message is the headers and the body of a request or an answer.
type Message struct {
	Header []Header
	Body   string // as JSON; empty where there is none, or Left says why
	Left   string // what of the body is not here, and why; empty where it is whole
	Size   int64  // of the body as it was sent, in bytes
}

// Header is one of a message.
type Header struct{ Name, Value string }

// Query selects exchanges. Zero values want all.
type Query struct {
	Operation string // id
	Status    string // 404, or 4xx
	Method    string
	Principal string // id or display name
	Text      string // in the target, the operation or the request's id
	Unread    bool   // those alone of which something was not read
	Before    uint64 // those with lower numbers
	Top       int    // at most so many; 0 means all
	// May reports whether exchanges of a principal may be seen, the zero value being no
	// caller. Nil means none.
	May func(twinplatform.Principal) bool
}

// Everybody is Query.May for the caller that may see all.
func Everybody(twinplatform.Principal) bool { return true }

// Own is Query.May for the caller that may see the own exchanges alone.
func Own(p twinplatform.Principal) func(twinplatform.Principal) bool {
	return func(other twinplatform.Principal) bool {
		return p.ID != "" && other.ID == p.ID && other.AccountID == p.AccountID && other.Kind == p.Kind
	}
}

// Exchanges returns the exchanges that match a query, the latest first, and whether there
// are more.
func (j *Journal) Exchanges(q Query) (found []Exchange, more bool) {
	for _, r := range j.latest() {
		if q.Before > 0 && r.number >= q.Before || q.May == nil || !q.May(r.principal) {
			continue
		}
		e := r.summary(j)
		if !q.wants(&e) {
			continue
		}
		if q.Top > 0 && len(found) == q.Top {
			return found, true
		}
		found = append(found, e)
	}
	return found, false
}

// latest are the recordings, the latest first. They do not change any more.
func (j *Journal) latest() []*recording {
	j.mu.Lock()
	defer j.mu.Unlock()
	out := make([]*recording, 0, len(j.ring))
	for i := range uint64(len(j.ring)) {
		if i >= j.number {
			break
		}
		if r := j.ring[(j.number-i)%uint64(len(j.ring))]; r != nil {
			out = append(out, r)
		}
	}
	return out
}

func (q *Query) wants(e *Exchange) bool {
	contains := func(s, part string) bool { return strings.Contains(strings.ToLower(s), strings.ToLower(part)) }
	return (q.Operation == "" || e.Operation == q.Operation) &&
		(q.Method == "" || e.Method == q.Method) &&
		statusMatches(q.Status, e.Status) &&
		(!q.Unread || len(e.Unread) > 0) &&
		(q.Principal == "" || e.Principal.ID == q.Principal || contains(e.Principal.DisplayName, q.Principal)) &&
		(q.Text == "" || contains(e.Target, q.Text) || contains(e.Operation, q.Text) || e.RequestID == q.Text)
}

// statusMatches reports whether a status is one such as 404 or 4xx.
func statusMatches(want string, status int) bool {
	if want == "" {
		return true
	}
	have := [3]byte{byte('0' + status/100%10), byte('0' + status/10%10), byte('0' + status%10)}
	if len(want) != len(have) {
		return false
	}
	for i, c := range []byte(want) {
		if c != have[i] && c != 'x' && c != 'X' {
			return false
		}
	}
	return true
}

// Exchange is one with its headers and bodies, if the journal still has it and may
// reports that its principal's can be seen.
func (j *Journal) Exchange(number uint64, may func(twinplatform.Principal) bool) (Exchange, bool) {
	j.mu.Lock()
	r := j.ring[number%uint64(len(j.ring))]
	if r == nil || r.number != number || may == nil || !may(r.principal) {
		j.mu.Unlock()
		return Exchange{}, false
	}
	request, answer := r.request.copied(), r.answer.copied()
	j.mu.Unlock()
	e := r.summary(j)
	e.Request, e.Answer = request.message(j), answer.message(j)
	return e, true
}

// Observe completes the exchange of a request. It is an httpapi.Observer.
func (j *Journal) Observe(ctx context.Context, o httpapi.Observation) {
	r, ok := ctx.Value(recordingKey{}).(*recording)
	if !ok || r.journal != j {
		return
	}
	r.operation, r.principal, r.status, r.requestID, r.unread = o.Operation, o.Principal, o.Status, o.RequestID,
		o.Unread
	if o.Err != nil {
		r.code = o.Err.Code
	}
}

// Handler answers as the API does, and keeps what went through.
func (j *Journal) Handler(api http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r := newRecording(j, w, req)
		defer r.end()
		api.ServeHTTP(r, r.rest(req))
	})
}

// add keeps a recording that is complete.
func (j *Journal) add(r *recording) {
	keep := !j.off.Load()
	j.mu.Lock()
	defer j.mu.Unlock()
	j.minutes.count(r.at, r.principal, r.status)
	if !keep {
		j.reuse(r)
		return
	}
	j.number++
	r.number = j.number
	place := &j.ring[r.number%uint64(len(j.ring))]
	j.reuse(*place)
	*place = r
}

// reuse takes the buffers of a recording that is not kept. What readers see of it they
// have copied under the lock.
func (j *Journal) reuse(r *recording) {
	if r == nil {
		return
	}
	for _, s := range []*side{&r.request, &r.answer} {
		if s.buffer != nil {
			j.buffers.Put(s.buffer)
			s.buffer, s.body = nil, nil
		}
	}
}

// Minutes are the requests of the last hour, the latest minute last: those of all
// principals for which may is true, as far as they are remembered; those of everybody,
// known or not, where may is nil.
func (j *Journal) Minutes(may func(twinplatform.Principal) bool) []Minute {
	now := j.cfg.Now()
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.minutes.last(now, may)
}

// Size is how many exchanges the journal keeps.
func (j *Journal) Size() int { return len(j.ring) }

// Operations are the ids of the operations of which there are exchanges, in order.
func (j *Journal) Operations(may func(twinplatform.Principal) bool) []string {
	var out []string
	for _, r := range j.latest() {
		if r.operation != "" && may != nil && may(r.principal) {
			out = append(out, r.operation)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
