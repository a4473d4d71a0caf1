package realitydata

import (
	"context"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
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

// DetectorQuery says which detectors to list.
type DetectorQuery struct {
	twinplatform.ListOptions
	// Filter is empty, or "type eq 'T'" or "name eq 'N'".
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

// matches is what the filter of a query lists.
func (q DetectorQuery) matches(c *problem.Checks) func(*Detector) bool {
	if q.Filter == "" {
		return func(*Detector) bool { return true }
	}
	words := strings.SplitN(strings.TrimSpace(q.Filter), " ", 3)
	if len(words) == 3 && words[1] == "eq" && len(words[2]) > 1 && words[2][0] == '\'' && strings.HasSuffix(words[2], "'") {
		value := strings.ReplaceAll(words[2][1:len(words[2])-1], "''", "'")
		switch words[0] {
		case "type":
			return func(d *Detector) bool { return string(d.Type) == value }
		case "name":
			return func(d *Detector) bool { return d.Name == value }
		}
	}
	c.Bad(twinplatform.TargetFilter, "The filter is \"type eq '…'\" or \"name eq '…'\".")
	return nil
}
