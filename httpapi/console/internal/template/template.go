// Package template writes pages by templates in the language of text/template, escaped as html/template does it.
//
// Why it is here: text/template finds methods by names that it reads, and a program in which that is possible keeps
// every exported method of every type. Without it the server's program has two thirds of the machine code. A name that
// a template calls is looked up by a constant here (see Called), which keeps the methods of that name alone. Tests hold
// what is written to that of html/template, byte for byte.
//
// What templates may have: text, {{if}}, {{with}}, {{range}} over slices, {{template}}, {{define}}, variables, fields,
// methods, and the functions of Set and of builtins. Values stand in text and in attributes between double quotes.
// Everything else is refused by Parse, with its place.
package template

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"reflect"
	"text/template/parse"
)

// HTML is text that is written as it is. Outside of the text of a page it is escaped like any other.
type HTML string

// Set is templates that call one another by their names: that of a file for the whole of it.
type Set struct {
	trees     map[string]*parse.Tree
	functions map[string]reflect.Value
	called    Called
	places    map[*parse.ActionNode]context
	begins    map[string]context // and ends
}

// Called looks methods up: those of a name by a function that has it as a constant.
//
//	"Title": func(v reflect.Value) reflect.Value { return v.MethodByName("Title") },
type Called map[string]func(v reflect.Value) reflect.Value

// Parse reads the templates of files. functions return a value, or a value and an error.
func Parse(files fs.FS, pattern string, functions map[string]any, called Called) (*Set, error) {
	s := &Set{
		trees: map[string]*parse.Tree{}, functions: map[string]reflect.Value{}, called: called,
		places: map[*parse.ActionNode]context{}, begins: map[string]context{},
	}
	known := maps.Clone(builtins)
	maps.Copy(known, functions)
	for name, fn := range known {
		s.functions[name] = reflect.ValueOf(fn)
	}
	for name := range lazy {
		known[name] = true // parse asks for the name alone
	}
	names, err := fs.Glob(files, pattern)
	if err != nil {
		return nil, err
	}
	for _, file := range names {
		text, err := fs.ReadFile(files, file)
		if err != nil {
			return nil, err
		}
		trees, err := parse.Parse(path.Base(file), string(text), "", "", known)
		if err != nil {
			return nil, err
		}
		maps.Copy(s.trees, trees)
	}
	for _, file := range names {
		if _, err := s.template(path.Base(file), inText); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Execute writes a page by the template with a name. An error names the template and the line; what was written
// before it is not a page.
func (s *Set) Execute(w io.Writer, name string, data any) (err error) {
	x := &execution{set: s, w: w}
	defer func() {
		if v := recover(); v != nil {
			failed, ok := v.(failure)
			if !ok {
				panic(v)
			}
			err = failed.error
		}
	}()
	x.template(name, reflect.ValueOf(data), nil)
	return nil
}

// failure ends an execution.
type failure struct{ error }

// fail ends the execution at a node.
func (x *execution) fail(at parse.Node, format string, args ...any) {
	place, text := x.tree.ErrorContext(at)
	panic(failure{fmt.Errorf("template: %s: %s: %w", place, text, fmt.Errorf(format, args...))})
}
