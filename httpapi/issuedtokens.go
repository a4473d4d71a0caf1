package httpapi

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"hash/maphash"
	"slices"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
)

// IssuedToken is a bearer token as its issuer stores it: a reader of that cannot call
// with it.
type IssuedToken struct {
	// Digest is the SHA-256 of the token, which is long and random: the digest of a token
	// that can be guessed shows when a guess is right.
	Digest    [sha256.Size]byte
	Principal twinplatform.Principal
	Expires   time.Time // from when on it is no longer good; the zero value: never
	// Used is called for each request that the token is valid for, before it is answered;
	// it must not block. Nil means none.
	Used func(at time.Time)
}

// IssuedTokens returns an authenticator for a fixed set of bearer tokens of which the
// digests alone are known. now is the clock by which they expire, nil means time.Now. The
// time it takes does not reveal how much of a token is right. [New] fails with the same
// principals as with [StaticTokens].
func IssuedTokens(now func() time.Time, tokens ...IssuedToken) Authenticator {
	s := newIssuedTokens(now)
	for _, t := range tokens {
		s.add(t)
	}
	s.name = "IssuedTokens"
	return BearerTokens(s)
}

// issuedTokens are found by their digests under a seed that is secret, so that a client
// cannot choose where in the map its guesses fall.
type issuedTokens struct {
	name   string
	now    func() time.Time
	seed   maphash.Seed
	known  map[uint64][]IssuedToken
	faults []string
}

func newIssuedTokens(now func() time.Time) *issuedTokens {
	if now == nil {
		now = time.Now
	}
	return &issuedTokens{now: now, seed: maphash.MakeSeed(), known: make(map[uint64][]IssuedToken)}
}

func (s *issuedTokens) add(t IssuedToken) {
	bucket := maphash.Bytes(s.seed, t.Digest[:])
	s.known[bucket] = append(s.known[bucket], t)
	if fault := faultOf(t.Principal); fault != "" {
		s.faults = append(s.faults, fault)
	}
}

// Authenticate implements TokenAuthenticator.
func (s *issuedTokens) Authenticate(_ context.Context, token string) (twinplatform.Principal, error) {
	digest := sha256.Sum256([]byte(token))
	bucket := s.known[maphash.Bytes(s.seed, digest[:])]
	for i := range bucket {
		t := &bucket[i]
		if subtle.ConstantTimeCompare(t.Digest[:], digest[:]) != 1 {
			continue
		}
		if t.Expires.IsZero() && t.Used == nil {
			return t.Principal, nil
		}
		now := s.now()
		if !t.Expires.IsZero() && !now.Before(t.Expires) {
			return twinplatform.Principal{},
				cycle.Unauthenticated("a token of the principal " + t.Principal.ID + " that expired at " +
					t.Expires.UTC().Format(time.RFC3339))
		}
		if t.Used != nil {
			t.Used(now)
		}
		return t.Principal, nil
	}
	return twinplatform.Principal{}, twinplatform.Unauthenticated
}

// Check reports what is wrong with the first of the principals that are no good, in the
// order of their ids.
func (s *issuedTokens) Check() error {
	if len(s.faults) == 0 {
		return nil
	}
	return fmt.Errorf("%s: %s", s.name, slices.Min(s.faults))
}
