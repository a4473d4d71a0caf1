package platform

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/realitydata"
)

func (s *seeder) realityData(w *World) []part {
	return partsOf(w.RealityData, func(d *RealityData) part {
		id := strings.ToLower(d.ID)
		return part{
			id: id, key: guidPattern.FindString(id), at: d.CreatedDateTime,
			find:   func(ctx context.Context) error { return outcome(s.RealityData.RealityData(ctx, id, "")) },
			make:   func(ctx context.Context) error { return s.makeRealityData(ctx, id, *d) },
			remove: func(ctx context.Context) error { return s.RealityData.DeleteRealityData(ctx, id) },
		}
	})
}

func (s *seeder) makeRealityData(ctx context.Context, id string, d RealityData) error {
	n := d.NewRealityData
	if n.TwinID == "" && len(d.TwinIDs) > 0 {
		n.TwinID = d.TwinIDs[0]
	}
	alone := n.TwinID == "" && d.AccountID != "" // taken out of the last twin
	if alone {
		account, err := s.Twins.PrimaryAccount(asSystemClient(ctx, d.AccountID))
		if err != nil {
			return err
		}
		n.TwinID = account.Value.ID
	}
	s.next, n.ModifiedDateTime, n.LastAccessedDateTime = id, d.ModifiedDateTime, d.LastAccessedDateTime
	res, err := s.RealityData.CreateRealityData(ctx, n)
	if err := asChosen(id, res.Value().ID, err); err != nil {
		return err
	}
	if d.ModifiedDateTime.Present() { // which an association is, too
		s.at = d.ModifiedDateTime
	}
	if alone {
		return s.RealityData.Dissociate(ctx, id, n.TwinID)
	}
	for _, twin := range d.TwinIDs {
		if strings.EqualFold(twin, n.TwinID) {
			continue
		}
		if err := s.RealityData.Associate(ctx, id, twin); err != nil {
			return err
		}
	}
	return nil
}

// errUnmade reports a part that was never made.
var errUnmade = &twinplatform.Error{Kind: twinplatform.NotFound, Code: "NotMade", Message: "The part was not made."}

// detectors that are published come last: no account may begin a detector with the
// name of a published one.
func (s *seeder) detectors(w *World) []part {
	return partsOf(w.Detectors, func(d *Detector) part {
		owner := &twinplatform.Principal{
			ID: cmp.Or(d.OwnerID, s.owner.ID), AccountID: cmp.Or(d.AccountID, s.owner.AccountID),
			Kind: twinplatform.User,
		}
		acting := owner
		if owner.AccountID == "" { // the system means the one of no account
			acting = new(twinplatform.Principal)
		}
		return part{
			id: d.Name, key: key(d.AccountID+"\n", d.Name), owner: acting,
			late: slices.ContainsFunc(d.Versions, func(v DetectorVersion) bool { return v.Published }),
			find: func(ctx context.Context) error {
				found, err := s.RealityData.Detector(ctx, d.Name)
				if errors.Is(err, twinplatform.Conflict) || err == nil && found.Value.AccountID != owner.AccountID {
					err = errUnmade // those are of other accounts
				}
				return err
			},
			make:   func(ctx context.Context) error { return s.makeDetector(ctx, *owner, d) },
			remove: func(ctx context.Context) error { return s.RealityData.DeleteDetector(ctx, d.Name) },
		}
	})
}

// makeDetector makes a detector as its owner, and each version as the version's creator.
func (s *seeder) makeDetector(ctx context.Context, owner twinplatform.Principal, d *Detector) error {
	as := func(id string) context.Context {
		by := owner
		if by.ID = id; id == "" && owner.AccountID == "" {
			return ctx // the system's
		}
		if id != owner.ID {
			// Only an administrator may, besides the owner.
			by.AdministratorRoles = []twinplatform.AdministratorRole{twinplatform.AccountAdministrator}
		}
		return twinplatform.WithPrincipal(ctx, by)
	}
	if _, err := s.RealityData.CreateDetector(as(owner.ID), d.NewDetector); err != nil {
		return err
	}
	for _, v := range d.Versions {
		creator := owner.ID
		if v.CreatorID.Present() {
			creator = v.CreatorID.Or("")
		}
		s.at = v.CreationDate
		if err := s.makeDetectorVersion(as(creator), d.Name, v); err != nil {
			return fmt.Errorf("version %q: %w", v.VersionNumber, err)
		}
	}
	return nil
}

func (s *seeder) makeDetectorVersion(ctx context.Context, name string, v DetectorVersion) error {
	if _, _, err := s.RealityData.CreateDetectorVersion(ctx, name, v.NewDetectorVersion); err != nil {
		return err
	}
	if v.Status == realitydata.AwaitingData {
		return nil
	}
	err := s.RealityData.CompleteDetectorVersion(ctx, name, v.VersionNumber)
	if err == nil && v.Published {
		err = s.RealityData.PublishDetectorVersion(ctx, name, v.VersionNumber)
	}
	return err
}
