package realitydata

import (
	"context"
	"reflect"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// RealityDataPatch changes reality data: what is left out stays, null clears.
type RealityDataPatch struct {
	// ID, when given, is that of the data.
	ID twinplatform.Optional[string] `json:"id,omitzero"`
	// TwinID, when given, is a twin that the data are associated with. The
	// association itself is changed by Associate, Dissociate and Move.
	TwinID         twinplatform.Optional[string]         `json:"twinId,omitzero"`
	DisplayName    twinplatform.Optional[string]         `json:"displayName,omitzero"`    // not empty
	Type           twinplatform.Optional[string]         `json:"type,omitzero"`           // not empty
	Classification twinplatform.Optional[Classification] `json:"classification,omitzero"` // null makes it Undefined
	Description    twinplatform.Optional[string]         `json:"description,omitzero"`    // null clears it
	Dataset        twinplatform.Optional[string]         `json:"dataset,omitzero"`        // null clears it
	Group          twinplatform.Optional[string]         `json:"group,omitzero"`          // null clears it
	Attribution    twinplatform.Optional[string]         `json:"attribution,omitzero"`    // null clears it
	TermsOfUse     twinplatform.Optional[string]         `json:"termsOfUse,omitzero"`     // null clears it
	RootDocument   twinplatform.Optional[string]         `json:"rootDocument,omitzero"`   // null clears it
	// in place of all; null clears them
	Tags        twinplatform.Optional[[]string]    `json:"tags,omitzero"`
	Acquisition twinplatform.Optional[Acquisition] `json:"acquisition,omitzero"` // as a whole; null clears it
	Extent      twinplatform.Optional[Extent]      `json:"extent,omitzero"`      // as a whole; null clears it
	CRS         twinplatform.Optional[CRS]         `json:"crs,omitzero"`         // as a whole; null clears it
	// Authoring set to false says that the data are uploaded completely: their
	// size is taken then, and their bytes cannot be written until it is true
	// again. It cannot be null.
	Authoring twinplatform.Optional[bool]   `json:"authoring,omitzero"`
	OwnerID   twinplatform.Optional[string] `json:"ownerId,omitzero"` // null clears it
}

// UpdateRealityData changes reality data (PATCH
// /reality-management/reality-data/{id}). It needs PermissionManage on one of their
// twins.
//
// Errors: InvalidRealityDataRequest with MissingRequiredProperty or InvalidValue
// for each wrong property; RealityDataNotFound; InsufficientPermissions;
// VersionMismatch.
func (s *Service) UpdateRealityData(ctx context.Context, id string, p RealityDataPatch,
	pre ...twinplatform.Precondition,
) (res twinplatform.Result[RealityData], err error) {
	if done, ok := p.Authoring.Get(); ok && !done {
		return s.finish(ctx, id, p, pre...)
	}
	return s.modify(ctx, id, twinplatform.ConditionOf(pre...), p.to(nil))
}

// to is a patch as a change to reality data, which also sets their size where that
// is known.
func (p *RealityDataPatch) to(size *int64) func(caller, *RealityData) error {
	return func(c caller, d *RealityData) error {
		if twinID, ok := p.TwinID.Get(); ok {
			seen, err := c.seesAssociation(d, twinID)
			if err != nil {
				return err
			}
			if !seen {
				return badTwin("The reality data are not associated with this twin.")
			}
		}
		if size != nil {
			d.Size = *size
		}
		return p.apply(d)
	}
}

func (p *RealityDataPatch) apply(d *RealityData) error {
	var c problem.Checks
	if p.ID.Present() && p.ID.Or("") != d.ID {
		c.Bad("id", "The id of reality data does not change.")
	}
	if p.Authoring.IsNull() {
		c.Bad("authoring", "The value of 'authoring' is true or false.")
	}
	dataKind.CheckPatch(d.ID, p, &c)
	dataKind.Apply(p, d, &c)
	return c.Err(InvalidRequest)
}

// finish carries out a patch that says that the data are uploaded completely. From
// then on nothing is written; what was written while the size was taken is counted
// afterwards.
func (s *Service) finish(ctx context.Context, id string, p RealityDataPatch,
	pre ...twinplatform.Precondition,
) (res twinplatform.Result[RealityData], err error) {
	size, err := s.measured(ctx, id)
	if err != nil {
		return res, err
	}
	if res, err = s.modify(ctx, id, twinplatform.ConditionOf(pre...), p.to(&size)); err != nil {
		return res, err
	}
	final, err := s.size(ctx, id)
	if err != nil || final == size {
		return res, err
	}
	return s.resize(ctx, id, final)
}

func (s *Service) resize(ctx context.Context, id string, size int64,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[RealityData], error) {
	return s.modify(ctx, id, twinplatform.ConditionOf(pre...), func(_ caller, d *RealityData) error {
		d.Size = size
		return nil
	})
}

// size is how large the bytes of reality data are, in kilobytes.
func (s *Service) size(ctx context.Context, id string) (int64, error) {
	n, err := s.containers.ContainerSize(ctx, id)
	return kilobytes(n), err
}

func kilobytes(bytes int64) int64 { return (bytes + 1023) / 1024 }

// ContainerChanged takes the size of reality data that were made without authoring, each time that a
// file of theirs was written or removed. Those that are being made are measured when that ends, and
// detectors have no size. Calls for one container wait for each other; those that find the size noted
// write nothing. The container is read only where its Containers have no ContainerCounts of it.
func (s *Service) ContainerChanged(ctx context.Context, containerID string) error {
	if strings.HasPrefix(containerID, versionPrefix) {
		return nil
	}
	lookup := func(in records.Reading) (*RealityData, error) {
		d, err := dataRecords.Lookup(in, allAccounts, containerID)
		if d == nil || d.Authoring {
			return nil, err
		}
		return d, err
	}
	known := func() (d *RealityData, err error) {
		return d, s.db.View(ctx, func(v *records.View) error {
			d, err = lookup(v)
			return err
		})
	}
	if d, err := known(); d == nil || err != nil {
		return err
	}
	defer s.sizing.lock(containerID)()
	size, err := s.countedSize(ctx, containerID)
	if err != nil {
		return err
	}
	if d, err := known(); d == nil || err != nil || d.Size == size {
		return err
	}
	return s.update(ctx, func(u *records.Update, c caller) error {
		d, err := lookup(u)
		if d == nil || err != nil || d.Size == size {
			return err
		}
		_, err = c.put(u, d, "", func(d *RealityData) error {
			d.Size, d.ModifiedDateTime = size, s.now()
			return nil
		})
		return err
	})
}

// countedSize is size, as the containers count where they do.
func (s *Service) countedSize(ctx context.Context, id string) (int64, error) {
	if counts, ok := s.containers.(ContainerCounts); ok {
		if n, ok := counts.CountedSize(id); ok {
			return kilobytes(n), nil
		}
	}
	return s.size(ctx, id)
}

// measured is the size of reality data that the caller may change.
func (s *Service) measured(ctx context.Context, id string) (int64, error) {
	if _, err := read(ctx, s, func(c caller) (*RealityData, error) { return c.changeable(id) }); err != nil {
		return 0, err
	}
	return s.size(ctx, id)
}

// Measure takes the size of the data again, for platforms that write the bytes
// themselves. It needs PermissionManage on one of their twins.
//
// Errors: RealityDataNotFound; InsufficientPermissions; VersionMismatch.
func (s *Service) Measure(ctx context.Context, id string,
	pre ...twinplatform.Precondition,
) (res twinplatform.Result[RealityData], err error) {
	size, err := s.measured(ctx, id)
	if err != nil {
		return res, err
	}
	return s.resize(ctx, id, size, pre...)
}

// same reports whether reality data are unchanged. No tags are nil or empty.
func (d RealityData) same(before RealityData) bool {
	if slices.Equal(d.Tags, before.Tags) {
		before.Tags = d.Tags
	}
	return reflect.DeepEqual(d, before)
}

// modify changes reality data that the caller may change. What stays as it is was not
// modified.
func (s *Service) modify(ctx context.Context, id string, cond twinplatform.Condition,
	fn func(caller, *RealityData) error,
) (twinplatform.Result[RealityData], error) {
	return write(ctx, s, func(u *records.Update, c caller) (rec twinplatform.Record[RealityData], err error) {
		d, err := c.changeable(id)
		if err != nil {
			return rec, err
		}
		return c.put(u, d, cond, func(d *RealityData) error {
			stored := *d
			if err := fn(c, d); err != nil {
				return err
			}
			if !d.same(stored) {
				d.ModifiedDateTime = s.now()
			}
			return nil
		})
	})
}

// put changes a record with its copies.
func (c caller) put(u *records.Update, d *RealityData, cond twinplatform.Condition,
	fn func(*RealityData) error,
) (rec twinplatform.Record[RealityData], err error) {
	var before []string
	rec, err = dataRecords.Modify(u, inAccount(d.AccountID), d.ID, cond, func(d *RealityData) error {
		before = d.TwinIDs
		return fn(d)
	})
	if err != nil {
		return rec, dataKind.Missing.Or(err)
	}
	return rec, c.copyToTwins(u, &rec.Value, before)
}

// DeleteRealityData removes reality data with their bytes. It needs PermissionManage on
// their twin.
//
// Errors: RealityDataNotFound; InsufficientPermissions; RealityDataShared while
// more than one twin is associated; VersionMismatch.
func (s *Service) DeleteRealityData(ctx context.Context, id string, pre ...twinplatform.Precondition) error {
	return s.deleting(ctx, func(u *records.Update, c caller) (containers []string, err error) {
		d, err := c.changeable(id)
		if err != nil {
			return nil, err
		}
		if err := dataRecords.Check(u, inAccount(d.AccountID), id, twinplatform.ConditionOf(pre...)); err != nil {
			return nil, dataKind.Missing.Or(err)
		}
		if len(d.TwinIDs) > 1 {
			return nil, errShared
		}
		before := d.TwinIDs
		d.TwinIDs = nil
		if err := c.copyToTwins(u, d, before); err != nil {
			return nil, err
		}
		return []string{id}, dataRecords.Erase(u, inAccount(d.AccountID), id)
	})
}

var errShared = problem.Conflict("RealityDataShared", "", "The reality data are associated with more than one twin.")
