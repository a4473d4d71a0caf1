package entity

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// Referred is a type of record that members of others refer to, such as a collection.
type Referred interface {
	// Table keeps the records. It is nil for those of another area.
	Table() *records.Table
}

// Elsewhere is a type of record of another area, by the name of its collection. The area that
// refers to it asks for it by an interface of its own.
type Elsewhere string

// Table implements Referred.
func (Elsewhere) Table() *records.Table { return nil }

// facts are what the row of a member says besides what its values may be.
type facts struct {
	to        Referred // what it refers to; nil: nothing
	notRef    string   // why it refers to nothing, whatever its name looks like
	secret    bool
	notSecret string // why it is none, whatever its name looks like
	person    bool
}

func (f *facts) about() *facts { return f }

// collection is the one that the member refers to; it is empty where that is none.
func (f *facts) collection() string {
	switch to := f.to.(type) {
	case nil:
		return ""
	case Elsewhere:
		return string(to)
	default:
		return to.Table().Name()
	}
}

// Refers reports to what the member refers, where the domain checks that itself.
func (m *Of[V]) Refers(to Referred) *Of[V] {
	m.to = to
	return m
}

// NotRef says why the member, which ends in Id, refers to no record.
func (m *Of[V]) NotRef(why string) *Of[V] {
	m.notRef = why
	return m
}

// Secret reports that no log, journal or recording shows the member.
func (m *Of[V]) Secret() *Of[V] {
	m.secret = true
	return m
}

// NotSecret says why the member, whose name is that of a secret, is none.
func (m *Of[V]) NotSecret(why string) *Of[V] {
	m.notSecret = why
	return m
}

// Person reports that the member identifies a person.
func (m *Of[V]) Person() *Of[V] {
	m.person = true
	return m
}

// NotRef says why the part, whose name ends in Id, refers to no record.
func (m *PartMember[V]) NotRef(why string) Member {
	m.notRef = why
	return m
}

// Secret reports that no log, journal or recording shows the part.
func (m *PartMember[V]) Secret() Member {
	m.secret = true
	return m
}

// fate is what becomes of a record, and of the one that it refers to, when that is to be deleted.
type fate struct {
	owned, kept, cleared bool
	how, by              string // of a refusal
	depth                int    // of a tree, 0: unlimited
}

// RefMember is a member that refers to another record of the scope, or to none where it is
// empty. A record that is made or changed refers to one that is there; Owns, Keeps or Clears says
// what becomes of it when that one is deleted.
type RefMember struct {
	TextMember

	fate fate
}

// Ref is a text that refers to a record. The collection has an index of it.
func Ref[R, N ~string](name string, record *R, request *N, patch *twinplatform.Optional[string],
	to Referred,
) *RefMember {
	m := &RefMember{TextMember: *Text(name, record, request, patch)}
	m.to = to
	return m
}

// Max is [TextMember.Max].
func (m *RefMember) Max(characters int) *RefMember {
	m.TextMember.Max(characters)
	return m
}

// Required is [Of.Required].
func (m *RefMember) Required() *RefMember {
	m.TextMember.Required()
	return m
}

// Owns deletes the record with the one that it refers to. Of a member that refers to the own
// type of record it makes a tree, whose parents take their children along.
func (m *RefMember) Owns() *RefMember {
	m.fate.owned = true
	return m
}

// Keeps refuses to delete what the record refers to: that one is used, or named, as how says.
// With Owns, it goes with what is deleted nevertheless, which it came to refer to meanwhile.
func (m *RefMember) Keeps(how string) *RefMember {
	m.fate.kept, m.fate.how = true, how
	return m
}

// For lets the refusal of Keeps name, instead of the record, what another member refers to.
func (m *RefMember) For(member string) *RefMember {
	m.fate.by = member
	return m
}

// Clears empties the member when what it refers to is deleted.
func (m *RefMember) Clears() *RefMember {
	m.fate.cleared = true
	return m
}

// Deep limits how deep records lie in a tree.
func (m *RefMember) Deep(most int) *RefMember {
	m.fate.depth = most
	return m
}

// Fact is what a row says of a member besides what its values may be.
type Fact struct {
	Kind, Member string // the collection, and the member on the wire
	To           string // the collection that the member refers to; empty: it refers to nothing
	Checked      bool   // the kit checks that what the member refers to is there
	NotRef       string // why it refers to nothing
	Secret       bool
	NotSecret    string // why it is no secret
	Person       bool
}

// Facts are what the rows of types of records say of their members.
func Facts(kinds []Stored) (all []Fact) {
	for _, k := range kinds {
		if k.Kind != nil {
			all = append(all, k.Kind.facts()...)
		}
	}
	return all
}

func (k *Kind[T, N, P]) facts() (all []Fact) {
	bound := k.bind()
	for _, m := range bound.members {
		all = append(all, factOf(k.Records.Name, m))
	}
	k.idle.Put(bound)
	return all
}

func factOf(kind string, m Member) Fact {
	f := m.about()
	if f == nil {
		return Fact{Kind: kind, Member: m.describe().Name}
	}
	_, checked := m.(*RefMember)
	return Fact{
		Kind: kind, Member: m.describe().Name, Checked: checked, NotRef: f.notRef, To: f.collection(),
		Secret: f.secret, NotSecret: f.notSecret, Person: f.person,
	}
}

// value is what a schema can declare of them.
func (f *facts) value() schema.Value {
	return schema.Value{RefersTo: f.collection(), NotRef: f.notRef, Secret: f.secret, Person: f.person}
}
