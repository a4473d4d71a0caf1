package twins

import (
	"iter"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// visibility is where a caller sees twins.
type visibility struct {
	// whole are the accounts of which the caller sees every twin.
	whole []string
	// roots are twins that it sees with all below them.
	roots []string
	// joined are all twins that have a member with its id.
	joined []string
	// accountsJoined holds the accounts of the twins in joined.
	accountsJoined []string
	// everywhere is set for the system.
	everywhere bool
}

// QueryScope says by which right a list shows twins to its caller.
type QueryScope string

// The scopes of queries. None is AllTwins.
const (
	// MemberOfTwin lists the twins that the caller is a member of, and those below.
	MemberOfTwin QueryScope = "memberOfTwin"
	// OrganizationAdmin lists what the caller sees as an organization administrator,
	// which is nothing where it is none.
	OrganizationAdmin QueryScope = "OrganizationAdmin"
	// AllTwins lists what the caller sees by any right.
	AllTwins QueryScope = "all"
)

var queryScopes = []QueryScope{MemberOfTwin, OrganizationAdmin, AllTwins}

// visibilityOf finds out where a caller sees twins, by the right of a scope.
func (s *Service) visibilityOf(tx records.Reading, p twinplatform.Principal, scope QueryScope,
	system bool,
) (r visibility, err error) {
	if system {
		r.everywhere = true
		r.whole = append(r.whole, "") // of the twins that belong to no account
		r.whole = slices.AppendSeq(r.whole, twinRecords.IDs(tx, allAccounts, indexRoot, string(Account)))
		return r, nil
	}
	if scope != MemberOfTwin && s.env.Administers(p, p.AccountID) {
		r.whole = append(r.whole, p.AccountID)
	}
	if p.ID == "" || scope == OrganizationAdmin {
		return r, nil
	}
	s.declareJoined(tx, whoIs(p))
	err = s.join(tx, whoIs(p), &r)
	return r, err
}

// stamp marks the state of all that a caller sees; it is empty where that is too much to
// look at.
func (r visibility) stamp(tx records.Reading, principalID string) (string, error) {
	accounts := entity.Sorted(append(slices.Clone(r.whole), r.accountsJoined...))
	if len(accounts) > maxStamped {
		return "", nil
	}
	if len(r.joined) == 0 {
		principalID = ""
	}
	return stampOf(tx, principalID, accounts)
}

// join adds what a principal sees as a member. What its roles hold is asked of the
// accounts and of the twins with others below them. Of all others it is left until a
// page comes to them: there may be many.
func (s *Service) join(tx records.Reading, p who, r *visibility) error {
	joined, err := s.joinedBy(tx, p)
	if err != nil {
		return err
	}
	r.joined, r.accountsJoined = joined.ids, joined.accounts
	for _, id := range joined.branches {
		g, err := s.grantOf(tx, p, id)
		switch {
		case err != nil:
			return err
		case !g.held.allows(PermissionRead):
		case g.account == id:
			r.whole = append(r.whole, id)
		default:
			r.roots = append(r.roots, id)
		}
	}
	r.whole = entity.Sorted(r.whole)
	return nil
}

// candidate is a twin that a list may hold.
type candidate struct {
	id string
	// visible is set when the caller sees the twin, sure when it also matches
	// the query, and member when the caller is a member of it.
	visible, sure, member bool
}

// candidates yields, in the order of their ids, all visible twins behind one that can
// match a query, and as few others as an index allows.
func (r visibility) candidates(tx records.Reading, q *listing, after string) iter.Seq2[candidate, error] {
	if q.TwinAccountID != "" {
		other := func(a string) bool { return a != q.TwinAccountID }
		r.whole = slices.DeleteFunc(slices.Clone(r.whole), other)
	}
	index, values := q.index()
	if r.everywhere && q.TwinAccountID == "" && (index == indexInUse || index == indexAccount) {
		return everyTwin(tx, after)
	}
	if q.ParentID != "" && index == indexParent {
		return each(candidate{visible: r.everywhere},
			twinRecords.IDsFrom(tx, allAccounts, indexParent, q.ParentID, after))
	}
	if index == indexNumber || index == indexName {
		return r.named(tx, q, index, values[0], after)
	}
	var visible []iter.Seq[string]
	for _, account := range r.whole {
		for _, value := range values {
			visible = append(visible, twinRecords.IDsFrom(tx, inAccount(account), index, indexed(account, value),
				after))
		}
	}
	if len(r.joined) == 0 {
		// What is found in the index of twins in use need not be looked at.
		return each(candidate{visible: true, sure: index == indexInUse && q.plain()}, merged(after, visible...))
	}
	for _, root := range r.roots {
		visible = append(visible, below(tx, root))
	}
	at, is := slices.BinarySearch(r.joined, after)
	if is {
		at++
	}
	return withJoined(slices.Collect(merged(after, visible...)), r.joined[at:])
}

// named yields the twins with a number or a name.
func (r visibility) named(tx records.Reading, q *listing, index, value, after string) iter.Seq2[candidate, error] {
	var visible, others []iter.Seq[string]
	for _, account := range r.whole {
		visible = append(visible, twinRecords.IDs(tx, inAccount(account), index, indexed(account, value)))
	}
	for _, account := range r.accounts(tx) {
		if q.TwinAccountID == "" || q.TwinAccountID == account {
			others = append(others, twinRecords.IDs(tx, inAccount(account), index, indexed(account, value)))
		}
	}
	if len(others) == 0 {
		return each(candidate{visible: true}, merged(after, visible...))
	}
	return each(candidate{}, merged(after, append(visible, others...)...))
}

// accounts returns the accounts in which the caller may be a member of some twin.
func (r visibility) accounts(tx records.Reading) []string {
	if len(r.joined) == 0 {
		return nil
	}
	return slices.AppendSeq([]string{""}, twinRecords.IDs(tx, allAccounts, indexRoot, string(Account)))
}

// index is the index that leaves the fewest candidates, and the values in it.
func (q *TwinQuery) index() (name string, values []string) {
	switch {
	case q.Number != "":
		return indexNumber, []string{q.Number}
	case q.DisplayName != "":
		return indexName, []string{q.DisplayName}
	case q.ParentID != "":
		return indexParent, nil
	case q.Type != "":
		return indexType, []string{q.Type}
	case len(q.SubClasses) > 0:
		for _, sub := range q.SubClasses {
			values = append(values, string(sub))
		}
		return indexSubClass, values
	case q.Status != "":
		return indexStatus, []string{string(q.Status)}
	case q.IncludeInactive:
		return indexAccount, []string{""}
	}
	return indexInUse, []string{""}
}

// below yields the ids of a twin and of all twins below it, in order.
func below(tx records.Reading, id string) iter.Seq[string] {
	ids := []string{id}
	for i := 0; i < len(ids); i++ {
		ids = slices.AppendSeq(ids, twinRecords.IDs(tx, allAccounts, indexParent, ids[i]))
	}
	return slices.Values(entity.Sorted(ids))
}

// merged yields the ids of sources that come after one, each once and in order. A
// single source is in order already, and is read no further than asked for.
func merged(after string, sources ...iter.Seq[string]) iter.Seq[string] {
	ids := func(yield func(string) bool) {
		for _, source := range sources {
			for id := range source {
				if id > after && !yield(id) {
					return
				}
			}
		}
	}
	if len(sources) == 1 {
		return ids
	}
	return slices.Values(entity.Sorted(slices.Collect(ids)))
}

// each makes a candidate like one of each id.
func each(like candidate, ids iter.Seq[string]) iter.Seq2[candidate, error] {
	return func(yield func(candidate, error) bool) {
		for id := range ids {
			like.id = id
			if !yield(like, nil) {
				return
			}
		}
	}
}

// withJoined yields, in order, twins that the caller sees and twins that it is a member
// of, each once.
func withJoined(visible, joined []string) iter.Seq2[candidate, error] {
	return func(yield func(candidate, error) bool) {
		for len(visible) > 0 || len(joined) > 0 {
			var c candidate
			if len(joined) == 0 || len(visible) > 0 && visible[0] <= joined[0] {
				c.id, c.visible = visible[0], true
				visible = visible[1:]
			} else {
				c.id = joined[0]
			}
			if len(joined) > 0 && joined[0] == c.id {
				c.member, joined = true, joined[1:]
			}
			if !yield(c, nil) {
				return
			}
		}
	}
}

// everyTwin yields all twins behind one.
func everyTwin(tx records.Reading, after string) iter.Seq2[candidate, error] {
	return func(yield func(candidate, error) bool) {
		for n, err := range nodeRecords.From(tx, allAccounts, after) {
			if err != nil {
				yield(candidate{}, err)
				return
			}
			if !yield(candidate{id: n.ID, visible: true}, nil) {
				return
			}
		}
	}
}
