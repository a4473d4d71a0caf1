// Package shape says how Go types are seen on the wire, and so what a body may hold.
package shape

import (
	"cmp"
	"reflect"
	"strings"
	"sync"

	"github.com/seed-933f9a09/twinplatform/internal/problem"
)

// Shape is what the scan of a body needs to know of the type that it will be
// decoded into: the names of its properties, at every depth. A nil shape holds
// anything.
//
// Under a vocabulary a shape has the names of one side, and for each what the other side
// calls it.
type Shape struct {
	Fields  map[string]Property
	Open    bool              // may have properties that are not known
	Elem    *Shape            // of an array
	Each    *Shape            // of the properties of an object whose names are arbitrary
	Words   map[string]string // what a text is called on the other side
	Integer bool              // a number that encoding/json takes in digits alone
	Base64  bool              // bytes, which are a text
}

// Property is a property of a shape.
type Property struct {
	As   string // its name on the other side; empty where it is the same
	In   *Shape
	Omit bool // the other side does not have it
	// Also is a second name on the other side, which has the value twice; empty: none.
	Also string
	// Twin reports that another property of the shape has the same name on the other
	// side.
	Twin bool
}

// known are the shapes that were asked for. Programs that make a handler for each of
// their tests would work them out again and again; there are no more than types of
// bodies.
var known sync.Map // of *Shape by reflect.Type

// Of returns the shape of a type.
func Of(t reflect.Type) *Shape {
	if s, ok := known.Load(t); ok {
		return s.(*Shape)
	}
	s := shapes{}.of(t)
	known.Store(t, s)
	return s
}

// shapes remembers the shapes already made, so that a type may hold itself.
type shapes map[reflect.Type]*Shape

func (met shapes) of(typ reflect.Type) *Shape {
	t := See(typ)
	if s, ok := met[t.Go]; ok || t.Reads {
		return s
	}
	switch t.Kind {
	case Object:
		s := &Shape{Fields: make(map[string]Property)}
		met[t.Go] = s
		for _, f := range t.Members() {
			s.Fields[f.Name] = Property{In: met.of(f.Type)}
		}
		return s
	case Bytes, List:
		s := &Shape{Base64: t.Kind == Bytes}
		met[t.Go] = s
		s.Elem = met.of(t.Elem())
		return s
	case Integer:
		return &Shape{Integer: true}
	}
	return nil
}

// Property returns the property of a name and whether there may be one.
func (sh *Shape) Property(name []byte) (Property, bool) {
	switch {
	case sh == nil:
		return Property{}, true
	case sh.Fields == nil:
		return Property{In: sh.Each}, true
	}
	p, ok := sh.Fields[string(name)]
	return p, ok
}

// Resembles reports whether encoding/json would take name for a property.
func (sh *Shape) Resembles(name []byte) bool {
	for known, p := range sh.Fields {
		if strings.EqualFold(cmp.Or(p.As, known), string(name)) {
			return true
		}
	}
	return false
}

// maxAlike is how many characters may differ between a name and one that it is taken to
// be a misspelling of: a third of it, but two at least.
func maxAlike(name string) int { return max(2, len(name)/3) }

// Nearest is the member that the end of a path resembles, in the object that the rest of it
// leads to, by the name that it has here or in the specification; empty where there is none.
func (sh *Shape) Nearest(path string) (near string) {
	names := strings.Split(path, ".")
	for _, name := range names[:len(names)-1] {
		p, _ := sh.within().Property([]byte(name))
		sh = p.In
	}
	name := names[len(names)-1]
	if sh = sh.within(); sh == nil {
		return ""
	}
	least := maxAlike(name) + 1
	for known, p := range sh.Fields {
		d := min(problem.Distance(known, name), problem.Distance(cmp.Or(p.As, known), name))
		if d < least || d == least && near != "" && known < near {
			near, least = known, d
		}
	}
	return near
}

// within is the shape of the objects in an array, of any depth.
func (sh *Shape) within() *Shape {
	for sh != nil && sh.Elem != nil {
		sh = sh.Elem
	}
	return sh
}

// Renames reports whether anything in a shape has another name on the other side.
func (sh *Shape) Renames() bool { return sh.renames(make(map[*Shape]bool)) }

func (sh *Shape) renames(met map[*Shape]bool) bool {
	if sh == nil || met[sh] {
		return false
	}
	met[sh] = true
	for w, as := range sh.Words {
		if w != as {
			return true
		}
	}
	for _, p := range sh.Fields {
		if p.As != "" || p.Omit || p.Also != "" || p.In.renames(met) {
			return true
		}
	}
	return sh.Elem.renames(met) || sh.Each.renames(met)
}
