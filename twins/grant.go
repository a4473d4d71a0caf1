package twins

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Allowed implements twinplatform.Authorizer: it reports whether p holds the permission
// through a role at the target's twin or at one above it. A member counts for the account
// that it has come from alone (Member.AccountID), whichever principal has its id. An
// organization administrator of the twin's account holds every permission. At a twin that
// does not exist no principal holds any.
//
// In a context that carries a transaction over the same store it reads through that; else
// it opens its own.
func (s *Service) Allowed(ctx context.Context, p twinplatform.Principal, permission string,
	target twinplatform.Target,
) (allowed bool, err error) {
	twinID := target.TwinID
	if twinID == "" {
		twinID = target.AccountID
	}
	if twinID == "" {
		return false, nil
	}
	err = s.db.View(ctx, func(v *records.View) error {
		g, err := found(s.grantOf(v, whoIs(p), twinID))
		allowed = g != nil && (s.env.Administers(p, g.account) || g.held.allows(permission))
		return err
	})
	return allowed, err
}

// who is what members are known by.
type who struct{ id, account string }

func whoIs(p twinplatform.Principal) who { return who{p.ID, p.AccountID} }

// grant is what one principal may do at one twin, and where that is.
type grant struct {
	account string
	held    permissionSet
}

// grantOf returns what a principal may do at a twin, or records.ErrNotFound when
// there is no such twin.
//
// Grants are kept for as long as nothing changes that they follow from: every transaction
// that changes twins, roles or members of an account leaves a new epoch in the store, and
// what was kept serves the transactions that read the same epoch. Epochs are random, so
// that a store which is put back to an earlier state never meets what was kept of another.
func (s *Service) grantOf(tx records.Reading, p who, twinID string) (*grant, error) {
	account, key, err := s.grantKey(tx, p, twinID)
	if err != nil {
		return nil, err
	}
	if g, ok := s.grants.get(key); ok {
		return g, nil
	}
	s.declareGrant(tx, p, twinID)
	g, from, err := resolve(tx, p, twinID)
	switch {
	case err != nil:
		return nil, err
	case g.account == account:
		s.grants.put(key, g, 1)
		s.sources.put(sourceKey{p, twinID}, from, 1+len(from.twins)+len(from.roles))
	default:
		s.accounts.put(twinID, g.account, 1)
	}
	return g, nil
}

// resolve collects what the roles of a principal hold, from the twin upwards, and returns
// where it found them.
func resolve(tx records.Reading, p who, twinID string) (*grant, *source, error) {
	at, err := nodeRecords.Value(tx, allAccounts, twinID)
	if err != nil {
		return nil, nil, err
	}
	g, from := &grant{account: at.account()}, new(source)
	groups, err := groupsOf(tx, g.account, p)
	if err != nil {
		return nil, nil, err
	}
	for p.id != "" {
		if err := from.addMember(tx, g.account, at, p, groups); err != nil {
			return nil, nil, err
		}
		if at.ParentID == "" {
			break
		}
		if at, err = nodeRecords.Value(tx, inAccount(g.account), string(at.ParentID)); err != nil {
			return nil, nil, err
		}
	}
	return g, from, g.addAll(tx, from.roles)
}

// source is where a grant comes from: the twins of which the principal may be a member, from
// the twin upwards, and the roles that it has there.
type source struct {
	twins []string
	roles []string // keys of their records
}

// sourceKey names a source.
type sourceKey struct {
	who

	twinID string
}

// addMember adds what a principal has by being a member of a twin, itself or by groups. What
// will be read of the roles, and of the twin above, is declared before.
func (f *source) addMember(tx records.Reading, account string, at *node, p who, groups []groupRef) error {
	f.twins = append(f.twins, at.ID)
	if at.ParentID != "" {
		declareMember(tx, p, string(at.ParentID))
	}
	ids, err := rolesAt(tx, account, at.ID, p, groups)
	for _, id := range ids {
		role := recordID(at.ID, id)
		f.roles = append(f.roles, role)
		records.Declare(tx, roleRecords.Table().Need(allAccounts, role))
	}
	return err
}

// declareMember declares what tells what a principal is at a twin.
func declareMember(tx records.Reading, p who, twinID string) {
	records.Declare(tx, nodeRecords.Table().Need(allAccounts, twinID))
	if p.id != "" {
		records.Declare(tx, memberRecords.Table().Need(allAccounts, recordID(twinID, p.id)))
	}
}

// declareGrant declares what resolve reads.
func (s *Service) declareGrant(tx records.Reading, p who, twinID string) {
	if !records.Remote(tx) {
		return
	}
	if p.id != "" {
		needsGroups(tx, p)
	}
	declareMember(tx, p, twinID)
	if from, ok := s.sources.get(sourceKey{p, twinID}); ok {
		for _, twin := range from.twins {
			declareMember(tx, p, twin)
		}
		records.Declare(tx, roleRecords.Needs(allAccounts, from.roles...)...)
	}
}

// Expect declares, in the transaction of the context, what Allowed will read of a principal at
// a target, so that a store over a network reads it with what else the transaction asks for.
func (s *Service) Expect(ctx context.Context, p twinplatform.Principal, target twinplatform.Target) {
	twinID := cmp.Or(target.TwinID, target.AccountID)
	_ = s.db.View(ctx, func(v *records.View) error { // within the transaction, nothing fails
		s.expect(v, whoIs(p), twinID)
		return nil
	})
}

// expect declares the twin, which tells where its permissions are asked for, and the epoch, and
// what the grant follows from where none is kept.
func (s *Service) expect(tx records.Reading, p who, twinID string) {
	if twinID == "" || !records.Remote(tx) {
		return
	}
	account, known := s.accounts.get(twinID)
	if !known {
		account = p.account // that of most callers
	}
	records.Declare(tx, nodeRecords.Table().Need(allAccounts, twinID),
		epochs.Table().Need(allAccounts, ofAccount(account)))
	if _, resolved := s.sources.get(sourceKey{p, twinID}); !known || !resolved {
		s.declareGrant(tx, p, twinID)
	}
}

// rolesAt are the roles that a principal has at a twin of an account, itself and by groups.
func rolesAt(tx records.Reading, account, twinID string, p who, groups []groupRef) (ids []string, err error) {
	m, err := memberAs(tx, account, twinID, p)
	if m != nil {
		ids = m.RoleIDs
	}
	if err != nil {
		return nil, err
	}
	at := groupsAt(groups, account, twinID)
	for _, g := range at {
		records.Declare(tx, groupMemberRecords.Table().Need(allAccounts, recordID(twinID, g.ID)))
	}
	for _, g := range at {
		m, err := found(groupMemberRecords.Value(tx, allAccounts, recordID(twinID, g.ID)))
		if err != nil {
			return nil, err
		}
		if m != nil {
			ids = append(slices.Clone(ids), m.RoleIDs...)
		}
	}
	return ids, nil
}

// memberAs is the member of a twin of an account that a principal is, or nil.
func memberAs(tx records.Reading, account, twinID string, p who) (*Member, error) {
	m, err := found(memberRecords.Value(tx, allAccounts, recordID(twinID, p.id)))
	if m == nil || err != nil || !m.is(p, account) {
		return nil, err
	}
	return m, nil
}

// addAll adds the permissions of roles with the keys of their records.
func (g *grant) addAll(tx records.Reading, roles []string) error {
	for _, key := range roles {
		r, err := roleRecords.Value(tx, allAccounts, key)
		if err != nil {
			return err
		}
		if g.held == nil {
			g.held = make(permissionSet)
		}
		for _, permission := range r.holds() {
			g.held[permission] = true
		}
	}
	return nil
}

// grantKey names what is kept of a principal at a twin in an epoch of its account.
type grantKey struct {
	who

	twinID, epoch string
}

// grantKey names the state that a transaction reads, with the account of the twin.
// It fails with records.ErrNotFound.
func (s *Service) grantKey(tx records.Reading, p who, twinID string) (account string, key grantKey, err error) {
	if account, err = s.accountAt(tx, twinID); err == nil {
		key = grantKey{who: p, twinID: twinID}
		key.epoch, err = epochOf(tx, account)
	}
	return account, key, err
}

// beginning is where a page of a list begins: skip twins of a query of a caller.
type beginning struct {
	who

	administers bool
	query       string
	skip        int
	stamp       string // of all that decides which twins the list has
}

// maxKept bounds what is kept of a kind. What is full begins again.
const maxKept = 1 << 16

// kept is a cache of one kind.
type kept[K comparable, V any] struct {
	mu   sync.RWMutex
	m    map[K]V
	size int
}

func (k *kept[K, V]) get(key K) (v V, ok bool) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	v, ok = k.m[key]
	return v, ok
}

// put keeps a value that takes so much of the room.
func (k *kept[K, V]) put(key K, v V, size int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.m == nil || k.size+size > maxKept {
		k.m, k.size = make(map[K]V), 0
	}
	k.m[key], k.size = v, k.size+size
}

// accountAt is the account of a twin, which stays the same for as long as the twin is
// there. What is remembered of a twin that is gone by now, or came back in another
// account, finds nothing that was kept: the account that it was in has another epoch.
func (s *Service) accountAt(tx records.Reading, twinID string) (string, error) {
	if account, ok := s.accounts.get(twinID); ok {
		return account, nil
	}
	n, err := nodeRecords.Value(tx, allAccounts, twinID)
	if err != nil {
		return "", err
	}
	s.accounts.put(twinID, n.account(), 1)
	return n.account(), nil
}

// epoch is a random mark of a state. The one of an account changes with everything that
// decides who may do what in it, the one of a principal with what it is a member of.
type epoch struct {
	ID   string `json:"id"`
	Mark string `json:"mark"`
}

var epochs = records.Collection[epoch]{
	Name: "epochs", Unversioned: true,
	ID: func(e *epoch) string { return e.ID },
}

func ofAccount(id string) string   { return recordID("account", id) }
func ofPrincipal(id string) string { return recordID("principal", id) }

// epochOf is the epoch of an account.
func epochOf(tx records.Reading, accountID string) (string, error) {
	e, err := found(epochs.Value(tx, allAccounts, ofAccount(accountID)))
	if e == nil || err != nil {
		return "", err
	}
	return e.Mark, nil
}

// newEpochs marks that a transaction changes who may do what in the accounts in which it
// has written. Their randomness is the machine's even where the platform's ids are made
// otherwise.
func newEpochs(u *records.Update) error {
	for _, accountID := range u.Parts(allAccounts) {
		if err := mark(u, ofAccount(accountID)); err != nil {
			return err
		}
	}
	return nil
}

// newMembership marks that a principal comes to be a member of a twin.
func newMembership(u *records.Update, principalID string) error {
	return mark(u, ofPrincipal(principalID))
}

// lostMembership marks that a principal ceases to be a member of a twin.
func lostMembership(u *records.Update, m *Member) error {
	return lost(u, m.ID, memberRecords.ID(m))
}

// lost marks that a principal ceases to be a member of something. Who is a member of
// nothing else, one record of a member aside, and in no group, has no mark.
func lost(u *records.Update, principalID, aside string) error {
	for id := range memberRecords.IDs(u, allAccounts, indexPrincipal, principalID) {
		if id != aside {
			return newMembership(u, principalID)
		}
	}
	for range belongings.IDs(u, allAccounts, indexPrincipal, principalID) {
		return newMembership(u, principalID)
	}
	return epochs.Erase(u, allAccounts, ofPrincipal(principalID))
}

func mark(u *records.Update, id string) error {
	_, err := epochs.Put(u, allAccounts, &epoch{id, twinplatform.NewGUID()})
	return err
}
