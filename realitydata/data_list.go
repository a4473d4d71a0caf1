package realitydata

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/odata"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// RealityData returns reality data. The caller sees what is associated with a twin on
// which it holds one of the permissions, and the own data.
//
// Errors: RealityDataNotFound, also for a caller who may not see the data, and
// where twinID is given and the data are not associated with it, or the caller
// holds no permission there; InvalidRealityDataRequest with InvalidValue (twinId), if that
// is no GUID and the caller sees no data of a twin that is called so.
func (s *Service) RealityData(ctx context.Context, id, twinID string) (twinplatform.Record[RealityData], error) {
	return read(ctx, s, func(c caller) (twinplatform.Record[RealityData], error) { return c.visible(id, twinID) })
}

// RealityDataQuery selects the reality data to list. Every filter that is given holds.
type RealityDataQuery struct {
	twinplatform.ListOptions
	// TwinID lists what is associated with a twin. Without it, a caller lists
	// the own data, an organization administrator those of the account and the
	// system all.
	TwinID string
	// OrderBy is a property, and " desc" behind it for the other direction;
	// empty means by id. The first page in another order than by id reads the whole
	// list, and so does one behind it after a change.
	OrderBy string
	// Search is text that the name, the description, the dataset, the group,
	// the attribution, the type or a tag contains, in any case. No index
	// finds it: a page reads on until it is full or the data are at their end.
	Search string
	// Types are the types to list.
	Types []string
	// Extent is "west,south,east,north" in degrees: what overlaps it is listed.
	Extent string
	// Times are "start/end" in ISO 8601; either side may be left out. The
	// acquisition is listed when it overlaps, the others when they lie within.
	AcquisitionDateTime  string
	CreatedDateTime      string
	ModifiedDateTime     string
	LastAccessedDateTime string
	OwnerID              string // lists what a principal owns, compared exactly
	DataCenter           string // lists what is kept there, compared exactly
	Tag                  string // lists what has it, in lower case
	// Minimal makes Page.JSON carry a [Summary] of each.
	Minimal bool
}

// filter is one condition of a query.
type filter func(*RealityData) bool

// RealityDataList lists reality data.
//
// Errors: InvalidRealityDataRequest with InvalidValue (top, continuation,
// and each filter that cannot be read; twinId, if it is no GUID and the caller sees no data
// of a twin that is called so). A twin whose data the caller may not
// see has none.
func (s *Service) RealityDataList(ctx context.Context, q RealityDataQuery) (page twinplatform.Page[RealityData],
	err error,
) {
	var c problem.Checks
	query := records.Query[RealityData]{ListOptions: q.ListOptions, Op: dataKind.Many, MaxTop: MaxTop}
	filters := q.filters(&c)
	query.Order, query.Compare = orders.Read(&c, q.OrderBy, "displayName")
	if err := c.Err(InvalidRequest); err != nil {
		return page, err
	}
	page, err = read(ctx, s, func(c caller) (page twinplatform.Page[RealityData], err error) {
		collection, in, query, err := listed(c, q, query, filters)
		if err != nil {
			return page, err
		}
		page, err = collection.List(c.tx, in, query)
		return page, paging.Listed(err, InvalidRequest)
	})
	if err != nil || !q.Minimal {
		return page, err
	}
	return page.Map(func(rec twinplatform.Record[RealityData]) (_ twinplatform.Record[RealityData], err error) {
		d := &rec.Value
		rec.JSON, err = wire.Marshal(Summary{DisplayName: d.DisplayName, ID: d.ID, Type: d.Type})
		return rec, err
	})
}

// Summary is reality data as a list carries them unless the client prefers whole
// records.
type Summary struct {
	DisplayName string `json:"displayName"`
	ID          string `json:"id"`
	Type        string `json:"type"`
}

// listed is what of a query the caller may see, and the collection that holds it, with
// the place of that.
func listed(c caller, q RealityDataQuery, query records.Query[RealityData],
	filters []filter,
) (*records.Collection[RealityData], records.Scope, records.Query[RealityData], error) {
	collection := &dataRecords
	p, principal := c.Caller()
	in := inAccount(p.AccountID)
	switch {
	case q.TwinID != "":
		if err := c.named(q.TwinID); err != nil {
			return nil, in, query, err
		}
		collection = &twinRecords
		query.Prefix = records.Join(q.TwinID, "")
		visible, err := c.Holds(p.AccountID, q.TwinID, anyPermission...)
		if err == nil && visible {
			in, err = c.ofTwin(p.AccountID, q.TwinID)
		}
		if err != nil {
			return nil, in, query, err
		}
		if !visible {
			filters = append(filters, func(*RealityData) bool { return false })
			query.View = "stranger"
		}
	case principal:
		query.View = p.AccountID + "\x00" + p.ID
		filters = append(filters, func(d *RealityData) bool { return c.administers(d.AccountID) || c.owns(d) })
		if !c.administers(p.AccountID) {
			query.Index, query.Equals = "owner", p.ID
		}
	}
	if q.OwnerID != "" && q.TwinID == "" && query.Index == "" {
		query.Index, query.Equals = "owner", q.OwnerID
	}
	if q.Minimal {
		query.View += "\x00minimal"
	}
	if len(filters) > 0 {
		query.Filter = q.canonical()
		query.Match = func(d *RealityData) bool {
			return !slices.ContainsFunc(filters, func(f filter) bool { return !f(d) })
		}
	}
	if q.TwinID != "" {
		judge.OwnAlone(c.Judge, &query, p.AccountID, func(d *RealityData) string { return d.AccountID })
	}
	return collection, in, query, nil
}

// canonical is the text of the filters, which tokens are bound to.
func (q RealityDataQuery) canonical() string {
	return fmt.Sprintf("%q", []any{
		q.Search, q.Types, q.Extent, q.AcquisitionDateTime, q.CreatedDateTime,
		q.ModifiedDateTime, q.LastAccessedDateTime, q.OwnerID, q.DataCenter, q.Tag,
	})
}

func (q RealityDataQuery) filters(c *problem.Checks) (out []filter) {
	needle := strings.ToLower(q.Search)
	for _, f := range []struct {
		given bool
		keeps filter
	}{
		{q.Search != "", func(d *RealityData) bool { return strings.Contains(d.searchable(), needle) }},
		{len(q.Types) > 0, func(d *RealityData) bool { return slices.Contains(q.Types, d.Type) }},
		{q.OwnerID != "", func(d *RealityData) bool { return string(d.OwnerID) == q.OwnerID }},
		{q.DataCenter != "", func(d *RealityData) bool { return d.DataCenterLocation == q.DataCenter }},
		{q.Tag != "", func(d *RealityData) bool { return slices.Contains(d.Tags, q.Tag) }},
	} {
		if f.given {
			out = append(out, f.keeps)
		}
	}
	if q.Extent != "" {
		if overlaps := parseExtent(c, q.Extent); overlaps != nil {
			out = append(out, overlaps)
		}
	}
	for _, t := range []struct {
		name, value string
		from, to    func(*RealityData) twinplatform.DateTime
	}{
		{"acquisitionDateTime", q.AcquisitionDateTime, acquiredTo, acquiredFrom},
		{"createdDateTime", q.CreatedDateTime, created, created},
		{"modifiedDateTime", q.ModifiedDateTime, modified, modified},
		{"lastAccessedDateTime", q.LastAccessedDateTime, accessed, accessed},
	} {
		if t.value != "" {
			out = append(out, parseTimes(c, t.name, t.value, t.from, t.to)...)
		}
	}
	return out
}

func created(d *RealityData) twinplatform.DateTime  { return d.CreatedDateTime }
func modified(d *RealityData) twinplatform.DateTime { return d.ModifiedDateTime }
func accessed(d *RealityData) twinplatform.DateTime { return d.LastAccessedDateTime }

// acquiredFrom and acquiredTo are when the acquisition began and ended; one
// whose end or start is not known is taken as a moment.
func acquiredFrom(d *RealityData) twinplatform.DateTime {
	if d.Acquisition == nil {
		return twinplatform.DateTime{}
	}
	if d.Acquisition.StartDateTime.IsZero() {
		return d.Acquisition.EndDateTime
	}
	return d.Acquisition.StartDateTime
}

func acquiredTo(d *RealityData) twinplatform.DateTime {
	if d.Acquisition == nil || d.Acquisition.EndDateTime.IsZero() {
		return acquiredFrom(d)
	}
	return d.Acquisition.EndDateTime
}

func (d *RealityData) searchable() string {
	return strings.ToLower(strings.Join(append([]string{
		d.DisplayName, string(d.Description), string(d.Dataset), string(d.Group), string(d.Attribution), d.Type,
	}, d.Tags...), "\n"))
}

// parseTimes reads "start/end": from is not before the start, to not behind the
// end. What has no such time is not listed.
func parseTimes(c *problem.Checks, target, value string, from,
	to func(*RealityData) twinplatform.DateTime,
) (out []filter) {
	start, end, ok := strings.Cut(value, "/")
	if !ok || start == "" && end == "" {
		c.Bad(target, "The value of '%s' is two date-times with a slash between them.", target)
		return nil
	}
	for _, side := range []struct {
		text string
		keep func(d *RealityData, limit time.Time) bool
	}{
		{start, func(d *RealityData, limit time.Time) bool { return !from(d).IsZero() && !from(d).Before(limit) }},
		{end, func(d *RealityData, limit time.Time) bool { return !to(d).IsZero() && !to(d).After(limit) }},
	} {
		if side.text == "" {
			continue
		}
		limit, err := twinplatform.ParseDateTime(side.text)
		if err != nil {
			c.Bad(target, "The value of '%s' is two date-times with a slash between them: %v.", target, err)
			continue
		}
		out = append(out, func(d *RealityData) bool { return side.keep(d, limit.Time) })
	}
	return out
}

// parseExtent reads "west,south,east,north". A western edge east of the eastern
// one reaches over the 180th meridian.
func parseExtent(c *problem.Checks, value string) filter {
	parts := strings.Split(value, ",")
	var n [4]float64
	valid := len(parts) == len(n)
	for i := range n {
		if !valid {
			break
		}
		var err error
		n[i], err = strconv.ParseFloat(strings.TrimSpace(parts[i]), 64)
		limit := []float64{180, 90}[i%2]
		valid = err == nil && n[i] >= -limit && n[i] <= limit
	}
	west, south, east, north := n[0], n[1], n[2], n[3]
	if !valid || south > north {
		c.Bad("extent", "An extent is west,south,east,north in degrees.")
		return nil
	}
	return func(d *RealityData) bool {
		if d.Extent == nil {
			return false
		}
		sw, ne := d.Extent.SouthWest, d.Extent.NorthEast
		return *sw.Latitude <= north && *ne.Latitude >= south && meridiansMeet(*sw.Longitude, *ne.Longitude, west, east)
	}
}

// meridiansMeet reports whether two ranges of longitudes, each from west to
// east, overlap.
func meridiansMeet(west, east, otherWest, otherEast float64) bool {
	within := func(x, west, east float64) bool {
		if west <= east {
			return x >= west && x <= east
		}
		return x >= west || x <= east
	}
	return within(west, otherWest, otherEast) || within(otherWest, west, east)
}

// orders are the properties that a list can be ordered by.
var orders = entity.Orders[RealityData]{
	"id":          func(a, b *RealityData) int { return cmp.Compare(a.ID, b.ID) },
	"displayName": func(a, b *RealityData) int { return odata.CompareTexts(a.DisplayName, b.DisplayName) },
	"description": func(a,
		b *RealityData,
	) int {
		return odata.CompareTexts(string(a.Description), string(b.Description))
	},
	"dataset": func(a,
		b *RealityData,
	) int {
		return odata.CompareTexts(string(a.Dataset), string(b.Dataset))
	},
	"group":          func(a, b *RealityData) int { return odata.CompareTexts(string(a.Group), string(b.Group)) },
	"type":           func(a, b *RealityData) int { return odata.CompareTexts(string(a.Type), string(b.Type)) },
	"classification": func(a, b *RealityData) int { return cmp.Compare(a.Classification, b.Classification) },
	"size":           func(a, b *RealityData) int { return cmp.Compare(a.Size, b.Size) },
	"ownerId": func(a,
		b *RealityData,
	) int {
		return odata.CompareTexts(string(a.OwnerID), string(b.OwnerID))
	},
	"dataCenterLocation": func(a,
		b *RealityData,
	) int {
		return cmp.Compare(a.DataCenterLocation, b.DataCenterLocation)
	},
	"createdDateTime":  func(a, b *RealityData) int { return a.CreatedDateTime.Compare(b.CreatedDateTime.Time) },
	"modifiedDateTime": func(a, b *RealityData) int { return a.ModifiedDateTime.Compare(b.ModifiedDateTime.Time) },
	"lastAccessedDateTime": func(a,
		b *RealityData,
	) int {
		return a.LastAccessedDateTime.Compare(b.LastAccessedDateTime.Time)
	},
}
