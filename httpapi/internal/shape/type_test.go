package shape_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/shape"
)

type base struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type body struct {
	base

	Name    int    `json:"name,omitempty"` // hides that of base
	Version string `json:"-"`
	Plain   bool
	hidden  string
}

func TestMembersAreThoseThatTheWireNames(t *testing.T) {
	t.Parallel()
	type member struct {
		Name, In string
		Omitted  bool
	}
	var got []member
	for _, m := range shape.See(reflect.TypeFor[*body]()).Members() {
		got = append(got, member{m.Name, m.In.Name(), m.Omitted})
	}
	want := []member{{"id", "base", false}, {"name", "body", true}, {"Plain", "body", false}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("members (-want +got):\n%s", d)
	}
	_ = body{}.hidden
}

func TestTypesAreSeenBehindPointersAndOptional(t *testing.T) {
	t.Parallel()
	for name, of := range map[string]struct{ typ, want shape.Type }{
		"a text":                 {shape.See(reflect.TypeFor[string]()), shape.Type{Kind: shape.Text, Go: reflect.TypeFor[string]()}},
		"a pointer":              {shape.See(reflect.TypeFor[*int32]()), shape.Type{Kind: shape.Integer, Go: reflect.TypeFor[int32](), Pointer: true}},
		"an Optional":            {shape.See(reflect.TypeFor[twinplatform.Optional[bool]]()), shape.Type{Kind: shape.Bool, Go: reflect.TypeFor[bool](), Optional: true}},
		"bytes":                  {shape.See(reflect.TypeFor[[]byte]()), shape.Type{Kind: shape.Bytes, Go: reflect.TypeFor[[]byte]()}},
		"an encoding of its own": {shape.See(reflect.TypeFor[time.Time]()), shape.Type{Kind: shape.Object, Go: reflect.TypeFor[time.Time](), Reads: true, Writes: true}},
		"anything":               {shape.See(reflect.TypeFor[any]()), shape.Type{Kind: shape.Any, Go: reflect.TypeFor[any]()}},
	} {
		if of.typ != of.want {
			t.Errorf("%s: %+v, want %+v", name, of.typ, of.want)
		}
	}
}

func TestMisfitsNameWhereAndWhy(t *testing.T) {
	t.Parallel()
	type part struct {
		Size int `json:"size"`
	}
	type whole struct {
		Name  string                `json:"name"`
		Start twinplatform.DateTime `json:"start"`
		Parts []part                `json:"parts"`
	}
	raw := []byte(`{"name":1,"start":"today","parts":[{"size":2},null,{"size":"3"}]}`)
	want := []shape.Misfit{
		{Path: "name", Why: "must be a string."},
		{Path: "start", Why: "must be a date-time in ISO 8601, such as 2026-01-31T09:00:00Z."},
		{Path: "parts[1]", Why: "must be an object."},
		{Path: "parts[2].size", Why: "must be a whole number within its bounds."},
	}
	if d := cmp.Diff(want, shape.Misfits(raw, reflect.TypeFor[whole](), 9)); d != "" {
		t.Errorf("misfits (-want +got):\n%s", d)
	}
	if got := shape.Misfits(raw, reflect.TypeFor[whole](), 2); len(got) != 2 {
		t.Errorf("%d misfits, of which 2 were asked for", len(got))
	}
}
