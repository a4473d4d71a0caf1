package twins

import (
	"context"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// TwinQuery says which twins to list. What is empty does not narrow the list.
type TwinQuery struct {
	// ListOptions bounds the page: Top is 1 to 1,000, and 100 when nil. Twins
	// are not followed by deltas, and their lists have no version.
	twinplatform.ListOptions
	// Skip leaves out so many twins from the beginning.
	Skip int
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
// Errors: InvalidTwinsRequest with InvalidValue (top, skip, subClass, status)
// or MutuallyExclusivePropertiesProvided (status with includeInactive; number or
// displayName with search).
func (s *Service) Twins(ctx context.Context, q TwinQuery) (page twinplatform.Page[Twin], err error) {
	var c problem.Checks
	w := windowOf(&c, q.ListOptions, q.Skip)
	q.check(&c)
	if err := c.Err(InvalidRequest); err != nil {
		return page, err
	}
	found, err := s.find(ctx, &q, w)
	if err != nil {
		return page, err
	}
	return found.page(q.Minimal), nil
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
	for _, pair := range []struct {
		a, b string
		both bool
	}{
		{"includeInactive", "status", q.IncludeInactive && q.Status != ""},
		{twinplatform.TargetSearch, "number", q.Search != "" && q.Number != ""},
		{twinplatform.TargetSearch, "displayName", q.Search != "" && q.DisplayName != ""},
	} {
		if pair.both {
			c.Add(twinplatform.Detail{
				Code: mutuallyExclusive, Target: pair.a, Message: "The parameter '" + pair.a + "' cannot be combined with '" + pair.b + "'.",
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

// collector collects the twins of a window.
type collector struct {
	window
	left  int // to skip
	found []twinplatform.Record[Twin]
	more  bool // there are twins behind the window
}

// add adds a twin, and reports whether that was one too many.
func (f *collector) add(rec twinplatform.Record[Twin]) (full bool) {
	switch {
	case f.left > 0:
		f.left--
	case len(f.found) == f.top:
		f.more = true
	default:
		f.found = append(f.found, rec)
	}
	return f.more
}

// page is the page of what was found.
func (f *collector) page(minimal bool) twinplatform.Page[Twin] {
	for i := range f.found {
		if rec := &f.found[i]; minimal {
			rec.JSON = rec.Value.Summary().AppendJSON(nil)
		}
	}
	page := twinplatform.PageOf(f.found)
	if page.Top = f.top; f.more {
		page.Next = f.next()
	}
	return page
}

// find returns the twins of a window, of all that match and that the caller may
// see.
func (s *Service) find(ctx context.Context, q *TwinQuery, w window) (f *collector, err error) {
	p, named := twinplatform.PrincipalFrom(ctx)
	if named && !s.own {
		return s.findAsked(ctx, q, w)
	}
	err = s.db.View(ctx, func(v *records.View) error {
		f = &collector{window: w, left: w.skip}
		seen, err := s.visibilityOf(v, p, !named)
		if err != nil {
			return err
		}
		for c, err := range seen.candidates(v, q) {
			if err != nil {
				return err
			}
			if c.sure && f.left > 0 {
				f.left-- // without reading it
				continue
			}
			rec, listed, err := s.twinOf(v, p, q, c)
			if err != nil {
				return err
			}
			if listed && f.add(rec) {
				return nil
			}
		}
		return nil
	})
	return f, err
}

// twinOf returns the twin of a candidate, and whether the list holds it.
func (s *Service) twinOf(v *records.View, p twinplatform.Principal, q *TwinQuery, c candidate) (rec twinplatform.Record[Twin], listed bool, err error) {
	rec, err = twinRecords.Get(v, allAccounts, c.id)
	if err != nil || c.sure {
		return rec, err == nil, err
	}
	if !q.matches(&rec.Value) {
		return rec, false, nil
	}
	if !c.visible {
		c.visible, err = s.sees(v, p, &rec.Value)
	}
	return rec, c.visible, err
}

// sees reports whether a caller may see a twin.
func (s *Service) sees(v *records.View, p twinplatform.Principal, t *Twin) (bool, error) {
	if s.env.Administers(p, t.account()) {
		return true, nil
	}
	g, err := s.grantOf(v, p.ID, t.ID)
	if err != nil {
		return false, err
	}
	return g.held.allows(PermissionRead), nil
}

// findAsked is find where another authorizer decides. It is asked about every
// match until the window is full.
func (s *Service) findAsked(ctx context.Context, q *TwinQuery, w window) (*collector, error) {
	return s.readable(ctx, w, func(v *records.View) (all []twinplatform.Record[Twin], err error) {
		for t, err := range twinRecords.All(v, allAccounts, "") {
			if err != nil {
				return nil, err
			}
			if !q.matches(t) {
				continue
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

// readable returns a window of those twins that the caller may see. The authorizer
// is asked over the state that the twins are read from, or, where it answers from
// elsewhere, after that.
func (s *Service) readable(ctx context.Context, w window, read func(*records.View) ([]twinplatform.Record[Twin], error)) (f *collector, err error) {
	var all []twinplatform.Record[Twin]
	err = s.db.View(ctx, func(v *records.View) error {
		if all, err = read(v); err == nil && s.local {
			f, err = s.readableOf(v.Within(ctx), w, all)
		}
		return err
	})
	if err == nil && !s.local {
		f, err = s.readableOf(ctx, w, all)
	}
	return f, err
}

func (s *Service) readableOf(ctx context.Context, w window, all []twinplatform.Record[Twin]) (*collector, error) {
	f := &collector{window: w, left: w.skip}
	for _, rec := range all {
		allowed, err := s.env.Allowed(ctx, PermissionRead, rec.Value.target())
		if err != nil {
			return nil, err
		}
		if allowed && f.add(rec) {
			break
		}
	}
	return f, nil
}
