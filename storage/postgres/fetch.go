package postgres

import (
	"encoding/binary"
	"slices"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/engine"
)

// fewKeys is how many reads of one kind go as their own statements.
const fewKeys = 8

// Fetch implements engine.Line.
func (t *transaction) Fetch(keys []string, ranges []storage.Range) (values [][]byte, pages []engine.Page, err error) {
	values, pages = make([][]byte, len(keys)), make([]engine.Page, len(ranges))
	calls := append(t.gets(keys, values), t.scans(ranges, pages)...)
	if err := t.read(calls...); err != nil {
		return nil, nil, err
	}
	for i := range pages {
		pages[i].More = len(pages[i].Keys) >= ranges[i].Limit
	}
	return values, pages, nil
}

// wanted is a key that is read, and where its value belongs.
type wanted struct {
	scope, rest []byte
	at          int
}

// gets are the calls that read the values of keys: those of a scope together, if they are
// many.
func (t *transaction) gets(keys []string, values [][]byte) (calls []call) {
	if len(keys) < fewKeys || !t.store.lateral {
		for i, key := range keys {
			calls = append(calls, t.store.sql.getCall(key, func(v [][]byte) { values[i] = v[0] }))
		}
		return calls
	}
	byScope := make(map[string][]wanted)
	var scopes []string
	for i, key := range keys {
		if isCommon(key) {
			calls = append(calls, t.store.sql.getCall(key, func(v [][]byte) { values[i] = v[0] }))
			continue
		}
		scope, rest := divide([]byte(key))
		if _, known := byScope[string(scope)]; !known {
			scopes = append(scopes, string(scope))
		}
		byScope[string(scope)] = append(byScope[string(scope)], wanted{scope, rest, i})
	}
	var scattered []wanted
	for _, scope := range scopes {
		if all := byScope[scope]; len(all) < fewKeys {
			scattered = append(scattered, all...)
		} else {
			calls = t.getsOf(calls, all, values)
		}
	}
	if len(scattered) < fewKeys {
		for _, w := range scattered {
			calls = append(calls, t.store.sql.getCall(keys[w.at], func(v [][]byte) { values[w.at] = v[0] }))
		}
		return calls
	}
	for part := range slices.Chunk(scattered, statementRows) {
		scopes, rests := make([][]byte, len(part)), make([][]byte, len(part))
		for i, w := range part {
			scopes[i], rests[i] = w.scope, w.rest
		}
		calls = append(calls, call{
			statement: t.store.sql.scattered, args: [][]byte{array(scopes), array(rests)},
			value: true, row: func(v [][]byte) {
				values[part[binary.BigEndian.Uint64(v[0])-1].at] = v[1]
			},
		})
	}
	return calls
}

// getsOf adds the calls that read keys of one scope.
func (t *transaction) getsOf(calls []call, all []wanted, values [][]byte) []call {
	for part := range slices.Chunk(all, statementRows) {
		rests := make([][]byte, len(part))
		for i, w := range part {
			rests[i] = w.rest
		}
		calls = append(calls, call{
			statement: t.store.sql.gets, args: [][]byte{all[0].scope, array(rests)}, value: true,
			row: func(v [][]byte) {
				values[part[binary.BigEndian.Uint64(v[0])-1].at] = v[1]
			},
		})
	}
	return calls
}

// scans are the calls that read the first records of ranges: those that are each within a scope
// together, if they are many.
func (t *transaction) scans(ranges []storage.Range, pages []engine.Page) (calls []call) {
	spans, within := make([]span, len(ranges)), make([]int, 0, len(ranges))
	for i, at := range ranges {
		if spans[i] = spanOf(at); spans[i].one && !isCommon(spans[i].scope) && at.Follow == [2]string{} {
			within = append(within, i)
		}
	}
	together := len(within) >= fewKeys && t.store.lateral
	for i, at := range ranges {
		switch s := spans[i]; {
		case s.one && !isCommon(s.scope) && t.store.lateral && at.Follow != [2]string{}:
			calls = append(calls, t.follow(s, at, &pages[i]))
		case !s.one || !together || at.Follow != [2]string{}:
			calls = append(calls, t.scan(s, at.Limit, &pages[i])...)
		}
	}
	if !together {
		return calls
	}
	for part := range slices.Chunk(within, statementRows) {
		scope, from, until, limit := make([][]byte, len(part)), make([][]byte, len(part)), make([][]byte, len(part)), 0
		for i, at := range part {
			scope[i], from[i], until[i] = spans[at].scope, spans[at].from, spans[at].until
			limit = max(limit, ranges[at].Limit)
		}
		args := [][]byte{array(scope), array(from), array(until), int8Param(limit)}
		calls = append(calls, call{statement: t.store.sql.scans, args: args, value: true, row: func(v [][]byte) {
			at := part[binary.BigEndian.Uint64(v[0])-1]
			if len(pages[at].Keys) < ranges[at].Limit {
				add(&pages[at], spans[at].scope, v[1], v[2])
			}
		}})
	}
	return calls
}

// scan are the calls that read the first records of one range. What is common comes before the others.
func (t *transaction) scan(s span, limit int, page *engine.Page) (calls []call) {
	if s.one {
		return []call{{
			statement: t.store.sql.of(isCommon(s.scope)).scan,
			args:      [][]byte{s.scope, s.from, s.until, int8Param(limit)},
			value:     true, row: func(v [][]byte) { add(page, s.scope, v[0], v[1]) },
		}}
	}
	args := [][]byte{s.scope, s.from, s.beforeScope, s.until, int8Param(limit)}
	row := func(v [][]byte) {
		if len(page.Keys) < limit {
			add(page, v[0], v[1], v[2])
		}
	}
	if len(s.scope) == 0 || isCommon(s.scope) {
		calls = append(calls, call{statement: t.store.sql.common.across, args: args, value: true, row: row})
	}
	if !isCommon(s.beforeScope) {
		calls = append(calls, call{statement: t.store.sql.records.across, args: args, value: true, row: row})
	}
	return calls
}

// follow is the call that reads the first records of a range within a scope, and what they lead
// to: values that are stored as they are.
func (t *transaction) follow(s span, at storage.Range, page *engine.Page) call {
	args := [][]byte{s.scope, s.from, s.until, int8Param(at.Limit)}
	for _, prefix := range at.Follow {
		scope, rest := divide([]byte(prefix))
		args = append(args, scope, rest)
	}
	return call{statement: t.store.sql.follow, args: args, stored: func(v [][]byte) error {
		led := engine.Led{Unread: isCoded(v[1])}
		for i, value := range v[1:] {
			if value == nil {
				continue
			}
			value, err := decode(value)
			if err != nil {
				return err
			}
			v[1+i] = value
		}
		copy(led.Values[:], v[2:])
		add(page, s.scope, v[0], v[1])
		page.Led = append(page.Led, led)
		return nil
	}}
}

// add puts a record into a page.
func add(p *engine.Page, scope, rest, value []byte) {
	p.Keys, p.Values = append(p.Keys, string(scope)+string(rest)), append(p.Values, value)
}
