package realitydata

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// NewDetector asks for a detector. Null and left out are the same in it.
type NewDetector struct {
	// Name is required: 1 to 255 printable characters, such as @owner/name.
	Name string `json:"name"`
	// Type is required.
	Type             DetectorType            `json:"type"`
	DisplayName      twinplatform.NullString `json:"displayName"`      // up to MaxDetectorText characters
	Description      twinplatform.NullString `json:"description"`      // up to MaxDescription characters
	DocumentationURL twinplatform.NullString `json:"documentationUrl"` // up to MaxDescription characters
}

// CreateDetector makes a detector (POST /reality-analysis/detectors). Every
// caller may make one in the own account.
//
// Errors: InvalidRealityAnalysisRequest with MissingRequiredProperty or
// InvalidValue (detector.name, detector.type, detector.displayName,
// detector.description, detector.documentationUrl); DetectorExists.
func (s *Service) CreateDetector(ctx context.Context, n NewDetector) (res twinplatform.Result[Detector], err error) {
	d, err := detectorKind.Make(n)
	if err != nil {
		return res, err
	}
	p, _ := twinplatform.PrincipalFrom(ctx)
	d.OwnerID, d.AccountID, d.Versions = p.ID, p.AccountID, []DetectorVersion{}
	return write(ctx, s, func(u *records.Update, _ caller) (rec twinplatform.Record[Detector], err error) {
		if err := nameIsFree(u, &d); err != nil {
			return rec, err
		}
		return detectorRecords.Insert(u, inAccount(d.AccountID), &d)
	})
}

// DetectorPatch changes a detector: what is left out stays, null clears.
type DetectorPatch struct {
	DisplayName      twinplatform.Optional[string] `json:"displayName,omitzero"`      // null clears it
	Description      twinplatform.Optional[string] `json:"description,omitzero"`      // null clears it
	DocumentationURL twinplatform.Optional[string] `json:"documentationUrl,omitzero"` // null clears it
}

// UpdateDetector changes a detector. Its maker may, and organization
// administrators.
//
// Errors: InvalidRealityAnalysisRequest with InvalidValue; DetectorNotFound;
// InsufficientPermissions; VersionMismatch.
func (s *Service) UpdateDetector(ctx context.Context, name string, p DetectorPatch,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[Detector], error) {
	return s.changeDetector(ctx, name, twinplatform.ConditionOf(pre...), func(_ *records.Update, d *Detector) error {
		return detectorKind.Change(name, p, d)
	})
}

// changeDetector changes a detector for a caller who may.
func (s *Service) changeDetector(ctx context.Context, name string, cond twinplatform.Condition,
	fn func(*records.Update, *Detector) error,
) (twinplatform.Result[Detector], error) {
	return write(ctx, s, func(u *records.Update, c caller) (rec twinplatform.Record[Detector], err error) {
		d, err := c.changeableDetector(name)
		if err != nil {
			return rec, err
		}
		rec, err = detectorRecords.Modify(u, inAccount(d.AccountID), d.key(), cond, func(d *Detector) error {
			err := fn(u, d)
			d.LatestVersion = d.latest()
			return err
		})
		return rec, detectorKind.Missing.Or(err)
	})
}

// DeleteDetector removes a detector with all its versions. Its maker may, and
// organization administrators.
//
// Errors: DetectorNotFound; InsufficientPermissions; VersionMismatch.
func (s *Service) DeleteDetector(ctx context.Context, name string, pre ...twinplatform.Precondition) error {
	return s.deleting(ctx, func(u *records.Update, c caller) (containers []string, err error) {
		d, err := c.changeableDetector(name)
		if err != nil {
			return nil, err
		}
		if err := detectorRecords.Check(u, inAccount(d.AccountID), d.key(),
			twinplatform.ConditionOf(pre...)); err != nil {
			return nil, detectorKind.Missing.Or(err)
		}
		for _, v := range d.Versions {
			containers = append(containers, d.container(v.VersionNumber))
		}
		return containers, detectorRecords.Erase(u, inAccount(d.AccountID), d.key())
	})
}
