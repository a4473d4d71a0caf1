package models

import (
	"context"
	"errors"
	"iter"
	"strconv"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/transform/internal/area"
)

// Source returns the content of a registered model as transformations take it. It
// needs PermissionModelsRead on the model or its twin, at each call. Error:
// ModelNotFound.
func (s *Service) Source(ctx context.Context, modelID string) (Source, error) {
	return s.own(ctx, modelID)
}

// Target returns a registered model as what transformations bring content into: for
// programs whose changesets are larger than CreateChangeset takes. While a draft is
// open, no other caller changes the model. It needs PermissionModelsRead on the model or
// its twin, and each of its methods PermissionModelsWrite. Error: ModelNotFound.
func (s *Service) Target(ctx context.Context, modelID string) (Target, error) {
	return s.own(ctx, modelID)
}

func (s *Service) own(ctx context.Context, modelID string) (ownModel, error) {
	return read(ctx, s, func(c caller) (own ownModel, err error) {
		m, err := c.visibleModel(modelID)
		if err != nil {
			return own, err
		}
		return ownModel{s: s, in: area.InAccount(m.AccountID), key: m.key()}, nil
	})
}

// Endpoint is a model as the source of transformations and as their target.
type Endpoint interface {
	Source
	Target
}

// Entrusted is a registered model that is read and written on behalf of the platform and
// its client, whatever the caller may do: for the transformations of package transform. The
// scope and the key within it name the model.
func (s *Service) Entrusted(in records.Scope, key string, to area.Writer) Endpoint {
	return ownModel{s, in, key, to}
}

// ownModel is a model of the registry.
type ownModel struct {
	s   *Service
	in  records.Scope
	key string
	// to is who reads and writes it on behalf of the platform; nil for the caller.
	to area.Writer
}

var _ Endpoint = ownModel{}

// model is the model as it is by now, if the caller may read it.
func (o ownModel) model(c caller) (*Model, error) {
	c.expectModel(o.key)
	if o.to != nil && records.Remote(c.tx) {
		records.Declare(c.tx, o.to.Needs()...)
	}
	m, err := modelRecords.Lookup(c.tx, o.in, o.key)
	if m == nil || err != nil {
		return nil, modelKind.Missing.Unless(false, err)
	}
	c.foundModel(m)
	if o.to != nil {
		return m, nil
	}
	return m, modelKind.Missing.Unless(c.Sees(m))
}

// writable fails where who writes on behalf of the platform writes no more.
func (o ownModel) writable(tx records.Reading) error {
	if o.to == nil {
		return nil
	}
	whole, err := o.to.Writes(tx)
	if whole && err == nil {
		err = errChangesetExists
	}
	return err
}

// Read implements Source.
func (o ownModel) Read(ctx context.Context, changesetID string, fn func(Content) error) error {
	ctx = o.s.reading(ctx, needsCalled(changesetID))
	_, err := read(ctx, o.s, func(c caller) (none struct{}, err error) {
		m, err := o.model(c)
		if err != nil {
			return none, err
		}
		at, err := contentAt(c.tx, m, changesetID)
		if err != nil {
			return none, err
		}
		own := ownContent{content: at}
		if at.at > 0 {
			of, err := changesetRecords.Value(c.tx, at.in, inOrder(at.at))
			if err != nil {
				return none, err
			}
			own.changeset = *of
		}
		return none, fn(own)
	})
	return err
}

// ownContent is the content of a model of the registry.
type ownContent struct {
	content

	changeset Changeset
}

// Declare implements Distant.
func (c ownContent) Declare(ids []string) (far bool) {
	if c.in == "" || !records.Remote(c.tx) {
		return false
	}
	for _, id := range ids {
		records.Declare(c.tx, elementRecords.NeedAfter(c.in, versionKey(id, c.at+1)))
	}
	return true
}

func (c ownContent) Changeset() Changeset                             { return c.changeset }
func (c ownContent) Element(id string) (*Element, error)              { return c.element(id) }
func (c ownContent) Geometry(e *Element) ([]byte, error)              { return c.geometry(e) }
func (c ownContent) Elements(after string) iter.Seq2[*Element, error] { return c.elements(after) }

// Changed implements Content. A place is the key of a change.
func (c ownContent) Changed(since, after string) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		from := inOrder(1)
		if since != "" {
			key, err := changesetKey(c.tx, c.in, since)
			if err != nil {
				yield(Change{}, err)
				return
			}
			n, _ := strconv.ParseUint(key, 16, 64)
			from = inOrder(n + 1)
		}
		for ch, err := range changeRecords.From(c.tx, c.in, max(after, from)) {
			if err == nil && ch.Changeset > c.at {
				return
			}
			if err != nil {
				yield(Change{}, err)
				return
			}
			if !yield(Change{ElementID: ch.ID, Place: changeKey(ch.Changeset, ch.ID)}, nil) {
				return
			}
		}
	}
}

// Write implements Target.
func (o ownModel) Write(ctx context.Context, draftID string, fn func(Draft) error) error {
	if err := checkDraft(draftID, ""); err != nil {
		return err
	}
	ctx = o.s.reading(ctx, needsCalled(draftID))
	return o.s.update(ctx, func(u *records.Update, c caller) error {
		m, err := o.changeable(c)
		if err != nil {
			return err
		}
		in, err := c.contentOf(u, m)
		if err != nil {
			return err
		}
		if err := notCommitted(u, in, draftID); err != nil {
			return err
		}
		if err := o.writable(u); err != nil {
			return err
		}
		d, err := openDraft(u, in, draftID)
		if err != nil {
			return err
		}
		if err := fn(ownDraft{d}); err != nil {
			return err
		}
		return d.save()
	})
}

// checkDraft refuses a draft that could be no changeset.
func checkDraft(id, description string) error {
	var c problem.Checks
	c.Need("id", id, MaxID)
	changesetKind.CheckNew(&NewChangeset{ID: id, Description: twinplatform.NullString(description)}, &c)
	return c.Err(InvalidModelRequest)
}

// changeable is the model if the caller may change it.
func (o ownModel) changeable(c caller) (*Model, error) {
	m, err := o.model(c)
	if err == nil && o.to == nil {
		_, err = c.changeable(m)
	}
	return m, err
}

// notCommitted fails where a changeset has an id.
func notCommitted(tx records.Reading, in records.Scope, id string) error {
	for range changesetRecords.IDs(tx, in, calledIndex, id) {
		return errChangesetExists
	}
	return nil
}

// Commit implements Target.
func (o ownModel) Commit(ctx context.Context, draftID, description string) (out Changeset, err error) {
	if err := checkDraft(draftID, description); err != nil {
		return out, err
	}
	ctx = o.s.reading(ctx, needsCalled(draftID))
	err = o.s.update(ctx, func(u *records.Update, c caller) error {
		m, err := o.changeable(c)
		if err != nil {
			return err
		}
		out = Changeset{}
		if err := notCommitted(u, m.content(), draftID); err != nil {
			of, err := changesetOr(u, m, draftID)
			if err == nil {
				out = *of
			}
			return err
		}
		state, err := stateOf(u, m.content())
		if err != nil || state.Draft == nil || state.Draft.ID != draftID {
			return err
		}
		if s := state.Draft; s.Inserted+s.Updated+s.Deleted == 0 {
			state.Draft = nil
			_, err := stateRecords.Put(u, m.content(), state)
			return err
		}
		if err := o.writable(u); err != nil && !errors.Is(err, errChangesetExists) {
			return err
		}
		d, err := openDraft(u, m.content(), draftID)
		if err != nil {
			return err
		}
		target, _, err := c.TwinOf(m.AccountID, m.TwinID)
		if err != nil {
			return err
		}
		rec, err := c.commit(d, m, target,
			Changeset{ID: draftID, Description: twinplatform.NullString(description), CreatedBy: o.maker(c)})
		out = rec.Value
		return err
	})
	return out, err
}

// maker is who makes a changeset: that of the platform has none.
func (o ownModel) maker(c caller) twinplatform.NullString {
	p, _ := c.Caller()
	if o.to != nil {
		p.ID = ""
	}
	return twinplatform.NullString(p.ID)
}

// Discard implements Target.
func (o ownModel) Discard(ctx context.Context, draftID string) error {
	for more := true; more; {
		err := o.s.update(ctx, func(u *records.Update, c caller) error {
			m, err := o.changeable(c)
			if err != nil {
				return err
			}
			more, err = discard(u, m.content(), draftID)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// ownDraft is a draft of a model of the registry.
type ownDraft struct{ *draft }

// Declare implements Distant.
func (d ownDraft) Declare(ids []string) (far bool) {
	for _, id := range ids {
		d.declare(id)
	}
	return records.Remote(d.u)
}

func (d ownDraft) Element(id string) (*Element, error) { return d.element(id) }
func (d ownDraft) Needed(id string) (bool, error)      { return d.dependents(id) }

func (d ownDraft) Elements(prefix, after string) iter.Seq2[*Element, error] {
	return d.beginning(prefix, after)
}

func (d ownDraft) Put(e Element) error {
	var c problem.Checks
	c.Need("id", e.ID, MaxID)
	n := e.asNew()
	n.check(&c)
	if err := c.Err(InvalidModelRequest); err != nil {
		return err
	}
	for _, id := range e.Above() {
		up, err := d.element(id)
		if err != nil {
			return err
		}
		if up == nil {
			return refused("The model has no element '" + id + "', which '" + e.ID + "' is below.")
		}
	}
	if err := d.acyclic(&e); errors.Is(err, errCycle) {
		return refused("The element '" + e.ID + "' is above itself.")
	} else if err != nil {
		return err
	}
	err := d.put(e.Normal())
	if errors.Is(err, errNoGeometry) {
		return refused("The geometry of the element '" + e.ID + "' is not there.")
	}
	return err
}

func (d ownDraft) Delete(id string) error {
	e, err := d.element(id)
	if e == nil || err != nil {
		return err
	}
	if needed, err := d.dependents(id); needed || err != nil {
		if err == nil {
			err = refused("Other elements are below the element '" + id + "'.")
		}
		return err
	}
	return d.remove(id)
}

// refused is a change that a draft does not take.
func refused(why string) error {
	return problem.With(InvalidModelRequest, problem.BadValue("elements", "%s", why))
}
