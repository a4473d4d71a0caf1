package realitydata

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// Patch changes reality data: what is left out stays, null clears.
type Patch struct {
	// TwinID, when given, is a twin that the data are associated with. The
	// association itself is changed by Associate, Dissociate and Move.
	TwinID         twinplatform.Optional[string]         `json:"twinId,omitzero"`
	DisplayName    twinplatform.Optional[string]         `json:"displayName,omitzero"`
	Type           twinplatform.Optional[string]         `json:"type,omitzero"`
	Classification twinplatform.Optional[Classification] `json:"classification,omitzero"`
	Description    twinplatform.Optional[string]         `json:"description,omitzero"`
	Dataset        twinplatform.Optional[string]         `json:"dataset,omitzero"`
	Group          twinplatform.Optional[string]         `json:"group,omitzero"`
	Attribution    twinplatform.Optional[string]         `json:"attribution,omitzero"`
	TermsOfUse     twinplatform.Optional[string]         `json:"termsOfUse,omitzero"`
	RootDocument   twinplatform.Optional[string]         `json:"rootDocument,omitzero"`
	Tags           twinplatform.Optional[[]string]       `json:"tags,omitzero"`
	Acquisition    twinplatform.Optional[Acquisition]    `json:"acquisition,omitzero"`
	Extent         twinplatform.Optional[Extent]         `json:"extent,omitzero"`
	CRS            twinplatform.Optional[CRS]            `json:"crs,omitzero"`
	// Authoring set to false says that the data are uploaded completely: their
	// size is taken then.
	Authoring twinplatform.Optional[bool]   `json:"authoring,omitzero"`
	OwnerID   twinplatform.Optional[string] `json:"ownerId,omitzero"`

	// IfMatch, when given, is the ETag that the data must have.
	IfMatch string `json:"-"`
}

func (p *Patch) apply(d *RealityData) error {
	var c refuse.Checks
	p.DisplayName.Apply(&d.DisplayName)
	p.Type.Apply(&d.Type)
	p.Classification.Apply(&d.Classification)
	p.Description.Apply((*string)(&d.Description))
	p.Dataset.Apply((*string)(&d.Dataset))
	p.Group.Apply((*string)(&d.Group))
	p.Attribution.Apply((*string)(&d.Attribution))
	p.TermsOfUse.Apply((*string)(&d.TermsOfUse))
	p.RootDocument.Apply((*string)(&d.RootDocument))
	p.OwnerID.Apply((*string)(&d.OwnerID))
	p.Tags.Apply(&d.Tags)
	p.Acquisition.ApplyPointer(&d.Acquisition)
	p.Extent.ApplyPointer(&d.Extent)
	p.CRS.ApplyPointer(&d.CRS)
	p.Authoring.Apply(&d.Authoring)
	d.check(&c)
	return c.Err(errRequest)
}

// Update changes reality data (PATCH /reality-management/reality-data/{id}). It
// needs PermissionManage on one of their twins.
//
// Errors: InvalidRealityDataRequest with MissingRequiredProperty or InvalidValue
// for each wrong property; RealityDataNotFound; InsufficientPermissions;
// VersionMismatch.
func (s *Service) Update(ctx context.Context, id string, p Patch) (res twinplatform.Result[RealityData], err error) {
	rec, err := s.manageable(ctx, id)
	if err != nil {
		return res, err
	}
	if twinID, ok := p.TwinID.Get(); ok {
		known, err := s.knows(ctx, &rec.Value, twinID)
		if err != nil {
			return res, err
		}
		if !known {
			var c refuse.Checks
			c.Bad("twinId", "The reality data are not associated with this twin.")
			return res, c.Err(errRequest)
		}
	}
	done, ok := p.Authoring.Get()
	uploaded := ok && !done
	var size int64
	if uploaded {
		if size, err = s.size(ctx, id); err != nil {
			return res, err
		}
	}
	return s.modify(ctx, id, p.IfMatch, func(d *RealityData) error {
		if uploaded {
			d.Size = size
		}
		return p.apply(d)
	})
}

// size is how large the bytes of reality data are, in kilobytes.
func (s *Service) size(ctx context.Context, id string) (int64, error) {
	n, err := s.containers.ContainerSize(ctx, id)
	return (n + 1023) / 1024, err
}

// Measure takes the size of the data anew, for platforms that write the bytes
// themselves. It needs PermissionManage on one of their twins.
//
// Errors: RealityDataNotFound; InsufficientPermissions.
func (s *Service) Measure(ctx context.Context, id string) (res twinplatform.Result[RealityData], err error) {
	if _, err := s.manageable(ctx, id); err != nil {
		return res, err
	}
	size, err := s.size(ctx, id)
	if err != nil {
		return res, err
	}
	return s.modify(ctx, id, "", func(d *RealityData) error {
		d.Size = size
		return nil
	})
}

// modify changes a record with its copies.
func (s *Service) modify(ctx context.Context, id, ifMatch string, fn func(*RealityData) error) (res twinplatform.Result[RealityData], err error) {
	now := s.now()
	err = s.db.Update(ctx, func(u *records.Update) error {
		var before []string
		rec, err := dataRecords.Modify(u, area, id, ifMatch, func(d *RealityData) error {
			before = d.TwinIDs
			d.ModifiedDateTime = now
			return fn(d)
		})
		if err != nil {
			return errMissing.Or(err)
		}
		res.Records = []twinplatform.Record[RealityData]{rec}
		return copyToTwins(u, &rec.Value, before)
	})
	if err != nil {
		return twinplatform.Result[RealityData]{}, err
	}
	return res, nil
}
