package twins

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// TwinPatch changes a twin: what is left out stays, null clears. What has a
// default takes it when it is cleared.
type TwinPatch struct {
	// Class stays Account for an account, and no other twin becomes one. With
	// another class goes another subclass.
	Class              twinplatform.Optional[Class]              `json:"class,omitzero"`
	SubClass           twinplatform.Optional[SubClass]           `json:"subClass,omitzero"`           // null gives that of a new twin of the class
	Type               twinplatform.Optional[string]             `json:"type,omitzero"`               // up to MaxType characters; null clears it
	Number             twinplatform.Optional[string]             `json:"number,omitzero"`             // unique within the account
	DisplayName        twinplatform.Optional[string]             `json:"displayName,omitzero"`        // not empty; unique within the account
	GeographicLocation twinplatform.Optional[string]             `json:"geographicLocation,omitzero"` // up to MaxText characters; null clears it
	Latitude           twinplatform.Optional[float64]            `json:"latitude,omitzero"`           // -90 to 90 degrees; null clears it
	Longitude          twinplatform.Optional[float64]            `json:"longitude,omitzero"`          // -180 to 180 degrees; null clears it
	IANATimeZone       twinplatform.Optional[string]             `json:"ianaTimeZone,omitzero"`       // such as Europe/Berlin; null clears it
	DataCenterLocation twinplatform.Optional[DataCenterLocation] `json:"dataCenterLocation,omitzero"` // null makes it EastUS
	Status             twinplatform.Optional[Status]             `json:"status,omitzero"`             // null makes it Active
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
func (s *Service) UpdateTwin(ctx context.Context, twinID string, p TwinPatch, pre ...twinplatform.Precondition) (res twinplatform.Result[Twin], err error) {
	err = s.change(ctx, func(ctx context.Context, u *records.Update) error {
		if _, err := s.permitted(ctx, u, twinID, PermissionModify); err != nil {
			return err
		}
		changed := false
		rec, err := twinRecords.Modify(u, area, twinID, twinplatform.IfMatchHeader(pre...), func(t *Twin) error {
			before := *t
			if err := p.applied(t).err(); err != nil {
				return err
			}
			if changed = !t.Equal(before); !changed {
				return nil
			}
			t.LastModifiedBy, t.LastModifiedDateTime = twinplatform.NullString(callerID(ctx)), s.now()
			return s.checkChange(ctx, u, t, &before)
		})
		if err != nil {
			return twinMissing.Or(err)
		}
		res.Records = []twinplatform.Record[Twin]{rec}
		if !changed {
			return nil
		}
		return s.emitTwin(ctx, u, twinUpdated, &rec.Value)
	})
	return onlyIf(res, err)
}

// checkChange checks a changed twin against the others.
func (s *Service) checkChange(ctx context.Context, u *records.Update, t, before *Twin) error {
	if t.ParentID != before.ParentID {
		if err := s.checkMove(ctx, u, t, before); err != nil {
			return err
		}
	}
	if t.Number != before.Number || t.DisplayName != before.DisplayName {
		return checkUnique(u, t)
	}
	return nil
}

// applied changes the twin and returns what is wrong with it now.
func (p *TwinPatch) applied(t *Twin) *checks {
	c := new(checks)
	before := *t
	replace(&t.Class, p.Class)
	replace(&t.SubClass, p.SubClass)
	replaceText(&t.Type, p.Type)
	replace(&t.Number, p.Number)
	replace(&t.DisplayName, p.DisplayName)
	replaceText(&t.GeographicLocation, p.GeographicLocation)
	replaceNumber(&t.Latitude, p.Latitude)
	replaceNumber(&t.Longitude, p.Longitude)
	replaceText(&t.IANATimeZone, p.IANATimeZone)
	replace(&t.DataCenterLocation, p.DataCenterLocation)
	replace(&t.Status, p.Status)
	t.setDefaults()
	c.zone("ianaTimeZone", p.IANATimeZone)
	t.check(c)
	if t.Class != before.Class && (t.Class == Account || before.Class == Account) {
		c.Bad("class", "A twin does not become an account, nor an account another twin.")
	}
	if p.ParentID.Present() {
		p.move(c, t, before.Class)
	}
	return c
}

// move sets the twin's parent.
func (p *TwinPatch) move(c *checks, t *Twin, class Class) {
	parentID := p.ParentID.Or("")
	switch {
	case class == Account && parentID != "":
		c.Bad("parentId", "An account has no parent.")
	case class == Account:
	case parentID == "" && !p.ParentID.IsNull():
		c.Bad("parentId", "The value of 'parentId' is the id of a twin, or null for right below the account.")
	case parentID == "":
		t.ParentID = t.TwinAccountID
	default:
		t.ParentID = twinplatform.NullString(parentID)
	}
}

func replace[V ~string](v *V, o twinplatform.Optional[V]) {
	if o.Present() {
		*v = o.Or("")
	}
}

func replaceText(v *twinplatform.NullString, o twinplatform.Optional[string]) {
	if o.Present() {
		*v = twinplatform.NullString(o.Or(""))
	}
}

func replaceNumber(v **float64, o twinplatform.Optional[float64]) {
	if !o.Present() {
		return
	}
	*v = nil
	if n, ok := o.Get(); ok {
		*v = &n
	}
}
