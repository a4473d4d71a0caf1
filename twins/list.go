package twins

import (
	"context"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
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
	var c checks
	w := windowOf(&c, q.ListOptions, q.Skip)
	q.check(&c)
	if err := c.err(); err != nil {
		return page, err
	}
	found, more, err := s.find(ctx, &q, w)
	if err != nil {
		return page, err
	}
	return pageOf(found, more, w, q.Minimal), nil
}

func (q *TwinQuery) check(c *checks) {
	for _, sub := range q.SubClasses {
		if !refuse.OneOf(&c.Checks, "subClass", sub, subClasses) {
			break
		}
	}
	if q.Status != "" {
		refuse.OneOf(&c.Checks, "status", q.Status, statuses)
		if q.IncludeInactive {
			c.exclusive("includeInactive", "status")
		}
	}
	if q.Search == "" {
		return
	}
	if q.Number != "" {
		c.exclusive(twinplatform.TargetSearch, "number")
	}
	if q.DisplayName != "" {
		c.exclusive(twinplatform.TargetSearch, "displayName")
	}
}

func (c *checks) exclusive(a, b string) {
	c.Add(twinplatform.Detail{
		Code: mutuallyExclusive, Target: a, Message: "The parameter '" + a + "' cannot be combined with '" + b + "'.",
	})
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

// inUseOnly reports whether the query asks for nothing but twins in use, so that
// one found in the index of those need not be looked at.
func (q *TwinQuery) inUseOnly() bool {
	return q.Status == "" && !q.IncludeInactive && q.Type == "" && q.Number == "" && q.DisplayName == "" &&
		q.ParentID == "" && q.TwinAccountID == "" && q.Search == "" && len(q.SubClasses) == 0
}

// pageOf is the page of a window.
func pageOf(found []twinplatform.Record[Twin], more bool, w window, minimal bool) twinplatform.Page[Twin] {
	wire := make([][]byte, len(found))
	for i, rec := range found {
		wire[i] = rec.JSON
		if minimal {
			wire[i] = rec.Value.Summary().AppendJSON(nil)
		}
	}
	page := twinplatform.NewPage(wire, func(i int) (Twin, error) { return found[i].Value, nil })
	if page.Top = w.top; more {
		page.Next = w.next()
	}
	return page
}

// find returns the twins of a window, of all that match and that the caller may
// see, and whether there are more behind it.
func (s *Service) find(ctx context.Context, q *TwinQuery, w window) (found []twinplatform.Record[Twin], more bool, err error) {
	p, named := twinplatform.PrincipalFrom(ctx)
	if named && !s.own {
		return s.findAsked(ctx, q, w)
	}
	err = s.db.View(ctx, func(v *records.View) error {
		found, more = nil, false
		r, err := s.reachOf(v, p, !named)
		if err != nil {
			return err
		}
		skip := w.skip
		for c, err := range r.candidates(v, q) {
			if err != nil {
				return err
			}
			if c.sure && skip > 0 {
				skip--
				continue
			}
			rec, listed, err := s.judge(v, p, q, c)
			switch {
			case err != nil:
				return err
			case !listed:
			case skip > 0:
				skip--
			case len(found) == w.top:
				more = true
				return nil
			default:
				found = append(found, rec)
			}
		}
		return nil
	})
	return found, more, err
}

// judge returns the twin of a candidate, and whether the list holds it.
func (s *Service) judge(v *records.View, p twinplatform.Principal, q *TwinQuery, c candidate) (rec twinplatform.Record[Twin], listed bool, err error) {
	rec, err = twinRecords.Get(v, area, c.id)
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
func (s *Service) findAsked(ctx context.Context, q *TwinQuery, w window) (found []twinplatform.Record[Twin], more bool, err error) {
	return s.readable(ctx, w, func(v *records.View) (all []twinplatform.Record[Twin], err error) {
		for t, err := range twinRecords.All(v, area, "") {
			if err != nil {
				return nil, err
			}
			if !q.matches(t) {
				continue
			}
			rec, err := twinRecords.Get(v, area, t.ID)
			if err != nil {
				return nil, err
			}
			all = append(all, rec)
		}
		return all, nil
	})
}

// readable returns a window of those twins that the caller may see, and whether
// there are more behind it. The authorizer is asked over the state that the twins
// are read from, or, where it answers from elsewhere, after that.
func (s *Service) readable(ctx context.Context, w window, read func(*records.View) ([]twinplatform.Record[Twin], error)) (found []twinplatform.Record[Twin], more bool, err error) {
	var all []twinplatform.Record[Twin]
	err = s.db.View(ctx, func(v *records.View) error {
		if all, err = read(v); err == nil && s.local {
			found, more, err = s.readableOf(v.Within(ctx), w, all)
		}
		return err
	})
	if err == nil && !s.local {
		found, more, err = s.readableOf(ctx, w, all)
	}
	return found, more, err
}

func (s *Service) readableOf(ctx context.Context, w window, all []twinplatform.Record[Twin]) (found []twinplatform.Record[Twin], more bool, err error) {
	skip := w.skip
	for _, rec := range all {
		allowed, err := s.env.Allowed(ctx, PermissionRead, rec.Value.target())
		switch {
		case err != nil:
			return nil, false, err
		case !allowed:
		case skip > 0:
			skip--
		case len(found) == w.top:
			return found, true, nil
		default:
			found = append(found, rec)
		}
	}
	return found, false, nil
}
