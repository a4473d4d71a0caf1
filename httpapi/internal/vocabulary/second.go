package vocabulary

import (
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/shape"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

func alsoOf(n Names) map[string]string { return n.Also }

func acceptOf(n Names) map[string]string { return n.Accept }

// also is the second name that a member of answers is shown under; empty: none.
func (l Lexicon) also(name string) string {
	if as, ok := l.whole(alsoOf, name); ok {
		return as
	}
	return ""
}

// Seconds are the names that requests may have for a member besides [Lexicon.Member].
func (l Lexicon) Seconds(name string) (out []string) {
	for _, table := range []func(Names) map[string]string{alsoOf, acceptOf} {
		if as, ok := l.whole(table, name); ok {
			out = append(out, as)
		}
	}
	return out
}

// hasSeconds reports whether any member has two names.
func (n Names) hasSeconds() bool { return len(n.Also)+len(n.Accept) > 0 }

// seconds refuses second names that are none.
func (c *clashes) seconds(where string, known *knownNames, l Lexicon) {
	for _, t := range []table{
		{name: "also", of: alsoOf, known: in(known.members), names: known.members},
		{name: "accept", of: acceptOf, known: in(known.members), names: known.members},
	} {
		c.entries(where, t, l, func(name, as string) string {
			switch {
			case !isName(as):
				return notCalled
			case as == l.Member(name):
				return "is called so anyway, and has no second name"
			case t.name == "also" && l.omits(name):
				return "is left out, and has no second name"
			}
			return ""
		})
	}
}

// readsSeconds adds the second names of a member to a shape that is read.
func (t *translation) readsSeconds(into map[string]shape.Property, name string, in *shape.Shape) {
	for _, as := range t.Seconds(name) {
		first := into[t.Member(name)]
		first.Twin = true
		into[t.Member(name)] = first
		into[as] = shape.Property{As: name, In: in, Twin: true}
	}
}

// secondValue is a member that is written again under its second name once it has ended.
type secondValue struct {
	level int // how many levels were open where it began
	as    string
	kept  []byte // what was written of it before this piece, from its colon on
	from  int    // where the rest of it begins in what is written
}

// begins notes that a member has a second name; what is written ends behind the first.
func (r *Renamer) begins(as string, written int) {
	r.seconds = append(r.seconds, secondValue{level: len(r.open), as: as, from: written})
}

// ends reports whether a comma or brace ends the value of a member with a second name.
func (r *Renamer) ends(c byte) bool {
	n := len(r.seconds)
	return n > 0 && (c == ',' || c == '}') && r.seconds[n-1].level == len(r.open)
}

// again appends the second name of the member that has ended last, and its value.
func (r *Renamer) again(dst []byte) []byte {
	n := len(r.seconds) - 1
	s := r.seconds[n]
	r.seconds = r.seconds[:n]
	value := append(s.kept, dst[s.from:]...)
	return append(wire.AppendString(append(dst, ','), s.as), value...)
}

// resumes says from where on the next piece is written.
func (r *Renamer) resumes(written int) {
	for i := range r.seconds {
		r.seconds[i].from = written
	}
}

// keeps remembers what a piece had of members that have not ended.
func (r *Renamer) keeps(dst []byte) []byte {
	for i := range r.seconds {
		s := &r.seconds[i]
		s.kept = append(s.kept, dst[s.from:]...)
	}
	return dst
}
