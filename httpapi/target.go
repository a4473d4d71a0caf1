package httpapi

import (
	"errors"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
)

// spelt is an error of a service in the words of the request. Services name what
// Go callers wrote; where that is a part of a query which lists have in common,
// or a precondition, target and message get the name of the parameter or the
// header that carried it.
func (x *exchange) spelt(err error) error {
	if err == nil {
		return nil
	}
	e, ok := errors.AsType[*twinplatform.Error](err)
	_, ours := errors.AsType[refusal](err)
	if _, sent := errors.AsType[asSent](err); ours || sent || !ok {
		return err
	}
	out := *e // which is the service's
	out.Target, out.Message = x.respelt(e.Target, e.Message)
	out.Details = slices.Clone(e.Details)
	for i, d := range out.Details {
		out.Details[i].Target, out.Details[i].Message = x.respelt(d.Target, d.Message)
	}
	return &out
}

func (x *exchange) respelt(target, message string) (string, string) {
	switch target {
	case twinplatform.TargetIfMatch:
		return ifMatch, message
	case twinplatform.TargetIfNoneMatch:
		return ifNoneMatch, message
	}
	if i := slices.IndexFunc(x.row.Headers, func(p Parameter) bool { return target != "" && p.target == target }); i >= 0 {
		name := x.row.saidHeader(x.row.Headers[i].Name)
		return name, strings.ReplaceAll(x.row.wording.Mentions(message), "'"+target+"'", "'"+name+"'")
	}
	i := slices.IndexFunc(x.row.Query, func(p Parameter) bool { return target != "" && option(p.Name) == target })
	if i < 0 {
		return x.row.wording.Told(target, message)
	}
	name := x.row.Query[i].Name
	if i := slices.IndexFunc(x.params, func(p param) bool { return p.name == name }); i >= 0 {
		name = x.params[i].sent
	} else {
		name = x.row.saidParameter(name)
	}
	return name, strings.ReplaceAll(x.row.wording.Mentions(message), "'"+target+"'", "'"+name+"'")
}
