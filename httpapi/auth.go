package httpapi

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
)

// Authenticator knows who sends a request. [BearerTokens] makes one of anything
// that knows tokens, and [StaticTokens] one of a fixed set of them.
//
// One that has a method Check() error as well is asked by [New], which fails
// with what is wrong with it.
type Authenticator interface {
	// Authenticate returns the principal that sends the request, with the scopes
	// that it may use: found by a token, a cookie, a client's certificate, or by
	// what a handler around this one has put into the context. It does not read
	// the body, and r.Context() is done when the request has run out of time.
	//
	// Where the request has no credentials, or credentials that are no longer valid, the
	// error is, or wraps, twinplatform.Unauthenticated. The client learns nothing more;
	// the text of the error is logged as the reason of the 401, so it must hold no
	// secret. Any other error means that the check failed, and the client is asked to try
	// again.
	Authenticate(r *http.Request) (twinplatform.Principal, error)
}

// TokenAuthenticator knows who the bearer of a token is.
type TokenAuthenticator interface {
	// Authenticate returns the principal that the token was issued to, with
	// the scopes it carries. For a token that it does not know, or that is no
	// longer good, the error is, or wraps, twinplatform.Unauthenticated; any
	// other error means that this could not be found out.
	Authenticate(ctx context.Context, token string) (twinplatform.Principal, error)
}

// BearerTokens returns an authenticator for requests that carry a bearer token of
// at most 8 KiB in their Authorization header.
func BearerTokens(tokens TokenAuthenticator) Authenticator { return bearerTokens{tokens} }

type bearerTokens struct{ tokens TokenAuthenticator }

// Authenticate implements Authenticator.
func (b bearerTokens) Authenticate(r *http.Request) (twinplatform.Principal, error) {
	return b.within(r.Context(), r.Header)
}

// within is Authenticate of a request with these headers, in a context.
func (b bearerTokens) within(ctx context.Context, header http.Header) (twinplatform.Principal, error) {
	token, err := bearerToken(header)
	if err != nil {
		return twinplatform.Principal{}, err
	}
	p, err := b.tokens.Authenticate(ctx, token)
	if err == twinplatform.Unauthenticated { //nolint:errorlint // one that wraps it says more than this does
		err = errUnknownToken
	}
	return p, err
}

// Check reports what is wrong with what is asked for the tokens.
func (b bearerTokens) Check() error {
	if b.tokens == nil {
		return errors.New("BearerTokens(nil) knows no token; give it what does")
	}
	return checked(b.tokens)
}

// checked is what an authenticator finds wrong with itself.
func checked(authenticator any) error {
	if c, ok := authenticator.(interface{ Check() error }); ok {
		return c.Check()
	}
	return nil
}

// The reasons for a 401, which are logged and not shown to the client.
var (
	errNoCredentials = cycle.Unauthenticated("no Authorization header")
	errNoBearer      = cycle.Unauthenticated("malformed Authorization header: not one bearer token of printable " +
		"characters")
	errUnknownToken = cycle.Unauthenticated("unknown token")
)

// maxToken is the length of the longest bearer token that is looked at.
const maxToken = 8 << 10

// bearerToken returns the token of a request.
func bearerToken(header http.Header) (string, error) {
	values := header["Authorization"]
	if len(values) == 0 {
		return "", errNoCredentials
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	token = strings.Trim(token, " ")
	if len(values) > 1 || !strings.EqualFold(scheme, "Bearer") || !sendable(token) {
		return "", errNoBearer
	}
	return token, nil
}

// sendable reports whether an Authorization header can carry a token.
func sendable(token string) bool {
	if token == "" || len(token) > maxToken {
		return false
	}
	for i := range len(token) {
		if token[i] <= ' ' || token[i] >= 0x7f {
			return false
		}
	}
	return true
}

// asked asks the authenticator who sends a request. Only one from outside needs the
// request in the context.
//
// A caller that it does not know may bear the key of a share of a twin.
func (h *Handler) asked(ctx context.Context, r *http.Request) (twinplatform.Principal, error) {
	p, err := h.known(ctx, r)
	if err == nil || h.cfg.Twins == nil || !errors.Is(err, twinplatform.Unauthenticated) {
		return p, err
	}
	key, ok := shareKey(r.Header)
	if !ok {
		return p, err
	}
	shared, notShared := h.cfg.Twins.SharePrincipal(ctx, key)
	if errors.Is(notShared, twinplatform.Unauthenticated) {
		return p, err
	}
	return shared, notShared
}

// shareKey is the key of a share that a request carries, as clients send it.
func shareKey(header http.Header) (key string, ok bool) {
	values := header["Authorization"]
	if len(values) != 1 {
		return "", false
	}
	scheme, key, _ := strings.Cut(values[0], " ")
	key = strings.Trim(key, " ")
	return key, strings.EqualFold(scheme, "Basic") && sendable(key)
}

// known asks the authenticator alone.
func (h *Handler) known(ctx context.Context, r *http.Request) (twinplatform.Principal, error) {
	if b, ok := h.cfg.Authenticator.(bearerTokens); ok {
		return b.within(ctx, r.Header)
	}
	return h.cfg.Authenticator.Authenticate(r.WithContext(ctx))
}
