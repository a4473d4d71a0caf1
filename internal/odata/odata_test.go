package odata_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/odata"
)

type color string

type item struct {
	name  string
	color color
	size  *float64
	made  twinplatform.DateTime
}

var properties = odata.Properties{
	odata.Text("name", func(t *item) string { return t.name }),
	odata.Enum("color", []color{"red", "green"}, func(t *item) color { return t.color }),
	odata.Number("size", func(t *item) *float64 { return t.size }),
	odata.Time("made", func(t *item) twinplatform.DateTime { return t.made }),
}

var items = []item{
	{"Ada's bridge", "red", new(1.5), on(1)},
	{"bridge", "green", nil, on(2)},
	{"Tunnel", "", new(-3.0), on(3)},
	{"", "red", new(1.5), on(3)},
}

func on(day int) twinplatform.DateTime {
	return twinplatform.DateTime{Time: time.Date(2026, 3, day, 0, 0, 0, 0, time.UTC)}
}

func TestFiltersListWhatMatches(t *testing.T) {
	t.Parallel()
	for filter, want := range map[string][]int{
		"":                          {0, 1, 2, 3},
		"name eq 'bridge'":          {1},
		"name eq 'Ada''s bridge'":   {0},
		"'bridge' eq name":          {1},
		"name ne 'bridge'":          {0, 2, 3},
		"name eq null":              {3},
		"name ne null":              {0, 1, 2},
		"color in ('red', 'green')": {0, 1, 3},
		"color in ('red', null)":    {0, 2, 3},
		"not (color eq 'red')":      {1, 2},
		"not color eq 'red'":        {1, 2},
		"size gt 0":                 {0, 3},
		"size ge 1.5":               {0, 3},
		"size lt 1.5e0":             {2},
		"size le -3":                {2},
		"size gt 0 or size le 0":    {0, 2, 3},
		"made gt 2026-03-01T00:00:00Z and made lt 2026-03-03":   {1},
		"made eq '2026-03-02T01:00:00+01:00'":                   {1},
		"made ge 2026-03-03T00:00:00.000Z":                      {2, 3},
		"contains(name, 'bridge')":                              {0, 1},
		"startswith(name,'bri')":                                {1},
		"endswith( name , 'nel' )":                              {2},
		"contains(tolower(name), 'tun')":                        {2},
		"toupper(name) eq 'BRIDGE'":                             {1},
		"color eq 'red' or color eq 'green' and size eq null":   {0, 1, 3}, // and binds more than or
		"(color eq 'red' or color eq 'green')and(size eq null)": {1},
		"name eq color":                                         nil,
		"name eq 'a and (b'":                                    nil,
		"\tsize\n eq -3 ":                                       {2},
		"not not (size eq -3)":                                  {2},
		"not contains(name,'bridge')":                           {2, 3},
	} {
		got, _, err := properties.Filter(filter)
		if err != nil {
			t.Errorf("%s: %v", filter, err)
			continue
		}
		var listed []int
		for i := range items {
			if got == nil || got(&items[i]) {
				listed = append(listed, i)
			}
		}
		if diff := cmp.Diff(want, listed); diff != "" {
			t.Errorf("%s (-want +got):\n%s", filter, diff)
		}
	}
}

func TestFaultsHaveAPosition(t *testing.T) {
	t.Parallel()
	for filter, want := range map[string]string{
		"name":                          "4: an operator is missing, such as eq",
		"name is 'a'":                   "5: an operator is missing, such as eq",
		"name EQ 'a'":                   "5: an operator is missing, such as eq",
		"name eq":                       "7: a property or a value is missing",
		"name eq 'a":                    "8: the quotation mark is not closed",
		"name eq a":                     "8: 'a' is neither a property nor a value; texts stand in single quotation marks",
		"weight eq 1":                   "0: 'weight' is neither a property nor a value; texts stand in single quotation marks",
		"name eq 'a' name eq 'b'":       "12: an operator is missing, or there is something behind the end",
		"(name eq 'a'":                  "12: ')' is missing",
		"name eq 'a')":                  "11: an operator is missing, or there is something behind the end",
		"name eq 'a' and":               "15: a property or a value is missing",
		"name in 'a'":                   "8: '(' is missing",
		"name in ()":                    "9: a property or a value is missing",
		"name in ('a' 'b')":             "13: ')' is missing",
		"contains(name 'a')":            "14: ',' is missing",
		"contains(size, 'a')":           "18: its operands are texts",
		"tolower(size) eq 'a'":          "12: its operand is a text",
		"size eq 'a'":                   "11: a number is not compared with a text",
		"size gt null":                  "12: null is neither more nor less than anything",
		"color eq 'blue'":               "15: 'blue' is none of red, green",
		"color in ('red', 'blue')":      "23: 'blue' is none of red, green",
		"made eq 'yesterday'":           "19: a time is not compared with a text",
		"size eq NaN":                   "8: 'NaN' is neither a property nor a value; texts stand in single quotation marks",
		strings.Repeat("(", 65) + "1":   "64: it is nested deeper than 64",
		strings.Repeat(" ", 4097) + "x": "4096: it is longer than 4096 bytes",
	} {
		_, _, err := properties.Filter(filter)
		if err == nil || err.Error() != "The expression cannot be understood at position "+want+"." {
			t.Errorf("%.40q: %v", filter, err)
		}
	}
}

func TestOrdersOfTextsHaveNoCaseUntilTheRestIsEqual(t *testing.T) {
	t.Parallel()
	compare, err := properties.Order("name")
	if err != nil {
		t.Fatal(err)
	}
	got := []item{{name: "b"}, {name: "Ä"}, {name: "A"}, {name: "a"}, {name: "B"}, {name: "ä"}, {name: "C"}}
	slices.SortStableFunc(got, func(a, b item) int { return compare(&a, &b) })
	var names []string
	for _, g := range got {
		names = append(names, g.name)
	}
	if diff := cmp.Diff([]string{"A", "a", "B", "b", "C", "Ä", "ä"}, names); diff != "" {
		t.Errorf("the order (-want +got):\n%s", diff)
	}
}

func TestOrdersGoByEachPropertyInTurn(t *testing.T) {
	t.Parallel()
	for orderBy, want := range map[string][]int{
		"name":                        {3, 0, 1, 2},
		"name desc":                   {2, 1, 0, 3},
		"size, made desc":             {1, 2, 3, 0},
		" color asc ,size desc,name ": {2, 1, 3, 0},
	} {
		compare, err := properties.Order(orderBy)
		if err != nil {
			t.Fatal(err)
		}
		got := []int{0, 1, 2, 3}
		slices.SortStableFunc(got, func(a, b int) int { return compare(&items[a], &items[b]) })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", orderBy, diff)
		}
	}
	for _, orderBy := range []string{",", "name,", "weight", "name up", "name desc desc", "desc"} {
		if _, err := properties.Order(orderBy); err == nil {
			t.Errorf("%q is an order", orderBy)
		}
	}
	if compare, err := properties.Order(" "); compare != nil || err != nil {
		t.Errorf("no order: %v", err)
	}
}

func TestPickKeepsTheOrderOfTheProperties(t *testing.T) {
	t.Parallel()
	got, err := properties.Pick([]byte(`{"color":null,"made":"x","name":"a\"b","other":1}`), []string{"made", "name"})
	if string(got) != `{"name":"a\"b","made":"x"}` || err != nil {
		t.Errorf("%s, %v", got, err)
	}
}

// A random tree of conditions is written down, read again, and selects the same records
// as the tree.
func TestRandomFiltersHoldForWhatTheTreeHoldsFor(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3_000) {
		r := rand.New(rand.NewPCG(seed, 1))
		expression, holds := tree(r, 5)
		filter, _, err := properties.Filter(expression)
		if err != nil {
			t.Fatalf("%s: %v", expression, err)
		}
		for i := range items {
			if filter(&items[i]) != holds(items[i]) {
				t.Fatalf("%s: %v for %+v", expression, !holds(items[i]), items[i])
			}
		}
	}
}

func tree(r *rand.Rand, depth int) (string, func(item) bool) {
	if depth > 0 && r.IntN(4) > 0 {
		a, holdsA := tree(r, depth-1)
		b, holdsB := tree(r, depth-1)
		switch r.IntN(3) {
		case 0:
			return "(" + a + ") and (" + b + ")", func(x item) bool { return holdsA(x) && holdsB(x) }
		case 1:
			return "(" + a + " or " + b + ")", func(x item) bool { return holdsA(x) || holdsB(x) }
		}
		return "not (" + a + ")", func(x item) bool { return !holdsA(x) }
	}
	if r.IntN(2) == 0 {
		limit := float64(r.IntN(7)) - 3
		return fmt.Sprintf("size ge %v", limit), func(x item) bool { return x.size != nil && *x.size >= limit }
	}
	name := items[r.IntN(len(items))].name
	literal := "'" + strings.ReplaceAll(name, "'", "''") + "'"
	return "contains(name, " + literal + ")", func(x item) bool { return x.name != "" && strings.Contains(x.name, name) }
}

func FuzzFilter(f *testing.F) {
	for _, seed := range []string{"name eq 'a'", "not (size gt 1 or made lt 2026-01-01)", "color in ('red',null)", "contains(tolower(name),'x')", "'''"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, expression string) {
		filter, named, err := properties.Filter(expression)
		if (err != nil) != (filter == nil) && strings.TrimSpace(expression) != "" {
			t.Fatalf("%q: %v", expression, err)
		}
		for _, name := range named {
			if !properties.Has(name) {
				t.Errorf("%q names %q", expression, name)
			}
		}
		if filter != nil {
			for i := range items {
				filter(&items[i])
			}
		}
	})
}
