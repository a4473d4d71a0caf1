package twinplatform

import "context"

// TwinDirectory reports which twins there are. One that is [Transactional] is asked
// within the transaction that acts on the answer, any other before it.
type TwinDirectory interface {
	// TwinAccount returns the account that a twin belongs to, and whether there
	// is such a twin.
	TwinAccount(ctx context.Context, twinID string) (accountID string, ok bool, err error)
}

// TwinHolder is an area that may hold something of a twin, which keeps the twin
// from being deleted.
type TwinHolder interface {
	// HoldsOf names what it holds of the twin, in the plural and in one or two
	// words, such as "schedules". It is empty when that is nothing. It asks for
	// no permission. It is called before the transaction that deletes the twin,
	// and a holder that is [Transactional] within it instead: any other can begin
	// to hold something in between.
	HoldsOf(ctx context.Context, twinID string) (what string, err error)
}

// TwinHolderFunc makes a function a [TwinHolder].
type TwinHolderFunc func(ctx context.Context, twinID string) (what string, err error)

// HoldsOf calls f.
func (f TwinHolderFunc) HoldsOf(ctx context.Context, twinID string) (string, error) {
	return f(ctx, twinID)
}

// NamingHolder is a TwinHolder of records whose ids callers choose, so that they are
// unique within an account alone.
type NamingHolder interface {
	TwinHolder
	// AmbiguousID returns an id of something that it holds of a twin by which the caller would not
	// reach that, could it see the twin: the account of the caller has, or had, another record
	// with the id, or the caller sees one of a third account. It is empty when there is none. It
	// is called before a principal of another account becomes a member of the twin or of one
	// above.
	AmbiguousID(ctx context.Context, twinID string) (id string, err error)
}

// MembershipHolder is a TwinHolder in which a caller can have grants on a single record
// of a twin, which ends with being a member of the twin. It is [Transactional].
type MembershipHolder interface {
	TwinHolder
	Transactional
	// EndMembership takes from a principal all that it was granted on single records of the
	// twin. It asks for no permission. It is called within the transaction that removes the
	// principal from the members of the twin, over the same store, and writes through it.
	EndMembership(ctx context.Context, twinID, principalID string) error
}

// PermissionsHolder is a TwinHolder that keeps what follows from who may do what, as it was
// until it changes. It is [Transactional].
type PermissionsHolder interface {
	TwinHolder
	Transactional
	// PermissionsChange is called within the transaction that changes what a principal may do
	// at a twin, or in the twins of an account where the target names none, over the same
	// store, before anything of that is written. An empty principal is anybody. It asks for no
	// permission, and writes through the transaction.
	PermissionsChange(ctx context.Context, at Target, principalID string) error
}
