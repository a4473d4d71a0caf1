package httpapi

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
)

// StaticTokens returns an authenticator for a fixed set of bearer tokens. It keeps their
// digests alone, and the time it takes does not reveal how much of a token is right. [New]
// fails with a token that no header can carry, with a principal that has no id, no account
// or no scope, since the caller that carries its token could do nothing, and with a scope
// that is none of [twinplatform.Scopes].
func StaticTokens(tokens map[string]twinplatform.Principal) Authenticator {
	s := newIssuedTokens(nil)
	for token, p := range tokens {
		s.add(IssuedToken{Digest: sha256.Sum256([]byte(token)), Principal: p})
		if !sendable(token) {
			s.faults = append(s.faults, "the token of "+whose(p)+
				" is empty, longer than 8 KiB or has characters that no Authorization header carries; give it "+
				"printable ASCII without blanks")
		}
	}
	s.name = "StaticTokens"
	return BearerTokens(s)
}

// whose is a principal as a message names it.
func whose(p twinplatform.Principal) string {
	return fmt.Sprintf("the principal %q (%s)", p.ID, cmp.Or(p.DisplayName, "without a name"))
}

// faultOf reports why a caller could never do anything, and what to do about it.
func faultOf(p twinplatform.Principal) string {
	switch {
	case p.ID == "":
		return whose(p) + " has no id; set Principal.ID to what roles and members know it by"
	case p.AccountID == "":
		return whose(p) + " has no account, so it could see nothing; set Principal.AccountID"
	case len(p.Scopes) == 0:
		return whose(p) + " has no scope, so each request would be answered with 401; set Principal.Scopes, such as " +
			twinplatform.ScopePlatform
	}
	for _, scope := range p.Scopes {
		if known := twinplatform.Scopes(); !slices.Contains(known, scope) {
			return whose(p) + " has a scope that nothing asks for: " + problem.Unknown("scope", scope, known)
		}
	}
	return ""
}
