package twins

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// TwinQuery selects the twins to list. What is empty does not narrow the list.
type TwinQuery struct {
	// ListOptions bounds the page: Top is 1 to 1,000, and 100 when nil. Twins
	// are not followed by deltas, and their lists have no version.
	twinplatform.ListOptions
	// Skip leaves out so many twins from the beginning.
	Skip int
	// MaxReturn bounds how many twins all pages have together, from 1 to 10,000; 0
	// is no bound. Over HTTP it is the header X-Max-Return, and 1,000 without it.
	MaxReturn int
	// Scope says by which right the caller sees the twins.
	Scope QueryScope
	// Filter is an expression over the members of a twin, such as
	// "class eq 'Thing' and startswith(displayName, 'Bridge')": eq, ne, gt, ge, lt,
	// le, in, and, or, not, parentheses, contains, startswith, endswith, tolower
	// and toupper, at most 4,096 bytes long. Of the fields below it goes with
	// SubClasses, IncludeInactive and Search alone. One that names the status
	// lists inactive twins too.
	Filter string
	// OrderBy are members of a twin separated by commas, each with " asc" or " desc"
	// behind it or nothing; twins that are equal by them are ordered by id. Null comes
	// before everything else. Empty is the order of the list itself.
	OrderBy string
	// Select are the members of each twin that Page.JSON carries, instead of all
	// or those of a [Summary]; empty is no choice.
	Select []string
	// SubClasses lists twins of any of these subclasses.
	SubClasses []SubClass
	// Status lists twins of one status, and lifts the rule that leaves inactive
	// ones out.
	Status Status
	// IncludeInactive lists inactive twins too. It does not go with Status.
	IncludeInactive bool
	// Type, Number and DisplayName are compared as they are.
	Type, Number, DisplayName string
	// ParentID lists the twins right below a twin.
	ParentID string
	// TwinAccountID lists the twins of an account, but not the account itself.
	TwinAccountID string
	// Search lists twins whose display name or number contains a text, in upper
	// or lower case. It does not go with Number and DisplayName.
	Search string
	// Minimal makes Page.JSON carry a [Summary] of each twin instead of the
	// whole. The values of the page are whole either way.
	Minimal bool
}

// Twins lists the twins that the caller may see (GET /twins/), by id: those it
// is a member of with all below them, and for an organization administrator
// those of the account. Inactive ones are left out unless the query asks for
// them.
//
// Errors: InvalidTwinsRequest with InvalidValue (top, skip, maxReturn, scope,
// filter, orderBy, select, subClass, status, parentId, twinAccountId) or MutuallyExclusivePropertiesProvided
// (status with includeInactive; number or displayName with search; filter with a
// field that narrows the list by one member).
func (s *Service) Twins(ctx context.Context, q TwinQuery) (page twinplatform.Page[Twin], err error) {
	l, err := q.listing(ctx)
	if err != nil {
		return page, err
	}
	if err := s.find(ctx, l); err != nil {
		return page, err
	}
	return l.page()
}

func (q *TwinQuery) check(c *problem.Checks) {
	for _, sub := range q.SubClasses {
		if !problem.OneOf(c, "subClass", sub, subClasses) {
			break
		}
	}
	if q.Status != "" {
		problem.OneOf(c, "status", q.Status, statuses)
	}
	if q.MaxReturn != 0 && (q.MaxReturn < 1 || q.MaxReturn > MaxReturn) {
		c.Bad(twinplatform.TargetMaxReturn, "The number of twins on all pages together is from 1 to %d.", MaxReturn)
	}
	if q.Scope != "" {
		problem.OneOf(c, twinplatform.TargetQueryScope, q.Scope, queryScopes)
	}
	for _, name := range q.Select {
		if !properties.Has(name) {
			c.Bad(twinplatform.TargetSelect, "A twin has no member '%s'.", name)
		}
	}
	q.checkPairs(c)
}

// checkPairs checks that nothing is asked for together that does not go together.
func (q *TwinQuery) checkPairs(c *problem.Checks) {
	filtered := q.Filter != ""
	for _, pair := range []struct {
		a, b string
		both bool
	}{
		{twinplatform.TargetFilter, "status", filtered && q.Status != ""},
		{twinplatform.TargetFilter, "type", filtered && q.Type != ""},
		{twinplatform.TargetFilter, "number", filtered && q.Number != ""},
		{twinplatform.TargetFilter, "displayName", filtered && q.DisplayName != ""},
		{twinplatform.TargetFilter, "parentId", filtered && q.ParentID != ""},
		{twinplatform.TargetFilter, "twinAccountId", filtered && q.TwinAccountID != ""},
		{"includeInactive", "status", q.IncludeInactive && q.Status != ""},
		{twinplatform.TargetSearch, "number", q.Search != "" && q.Number != ""},
		{twinplatform.TargetSearch, "displayName", q.Search != "" && q.DisplayName != ""},
	} {
		if pair.both {
			c.Add(twinplatform.Detail{
				Code: mutuallyExclusive, Target: pair.a, Message: "The parameter '" + pair.a +
					"' cannot be combined with '" + pair.b + "'.",
			})
		}
	}
}

func (q *TwinQuery) matches(t *Twin) bool {
	switch {
	case q.Status != "" && t.Status != q.Status,
		q.Status == "" && !q.IncludeInactive && t.Status == Inactive,
		q.Type != "" && string(t.Type) != q.Type,
		q.Number != "" && t.Number != q.Number,
		q.DisplayName != "" && t.DisplayName != q.DisplayName,
		q.ParentID != "" && string(t.ParentID) != q.ParentID,
		q.TwinAccountID != "" && string(t.TwinAccountID) != q.TwinAccountID,
		len(q.SubClasses) > 0 && !slices.Contains(q.SubClasses, t.SubClass):
		return false
	}
	return q.Search == "" || containsFold(t.DisplayName, q.Search) || containsFold(t.Number, q.Search)
}

func containsFold(s, part string) bool {
	return strings.Contains(strings.ToLower(s), strings.ToLower(part))
}

// find finds the twins of a listing, of all that match and that the caller may see.
func (s *Service) find(ctx context.Context, l *listing) error {
	p, named := twinplatform.PrincipalFrom(ctx)
	if err := s.env.CheckPrincipal(p); err != nil {
		return err
	}
	if p.ReadOnly != nil {
		return s.findShared(ctx, l, p.ReadOnly)
	}
	if named && !s.own {
		return s.findAsked(ctx, l)
	}
	return s.db.View(ctx, func(v *records.View) error {
		seen, err := s.visibilityOf(v, p, l.Scope, !named)
		if err != nil {
			return err
		}
		after, err := s.enter(v, p, l, seen)
		if err != nil {
			return err
		}
		return s.collect(v, p, l, seen.candidates(v, l, after))
	})
}

// collect adds those candidates to a listing that it holds, until it is full.
func (s *Service) collect(v *records.View, p twinplatform.Principal, l *listing,
	candidates iter.Seq2[candidate, error],
) error {
	together := 0
	if l.compare == nil {
		together = l.left + l.size() + 1
	}
	candidates = records.Together(v, together, candidates, func(next []candidate) error {
		for _, c := range next {
			records.Declare(v, twinRecords.Needs(allAccounts, c.id)...)
		}
		return nil
	})
	for c, err := range candidates {
		if err != nil {
			return err
		}
		if c.sure && l.left > 0 {
			l.left-- // without reading it
			continue
		}
		rec, listed, err := s.twinOf(v, p, l, c)
		if err != nil {
			return err
		}
		if listed && l.add(rec) {
			s.leave(p, l)
			return nil
		}
	}
	return nil
}

// enter begins to find twins, and returns the one behind which the page begins, as far
// as that is known.
func (s *Service) enter(v *records.View, p twinplatform.Principal, l *listing, seen visibility) (after string,
	err error,
) {
	l.begin()
	if l.compare != nil {
		return l.after, nil
	}
	if l.stamp, err = seen.stamp(v, p.ID); err != nil || l.stamp == "" || l.skip == 0 {
		return l.after, err
	}
	after, known := s.places.get(s.placeOf(p, l, l.skip))
	if known {
		l.left = 0
	}
	return after, nil
}

// leave notes where the next page begins, so that nothing has to count up to there.
func (s *Service) leave(p twinplatform.Principal, l *listing) {
	if l.compare != nil || l.after != "" || l.stamp == "" || len(l.found) == 0 {
		return
	}
	s.places.put(s.placeOf(p, l, l.skip+len(l.found)), l.found[len(l.found)-1].Value.ID, 1)
}

func (s *Service) placeOf(p twinplatform.Principal, l *listing, skip int) beginning {
	q := l.TwinQuery
	q.ListOptions, q.Skip, q.MaxReturn, q.Select, q.Minimal = twinplatform.ListOptions{}, 0, 0, nil, false
	return beginning{
		who: whoIs(p), administers: s.env.Administers(p, p.AccountID), query: fmt.Sprintf("%#v", q),
		skip: skip, stamp: l.stamp,
	}
}

// twinOf returns the twin of a candidate, and whether the list holds it.
func (s *Service) twinOf(v *records.View, p twinplatform.Principal, l *listing,
	c candidate,
) (rec twinplatform.Record[Twin], listed bool, err error) {
	rec, err = twinRecords.Get(v, allAccounts, c.id)
	if err != nil || c.sure {
		return rec, err == nil, err
	}
	if !l.matches(&rec.Value) {
		return rec, false, nil
	}
	if c.member && !c.visible {
		c.visible, err = s.seesAsMember(v, whoIs(p), c.id)
	}
	if err == nil && !c.visible {
		c.visible, err = s.sees(v, p, l.Scope, &rec.Value)
	}
	return rec, c.visible, err
}

// sees reports whether a caller may see a twin by the right of a scope.
func (s *Service) sees(v *records.View, p twinplatform.Principal, scope QueryScope, t *Twin) (bool, error) {
	if scope != MemberOfTwin && s.env.Administers(p, t.account()) {
		return true, nil
	}
	if scope == OrganizationAdmin {
		return false, nil
	}
	g, err := s.grantOf(v, whoIs(p), t.ID)
	if err != nil {
		return false, err
	}
	return g.held.allows(PermissionRead), nil
}

// findAsked is find where another authorizer decides. It is asked about every
// match until the window is full.
func (s *Service) findAsked(ctx context.Context, l *listing) error {
	return s.readable(ctx, l, func(v *records.View) (all []twinplatform.Record[Twin], err error) {
		l.seen = ""
		for t, err := range twinRecords.From(v, allAccounts, l.after) {
			if err != nil {
				return nil, err
			}
			meant, err := s.meant(ctx, v, l, t)
			if err != nil {
				return nil, err
			}
			if !meant {
				continue
			}
			if l.looks > 0 && len(all) == l.looks {
				l.seen = all[len(all)-1].Value.ID
				break
			}
			rec, err := twinRecords.Get(v, inAccount(t.account()), t.ID)
			if err != nil {
				return nil, err
			}
			all = append(all, rec)
		}
		return all, nil
	})
}

// meant reports whether a twin matches a listing, and whether the caller sees it by
// the right that the listing asks for. What the authorizer says comes on top of that.
func (s *Service) meant(ctx context.Context, v *records.View, l *listing, t *Twin) (bool, error) {
	p, named := twinplatform.PrincipalFrom(ctx)
	if matches := l.matches(t); !matches || !named || l.Scope == "" || l.Scope == AllTwins {
		return matches, nil
	}
	return s.sees(v, p, l.Scope, t)
}

// readable finds those twins of a listing that the caller may see. The authorizer is
// asked over the state that the twins are read from, or, where it answers from
// elsewhere, after that.
func (s *Service) readable(ctx context.Context, l *listing,
	read func(*records.View) ([]twinplatform.Record[Twin], error),
) error {
	var all []twinplatform.Record[Twin]
	err := s.db.View(ctx, func(v *records.View) (err error) {
		if all, err = read(v); err == nil && s.local {
			err = s.readableOf(v.Within(ctx), l, all)
		}
		return err
	})
	if err == nil && !s.local {
		err = s.readableOf(ctx, l, all)
	}
	return err
}

func (s *Service) readableOf(ctx context.Context, l *listing, all []twinplatform.Record[Twin]) error {
	l.begin()
	for _, rec := range all {
		allowed, err := s.env.Allowed(ctx, PermissionRead, rec.Value.target())
		if err != nil {
			return err
		}
		if allowed && l.add(rec) {
			break
		}
	}
	return nil
}
