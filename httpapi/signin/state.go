package signin

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"sync"
	"time"

	"github.com/seed-933f9a09/twinplatform/platform"
)

// maxKept is how many sessions, codes and devices are kept at most, each. What has expired
// makes room; beyond that people are asked to try again.
const maxKept = 10_000

// state is what is under way. Everything expires.
type state struct {
	mu       sync.Mutex
	secret   [32]byte           // of this start
	sessions map[string]session // by their ids
	codes    map[string]code    // by themselves
	devices  map[string]device  // by their device codes
}

func newState() *state {
	s := &state{sessions: make(map[string]session), codes: make(map[string]code), devices: make(map[string]device)}
	_, _ = rand.Read(s.secret[:]) // it never fails
	return s
}

// grant is what someone let a client do.
type grant struct {
	client   string
	digest   platform.TokenDigest // of the token that was signed in with
	scopes   []string             // with those of OpenID Connect
	nonce    string
	signedIn time.Time
}

// session is a grant that tokens were issued for.
type session struct {
	grant
	id      string
	refresh [32]byte  // the digest of the one refresh token that is good; zero: there is none
	expires time.Time // from when on nothing is issued for it
}

// code is an authorization code. It stays a while after it was used, so that a second use is
// seen, which ends the session: someone else may have it.
type code struct {
	grant
	redirect  string
	challenge string
	expires   time.Time
	session   string // that was made of it; empty before
	used      bool
}

// device is a program that waits for someone to sign in elsewhere.
type device struct {
	client   string
	userCode string
	scopes   []string
	expires  time.Time
	next     time.Time // before which it may not ask again
	interval time.Duration
	granted  *grant // nil before
	denied   bool
}

// keep puts something into a map in which there is room once what has expired is gone.
func keep[V any](m map[string]V, key string, v V, expired func(V) bool) error {
	if len(m) >= maxKept {
		for k, old := range m {
			if expired(old) {
				delete(m, k)
			}
		}
	}
	if len(m) >= maxKept {
		return errFull
	}
	m[key] = v
	return nil
}

// refreshToken is a secret of a session, by which it is found, and one of this token.
func refreshToken(family string) string { return family + rand.Text() }

// familyLength is the length of what the refresh tokens of a session begin with.
const familyLength = 26

// sessionID is public; the family it is made of is not.
func sessionID(family string) string {
	sum := sha256.Sum256([]byte("session " + family))
	return encoded(sum[:18])
}

// begin makes a session of a grant, with a refresh token where the grant has one, until a
// time at the latest.
func (s *state) begin(g grant, now, expires time.Time, refreshed bool) (session, string, error) {
	family, refresh := rand.Text(), ""
	made := session{grant: g, id: sessionID(family), expires: expires}
	if refreshed {
		refresh = refreshToken(family)
		made.refresh = sha256.Sum256([]byte(refresh))
	}
	return made, refresh, keep(s.sessions, made.id, made, func(old session) bool { return !now.Before(old.expires) })
}

// renew exchanges a refresh token of a client for the next one, for some of the scopes that
// were granted (none: all). A second use of the same one ends its session.
func (s *state) renew(client, refresh string, scopes []string, now time.Time) (session, string, error) {
	if len(refresh) <= familyLength {
		return session{}, "", errBadGrant
	}
	family := refresh[:familyLength]
	known, ok := s.sessions[sessionID(family)]
	if !ok || known.client != client || !now.Before(known.expires) {
		return session{}, "", errBadGrant
	}
	sum := sha256.Sum256([]byte(refresh))
	if subtle.ConstantTimeCompare(sum[:], known.refresh[:]) != 1 {
		delete(s.sessions, known.id)
		return session{}, "", errBadGrant
	}
	for _, scope := range scopes {
		if !has(known.scopes, scope) {
			return session{}, "", refuse("invalid_scope", scope+" was not granted")
		}
	}
	next := refreshToken(family)
	known.refresh = sha256.Sum256([]byte(next))
	s.sessions[known.id] = known
	if len(scopes) > 0 {
		known.scopes = scopes
	}
	return known, next, nil
}

// redeem uses a code up: whatever comes of it, it is valid for nothing more.
func (s *state) redeem(text string, now time.Time) (code, error) {
	known, ok := s.codes[text]
	switch {
	case !ok:
		return known, errBadGrant
	case known.used:
		delete(s.sessions, known.session)
		return known, errBadGrant
	}
	known.used = true
	s.codes[text] = known
	if !now.Before(known.expires) {
		return known, errBadGrant
	}
	return known, nil
}

var errBadGrant = refusal{
	"invalid_grant",
	"the code or token is unknown, of another client, expired or was used before",
}
