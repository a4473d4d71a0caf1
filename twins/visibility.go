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
	// roots are twins that it sees with all below them, in accounts that are not
	// whole, and parts are those accounts.
	roots, parts []string
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
func (s *Service) visibilityOf(tx records.Reading, p twinplatform.Principal, scope QueryScope, system bool) (r visibility, err error) {
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
	roots := make(map[string][]string) // by account
	for m, err := range memberRecords.Find(tx, allAccounts, indexPrincipal, p.ID) {
		if err != nil {
			return r, err
		}
		g, err := s.grantOf(tx, p.ID, m.twinID)
		switch {
		case err != nil:
			return r, err
		case !g.held.allows(PermissionRead):
		case g.account == m.twinID:
			r.whole = append(r.whole, g.account)
		default:
			roots[g.account] = append(roots[g.account], m.twinID)
		}
	}
	r.whole = entity.Sorted(r.whole)
	for account, ids := range roots {
		if !slices.Contains(r.whole, account) {
			r.roots, r.parts = append(r.roots, ids...), append(r.parts, account)
		}
	}
	return r, nil
}

// candidate is a twin that a list may hold.
type candidate struct {
	id string
	// visible is set when the caller sees the twin, sure when it also matches
	// the query.
	visible, sure bool
}

// candidates yields, in the order of their ids, all visible twins that can
// match a query, and as few others as an index allows.
func (r visibility) candidates(tx records.Reading, q *listing) iter.Seq2[candidate, error] {
	if q.TwinAccountID != "" {
		r = r.within(q.TwinAccountID)
	}
	index, values := q.index()
	if r.everywhere && q.TwinAccountID == "" && (index == indexInUse || index == indexAccount) {
		return everyTwin(tx)
	}
	if q.ParentID != "" && index == indexParent {
		return merged(r.everywhere, false, twinRecords.IDs(tx, allAccounts, indexParent, q.ParentID))
	}
	var visible []iter.Seq[string]
	for _, account := range r.whole {
		for _, value := range values {
			visible = append(visible, twinRecords.IDs(tx, inAccount(account), index, indexed(account, value)))
		}
	}
	if len(r.roots) == 0 {
		// What is found in the index of twins in use need not be looked at.
		return merged(true, index == indexInUse && q.plain(), visible...)
	}
	if index == indexNumber || index == indexName {
		for _, account := range r.parts {
			visible = append(visible, twinRecords.IDs(tx, inAccount(account), index, indexed(account, values[0])))
		}
		return merged(false, false, visible...)
	}
	for _, root := range r.roots {
		visible = append(visible, below(tx, root))
	}
	return merged(true, false, visible...)
}

// within is the part of a visibility in one account.
func (r visibility) within(account string) visibility {
	other := func(a string) bool { return a != account }
	r.whole = slices.DeleteFunc(slices.Clone(r.whole), other)
	if r.parts = slices.DeleteFunc(slices.Clone(r.parts), other); len(r.parts) == 0 {
		r.roots = nil
	}
	return r
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

// merged yields the ids of sources, each once and in order. A single source is
// in order already, and is read no further than asked for.
func merged(visible, sure bool, sources ...iter.Seq[string]) iter.Seq2[candidate, error] {
	return func(yield func(candidate, error) bool) {
		var ids iter.Seq[string]
		if len(sources) == 1 {
			ids = sources[0]
		} else {
			var all []string
			for _, source := range sources {
				all = slices.AppendSeq(all, source)
			}
			ids = slices.Values(entity.Sorted(all))
		}
		for id := range ids {
			if !yield(candidate{id, visible, sure}, nil) {
				return
			}
		}
	}
}

// everyTwin yields all twins there are.
func everyTwin(tx records.Reading) iter.Seq2[candidate, error] {
	return func(yield func(candidate, error) bool) {
		for n, err := range nodeRecords.All(tx, allAccounts, "") {
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
