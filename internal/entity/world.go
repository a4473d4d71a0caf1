package entity

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
)

// World reports how the records of a type are in a world, which is what everything is
// exported to and seeded from. It is one of:
//
//   - a *[List], which exports and seeds them;
//   - an [InList], for records that another list has, or one that package platform makes;
//   - a [NotInWorld], with the reason.
type World interface {
	// list is the list that has the records; it is empty where a reason says why there is
	// none.
	list() (name, reason string)
}

// List is a list of a world. H is what its records are read from and written to: what
// holds them, and the world itself.
type List[H any] struct {
	// Name names the list in the world, and in errors.
	Name string
	// After names lists that are seeded before, besides those of what the records refer to.
	After []string
	// Export puts the records into the world.
	Export func(ctx context.Context, h H) error
	// Seed makes the records that the world has.
	Seed func(ctx context.Context, h H) error
	// Finish does what has to wait until all lists are seeded. Nil means nothing.
	Finish func(ctx context.Context, h H) error
}

// InList names the list that has the records.
type InList string

// NotInWorld is the reason for which a world does not have the records.
type NotInWorld string

func (l *List[H]) list() (name, reason string)   { return l.Name, "" }
func (l InList) list() (name, reason string)     { return string(l), "" }
func (r NotInWorld) list() (name, reason string) { return "", string(r) }

// CheckWorld reports what keeps a world with some lists from having the records of some
// types: types without a declaration, lists that are missing, and lists that are of no
// type.
func CheckWorld(kinds []Stored, lists []string) (problems []string) {
	used := make(map[string]bool)
	for _, k := range kinds {
		if k.World == nil {
			problems = append(problems, k.Name+": nothing says whether its records are in a world")
			continue
		}
		name, reason := k.World.list()
		used[name] = true
		switch {
		case name == "" && reason == "":
			problems = append(problems, k.Name+": it names neither a list of the world nor a reason")
		case name != "" && !slices.Contains(lists, name):
			problems = append(problems, k.Name+": the world has no list "+name)
		}
	}
	for _, name := range lists {
		if !used[name] {
			problems = append(problems, name+": the list of the world is of no type of record")
		}
	}
	return problems
}

// Lists are the lists of types of records, in the order of the types, each after those that its
// records refer to.
func Lists[H any](kinds []Stored) (lists []*List[H]) {
	names := make(map[string]bool)
	for _, k := range kinds {
		if l, ok := k.World.(*List[H]); ok {
			own := *l
			lists, names[l.Name] = append(lists, &own), true
		}
	}
	for _, l := range lists {
		l.After = slices.Clone(l.After)
		for _, name := range listsBehind(kinds, l.Name) {
			if names[name] && name != l.Name {
				l.After = append(l.After, name)
			}
		}
	}
	return lists
}

// listsBehind are the lists that have what the records of a list refer to.
func listsBehind(kinds []Stored, list string) (behind []string) {
	lists := make(map[string]string, len(kinds))
	for i := range kinds {
		if w := kinds[i].World; w != nil {
			lists[kinds[i].Name], _ = w.list()
		}
	}
	for i := range kinds {
		if lists[kinds[i].Name] != list {
			continue
		}
		for _, r := range kinds[i].references() {
			behind = append(behind, lists[r.to.Name()])
		}
		if kinds[i].Kind == nil {
			continue
		}
		for _, f := range kinds[i].Kind.facts() {
			behind = append(behind, lists[f.To])
		}
	}
	slices.Sort(behind)
	return slices.Compact(behind)
}

// SeedOrder is an order in which no list comes before one that its records refer to. What
// that leaves open is as it was.
func SeedOrder[H any](lists []*List[H]) ([]*List[H], error) {
	ordered := make([]*List[H], 0, len(lists))
	seeded := make(map[string]bool)
	for len(ordered) < len(lists) {
		next := slices.IndexFunc(lists, func(l *List[H]) bool {
			return !seeded[l.Name] && !slices.ContainsFunc(l.After, func(name string) bool { return !seeded[name] })
		})
		if next < 0 {
			return nil, fmt.Errorf("%s: what its records refer to is in no list, or refers to them",
				unseeded(lists, seeded))
		}
		ordered, seeded[lists[next].Name] = append(ordered, lists[next]), true
	}
	return ordered, nil
}

// unseeded is the first list that is not seeded.
func unseeded[H any](lists []*List[H], seeded map[string]bool) string {
	for _, l := range lists {
		if !seeded[l.Name] {
			return l.Name
		}
	}
	return ""
}

// Collect decodes the records of all pages of a list into what has members of the same
// names: what a create request lacks is the platform's.
func Collect[W, T, Q any, O twinplatform.QueryOf[Q]](
	ctx context.Context, fetch func(context.Context, Q) (twinplatform.Page[T], error), q Q,
) (items []W, err error) {
	var all [][]byte
	for o := O(&q).Options(); ; {
		page, err := fetch(ctx, q)
		if err != nil {
			return nil, err
		}
		all = append(all, page.JSON()...)
		if o.Continuation = page.Next; page.Next == "" {
			break
		}
	}
	err = json.Unmarshal(bytes.Join([][]byte{{'['}, bytes.Join(all, []byte{','}), {']'}}, nil), &items)
	return items, err
}

// ParentsFirst returns items in an order in which none comes before its parent, so that
// they can be created one after the other or in batches.
func ParentsFirst[W any](items []W, node func(*W) (id, parent string)) []W {
	index, parents := make(map[string]int, len(items)), make([]string, len(items))
	for i := range items {
		var id string
		if id, parents[i] = node(&items[i]); id != "" {
			index[id] = i
		}
	}
	out, placed := make([]W, 0, len(items)), make([]bool, len(items))
	for i := range items {
		from := len(out)
		// A cycle of parents ends where it began; creating it is refused.
		for at, known := i, true; known && !placed[at]; {
			placed[at] = true
			out = append(out, items[at])
			at, known = index[parents[at]]
		}
		slices.Reverse(out[from:])
	}
	return out
}

// Node is the id of the record that a request asks for, and that of its parent.
func (k *Kind[T, N, P]) Node(n *N) (id, parent string) {
	v := k.New(n)
	return k.Records.ID(v), k.ParentOf(v)
}

// Each makes the items of a list one after the other.
func Each[W any](list string, items []W, create func(W) error) error {
	for i, item := range items {
		if err := create(item); err != nil {
			return fmt.Errorf("%s[%d]: %w", list, i, err)
		}
	}
	return nil
}

// Batches makes the items of a list in batches of a size.
func Batches[W any](list string, items []W, size int, create func([]W) error) error {
	at := 0
	for batch := range slices.Chunk(items, size) {
		if err := create(batch); err != nil {
			return fmt.Errorf("%s %d to %d: %w", list, at+1, at+len(batch), err)
		}
		at += len(batch)
	}
	return nil
}

// As acts as the principal with an id, within the account of the context. An empty id is
// that of the platform itself.
func As(ctx context.Context, id twinplatform.NullString) context.Context {
	p, _ := twinplatform.PrincipalFrom(ctx)
	p.ID = string(id)
	return twinplatform.WithPrincipal(ctx, p)
}

// Through is a list of what is reached through what holds more.
func Through[H, G any](l *List[G], of func(H) G) *List[H] {
	through := func(fn func(context.Context, G) error) func(context.Context, H) error {
		if fn == nil {
			return nil
		}
		return func(ctx context.Context, h H) error { return fn(ctx, of(h)) }
	}
	return &List[H]{
		Name: l.Name, After: l.After, Export: through(l.Export), Seed: through(l.Seed),
		Finish: through(l.Finish),
	}
}
