package realitydata

import (
	"context"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/odata"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// Detector returns a detector with its versions: that of the caller's account with
// this name, else the published one. Errors: DetectorNotFound, also for a detector
// of another account that has no published version; AmbiguousId for the system
// where several accounts have the name.
func (s *Service) Detector(ctx context.Context, name string) (twinplatform.Record[Detector], error) {
	return read(ctx, s, func(c caller) (rec twinplatform.Record[Detector], err error) {
		d, err := c.visibleDetector(name)
		if err != nil {
			return rec, err
		}
		if rec, err = detectorRecords.Get(c.tx, inAccount(d.AccountID), d.key()); err != nil {
			return rec, err
		}
		return c.shown(rec)
	})
}

// shown is a detector as the caller sees it: one of another account with its
// published versions alone.
func (c caller) shown(rec twinplatform.Record[Detector]) (_ twinplatform.Record[Detector], err error) {
	d := &rec.Value
	if !c.memberOf(d) {
		d.Versions = slices.DeleteFunc(slices.Clone(d.Versions), func(v DetectorVersion) bool { return !v.Published })
		d.LatestVersion = d.latest()
		rec.JSON, err = wire.Marshal(rec.Value)
	}
	return rec, err
}

// DetectorQuery selects the detectors to list.
type DetectorQuery struct {
	twinplatform.ListOptions
	// Filter is an expression over name, displayName, description and type, such as
	// "type eq 'T'": eq, ne, in, and, or, not, parentheses, contains, startswith,
	// endswith, tolower and toupper, at most 4,096 bytes long. Empty lists all.
	Filter string
}

// Detectors lists the detectors that the caller may see by name, without their
// versions.
//
// Errors: InvalidRealityAnalysisRequest with InvalidValue (filter, top,
// continuation).
func (s *Service) Detectors(ctx context.Context, q DetectorQuery) (page twinplatform.Page[Detector], err error) {
	var checks problem.Checks
	matches := q.matches(&checks)
	if err := checks.Err(InvalidDetectorRequest); err != nil {
		return page, err
	}
	return read(ctx, s, func(c caller) (twinplatform.Page[Detector], error) {
		p, _ := c.Caller()
		page, err := detectorKind.List(c.tx, allAccounts, paging, records.Query[Detector]{
			ListOptions: q.ListOptions, View: p.AccountID, Filter: "visible " + q.Filter,
			Match: func(d *Detector) bool { return c.seesDetector(d) && matches(d) },
		})
		if err != nil {
			return page, err
		}
		return page.Map(c.shown)
	})
}

// detectorProperties are what a filter of detectors may name.
var detectorProperties = odata.Properties{
	odata.Text("name", func(d *Detector) string { return d.Name }),
	odata.Text("displayName", func(d *Detector) twinplatform.NullString { return d.DisplayName }),
	odata.Text("description", func(d *Detector) twinplatform.NullString { return d.Description }),
	odata.Enum("type", detectorTypes, func(d *Detector) DetectorType { return d.Type }),
}

// matches is what the filter of a query lists.
func (q DetectorQuery) matches(c *problem.Checks) func(*Detector) bool {
	filter, _, err := detectorProperties.Filter(q.Filter)
	if err != nil {
		c.Bad(twinplatform.TargetFilter, "%v", err)
	}
	return func(d *Detector) bool { return filter == nil || filter(d) }
}
