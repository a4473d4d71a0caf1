package planner_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// forms are what values are written like, by what they are and where they stand for a trial.
var forms = []struct {
	of     string
	in     func(text string) string
	values []string
}{
	{"time", func(v string) string {
		return xer("%T|TASK\n%F|task_id|proj_id|act_start_date|status_code\n%R|1|p|" + v + "|TK_Active\n")
	}, []string{
		"2026-01-05 08:00", "2026-01-05T08:00:00.0000000+01:00", "2026-1-05 08.00", "2026/01/05", "2026-01-05 24:00", "29-JAN-24", "5 Jan 2026 8:00 PM",
		"05.01.2026 08:00", "13/01/2026", "05/01/2026", "0000-00-00", "2026-02-30",
	}},
	{"time of day", func(v string) string {
		return mspdi("<Calendars><Calendar><UID>1</UID><WeekDays><WeekDay><DayType>2</DayType><WorkingTimes><WorkingTime><FromTime>" + v + "</FromTime><ToTime>23:00:00</ToTime></WorkingTime></WorkingTimes></WeekDay></WeekDays></Calendar></Calendars>")
	}, []string{"08:00", "8:00:00", "08.00", "7:00 AM", "08:00:00.0000000+01:00", "25:00", "8"}},
	{"number", func(v string) string {
		return xer("%T|TASK\n%F|task_id|proj_id|phys_complete_pct\n%R|1|p|" + v + "\n")
	}, []string{"7.5", "7,5", " 7.5 ", "1 040,5", "1'040.5", "1.040,5", "1.5E+2", "1,040", "n/a", "1 04", "1e300"}},
	{"span of time", func(v string) string {
		return mspdi("<Tasks><Task><UID>1</UID><Duration>" + v + "</Duration></Task></Tasks>")
	}, []string{"PT7H30M0S", "PT7.5H", "PT7,5H", "-PT8H", "P1D", "P1W", "PT", "8h"}},
	{"truth", func(v string) string {
		return mspdi("<Tasks><Task><UID>1</UID><Manual>" + v + "</Manual></Task></Tasks>")
	}, []string{"1", "0", "Y", "N", "true", "False", "yes", "perhaps"}},
}

// readAs is what the methods read that take members by their names.
var readAs = map[string]string{
	"time": "time", "number": "number", "hours": "number", "tenths": "number", "float": "number", "share": "number", "cents": "number",
	"whole": "number", "sum": "number", "span": "span of time", "work": "span of time", "flag": "truth", "known": "truth", "holds": "truth",
	"truth": "truth", "of": "word", "constrained": "word",
}

// formatOf is of what format a source reads values, and nothing where of none.
func formatOf(name string) string {
	for prefix, format := range map[string]string{"xer": "XER", "p6xml": "XML of P6", "mspdi": "XML of Microsoft Project"} {
		if strings.HasPrefix(name, prefix) && !strings.Contains(name, "write") && !strings.HasSuffix(name, "_test.go") {
			return format
		}
	}
	return ""
}

// valuesTable is what docs/planner.md says of values: how they may be written, by trying; which members
// are read as what, and which words there are, by the sources.
func valuesTable(t *testing.T) string {
	t.Helper()
	var out strings.Builder
	out.WriteString("| value | read | read with a warning | left out with a warning |\n| --- | --- | --- | --- |\n")
	for _, f := range forms {
		var outcomes [3][]string
		for _, v := range f.values {
			at := 0
			for _, w := range parse(t, f.in(v)).Warnings {
				if strings.Contains(w.Text, strconv.Quote(v)) {
					if at = 1; strings.Contains(w.Text, "left out") {
						at = 2
					}
				}
			}
			outcomes[at] = append(outcomes[at], "`"+v+"`")
		}
		fmt.Fprintf(&out, "| %s | %s | %s | %s |\n", f.of, listed(outcomes[0]), listed(outcomes[1]), listed(outcomes[2]))
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	members, words := map[string]map[string]map[string]bool{}, map[string]string{}
	tables := map[string][]string{}
	set := token.NewFileSet()
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				for i, v := range n.Values {
					tables[n.Names[i].Name] = keysOf(v)
				}
			case *ast.CallExpr:
				as := ""
				if s, ok := n.Fun.(*ast.SelectorExpr); ok {
					as = readAs[s.Sel.Name]
				}
				if format := formatOf(name); as != "" && format != "" {
					words := 0
					for _, a := range n.Args {
						as := as
						if words++; words == len(n.Args) && types.ExprString(n.Fun) == "f.constrained" {
							as = "time" // of a constraint
						}
						if member := literal(a); member != "" && member != "value" {
							if members[as] == nil {
								members[as] = map[string]map[string]bool{}
							}
							if members[as][format] == nil {
								members[as][format] = map[string]bool{}
							}
							members[as][format]["`"+member+"`"] = true
						}
					}
				}
			}
			return true
		})
	}
	out.WriteString("\n| read as | XER | XML of P6 | XML of Microsoft Project |\n| --- | --- | --- | --- |\n")
	for _, as := range slices.Sorted(maps.Keys(members)) {
		fmt.Fprintf(&out, "| %s", as)
		for _, format := range []string{"XER", "XML of P6", "XML of Microsoft Project"} {
			fmt.Fprintf(&out, " | %s", listed(slices.Sorted(maps.Keys(members[as][format]))))
		}
		out.WriteString(" |\n")
	}
	f, err := parser.ParseFile(set, "words.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok || types.ExprString(c.Fun) != "words" {
			return true
		}
		known := map[string]bool{}
		for _, a := range c.Args[3:] {
			for _, k := range append(keysOf(a), tables[types.ExprString(a)]...) {
				known["`"+k+"`"] = true
			}
		}
		is := "left out"
		if as := literal(c.Args[2]); as != "" {
			is = "taken as " + as
		}
		thing := literal(c.Args[0])
		if len(known) > 0 {
			words[thing+"\x00"+strings.Join(slices.Sorted(maps.Keys(known)), " ")] = is
		}
		return true
	})
	out.WriteString("\n| word | those that are known, whatever their case | any other, with a warning |\n| --- | --- | --- |\n")
	for _, key := range slices.Sorted(maps.Keys(words)) {
		thing, known, _ := strings.Cut(key, "\x00")
		fmt.Fprintf(&out, "| %s | %s | %s |\n", thing, known, words[key])
	}
	return out.String()
}

func listed(all []string) string {
	if len(all) == 0 {
		return "–"
	}
	return strings.Join(all, " ")
}

// literal is the text of an expression that is one.
func literal(e ast.Expr) string {
	if l, ok := e.(*ast.BasicLit); ok && l.Kind == token.STRING {
		text, _ := strconv.Unquote(l.Value)
		return text
	}
	return ""
}

// keysOf are the words of a map.
func keysOf(e ast.Expr) (keys []string) {
	if c, ok := e.(*ast.CompositeLit); ok {
		for _, x := range c.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				if k := literal(kv.Key); k != "" {
					keys = append(keys, k)
				}
			}
		}
	}
	return keys
}

// TestThePageSaysWhatBecomesOfValues holds docs/planner.md to the code; -update rewrites it.
func TestThePageSaysWhatBecomesOfValues(t *testing.T) {
	t.Parallel()
	const page, begin, end = "../../docs/planner.md", "<!-- values: made by go test ./schedules/planner -update -->\n\n", "\n<!-- values: end -->"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	is, after, found := strings.Cut(rest, end)
	if !ok || !found {
		t.Fatalf("%s has no place for what becomes of values", page)
	}
	want := valuesTable(t)
	if *update {
		if err := os.WriteFile(page, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, is); diff != "" {
		t.Errorf("go test ./schedules/planner -update rewrites it (-want +got)\n%s", diff)
	}
}
