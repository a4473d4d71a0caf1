package twinplatform

import (
	"context"
	"encoding/hex"
	"math/rand/v2"
	"strings"
)

// Trace is a request's place in a trace across programs, as the header traceparent of W3C
// Trace Context has it. The zero value is none.
type Trace struct {
	ID     [16]byte // of the trace
	Span   [8]byte  // of what is done here
	Parent [8]byte  // of the span that has called; zero where the trace begins here
	// Sampled reports whether who called keeps the trace.
	Sampled bool
}

// Valid reports whether there is a trace.
func (t Trace) Valid() bool { return t.ID != [16]byte{} && t.Span != [8]byte{} }

// TraceID is the id of the trace in hexadecimal digits.
func (t Trace) TraceID() string { return hex.EncodeToString(t.ID[:]) }

// SpanID is the id of the span in hexadecimal digits.
func (t Trace) SpanID() string { return hex.EncodeToString(t.Span[:]) }

// NewTrace begins a trace.
func NewTrace() (t Trace) {
	fill(t.ID[:])
	fill(t.Span[:])
	return t
}

// Continued is a new span in the trace of the one that a traceparent header names, and
// whether that is well formed: version, trace id, span id and flags in lower-case hexadecimal
// digits, of which neither id is zero. A later version may have more behind a dash.
func Continued(traceparent string) (t Trace, ok bool) {
	const size = len("00-0123456789abcdef0123456789abcdef-0123456789abcdef-01")
	h := traceparent
	if len(h) < size || h[2] != '-' || h[35] != '-' || h[52] != '-' || h[:2] == "ff" ||
		len(h) > size && (h[:2] == "00" || h[size] != '-') || strings.ToLower(h) != h {
		return Trace{}, false
	}
	var version, flags [1]byte
	for _, part := range []struct {
		to   []byte
		text string
	}{{version[:], h[:2]}, {t.ID[:], h[3:35]}, {t.Parent[:], h[36:52]}, {flags[:], h[53:size]}} {
		if _, err := hex.Decode(part.to, []byte(part.text)); err != nil {
			return Trace{}, false
		}
	}
	if t.ID == [16]byte{} || t.Parent == [8]byte{} {
		return Trace{}, false
	}
	t.Sampled = flags[0]&1 != 0
	fill(t.Span[:])
	return t, true
}

// fill makes an id that is not zero. It is no secret.
func fill(id []byte) {
	for {
		zero := true
		for i := 0; i < len(id); i += 8 {
			n := rand.Uint64() //nolint:gosec // ids of traces are no secrets
			zero = zero && n == 0
			for j := range 8 {
				id[i+j] = byte(n >> (8 * j))
			}
		}
		if !zero {
			return
		}
	}
}

type traceKey struct{}

// WithTrace returns a context for what is done in a span of a trace, for programs that start
// their own spans around the handler of package httpapi: requests are logged under it.
func WithTrace(ctx context.Context, t Trace) context.Context {
	return context.WithValue(ctx, traceKey{}, t)
}

// TraceOf is the trace of a context that WithTrace returned.
func TraceOf(ctx context.Context) (t Trace, ok bool) {
	t, ok = ctx.Value(traceKey{}).(Trace)
	return t, ok
}
