package twinplatform_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
)

type patch struct {
	Name  twinplatform.Optional[string]                `json:"name,omitzero"`
	Count twinplatform.Optional[int32]                 `json:"count,omitzero"`
	When  twinplatform.Optional[twinplatform.DateTime] `json:"when,omitzero"`
}

func TestPatchDistinguishesAbsentNullAndValue(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]patch{
		`{}`:                        {},
		`{"name":null}`:             {Name: twinplatform.Null[string]()},
		`{"name":""}`:               {Name: twinplatform.Set("")},
		`{"name":"a","count":0}`:    {Name: twinplatform.Set("a"), Count: twinplatform.Set[int32](0)},
		`{"count":null,"name":"b"}`: {Name: twinplatform.Set("b"), Count: twinplatform.Null[int32]()},
	} {
		var got patch
		if err := json.Unmarshal([]byte(body), &got); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%s: got %+v, want %+v", body, got, want)
		}
		again, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		var round patch
		if err := json.Unmarshal(again, &round); err != nil || round != want {
			t.Errorf("%s: comes back as %+v, %v", again, round, err)
		}
	}
}

// refusing is a type that cannot be read.
type refusing struct{}

func (*refusing) UnmarshalJSON([]byte) error { return &json.UnmarshalTypeError{} }

// Until Go 1.26 encoding/json says in which member a method has failed; since then the error stays as it is.
func TestWrongTypeNamesThePropertyWhereTheDecoderDoes(t *testing.T) {
	t.Parallel()
	var probe struct{ Member refusing }
	typeError, _ := errors.AsType[*json.UnmarshalTypeError](json.Unmarshal([]byte(`{"Member":1}`), &probe))
	if typeError == nil {
		t.Fatal("the decoder returns another error")
	}
	for body, field := range map[string]string{
		`{"name":5}`:                  "name",
		`{"count":"x"}`:               "count",
		`{"count":1.5}`:               "count",
		`{"count":4294967296}`:        "count",
		`{"when":5}`:                  "when",
		`{"when":"yesterday"}`:        "when",
		`{"when":"0000-01-01"}`:       "when",
		`{"when":"10000-01-01"}`:      "when",
		`{"when":"2026-02-30"}`:       "when",
		`{"when":"2026-01-01T25:00"}`: "when",
	} {
		var p patch
		err := json.Unmarshal([]byte(body), &p)
		wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
		if !ok || typeError.Field != "" && wrong.Field != field {
			t.Errorf("%s: %v", body, err)
		}
	}
}

func TestDateTimeIsISO8601InUTC(t *testing.T) {
	t.Parallel()
	nine := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{
		`"2026-01-05T09:00:00Z"`:              nine,
		`"2026-01-05T10:00:00+01:00"`:         nine,
		`"2026-01-05T09:00:00"`:               nine,
		`"2026-01-05T09:00"`:                  nine,
		`"2026-01-05T09:00:00.0000000+00:00"`: nine,
		`"2026-01-05T09:00:00.250Z"`:          nine.Add(time.Second / 4),
		`"2026-01-05"`:                        nine.Add(-9 * time.Hour),
		`null`:                                {},
	} {
		var d twinplatform.DateTime
		if err := json.Unmarshal([]byte(text), &d); err != nil || !d.Equal(want) || d.Location() != time.UTC {
			t.Errorf("%s: got %v, %v", text, d, err)
		}
	}
	for want, d := range map[string]twinplatform.DateTime{
		`"2026-01-05T09:00:00Z"`:     twinplatform.At(nine.In(time.FixedZone("CET", 3600))),
		`"2026-01-05T09:00:00.250Z"`: twinplatform.At(nine.Add(time.Second / 4)),
		`null`:                       {},
	} {
		got, err := json.Marshal(d)
		if err != nil || string(got) != want {
			t.Errorf("got %s, %v, want %s", got, err, want)
		}
	}
}

func TestEmptyNullStringIsNull(t *testing.T) {
	t.Parallel()
	for s, want := range map[twinplatform.NullString]string{"": "null", "a": `"a"`} {
		got, err := json.Marshal(s)
		if err != nil || string(got) != want {
			t.Errorf("%q is written as %s, %v", s, got, err)
		}
		back := twinplatform.NullString("before")
		if err := json.Unmarshal(got, &back); err != nil || back != s {
			t.Errorf("%s is read as %q, %v", got, back, err)
		}
	}
	var s twinplatform.NullString
	if json.Unmarshal([]byte("5"), &s) == nil {
		t.Error("a number is read as a string")
	}
}

func TestOptionalGivesItsValueOrAnother(t *testing.T) {
	t.Parallel()
	set, null := twinplatform.Set(1), twinplatform.Null[int]()
	var absent twinplatform.Optional[int]
	if set.Or(2) != 1 || null.Or(2) != 2 || absent.Or(2) != 2 {
		t.Error("Or gives the wrong value")
	}
	if !set.Present() || !null.Present() || absent.Present() || set.IsNull() || !null.IsNull() || absent.IsNull() {
		t.Error("the three states are mixed up")
	}
	if v, ok := set.Get(); v != 1 || !ok {
		t.Error("Get does not give the value")
	}
	if _, ok := null.Get(); ok {
		t.Error("null has a value")
	}
}

func TestOptionalChangesClearsAndLeavesAlone(t *testing.T) {
	t.Parallel()
	var absent twinplatform.Optional[int]
	for _, test := range []struct {
		o       twinplatform.Optional[int]
		value   int
		pointer *int
	}{{absent, 7, new(7)}, {twinplatform.Null[int](), 0, nil}, {twinplatform.Set(9), 9, new(9)}} {
		value, pointer := 7, new(7)
		test.o.Apply(&value)
		test.o.ApplyPointer(&pointer)
		if diff := cmp.Diff(test.value, value) + cmp.Diff(test.pointer, pointer); diff != "" {
			t.Errorf("%+v: %s", test.o, diff)
		}
	}
}

func TestAllYieldsEveryRecordOfEveryPage(t *testing.T) {
	t.Parallel()
	pages := map[string]twinplatform.Page[int]{
		"":  twinplatform.NewPage[int]([][]byte{[]byte("1"), []byte("2")}, nil),
		"b": twinplatform.NewPage[int]([][]byte{[]byte("3")}, nil),
		"c": twinplatform.NewPage[int]([][]byte{[]byte("x"), []byte("5")}, nil),
	}
	chain := func(next map[string]string) func(context.Context, twinplatform.ListOptions) (twinplatform.Page[int], error) {
		return func(_ context.Context, o twinplatform.ListOptions) (twinplatform.Page[int], error) {
			p, ok := pages[o.Continuation]
			if !ok {
				return p, errTask
			}
			p.Next = next[o.Continuation]
			return p, nil
		}
	}
	collect := func(next map[string]string) (got []int, err error) {
		for v, e := range twinplatform.All(t.Context(), chain(next), twinplatform.ListOptions{}) {
			if e != nil {
				return got, e
			}
			got = append(got, v)
		}
		return got, nil
	}
	got, err := collect(map[string]string{"": "b"})
	if diff := cmp.Diff([]int{1, 2, 3}, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if got, err = collect(map[string]string{"": "gone"}); err == nil || len(got) != 2 {
		t.Errorf("a page that fails: %v, %v", got, err)
	}
	if got, err = collect(map[string]string{"": "c"}); err == nil || len(got) != 2 {
		t.Errorf("a record that cannot be read: %v, %v", got, err)
	}
	for range twinplatform.All(t.Context(), chain(nil), twinplatform.ListOptions{}) {
		break
	}
}

func TestETagIsNamedByItselfByAListAndByAStar(t *testing.T) {
	t.Parallel()
	const etag = `"1.2"`
	for header, want := range map[string]bool{
		etag: true, "W/" + etag: true, "*": true, `"a", ` + etag: true, `"a",W/` + etag + ` , "b"`: true,
		"": false, "1.2": false, `"1.3"`: false, `W/"1"`: false,
	} {
		if got := twinplatform.NamesETag(header, etag); got != want {
			t.Errorf("%s: %v, want %v", header, got, want)
		}
	}
}

func TestResultGivesWhatWasWritten(t *testing.T) {
	t.Parallel()
	var none twinplatform.Result[string]
	if none.Value() != "" || len(none.Values()) != 0 {
		t.Error("a result without records has values")
	}
	if got := twinplatform.Done(twinplatform.Record[string]{Value: "a"}).Value(); got != "a" {
		t.Errorf("got %q", got)
	}
	res := twinplatform.Result[string]{Records: []twinplatform.Record[string]{{Value: "a"}, {Value: "b"}}}
	if res.Value() != "a" {
		t.Errorf("got %q", res.Value())
	}
	if diff := cmp.Diff([]string{"a", "b"}, res.Values()); diff != "" {
		t.Error(diff)
	}
}
