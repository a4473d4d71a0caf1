// Package schema is how a domain declares what its checks require of the types of its
// bodies, for code that describes them: what a value may be, and which members a request
// must give.
package schema

import (
	"cmp"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"
)

// Value is what a value may be. The zero one allows everything.
type Value struct {
	MinLength, MaxLength int      // characters of a text
	MinItems, MaxItems   int      // items of a list
	Minimum, Maximum     *float64 // of a number
	Pattern              string   // that a text matches
	Format               string   // of JSON Schema
	Enum                 []string
	Default              any    // of what is left out
	Item                 *Value // of each item of a list
	Unique               bool   // no item of the list is there twice
	Example              any
	RefersTo             string // the collection of the record whose id a text, or an item of a list, is
	NotRef               string // why it is the id of no record, whatever its name looks like
	Secret               bool   // no log, journal or recording shows it
	Person               bool   // it identifies a person
}

// Length is a text of so many characters.
func Length(low, high int) Value { return Value{MinLength: low, MaxLength: high} }

// AtMost is a text of at most so many characters.
func AtMost(characters int) Value { return Value{MaxLength: characters} }

// Range is a number and its bounds, which belong to it.
func Range(low, high float64) Value { return Value{Minimum: &low, Maximum: &high} }

// AtLeast is a number from a bound on, which belongs to it.
func AtLeast(low float64) Value { return Value{Minimum: &low} }

// Pattern is a text that matches a regular expression, such as an example.
func Pattern(expression, example string) Value { return Value{Pattern: expression, Example: example} }

// Format is a text in a format of JSON Schema, such as an example.
func Format(name, example string) Value { return Value{Format: name, Example: example} }

// List is a list of so many items.
func List(low, high int, each Value) Value { return Value{MinItems: low, MaxItems: high, Item: &each} }

// GUID is the id of a twin, of reality data and of whatever clients expect one of.
var GUID = Format("uuid", "5f0f4d5a-6c1e-4f52-9b0a-7d1c2c6f0a01")

// Filled is a text that is more than white space.
var Filled = Value{MinLength: 1, Pattern: `\S`}

// And is a value that both say something of; where they say it of the same, it is
// what other says.
func (v Value) And(other Value) Value {
	into, from := reflect.ValueOf(&v).Elem(), reflect.ValueOf(other)
	for i := range from.NumField() {
		if f := from.Field(i); !f.IsZero() {
			into.Field(i).Set(f)
		}
	}
	return v
}

// Member is what is known of a member of an object by its name.
type Member struct {
	Name string
	Value
	// Required reports that a request must give it.
	Required bool
	// Kept reports that no request may send null for it.
	Kept bool
}

// May is a member that may be left out.
func May(name string, v Value) Member { return Member{Name: name, Value: v} }

// Stays is a member that may be left out and is never null.
func Stays(name string, v Value) Member { return Member{Name: name, Value: v, Kept: true} }

// Need is a member that must be given.
func Need(name string, v Value) Member {
	return Member{Name: name, Value: v, Required: true, Kept: true}
}

// Person is a member that identifies a person.
func Person(name string) Member { return May(name, Value{Person: true}) }

// NeedText is a text that must be given and is not blank, of at most so many
// characters.
func NeedText(name string, characters int) Member { return Need(name, Filled.And(AtMost(characters))) }

// Refers is a member with the id of a record of a collection, or with several.
func Refers(name, collection string) Member { return May(name, Value{RefersTo: collection}) }

// NotRef is a member that refers to no record, whatever its name looks like.
func NotRef(name, why string) Member { return May(name, Value{NotRef: why}) }

// Secret is a member that no log, journal or recording shows.
func Secret(name string) Member { return May(name, Value{Secret: true}) }

// Book holds what is known of types. The zero value is ready.
type Book struct {
	members map[reflect.Type]map[string]Member
	values  map[reflect.Type]Value
	names   map[reflect.Type]string
	paths   map[string]string
}

// Call reports what the document calls the type T, where that is not its name in Go.
func Call[T any](b *Book, name string) {
	if b.names == nil {
		b.names = make(map[reflect.Type]string)
	}
	b.names[reflect.TypeFor[T]()] = name
}

// Called are the types that the document does not call by their names in Go.
func (b *Book) Called() map[reflect.Type]string { return maps.Clone(b.names) }

// Name is what the document calls a type.
func (b *Book) Name(t reflect.Type) string { return cmp.Or(b.names[t], t.Name()) }

// Enum declares the words of an enumeration.
func Enum[E ~string](b *Book, words []E) { b.Is(reflect.TypeFor[E](), Words(words)) }

// Words is a text that is one of several.
func Words[E ~string](words []E) Value {
	v := Value{Enum: make([]string, len(words))}
	for i, w := range words {
		v.Enum[i] = string(w)
	}
	return v
}

// Is declares what a value of a type may be, which has its own encoding or names an
// enumeration.
func (b *Book) Is(t reflect.Type, v Value) {
	if b.values == nil {
		b.values = make(map[reflect.Type]Value)
	}
	b.values[t] = v
}

// Has adds members of a type to what was declared before.
func (b *Book) Has(t reflect.Type, members ...Member) {
	if b.members == nil {
		b.members = make(map[reflect.Type]map[string]Member)
	}
	known := b.members[t]
	if known == nil {
		known = make(map[string]Member)
		b.members[t] = known
	}
	for _, m := range members {
		m.Name = m.Name[strings.LastIndexByte(m.Name, '.')+1:]
		was := known[m.Name]
		was.Name, was.Value = m.Name, was.And(m.Value)
		was.Required, was.Kept = was.Required || m.Required, was.Kept || m.Kept
		known[m.Name] = was
	}
	// What holds for a struct holds for what it is made of.
	if t.Kind() == reflect.Struct {
		for f := range t.Fields() {
			if f.Anonymous && f.Type.Kind() == reflect.Struct {
				b.Has(f.Type, members...)
			}
		}
	}
}

// Has declares members of the type T, as Book.Has does.
func Has[T any](b *Book, members ...Member) { b.Has(reflect.TypeFor[T](), members...) }

// Like declares of a type whatever is known by now of another with the same members.
func (b *Book) Like(t, other reflect.Type) {
	for _, m := range b.members[other] {
		b.Has(t, m)
	}
}

// Value is what is known of the values of a type.
func (b *Book) Value(t reflect.Type) (Value, bool) {
	v, ok := b.values[t]
	return v, ok
}

// Member is what is known of a member of a type.
func (b *Book) Member(t reflect.Type, name string) Member { return b.members[t][name] }

// Secrets are the names of the members that are secret, sorted.
func (b *Book) Secrets() (names []string) {
	for _, members := range b.members {
		for name, m := range members {
			if m.Secret {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// IsID reports whether a name is that of an id, or of several.
func IsID(name string) bool { return strings.HasSuffix(name, "Id") || strings.HasSuffix(name, "Ids") }

// Refers is the collection, as paths call it, to which a member refers that each of some types has,
// or why it refers to none. Where they say nothing, the members of the same name say it, those of
// the area before all others, if they refer to one collection.
func (b *Book) Refers(name string, types ...reflect.Type) (to, whyNot string) {
	var v Value
	for _, t := range types {
		v = v.And(b.members[t][name].Value)
	}
	own := Area(types[0])
	for _, same := range []func(reflect.Type) bool{
		func(t reflect.Type) bool { return Area(t) == own }, func(reflect.Type) bool { return true },
	} {
		if v.RefersTo == "" && v.NotRef == "" {
			v = b.refersAmong(same, strings.TrimSuffix(name, "s"))
		}
	}
	return cmp.Or(b.paths[v.RefersTo], v.RefersTo), v.NotRef
}

// refersAmong is to what a member refers in the types of which it is one.
func (b *Book) refersAmong(types func(reflect.Type) bool, name string) (v Value) {
	for t, members := range b.members {
		m := members[name]
		switch {
		case !types(t):
		case m.RefersTo != "" && v.RefersTo != "" && m.RefersTo != v.RefersTo:
			return Value{}
		case m.RefersTo != "":
			v.RefersTo = m.RefersTo
		case m.NotRef != "":
			v.NotRef = m.NotRef
		}
	}
	return v
}

// Path reports what paths call a collection, where that is not its name.
func (b *Book) Path(collection, name string) {
	if b.paths == nil {
		b.paths = make(map[string]string)
	}
	b.paths[collection] = name
}

var root = strings.TrimSuffix(reflect.TypeFor[Book]().PkgPath(), "/internal/schema")

// Area is the domain of a type, whichever of its packages the type is in.
func Area(t reflect.Type) string {
	if below, ok := strings.CutPrefix(t.PkgPath(), root+"/"); ok {
		area, _, _ := strings.Cut(below, "/")
		return area
	}
	return path.Base(t.PkgPath())
}

// Knows reports whether there is something about members of a type.
func (b *Book) Knows(t reflect.Type) bool { return b.members[t] != nil }
