package httpapi

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
)

// query is the query of a list as its service takes it: a struct with the
// options of lists in it.
type query[Q any] interface {
	*Q
	optioned
}

// optioned is such a query whatever its type.
type optioned interface {
	Options() *twinplatform.ListOptions
}

// filter is a parameter of a list and where it goes in the query of the service.
// The accessors that filters are made of are held to the type of the query by
// the compiler, and share one body whatever that type is, since they take its
// pointer.
type filter struct {
	Parameter // without a name, none is read
	set       func(x *exchange, q any) error
	header    bool // it is a header
	prefers   bool // the list gives whole records to the caller that prefers them
}

// fill puts what the request asks for into a query of a service.
func (x *exchange) fill(q any, filters []filter) error {
	for i := range filters {
		if err := filters[i].set(x, q); err != nil {
			return err
		}
	}
	return nil
}

// filtered adds the parameters of filters to an operation.
func (o Operation) filtered(filters []filter) Operation {
	for _, f := range filters {
		o.Prefers = o.Prefers || f.prefers
		switch {
		case f.header:
			o.Headers = append(o.Headers, f.Parameter)
		case f.Name != "":
			o.Query = append(o.Query, f.Parameter)
		}
	}
	return o
}

// text is a filter by a text.
func text[P any, S ~string](name, about string, at func(q P) *S) filter {
	return filter{Parameter: Parameter{Name: name, Description: about, is: reflect.TypeFor[S]()}, set: func(x *exchange, q any) error {
		*at(q.(P)) = S(x.query(name))
		return nil
	}}
}

// texts is a filter by any of several texts, separated by commas.
func texts[P any, S ~string](name, about string, at func(q P) *[]S) filter {
	return filter{Parameter: Parameter{Name: name, Description: about, is: reflect.TypeFor[[]S]()}, set: func(x *exchange, q any) error {
		for _, one := range x.ids(name) {
			to := at(q.(P))
			*to = append(*to, S(one))
		}
		return nil
	}}
}

// instant is a filter by a time, in ISO 8601.
func instant[P any](name, about string, at func(q P) *twinplatform.DateTime) filter {
	return filter{Parameter: Parameter{Name: name, Description: about}, set: func(x *exchange, q any) (err error) {
		if value := x.query(name); value != "" {
			if *at(q.(P)), err = twinplatform.ParseDateTime(value); err != nil {
				return x.row.invalid(badValue(name, "The value of '"+name+"': "+err.Error()+"."))
			}
		}
		return nil
	}}
}

// flag is a filter that is true or false; false when it was not given.
func flag[P any](name, about string, at func(q P) *bool) filter {
	return filter{Parameter: Parameter{Name: name, Description: about, is: reflect.TypeFor[bool]()}, set: func(x *exchange, q any) error {
		switch value, ok := x.lookup(name); {
		case !ok, strings.EqualFold(value, "false"):
		case strings.EqualFold(value, "true"):
			*at(q.(P)) = true
		default:
			return x.row.invalid(badValue(name, "The value of '"+name+"' is true or false."))
		}
		return nil
	}}
}

// number is a filter by a whole number.
func number[P any](name, about string, at func(q P) **int32) filter {
	return filter{Parameter: Parameter{Name: name, Description: about, is: reflect.TypeFor[int32]()}, set: func(x *exchange, q any) error {
		if value := x.query(name); value != "" {
			n, err := strconv.ParseInt(value, 10, 32)
			if err != nil {
				return x.row.invalid(badValue(name, "The value of '"+name+"' is a whole number."))
			}
			*at(q.(P)) = new(int32(n))
		}
		return nil
	}}
}

// heading is a filter by the text of a header; target is what errors of the service
// call it.
func heading[P any, S ~string](name, target, about string, at func(q P) *S) filter {
	return filter{header: true, Parameter: Parameter{Name: name, Description: about, is: reflect.TypeFor[S](), target: target}, set: func(x *exchange, q any) error {
		*at(q.(P)) = S(x.header(name))
		return nil
	}}
}

// bound is a filter by the number in a header, which the answer has too; target is
// what errors of the service call it.
func bound[P any](name, target, about string, initial, most int, at func(q P) *int) filter {
	return filter{header: true, Parameter: Parameter{Name: name, Description: about, Number: true, target: target, most: most}, set: func(x *exchange, q any) error {
		n := initial
		if value := x.header(name); value != "" {
			var err error
			if n, err = strconv.Atoi(value); err != nil || n < 1 {
				return x.row.invalid(badValue(name, "The value of '"+name+"' is not a whole number, or out of its bounds."))
			}
		}
		*at(q.(P)) = n
		x.w.Header().Set(name, strconv.Itoa(n))
		return nil
	}}
}

// whole asks for whole records where the client prefers them.
func whole[P any](at func(q P) *bool) filter {
	return filter{prefers: true, set: func(x *exchange, q any) error {
		*at(q.(P)) = x.wantsAll()
		return nil
	}}
}

// short asks for short records unless the client prefers whole ones.
func short[P any](at func(q P) *bool) filter {
	return filter{prefers: true, set: func(x *exchange, q any) error {
		*at(q.(P)) = !x.wantsAll()
		return nil
	}}
}

// required marks a parameter that must be given, which is the service's to
// refuse.
func (f filter) required() filter {
	f.Required = true
	return f
}

// or gives a parameter another spelling.
func (f filter) or(alias string) filter {
	f.alias = alias
	return f
}

// repeated marks a parameter that may as well be given once for each value.
func (f filter) repeated() filter {
	f.several = true
	return f
}

// wantsAll reports whether the client prefers whole records to short ones in a
// list (Prefer: return=representation). Only a row that says so gives them.
func (x *exchange) wantsAll() bool {
	if !x.row.Prefers {
		return false
	}
	for _, value := range x.r.Header.Values("Prefer") {
		for preference := range strings.SplitSeq(value, ",") {
			preference, _, _ = strings.Cut(preference, ";")
			name, value, _ := strings.Cut(preference, "=")
			if strings.EqualFold(strings.TrimSpace(name), "return") {
				// The first of its name counts.
				return strings.EqualFold(strings.Trim(strings.TrimSpace(value), `"`), "representation")
			}
		}
	}
	return false
}
