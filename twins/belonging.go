package twins

import (
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// belonging are the groups of an account that a principal of it is in: what a principal may
// do is asked far more often than who is in a group.
type belonging struct {
	AccountID   string     `json:"accountId"`
	Groups      []groupRef `json:"groups"` // by id
	PrincipalID string     `json:"principalId"`
}

// groupRef names a group.
type groupRef struct {
	ID     string `json:"id"`
	TwinID string `json:"twinId"` // of which it is
}

var belongings = records.Collection[belonging]{
	Name: "group-people", Untracked: true,
	ID: func(b *belonging) string { return recordID(b.AccountID, b.PrincipalID) },
	Indexes: []records.Index[belonging]{{
		Name:  indexPrincipal,
		Value: func(b *belonging) string { return b.PrincipalID },
	}},
}

// belongingOf reads the groups of a principal of an account; there may be none.
func belongingOf(tx records.Reading, account, principalID string) (*belonging, error) {
	b, err := found(belongings.Value(tx, inAccount(account), recordID(account, principalID)))
	if b == nil && err == nil {
		b = &belonging{AccountID: account, PrincipalID: principalID}
	}
	return b, err
}

// groupsOf are the groups of an account that a principal is in, whichever account it is of.
func groupsOf(tx records.Reading, account string, p who) ([]groupRef, error) {
	if p.id == "" || account != "" && account != p.account {
		return nil, nil
	}
	b, err := belongingOf(tx, account, p.id)
	if err != nil {
		return nil, err
	}
	return b.Groups, nil
}

// needsGroups reads ahead which groups a principal is in, of its account and of none.
func needsGroups(tx records.Reading, p who) {
	for _, account := range slices.Compact([]string{p.account, ""}) {
		records.Declare(tx, belongings.Table().Need(inAccount(account), recordID(account, p.id)))
	}
}

// groupsIn is groupsOf for a list that asks it of twin after twin, in an epoch of the account.
func (s *Service) groupsIn(tx records.Reading, account string, p who, epoch string) ([]groupRef, error) {
	key := grantKey{who: p, twinID: account, epoch: epoch}
	if groups, ok := s.belonging.get(key); ok {
		return groups, nil
	}
	groups, err := groupsOf(tx, account, p)
	if err == nil {
		s.belonging.put(key, groups, 1+len(groups))
	}
	return groups, err
}

// groupsAt returns which of the groups can have roles at a twin.
func groupsAt(groups []groupRef, account, twinID string) []groupRef {
	return slices.DeleteFunc(slices.Clone(groups),
		func(g groupRef) bool { return g.TwinID != twinID && g.TwinID != account })
}

// joinGroup notes that people of the account of a twin come into a group of the twin.
func joinGroup(u *records.Update, t *Twin, g *Group, people []GroupPerson) error {
	for _, p := range people {
		b, err := belongingOf(u, t.account(), p.ID)
		if err != nil {
			return err
		}
		at, is := slices.BinarySearchFunc(b.Groups, g.ID,
			func(r groupRef, id string) int { return strings.Compare(r.ID, id) })
		if is {
			continue
		}
		if len(b.Groups) >= MaxGroupsOfPerson {
			return conflict("LimitExceeded", "'"+p.ID+"' is in as many groups as anybody may.")
		}
		b.Groups = slices.Insert(slices.Clone(b.Groups), at, groupRef{g.ID, g.twinID})
		if _, err := belongings.Put(u, inAccount(t.account()), b); err != nil {
			return err
		}
		if err := newMembership(u, p.ID); err != nil {
			return err
		}
	}
	return nil
}

// leaveGroup notes that people of an account go out of a group.
func leaveGroup(u *records.Update, account string, g *Group, people []GroupPerson) error {
	for _, p := range people {
		b, err := belongingOf(u, account, p.ID)
		if err != nil {
			return err
		}
		b.Groups = slices.DeleteFunc(slices.Clone(b.Groups), func(r groupRef) bool { return r.ID == g.ID })
		if len(b.Groups) > 0 {
			_, err = belongings.Put(u, inAccount(account), b)
		} else {
			err = belongings.Erase(u, inAccount(account), belongings.ID(b))
		}
		if err != nil {
			return err
		}
		if err := lost(u, p.ID, ""); err != nil {
			return err
		}
	}
	return nil
}
