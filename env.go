package twinplatform

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/rs/xid"
)

// Env is what surrounds a service. The zero value is ready: the real clock,
// fresh ids, no log, organization administrators only, and operations that run
// before the call returns.
type Env struct {
	// Now is the clock. Nil means time.Now. While it gives the zero time, what is recorded
	// has no date: null in answers, as seeds of old records have it. Operations and events
	// are of the present all the same.
	Now func() time.Time
	// Elapsed is how much time has passed since some moment, by a clock that is never set: what
	// waits, is on lease or is repeated after a pause goes by it, so that it makes no difference
	// to it when Now goes back or jumps. Nil means the monotonic clock where Now is nil, or the
	// one clock of a store that several processes share (storage.Timed), and otherwise what Now
	// has gone on by, without the times that it went back. A clock of tests that can be set
	// gives both.
	Elapsed func() time.Duration
	// NewID makes an id for what the platform numbers itself. Ids sort by
	// creation. Nil means an xid.
	NewID func() string
	// NewGUID makes an id where clients require a GUID. Nil means a random
	// one.
	NewGUID func() string
	// Logger receives what no caller is shown: causes of internal errors, work that was
	// resumed. Nil discards it.
	Logger *slog.Logger
	// Authorizer decides what callers may do. Nil leaves it to their being an
	// organization administrator of the account.
	Authorizer Authorizer
	// Principals reports who may call at present. Nil takes every principal for what it
	// was when something began to act for it.
	Principals PrincipalDirectory
	// AdministratorRole is the role that makes an organization administrator besides
	// AccountAdministrator and CoAdministrator, compared exactly. Empty means that there
	// is none. The services of one platform are given the same.
	AdministratorRole AdministratorRole
	// OnEvents is called after every change that events were recorded of, and
	// returns at once; webhooks.Service.Wake is made for it. Events are recorded
	// from the first webhook on, and of nothing while there is none. Nil leaves
	// it to the process that delivers events to look for them.
	OnEvents func()
	// Bytes keeps the bytes of planner files, attachments, images and exports outside the
	// store. Nil keeps them in the store, and so in memory where that does. What was kept
	// in the store before stays there and is read; without the Bytes that has them,
	// contents fail with StorageUnavailable. The services of one platform are given the
	// same; its maker closes it. Snapshots and forks of a store share it: what one of
	// them deletes is gone for all.
	Bytes ByteStore
	// Background makes long-running operations wait for the service's Run,
	// instead of running before the call that starts them returns.
	Background bool
	// Lease is how long work stays with the process that does it, after its last step,
	// where several share a store: one that dies is taken over by the Run of another
	// then, which looks for such work five times as often. Where the store has no clock
	// (storage.Timed), those of the processes differ by much less. 0 means DefaultLease.
	Lease time.Duration
	// Gate keeps operations from being done, as tests do: see httpapitest. Nil keeps
	// none.
	Gate OperationGate
	// Retain is how long it is remembered what was deleted, so that deltas list it, and
	// how long operations that have ended can be asked for. The Run of any service
	// forgets what is older, no later than a sixteenth of the time after that, or an
	// hour; that of package transform deletes transformations that ended longer ago. 0
	// means DefaultRetain; a negative time keeps all of it forever. Audit trails and
	// comments stay in any case.
	Retain time.Duration
}

// DefaultRetain is how long it is remembered what was deleted and what was done.
const DefaultRetain = 30 * 24 * time.Hour

// IsGeneratedID reports whether an id has the form of those that Env.NewID makes by default.
// They sort by creation, which ids of clients do not.
func IsGeneratedID(id string) bool {
	_, err := xid.FromString(id)
	return err == nil
}

// DefaultLease is how long work stays with a process that may be dead.
const DefaultLease = 5 * time.Second

// WithDefaults returns a copy in which every function but Elapsed, the logger and the
// retention are set.
func (e Env) WithDefaults() Env {
	if e.Now == nil {
		e.Now = time.Now
	}
	if e.NewID == nil {
		e.NewID = func() string { return xid.New().String() }
	}
	if e.NewGUID == nil {
		e.NewGUID = NewGUID
	}
	if e.OnEvents == nil {
		e.OnEvents = func() {}
	}
	if e.Retain == 0 {
		e.Retain = DefaultRetain
	}
	if e.Lease <= 0 {
		e.Lease = DefaultLease
	}
	if e.Logger == nil {
		e.Logger = slog.New(slog.DiscardHandler)
	}
	return e
}

// Administers reports whether p is an organization administrator of the account:
// the caller that belongs to it and holds at least one of the three administrator roles.
// No caller administers what belongs to no account.
func (e Env) Administers(p Principal, accountID string) bool {
	return p.AccountID != "" && p.AccountID == accountID && slices.ContainsFunc(p.AdministratorRoles, e.administrates)
}

// administrates reports whether a role is one of the three.
func (e Env) administrates(role AdministratorRole) bool {
	return role == AccountAdministrator || role == CoAdministrator || role != "" && role == e.AdministratorRole
}

// CheckPrincipal reports an administrator role that is none of the three, and which there
// are. A role that is misspelled would be worth nothing, and its bearer be refused
// everywhere without a word about why. The error is one of the program, not of the request:
// over HTTP it is answered with 500 and logged.
func (e Env) CheckPrincipal(p Principal) error {
	for _, role := range p.AdministratorRoles {
		if e.administrates(role) {
			continue
		}
		third := "none is configured as Env.AdministratorRole"
		if e.AdministratorRole != "" {
			third = fmt.Sprintf("%q", e.AdministratorRole)
		}
		return fmt.Errorf("the principal %q has the unknown administrator role %q: there are %q, %q, and %s",
			p.ID, role, AccountAdministrator, CoAdministrator, third)
	}
	return nil
}

// Allowed reports whether the caller in ctx holds the permission at the
// target. The system may do everything, an organization administrator
// everything in the own account, and everybody else what the Authorizer says. It
// fails for a caller that CheckPrincipal refuses.
func (e Env) Allowed(ctx context.Context, permission string, target Target) (bool, error) {
	p, ok := PrincipalFrom(ctx)
	if ok && p.ReadOnly != nil {
		return p.ReadOnly.allows(ctx, permission, target)
	}
	if err := e.CheckPrincipal(p); err != nil {
		return false, err
	}
	if !ok || e.Administers(p, target.AccountID) {
		return true, nil
	}
	if e.Authorizer == nil {
		return false, nil
	}
	allowed, err := e.Authorizer.Allowed(ctx, p, permission, target)
	if err != nil {
		return false, fmt.Errorf("asking whether %s is allowed: %w", permission, err)
	}
	return allowed, nil
}

// Present returns a principal as Principals knows it now, and whether it may call still.
// Without Principals, administrator roles that there were when p was noted and that there
// are no more are left out.
func (e Env) Present(ctx context.Context, p Principal) (now Principal, ok bool, err error) {
	if e.Principals == nil {
		p.AdministratorRoles = slices.DeleteFunc(slices.Clone(p.AdministratorRoles),
			func(role AdministratorRole) bool { return !e.administrates(role) })
		return p, true, nil
	}
	if now, ok, err = e.Principals.Principal(ctx, p.AccountID, p.ID); err != nil {
		return now, false, fmt.Errorf("asking whether %q may call still: %w", p.ID, err)
	}
	return now, ok && now.ID == p.ID && now.AccountID == p.AccountID, nil
}

// NewGUID returns a random (version 4) GUID in lower case.
func NewGUID() string {
	var b [16]byte
	rand.Read(b[:])
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
