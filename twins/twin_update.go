package twins

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/webhooks/event"
)

// TwinPatch changes a twin: what is left out stays, null clears. What has a
// default takes it when it is cleared.
type TwinPatch struct {
	// Class stays Account for an account, and no other twin becomes one. With
	// another class goes another subclass.
	Class twinplatform.Optional[Class] `json:"class,omitzero"`
	// null gives that of a new twin of the class
	SubClass twinplatform.Optional[SubClass] `json:"subClass,omitzero"`
	// up to MaxType characters; null clears it
	Type twinplatform.Optional[string] `json:"type,omitzero"`
	// unique within the account
	Number twinplatform.Optional[string] `json:"number,omitzero"`
	// not empty; unique within the account
	DisplayName twinplatform.Optional[string] `json:"displayName,omitzero"`
	// up to MaxText characters; null clears it
	GeographicLocation twinplatform.Optional[string] `json:"geographicLocation,omitzero"`
	// -90 to 90 degrees; null clears it
	Latitude twinplatform.Optional[float64] `json:"latitude,omitzero"`
	// -180 to 180 degrees; null clears it
	Longitude twinplatform.Optional[float64] `json:"longitude,omitzero"`
	// such as Europe/Berlin; null clears it
	IANATimeZone twinplatform.Optional[string] `json:"ianaTimeZone,omitzero"`
	// null makes it EastUS
	DataCenterLocation twinplatform.Optional[DataCenterLocation] `json:"dataCenterLocation,omitzero"`
	Status             twinplatform.Optional[Status]             `json:"status,omitzero"` // null makes it Active
	// ParentID moves the twin, with all below it, within its account; null moves
	// it to right below the account. It needs PermissionCreate at the new
	// parent. Where others gain or lose permissions at the twin by it, it needs
	// what it takes to give or take those there: PermissionManageMembers,
	// PermissionManageRoles and the permissions themselves.
	ParentID twinplatform.Optional[string] `json:"parentId,omitzero"`
}

// UpdateTwin changes a twin (PATCH /twins/{id}). It needs PermissionModify.
//
// Errors: twinNotFound; InsufficientPermissions, with the target parentId for a
// move that gives or takes what the caller could not; InvalidTwinsRequest with
// MissingRequiredProperty (class, displayName) or InvalidValue, one for each
// wrong property; ResourceNotFound for a new parent that is missing or not for
// the caller to see; twinExists with InvalidValue (number, displayName);
// VersionMismatch; LastOwner for a move that leaves the twin without an owner.
func (s *Service) UpdateTwin(ctx context.Context, twinID string, p TwinPatch,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[Twin], error) {
	return changeOne(ctx, s, func(u *records.Update, j *judge.Judge) (rec twinplatform.Record[Twin], err error) {
		before, err := permitted(u, j, twinID, PermissionModify)
		if err != nil {
			return rec, err
		}
		return twinKind.Update(u, inAccount(before.account()), twinID, twinplatform.ConditionOf(pre...), p,
			func(t, stored *Twin) error {
				if t.Equal(*stored) {
					return nil
				}
				t.LastModifiedBy, t.LastModifiedDateTime = twinplatform.NullString(callerID(j)), s.now()
				if err := s.checkChange(u, j, t, stored); err != nil {
					return err
				}
				return j.Emit(u, t.target(), event.TwinUpdated(t.eventContent(j)))
			})
	})
}

// checkChange checks a changed twin against the others.
func (s *Service) checkChange(u *records.Update, j *judge.Judge, t, stored *Twin) error {
	if t.ParentID != stored.ParentID {
		if err := s.checkMove(u, j, t, stored); err != nil {
			return err
		}
	}
	if t.Number != stored.Number || t.DisplayName != stored.DisplayName {
		return checkUnique(u, t)
	}
	return nil
}
