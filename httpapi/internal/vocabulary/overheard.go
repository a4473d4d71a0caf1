package vocabulary

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/document"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/shape"
)

// Overheard puts a request to the deployment and the answer to it into the words of the
// specification, and tells the number of the operation; -1 where there is none, and both
// stay as they are but for their headers.
func (s Sides) Overheard(r *http.Request, res *http.Response) (n int, err error) {
	t, err := s.interpreter()
	if err != nil {
		return -1, err
	}
	below, ok := strings.CutPrefix(r.URL.EscapedPath(), t.base.EscapedPath())
	if !ok {
		return -1, nil
	}
	n = t.DeploymentFinds(r.Method, below)
	t.undress(r.Header)
	if n >= 0 {
		t.address(r.URL, below, n, t.inward)
		for name := range t.platform(n).Headings {
			if value, strange := t.deployment(n).HeaderWord(name, r.Header.Get(name)); !strange && value != "" {
				r.Header.Set(name, value)
			}
		}
		if err := t.sent(r, n); err != nil {
			return n, err
		}
	}
	return n, t.answer(res, n)
}

// undress gives the headers of a request the specification's names.
func (t *interpreter) undress(header http.Header) {
	v := t.Deployment
	for name, as := range v.Headers {
		if values := header.Values(as); len(values) > 0 {
			header.Del(as)
			header[http.CanonicalHeaderKey(name)] = values
		}
	}
	for _, name := range []string{"Accept", "Content-Type"} {
		if value := header.Get(name); value != "" && v.Vendor != "" {
			header.Set(name, strings.ReplaceAll(value, v.Vendor, document.Vendor))
		}
	}
}

// sent puts the body of a request into the specification's words.
func (t *interpreter) sent(r *http.Request, n int) error {
	shaped := t.platform(n).Sent
	if r.Body == nil || shaped == nil {
		return nil
	}
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	if json.Valid(raw) {
		tr := translation{made: make(map[spoken]*shape.Shape), clashes: new(clashes), Lexicon: t.deployment(n).Lexicon}
		raw = Renamed(raw, tr.reads(shaped, nil))
	}
	r.ContentLength, r.Body = int64(len(raw)), io.NopCloser(bytes.NewReader(raw))
	return nil
}
