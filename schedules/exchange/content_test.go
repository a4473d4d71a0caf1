package exchange_test

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules/exchange"
)

// A content whose members differ in one is another one, and makes another record: nothing is
// compared that is not set, or set that is not compared.
func TestEachMemberThatAFileHasIsComparedAndSet(t *testing.T) {
	t.Parallel()
	for _, c := range exchange.FileContents() {
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
	for _, c := range exchange.FileContents() {
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
	for _, c := range exchange.FileContents() {
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
