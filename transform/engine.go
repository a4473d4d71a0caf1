package transform

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/transform/internal/area"
	"github.com/seed-933f9a09/twinplatform/transform/internal/filter"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// How much one transaction of a run reads and writes, and how long one step lasts.
const (
	itemsPerBatch = area.ItemsPerBatch
	bytesPerBatch = area.BytesPerBatch
	leastPerBatch = 16 // elements, however long they take and however often a batch lost
	timePerStep   = 100 * time.Millisecond
)

// engine brings a target to what a rule lets through of a source. All that a run
// writes is one draft of the target: what was written before the process died is found
// there, and written again without effect.
type engine struct {
	source models.Source
	target models.Target
	view   *filter.View
	draft  string // id of the changeset that the run makes
	until  string // changeset of the source
	prefix string // of the ids of the target that are the configuration's
}

// progress is how far a run has come.
type progress struct {
	Phase     phase    `json:"phase"`
	Since     string   `json:"since"`   // changeset of the source that the target is of; of phase changes
	Until     string   `json:"until"`   // changeset of the source that it will be of
	After     string   `json:"after"`   // place within the phase
	Pending   []string `json:"pending"` // elements of the source to sync before all others
	Sweep     bool     `json:"sweep"`   // the target may have elements that the source has no more
	Mark      bool     `json:"mark"`    // the origin is to be written
	Processed int      `json:"processed"`
	Total     int      `json:"total"`
}

// drained reports whether no element is left to sync.
func (p *progress) drained() bool { return p.Phase == finishing && len(p.Pending) == 0 }

// phase is what a run is doing.
type phase string

const (
	preparing phase = ""
	scanning  phase = "scan"    // all elements of the source
	following phase = "changes" // those that have changed
	sweeping  phase = "sweep"   // those of the target that come from it
	finishing phase = "finish"
)

// prefixOf is what the ids of all elements begin with that a configuration brings into
// its target.
func prefixOf(configurationID string) string {
	sum := sha256.Sum256([]byte(configurationID))
	return hex.EncodeToString(sum[:6])
}

// elementsOf is the beginning of the ids of those that come from elements.
func (e *engine) elementsOf() string { return e.prefix + "." }

// work lasts for a while.
func (e *engine) work(ctx context.Context, p progress) (progress, error) {
	for began := time.Now(); !p.drained() && time.Since(began) < timePerStep; {
		var b *batch
		var err error
		if b, p, err = e.next(ctx, p); err != nil {
			return p, err
		}
		if p.Pending, err = e.sync(ctx, b, p.Pending); err != nil {
			return p, err
		}
	}
	return p, nil
}

// batch is elements to sync, with all that is above them in the source.
type batch struct {
	ids      []string
	nodes    map[string]*filter.Node
	elements map[string]*models.Element
	size     int
	began    time.Time
	far      bool // the source is over a network
}

func newBatch() *batch {
	return &batch{nodes: make(map[string]*filter.Node), elements: make(map[string]*models.Element), began: time.Now()}
}

func (b *batch) full() bool {
	return len(b.ids) >= itemsPerBatch || b.size >= bytesPerBatch ||
		len(b.ids)%leastPerBatch == leastPerBatch-1 && time.Since(b.began) > timePerBatch(b.far)
}

// timePerBatch is how long a batch lasts.
func timePerBatch(far bool) time.Duration {
	if far {
		return area.TimePerFarBatch
	}
	return area.TimePerBatch
}

// next reads what is to be synced next, and moves on behind it.
func (e *engine) next(ctx context.Context, p progress) (b *batch, after progress, err error) {
	var swept []string
	if p.Phase == sweeping && len(p.Pending) == 0 {
		if swept, err = e.swept(ctx, p.After); err != nil {
			return nil, p, err
		}
	}
	err = e.source.Read(ctx, e.until, func(c models.Content) (err error) {
		b, after = newBatch(), p
		l := loader{e, c, b}
		b.far = declare(c, p.Pending[:min(len(p.Pending), itemsPerBatch)])
		switch {
		case len(p.Pending) > 0:
			after.Pending, err = l.some(p.Pending)
		case p.Phase == scanning:
			err = l.scan(&after)
		case p.Phase == following:
			err = l.follow(&after)
		default:
			err = l.sweep(&after, swept)
		}
		return err
	})
	return b, after, err
}

// declare names elements of a content or of a draft that are read next, and reports whether it is over a network.
func declare(of any, ids []string) (far bool) {
	distant, ok := of.(models.Distant)
	return ok && distant.Declare(ids)
}

// swept are some elements of the target that come from the source, behind one.
func (e *engine) swept(ctx context.Context, after string) (ids []string, err error) {
	prefix := e.elementsOf()
	err = e.target.Write(ctx, e.draft, func(d models.Draft) error {
		ids = nil
		from := ""
		if after != "" {
			from = prefix + after
		}
		for el, err := range d.Elements(prefix, from) {
			if err != nil || len(ids) >= itemsPerBatch {
				return err
			}
			ids = append(ids, strings.TrimPrefix(el.ID, prefix))
		}
		return nil
	})
	return ids, err
}

// loader reads elements of the source into a batch.
type loader struct {
	*engine

	c models.Content
	b *batch
}

// some loads as many of a list as fit, and returns the others.
func (l loader) some(ids []string) (left []string, err error) {
	for i, id := range ids {
		if l.b.full() {
			return ids[i:], nil
		}
		if err := l.load(id); err != nil {
			return nil, err
		}
		l.b.ids = append(l.b.ids, id)
	}
	return nil, nil
}

func (l loader) scan(p *progress) error {
	for el, err := range l.c.Elements(p.After) {
		if err != nil {
			return err
		}
		if l.b.full() {
			return nil
		}
		if err := l.add(el); err != nil {
			return err
		}
		l.b.ids = append(l.b.ids, el.ID)
		p.After, p.Processed = el.ID, p.Processed+1
	}
	p.After, p.Phase = "", finishing
	if p.Sweep {
		p.Phase = sweeping
	}
	return nil
}

func (l loader) follow(p *progress) error {
	var next []models.Change
	var ids []string
	more := false
	for ch, err := range l.c.Changed(p.Since, p.After) {
		if err != nil {
			return err
		}
		if more = len(next) == itemsPerBatch; more {
			break
		}
		next, ids = append(next, ch), append(ids, ch.ElementID)
	}
	declare(l.c, ids)
	for _, ch := range next {
		if l.b.full() {
			return nil
		}
		if err := l.load(ch.ElementID); err != nil {
			return err
		}
		l.b.ids = append(l.b.ids, ch.ElementID)
		p.After, p.Processed = ch.Place, p.Processed+1
	}
	if !more {
		p.Phase = finishing
	}
	return nil
}

func (l loader) sweep(p *progress, ids []string) error {
	declare(l.c, ids)
	left, err := l.some(ids)
	if done := ids[:len(ids)-len(left)]; len(done) > 0 {
		p.After = done[len(done)-1]
		return err
	}
	p.Phase = finishing
	return err
}

// load reads an element, unless it is there, and all that is above it.
func (l loader) load(id string) error {
	if l.b.nodes[id] != nil {
		return nil
	}
	el, err := l.c.Element(id)
	if el == nil || err != nil {
		return err
	}
	return l.add(el)
}

// add takes an element, unless it is there, and all that is above it.
func (l loader) add(el *models.Element) (err error) {
	if l.b.nodes[el.ID] != nil {
		return nil
	}
	n := &filter.Node{Above: el.Above(), Visible: l.view.Shows(filter.Element{
		ID: el.ID, Category: string(el.Category), SubModel: string(el.SubModelID), Created: el.CreatedIndex,
	})}
	l.b.nodes[el.ID], l.b.elements[el.ID] = n, el
	if n.Visible && el.GeometryHash != "" {
		if el.Geometry, err = l.c.Geometry(el); err != nil {
			return err
		}
		l.b.size += len(el.Geometry)
	}
	for _, up := range n.Above {
		if err := l.load(up); err != nil {
			return err
		}
	}
	return nil
}

// sync brings the elements of a batch into the target, in short transactions, and returns
// what is to be synced again. Over a network one that lost a race brings half as many when it runs again, and so do
// those that follow.
func (e *engine) sync(ctx context.Context, b *batch, pending []string) ([]string, error) {
	most := len(b.ids)
	for left := b.ids; len(left) > 0; {
		var again []string
		done, lost := 0, false
		err := e.target.Write(ctx, e.draft, func(d models.Draft) error {
			if lost {
				most = max(most/2, leastPerBatch)
			}
			var err error
			again, done, lost, err = e.syncInto(d, b, left[:min(most, len(left))])
			return err
		})
		if err != nil {
			return nil, err
		}
		left = left[done:]
		for _, id := range again {
			if !slices.Contains(pending, id) {
				pending = append(pending, id)
			}
		}
	}
	return pending, nil
}

// syncInto brings elements of a batch into a draft, for as long as a transaction may take. It returns what is to be
// synced again, how many were brought, and whether the target is over a network.
func (e *engine) syncInto(d models.Draft, b *batch, ids []string) (again []string, done int, far bool, err error) {
	began := time.Now()
	far = declare(d, e.targets(b, ids))
	for _, id := range ids {
		more, err := filter.Sync(tree{e, d, b}, b.nodes, id)
		if err != nil {
			return again, done, far, err
		}
		again = append(again, more...)
		if done++; done%leastPerBatch == 0 && time.Since(began) > timePerBatch(far) {
			break
		}
	}
	return again, done, far, nil
}

// targets are the ids in the target of elements of a batch, and of what is above them.
func (e *engine) targets(b *batch, ids []string) (all []string) {
	named := make(map[string]bool, len(ids))
	name := func(id string) {
		if !named[id] {
			named[id] = true
			all = append(all, e.elementsOf()+id)
		}
	}
	for _, id := range ids {
		name(id)
		if n := b.nodes[id]; n != nil {
			for _, up := range n.Above {
				name(up)
			}
		}
	}
	return all
}

// tree is the target as the filter sees it: by the ids of the source.
type tree struct {
	*engine

	d models.Draft
	b *batch
}

// Above implements filter.Tree. Elements that people have put above one are theirs.
func (t tree) Above(id string) (above []string, has bool, err error) {
	el, err := t.d.Element(t.elementsOf() + id)
	if el == nil || err != nil {
		return nil, false, err
	}
	for _, up := range el.Above() {
		if up, ours := strings.CutPrefix(up, t.elementsOf()); ours {
			above = append(above, up)
		}
	}
	return above, true, nil
}

func (t tree) Needed(id string) (bool, error) { return t.d.Needed(t.elementsOf() + id) }
func (t tree) Delete(id string) error         { return t.d.Delete(t.elementsOf() + id) }

// Put implements filter.Tree.
func (t tree) Put(id string, visible bool) error {
	el := *t.b.elements[id]
	el.ID = t.elementsOf() + id
	el.ParentID, el.ScopeID = t.above(el.ParentID), t.above(el.ScopeID)
	el.Aspects = nil
	if el.FederationGUID == "" {
		el.Aspects = []models.Aspect{{Kind: models.ElementAspect, SourceID: t.originID(), Identifier: id}}
	}
	if !visible {
		el = cleared(el)
	}
	return t.d.Put(el.Normal())
}

// above is the id in the target of what is above an element in the source.
func (t tree) above(id twinplatform.NullString) twinplatform.NullString {
	if id == "" || t.b.nodes[string(id)] == nil {
		return ""
	}
	return twinplatform.NullString(t.elementsOf()) + id
}

// Clear implements filter.Tree.
func (t tree) Clear(id string) error {
	el, err := t.d.Element(t.elementsOf() + id)
	if el == nil || err != nil {
		return err
	}
	return t.d.Put(cleared(*el))
}

// cleared is an element without geometry and without properties that are not mandatory.
func cleared(el models.Element) models.Element {
	el.BoundingBox, el.Geometry, el.GeometryHash, el.GeometryIndex = nil, nil, "", 0
	kept := models.ElementProperties{}
	for _, name := range el.MandatoryProperties {
		kept[name] = el.Properties[name]
	}
	el.Properties = kept
	return el
}
