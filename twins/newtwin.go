package twins

import (
	"context"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/refuse"
)

// NewTwin asks for a twin.
type NewTwin struct {
	// Class is required. Only the system makes twins of class Account.
	Class Class `json:"class"`
	// SubClass is one of the class; Project, Asset or Account when empty.
	SubClass SubClass `json:"subClass"`
	// Type has at most 100 characters.
	Type twinplatform.NullString `json:"type"`
	// Number has at most 255 characters and is unique within the account; the id
	// of the twin when empty.
	Number string `json:"number"`
	// DisplayName is required, has at most 255 characters and is unique within
	// the account.
	DisplayName string `json:"displayName"`
	// GeographicLocation has at most 255 characters.
	GeographicLocation twinplatform.NullString `json:"geographicLocation"`
	// Latitude is -90 to 90 degrees, north positive.
	Latitude *float64 `json:"latitude"`
	// Longitude is -180 to 180 degrees, east positive.
	Longitude *float64 `json:"longitude"`
	// IANATimeZone names a time zone of the IANA database. The empty text and
	// Local are no names.
	IANATimeZone twinplatform.Optional[string] `json:"ianaTimeZone,omitzero"`
	// DataCenterLocation is EastUS when empty.
	DataCenterLocation DataCenterLocation `json:"dataCenterLocation"`
	// Status is Active when empty.
	Status Status `json:"status"`
	// ParentID is the twin above; the caller's account when empty.
	ParentID string `json:"parentId"`

	// ID is a GUID that only the system may choose; for a twin of class Account
	// it is whatever AccountID principals of that account have.
	ID string `json:"-"`
	// AccountID is the account of a twin that the system makes without a
	// parent; when that is empty too, the twin belongs to no account. The account
	// of any other twin is that of its parent, or the caller's.
	AccountID string `json:"-"`
}

// Twin returns a twin (GET /twins/{id}). Errors: twinNotFound, also for a twin
// that is not for the caller to see.
func (s *Service) Twin(ctx context.Context, twinID string) (rec twinplatform.Record[Twin], err error) {
	err = s.view(ctx, func(ctx context.Context, v *records.View) error {
		rec, err = s.visible(ctx, v, twinID)
		return err
	})
	return rec, err
}

// CreateTwin makes a twin (POST /twins/, Create twin). It needs PermissionCreate
// on the parent, or on the caller's account when none is given; the caller
// becomes its first member, in the automatic role of an owner, who may do
// everything. The account's own twin is made when it is first needed.
//
// Errors: InvalidTwinsRequest with MissingRequiredProperty (displayName, class)
// or InvalidValue, one for each wrong property; ResourceNotFound for a parent
// that is missing or not for the caller to see; InsufficientPermissions;
// twinExists with InvalidValue (number, displayName).
func (s *Service) CreateTwin(ctx context.Context, n NewTwin) (res twinplatform.Result[Twin], err error) {
	t, err := s.proposed(ctx, n)
	if err != nil {
		return res, err
	}
	err = s.change(ctx, func(ctx context.Context, u *records.Update) error {
		if err := s.place(ctx, u, t, n); err != nil {
			return err
		}
		rec, err := s.insert(ctx, u, t)
		res.Records = []twinplatform.Record[Twin]{rec}
		return err
	})
	return onlyIf(res, err)
}

// place puts a new twin where the caller may make one.
func (s *Service) place(ctx context.Context, u *records.Update, t *Twin, n NewTwin) (err error) {
	parent, account := n.ParentID, n.AccountID
	p, named := twinplatform.PrincipalFrom(ctx)
	switch {
	case parent != "":
		account, err = s.parentFor(ctx, u, parent)
	case t.Class == Account:
		account = ""
	case named:
		account, err = s.accountFor(ctx, p)
	}
	if parent == "" {
		parent = account
	}
	t.ParentID, t.TwinAccountID = twinplatform.NullString(parent), twinplatform.NullString(account)
	return err
}

// proposed is the twin that is asked for, checked but for its place.
func (s *Service) proposed(ctx context.Context, n NewTwin) (*Twin, error) {
	p, named := twinplatform.PrincipalFrom(ctx)
	t := &Twin{
		Class: n.Class, SubClass: n.SubClass, Type: n.Type, Number: n.Number, DisplayName: n.DisplayName,
		GeographicLocation: n.GeographicLocation, Latitude: n.Latitude, Longitude: n.Longitude,
		DataCenterLocation: n.DataCenterLocation, Status: n.Status,
		CreatedBy: twinplatform.NullString(p.ID), CreatedByType: p.Kind, CreatedDateTime: s.now(),
	}
	t.LastModifiedBy, t.LastModifiedDateTime = t.CreatedBy, t.CreatedDateTime
	var c checks
	switch t.ID = n.ID; {
	case n.ID == "":
		t.ID = s.env.NewGUID()
	case named:
		c.Bad("id", "The id of a twin is chosen by the platform.")
	case n.Class == Account:
		c.AtMost("id", n.ID, MaxText)
	default:
		if t.ID = strings.ToLower(n.ID); !refuse.IsGUID(t.ID) {
			c.Bad("id", "The id of a twin is a GUID.")
		}
	}
	t.setDefaults()
	c.zone("ianaTimeZone", n.IANATimeZone)
	t.IANATimeZone = twinplatform.NullString(n.IANATimeZone.Or(""))
	t.check(&c)
	if n.Class == Account && n.ParentID != "" {
		c.Bad("parentId", "An account has no parent.")
	}
	if err := c.err(); err != nil {
		return nil, err
	}
	if named && n.Class == Account {
		return nil, errAccountTwin
	}
	return t, nil
}

// errAccountTwin says why no permission would help.
var errAccountTwin = &twinplatform.Error{
	Kind: twinplatform.Forbidden, Code: refuse.Forbidden.Code, Target: "class",
	Message: "Twins of class Account are made by the platform alone, one for each account: no permission grants it. An account's twin is there when it is first needed.",
}

// setDefaults gives what is empty and has a default its value.
func (t *Twin) setDefaults() {
	if t.SubClass == "" && slices.Contains(classes, t.Class) {
		t.SubClass = subClassesOf[t.Class][0]
	}
	if t.Number == "" {
		t.Number = t.ID
	}
	if t.DataCenterLocation == "" {
		t.DataCenterLocation = EastUS
	}
	if t.Status == "" {
		t.Status = Active
	}
}

// check checks everything that can be said of a twin by itself, but for its time
// zone.
func (t *Twin) check(c *checks) {
	if t.Class == "" {
		c.Missing("class")
	} else {
		refuse.OneOf(&c.Checks, "class", t.Class, classes)
	}
	switch of := subClassesOf[t.Class]; {
	case t.SubClass == "":
	case !refuse.OneOf(&c.Checks, "subClass", t.SubClass, subClasses):
	case of != nil && !slices.Contains(of, t.SubClass):
		c.Bad("subClass", "The value of 'subClass' for the class %s is one of %s.", t.Class, refuse.Alternatives(of))
	}
	c.Need("displayName", t.DisplayName, MaxText)
	if c.AtMost("number", t.Number, MaxText); strings.TrimSpace(t.Number) == "" {
		c.Bad("number", "The value of 'number' is blank.")
	}
	c.AtMost("type", string(t.Type), MaxType)
	c.AtMost("geographicLocation", string(t.GeographicLocation), MaxText)
	c.degrees("latitude", t.Latitude, 90)
	c.degrees("longitude", t.Longitude, 180)
	refuse.OneOf(&c.Checks, "dataCenterLocation", t.DataCenterLocation, dataCenterLocations)
	refuse.OneOf(&c.Checks, "status", t.Status, statuses)
}

// insert writes a new twin with its owner role, and its creator as the owner.
func (s *Service) insert(ctx context.Context, u *records.Update, t *Twin) (rec twinplatform.Record[Twin], err error) {
	if t.ParentID != "" {
		if string(t.ParentID) == t.account() {
			if err := s.ensureAccount(u, t.account()); err != nil {
				return rec, err
			}
		}
		if err := checkPlace(u, t); err != nil {
			return rec, err
		}
	}
	if err := checkUnique(u, t); err != nil {
		return rec, err
	}
	if rec, err = s.found(u, t); err != nil {
		return rec, err
	}
	if err := s.emitTwin(ctx, u, twinCreated, t); err != nil {
		return rec, err
	}
	if p, ok := twinplatform.PrincipalFrom(ctx); ok && p.ID != "" {
		return rec, s.makeOwner(ctx, u, t, p)
	}
	return rec, nil
}

// found writes a new twin with its owner role.
func (s *Service) found(u *records.Update, t *Twin) (rec twinplatform.Record[Twin], err error) {
	has, err := twinRecords.Has(u, area, t.ID)
	if err != nil {
		return rec, err
	}
	if has {
		return rec, taken(twinExists, "twin", refuse.BadValue("id", "Another twin has the id '%s'.", t.ID))
	}
	if rec, err = twinRecords.Insert(u, area, t); err != nil {
		return rec, err
	}
	_, err = roleRecords.Insert(u, area, s.ownerRole(t.ID))
	return rec, err
}

// twinExists is the code of a clash of numbers or names.
const twinExists = "twinExists"

// checkUnique checks that no other twin of the account has the twin's number or
// display name.
func checkUnique(tx records.Reading, t *Twin) error {
	var clashes []twinplatform.Detail
	for _, key := range []struct{ index, target, value string }{
		{indexNumber, "number", t.Number},
		{indexName, "displayName", t.DisplayName},
	} {
		for id := range twinRecords.IDs(tx, area, key.index, within(t, key.value)) {
			if id != t.ID {
				clashes = append(clashes, refuse.BadValue(key.target, "Another twin of the account has the %s '%s'.", key.target, key.value))
				break
			}
		}
	}
	if clashes != nil {
		return taken(twinExists, "twin", clashes...)
	}
	return nil
}

// checkPlace checks that the twin's parent is there and of the twin's account,
// not below the twin, and not too far down.
func checkPlace(tx records.Reading, t *Twin) error {
	depth := 1
	for at := string(t.ParentID); at != ""; depth++ {
		if at == t.ID {
			return refuse.With(InvalidRequest, refuse.BadValue("parentId", "The twin would be above itself."))
		}
		if depth == MaxDepth {
			return refuse.With(InvalidRequest, refuse.BadValue("parentId", "Twins lie at most %d deep.", MaxDepth))
		}
		above, err := nodeRecords.Value(tx, area, at)
		if err != nil {
			return parentMissing.Or(err)
		}
		if above.account() != t.account() {
			return refuse.With(InvalidRequest, refuse.BadValue("parentId", "The parent belongs to another account."))
		}
		at = string(above.ParentID)
	}
	return nil
}
