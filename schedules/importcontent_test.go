package schedules_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
)

// A content whose members differ in one is another one, and makes another record: nothing is
// compared that is not set, or set that is not compared.
func TestEachMemberThatAFileHasIsComparedAndSet(t *testing.T) {
	t.Parallel()
	for _, c := range schedules.FileContents() {
		for i := range membersOf(c.Of()) {
			was, is := c.Of(), c.Of()
			m := membersOf(is)[i]
			m.change()
			if c.Compared(was) == c.Compared(is) {
				t.Errorf("%s: %s is not compared", c.Record, m.name)
			}
			if c.Set(was) == c.Set(is) {
				t.Errorf("%s: %s is not set", c.Record, m.name)
			}
		}
	}
}

// A value that moves from one member to another, as a text from the project of a task to its calendar, makes
// another content: names are compared with values.
func TestAValueThatMovesToAnotherMemberIsAnotherContent(t *testing.T) {
	t.Parallel()
	for _, c := range schedules.FileContents() {
		of := make(map[string]string)
		for i := range membersOf(c.Of()) {
			is := c.Of()
			m := membersOf(is)[i]
			m.change()
			compared := c.Compared(is)
			if other := of[compared]; other != "" {
				t.Errorf("%s: %s alone and %s alone are compared alike", c.Record, other, m.name)
			}
			of[compared] = m.name
		}
	}
}

// A content that is new is among those that are held to that.
func TestEveryContentOfAFileIsAmongThoseThatAreCompared(t *testing.T) {
	t.Parallel()
	held := map[string]bool{
		"filedElapsed": true, // has no members
		"listContent":  true, // is one list
	}
	for _, c := range schedules.FileContents() {
		held[reflect.TypeOf(c.Of()).Elem().Name()] = true
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	method := regexp.MustCompile(`(?m)^func \((?:\w+ )?\*?(\w+)(?:\[[^\]]*\])?\) Compared\(`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range method.FindAllStringSubmatch(string(text), -1) {
			if found++; !held[m[1]] {
				t.Errorf("%s of %s is not in FileContents of export_test.go", m[1], file)
			}
		}
	}
	if found < len(held)-2 {
		t.Errorf("%d contents are found in the source, want at least %d", found, len(held)-2)
	}
}

// member is a member of a content, and how it becomes another one.
type member struct {
	name   string
	change func()
}

// membersOf are the exported members of what content points at, and of structs in it.
func membersOf(content any) (all []member) {
	var add func(name string, v reflect.Value)
	add = func(name string, v reflect.Value) {
		if _, date := reflect.TypeAssert[twinplatform.DateTime](v); v.Kind() == reflect.Struct && !date {
			for i := range v.NumField() {
				if f := v.Type().Field(i); f.IsExported() {
					add(name+"."+f.Name, v.Field(i))
				}
			}
			return
		}
		all = append(all, member{name, func() { changeValue(v) }})
	}
	add("", reflect.ValueOf(content).Elem())
	return all
}

// changeValue makes a value another one.
func changeValue(v reflect.Value) {
	if at, date := reflect.TypeAssert[twinplatform.DateTime](v); date {
		v.Set(reflect.ValueOf(twinplatform.At(later(at.Time))))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int32, reflect.Int64:
		v.SetInt(v.Int() + 1)
	case reflect.Float64:
		v.SetFloat(v.Float() + 1)
	case reflect.Pointer:
		other := reflect.New(v.Type().Elem())
		if !v.IsNil() {
			other.Elem().Set(v.Elem())
		}
		changeValue(other.Elem())
		v.Set(other)
	case reflect.Slice:
		v.Set(reflect.Append(reflect.MakeSlice(v.Type(), 0, v.Len()+1), reflect.Zero(v.Type().Elem())))
	default:
		panic("no way to change a " + v.Kind().String())
	}
}

// later is another date than one.
func later(t time.Time) time.Time {
	if t.IsZero() {
		return time.Date(2026, time.March, 2, 8, 0, 0, 0, time.UTC)
	}
	return t.Add(time.Hour)
}

// Names of files that would mislead are taken all the same, with a warning, since no one can change
// them before.
func TestNamesOfAFileThatMisleadAreReplacedWithAWarning(t *testing.T) {
	t.Parallel()
	p := inMemory(t)
	content := plannerFile(t, "mspdi-mp_j30_a2_nr1.xml")
	content = bytes.ReplaceAll(content, []byte("<Name>R 2</Name>"), []byte("<Name>R \u202e2\u2066</Name>"))
	y := p.importPlan(content, schedules.PlannerImportOptions{})
	if !slices.ContainsFunc(y.SynchronizationDetails.Warnings, func(w schedules.SynchronizationWarning) bool {
		return strings.HasPrefix(w.Message, "Warning: The name of a resource (ID=") && strings.Contains(w.Message, "were replaced")
	}) {
		t.Errorf("nothing warns of it: %v", y.SynchronizationDetails.Warnings)
	}
	page, err := p.in().Resources(p.ctx, schedules.ResourceQuery{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for r, err := range page.OnPage() {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, r.Name)
	}
	if !slices.Contains(names, "R \uFFFD2\uFFFD") {
		t.Errorf("the resources are called %q", names)
	}
}
