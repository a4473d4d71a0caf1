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

// schemesTaken is the same answer to a header of another scheme than Bearer, which says what the operation takes. It
// says nothing of what came with the scheme.
func schemesTaken(err error, r *http.Request, shared bool) error {
	scheme, _, _ := strings.Cut(strings.TrimSpace(r.Header.Get("Authorization")), " ")
	e, ok := errors.AsType[*twinplatform.Error](err)
	if !ok || e.Code != ErrNoHeader.Code || scheme == "" || strings.EqualFold(scheme, "Bearer") {
		return err
	}
	said := *e
	said.Message = "The Authorization header is of a scheme that this operation does not take: " +
		"send 'Bearer' with a token. Access denied."
	if shared {
		said.Message = "The Authorization header has nothing that this operation takes: " +
			"send 'Bearer' with a token, or 'Basic' with the key of a share as it was given. Access denied."
	}
	return &said
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
		return twinplatform.Principal{},
			ErrNoHeader.Because(Unauthenticated("the authenticator knows a principal without an id"))
	case len(scopes) > 0 && !slices.ContainsFunc(scopes, p.HasScope):
		return twinplatform.Principal{},
			ErrNoHeader.Because(Unauthenticated("missing scope: the principal " + p.ID + " has none of " +
				strings.Join(scopes, ", ")))
	}
	return p, nil
}
