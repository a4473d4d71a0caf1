package twins

import (
	"context"
	"net/http"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
)

// caller is who sends a request.
type caller struct {
	// the account that it belongs to; null when it belongs to none
	AccountID   twinplatform.NullString `json:"accountId"`
	DisplayName twinplatform.NullString `json:"displayName"` // null when there is none
	// that was verified when it signed in; null when none was
	Email      twinplatform.NullString    `json:"email"`
	ID         string                     `json:"id"`         // what roles and members know it by
	MemberType twinplatform.PrincipalKind `json:"memberType"` // User or Service
}

// theCaller is the answer of GET /users/me.
type theCaller struct {
	User caller `json:"user"` // who sends the request, as it was authenticated
}

func callerRoutes() cycle.Routes {
	o := cycle.Operation{
		ID: "users.me", Method: http.MethodGet, Path: "/users/me", Summary: "Get the caller",
		Origin: cycle.Chosen,
	}
	me := cycle.Routes{route.Answer(o, http.StatusOK,
		func(ctx context.Context, _ *cycle.Exchange, _ cycle.Nothing) (out theCaller, err error) {
			p, _ := twinplatform.PrincipalFrom(ctx)
			kind := p.Kind
			if kind == "" {
				kind = twinplatform.User
			}
			out.User = caller{
				twinplatform.NullString(p.AccountID), twinplatform.NullString(p.DisplayName),
				twinplatform.NullString(p.Email), p.ID, kind,
			}
			return out, nil
		})}.Share()
	return me.Need("none")
}
