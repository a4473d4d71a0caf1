package cycle

import (
	"errors"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
)

// translated is an error of a service in the words of the request. Services name what
// Go callers wrote; where that is a part of a query which lists have in common,
// or a precondition, target and message get the name of the parameter or the
// header that carried it.
func (x *Exchange) translated(err error) error {
	if err == nil {
		return nil
	}
	e, ok := errors.AsType[*twinplatform.Error](err)
	_, ours := errors.AsType[Refusal](err)
	if _, sent := errors.AsType[asSent](err); ours || sent || !ok {
		return err
	}
	out := *e // which is the service's
	out.Target, out.Message = x.translate(e.Target, e.Message)
	out.Details = slices.Clone(e.Details)
	for i, d := range out.Details {
		out.Details[i].Target, out.Details[i].Message = x.translate(d.Target, d.Message)
	}
	return &out
}

// translate is a target, and a message that names it, in the words of the request.
func (x *Exchange) translate(target, message string) (string, string) {
	switch target {
	case twinplatform.TargetIfMatch:
		return ifMatch, message
	case twinplatform.TargetIfNoneMatch:
		return ifNoneMatch, message
	}
	if i := slices.IndexFunc(x.Route.Headers,
		func(p Parameter) bool { return target != "" && p.traits.Target == target }); i >= 0 {
		name := x.Route.headerName(x.Route.Headers[i].Name)
		return name, x.Route.Wording.Naming(message, target, name)
	}
	i := slices.IndexFunc(x.Route.Query, func(p Parameter) bool {
		return target != "" && (option(p.Name) == target || p.Name == target && p.traits.Alias != "")
	})
	if i < 0 {
		return x.Route.Wording.Fault(target, message)
	}
	name := x.Route.Query[i].Name
	if i := slices.IndexFunc(x.params, func(p param) bool { return p.name == name }); i >= 0 {
		name = x.params[i].sent
	} else {
		name = x.Route.parameterName(name)
	}
	return name, x.Route.Wording.Naming(message, target, name)
}
