package console

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// Bounds of streams of events.
const (
	// MaxStreams is how many pages are notified of changes as they come; others ask every few
	// seconds.
	MaxStreams = 100
	// streamLife is how long one lasts. The page opens another then.
	streamLife = 10 * time.Minute
	// streamPause is how long changes may wait. The server rests for restPerLook times as long
	// as it has looked for them, so that what takes long is looked at less often.
	streamPause = time.Second
	restPerLook = 9
	// streamSilence is after how much time without changes a comment keeps proxies from
	// ending the stream.
	streamSilence = 15 * time.Second
)

// operationEvents is a stream of server-sent events: one named changed when it begins and
// whenever the page of all operations would be another one. It ends with the session.
func operationEvents(r *request) error {
	c := r.console
	if r.Method == http.MethodHead {
		return errStreamed
	}
	if c.streams.Add(1) > MaxStreams {
		c.streams.Add(-1)
		return &problem{http.StatusServiceUnavailable, "Too many pages are open", "This one asks every few seconds."}
	}
	defer c.streams.Add(-1)
	r.w.Header().Set("Content-Type", "text/event-stream")
	control := http.NewResponseController(r.w)
	put := func(text string) error {
		_ = control.SetWriteDeadline(time.Now().Add(2 * streamSilence)) // where the server can
		if _, err := fmt.Fprint(r.w, text); err != nil {
			return err
		}
		return control.Flush()
	}
	shutdown := c.shutdownOf(r.Request)
	last, silent, end := "", time.Now(), time.Now().Add(streamLife)
	for time.Now().Before(end) {
		began := time.Now()
		now, err := r.digestOfWork()
		rest := max(streamPause, restPerLook*time.Since(began))
		if err != nil {
			return errStreamed // what follows is found out by the page, which asks again
		}
		switch {
		case now != last:
			err = put("event: changed\ndata: " + now + "\n\n")
			last, silent = now, time.Now()
		case time.Since(silent) >= streamSilence:
			err = put(": still here\n\n")
			silent = time.Now()
		}
		if err != nil {
			return errStreamed
		}
		select {
		case <-r.Context().Done():
			return errStreamed
		case <-shutdown:
			return errStreamed
		case <-time.After(rest):
		}
		if err := r.identify(); err != nil {
			return errStreamed
		}
	}
	return errStreamed
}

// shutdownOf is closed once the server of a request shuts down, which waits for requests.
func (c *Console) shutdownOf(r *http.Request) <-chan struct{} {
	srv, _ := r.Context().Value(http.ServerContextKey).(*http.Server)
	if srv == nil {
		return nil
	}
	fresh := make(chan struct{})
	begun, known := c.servers.LoadOrStore(srv, fresh)
	if !known {
		srv.RegisterOnShutdown(func() { close(fresh) })
	}
	return begun.(chan struct{})
}

// errStreamed says that an answer is complete.
var errStreamed = errors.New("console: the stream has ended")

// digestOfWork is another one whenever the page of all operations is.
func (r *request) digestOfWork() (string, error) {
	all, _, err := r.work()
	if err != nil {
		return "", err
	}
	b, err := json.Marshal(all)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8]), nil
}
