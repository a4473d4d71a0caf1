package httpapi

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
)

// StaticTokens returns an authenticator for a fixed set of bearer tokens. It keeps
// their digests alone, and the time it takes does not tell how much of a token
// is right. [New] fails with a token that no header can carry, with a
// principal that has no id, no account or no scope, since the caller that carries its token
// could do nothing, and with a scope that is none of [twinplatform.Scopes].
func StaticTokens(tokens map[string]twinplatform.Principal) Authenticator {
	s := &staticTokens{known: make(map[uint64][]issued, len(tokens))}
	rand.Read(s.key[:])
	for token, p := range tokens {
		digest := s.digest(token)
		bucket := binary.BigEndian.Uint64(digest[:])
		s.known[bucket] = append(s.known[bucket], issued{digest, p})
		if fault := faultOf(token, p); fault != "" {
			s.faults = append(s.faults, fault)
		}
	}
	return BearerTokens(s)
}

// staticTokens are found by a digest under a key that is secret, so that a
// client cannot choose where in the map its guesses fall.
type staticTokens struct {
	key    [sha256.BlockSize]byte
	known  map[uint64][]issued
	faults []string
}

type issued struct {
	digest    [sha256.Size]byte
	principal twinplatform.Principal
}

func (s *staticTokens) digest(token string) [sha256.Size]byte {
	buf := make([]byte, 0, 4*sha256.BlockSize)
	return sha256.Sum256(append(append(buf, s.key[:]...), token...))
}

// Authenticate implements TokenAuthenticator.
func (s *staticTokens) Authenticate(_ context.Context, token string) (twinplatform.Principal, error) {
	digest := s.digest(token)
	for _, i := range s.known[binary.BigEndian.Uint64(digest[:])] {
		if subtle.ConstantTimeCompare(i.digest[:], digest[:]) == 1 {
			return i.principal, nil
		}
	}
	return twinplatform.Principal{}, twinplatform.Unauthenticated
}

// Check says what is wrong with the first of the principals that are no good, in
// the order of their ids.
func (s *staticTokens) Check() error {
	if len(s.faults) == 0 {
		return nil
	}
	return fmt.Errorf("StaticTokens: %s", slices.Min(s.faults))
}

// faultOf says why a caller could never do anything, and what to do about it.
func faultOf(token string, p twinplatform.Principal) string {
	who := fmt.Sprintf("the principal %q (%s)", p.ID, cmp.Or(p.DisplayName, "without a name"))
	switch {
	case !sendable(token):
		return "the token of " + who + " is empty, longer than 8 KiB or has characters that no Authorization header carries; give it printable ASCII without blanks"
	case p.ID == "":
		return who + " has no id; set Principal.ID to what roles and members know it by"
	case p.AccountID == "":
		return who + " has no account, so it could see nothing; set Principal.AccountID"
	case len(p.Scopes) == 0:
		return who + " has no scope, so each request would be answered with 401; set Principal.Scopes, such as " + twinplatform.ScopePlatform
	}
	for _, scope := range p.Scopes {
		if known := twinplatform.Scopes(); !slices.Contains(known, scope) {
			return who + " has a scope that nothing asks for: " + problem.Unknown("scope", scope, known)
		}
	}
	return ""
}
