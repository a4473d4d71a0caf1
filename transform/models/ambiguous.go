package models

import (
	"context"

	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/transform/internal/area"
)

// AmbiguousID implements twinplatform.NamingHolder: for the models of a twin, their saved
// views, and the groups and tags of these.
func (s *Service) AmbiguousID(ctx context.Context, twinID string) (string, error) {
	return read(ctx, s, func(c caller) (string, error) {
		for key := range modelRecords.IDs(c.tx, area.AllAccounts, "twin", twinID) {
			m, err := modelRecords.Value(c.tx, area.AllAccounts, key)
			if err != nil {
				return "", err
			}
			if id, err := c.ambiguousIn(m); id != "" || err != nil {
				return id, err
			}
		}
		return savedViews.ambiguousAt(c, area.AllAccounts, "twin", twinID)
	})
}

// ambiguousIn is AmbiguousID for a model and what belongs to it.
func (c caller) ambiguousIn(m *Model) (string, error) {
	if clashes, err := modelRegistry.clashes(c, m.AccountID, m.ID, c.Sees); clashes || err != nil {
		return m.ID, err
	}
	for _, among := range []func(caller, *Model) (string, error){
		savedViews.ambiguousAmong, viewGroups.ambiguousAmong,
		viewTags.ambiguousAmong,
	} {
		if id, err := among(c, m); id != "" || err != nil {
			return id, err
		}
	}
	return "", nil
}

// ambiguousAmong is AmbiguousID for the entries of a model.
func (o ofModel[T, N, P]) ambiguousAmong(c caller, m *Model) (string, error) {
	return o.ambiguousAt(c, area.InAccount(m.AccountID), "model", m.key())
}

// ambiguousAt is AmbiguousID for the entries that an index finds.
func (o ofModel[T, N, P]) ambiguousAt(c caller, in records.Scope, index, value string) (string, error) {
	for v, err := range o.entries.Find(c.tx, in, index, value) {
		if err == nil {
			err = records.Interrupted(c.tx)
		}
		if err != nil {
			return "", err
		}
		p := o.place(v)
		clashes, err := o.clashes(c, p.accountID, p.id, func(v *T) (bool, error) { return o.sees(c, v) })
		if clashes || err != nil {
			return p.id, err
		}
	}
	return "", nil
}

// clashes reports whether the id of an entry of an account means another one to the caller.
func (r registry[T]) clashes(c caller, of, id string, sees func(*T) (bool, error)) (bool, error) {
	p, _ := c.Caller()
	if had, err := r.had(c, p.AccountID, id); had || err != nil {
		return had, err
	}
	for v, err := range r.all(c, id) {
		if err != nil {
			return false, err
		}
		accountID, err := r.accountOf(c, v)
		if err != nil || accountID == p.AccountID {
			return err == nil, err
		}
		if accountID == of {
			continue
		}
		if seen, err := sees(v); seen || err != nil {
			return seen, err
		}
	}
	return false, nil
}
