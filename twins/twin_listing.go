package twins

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/odata"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
)

// properties are what the options of lists of twins may name, which are all members of
// a twin, in the order in which its wire form has them.
var properties = odata.Properties{
	odata.Enum("class", classes, func(t *Twin) Class { return t.Class }),
	odata.Text("createdBy", func(t *Twin) twinplatform.NullString { return t.CreatedBy }),
	odata.Time("createdDateTime", func(t *Twin) twinplatform.DateTime { return t.CreatedDateTime }),
	odata.Enum("dataCenterLocation", dataCenterLocations,
		func(t *Twin) DataCenterLocation { return t.DataCenterLocation }),
	odata.Text("displayName", func(t *Twin) string { return t.DisplayName }),
	odata.Text("geographicLocation", func(t *Twin) twinplatform.NullString { return t.GeographicLocation }),
	odata.Text("ianaTimeZone", func(t *Twin) twinplatform.NullString { return t.IANATimeZone }),
	odata.Text("id", func(t *Twin) string { return t.ID }),
	odata.Text("image", func(t *Twin) twinplatform.NullString { return t.Image }),
	odata.Text("imageName", func(t *Twin) twinplatform.NullString { return t.ImageName }),
	odata.Text("lastModifiedBy", func(t *Twin) twinplatform.NullString { return t.LastModifiedBy }),
	odata.Time("lastModifiedDateTime", func(t *Twin) twinplatform.DateTime { return t.LastModifiedDateTime }),
	odata.Number("latitude", func(t *Twin) *float64 { return t.Latitude }),
	odata.Number("longitude", func(t *Twin) *float64 { return t.Longitude }),
	odata.Text("number", func(t *Twin) string { return t.Number }),
	odata.Text("parentId", func(t *Twin) twinplatform.NullString { return t.ParentID }),
	odata.Enum("status", statuses, func(t *Twin) Status { return t.Status }),
	odata.Enum("subClass", subClasses, func(t *Twin) SubClass { return t.SubClass }),
	odata.Text("twinAccountId", func(t *Twin) twinplatform.NullString { return t.TwinAccountID }),
	odata.Text("type", func(t *Twin) twinplatform.NullString { return t.Type }),
}

// listing is a query that was checked, and what is found by it.
type listing struct {
	TwinQuery
	window
	filter  odata.Filter       // nil: none
	compare func(a, b any) int // nil: as they are found
	after   string             // the id behind which it begins, where nothing is skipped
	looks   int                // how many matches an authorizer is asked about at once; 0 for all
	seen    string             // the last of these, where there are more
	left    int                // to skip
	stamp   string             // of the twins that the caller sees; none where it is not known
	found   []twinplatform.Record[Twin]
	more    bool // there are twins behind the window
}

// listing checks the query of a caller.
func (q TwinQuery) listing(ctx context.Context) (*listing, error) {
	var c problem.Checks
	var err error
	l := &listing{window: windowOf(&c, q.ListOptions, q.Skip)}
	q.check(&c)
	q.checkIDs(ctx, &c)
	var named []string
	if l.filter, named, err = properties.Filter(q.Filter); err != nil {
		c.Bad(twinplatform.TargetFilter, "%v", err)
	}
	q.SubClasses = slices.Compact(slices.Sorted(slices.Values(q.SubClasses)))
	if slices.Contains(named, "status") {
		q.IncludeInactive = true
	}
	if l.compare, err = properties.Order(q.OrderBy); err != nil {
		c.Bad(twinplatform.TargetOrderBy, "%v", err)
	}
	l.TwinQuery = q
	return l, c.Err(InvalidRequest)
}

// checkIDs checks the ids of twins, which are GUIDs except for those of accounts: these
// are whatever their principals have.
func (q *TwinQuery) checkIDs(ctx context.Context, c *problem.Checks) {
	p, named := twinplatform.PrincipalFrom(ctx)
	for _, id := range []struct{ target, value string }{{"parentId", q.ParentID}, {"twinAccountId", q.TwinAccountID}} {
		if named && id.value != p.AccountID {
			c.GUID(id.target, id.value)
		}
	}
}

// plain reports whether whatever an index finds is listed, in the order in which it is
// found.
func (l *listing) plain() bool {
	return l.Search == "" && l.TwinAccountID == "" && l.filter == nil && l.compare == nil
}

func (l *listing) matches(t *Twin) bool {
	return l.TwinQuery.matches(t) && (l.filter == nil || l.filter(t))
}

// begin begins to find twins.
func (l *listing) begin() { l.left, l.found, l.more = l.skip, nil, false }

// size is how many twins the page has at most.
func (l *listing) size() int {
	if l.MaxReturn == 0 {
		return l.top
	}
	return max(min(l.top, l.MaxReturn-l.skip), 0)
}

// add adds a twin, and reports whether that was enough.
func (l *listing) add(rec twinplatform.Record[Twin]) (full bool) {
	switch {
	case l.compare != nil:
		l.found = append(l.found, rec) // to be ordered before it is known which are listed
		return false
	case l.left > 0:
		l.left--
	case len(l.found) == l.size():
		l.more = true
	default:
		l.found = append(l.found, rec)
	}
	return l.more
}

// order orders what was found, and leaves the window of it.
func (l *listing) order() {
	if l.compare == nil {
		return
	}
	slices.SortStableFunc(l.found, func(a, b twinplatform.Record[Twin]) int {
		return cmp.Or(l.compare(&a.Value, &b.Value), strings.Compare(a.Value.ID, b.Value.ID))
	})
	from := min(l.skip, len(l.found))
	to := min(from+l.size(), len(l.found))
	l.more, l.found = to < len(l.found), l.found[from:to]
}

// page is the page of what was found.
func (l *listing) page() (page twinplatform.Page[Twin], err error) {
	l.order()
	for i := range l.found {
		rec := &l.found[i]
		switch {
		case len(l.Select) > 0:
			rec.JSON, err = properties.Pick(rec.JSON, l.Select)
		case l.Minimal:
			rec.JSON = rec.Value.Summary().AppendJSON(nil)
		}
		if err != nil {
			return page, err
		}
	}
	page = twinplatform.PageOf(l.found)
	page.Top = l.top
	if l.more && (l.MaxReturn == 0 || l.skip+l.top < l.MaxReturn) {
		page.Next = l.next()
	}
	return page, nil
}
