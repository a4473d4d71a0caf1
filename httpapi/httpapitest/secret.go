package httpapitest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"maps"
	"net/http"
)

// overhear looks at a request that makes or changes a webhook, and at the answer, for
// the secret that is set. The writer it returns takes the answer; done is called once
// it is complete.
func (w *Webhooks) overhear(rw http.ResponseWriter, r *http.Request) (_ http.ResponseWriter, done func()) {
	if o, ok := w.tw.core.Load().api.OperationOf(r); !ok || o.ID != "webhooks.create" && o.ID != "webhooks.update" {
		return rw, func() {}
	}
	asked := new(bytes.Buffer)
	r.Body = tee{io.TeeReader(r.Body, asked), r.Body}
	if kept, ok := rw.(*answer); ok {
		return rw, func() { w.learnSecret(asked.Bytes(), kept.Body.Bytes()) }
	}
	copied := &listener{ResponseWriter: rw}
	return copied, func() { w.learnSecret(asked.Bytes(), copied.body.Bytes()) }
}

// tee copies a body while it is read.
type tee struct {
	io.Reader
	io.Closer
}

// learnSecret records a secret: the answer shows one that was generated, and does not repeat
// one that a change has set. An error has no id.
func (w *Webhooks) learnSecret(asked, answered []byte) {
	if id, secret := w.text(answered, "id"), cmp.Or(w.text(answered, "secret"), w.text(asked, "secret")); id != "" &&
		secret != "" {
		w.Trust(id, secret)
	}
}

// text is a text that a body of the area has as a member; empty where it has none.
func (w *Webhooks) text(body []byte, member string) string {
	var members map[string]any
	_ = json.Unmarshal(body, &members)
	for _, name := range w.tw.opts.vocabulary.MemberNames("webhooks", member) {
		if text, ok := members[name].(string); ok {
			return text
		}
	}
	return ""
}

// listener keeps a copy of what is written.
type listener struct {
	http.ResponseWriter

	body bytes.Buffer
}

// Write implements http.ResponseWriter.
func (l *listener) Write(b []byte) (int, error) {
	l.body.Write(b)
	return l.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController reach what is behind.
func (l *listener) Unwrap() http.ResponseWriter { return l.ResponseWriter }

// known are the secrets that the receiver knows, to be kept.
func (w *Webhooks) known() map[string]string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return maps.Clone(w.secrets)
}

// become takes over secrets.
func (w *Webhooks) become(secrets map[string]string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	maps.Copy(w.secrets, secrets)
}
