package forms

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// The security of a definition in its own twin is kept with the definition, that in each
// other twin in its own record: what the people of one twin write takes no room from
// another's.

// foreignSecurity is the security of a shared definition in another twin than
// its own.
type foreignSecurity struct {
	DefinitionID string  `json:"definitionId"`
	Grants       []Grant `json:"grants"`
	TwinID       string  `json:"twinId"`
}

const byTwin = "twin"

var foreignSecurities = records.Collection[foreignSecurity]{
	Name: "securities", Untracked: true,
	ID: func(f *foreignSecurity) string { return records.Join(f.DefinitionID, f.TwinID) },
	Indexes: []records.Index[foreignSecurity]{{
		Name:  byTwin,
		Value: func(f *foreignSecurity) string { return f.TwinID },
	}},
}

// securityIn returns the security of a definition in a twin; nil where the
// permissions on the twin hold.
func securityIn(tx records.Reading, d *FormDefinition, twinID string) (*Security, error) {
	if twinID == d.TwinID {
		return d.security, nil
	}
	f, err := foreignSecurities.Value(tx, inAccount(d.AccountID), records.Join(d.ID, twinID))
	if errors.Is(err, records.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &Security{Grants: f.Grants}, nil
}

// secure sets the security of a definition in a twin.
func secure(u *records.Update, d *FormDefinition, twinID string, sec *Security) error {
	switch {
	case twinID == d.TwinID:
		_, err := definitionRecords.Modify(u, inAccount(d.AccountID), d.ID, "", func(d *FormDefinition) error {
			d.security = sec
			return nil
		})
		return definitionMissing.Or(err)
	case sec == nil:
		return foreignSecurities.Erase(u, inAccount(d.AccountID), records.Join(d.ID, twinID))
	}
	_, err := foreignSecurities.Put(u, inAccount(d.AccountID),
		&foreignSecurity{DefinitionID: d.ID, TwinID: twinID, Grants: sec.Grants})
	return err
}

// unsecure removes what a definition has of security in other twins.
func unsecure(u *records.Update, d *FormDefinition) error {
	for f, err := range foreignSecurities.All(u, inAccount(d.AccountID), d.ID+"/") {
		if err != nil {
			return err
		}
		if err := foreignSecurities.Erase(u, inAccount(d.AccountID), foreignSecurities.ID(f)); err != nil {
			return err
		}
	}
	return nil
}

// secured are the definitions with security in a twin, by what they mean to the
// caller.
type secured struct{ granted, refused map[string]bool }

// secured finds out which of the definitions that are secured in the twin grant something
// to the caller. A caller that does not see the twin is granted nothing.
func (r *rights) secured() (s secured, err error) {
	s = secured{granted: make(map[string]bool), refused: make(map[string]bool)}
	sees, err := r.sees()
	if err != nil {
		return s, err
	}
	note := func(definitionID string, sec *Security) {
		if sees && sec.grants(r.j.caller.ID, anyPermission) {
			s.granted[definitionID] = true
		} else {
			s.refused[definitionID] = true
		}
	}
	for d, err := range definitionRecords.Find(r.j.tx, inAccount(r.target.AccountID), bySecured,
		accountKey(r.target.AccountID)) {
		if err != nil {
			return s, err
		}
		if d.TwinID == r.target.TwinID {
			note(d.ID, d.security)
		}
	}
	for f, err := range foreignSecurities.Find(r.j.tx, inAccount(r.target.AccountID), byTwin, r.target.TwinID) {
		if err != nil {
			return s, err
		}
		note(f.DefinitionID, &Security{Grants: f.Grants})
	}
	return s, nil
}

// names is a set of ids as a text.
func names(set map[string]bool) string {
	return strings.Join(slices.Sorted(maps.Keys(set)), ",")
}
