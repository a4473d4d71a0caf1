package records_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

type label string

// everything has a field of every kind that the codec knows, and some that it
// leaves to encoding/json.
type everything struct {
	Bool     bool                    `json:"bool"`
	Date     twinplatform.DateTime   `json:"date"`
	Empty    string                  `json:"empty,omitempty"`
	Float    float64                 `json:"float"`
	Int      int64                   `json:"int"`
	IntPtr   *int32                  `json:"intPtr"`
	Label    label                   `json:"label"`
	List     []string                `json:"list"`
	Map      map[string]any          `json:"map"`
	Nested   *part                   `json:"nested"`
	NullText twinplatform.NullString `json:"nullText"`
	Text     string                  `json:"text"`
	Uint     uint16                  `json:"uint"`
	Skipped  string                  `json:"-"`

	Raw      json.RawMessage         `json:"raw"`
	Moment   time.Time               `json:"moment"`
	Later    time.Time               `json:"later,omitzero"`
	Due      twinplatform.DateTime   `json:"due,omitzero"`
	TextPtr  *label                  `json:"textPtr,omitempty"`
	BoolPtr  *bool                   `json:"boolPtr"`
	DatePtr  *twinplatform.DateTime  `json:"datePtr"`
	FloatPtr **float64               `json:"floatPtr"`
	Flag     bool                    `json:"flag,omitempty"`
	Count    int                     `json:"count,omitempty"`
	Parts    []part                  `json:"parts,omitempty"`
	Tree     *tree                   `json:"tree,omitzero"`
	Dates    []twinplatform.DateTime `json:"dates,omitzero"`
	Bytes    []byte                  `json:"bytes"`
	Grid     [][]float64             `json:"grid"`
	Struct   struct {
		A int `json:"a"`
		B any `json:"b"`
	} `json:"struct"`
}

// tree contains itself.
type tree struct {
	Name     string  `json:"name"`
	Children []*tree `json:"children"`
}

var texts = []string{
	"", "plain", `a "quoted" \ text`, "<b>&amp;</b>", "tab\tnew\nline\x00\x1f\x7f", "ü 日本 𝕏", "\u2028\u2029", "broken \xff\xc3 utf-8", "null", "}", `","x":"`,
}

func values() (out []everything) {
	small, large := int32(-7), int32(math.MaxInt32)
	for i, text := range texts {
		out = append(out, everything{
			Bool: i%2 == 0, Text: text, Label: label(text), NullText: twinplatform.NullString(text), Empty: text,
			Int: int64(i) - 3, IntPtr: []*int32{nil, &small, &large}[i%3], Uint: uint16(i * 5000),
			List: [][]string{nil, {}, {text, "b"}}[i%3], Map: map[string]any{"k": text, "z": nil},
			Nested: []*part{nil, {ID: text}}[i%2], Skipped: "never",
		})
	}
	for _, x := range []float64{0, math.Copysign(0, -1), 1, -1.5, 0.1, 1e14, 1e15, 1e20, 1e21, 1e-6, 1e-7, math.MaxFloat64, math.SmallestNonzeroFloat64} {
		out = append(out, everything{Float: x})
	}
	for _, d := range []time.Time{
		time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC), time.Date(2026, 12, 31, 23, 59, 59, 123456789, time.UTC),
		time.Date(1, 1, 1, 0, 0, 1, 0, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 1000, time.UTC), time.Date(2026, 1, 5, 9, 0, 0, 70_000_000, time.FixedZone("", 3600)),
	} {
		out = append(out, everything{Date: twinplatform.At(d)})
	}
	out = append(out, everything{Int: math.MinInt64, Uint: math.MaxUint16}, everything{Int: math.MaxInt64})
	yes, half, word, at := true, 0.5, label("w"), twinplatform.At(time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC))
	halfway := &half
	full := everything{
		Raw: json.RawMessage(`{"any":["thing",{}]}`), Moment: time.Date(2026, 1, 5, 9, 0, 0, 123456789, time.FixedZone("", 3600)), Later: at.Time, Due: at,
		TextPtr: &word, BoolPtr: &yes, DatePtr: &at, FloatPtr: &halfway, Flag: true, Count: -4, Parts: []part{{ID: "a"}, {ID: "b"}},
		Tree: &tree{"root", []*tree{{"leaf", []*tree{}}, nil}}, Dates: []twinplatform.DateTime{at, {}}, Bytes: []byte("bytes"), Grid: [][]float64{{1, 0.25}, {}, nil},
	}
	full.Struct.B = "b"
	return append(out, full)
}

func TestEncodingIsThatOfEncodingJSON(t *testing.T) {
	t.Parallel()
	for _, v := range values() {
		got, err := records.Encode(&v)
		if err != nil {
			t.Fatal(err)
		}
		want, err := wire.Marshal(&v)
		if err != nil {
			t.Fatal(err)
		}
		// What is no UTF-8 is an escape, or U+FFFD itself, which says the same: that differs by the release of Go.
		if diff := cmp.Diff(strings.ReplaceAll(string(want), "\ufffd", `\ufffd`), strings.ReplaceAll(string(got), "\ufffd", `\ufffd`)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestDecodingIsThatOfEncodingJSON(t *testing.T) {
	t.Parallel()
	for _, v := range values() {
		data, err := records.Encode(&v)
		if err != nil {
			t.Fatal(err)
		}
		same(t, data)
	}
}

// same checks that the codec reads data as encoding/json does.
func same(t *testing.T, data []byte) {
	t.Helper()
	var want everything
	wantErr := json.Unmarshal(data, &want)
	var got everything
	gotErr := records.Decode(data, &got)
	if (gotErr == nil) != (wantErr == nil) {
		t.Fatalf("%s: got error %v, encoding/json %v", data, gotErr, wantErr)
	}
	if wantErr != nil {
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: %s", data, diff)
	}
}

func FuzzDecodingIsThatOfEncodingJSON(f *testing.F) {
	for _, v := range values() {
		data, err := records.Encode(&v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
		f.Add([]byte(strings.Replace(string(data), ":", ": ", 1)))
	}
	f.Add([]byte(`{"text":"a","bool":true,"unknown":[1,{"}":2}]}`))
	f.Add([]byte(`{"bool":true,"unknown":[1,{"}":2}],"text":"a"}`))
	f.Add([]byte(`{"nested":{"id":"a"},"text":"b","nested":null,"Text":"c"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if !json.Valid(data) || !utf8.Valid(data) {
			t.Skip() // what the store holds is JSON
		}
		same(t, data)
		var v everything
		if json.Unmarshal(data, &v) != nil {
			t.Skip()
		}
		again, err := records.Encode(&v)
		if err != nil {
			t.Fatal(err)
		}
		same(t, again)
	})
}

func TestCacheAnswersWithWhatTheTransactionReads(t *testing.T) {
	t.Parallel()
	s := &shelf{t: t, db: records.New(memory.New())}
	var cache records.Cache[part]
	value := func() (p *part, err error) {
		err = s.db.View(context.Background(), func(v *records.View) error {
			p, err = cache.Value(v, parts, bin, "a")
			return err
		})
		return p, err
	}
	if _, err := value(); !errors.Is(err, records.ErrNotFound) {
		t.Errorf("before the record: %v", err)
	}
	s.put(part{ID: "a", Name: "1"})
	first, err := value()
	if err != nil || first.Name != "1" {
		t.Errorf("got %+v, %v", first, err)
	}
	if again, _ := value(); again != first {
		t.Error("the same record was decoded twice")
	}
	s.put(part{ID: "a", Name: "2"})
	if last, ok := cache.Last(parts, bin, "a"); !ok || last.Name != "1" {
		t.Errorf("last seen: %+v", last)
	}
	if second, err := value(); err != nil || second.Name != "2" {
		t.Errorf("got %+v, %v", second, err)
	}
	if err := s.delete("a"); err != nil {
		t.Fatal(err)
	}
	if _, err := value(); !errors.Is(err, records.ErrNotFound) {
		t.Errorf("after the deletion: %v", err)
	}
}

// A value that could not be read again is not written, also where no check has seen it.
func TestWhatCannotBeReadIsNotWritten(t *testing.T) {
	t.Parallel()
	c := records.Collection[everything]{Name: "everything", Untracked: true, ID: func(e *everything) string { return e.Text }}
	late := twinplatform.At(time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC))
	far := math.Inf(1)
	pointed := &far
	for target, e := range map[string]everything{
		"date": {Date: late}, "datePtr": {DatePtr: &late}, "float": {Float: math.NaN()}, "floatPtr": {FloatPtr: &pointed},
		"map": {Map: map[string]any{"a": math.NaN()}}, "moment": {Moment: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)},
	} {
		store := memory.New()
		err := records.New(store).Update(t.Context(), func(u *records.Update) error {
			e.Text = "a"
			_, err := c.Insert(u, "scope", &e)
			return err
		})
		refused, typed := errors.AsType[*twinplatform.Error](err)
		if !typed || refused.Code != "InvalidValue" || refused.Target != target || refused.Kind != twinplatform.Unprocessable {
			t.Errorf("%s: %v", target, err)
		}
	}
}
