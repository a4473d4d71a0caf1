package route

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
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

// Filter is a parameter of a list and where it goes in the query of the service.
// The accessors that filters are made of are held to the type of the query by
// the compiler, and share one body whatever that type is, since they take its
// pointer.
type Filter struct {
	cycle.Parameter // without a name, none is read
	Set             func(x *cycle.Exchange, q any) error
	header          bool // it is a header
	prefers         bool // the list gives whole records to the caller that prefers them
}

// Fill puts what the request asks for into a query of a service.
func Fill(x *cycle.Exchange, q any, filters []Filter) error {
	for i := range filters {
		if err := filters[i].Set(x, q); err != nil {
			return err
		}
	}
	return nil
}

// Filtered is an operation with the parameters of filters.
func Filtered(o cycle.Operation, filters []Filter) cycle.Operation {
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

// Text is a filter by a text.
func Text[P any, S ~string](name, about string, at func(q P) *S) Filter {
	return Filter{Parameter: cycle.WithTraits(cycle.Parameter{Name: name, Description: about},
		cycle.Traits{Type: reflect.TypeFor[S]()}), Set: func(x *cycle.Exchange, q any) error {
		*at(q.(P)) = S(x.Query(name))
		return nil
	}}
}

// Texts is a filter by any of several texts, separated by commas.
func Texts[P any, S ~string](name, about string, at func(q P) *[]S) Filter {
	return Filter{Parameter: cycle.WithTraits(cycle.Parameter{Name: name, Description: about},
		cycle.Traits{Type: reflect.TypeFor[[]S]()}), Set: func(x *cycle.Exchange, q any) error {
		for _, one := range x.IDs(name) {
			to := at(q.(P))
			*to = append(*to, S(one))
		}
		return nil
	}}
}

// Instant is a filter by a time, in ISO 8601.
func Instant[P any](name, about string, at func(q P) *twinplatform.DateTime) Filter {
	return Filter{
		Parameter: cycle.Parameter{Name: name, Description: about},
		Set: func(x *cycle.Exchange, q any) (err error) {
			if value := x.Query(name); value != "" {
				if *at(q.(P)), err = twinplatform.ParseDateTime(value); err != nil {
					return x.Route.Invalid(cycle.BadValue(name, "The value of '"+name+"': "+err.Error()+"."))
				}
			}
			return nil
		},
	}
}

// Flag is a filter that is true or false; false when it was not given.
func Flag[P any](name, about string, at func(q P) *bool) Filter {
	return Filter{Parameter: cycle.WithTraits(cycle.Parameter{Name: name, Description: about},
		cycle.Traits{Type: reflect.TypeFor[bool]()}), Set: func(x *cycle.Exchange, q any) error {
		switch value, ok := x.Lookup(name); {
		case !ok, strings.EqualFold(value, "false"):
		case strings.EqualFold(value, "true"):
			*at(q.(P)) = true
		default:
			return x.Route.Invalid(cycle.BadValue(name, "The value of '"+name+"' is true or false."))
		}
		return nil
	}}
}

// Number is a filter by a whole number.
func Number[P any](name, about string, at func(q P) **int32) Filter {
	return Filter{Parameter: cycle.WithTraits(cycle.Parameter{Name: name, Description: about},
		cycle.Traits{Type: reflect.TypeFor[int32]()}), Set: func(x *cycle.Exchange, q any) error {
		if value := x.Query(name); value != "" {
			n, err := strconv.ParseInt(value, 10, 32)
			if err != nil {
				return x.Route.Invalid(cycle.BadValue(name, "The value of '"+name+"' is a whole number."))
			}
			*at(q.(P)) = new(int32(n))
		}
		return nil
	}}
}

// Heading is a filter by the text of a header; target is what errors of the service
// call it.
func Heading[P any, S ~string](name, target, about string, at func(q P) *S) Filter {
	return Filter{header: true, Parameter: cycle.WithTraits(cycle.Parameter{Name: name, Description: about},
		cycle.Traits{Type: reflect.TypeFor[S](), Target: target}), Set: func(x *cycle.Exchange, q any) error {
		value, err := x.HeaderWord(name)
		*at(q.(P)) = S(value)
		return err
	}}
}

// Bound is a filter by the number in a header, which the answer has too; target is
// what errors of the service call it.
func Bound[P any](name, target, about string, initial, most int, at func(q P) *int) Filter {
	return Filter{header: true, Parameter: cycle.WithTraits(cycle.Parameter{
		Name: name, Description: about,
		Number: true,
	}, cycle.Traits{Target: target, Most: most}), Set: func(x *cycle.Exchange, q any) error {
		n := initial
		if value := x.Header(name); value != "" {
			var err error
			if n, err = strconv.Atoi(value); err != nil || n < 1 {
				return x.Route.Invalid(cycle.BadValue(name,
					"The value of '"+name+"' is not a whole number, or out of its bounds."))
			}
		}
		*at(q.(P)) = n
		x.W.Header().Set(name, strconv.Itoa(n))
		return nil
	}}
}

// Whole asks for whole records where the client prefers them.
func Whole[P any](at func(q P) *bool) Filter {
	return Filter{prefers: true, Set: func(x *cycle.Exchange, q any) error {
		*at(q.(P)) = x.WantsWhole()
		return nil
	}}
}

// Short asks for short records unless the client prefers whole ones.
func Short[P any](at func(q P) *bool) Filter {
	return Filter{prefers: true, Set: func(x *cycle.Exchange, q any) error {
		*at(q.(P)) = !x.WantsWhole()
		return nil
	}}
}

// Must marks a parameter that must be given, which is the service's to
// refuse.
func (f Filter) Must() Filter {
	f.Required = true
	return f
}

// Refers names the collection whose records the parameter names.
func (f Filter) Refers(collection string) Filter {
	cycle.TraitsOf(&f.Parameter).Refers = collection
	return f
}

// All notes with which value of the parameter a list has all records.
func (f Filter) All(value string) Filter {
	cycle.TraitsOf(&f.Parameter).All = value
	return f
}

// Or gives a parameter another spelling.
func (f Filter) Or(alias string) Filter {
	cycle.TraitsOf(&f.Parameter).Alias = alias
	return f
}
