package accesslog

import (
	"context"
	"net/http"
	"time"

	"github.com/seed-933f9a09/twinplatform"
)

// Wrap logs the requests of a handler that serves alongside the API, such as pages or files.
// The handler reports with [Caller] who sent one.
func (l *Log) Wrap(h http.Handler) http.Handler { return l.wrap(h, false) }

// WrapSealed is [Log.Wrap] for a handler whose queries are secrets, such as the sign-in: it
// logs the names of parameters alone.
func (l *Log) WrapSealed(h http.Handler) http.Handler { return l.wrap(h, true) }

type callerKey struct{}

// Caller notes who sent a request, by its context. It does nothing where the request is not
// logged by [Log.Wrap].
func Caller(ctx context.Context, who twinplatform.Principal) {
	if id, ok := ctx.Value(callerKey{}).(*string); ok {
		*id = who.ID
	}
}

func (l *Log) wrap(h http.Handler, sealed bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began, counted, caller := time.Now(), &counter{ResponseWriter: w}, new(string)
		defer func() {
			d := time.Since(began)
			if counted.status == 0 {
				counted.status = http.StatusOK
			}
			level := l.level(counted.status, d)
			if !l.cfg.Handler.Enabled(r.Context(), level) {
				return
			}
			n := line{
				level: level, at: began.Add(d), duration: d, method: r.Method, status: counted.status,
				size: counted.size, sealed: sealed, principal: *caller,
			}
			l.asked(r.Context(), &n, r)
			if headers := r.Header["Traceparent"]; len(headers) == 1 {
				n.trace, _ = twinplatform.Continued(headers[0])
			}
			if !n.trace.Valid() {
				n.trace = twinplatform.NewTrace()
			}
			l.take(r.Context(), n)
		}()
		h.ServeHTTP(counted, r.WithContext(context.WithValue(r.Context(), callerKey{}, caller)))
	})
}

// counter notes what is answered.
type counter struct {
	http.ResponseWriter

	status int
	size   int64
}

// WriteHeader implements http.ResponseWriter.
func (c *counter) WriteHeader(status int) {
	if c.status == 0 && status >= http.StatusOK {
		c.status = status
	}
	c.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (c *counter) Write(p []byte) (int, error) {
	n, err := c.ResponseWriter.Write(p)
	c.size += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach what is behind.
func (c *counter) Unwrap() http.ResponseWriter { return c.ResponseWriter }
