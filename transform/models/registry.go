package models

import (
	"iter"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/transform/internal/area"
)

// calledIndex finds what every account calls by an id.
const calledIndex = "called"

// called is what a record is found by in calledIndex; one of no account is found by its id.
func called(accountID, id string) string {
	if accountID == "" {
		return ""
	}
	return id
}

// registry is a kind of entries, with the account of each.
type registry[T any] struct {
	entries   *records.Collection[T]
	accountOf func(caller, *T) (string, error)
	modelKey  func(*T) string     // the key of the model that an entry is, or belongs to
	taken     *twinplatform.Error // refuses an id that the account has
}

var modelRegistry = registry[Model]{
	&modelRecords, caller.accountOfModel, (*Model).key,
	problem.Conflict("ModelExists", "id", "A model with this id exists already."),
}

// accountOfModel is the account of the project of a model.
func (c caller) accountOfModel(m *Model) (string, error) {
	target, _, err := c.TwinOf(m.AccountID, m.TwinID)
	return target.AccountID, err
}

// ofModel is where what belongs to a model is listed.
func (c caller) ofModel(m *Model) (records.Scope, error) {
	accountID, err := c.accountOfModel(m)
	return area.InAccount(accountID), err
}

// accountOfView is the account of a saved view.
func (c caller) accountOfView(v *SavedView) (string, error) {
	if v.AccountID != "" {
		return v.AccountID, nil
	}
	m, err := modelRecords.Lookup(c.tx, area.InAccount(v.ModelAccountID), v.modelKey())
	if err != nil || m == nil {
		return "", err
	}
	return c.accountOfModel(m)
}

// candidates yields what an account may mean by an id: its own entry, and the entry whose
// id is unique over all accounts.
func (r registry[T]) candidates(c caller, accountID, id string) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		if records.Remote(c.tx) {
			records.Declare(c.tx, r.entries.Needs(area.AllAccounts, area.Key(accountID, id), id)...)
		}
		for _, of := range []string{accountID, ""} {
			v, err := r.entries.Lookup(c.tx, area.InAccount(of), area.Key(of, id))
			if (v != nil || err != nil) && !yield(v, err) {
				return
			}
		}
	}
}

// free fails where an account has an entry with the id.
func (r registry[T]) free(c caller, accountID, id string) error {
	for v, err := range r.candidates(c, accountID, id) {
		if err != nil {
			return err
		}
		other, err := r.accountOf(c, v)
		if err != nil {
			return err
		}
		if other == accountID {
			return r.taken
		}
	}
	return nil
}

// all yields what is called by an id in any account.
func (r registry[T]) all(c caller, id string) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		old, err := r.entries.Lookup(c.tx, area.AllAccounts, id)
		if (old != nil || err != nil) && !yield(old, err) {
			return
		}
		r.entries.Find(c.tx, area.AllAccounts, calledIndex, id)(yield)
	}
}

// resolve returns, of all that is called by an id, what the caller means: what its own
// account has and, where that has and had none, the only one that it sees of the others,
// else nil. An id that the own account has or had never leads to what another caller made
// under it.
func (r registry[T]) resolve(c caller, id string, sees func(*T) (bool, error)) (found *T, err error) {
	p, _ := c.Caller()
	several := false
	r.expect(c, id)
	for v, err := range r.all(c, id) {
		if err != nil {
			return nil, err
		}
		r.found(c, id, v)
		accountID, err := r.accountOf(c, v)
		if err != nil {
			return nil, err
		}
		seen, err := sees(v)
		switch own := accountID != "" && accountID == p.AccountID; {
		case err != nil:
			return nil, err
		case own && seen:
			return v, nil
		case own:
			return nil, nil
		case !seen:
		case found != nil:
			several = true
		default:
			found = v
		}
	}
	if found == nil {
		return nil, nil
	}
	if had, err := r.had(c, p.AccountID, id); had || err != nil {
		return nil, err
	}
	if several {
		return nil, errAmbiguous
	}
	return found, nil
}

// had reports whether an account had an entry with an id, as long as deletions are
// remembered.
func (r registry[T]) had(c caller, accountID, id string) (bool, error) {
	if accountID == "" {
		return false, nil
	}
	for _, of := range []string{accountID, ""} {
		if had, err := r.entries.Had(c.tx, area.InAccount(accountID), area.Key(of, id)); had || err != nil {
			return had, err
		}
	}
	return false, nil
}

var errAmbiguous = problem.Conflict("AmbiguousId", "",
	"Several accounts use this id. Ask as a principal of one of them.")
