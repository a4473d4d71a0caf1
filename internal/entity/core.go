package entity

import (
	"errors"
	"reflect"
	"sync"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// Core is a kind with its types erased: what is done with records, requests and
// patches is compiled once, and not once for each of their types. Each is given to it
// as what points at it.
type Core struct {
	Records       *records.Table
	One, Many     string
	Noun          string
	Batches       bool
	Missing       *problem.Absent
	Bad           *twinplatform.Error
	used          func(tx records.Reading, s records.Scope, id string) error
	clear         func(u *records.Update, s records.Scope, id string, step *records.Step) (whole bool, err error)
	fresh         func() (record, request, patch any)
	members       func(record, request, patch any) []Member
	made          func(v, n any, c *problem.Checks)
	changed       func(v, stored, p any, c *problem.Checks)
	fits          func(tx records.Reading, s records.Scope, v, stored any, c *problem.Checks) error
	follow        func(u *records.Update, s records.Scope, v, stored any) error
	taken, sealed func(v any) error
	parent        func(v any) string
	idle          sync.Pool // of *bound
}

// erase makes a core of what a kind knows of its types. All pointers share one shape, so
// that it is compiled once for all kinds.
func erase[T, N, P any](
	members func(T, N, P) []Member,
	made func(T, N, *problem.Checks),
	changed func(v, stored T, p P, c *problem.Checks),
	fits func(tx records.Reading, s records.Scope, v, stored T, c *problem.Checks) error,
	follow func(u *records.Update, s records.Scope, v, stored T) error,
	taken, sealed func(T) error,
	parent func(T) string,
) *Core {
	c := &Core{members: func(r, n, p any) []Member { return members(r.(T), n.(N), p.(P)) }}
	record, request, patch := reflect.TypeFor[T]().Elem(), reflect.TypeFor[N]().Elem(), reflect.TypeFor[P]().Elem()
	c.fresh = func() (r, n, p any) {
		return reflect.New(record).Interface(), reflect.New(request).Interface(), reflect.New(patch).Interface()
	}
	if made != nil {
		c.made = func(v, n any, c *problem.Checks) { made(v.(T), n.(N), c) }
	}
	if changed != nil {
		c.changed = func(v, stored, p any, c *problem.Checks) { changed(v.(T), stored.(T), p.(P), c) }
	}
	if fits != nil {
		c.fits = func(tx records.Reading, s records.Scope, v, stored any, c *problem.Checks) error {
			before, _ := stored.(T)
			return fits(tx, s, v.(T), before, c)
		}
	}
	if follow != nil {
		c.follow = func(u *records.Update, s records.Scope, v, stored any) error { return follow(u, s, v.(T), stored.(T)) }
	}
	c.taken, c.sealed = refusal(taken), refusal(sealed)
	if parent != nil {
		c.parent = func(v any) string { return parent(v.(T)) }
	}
	return c
}

func refusal[T any](of func(T) error) func(any) error {
	if of == nil {
		return nil
	}
	return func(v any) error { return of(v.(T)) }
}

// NewRequest makes a zero request.
func (k *Core) NewRequest() any {
	_, n, _ := k.fresh()
	return n
}

// NewPatch makes a zero patch.
func (k *Core) NewPatch() any {
	_, _, p := k.fresh()
	return p
}

// bound are the members of one record, one request and one patch. It is made
// once and used again, so that a write pays nothing for the table.
type bound struct {
	record, request, patch any
	members                []Member
}

// bind is a table of members for one use. Whoever takes it sets what it needs of
// record, request and patch, and unbinds it.
func (k *Core) bind() *bound {
	b, _ := k.idle.Get().(*bound)
	if b == nil {
		b = new(bound)
		b.record, b.request, b.patch = k.fresh()
		b.members = k.members(b.record, b.request, b.patch)
	}
	return b
}

// unbind clears what was set of a table, and puts it back among the idle ones.
func (k *Core) unbind(b *bound, set ...any) {
	for _, p := range set {
		reflect.ValueOf(p).Elem().SetZero()
	}
	k.idle.Put(b)
}

// set makes what to points at equal to what from points at, of the same type.
func set(to, from any) { reflect.ValueOf(to).Elem().Set(reflect.ValueOf(from).Elem()) }

// CheckNew is Kind.CheckNew.
func (k *Core) CheckNew(n any, c *problem.Checks) {
	b := k.bind()
	set(b.request, n)
	k.checkNew(b, c)
}

func (k *Core) checkNew(b *bound, c *problem.Checks) {
	for _, m := range b.members {
		m.checkRequest(c)
	}
	if k.made != nil {
		build(b.members)
		k.made(b.record, b.request, c)
	}
	k.unbind(b, b.record, b.request)
}

// New makes of v, which is zero, the record that a request asks for.
func (k *Core) New(n, v any) {
	b := k.bind()
	set(b.request, n)
	build(b.members)
	if k.made != nil {
		k.made(b.record, b.request, new(problem.Checks))
	}
	set(v, b.record)
	k.unbind(b, b.record, b.request)
}

// Make is New, unless something stands against the request.
func (k *Core) Make(n, v any) error {
	var c problem.Checks
	k.CheckNew(n, &c)
	if err := c.Err(*k.Bad); err != nil {
		return err
	}
	k.New(n, v)
	return nil
}

func build(members []Member) {
	for _, m := range members {
		m.make()
	}
}

// CheckPatch is Kind.CheckPatch.
func (k *Core) CheckPatch(id string, p any, c *problem.Checks) {
	b := k.bind()
	set(b.patch, p)
	k.checkPatch(id, b, c)
}

// checkChange is CheckPatch over the record as it is.
func (k *Core) checkChange(id string, stored, p any, c *problem.Checks) {
	b := k.bind()
	set(b.record, stored)
	set(b.patch, p)
	k.checkPatch(id, b, c)
}

func (k *Core) checkPatch(id string, b *bound, c *problem.Checks) {
	for _, m := range b.members {
		m.checkPatch(id, c)
	}
	k.unbind(b, b.record, b.patch)
}

// Apply is Kind.Apply.
func (k *Core) Apply(p, v any, c *problem.Checks) {
	b := k.bind()
	set(b.record, v)
	set(b.patch, p)
	for _, m := range b.members {
		m.apply()
	}
	if k.changed != nil {
		k.changed(b.record, v, b.patch, c)
	}
	set(v, b.record)
	k.unbind(b, b.record, b.patch)
}

// Change is Kind.Change.
func (k *Core) Change(id string, p, v any) error {
	var c problem.Checks
	k.checkChange(id, v, p, &c)
	k.Apply(p, v, &c)
	return c.Err(*k.Bad)
}

// Identify is Kind.Identify.
func (k *Core) Identify(n any, newID func() string) (id string) {
	b := k.bind()
	set(b.request, n)
	for _, m := range b.members {
		if m, ok := m.(idMember); ok {
			if *m.request == "" {
				*m.request = newID()
			}
			id = *m.request
		}
	}
	set(n, b.request)
	k.unbind(b, b.request)
	return id
}

// Insert is Kind.Insert.
func (k *Core) Insert(u *records.Update, s records.Scope, v any, c *problem.Checks) (rec records.Erased, err error) {
	if records.Far(u) {
		if err := records.Prefetch(u, k.Records.NeedsOfNew(s, k.Records.ID(v))...); err != nil {
			return rec, err
		}
	}
	if err := k.check(u, s, v, nil, c); err != nil {
		return rec, err
	}
	rec, err = k.Records.Insert(u, s, v)
	if k.taken != nil && errors.Is(err, records.ErrExists) {
		return rec, k.taken(v)
	}
	return rec, k.written(err, k.Records.ID(v))
}

// Modify is Kind.Modify.
func (k *Core) Modify(u *records.Update, s records.Scope, id string, cond twinplatform.Condition, p any) (records.Erased, error) {
	return k.Update(u, s, id, cond, p, nil)
}

// Update is Kind.Update.
func (k *Core) Update(u *records.Update, s records.Scope, id string, cond twinplatform.Condition, p any, may func(v, stored any) error) (records.Erased, error) {
	rec, err := k.modify(u, s, id, cond, p, may, &problem.Checks{})
	return rec, k.written(err, id)
}

func (k *Core) modify(u *records.Update, s records.Scope, id string, cond twinplatform.Condition, p any, may func(v, stored any) error, c *problem.Checks) (rec records.Erased, err error) {
	stored := k.Records.New()
	rec, err = k.Records.Modify(u, s, id, cond, func(v any) error {
		set(stored, v)
		if err := k.isSealed(stored); err != nil {
			return err
		}
		if may != nil {
			k.checkChange(id, stored, p, c)
		}
		k.Apply(p, v, c)
		if err := k.check(u, s, v, stored, c); err != nil || may == nil {
			return err
		}
		return may(v, stored)
	})
	if err == nil && k.follow != nil {
		err = k.follow(u, s, rec.Value, stored)
	}
	return rec, err
}

func (k *Core) isSealed(stored any) error {
	if k.sealed == nil {
		return nil
	}
	return k.sealed(stored)
}

// Erase is Kind.Erase.
func (k *Core) Erase(u *records.Update, s records.Scope, id string, cond twinplatform.Condition, may func(stored any) error) error {
	v, err := k.Records.Value(u, s, id)
	if err == nil {
		err = k.Records.Check(u, s, id, cond)
	}
	if err != nil {
		return k.Missing.Or(err)
	}
	if err := k.isSealed(v); err != nil {
		return err
	}
	if err := may(v); err != nil {
		return err
	}
	return k.Records.Erase(u, s, id)
}

func (k *Core) check(tx records.Reading, s records.Scope, v, stored any, c *problem.Checks) error {
	if k.fits != nil {
		if err := k.fits(tx, s, v, stored, c); err != nil {
			return err
		}
	}
	return c.Err(*k.Bad)
}

// written gives what comes of writing a record its documented error.
func (k *Core) written(err error, id string) error {
	if errors.Is(err, records.ErrExists) {
		return problem.Taken(k.Noun, id)
	}
	return k.Missing.Or(err)
}

// Deletion is the name of the operation that deletes, and what errors call the ids
// that it is given.
func (k *Core) Deletion() (operation, param string) {
	if k.Batches {
		return k.Many + ".delete", k.One + "Ids"
	}
	return k.One + ".delete", k.One + "Id"
}

// List is Kind.List.
func (k *Core) List(tx records.Reading, s records.Scope, p problem.Paging, q records.Erasure) (twinplatform.Page[any], error) {
	if q.Op == "" {
		q.Op = k.Many
	}
	q.MaxTop = p.MaxTop
	page, err := k.Records.List(tx, s, q)
	return page, p.Listed(err, *k.Bad)
}

// Parent is the id of what a record lies below; it is empty where there is no such
// thing.
func (k *Core) Parent(v any) string {
	if k.parent == nil {
		return ""
	}
	return k.parent(v)
}

// Describe tells what the table says of record, request and patch.
func (k *Core) Describe(b *schema.Book) {
	bound := k.bind()
	record, request, patch := reflect.TypeOf(bound.record).Elem(), reflect.TypeOf(bound.request).Elem(), reflect.TypeOf(bound.patch).Elem()
	for _, m := range bound.members {
		d := m.describe()
		kept, required := d.Kept, d.Required
		d.Kept = required
		b.Has(request, d)
		d.Default, d.Required, d.Kept = nil, false, false
		b.Has(record, d)
		d.Kept = kept
		b.Has(patch, d)
	}
	k.idle.Put(bound)
}
