package httpapi

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/vocabulary"
)

// Interpreter puts traffic with a deployment into the words of the specification: see
// [Vocabulary.Overhear].
type Interpreter struct {
	sides      vocabulary.Sides
	base       *url.URL
	speaks     bool // otherwise than the specification
	operations []Operation
}

// Overhear returns what puts requests to a deployment under baseURL that uses the vocabulary, and
// the answers to them, into the words of the specification. It is for recorded traffic of others;
// [Vocabulary.Transport] is for clients.
//
// It fails on a vocabulary that [New] would refuse.
func (v Vocabulary) Overhear(baseURL string) (*Interpreter, error) {
	sides, err := v.sides(baseURL)
	if err != nil {
		return nil, err
	}
	base, err := url.Parse(strings.TrimSuffix(baseURL, "/"))
	if err != nil {
		return nil, err
	}
	return &Interpreter{sides, base, v.words().Key() != "", everyOperation()}, nil
}

// OperationOf returns the operation that a request to the deployment is for.
func (i *Interpreter) OperationOf(method string, at *url.URL) (Operation, bool) {
	below, ok := strings.CutPrefix(at.EscapedPath(), i.base.EscapedPath())
	if n := i.sides.DeploymentFinds(method, below); ok && n >= 0 {
		return cloned(i.operations[n : n+1])[0], true
	}
	return Operation{}, false
}

// Exchange puts a request and the answer to it into the words of the specification: address,
// headers, bodies, links and codes of errors. The request has the whole address that it was sent
// to. It returns the operation, or false for a request that is for none, which stays as it is.
func (i *Interpreter) Exchange(r *http.Request, res *http.Response) (Operation, bool, error) {
	o, known := i.OperationOf(r.Method, r.URL)
	if i.speaks {
		if _, err := i.sides.Overheard(r, res); err != nil {
			return Operation{}, false, fmt.Errorf("httpapi: %w", err)
		}
	}
	return o, known, nil
}
