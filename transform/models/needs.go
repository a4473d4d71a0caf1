package models

import (
	"context"
	"sync"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/transform/internal/area"
)

// known is what a service remembers of where models, and the entries that belong to them, were
// found, so that a store over a network is asked at once for what is read of them, and deletes models by.
type known struct {
	models   records.Cache[Model]
	deletion jobs.Kind[removal, Model]

	mu      sync.Mutex
	modelOf map[string]string // the key of the model of an entry, by what a caller calls that
}

func knownOf(s *Service) *known { return s.known.(*known) }

// mostKnown bounds how many entries are remembered. What is full begins again.
const mostKnown = 1 << 14

func (k *known) model(called string) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.modelOf[called]
}

func (k *known) remember(called, modelKey string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.modelOf == nil || len(k.modelOf) >= mostKnown {
		k.modelOf = make(map[string]string)
	}
	k.modelOf[called] = modelKey
}

// called is what a caller calls an entry by an id, and what its own account has under that.
func (r registry[T]) calledBy(c caller, id string) (called, own string) {
	p, _ := c.Caller()
	own = area.Key(p.AccountID, id)
	return records.Join(r.entries.Name, own), own
}

// expect declares what tells what a caller means by an id, and what follows from the entry that
// it was when it was found last.
func (r registry[T]) expect(c caller, id string) {
	if !records.Remote(c.tx) {
		return
	}
	p, _ := c.Caller()
	called, own := r.calledBy(c, id)
	records.Declare(c.tx, r.entries.Needs(area.AllAccounts, id, own)...)
	records.Declare(c.tx, r.entries.NeedsIndexed(area.AllAccounts, calledIndex, id)...)
	if p.AccountID != "" {
		records.Declare(c.tx, r.entries.NeedsOfHad(area.InAccount(p.AccountID), own, id)...)
	}
	if key := knownOf(c.s).model(called); key != "" {
		c.expectModel(key)
	}
}

// found declares what is read of an entry that a caller means by an id, and remembers its model.
func (r registry[T]) found(c caller, id string, v *T) {
	if !records.Remote(c.tx) {
		return
	}
	called, _ := r.calledBy(c, id)
	key := r.modelKey(v)
	knownOf(c.s).remember(called, key)
	c.expectModel(key)
}

// expectNew declares what is read before an entry of a model is made, as far as the caller's own
// account has both.
func (o ofModel[T, N, P]) expectNew(c caller, p place) {
	if !records.Remote(c.tx) {
		return
	}
	_, model := modelRegistry.calledBy(c, p.modelID)
	who, _ := c.Caller()
	records.Declare(c.tx, area.InAccount(who.AccountID).Need())
	records.Declare(c.tx, o.entries.NeedsIndexed(area.AllAccounts, "model", model)...)
	if p.id != "" {
		_, own := o.calledBy(c, p.id)
		records.Declare(c.tx, o.entries.NeedsOfNew(area.InAccount(who.AccountID), own)...)
		records.Declare(c.tx, o.entries.Needs(area.AllAccounts, p.id)...)
	}
}

// expectList declares what is read of a list of the entries of a model of the caller's account.
func (o ofModel[T, N, P]) expectList(c caller, modelID string, q records.Query[T]) {
	if !records.Remote(c.tx) {
		return
	}
	who, _ := c.Caller()
	_, model := modelRegistry.calledBy(c, modelID)
	q.In("model", model)
	records.Declare(c.tx, o.entries.NeedsOfList(c.tx, area.InAccount(who.AccountID), q)...)
}

// expectModel declares the model with a key, and what is read of it as it was when it was found
// last.
func (c caller) expectModel(key string) {
	if key == "" || !records.Remote(c.tx) {
		return
	}
	records.Declare(c.tx, modelRecords.Needs(area.AllAccounts, key)...)
	if last, ok := knownOf(c.s).models.Last(&modelRecords, area.AllAccounts, key); ok {
		c.expectOf(last)
	}
}

// foundModel declares what is read of a model, and remembers where that was.
func (c caller) foundModel(m *Model) {
	if !records.Remote(c.tx) {
		return
	}
	c.expectOf(m)
	if m.Content != "" { // one of another registry has none
		_, _ = knownOf(c.s).models.Value(c.tx, &modelRecords, area.AllAccounts, m.key()) // which was just read
	}
}

// expectOf declares what tells who may see a model, and the state of what it holds.
func (c caller) expectOf(m *Model) {
	c.Expect(twinplatform.Target{TwinID: m.TwinID, AccountID: m.AccountID})
	if m.Content != "" {
		records.Declare(c.tx, append(stateRecords.Needs(m.content(), stateID), m.content().Need())...)
		records.DeclareIn(c.tx, m.content())
	}
}

// expectAccount declares the revision of the account of a caller that makes or changes an entry.
func (c caller) expectAccount() {
	if who, _ := c.Caller(); who.AccountID != "" && records.Remote(c.tx) {
		records.Declare(c.tx, area.InAccount(who.AccountID).Need())
	}
}

// ExpectModels declares models that will be looked up by their keys.
func (v Visibility) ExpectModels(keys ...string) {
	for _, key := range keys {
		v.expectModel(key)
	}
}

// ExpectView declares a saved view that will be looked up by its key.
func (v Visibility) ExpectView(key string) {
	records.Declare(v.tx, savedViewRecords.Needs(area.AllAccounts, key)...)
}

// reading is a context in which it is declared what is read in the scope of what a model holds.
func (s *Service) reading(ctx context.Context,
	of func(tx records.Reading, in records.Scope) []records.Need,
) context.Context {
	return s.db.WithNeeds(ctx, of)
}

// needsCalled are what tells which changeset has an id; the latest one, without an id, is in the
// state.
func needsCalled(id string) func(records.Reading, records.Scope) []records.Need {
	return func(_ records.Reading, in records.Scope) []records.Need {
		if id == "" {
			return nil
		}
		return changesetRecords.NeedsIndexed(in, calledIndex, id)
	}
}

// declareAll declares what is read of the elements that a changeset names.
func (d *draft) declareAll(n *NewChangeset) {
	for i := range n.Inserted {
		d.declare(n.Inserted[i].ID)
	}
	for i := range n.Updated {
		d.declare(n.Updated[i].ID)
	}
	for _, id := range n.Deleted {
		d.declare(id)
	}
}

// expectExtension declares an extension of a saved view of the caller's account.
func (c caller) expectExtension(savedViewID, name string) {
	if records.Remote(c.tx) {
		_, own := savedViews.calledBy(c, savedViewID)
		records.Declare(c.tx, viewExtensionRecords.Needs(area.AllAccounts, extensionKey(own, name))...)
	}
}

// expectImage declares the image of a saved view of the caller's account.
func (c caller) expectImage(savedViewID string) {
	if records.Remote(c.tx) {
		_, own := savedViews.calledBy(c, savedViewID)
		records.Declare(c.tx, viewImageRecords.Needs(area.AllAccounts, own)...)
	}
}

// expectRemoval declares what is deleted with a model.
func (c caller) expectRemoval(u *records.Update, m *Model) error {
	if !records.Remote(u) {
		return nil
	}
	records.Declare(u, c.s.uses.NeedsOfModel(m.key())...)
	if m.Content != "" {
		records.Declare(u, m.content().NeedOfErase())
	}
	views := savedViewRecords.FoundBy("model")
	views.Needs = records.NeedsOfValue(needsOfViewRemoval)
	found := []records.Found{views, viewGroupKind.FoundBy("model"), viewTagKind.FoundBy("model")}
	return records.Follow(u, area.InAccount(m.AccountID), []string{m.key()}, found)
}

// needsOfViewRemoval are what is read of a saved view before what belongs to it is removed.
func needsOfViewRemoval(s records.Scope, v *SavedView) []records.Need {
	all := viewImageRecords.Needs(s, v.key())
	for _, e := range v.Extensions {
		all = append(all, viewExtensionRecords.Needs(s, extensionKey(v.key(), e.ExtensionName))...)
	}
	return all
}
