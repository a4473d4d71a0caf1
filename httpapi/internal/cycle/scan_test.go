package cycle_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/shape"
)

// testBody is a body with properties at several depths.
type testBody struct {
	Name  string         `json:"name"`
	Inner part           `json:"inner"`
	Batch []part         `json:"batch"`
	Any   map[string]any `json:"any"`
}

type part struct {
	On   bool   `json:"on"`
	Size *int64 `json:"size"`
	Deep *part  `json:"deep"`
}

// scan goes over a test body.
func scan(raw []byte) (unknown []string, err error) {
	s, err := cycle.ScanBody(raw, shape.Of(reflect.TypeFor[testBody]()))
	return s.Unknown, err
}

func TestScan(t *testing.T) {
	t.Parallel()
	many := func(n int) string {
		var b strings.Builder
		b.WriteString(`{"any":{`)
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(`"k` + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + `":` + `0`)
		}
		return b.String() + `}}`
	}
	nested := func(n int) string { return strings.Repeat(`{"a":`, n) + `1` + strings.Repeat(`}`, n) }
	for name, test := range map[string]struct{ body, want string }{
		"empty object":                     {`{}`, ""},
		"space everywhere":                 {" \t\r\n{ \"a\" : [ 1 , { \"b\" : [ ] } ] , \"c\" : { } }\n", ""},
		"deepest":                          {nested(cycle.MaxDepth), ""},
		"deeper":                           {nested(cycle.MaxDepth + 1), "nested"},
		"much deeper":                      {nested(10_000), "nested"},
		"deep enough to be no JSON":        {nested(10_001), "valid JSON"},
		"most values":                      {`{"a":[0` + strings.Repeat(",0", cycle.MaxValues-2) + `]}`, ""},
		"more values":                      {`{"a":[0` + strings.Repeat(",0", cycle.MaxValues-1) + `]}`, "too many"},
		"twice":                            {`{"a":1,"a":2}`, "twice"},
		"twice in another case":            {`{"a":1,"A":2}`, "twice"},
		"twice with an escape":             {`{"a":1,"\u0061":2}`, "twice"},
		"twice with the Kelvin sign":       {`{"key":1,"` + "\u212a" + `ey":2}`, "twice"},
		"twice with the long s":            {`{"size":1,"\u017fize":2}`, "twice"},
		"twice deep inside":                {`{"a":[{"b":{"c":1,"d":2,"C":3}}]}`, "twice"},
		"twice in different objects":       {`{"a":{"b":1},"b":{"a":1}}`, ""},
		"same name within itself":          {`{"a":{"a":{"a":1}}}`, ""},
		"twice behind a nested object":     {`{"a":1,"b":{"c":1},"a":2}`, "twice"},
		"empty name twice":                 {`{"":1,"":2}`, "twice"},
		"twice among many":                 {many(200), "twice"},
		"known name in another case twice": {`{"NAME":1,"nAME":2}`, "twice"},
		"a pair of surrogates":             {`{"a":"\ud83d\ude00"}`, ""},
		"first half":                       {`{"a":"\ud83d"}`, "UTF-8"},
		"first half and a letter":          {`{"a":"\ud83d\n"}`, "UTF-8"},
		"first half and a character":       {`{"a":"\uD83D\u0041"}`, "UTF-8"},
		"second half":                      {`{"a":"\ude00"}`, "UTF-8"},
		"half in a name":                   {`{"\ude00":1}`, "UTF-8"},
		"escaped backslash":                {`{"a":"\\ud83d","b\\":"\""}`, ""},
		"byte order mark":                  {"\ufeff{}", "valid JSON"},
		"text":                             {`"x"`, "object"},
		"trailing comma":                   {`{"a":1,}`, "valid JSON"},
		"comment":                          {`{}//`, "valid JSON"},
		"NaN":                              {`{"a":NaN}`, "valid JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := scan([]byte(test.body))
			if got := message(err); test.want == "" && got != "" || !strings.Contains(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestABatchOfAThousandFits(t *testing.T) {
	t.Parallel()
	item := `{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":{"j":1,"k":2}}`
	body := `{"batch":[` + strings.Repeat(item+",", 999) + item + `]}`
	if _, err := scan([]byte(body)); err != nil {
		t.Error(err)
	}
}

func TestUnknownProperty(t *testing.T) {
	t.Parallel()
	for body, want := range map[string][]string{
		`{"name":"a","inner":{"deep":{"on":true}},"any":{"x":1},"batch":[{"size":1}]}`: nil,
		`{"x":{"y":1}}`:                      {"x"},
		`{"inner":{"deep":{"off":1}},"x":1}`: {"inner.deep.off", "x"},
		`{"batch":[{},{"x":1}]}`:             {"batch.x"},
		`{"Name":1}`:                         {"Name"},
	} {
		got, err := scan([]byte(body))
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v %s", body, err, diff)
		}
	}
}

// FuzzScan holds what the scan lets through to its promise: decoding it in
// strict and in lax manner, property by property, gives the same.
func FuzzScan(f *testing.F) {
	for _, s := range []string{
		`{}`, `{"name":"a","NAME":1}`, `{"inner":{"deep":{"on":true}},"batch":[{"size":1},{}]}`, `{"\u006eame":"\ud83d\ude00"}`,
		`{"any":{"a":[1,2.5e3,null,true]}}`, "{\"\u212a\":1}", `{"a":"\\\"","b":[[],{}]}`, `{"a":1,"a":2}`, ` { "a" : 1 } `,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		before := bytes.Clone(raw)
		if _, err := scan(raw); err != nil {
			return
		}
		if !utf8.Valid(before) || !json.Valid(before) || !json.Valid(raw) || len(raw) != len(before) {
			t.Fatalf("let through %q as %q", before, raw)
		}
		var exact map[string]json.RawMessage
		if err := json.Unmarshal(before, &exact); err != nil {
			t.Fatalf("let through %q: %v", before, err)
		}
		var body testBody
		if json.Unmarshal(raw, &body) != nil {
			return
		}
		var name string
		if member, ok := exact["name"]; ok {
			if err := json.Unmarshal(member, &name); err != nil {
				t.Fatalf("%q decodes, but its name does not: %v", before, err)
			}
		}
		if body.Name != name {
			t.Fatalf("%q decodes to the name %q", before, body.Name)
		}
	})
}
