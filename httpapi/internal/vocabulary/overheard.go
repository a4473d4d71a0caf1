package vocabulary

import (
	"net/http"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/shape"
)

// Overheard puts a request to the deployment and the answer to it into the words of the
// specification, and returns the number of the operation; -1 where there is none, and
// both stay as they are except for their headers.
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
	t.dress(r.Header, t.inward())
	if n >= 0 {
		t.address(r.URL, below, n, t.inward)
		t.head(r.Header, n, t.inward())
		if err := restate(r, t.incoming(n)); err != nil {
			return n, err
		}
	}
	return n, t.answer(res, n)
}

// incoming are the specification's words for the body of a request to the deployment; nil
// where there is none.
func (t *interpreter) incoming(n int) *shape.Shape {
	shaped := t.platform(n).Sent
	if shaped == nil {
		return nil
	}
	tr := translation{made: make(map[spoken]*shape.Shape), clashes: new(clashes), Lexicon: t.deployment(n).Lexicon}
	return tr.reads(shaped, nil)
}
