// Package transformtest holds models to what transformations rely on: any
// implementation of models.Source and models.Target runs it.
//
//	func TestModel(t *testing.T) {
//		transformtest.Run(t, func(t *testing.T) transformtest.Model { return newModel(t) })
//	}
package transformtest

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// Model is a model that content can be taken from and brought into. An implementation
// that is only one of both uses a plain copy for the other.
type Model interface {
	models.Source
	models.Target
}

// Run holds a model to each promise, in a fresh empty one.
func Run(t *testing.T, open func(*testing.T) Model) {
	t.Helper()
	for _, promise := range promises {
		t.Run(promise.name, func(t *testing.T) {
			t.Parallel()
			promise.hold(&subject{t, open(t)})
		})
	}
}

var promises = []struct {
	name string
	hold func(*subject)
}{
	{"a draft is not seen before it is committed, and then whole", draftIsHidden},
	{"a draft that is discarded leaves nothing", discardLeavesNothing},
	{"a function that fails changes nothing", failureChangesNothing},
	{"what is committed again is the same changeset", commitTwice},
	{"a draft without a change makes no changeset", emptyDraft},
	{"a changeset is read the same for ever", historyStays},
	{"geometry that is not given stays", geometryStays},
	{"what has changed since a changeset is listed", changesAreListed},
	{"elements that are needed are marked", neededElements},
	{"elements with a common prefix are adjacent", elementsByPrefix},
}

// subject is a model under test.
type subject struct {
	*testing.T
	Model
}

func (s *subject) ctx() context.Context { return s.T.Context() }

func (s *subject) write(draft string, fn func(models.Draft) error) {
	s.Helper()
	if err := s.Write(s.ctx(), draft, fn); err != nil {
		s.Fatal(err)
	}
}

func (s *subject) commit(draft string) models.Changeset {
	s.Helper()
	c, err := s.Commit(s.ctx(), draft, "of "+draft)
	if err != nil {
		s.Fatal(err)
	}
	return c
}

// put writes elements and commits them.
func (s *subject) put(draft string, elements ...models.Element) models.Changeset {
	s.Helper()
	s.write(draft, func(d models.Draft) error {
		for _, e := range elements {
			if err := d.Put(e); err != nil {
				return err
			}
		}
		return nil
	})
	return s.commit(draft)
}

// has holds the model to the ids of its elements as of a changeset.
func (s *subject) has(changeset string, want ...string) {
	s.Helper()
	var ids []string
	err := s.Read(s.ctx(), changeset, func(c models.Content) error {
		ids = nil
		for e, err := range c.Elements("") {
			if err != nil {
				return err
			}
			ids = append(ids, e.ID)
		}
		return nil
	})
	slices.Sort(ids)
	if diff := cmp.Diff(want, ids, cmpopts.EquateEmpty()); err != nil || diff != "" {
		s.Errorf("as of %q: %v %s", changeset, err, diff)
	}
}

func element(id string) models.Element {
	return models.Element{ID: id, Class: "Part", Geometry: []byte("shape of " + id)}
}

func draftIsHidden(s *subject) {
	s.write("one", func(d models.Draft) error { return d.Put(element("a")) })
	s.has("")
	s.write("one", func(d models.Draft) error {
		if e, err := d.Element("a"); err != nil || e == nil {
			s.Errorf("the draft has lost what was written to it: %v", err)
		}
		return d.Put(element("b"))
	})
	s.has("")
	if c := s.commit("one"); c.ID != "one" || c.InsertedCount != 2 {
		s.Errorf("the changeset is %+v", c)
	}
	s.has("", "a", "b")
}

func discardLeavesNothing(s *subject) {
	s.put("one", element("a"))
	s.write("two", func(d models.Draft) error { return errors.Join(d.Put(element("b")), d.Delete("a")) })
	if err := s.Discard(s.ctx(), "two"); err != nil {
		s.Fatal(err)
	}
	s.put("three", element("c"))
	s.has("", "a", "c")
	if err := s.Discard(s.ctx(), "none"); err != nil {
		s.Errorf("discarding what is not there: %v", err)
	}
}

func failureChangesNothing(s *subject) {
	failure := errors.New("no")
	err := s.Write(s.ctx(), "one", func(d models.Draft) error { return errors.Join(d.Put(element("a")), failure) })
	if !errors.Is(err, failure) {
		s.Errorf("got %v", err)
	}
	s.put("one", element("b"))
	s.has("", "b")
}

func commitTwice(s *subject) {
	first := s.put("one", element("a"))
	if diff := cmp.Diff(first, s.commit("one")); diff != "" {
		s.Error(diff)
	}
	if err := s.Write(s.ctx(), "one", func(d models.Draft) error { return d.Put(element("b")) }); err == nil {
		s.Error("a committed draft is written to")
	}
	s.has("", "a")
}

func emptyDraft(s *subject) {
	s.put("one", element("a"))
	if c := s.put("two", element("a")); c.ID != "" {
		s.Errorf("it made %+v", c)
	}
	s.put("three", element("b"))
	s.has("", "a", "b")
}

func historyStays(s *subject) {
	s.put("one", element("a"))
	s.put("two", element("b"))
	s.write("three", func(d models.Draft) error { return d.Delete("a") })
	s.commit("three")
	s.has("one", "a")
	s.has("two", "a", "b")
	s.has("three", "b")
}

func geometryStays(s *subject) {
	s.put("one", element("a"))
	s.write("two", func(d models.Draft) error {
		e, err := d.Element("a")
		if err != nil {
			return err
		}
		changed := *e
		changed.Class = "Other"
		return d.Put(changed)
	})
	s.commit("two")
	err := s.Read(s.ctx(), "", func(c models.Content) error {
		e, err := c.Element("a")
		if err != nil {
			return err
		}
		data, err := c.Geometry(e)
		if string(data) != "shape of a" || e.Class != "Other" {
			s.Errorf("it is %+v with %q", e, data)
		}
		return err
	})
	if err != nil {
		s.Error(err)
	}
}

func changesAreListed(s *subject) {
	s.put("one", element("a"), element("b"))
	s.put("two", element("c"))
	s.write("three", func(d models.Draft) error { return d.Delete("b") })
	s.commit("three")
	for since, want := range map[string][]string{
		"one": {"b", "c"}, "two": {"b"}, "three": nil,
		"": {"a", "b", "b", "c"},
	} {
		var ids []string
		err := s.Read(s.ctx(), "three", func(c models.Content) error {
			ids = nil
			for after, more := "", true; more; { // one at a time, behind the place before
				more = false
				for ch, err := range c.Changed(since, after) {
					if err != nil {
						return err
					}
					ids, after, more = append(ids, ch.ElementID), ch.Place, true
					break
				}
			}
			return nil
		})
		slices.Sort(ids)
		if diff := cmp.Diff(want, ids); err != nil || diff != "" {
			s.Errorf("since %q: %v %s", since, err, diff)
		}
	}
}

func neededElements(s *subject) {
	child, scoped := element("child"), element("scoped")
	child.ParentID, scoped.ScopeID = "parent", "scope"
	s.put("one", element("parent"), element("scope"), child, scoped)
	s.write("two", func(d models.Draft) error {
		for id, want := range map[string]bool{"parent": true, "scope": true, "child": false} {
			if got, err := d.Needed(id); got != want || err != nil {
				s.Errorf("%s: %t, %v", id, got, err)
			}
		}
		if err := d.Delete("child"); err != nil {
			return err
		}
		if got, err := d.Needed("parent"); got || err != nil {
			s.Errorf("the parent without its child: %t, %v", got, err)
		}
		return nil
	})
}

func elementsByPrefix(s *subject) {
	s.put("one", element("x.a"), element("x.b"), element("xy"), element("y.c"), element("x:d"))
	s.write("two", func(d models.Draft) error {
		var ids []string
		for after, more := "", true; more; {
			more = false
			for e, err := range d.Elements("x.", after) {
				if err != nil {
					return err
				}
				ids, after, more = append(ids, e.ID), e.ID, true
				break
			}
		}
		if diff := cmp.Diff([]string{"x.a", "x.b"}, ids); diff != "" {
			s.Error(diff)
		}
		return nil
	})
}
