package twinplatform

import (
	"context"
	"slices"
)

// PrincipalKind is whether a caller is a person or a program.
type PrincipalKind string

// The kinds of principals.
const (
	User    PrincipalKind = "User"
	Service PrincipalKind = "Service"
	// Group is what a group of people is among the members of a twin. It calls nothing itself.
	Group PrincipalKind = "Group"
	// Shared is the bearer of the key of a share.
	Shared PrincipalKind = "Share"
)

// Scopes that a caller's token may carry.
const (
	ScopePlatform       = "twin-platform"
	ScopeWebhooksRead   = "webhooks:read"
	ScopeWebhooksModify = "webhooks:modify"
)

// Scopes returns the scopes that the platform asks for. They are compared exactly.
func Scopes() []string {
	return []string{ScopePlatform, ScopeWebhooksRead, ScopeWebhooksModify}
}

// Principal is the caller on whose behalf something is done.
type Principal struct {
	ID          string // what roles and members know the caller by
	DisplayName string // shown next to what the caller makes
	// Email is the caller's address, which was verified when it was authenticated;
	// empty where it was not. Invitations to it are the caller's to accept, and other
	// people add the caller to twins of the own account by it.
	Email     string
	AccountID string // the account (organization) that the caller belongs to
	Kind      PrincipalKind
	Scopes    []string // what the token allows, such as ScopePlatform
	// AdministratorRoles are the administrator roles held in the account:
	// [AccountAdministrator], [CoAdministrator] or Env.AdministratorRole. Each makes an
	// organization administrator. Every call of a principal with another role fails:
	// see [Env.CheckPrincipal].
	AdministratorRoles []AdministratorRole
	// Issuer is the address of the issuer outside of the platform whose token the caller
	// bears; empty for callers that the program itself knows.
	Issuer string `json:",omitempty"`
	// ReadOnly is set for a caller that reads one twin and does nothing else, such as the
	// bearer of a share. It holds the permissions there and no others, whatever roles say.
	ReadOnly *ReadOnly
}

// ReadOnly is what a caller may read.
type ReadOnly struct {
	TwinID      string   // the one twin, without those below it
	Permissions []string // that it holds there at most
	// Grant is asked again with each reading, so that nothing is read behind its end. Nil
	// grants the permissions without an end.
	Grant Grant `json:"-"`
}

// Grant is what lets a caller read. An error of it is no permission.
type Grant interface {
	// Good reports whether it was neither revoked nor has ended. It is asked within the
	// transaction that reads.
	Good(ctx context.Context) (bool, error)
	// Holds reports whether its maker may read by the permission still. It is asked where
	// an [Authorizer] is.
	Holds(ctx context.Context, permission string) (bool, error)
}

// Good reports whether there is something to read still.
func (r *ReadOnly) Good(ctx context.Context) (bool, error) {
	if r.Grant == nil {
		return true, nil
	}
	return r.Grant.Good(ctx)
}

// allows reports whether a permission is among those of a reader at a target.
func (r *ReadOnly) allows(ctx context.Context, permission string, at Target) (bool, error) {
	if at.TwinID != r.TwinID || r.TwinID == "" || !slices.Contains(r.Permissions, permission) {
		return false, nil
	}
	if good, err := r.Good(ctx); err != nil || !good || r.Grant == nil {
		return good, err
	}
	return r.Grant.Holds(ctx, permission)
}

// AdministratorRole is a role that makes a principal an organization administrator of its
// account. Roles are compared exactly.
type AdministratorRole string

// The administrator roles that have a name. A third one can be configured as
// Env.AdministratorRole.
const (
	AccountAdministrator AdministratorRole = "Account Administrator"
	CoAdministrator      AdministratorRole = "Co-Administrator"
)

// HasScope reports whether the caller's token carries the scope.
func (p Principal) HasScope(scope string) bool { return slices.Contains(p.Scopes, scope) }

type principalKey struct{}

// WithPrincipal returns a context in which p is the caller.
func WithPrincipal(ctx context.Context, p Principal) context.Context {
	return context.WithValue(ctx, principalKey{}, p)
}

// PrincipalFrom returns the caller. Without one, the program itself acts, as
// the system, and may do everything.
func PrincipalFrom(ctx context.Context) (Principal, bool) {
	p, ok := ctx.Value(principalKey{}).(Principal)
	return p, ok
}

// PrincipalDirectory reports who may call at present. It is asked where something acts
// for a principal that does not call itself: an address that it was given, an invitation
// that it made. One that is [Transactional] is asked within the transaction that acts on
// the answer, any other before it.
type PrincipalDirectory interface {
	// Principal returns the principal of an account with an id as it is now, and
	// whether there is one that may call.
	Principal(ctx context.Context, accountID, id string) (p Principal, ok bool, err error)
}

// Target is what a permission is asked for: a twin, or the whole account when
// TwinID is empty.
type Target struct {
	TwinID    string
	AccountID string // the account of the twin; empty where it belongs to none
}

// Authorizer reports what callers may do. It is asked by the domain services, so callers
// through Go and over HTTP are held to the same rules.
type Authorizer interface {
	// Allowed reports whether p holds the permission at the target. An error
	// means that it could not be found out, and is not a refusal. It is
	// called before the transaction that acts on the answer, and one that is
	// Transactional again within it.
	Allowed(ctx context.Context, p Principal, permission string, target Target) (bool, error)
}

// Transactional marks authorizers and directories of twins that answer from the
// platform's own store. They are asked within the transaction that acts on the
// answer, so that nothing can change in between. What answers from elsewhere, over
// a network say, must not be Transactional: while it answers, the store's one
// writer waits, and so does everybody else. Its answers are as old as the call.
type Transactional interface {
	// Transactional reports that every method reads through the transaction that its
	// context carries.
	Transactional()
}
