package cycle

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
)

// Unauthenticated is the reason for a 401, which is logged and not shown to the client.
func Unauthenticated(text string) error {
	return fmt.Errorf("%w: %s", twinplatform.Unauthenticated, text)
}

// ErrNoHeader is the one answer to every fault of the credentials, so that it does not
// reveal which one it was.
var ErrNoHeader = &twinplatform.Error{
	Kind: twinplatform.Unauthenticated, Code: "HeaderNotFound",
	Message: "The Authorization header was not found in the request. Access denied.",
}

// ErrUnchecked asks a client to try again.
var ErrUnchecked = &twinplatform.Error{
	Kind: twinplatform.Unavailable, Code: "AuthenticationUnavailable",
	Message: "The credentials cannot be checked at present.",
}

// authenticate returns the caller, who must hold one of the scopes when there
// are any.
func (s *Server) authenticate(ctx context.Context, r *http.Request, scopes []string) (twinplatform.Principal, error) {
	p, err := s.Ask(ctx, r)
	switch {
	case errors.Is(err, twinplatform.Unauthenticated):
		return twinplatform.Principal{}, ErrNoHeader.Because(err)
	case err != nil:
		return twinplatform.Principal{}, ErrUnchecked.Because(err)
	case p.ID == "":
		return twinplatform.Principal{}, ErrNoHeader.Because(Unauthenticated("the authenticator knows a principal without an id"))
	case len(scopes) > 0 && !slices.ContainsFunc(scopes, p.HasScope):
		return twinplatform.Principal{}, ErrNoHeader.Because(Unauthenticated("missing scope: the principal " + p.ID + " has none of " + strings.Join(scopes, ", ")))
	}
	return p, nil
}
