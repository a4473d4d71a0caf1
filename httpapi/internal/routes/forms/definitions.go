package forms

import (
	"context"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// definitionDetails are the details of a single definition.
type definitionDetails struct {
	forms.FormDefinition
	// Definition is the layout as JSON; null until it is set.
	Definition twinplatform.NullString `json:"definition"`
	Discipline string                  `json:"discipline"`
}

// securityBody sets the security of a definition in a twin.
type securityBody struct {
	// Security is null where the permissions on the twin are to hold. It is
	// required: what is left out or misspelt must not open anything.
	Security twinplatform.Optional[forms.Security] `json:"security"`
}

// deprecatedSince is when the successor of D1 was first served here. The specification names no
// day on which it became deprecated.
var deprecatedSince = time.Date(2026, time.November, 20, 0, 0, 0, 0, time.UTC)

// formDefinitionRoutes are served under two roots, that of today and the one where
// the specification has D1, which is deprecated.
func formDefinitionRoutes(svc *forms.Service) cycle.Routes {
	n := &route.Resource{
		Path: "/forms/formDefinitions", Many: "formDefinitions", One: "formDefinition",
		Plural: "the form definitions of a twin", Singular: "a form definition",
	}
	former := new(*n)
	former.Path, former.Name = "/issues/formDefinitions", "issues.formDefinitions"
	d1 := route.Completed(route.Update(former, svc.UpdateFormDefinition), absolute).AsPreview().AsSpecified("D1")
	current := route.Completed(route.Update(n, svc.UpdateFormDefinition), absolute).AsPreview()
	d1.DeprecatedFor(current, deprecatedSince)
	get, formerGet := definitionGet(svc, n), definitionGet(svc, former)
	get.Apart, formerGet.Apart = "formDefinitions", "formDefinitions"
	rs := append(cycle.Routes{
		route.Completed(route.Create(n, svc.CreateFormDefinition), absolute),
		definitionList(svc, n),
		definitionList(svc, former),
		get,
		formerGet,
		d1,
		current,
		route.Discard(n, svc.DeleteFormDefinition),
	}, definitionSecurityRoutes(svc)...)
	rs.Changing().Need(forms.PermissionDefine)
	return rs.Refuse(forms.InvalidDefinitionRequest)
}

func definitionList(svc *forms.Service, n *route.Resource) *cycle.Route {
	type query = forms.FormDefinitionQuery
	return route.ListOf(n, cycle.TokenForward, reflect.TypeFor[forms.FormDefinition](),
		func(ctx context.Context, x *cycle.Exchange, q query) (cycle.Page, error) {
			found, err := svc.FormDefinitions(ctx, q)
			if err != nil || !q.Representation {
				return route.PageOf(found, err)
			}
			return route.MapPage(x, found, absolute)
		},
		route.Text("twinId", "The GUID of the twin in which the definitions can be used. It or projectId is required.",
			func(q *query) *string { return &q.TwinID }).Or("projectId").Must(),
		route.Text("type", "List definitions of this type.", func(q *query) *string { return &q.Type }),
		route.Text("search", "List definitions whose display name contains this text, in upper or lower case.",
			func(q *query) *string { return &q.Search }),
		route.Text("status", "List definitions of this status, or any; Approved when left out.",
			func(q *query) *string { return (*string)(&q.Status) }).All("any"),
		route.Whole(func(q *query) *bool { return &q.Representation }))
}

func definitionGet(svc *forms.Service, n *route.Resource) *cycle.Route {
	return n.GetRoute(reflect.TypeFor[definitionDetails](),
		func(ctx context.Context, x *cycle.Exchange) (out cycle.Record, err error) {
			rec, err := svc.FormDefinition(ctx, x.Path("formDefinitionId"))
			if err != nil {
				return out, err
			}
			layout, err := svc.Layout(ctx, rec.Value.ID)
			if err != nil {
				return out, err
			}
			out.ETag = rec.ETag
			design(x, &rec.Value)
			out.JSON, err = wire.Marshal(definitionDetails{
				rec.Value, twinplatform.NullString(layout.Definition),
				rec.Value.Discipline,
			})
			return out, err
		})
}

func definitionSecurityRoutes(svc *forms.Service) cycle.Routes {
	n := &route.Resource{
		Path: "/access-control/formDefinitions", Name: "formDefinitions", One: "formDefinition",
		Singular: "the security of a form definition in a twin",
	}
	get := n.Operation("getSecurity", http.MethodGet, n.Each(), "Get "+n.Singular)
	set := n.Operation("setSecurity", http.MethodPut, n.Each(), "Set "+n.Singular)
	get.Query = []cycle.Parameter{{
		Name: "twinId", Description: "The GUID of the twin in which the security holds; the definition's own twin " +
			"when left out.",
	}}
	set.Query = get.Query
	return cycle.Routes{
		route.GetRoute(get, "security", reflect.TypeFor[*forms.Security](),
			func(ctx context.Context, x *cycle.Exchange) (rec cycle.Record, err error) {
				sec, err := svc.Security(ctx, x.Path("formDefinitionId"), x.Query("twinId"))
				if err != nil {
					return rec, err
				}
				rec.JSON, err = wire.Marshal(sec)
				return rec, err
			}).Unversioned().Needs(forms.PermissionDefine),
		route.Writes(set, route.Changed("security"),
			func(ctx context.Context, x *cycle.Exchange, b securityBody) (out twinplatform.Result[*forms.Security],
				err error,
			) {
				if !b.Security.Present() {
					return out, x.Route.Invalid(twinplatform.Detail{
						Code: "MissingRequiredProperty", Target: "security",
						Message: "The required property 'security' is missing. Null leaves the forms to the " +
							"permissions on the twin.",
					})
				}
				var sec *forms.Security
				b.Security.ApplyPointer(&sec)
				if err := svc.SetSecurity(ctx, x.Path("formDefinitionId"), x.Query("twinId"), sec,
					x.Preconditions()...); err != nil {
					return out, err
				}
				text, err := wire.Marshal(sec)
				out.Records = []twinplatform.Record[*forms.Security]{{Value: sec, JSON: text}}
				return out, err
			}).Unversioned(),
	}
}

// design makes the link to a definition's designer an absolute one, and reports
// whether there was one to change.
func design(x *cycle.Exchange, d *forms.FormDefinition) bool {
	if d.Links == nil || !strings.HasPrefix(d.Links.Design.Href, "/") {
		return false
	}
	d.Links = &forms.DefinitionLinks{Design: forms.Link{Href: x.To(d.Links.Design.Href).Href}}
	return true
}

// absolute is a definition with the absolute link to its designer, where it has
// one.
func absolute(x *cycle.Exchange, d *forms.FormDefinition, stored []byte) ([]byte, error) {
	if !design(x, d) {
		return stored, nil
	}
	return wire.Marshal(d)
}
