package twins

import (
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
func (s *Service) Allowed(ctx context.Context, p twinplatform.Principal, permission string, target twinplatform.Target) (allowed bool, err error) {
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
type who struct {
	id, account string
	email       string // by which members of earlier versions are known
}

func whoIs(p twinplatform.Principal) who { return who{p.ID, p.AccountID, p.Email} }

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
	g, err := resolve(tx, p, twinID)
	switch {
	case err != nil:
		return nil, err
	case g.account == account:
		s.grants.put(key, g, 1)
	default:
		s.accounts.put(twinID, g.account, 1)
	}
	return g, nil
}

// resolve collects what the roles of a principal hold, from the twin upwards.
func resolve(tx records.Reading, p who, twinID string) (*grant, error) {
	if p.id != "" && records.Far(tx) {
		needsGroups(tx, p)
	}
	at, err := nodeFor(tx, allAccounts, p.id, twinID)
	if err != nil {
		return nil, err
	}
	g := &grant{account: at.account()}
	groups, err := groupsOf(tx, g.account, p)
	if err != nil {
		return nil, err
	}
	for p.id != "" {
		if err := g.addMember(tx, at.ID, p, groups); err != nil {
			return nil, err
		}
		if at.ParentID == "" {
			break
		}
		if at, err = nodeFor(tx, inAccount(g.account), p.id, string(at.ParentID)); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// nodeFor is a twin whose member a principal may be.
func nodeFor(tx records.Reading, s records.Scope, principalID, twinID string) (*node, error) {
	if principalID != "" && records.Far(tx) {
		err := records.Prefetch(tx, nodeRecords.Table().Need(s, twinID), memberRecords.Table().Need(allAccounts, recordID(twinID, principalID)))
		if err != nil {
			return nil, err
		}
	}
	return nodeRecords.Value(tx, s, twinID)
}

// addMember adds what a principal holds by being a member of a twin, itself or by groups.
func (g *grant) addMember(tx records.Reading, twinID string, p who, groups []groupRef) error {
	ids, err := rolesAt(tx, g.account, twinID, p, groups)
	if ids == nil || err != nil {
		return err
	}
	return g.add(tx, twinID, ids)
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
	if len(at) > 1 && records.Far(tx) {
		var needs []records.Need
		for _, g := range at {
			needs = append(needs, groupMemberRecords.Table().Need(allAccounts, recordID(twinID, g.ID)))
		}
		if err := records.Prefetch(tx, needs...); err != nil {
			return nil, err
		}
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

// add adds the permissions of roles at a twin.
func (g *grant) add(tx records.Reading, twinID string, roleIDs []string) error {
	if len(roleIDs) > 1 && records.Far(tx) {
		var roles []records.Need
		for _, id := range roleIDs {
			roles = append(roles, roleRecords.Table().Need(allAccounts, recordID(twinID, id)))
		}
		if err := records.Prefetch(tx, roles...); err != nil {
			return err
		}
	}
	for _, id := range roleIDs {
		r, err := roleRecords.Value(tx, allAccounts, recordID(twinID, id))
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

// grantKey is that of the state that a transaction reads, with the account of the twin.
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

// formerEpochs holds the one epoch of all accounts that earlier versions kept. It is that
// of each account without its own so far.
var formerEpochs = records.Collection[string]{
	Name: "epoch", Unversioned: true,
	ID: func(*string) string { return formerEpoch },
}

const formerEpoch = "now"

func ofAccount(id string) string   { return recordID("account", id) }
func ofPrincipal(id string) string { return recordID("principal", id) }

// epochOf is the epoch of an account.
func epochOf(tx records.Reading, accountID string) (string, error) {
	e, err := found(epochs.Value(tx, allAccounts, ofAccount(accountID)))
	if err != nil {
		return "", err
	}
	if e != nil {
		return e.Mark, nil
	}
	former, err := found(formerEpochs.Value(tx, allAccounts, formerEpoch))
	if former == nil || err != nil {
		return "", err
	}
	return *former, nil
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
