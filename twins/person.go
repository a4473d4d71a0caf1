package twins

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Directory resolves addresses to the people of a deployment. The principal that
// it returns for an address becomes a member when that is added to a twin.
type Directory interface {
	// PersonByEmail returns the principal of an account that has the address, as
	// SameAddress compares them, and false where there is none or more than one.
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

func addressed(accountID, email string) string { return recordID(accountID, foldAddress(email)) }

// Know notes that a principal has its Email, by which others of its account add it to
// twins from now on. It is for the program that authenticates callers: a caller in the
// context is known as itself alone. A principal that changes something in this area is known
// from then on without it. A principal without an address or an account is not noted.
//
// Errors: InsufficientPermissions for a caller that is not p.
func (s *Service) Know(ctx context.Context, p twinplatform.Principal) error {
	if caller, named := twinplatform.PrincipalFrom(ctx); named &&
		(caller.ID != p.ID || caller.AccountID != p.AccountID || caller.Email != p.Email) {
		return problem.Refuses("A caller can note only its own id, account and address.")
	}
	return s.db.Update(ctx, func(u *records.Update) error { return remember(u, p) })
}

// remember notes the address of a principal.
func remember(u *records.Update, p twinplatform.Principal) error {
	var c problem.Checks
	if checkEmail(&c, "email", p.Email); p.ID == "" || p.AccountID == "" || p.Email == "" || len(p.Email) > MaxText ||
		c.Err(InvalidRequest) != nil {
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
func (s seen) PersonByEmail(ctx context.Context, accountID, email string) (p twinplatform.Principal, known bool,
	err error,
) {
	err = s.db.View(ctx, func(v *records.View) error {
		p, known = twinplatform.Principal{}, false
		for id := range personRecords.IDs(v, inDirectory(accountID), indexAddress, addressed(accountID, email)) {
			who, err := personRecords.Value(v, inDirectory(accountID), id)
			switch {
			case err != nil:
				return err
			case known:
				p, known = twinplatform.Principal{}, false
				return nil
			default:
				p, known = who.principal(), true
			}
		}
		return nil
	})
	return p, known && err == nil, err
}

func (p *person) principal() twinplatform.Principal {
	return twinplatform.Principal{
		ID: p.ID, DisplayName: p.DisplayName, Email: p.Email, AccountID: p.AccountID,
		Kind: p.MemberType,
	}
}

// memberOf is the request for a principal as a member.
func memberOf(p twinplatform.Principal) NewMember {
	return NewMember{
		ID: p.ID, MemberType: p.Kind, DisplayName: twinplatform.NullString(p.DisplayName),
		Email: twinplatform.NullString(p.Email), AccountID: p.AccountID,
	}
}

// foldAddress is an address with its ASCII letters in lower case. All others are left
// alone: Unicode has letters that fold to ASCII ones, such as the Kelvin sign and the
// long s, and addresses with them belong to another principal.
func foldAddress(address string) string {
	b := []byte(address)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// SameAddress reports whether two email addresses are one: in upper or lower case, where
// case differs only outside ASCII. An empty address is that of no principal, and so is not
// the same as another one. A Directory compares addresses by it.
func SameAddress(a, b string) bool { return a != "" && foldAddress(a) == foldAddress(b) }
