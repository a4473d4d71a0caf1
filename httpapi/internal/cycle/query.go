package cycle

import (
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
)

// param is a query parameter that the route names, decoded. sent is the spelling
// of its name that the request chose.
type param struct{ name, sent, value string }

// parseQuery reads the parameters that the route names. Names may be escaped (%24top is
// $top) and empty pairs are skipped. Parameters that the route does not name are ignored,
// except for those that say which part of a list is wanted: a client that is given
// another part would take it for the one that it asked for. A parameter that is given
// twice with different values, in one spelling or in two, is refused, since which of the
// two was meant cannot be known, unless it takes a list of values.
func (x *Exchange) parseQuery() error {
	for pair := range strings.SplitSeq(x.R.URL.RawQuery, "&") {
		if pair == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		if err != nil {
			return x.Route.Invalid(BadValue("", "The query cannot be decoded."))
		}
		if value, err = url.QueryUnescape(value); err != nil {
			return x.Route.Invalid(BadValue(name, "The query cannot be decoded."))
		}
		if err := x.takeParam(name, value); err != nil {
			return err
		}
	}
	return nil
}

// takeParam takes a parameter as it was sent.
func (x *Exchange) takeParam(sent, value string) (err error) {
	name, ok := x.Route.parameter(sent)
	if !ok {
		x.leaves(sent)
		return x.Route.refuseOption(sent)
	}
	if x.Route.Wording != nil {
		if value, err = x.Route.insideValue(name, sent, value); err != nil {
			return err
		}
	}
	switch again := slices.IndexFunc(x.params, func(p param) bool { return p.name == name }); {
	case again < 0:
		x.params = append(x.params, param{name, sent, value})
	case x.Route.listed(name):
		x.params[again].value += "," + value
	case x.params[again].value != value:
		said := x.Route.parameterName(name)
		return x.Route.Invalid(BadValue(said,
			"The parameter '"+said+"' is given more than once, with different values."))
	}
	return nil
}

// insideValue is the value of a parameter in the specification's words.
func (r *Route) insideValue(name, sent, value string) (string, error) {
	inside, strange := r.Wording.Value(name, value)
	if strange {
		return "", r.Invalid(BadValue(sent, "The value of '"+sent+"' names '"+inside+"', which is not documented."))
	}
	return inside, nil
}

// options are the parameters, without their dollar and in lower case, by which
// lists are asked for a part of themselves, another order or other members. Lists
// differ in which of them they have and in how they spell them.
//
// They are keys of what errors of the services call them.
var options = map[string]string{
	"top": twinplatform.TargetTop, "continuationtoken": twinplatform.TargetContinuation,
	"deltatoken": twinplatform.TargetDelta,
	"skip":       twinplatform.TargetSkip, "filter": twinplatform.TargetFilter, "orderby": twinplatform.TargetOrderBy,
	"search": twinplatform.TargetSearch, "select": "select", "expand": "expand", "count": "count",
}

// option is what errors call such a parameter whatever its spelling; empty for
// any other.
func option(name string) string {
	return options[strings.ToLower(strings.TrimPrefix(name, "$"))]
}

// refuseOption refuses an option that a list does not have, or spells otherwise. Whatever
// begins with a dollar is an option, also one that no list has.
func (r *Route) refuseOption(name string) error {
	wanted := option(name)
	if r.Literal && wanted == "" {
		return r.Invalid(BadValue(name, "There is no parameter '"+name+"' here."))
	}
	if !r.Lists() || wanted == "" && !strings.HasPrefix(name, "$") {
		return nil
	}
	for _, p := range r.Query {
		if wanted != "" && option(p.Name) == wanted {
			return r.Invalid(BadValue(name,
				"This list spells the parameter '"+name+"' as '"+r.parameterName(p.Name)+"'."))
		}
	}
	return r.Invalid(BadValue(name, "This list has no parameter '"+name+"'."))
}

// Lists reports whether the route answers with a list: its path names no single record.
func (r *Route) Lists() bool {
	return r.Method == http.MethodGet && !strings.HasSuffix(r.Path, "}")
}

// parameter returns the name of a parameter as the route spells it.
func (r *Route) parameter(name string) (string, bool) {
	if r.Wording != nil {
		return r.Wording.Asked(name)
	}
	for i := range r.Query {
		if p := &r.Query[i]; p.Name == name || p.traits.Alias == name && name != "" {
			return p.Name, true
		}
	}
	return name, false
}

// listed reports whether a parameter takes a list of values.
func (r *Route) listed(name string) bool {
	return slices.ContainsFunc(r.Query, func(p Parameter) bool {
		return p.Name == name && p.traits.Type != nil && p.traits.Type.Kind() == reflect.Slice
	})
}

// Lookup returns the value of a parameter and whether it was given.
func (x *Exchange) Lookup(name string) (string, bool) {
	for _, p := range x.params {
		if p.name == name {
			return p.value, true
		}
	}
	return "", false
}

// Query returns the value of a parameter that the route names; empty when it was
// not given.
func (x *Exchange) Query(name string) string {
	value, _ := x.Lookup(name)
	return value
}

// IDs returns the ids of a parameter that separates them by commas. White space
// around an id, and commas with nothing between them, are of how people write
// lists.
func (x *Exchange) IDs(name string) []string {
	var ids []string
	for id := range strings.SplitSeq(x.Query(name), ",") {
		if id = strings.TrimSpace(id); id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// Number returns the value of a parameter that is a whole number; nil when it
// was not given.
func (x *Exchange) Number(name string) (*int, error) {
	value, ok := x.Lookup(name)
	if !ok {
		return nil, nil
	}
	n, err := strconv.Atoi(value)
	if err != nil || value[0] == '+' {
		return nil, x.Route.Invalid(BadValue(name,
			"The value of '"+name+"' is not a whole number, or out of its bounds."))
	}
	return &n, nil
}

// Top returns the page size that is asked for; 0 when it was not given. A 0 that
// was given is out of bounds, and must not be taken for one that was not.
func (x *Exchange) Top() (int, error) {
	n, err := x.Number("$top")
	switch {
	case n == nil:
		return 0, err
	case *n == 0:
		return -1, nil
	}
	return *n, nil
}

// BadValue reports what is wrong with a value.
func BadValue(target, message string) twinplatform.Detail {
	return twinplatform.Detail{Code: "InvalidValue", Message: message, Target: target}
}

func badBody(target, message string) twinplatform.Detail {
	return twinplatform.Detail{Code: "InvalidRequestBody", Message: message, Target: target}
}

// Invalid is the route's answer to a malformed request, and why it is one.
func (r *Route) Invalid(details ...twinplatform.Detail) *twinplatform.Error {
	e := r.Bad
	e.Details = details
	return &e
}
