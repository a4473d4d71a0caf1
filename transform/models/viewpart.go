package models

import (
	"context"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/transform/internal/area"
)

// Saved views, and the groups and tags that put them in order, belong to a model: who
// may read it sees them, and who may change it changes them.

// place is where an entry that belongs to a model stands.
type place struct {
	id, accountID           string // within which the id is unique
	modelID, modelAccountID string
	twinID                  string // of what belongs to no model
}

func (p place) scope() records.Scope { return area.InAccount(p.accountID) }
func (p place) key() string          { return area.Key(p.accountID, p.id) }
func (p place) modelKey() string     { return area.Key(p.modelAccountID, p.modelID) }

// ofModel is a kind of entries that belong to models.
type ofModel[T, N, P any] struct {
	registry[T]
	kind  *entity.Kind[T, N, P]
	place func(*T) place
}

// made is what the platform sets in a new entry.
type made struct {
	place
	by twinplatform.NullString
	at twinplatform.DateTime
}

// create makes an entry of a model that has room for one more. put writes into it what
// the platform sets.
func (o ofModel[T, N, P]) create(ctx context.Context, s *Service, n N, most int,
	put func(*T, made),
) (twinplatform.Result[T], error) {
	return create(ctx, s, o.kind, n, func(c caller, u *records.Update, v T) (rec twinplatform.Record[T], err error) {
		p := o.place(&v)
		o.expectNew(c, p)
		m, target, err := c.changeableModel(p.modelID)
		if err != nil {
			return rec, err
		}
		p.accountID, p.modelAccountID = target.AccountID, m.AccountID
		if p.id == "" {
			p.id = c.newID()
		}
		if err := o.free(c, p.accountID, p.id); err != nil {
			return rec, err
		}
		if err := o.room(u, m, most); err != nil {
			return rec, err
		}
		who, _ := c.Caller()
		put(&v, made{p, twinplatform.NullString(who.ID), s.now()})
		return o.entries.Insert(u, p.scope(), &v)
	})
}

// visible returns the entry that the caller means by an id. What the caller may not
// read does not exist for it.
func (o ofModel[T, N, P]) visible(c caller, id string) (place, error) {
	v, err := o.resolve(c, id, func(v *T) (bool, error) { return o.sees(c, v) })
	if err := o.kind.Missing.Unless(v != nil, err); err != nil {
		return place{}, err
	}
	return o.place(v), nil
}

// sees reports whether the caller may read an entry, which is to read its model.
func (o ofModel[T, N, P]) sees(c caller, v *T) (bool, error) {
	p := o.place(v)
	if p.twinID != "" {
		target, exists, err := c.TwinOf(p.accountID, p.twinID)
		if err != nil || !exists {
			return false, err
		}
		return c.AllowedAny(target, PermissionModelsRead, PermissionModelsWrite)
	}
	m, err := modelRecords.Lookup(c.tx, area.InAccount(p.modelAccountID), p.modelKey())
	if err != nil || m == nil {
		return false, err
	}
	return c.Sees(m)
}

// changeable is visible for an entry of a model that the caller may change.
func (o ofModel[T, N, P]) changeable(c caller, id string) (place, error) {
	c.expectAccount()
	p, err := o.visible(c, id)
	if err != nil {
		return p, err
	}
	if p.twinID != "" {
		target, _, err := c.TwinOf(p.accountID, p.twinID)
		if err != nil {
			return p, err
		}
		return p, problem.Needs(PermissionModelsWrite).Unless(c.Allowed(PermissionModelsWrite, target))
	}
	m, err := modelRecords.Value(c.tx, area.InAccount(p.modelAccountID), p.modelKey())
	if err == nil {
		_, err = c.changeable(m)
	}
	return p, err
}

func (o ofModel[T, N, P]) get(ctx context.Context, s *Service, id string) (twinplatform.Record[T], error) {
	return read(ctx, s, func(c caller) (rec twinplatform.Record[T], err error) {
		p, err := o.visible(c, id)
		if err != nil {
			return rec, err
		}
		return o.kind.Get(c.tx, p.scope(), p.key())
	})
}

// list is the entries of a model by id. narrow asks for more of them, before the index
// that finds those of the model; nil asks for nothing.
func (o ofModel[T, N, P]) list(ctx context.Context, s *Service, modelID string, opts twinplatform.ListOptions,
	narrow func(caller, *Model, *records.Query[T]) error,
) (page twinplatform.Page[T], err error) {
	var c problem.Checks
	c.Need("modelId", modelID, MaxID)
	if err := c.Err(InvalidSavedViewRequest); err != nil {
		return page, err
	}
	return read(ctx, s, func(c caller) (page twinplatform.Page[T], err error) {
		query := records.Query[T]{ListOptions: opts}
		o.expectList(c, modelID, query)
		m, err := c.visibleModel(modelID)
		if err != nil {
			return page, err
		}
		if narrow != nil {
			if err := narrow(c, m, &query); err != nil {
				return page, err
			}
		}
		query.In("model", m.key())
		in, err := c.ofModel(m)
		if err != nil {
			return page, err
		}
		return o.kind.List(c.tx, in, paging, query)
	})
}

// update changes an entry. The checks of its members see it as it is.
func (o ofModel[T, N, P]) update(ctx context.Context, s *Service, id string, patch P,
	pre []twinplatform.Precondition,
) (twinplatform.Result[T], error) {
	return judge.Write(ctx, s.bench, func(u *records.Update, j *judge.Judge) (rec twinplatform.Record[T], err error) {
		p, err := o.changeable(caller{Judge: j, s: s, tx: u}, id)
		if err != nil {
			return rec, err
		}
		return o.kind.Update(u, p.scope(), p.key(), twinplatform.ConditionOf(pre...), patch,
			func(*T, *T) error { return nil })
	})
}

// remove deletes an entry, once release has let go what names it.
func (o ofModel[T, N, P]) remove(ctx context.Context, s *Service, id string, pre []twinplatform.Precondition,
	release func(*records.Update, caller, place) error,
) error {
	return s.update(ctx, func(u *records.Update, c caller) error {
		p, err := o.changeable(c, id)
		if err != nil {
			return err
		}
		return o.kind.Delete(u, p.scope(), p.key(), twinplatform.ConditionOf(pre...),
			func(*T) error { return release(u, c, p) })
	})
}

// room fails where a model has as many entries as it may.
func (o ofModel[T, N, P]) room(u *records.Update, m *Model, most int) error {
	count := 0
	for range o.entries.IDs(u, area.InAccount(m.AccountID), "model", m.key()) {
		if count++; count >= most {
			return problem.Conflict("LimitExceeded", "modelId", "The model has as many "+o.kind.Many+" as it may.")
		}
	}
	return nil
}

// sibling returns the entry of the model of a view by its id; nil where it has none.
func (o ofModel[T, N, P]) sibling(tx records.Reading, v *SavedView, id string) (*T, error) {
	of := area.Key(v.AccountID, id)
	if v.AccountID == "" {
		// A view of no account does not show which it is.
		for k := range o.entries.IDs(tx, area.InAccount(v.ModelAccountID), "model", v.modelKey()) {
			if strings.HasSuffix(k, records.Join("", id)) {
				of = k
			}
		}
	}
	e, err := o.entries.Lookup(tx, area.InAccount(v.AccountID), of)
	if e == nil || err != nil || o.place(e).modelKey() != v.modelKey() {
		return nil, err
	}
	return e, nil
}

// changeViews changes those views with a value in an index that it is to be done to.
func changeViews(u *records.Update, s records.Scope, index, value string, concerns func(*SavedView) bool,
	change func(*SavedView),
) error {
	var keys []string
	for v, err := range savedViewRecords.Find(u, s, index, value) {
		if err == nil {
			err = records.Interrupted(u)
		}
		if err != nil {
			return err
		}
		if concerns(v) {
			keys = append(keys, v.key())
		}
	}
	for _, key := range keys {
		_, err := savedViewRecords.Modify(u, s, key, "", func(v *SavedView) error { change(v); return nil })
		if err == nil {
			err = records.Interrupted(u)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
