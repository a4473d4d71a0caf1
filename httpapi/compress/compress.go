// Package compress answers with gzip where that is worth it and the client accepts it:
//
//	handler := compress.Handler(api)
//
// Texts of [MinSize] bytes and more are compressed: JSON, pages, style sheets, scripts, SVG pictures.
// Everything else is as it was: downloads, ranges, streams, answers to HEAD, what has an encoding
// already and what must not be transformed. A client that does not ask for gzip has the handler's
// answer without a layer between, but for one entry in Vary.
package compress

import (
	"compress/gzip"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// MinSize is how long a body is, in bytes, that is compressed. A shorter one is in one packet as it is.
const MinSize = 1 << 10

// level is one that costs little: others take three times as long for a tenth less.
const level = gzip.BestSpeed

// writers reuses gzip writers, since making one takes 800 KB.
var writers = sync.Pool{New: func() any {
	w, err := gzip.NewWriterLevel(nil, level)
	if err != nil {
		panic(err) // the level is a constant
	}
	return w
}}

// vary is the header of everything that may be compressed for another client. Its capacity is its
// length, so that what is added to it is added to a copy.
var vary = []string{"Accept-Encoding"}

// Handler answers as next does, compressed where that is worth it. An answer that is compressed has a
// weak ETag: it is another representation of the same version.
func Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h := w.Header(); h["Vary"] == nil {
			h["Vary"] = vary
		}
		if r.Method == http.MethodHead || r.Header["Range"] != nil || !accepts(r.Header["Accept-Encoding"]) {
			next.ServeHTTP(w, r)
			return
		}
		a := &answer{ResponseWriter: w}
		next.ServeHTTP(a, r) // one that panics leaves its answer cut off
		a.end()
	})
}

// accepts reports whether the values of Accept-Encoding allow gzip, and prefer nothing to it.
func accepts(values []string) bool {
	gzipped, others, identity := -1.0, -1.0, 0.0
	for _, value := range values {
		for len(value) > 0 {
			var one string
			one, value, _ = strings.Cut(value, ",")
			name, parameters, _ := strings.Cut(one, ";")
			switch name = strings.TrimSpace(name); {
			case strings.EqualFold(name, "gzip"), strings.EqualFold(name, "x-gzip"):
				gzipped = quality(parameters)
			case name == "*":
				others = quality(parameters)
			case strings.EqualFold(name, "identity"):
				identity = quality(parameters)
			}
		}
	}
	if gzipped < 0 {
		gzipped = others
	}
	return gzipped > 0 && gzipped >= identity
}

// quality is the q of a value: 1 without one, 0 where it is none.
func quality(parameters string) float64 {
	name, value, _ := strings.Cut(strings.TrimSpace(parameters), "=")
	if !strings.EqualFold(strings.TrimSpace(name), "q") {
		return 1
	}
	q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || !(q >= 0 && q <= 1) {
		return 0
	}
	return q
}

// answer is one to a client that takes gzip. Until it is known whether it is compressed, its status and
// the beginning of its body are kept.
type answer struct {
	http.ResponseWriter

	status  int
	begun   []byte
	decided bool
	gz      *gzip.Writer // nil: as it is
}

// Unwrap lets http.ResponseController reach what is behind.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) {
	switch {
	case status < http.StatusOK && status != http.StatusSwitchingProtocols:
		a.ResponseWriter.WriteHeader(status)
	case a.status != 0:
	default:
		a.status = status
		if !a.worthIt() {
			a.decide(false)
		}
	}
}

// Write implements http.ResponseWriter.
func (a *answer) Write(p []byte) (int, error) {
	if a.status == 0 {
		a.WriteHeader(http.StatusOK)
	}
	if !a.decided {
		if len(a.begun)+len(p) < MinSize {
			a.begun = append(a.begun, p...)
			return len(p), nil
		}
		a.decide(true)
		if err := a.flushBegun(); err != nil {
			return 0, err
		}
	}
	if a.gz != nil {
		return a.gz.Write(p)
	}
	return a.ResponseWriter.Write(p)
}

// Flush implements http.Flusher.
func (a *answer) Flush() { _ = a.FlushError() }

// FlushError sends what there is. An answer that is flushed before it is long is a stream, which is not
// compressed.
func (a *answer) FlushError() error {
	if a.status == 0 {
		a.WriteHeader(http.StatusOK)
	}
	if !a.decided {
		a.decide(false)
		if err := a.flushBegun(); err != nil {
			return err
		}
	}
	if a.gz != nil {
		if err := a.gz.Flush(); err != nil {
			return err
		}
	}
	return http.NewResponseController(a.ResponseWriter).Flush()
}

// worthIt reports whether an answer with this status and these headers may be compressed.
func (a *answer) worthIt() bool {
	h := a.Header()
	if a.status < http.StatusOK || a.status == http.StatusNoContent || a.status == http.StatusNotModified ||
		a.status == http.StatusPartialContent {
		return false
	}
	for _, name := range []string{"Content-Encoding", "Content-Range", "Accept-Ranges"} {
		if h[name] != nil {
			return false
		}
	}
	if n, err := strconv.ParseInt(h.Get("Content-Length"), 10, 64); err == nil && n < MinSize {
		return false
	}
	return compressible(h.Get("Content-Type")) && !strings.HasPrefix(h.Get("Content-Disposition"), "attachment") &&
		!strings.Contains(h.Get("Cache-Control"), "no-transform")
}

// compressible reports whether bodies of a media type are texts that do not come bit by bit.
func compressible(mediaType string) bool {
	mediaType, _, _ = strings.Cut(mediaType, ";")
	mediaType = strings.TrimSpace(mediaType)
	switch mediaType {
	case "text/event-stream":
		return false
	case "application/json", "application/xml", "application/javascript":
		return true
	}
	return strings.HasPrefix(mediaType, "text/") || strings.HasSuffix(mediaType, "+json") ||
		strings.HasSuffix(mediaType, "+xml")
}

// decide sends the header, of what is compressed from now on or of what is not.
func (a *answer) decide(compressed bool) {
	a.decided = true
	h := a.Header()
	if !slices.ContainsFunc(h["Vary"], func(v string) bool { return strings.Contains(v, vary[0]) || v == "*" }) {
		h.Add("Vary", vary[0])
	}
	if compressed {
		h.Set("Content-Encoding", "gzip")
		h.Del("Content-Length")
		if tag := h.Get("ETag"); tag != "" && !strings.HasPrefix(tag, "W/") {
			h.Set("ETag", "W/"+tag)
		}
		a.gz = writers.Get().(*gzip.Writer)
		a.gz.Reset(a.ResponseWriter)
	}
	a.ResponseWriter.WriteHeader(a.status)
}

// flushBegun writes what was kept.
func (a *answer) flushBegun() (err error) {
	if len(a.begun) > 0 && a.gz != nil {
		_, err = a.gz.Write(a.begun)
	} else if len(a.begun) > 0 {
		_, err = a.ResponseWriter.Write(a.begun)
	}
	a.begun = nil
	return err
}

// end completes the answer. A client that has gone does not get it.
func (a *answer) end() {
	if a.status != 0 && !a.decided {
		a.decide(false)
		_ = a.flushBegun()
	}
	if a.gz != nil {
		_ = a.gz.Close()
		a.gz.Reset(nil)
		writers.Put(a.gz)
		a.gz = nil
	}
}
