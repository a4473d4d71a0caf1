package httpapi

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
)

// Authenticator knows who the bearer of a token is.
type Authenticator interface {
	// Authenticate returns the principal that the token was issued to, with
	// the scopes it carries. For a token that it does not know, or that is no
	// longer good, the error is twinplatform.Unauthenticated; any other error
	// means that this could not be found out, and the client is told to try
	// again.
	Authenticate(ctx context.Context, token string) (twinplatform.Principal, error)
}

// StaticTokens returns an authenticator for a fixed set of tokens. It keeps
// their digests alone, and the time it takes does not tell how much of a token
// is right.
func StaticTokens(tokens map[string]twinplatform.Principal) Authenticator {
	s := &staticTokens{known: make(map[uint64][]issued, len(tokens))}
	rand.Read(s.key[:])
	for token, p := range tokens {
		digest := s.digest(token)
		bucket := binary.BigEndian.Uint64(digest[:])
		s.known[bucket] = append(s.known[bucket], issued{digest, p})
	}
	return s
}

// staticTokens are found by a digest under a key that nobody knows, so that a
// client cannot choose where in the map its guesses fall.
type staticTokens struct {
	key   [sha256.BlockSize]byte
	known map[uint64][]issued
}

type issued struct {
	digest    [sha256.Size]byte
	principal twinplatform.Principal
}

func (s *staticTokens) digest(token string) [sha256.Size]byte {
	buf := make([]byte, 0, 4*sha256.BlockSize)
	return sha256.Sum256(append(append(buf, s.key[:]...), token...))
}

// Authenticate implements Authenticator.
func (s *staticTokens) Authenticate(_ context.Context, token string) (twinplatform.Principal, error) {
	digest := s.digest(token)
	for _, i := range s.known[binary.BigEndian.Uint64(digest[:])] {
		if subtle.ConstantTimeCompare(i.digest[:], digest[:]) == 1 {
			return i.principal, nil
		}
	}
	return twinplatform.Principal{}, twinplatform.Unauthenticated
}

// errNoHeader is the one answer to every fault of the credentials, so that it
// does not tell which one it was.
var errNoHeader = &twinplatform.Error{
	Kind: twinplatform.Unauthenticated, Code: "HeaderNotFound",
	Message: "The Authorization header was not found in the request. Access denied.",
}

// maxToken is the length of the longest bearer token that is looked at.
const maxToken = 8 << 10

// bearerToken returns the token of a request.
func bearerToken(header http.Header) (string, bool) {
	values := header["Authorization"]
	if len(values) != 1 {
		return "", false
	}
	scheme, token, ok := strings.Cut(values[0], " ")
	if !ok || !strings.EqualFold(scheme, "Bearer") {
		return "", false
	}
	token = strings.Trim(token, " ")
	if token == "" || len(token) > maxToken {
		return "", false
	}
	for i := range len(token) {
		if token[i] <= ' ' || token[i] >= 0x7f {
			return "", false
		}
	}
	return token, true
}

// authenticate returns the caller, who must hold one of the scopes when there
// are any.
func (h *Handler) authenticate(ctx context.Context, header http.Header, scopes []string) (twinplatform.Principal, error) {
	token, ok := bearerToken(header)
	if !ok {
		return twinplatform.Principal{}, errNoHeader
	}
	p, err := h.cfg.Authenticator.Authenticate(ctx, token)
	switch {
	case errors.Is(err, twinplatform.Unauthenticated):
		return twinplatform.Principal{}, errNoHeader
	case err != nil:
		return twinplatform.Principal{}, (&twinplatform.Error{
			Kind: twinplatform.Unavailable, Code: "AuthenticationUnavailable",
			Message: "The credentials cannot be checked at present.",
		}).Because(err)
	case len(scopes) > 0 && !slices.ContainsFunc(scopes, p.HasScope):
		return twinplatform.Principal{}, errNoHeader
	}
	return p, nil
}
