package importing

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/schedules/planner"
)

// Names gives the items of a file keys of which no two are the same, and that are no
// longer than an index has room for.
type Names map[string]int

// Name is a name of an item, which a number follows where it was given before; that of nothing is
// empty.
func (g Names) Name(s string) string {
	if s == "" {
		return ""
	}
	if len(s) > 200 {
		sum := sha256.Sum256([]byte(s))
		s = s[:100] + base64.RawURLEncoding.EncodeToString(sum[:])
	}
	n := g[s] + 1
	if g[s] = n; n > 1 {
		return s + "#" + strconv.Itoa(n)
	}
	return s
}

// Filtered are the elements for which a function holds, in a new slice.
func Filtered[T any](all []T, holds func(*T) bool) []T {
	var some []T
	for i := range all {
		if holds(&all[i]) {
			some = append(some, all[i])
		}
	}
	return some
}

// External is the id that a planner gave to an item, in one way of writing.
func External(id string) string {
	if id == "" {
		return ""
	}
	return "g:" + strings.ToLower(strings.Trim(id, "{}"))
}

// value is content that is compared as it is.
type value[C, P any] struct {
	content C
	set     func(v P, content C)
}

// Compared implements Content.
func (c value[C, P]) Compared(*Facts) any { return c.content }

// Set implements Content.
func (c value[C, P]) Set(v P) { c.set(v, c.content) }

// Value is content that is compared as it is; set sets it in a record.
func Value[C, P any](content C, set func(v P, content C)) Content[P] {
	return value[C, P]{content, set}
}

// Always is a part of a mode that is the same whenever it is read.
func Always[P any](mode Mode, content Content[P]) partOf[P] {
	return partOf[P]{Mode: mode, Read: func() Content[P] { return content }}
}

// Nothing is a part that keeps its place and is never compared.
func Nothing[P any]() partOf[P] {
	return Always(Skip, Value("", func(P, string) {}))
}

// IDsBy are ids of records by ids of the file.
func IDsBy[T any](into map[string]string, entries []T, id func(*T) string, recordIDs []string) map[string]string {
	if into == nil {
		into = make(map[string]string, len(entries))
	}
	for i := range entries {
		if recordIDs[i] != "" {
			into[id(&entries[i])] = recordIDs[i]
		}
	}
	return into
}

// CompareInOrder is compare for items that name others before them: the id of each is
// known before the next one is compared.
func CompareInOrder[P any](d *Diff, o *kindBy[P], entries []entryOf[P], known func(i int, id string)) ([]string,
	error,
) {
	o.known = known
	return Compare(d, o, entries)
}

// ParentsFirst puts items behind what they are below. A cycle is cut open.
func ParentsFirst[T any](all []T, ids func(*T) (id, parent string)) []T {
	at := make(map[string]int, len(all))
	for i := range all {
		id, _ := ids(&all[i])
		at[id] = i
	}
	out, done := make([]T, 0, len(all)), make([]bool, len(all))
	for i := range all {
		var way []int
		for next, ok := i, true; ok && !done[next]; {
			done[next] = true
			way = append(way, next)
			_, parent := ids(&all[next])
			next, ok = at[parent]
			ok = ok && parent != ""
		}
		for _, j := range slices.Backward(way) {
			out = append(out, all[j])
		}
	}
	return out
}

// NotesOf are notes as one text.
func NotesOf(notes []planner.Note) string {
	texts := make([]string, 0, len(notes))
	for _, n := range notes {
		if n.Topic != "" {
			texts = append(texts, n.Topic+": "+n.Text)
			continue
		}
		texts = append(texts, n.Text)
	}
	return strings.Join(texts, "\n")
}

// Plain is a name of a file with a replacement character for each that would mislead, and whether
// there was one.
func Plain(name string) (plain string, changed bool) {
	plain = strings.Map(func(r rune) rune {
		if problem.Misleads(r) {
			changed = true
			return utf8.RuneError
		}
		return r
	}, name)
	return plain, changed
}

// Cut is a text without what is beyond so many characters.
func Cut(s string, most int) (short string, cut bool) {
	if len(s) <= most {
		return s, false
	}
	n := 0
	for i := range s {
		if n == most {
			return s[:i], true
		}
		n++
	}
	return s, false
}

// MembersLeft are the members of a table that have a value somewhere, with how many have one. The
// first is the id of what the others are of.
func MembersLeft(t *planner.Table) (members []string) {
	fields := t.Fields
	if len(fields) > 1 {
		fields = fields[1:]
	}
	valued := make([]int, len(fields))
	for _, row := range t.Rows {
		at := 0
		if len(t.Fields) > 1 {
			_, row, _ = strings.Cut(row, "\t")
		}
		for value := range strings.SplitSeq(row, "\t") {
			if at < len(valued) && value != "" {
				valued[at]++
			}
			at++
		}
	}
	for i, n := range valued {
		if n > 0 {
			members = append(members, fmt.Sprintf("%s (%d)", fields[i], n))
		}
	}
	return members
}
