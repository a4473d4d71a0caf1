package twins

import (
	"context"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Directory says whom a deployment knows by an address. What it says of an address
// is who becomes a member when somebody adds it to a twin.
type Directory interface {
	// PersonByEmail returns the principal of an account that has the address, in
	// upper or lower case, and false where there is none or more than one.
	PersonByEmail(ctx context.Context, accountID, email string) (p twinplatform.Principal, known bool, err error)
}

// person is a principal as it is known by its address.
type person struct {
	AccountID   string                     `json:"accountId"`
	DisplayName string                     `json:"displayName"`
	Email       string                     `json:"email"`
	ID          string                     `json:"id"`
	MemberType  twinplatform.PrincipalKind `json:"memberType"`
}

var personRecords = records.Collection[person]{
	Name: "people", Untracked: true,
	ID: func(p *person) string { return recordID(p.AccountID, p.ID) },
	Indexes: []records.Index[person]{
		{Name: indexAddress, Value: func(p *person) string { return addressed(p.AccountID, p.Email) }},
	},
}

// indexAddress finds the people of an account by their addresses.
const indexAddress = "address"

func addressed(accountID, email string) string { return recordID(accountID, strings.ToLower(email)) }

// sameAddress reports whether two addresses are one. None is not.
func sameAddress(a, b string) bool { return a != "" && strings.EqualFold(a, b) }

// Know notes that a principal has its Email, by which others of its account add it to
// twins from now on. It is for the program that authenticates callers: a caller in the
// context is known as itself alone. Whoever changes something in this area is known
// from then on without it. A principal without an address or an account is not noted.
//
// Errors: InsufficientPermissions for a caller that is not p.
func (s *Service) Know(ctx context.Context, p twinplatform.Principal) error {
	if caller, named := twinplatform.PrincipalFrom(ctx); named && (caller.ID != p.ID || caller.AccountID != p.AccountID || caller.Email != p.Email) {
		return problem.Forbidden
	}
	return s.db.Update(ctx, func(u *records.Update) error { return remember(u, p) })
}

// remember notes the address of a principal.
func remember(u *records.Update, p twinplatform.Principal) error {
	var c problem.Checks
	if checkEmail(&c, "email", p.Email); p.ID == "" || p.AccountID == "" || p.Email == "" || len(p.Email) > MaxText || c.Err(InvalidRequest) != nil {
		return nil
	}
	now := person{AccountID: p.AccountID, DisplayName: p.DisplayName, Email: p.Email, ID: p.ID, MemberType: p.Kind}
	before, err := found(personRecords.Value(u, inDirectory(p.AccountID), recordID(p.AccountID, p.ID)))
	if err != nil || before != nil && *before == now {
		return err
	}
	_, err = personRecords.Put(u, inDirectory(p.AccountID), &now)
	return err
}

// seen is the directory of those that the service has noted.
type seen struct{ *Service }

// PersonByEmail implements Directory.
func (s seen) PersonByEmail(ctx context.Context, accountID, email string) (p twinplatform.Principal, known bool, err error) {
	var ids []string
	err = s.db.View(ctx, func(v *records.View) error {
		ids = ids[:0]
		for id := range personRecords.IDs(v, inDirectory(accountID), indexAddress, addressed(accountID, email)) {
			ids = append(ids, id)
		}
		if len(ids) != 1 {
			return nil
		}
		who, err := personRecords.Value(v, inDirectory(accountID), ids[0])
		if err == nil {
			p = twinplatform.Principal{ID: who.ID, DisplayName: who.DisplayName, Email: who.Email, AccountID: who.AccountID, Kind: who.MemberType}
		}
		return err
	})
	return p, len(ids) == 1 && err == nil, err
}

// memberOf is the request for a principal as a member.
func memberOf(p twinplatform.Principal) NewMember {
	return NewMember{ID: p.ID, MemberType: p.Kind, DisplayName: twinplatform.NullString(p.DisplayName), Email: twinplatform.NullString(p.Email)}
}
