package admin

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// bounds are the upper bounds of the buckets in which requests are counted by how long
// they took; one more has the rest.
var bounds = [...]time.Duration{
	500 * time.Microsecond, time.Millisecond, 2500 * time.Microsecond, 5 * time.Millisecond, 10 * time.Millisecond,
	25 * time.Millisecond, 50 * time.Millisecond, 100 * time.Millisecond, 250 * time.Millisecond,
	500 * time.Millisecond,
	time.Second, 2500 * time.Millisecond, 10 * time.Second,
}

// statuses lists the statuses that have a series of their own; everything else is other.
var statuses = [...]int{
	http.StatusOK, http.StatusCreated, http.StatusAccepted, http.StatusNoContent, http.StatusNotModified,
	http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound,
	http.StatusMethodNotAllowed,
	http.StatusConflict, http.StatusGone, http.StatusPreconditionFailed, http.StatusRequestEntityTooLarge,
	http.StatusUnsupportedMediaType,
	http.StatusUnprocessableEntity, http.StatusTooManyRequests,
	http.StatusInternalServerError, http.StatusServiceUnavailable, http.StatusGatewayTimeout,
	0, // nothing was answered
}

const (
	otherStatus = len(statuses)
	// noOperation stands for requests that are for no operation.
	noOperation = "none"
	rateLimited = "RateLimitExceeded"
)

// Requests counts the requests of a REST API by operation and status, and how long they
// took. It counts by the operations that exist, never by what a client sends, so that the
// number of series is bounded. It is safe for concurrent use, and takes no lock.
type Requests struct {
	names   []string // sorted
	index   map[string]*operation
	refused atomic.Int64 // by the rate limit
}

// operation counts the requests of one.
type operation struct {
	statuses [otherStatus + 1]atomic.Int64
	buckets  [len(bounds) + 1]atomic.Int64
	took     atomic.Int64 // nanoseconds
}

// NewRequests counts nothing yet. Its Observe is an [httpapi.Observer].
func NewRequests() *Requests {
	r := &Requests{index: map[string]*operation{noOperation: {}}}
	for _, o := range httpapi.Operations() {
		r.index[o.ID] = new(operation)
	}
	for name := range r.index {
		r.names = append(r.names, name)
	}
	slices.Sort(r.names)
	return r
}

// Observe counts a request.
func (r *Requests) Observe(_ context.Context, o httpapi.Observation) {
	op := r.index[o.Operation]
	if op == nil {
		op = r.index[noOperation]
	}
	at := slices.Index(statuses[:], o.Status)
	if at < 0 {
		at = otherStatus
	}
	op.statuses[at].Add(1)
	bucket, _ := slices.BinarySearch(bounds[:], o.Duration)
	op.buckets[bucket].Add(1)
	op.took.Add(int64(o.Duration))
	if o.Err != nil && o.Err.Code == rateLimited {
		r.refused.Add(1)
	}
}

// write reports the operations that were asked for.
func (r *Requests) write(t *text) {
	const total, took = prefix + "http_requests_total", prefix + "http_request_duration_seconds"
	t.family(total, "counter", "Requests answered, by operation and status; 0 is a client that was gone.")
	for _, name := range r.names {
		for i := range r.index[name].statuses {
			n := r.index[name].statuses[i].Load()
			if n == 0 {
				continue
			}
			status := "other"
			if i < otherStatus {
				status = strconv.Itoa(statuses[i])
			}
			t.sample(total, float64(n), label{"operation", name}, label{"status", status})
		}
	}
	t.family(took, "histogram", "Time from a request's header to the end of its answer, by operation.")
	for _, name := range r.names {
		r.index[name].write(t, took, label{"operation", name})
	}
	t.one(prefix+"http_rate_limited_total", "counter",
		"Requests refused because their caller had exceeded its rate limit.", float64(r.refused.Load()))
}

// write writes how long requests took, if there were any.
func (o *operation) write(t *text, name string, of label) {
	var counts [len(bounds) + 1]int64
	total := int64(0)
	for i := range counts {
		counts[i] = o.buckets[i].Load()
		total += counts[i]
	}
	if total == 0 {
		return
	}
	sum := int64(0)
	for i, n := range counts {
		le := "+Inf"
		if i < len(bounds) {
			le = number(bounds[i].Seconds())
		}
		sum += n
		t.sample(name+"_bucket", float64(sum), of, label{"le", le})
	}
	t.sample(name+"_sum", time.Duration(o.took.Load()).Seconds(), of)
	t.sample(name+"_count", float64(total), of)
}
