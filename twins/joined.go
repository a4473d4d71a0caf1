package twins

import (
	"net/url"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// The maker of a twin becomes a member of it, so a principal may be a member of
// thousands. What follows from that is found by keys as far as possible.

// joined are the twins that have a member with the id of a principal, of whatever account,
// in order, and those of them that may have others below them.
type joined struct {
	ids, branches []string
	accounts      []string // of these twins, each once
	stamp         string
}

// maxStamped is how many accounts something may depend on that is kept.
const maxStamped = 16

// joinedBy finds the twins that have a member with the id of a principal, or a group that it
// is in.
func (s *Service) joinedBy(tx records.Reading, p who) (*joined, error) {
	if j, ok := s.joined.get(p); ok {
		stamp, err := stampOf(tx, p.id, j.accounts)
		if err != nil || stamp != "" && stamp == j.stamp {
			return j, err
		}
	}
	j := &joined{}
	for id := range memberRecords.IDs(tx, allAccounts, indexPrincipal, p.id) {
		j.add(id)
	}
	if err := j.addGroups(tx, p); err != nil {
		return nil, err
	}
	j.ids = entity.Sorted(j.ids)
	j.branches = branches(tx, j.ids)
	for _, id := range j.ids {
		account, err := s.accountAt(tx, id)
		if err != nil {
			return nil, err
		}
		j.in(account)
	}
	if len(j.accounts) > maxStamped {
		return j, nil
	}
	var err error
	if j.stamp, err = stampOf(tx, p.id, j.accounts); err == nil && j.stamp != "" {
		s.joined.put(p, j, len(j.ids))
	}
	return j, err
}

// add adds the twin of the record of a member.
func (j *joined) add(recordID string) {
	part, _, _ := strings.Cut(recordID, "/")
	if twinID, err := url.PathUnescape(part); err == nil { // as recordID made it
		j.ids = append(j.ids, twinID)
	}
}

// in adds an account.
func (j *joined) in(account string) {
	if at, is := slices.BinarySearch(j.accounts, account); !is {
		j.accounts = slices.Insert(j.accounts, at, account)
	}
}

// addGroups adds the twins at which groups of a principal have roles. Their account counts
// also while they have none: it shows when they come to have some.
func (j *joined) addGroups(tx records.Reading, p who) error {
	for _, account := range slices.Compact([]string{p.account, ""}) {
		groups, err := groupsOf(tx, account, p)
		if err != nil {
			return err
		}
		for _, g := range groups {
			j.in(account)
			for id := range groupMemberRecords.IDs(tx, allAccounts, indexGroup, g.ID) {
				j.add(id)
			}
		}
	}
	return nil
}

// stampOf marks a state of what a principal is a member of, and of accounts. There is
// none for a principal without a mark: it is a member of nothing, or was when there were
// none.
func stampOf(tx records.Reading, principalID string, accounts []string) (stamp string, err error) {
	if records.Remote(tx) {
		for _, account := range accounts {
			records.Declare(tx, epochs.Needs(allAccounts, ofAccount(account))...)
		}
	}
	if principalID != "" {
		e, err := found(epochs.Value(tx, allAccounts, ofPrincipal(principalID)))
		if e == nil || err != nil {
			return "", err
		}
		stamp = e.Mark
	}
	for _, account := range accounts {
		mark, err := epochOf(tx, account)
		if err != nil {
			return "", err
		}
		stamp += " " + mark
	}
	return stamp, nil
}

// branches are, of twins in order, those that may have others below them: every parent,
// and accounts that the keys of their children may not show.
func branches(tx records.Reading, ids []string) (found []string) {
	platforms := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !problem.IsGUID(id) })
	if len(platforms) < len(ids) { // all but accounts have the ids of the platform
		found = slices.DeleteFunc(slices.Clone(ids), problem.IsGUID)
	}
	for len(platforms) > 0 {
		parent := firstParent(tx, platforms[0])
		if parent == "" {
			break
		}
		at, is := slices.BinarySearch(platforms, parent)
		if is {
			found, at = append(found, parent), at+1
		}
		platforms = platforms[at:]
	}
	return found
}

// firstParent is the first twin with others below it that does not come before one.
func firstParent(tx records.Reading, id string) string {
	for parent := range twinRecords.ValuesFrom(tx, allAccounts, indexParent, id[:len(id)-1]) {
		if parent >= id {
			return parent
		}
	}
	return ""
}

// rights are a role as the question whether its members see the twin needs it: every
// permission lets them.
type rights struct {
	ID          string   `json:"id"`
	Permissions []string `json:"permissions"`

	owner  bool
	twinID string
}

// rightsRecords reads the records of roleRecords without their texts, and never writes
// any.
var rightsRecords = records.Collection[rights]{
	Name: roleRecords.Name, Untracked: true,
	ID:     func(r *rights) string { return recordID(r.twinID, r.ID) },
	Hidden: func(r *rights) any { return &hiddenRole{&r.owner, &r.twinID} },
}

// seesAsMember reports whether a member of a twin sees it by what its roles hold there.
// By roles at the twins above it may do so where it does not.
func (s *Service) seesAsMember(tx records.Reading, p who, twinID string) (sees bool, err error) {
	account, key, err := s.grantKey(tx, p, twinID)
	if err != nil {
		return false, err
	}
	if sees, ok := s.seeing.get(key); ok {
		return sees, nil
	}
	groups, err := s.groupsIn(tx, account, p, key.epoch)
	if err != nil {
		return false, err
	}
	if sees, err = memberHolds(tx, account, twinID, p, groups); err == nil {
		s.seeing.put(key, sees, 1)
	}
	return sees, err
}

// memberHolds reports whether the roles of a member of a twin hold anything.
func memberHolds(tx records.Reading, account, twinID string, p who, groups []groupRef) (bool, error) {
	ids, err := rolesAt(tx, account, twinID, p, groups)
	if err != nil {
		return false, err
	}
	for _, id := range ids {
		r, err := rightsRecords.Value(tx, allAccounts, recordID(twinID, id))
		if err != nil || r.owner || len(r.Permissions) > 0 {
			return err == nil, err
		}
	}
	return false, nil
}
