package twins

import (
	"context"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
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
	// CreatedBy is who is noted as the maker of a twin that the system makes. Any
	// other twin is made by the caller.
	CreatedBy twinplatform.NullString `json:"-"`
	// LastModifiedBy and LastModifiedDateTime are noted of a twin that the system makes. Left
	// out they are those of the creation; null says that they are not known.
	LastModifiedBy       twinplatform.Optional[string]                `json:"-"`
	LastModifiedDateTime twinplatform.Optional[twinplatform.DateTime] `json:"-"`
}

// Twin returns a twin (GET /twins/{id}). Errors: twinNotFound, also for a twin
// that is not for the caller to see.
func (s *Service) Twin(ctx context.Context, twinID string) (rec twinplatform.Record[Twin], err error) {
	err = s.read(ctx, twinID, func(_ *records.View, seen twinplatform.Record[Twin]) error {
		rec, err = forShare(ctx, seen)
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
	t, err := s.requested(ctx, n)
	if err != nil {
		return res, err
	}
	return changeOne(ctx, s, func(u *records.Update, j *judge.Judge) (rec twinplatform.Record[Twin], err error) {
		if n.ID == "" {
			twinKind.Records.MadeUp(u, t.scope(), t.ID)
			caller, _ := j.Caller()
			memberRecords.MadeUp(u, t.scope(), recordID(t.ID, caller.ID))
		}
		s.declareTwin(u, j, t, n)
		if err := place(u, j, t, n); err != nil {
			return rec, err
		}
		return s.insertTwin(u, j, t)
	})
}

// requested is the twin that a request asks for, checked except for its place.
func (s *Service) requested(ctx context.Context, n NewTwin) (*Twin, error) {
	p, named := twinplatform.PrincipalFrom(ctx)
	var c problem.Checks
	switch {
	case n.ID == "":
		n.ID = s.env.NewGUID()
	case named:
		c.Bad("id", "The id of a twin is chosen by the platform.")
	case n.Class == Account:
		c.AtMost("id", n.ID, MaxText)
	default:
		if n.ID = strings.ToLower(n.ID); !problem.IsGUID(n.ID) {
			c.Bad("id", "The id of a twin is a GUID.")
		}
	}
	twinKind.CheckNew(&n, &c)
	if err := c.Err(InvalidRequest); err != nil {
		return nil, err
	}
	if named && n.Class == Account {
		return nil, errAccountTwin
	}
	t := twinKind.New(&n)
	t.CreatedBy, t.CreatedByType, t.CreatedDateTime = twinplatform.NullString(p.ID), p.Kind, s.now()
	if !named && n.CreatedBy != "" {
		t.CreatedBy, t.CreatedByType = n.CreatedBy, twinplatform.User
	}
	t.LastModifiedBy, t.LastModifiedDateTime = t.CreatedBy, t.CreatedDateTime
	if !named {
		if n.LastModifiedBy.Present() {
			t.LastModifiedBy = twinplatform.NullString(n.LastModifiedBy.Or(""))
		}
		n.LastModifiedDateTime.Apply(&t.LastModifiedDateTime)
	}
	return t, nil
}

// errAccountTwin reports that no permission would help.
var errAccountTwin = &twinplatform.Error{
	Kind: twinplatform.Forbidden, Code: problem.Forbidden.Code, Target: "class",
	Message: "Twins of class Account are made by the platform alone, one for each account: no permission grants it. " +
		"An account's twin is there when it is first needed.",
}

// place puts a new twin where the caller may make one.
func place(u *records.Update, j *judge.Judge, t *Twin, n NewTwin) (err error) {
	parent, account := n.ParentID, n.AccountID
	p, named := j.Caller()
	switch {
	case parent != "":
		account, err = parentFor(u, j, parent)
	case t.Class == Account:
		account = ""
	case named:
		account, err = accountFor(j, p)
	}
	if parent == "" {
		parent = account
	}
	t.ParentID, t.TwinAccountID = twinplatform.NullString(parent), twinplatform.NullString(account)
	return err
}

// insertTwin writes a new twin with its owner role, and its creator as the owner.
func (s *Service) insertTwin(u *records.Update, j *judge.Judge, t *Twin) (rec twinplatform.Record[Twin], err error) {
	if err := s.checkPlace(u, t); err != nil {
		return rec, err
	}
	if err := checkUnique(u, t); err != nil {
		return rec, err
	}
	if rec, err = twinKind.Insert(u, t.scope(), t, &problem.Checks{}); err != nil {
		return rec, err
	}
	owner, err := s.insertOwnerRole(u, t)
	if err != nil {
		return rec, err
	}
	if err := j.Emit(u, t.target(), t.eventContent(j)); err != nil {
		return rec, err
	}
	if p, ok := j.Caller(); ok && p.ID != "" {
		err = s.makeOwner(u, j, t, owner, p)
	}
	return rec, err
}

// insertOwnerRole writes the owner role of a new twin.
func (s *Service) insertOwnerRole(u *records.Update, t *Twin) (owner *Role, err error) {
	owner = s.ownerRole(t.ID)
	_, err = roleRecords.Append(u, t.scope(), owner)
	return owner, err
}

// twinExists is the code of a clash of ids, numbers or names.
const twinExists = "twinExists"

// checkUnique checks that no other twin of the account has the twin's number or
// display name.
func checkUnique(tx records.Reading, t *Twin) error {
	var clashes []twinplatform.Detail
	for _, key := range []struct{ index, target, value string }{
		{indexNumber, "number", t.Number},
		{indexName, "displayName", t.DisplayName},
	} {
		for id := range twinRecords.IDs(tx, inAccount(t.account()), key.index, t.indexed(key.value)) {
			if id != t.ID {
				clashes = append(clashes, problem.BadValue(key.target,
					"The value '%s' of '%s' is that of another twin of the account.", key.value, key.target))
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
// not below the twin, and not too far down. The account's own twin is made where
// it is the parent.
func (s *Service) checkPlace(u *records.Update, t *Twin) error {
	if t.ParentID != "" && string(t.ParentID) == t.account() {
		if err := s.ensureAccount(u, t.account(), t.CreatedBy, t.CreatedByType); err != nil {
			return err
		}
	}
	depth := 1
	for at := string(t.ParentID); at != ""; depth++ {
		if at == t.ID {
			return problem.With(InvalidRequest, problem.BadValue("parentId", "The twin would be above itself."))
		}
		if depth == MaxDepth {
			return problem.With(InvalidRequest, problem.BadValue("parentId", "Twins lie at most %d deep.", MaxDepth))
		}
		above, err := nodeRecords.Value(u, allAccounts, at)
		if err != nil {
			return parentMissing.Or(err)
		}
		if above.account() != t.account() {
			return problem.With(InvalidRequest, problem.BadValue("parentId", "The parent belongs to another account."))
		}
		at = string(above.ParentID)
	}
	return nil
}
