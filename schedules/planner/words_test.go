package planner_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// unknownWords are files with a word that no vocabulary has, by the vocabulary.
var unknownWords = map[string]string{
	"linkTypes":            xer("%T|TASK\n%F|task_id|proj_id\n%R|1|p\n%R|2|p\n%T|TASKPRED\n%F|task_pred_id|task_id|pred_task_id|pred_type\n%R|9|2|1|Sideways\n"),
	"mspdiLinkTypes":       mspdi(`<Tasks><Task><UID>1</UID></Task><Task><UID>2</UID><PredecessorLink><PredecessorUID>1</PredecessorUID><Type>Sideways</Type></PredecessorLink></Task></Tasks>`),
	"constraintTypes":      taskWith("cstr_type"),
	"mspdiConstraintTypes": mspdi(`<Tasks><Task><UID>1</UID><ConstraintType>Sideways</ConstraintType></Task></Tasks>`),
	"percentTypes":         taskWith("complete_pct_type"),
	"resourceTypes":        xer("%T|TASK\n%F|task_id|proj_id\n%R|1|p\n%T|RSRC\n%F|rsrc_id|rsrc_type\n%R|9|Sideways\n"),
	"mspdiResourceTypes":   mspdi(`<Tasks/><Resources><Resource><UID>9</UID><Name>n</Name><Type>Sideways</Type></Resource></Resources>`),
	"families":             xer("%T|TASK\n%F|task_id|proj_id\n%R|1|p\n%T|UDFTYPE\n%F|udf_type_id|table_name|logical_data_type\n%R|9|TASK|Sideways\n"),
	"mspdiFamilyTypes":     mspdi(`<ExtendedAttributes><ExtendedAttribute><FieldID>188776449</FieldID><FieldName>Health</FieldName><CFType>Sideways</CFType></ExtendedAttribute></ExtendedAttributes><Tasks/>`),
	"daysOfWeek": p6(`<Calendar><ObjectId>9</ObjectId><StandardWorkWeek><StandardWorkHours><DayOfWeek>Sideways</DayOfWeek></StandardWorkHours></StandardWorkWeek></Calendar>`,
		``),
	"taskTypes":     taskWith("task_type"),
	"statuses":      taskWith("status_code"),
	"priorities":    taskWith("priority_type"),
	"lagCalendars":  optionWith("sched_calendar_on_relationship_lag"),
	"progressModes": p6("", `<ScheduleOptions><OutOfSequenceScheduleType>Sideways</OutOfSequenceScheduleType></ScheduleOptions>`),
	"floatTypes":    optionWith("sched_float_type"),
	"pathTypes":     p6("", `<CriticalActivityPathType>Sideways</CriticalActivityPathType>`),
	"externalLinks": optionWith("sched_outer_depend_type"),
	"codeScopes":    xer("%T|TASK\n%F|task_id|proj_id\n%R|1|p\n%T|ACTVTYPE\n%F|actv_code_type_id|actv_code_type_scope\n%R|9|Sideways\n"),
	"subjects":      xer("%T|TASK\n%F|task_id|proj_id\n%R|1|p\n%T|UDFTYPE\n%F|udf_type_id|table_name\n%R|9|Sideways\n"),
	"timeFormats":   mspdi(`<Tasks><Task><UID>1</UID><DurationFormat>Sideways</DurationFormat></Task></Tasks>`),
}

// taskWith is a file whose one task has a member of the value Sideways, optionWith one whose
// project is scheduled so.
func taskWith(member string) string {
	return xer("%T|TASK\n%F|task_id|proj_id|" + member + "\n%R|1|p|Sideways\n")
}

func optionWith(member string) string {
	return xer("%T|SCHEDOPTIONS\n%F|proj_id|" + member + "\n%R|p|Sideways\n%T|TASK\n%F|task_id|proj_id\n%R|1|p\n")
}

// p6 is an XML of P6 with elements of the file, and elements of its one project.
func p6(elements, project string) string {
	return `<?xml version="1.0" encoding="UTF-8"?><APIBusinessObjects xmlns="http://xmlns.oracle.com/Primavera/P6/V20.12/API/BusinessObjects">` +
		elements + `<Project><ObjectId>1</ObjectId><Id>P</Id><DataDate>2026-01-05T08:00:00</DataDate>` + project + `</Project></APIBusinessObjects>`
}

// notWords are maps by names of tables, elements and members, whose misses are handled where they
// are looked up, or by words that are written.
var notWords = []string{
	"xerTables", "xerColumns", "keyless", "weights", "months", "roots", "p6Priorities", "tools",
}

// TestEachWordOfAFileIsLookedUpByAVocabulary walks through the sources: a map by words is part of
// a vocabulary, whose one method of looking up warns of a miss, and each vocabulary has a file here of
// which it is warned. No truth is compared with a word of one tool.
func TestEachWordOfAFileIsLookedUpByAVocabulary(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	set, parsed := token.NewFileSet(), []*ast.File{}
	tables, vocabularies := map[string]bool{}, map[string]bool{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, f)
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
				for _, s := range g.Specs {
					v := s.(*ast.ValueSpec)
					for i, value := range v.Values {
						switch is := types.ExprString(value); {
						case strings.HasPrefix(is, "words("):
							vocabularies[v.Names[i].Name] = true
						case strings.HasPrefix(is, "map[string]"):
							tables[v.Names[i].Name] = true
						}
					}
				}
			}
		}
	}
	if len(vocabularies) < 15 || len(tables) < 10 {
		t.Fatalf("%d vocabularies and %d tables are found", len(vocabularies), len(tables))
	}
	for name := range vocabularies {
		if unknownWords[name] == "" {
			t.Errorf("vocabulary %s: there is no file with a word that it does not have", name)
		}
	}
	for _, f := range parsed {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.IndexExpr:
				if name := types.ExprString(n.X); tables[name] && !slices.Contains(notWords, name) &&
					!strings.Contains(set.Position(n.Pos()).Filename, "write") {
					t.Errorf("%v: %s is looked up by itself, and a miss is not warned of", set.Position(n.Pos()), name)
				}
			case *ast.BinaryExpr:
				if n.Op != token.EQL && n.Op != token.NEQ {
					return true
				}
				literal, ok := n.Y.(*ast.BasicLit)
				if !ok || !slices.Contains([]string{`"Y"`, `"N"`, `"1"`, `"0"`, `"true"`, `"false"`}, literal.Value) {
					return true
				}
				if what := types.ExprString(n.X); !strings.Contains(what, "ID") && !strings.Contains(what, "parent") && what != "number" &&
					!strings.Contains(set.Position(n.Pos()).Filename, "write") {
					t.Errorf("%v: %s is compared with %s, which other tools call otherwise", set.Position(n.Pos()), what, literal.Value)
				}
			case *ast.SwitchStmt:
				if n.Tag == nil {
					return true
				}
				what := types.ExprString(n.Tag)
				for _, read := range []string{`.take("`, `.get("`, `m["`, `x["`} {
					if strings.Contains(what, read) {
						t.Errorf("%v: the word %s is looked up by a switch, and a miss is not warned of", set.Position(n.Pos()), what)
					}
				}
			}
			return true
		})
	}
}

// TestAWordThatIsNotKnownIsWarnedOf reads a file for each vocabulary.
func TestAWordThatIsNotKnownIsWarnedOf(t *testing.T) {
	t.Parallel()
	for name, text := range unknownWords {
		warned := false
		for _, w := range parse(t, text).Warnings {
			warned = warned || strings.Contains(w.Text, `"Sideways"`) && w.What != "" && w.Kind != ""
		}
		if !warned {
			t.Errorf("%s: nothing says that a word is not known: %v", name, parse(t, text).Warnings)
		}
	}
}
