package httpapi

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// Overhear returns what puts a request to a deployment under baseURL that speaks under the
// vocabulary, and the answer to it, into the words of the specification: addresses, headers,
// bodies, links and codes of errors. It is told of traffic that others have; [Vocabulary.Transport]
// is for clients. The request has the whole address that it was sent to. What it returns is the
// operation, or false for a request that is for none, which stays as it is.
//
// It fails on a vocabulary that [New] would refuse.
func (v Vocabulary) Overhear(baseURL string) (func(*http.Request, *http.Response) (Operation, bool, error), error) {
	sides, err := v.sides(baseURL)
	if err != nil {
		return nil, err
	}
	base, err := url.Parse(strings.TrimSuffix(baseURL, "/"))
	if err != nil {
		return nil, err
	}
	known := operations(everyRoute())
	return func(r *http.Request, res *http.Response) (Operation, bool, error) {
		n, err := -1, error(nil)
		if below, ok := strings.CutPrefix(r.URL.EscapedPath(), base.EscapedPath()); v.words().Key() != "" {
			n, err = sides.Overheard(r, res)
		} else if ok {
			n = sides.PlatformFinds(r.Method, below)
		}
		if err != nil {
			return Operation{}, false, fmt.Errorf("httpapi: %w", err)
		}
		if n < 0 {
			return Operation{}, false, nil
		}
		return known[n], true, nil
	}, nil
}
