package template

import (
	"errors"
	"fmt"
	"reflect"
	"text/template/parse"
)

// builtins are the functions of text/template that pages use.
var builtins = map[string]any{
	"eq":     equal,
	"ne":     func(a, b any) bool { return !equal(a, b) },
	"gt":     func(a, b int) bool { return a > b },
	"index":  index,
	"len":    func(v any) int { return reflect.ValueOf(v).Len() },
	"not":    func(v any) bool { return !isTrue(reflect.ValueOf(v)) },
	"print":  fmt.Sprint,
	"printf": fmt.Sprintf,
}

// lazy are the functions that ask for no more of their arguments than they need; "and" continues while what it
// meets is true.
var lazy = map[string]bool{"and": true, "or": false}

// either is the first argument that is not true, or the first that is; and the last where there is none.
func (x *execution) either(args []parse.Node, dot reflect.Value, and bool, last []reflect.Value) (v reflect.Value) {
	for _, a := range args {
		if v = x.operand(a, dot); isTrue(v) != and {
			return v
		}
	}
	if len(last) > 0 {
		return last[0]
	}
	return v
}

// equal compares texts, numbers and what else can be compared. A text and a number differ.
func equal(a, b any) bool {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	switch {
	case !x.IsValid() || !y.IsValid():
		return x.IsValid() == y.IsValid()
	case x.Kind() == reflect.String && y.Kind() == reflect.String:
		return x.String() == y.String()
	case x.CanInt() && y.CanInt():
		return x.Int() == y.Int()
	}
	return x.Comparable() && y.Comparable() && x.Interface() == y.Interface()
}

// index is an element of a slice, or a member of a map; the zero value where the map has none.
func index(of any, key any) (any, error) {
	v, k := reflect.ValueOf(of), reflect.ValueOf(key)
	switch v.Kind() {
	case reflect.Map:
		if found := v.MapIndex(k); found.IsValid() {
			return found.Interface(), nil
		}
		return reflect.Zero(v.Type().Elem()).Interface(), nil
	case reflect.Slice, reflect.Array:
		if i, ok := key.(int); ok && i >= 0 && i < v.Len() {
			return v.Index(i).Interface(), nil
		}
	}
	return nil, errors.New("there is no such index")
}

// isTrue reports whether a value is not the empty one of its type.
func isTrue(v reflect.Value) bool {
	v = concrete(v)
	switch {
	case !v.IsValid():
		return false
	case v.Kind() == reflect.Slice || v.Kind() == reflect.Map || v.Kind() == reflect.Array:
		return v.Len() > 0
	case v.Kind() == reflect.Struct:
		return true
	}
	return !v.IsZero()
}
