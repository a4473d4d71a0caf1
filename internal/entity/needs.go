package entity

import "github.com/seed-933f9a09/twinplatform/internal/records"

// The read sets of what is done with records of a type follow from what the type says of
// itself: its rows, those that refer to it, and [Kind.Needs]. Over a network they are read ahead, see
// [records.Declare]; elsewhere they are never asked for.

// NeedsOfNew are what is read before a record is made.
func (k *Kind[T, N, P]) NeedsOfNew(s records.Scope, v *T) []records.Need {
	return append(k.Records.NeedsOfNew(s, k.Records.ID(v)), k.needsOf(s, v)...)
}

// NeedsOfRequest are what is read before the record that a request asks for is made.
func (k *Kind[T, N, P]) NeedsOfRequest(s records.Scope, n *N) []records.Need {
	return k.NeedsOfNew(s, k.New(n))
}

// NeedsOfPatch are what is read before the record with an id is changed, as far as the patch
// tells.
func (k *Kind[T, N, P]) NeedsOfPatch(s records.Scope, id string, p *P) []records.Need {
	b := k.bind()
	b.patch = *p
	for _, m := range b.members {
		if m, ok := m.(idMember); ok {
			*m.record = id
		}
		m.apply()
	}
	v := new(T)
	*v = b.record
	k.releasePatch(b)
	return append(k.Records.NeedsOfChange(s, id), k.needsOf(s, v)...)
}

func (k *Kind[T, N, P]) needsOf(s records.Scope, v *T) []records.Need {
	needs := k.ties().needs(s, v)
	if k.Needs != nil {
		needs = append(needs, k.Needs(s, v)...)
	}
	return needs
}

// NeedsOfRemoval are what is read first before records with ids are deleted.
func (k *Kind[T, N, P]) NeedsOfRemoval(s records.Scope, ids []string) []records.Need {
	needs := append(k.Records.Needs(s, ids...), s.Need())
	return append(needs, records.NeedsOfFound(s, ids, k.ties().found())...)
}

// FoundBy are records of the type that an index has for the id of another, with what goes
// with them.
func (k *Kind[T, N, P]) FoundBy(index string) records.Found {
	f := records.Found{In: k.Records.Table(), Index: index, Of: k.ties().found}
	if k.Needs != nil {
		f.Needs = records.NeedsOfValue(k.Needs)
	}
	return f
}

// Declare declares what is read before records are made.
func (k *Kind[T, N, P]) Declare(tx records.Reading, s records.Scope, made []T) error {
	if !records.Remote(tx) {
		return nil
	}
	for i := range made {
		k.declareNew(tx, s, &made[i])
	}
	return k.declareAbove(tx, s, made)
}

// declareNew declares what is read before a record is made, unless that was read with those of
// the request.
func (k *Kind[T, N, P]) declareNew(tx records.Reading, s records.Scope, v *T) {
	if records.Remote(tx) && !k.Records.IsRead(tx, s, k.Records.ID(v)) {
		records.Declare(tx, k.NeedsOfNew(s, v)...)
	}
}

// DeclareRemoval declares what is read before records are deleted, and all that goes with them.
func (k *Kind[T, N, P]) DeclareRemoval(u *records.Update, s records.Scope, ids []string) error {
	if !records.Remote(u) {
		return nil
	}
	records.Declare(u, k.NeedsOfRemoval(s, ids)...)
	if k.AfterRemove != nil && k.Needs != nil {
		if err := records.DeclareOf(u, s, k.Records, ids, k.Needs); err != nil {
			return err
		}
	}
	return records.Follow(u, s, ids, k.ties().found())
}

// declareAbove declares the records above new ones, level by level.
func (k *Kind[T, N, P]) declareAbove(tx records.Reading, s records.Scope, made []T) error {
	if len(made) < 2 || !records.Remote(tx) || !k.IsTree() {
		return nil
	}
	known := make(map[string]bool, len(made))
	level := make([]string, 0, len(made))
	up := func(v *T) {
		if parent := k.ParentOf(v); parent != "" && !known[parent] {
			known[parent] = true
			level = append(level, parent)
		}
	}
	for i := range made {
		known[k.Records.ID(&made[i])] = true
	}
	for i := range made {
		up(&made[i])
	}
	for len(level) > 0 {
		ids := level
		level = nil
		records.Declare(tx, k.Records.Needs(s, ids...)...)
		for _, id := range ids {
			v, err := k.Records.Lookup(tx, s, id)
			if err != nil {
				return err
			}
			if v != nil {
				up(v)
			}
		}
	}
	return nil
}
