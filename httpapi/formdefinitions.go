package httpapi

import (
	"context"
	"net/http"
	"reflect"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// definitionDetails is what is told about a single definition.
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

// formDefinitionRows are served under two roots, that of today and the one where
// the specification has D1, which is deprecated.
func formDefinitionRows(svc *forms.Service) rows {
	n := &noun{
		path: "/forms/formDefinitions", many: "formDefinitions", one: "formDefinition",
		things: "the form definitions of a twin", thing: "a form definition",
	}
	former := new(*n)
	former.path, former.name = "/issues/formDefinitions", "issues.formDefinitions"
	d1 := completed(update(former, svc.UpdateFormDefinition), absolute).preview().spec("D1")
	d1.Deprecated = true
	get, formerGet := definitionGet(svc, n), definitionGet(svc, former)
	get.apart, formerGet.apart = "formDefinitions", "formDefinitions"
	rs := append(rows{
		completed(create(n, svc.CreateFormDefinition), absolute),
		definitionList(svc, n),
		definitionList(svc, former),
		get,
		formerGet,
		d1,
		completed(update(n, svc.UpdateFormDefinition), absolute).preview(),
		discard(n, svc.DeleteFormDefinition),
	}, definitionSecurityRows(svc)...)
	rs.changing().need(forms.PermissionDefine)
	return rs.refuse(forms.InvalidDefinitionRequest)
}

func definitionList(svc *forms.Service, n *noun) *row {
	type query = forms.FormDefinitionQuery
	return listOf(n, tokenForward, reflect.TypeFor[forms.FormDefinition](), func(ctx context.Context, x *exchange, q query) (page, error) {
		found, err := svc.FormDefinitions(ctx, q)
		if err != nil || !q.Representation {
			return pageOf(found, err)
		}
		return remade(x, found, absolute)
	},
		text("twinId", "The GUID of the twin in which the definitions can be used. It or projectId is required.", func(q *query) *string { return &q.TwinID }).or("projectId").required(),
		text("type", "List definitions of this type.", func(q *query) *string { return &q.Type }),
		text("search", "List definitions whose display name contains this text, in upper or lower case.", func(q *query) *string { return &q.Search }),
		text("status", "List definitions of this status, or any; Approved when left out.", func(q *query) *string { return &q.Status }),
		whole(func(q *query) *bool { return &q.Representation }))
}

func definitionGet(svc *forms.Service, n *noun) *row {
	return n.getRow(reflect.TypeFor[definitionDetails](), func(ctx context.Context, x *exchange) (out record, err error) {
		rec, err := svc.FormDefinition(ctx, x.path("formDefinitionId"))
		if err != nil {
			return out, err
		}
		layout, err := svc.Layout(ctx, rec.Value.ID)
		if err != nil {
			return out, err
		}
		out.etag = rec.ETag
		x.design(&rec.Value)
		out.json, err = wire.Marshal(definitionDetails{rec.Value, twinplatform.NullString(layout.Definition), rec.Value.Discipline})
		return out, err
	})
}

func definitionSecurityRows(svc *forms.Service) rows {
	n := &noun{
		path: "/access-control/formDefinitions", name: "formDefinitions", one: "formDefinition",
		thing: "the security of a form definition in a twin",
	}
	get := n.operation("getSecurity", http.MethodGet, n.each(), "Get "+n.thing)
	set := n.operation("setSecurity", http.MethodPut, n.each(), "Set "+n.thing)
	get.Query = []Parameter{{
		Name: "twinId", Description: "The GUID of the twin in which the security holds; the definition's own twin when left out.",
	}}
	set.Query = get.Query
	return rows{
		getRow(get, "security", reflect.TypeFor[*forms.Security](), func(ctx context.Context, x *exchange) (rec record, err error) {
			sec, err := svc.Security(ctx, x.path("formDefinitionId"), x.query("twinId"))
			if err != nil {
				return rec, err
			}
			rec.json, err = wire.Marshal(sec)
			return rec, err
		}).unversioned().needs(forms.PermissionDefine),
		writes(set, changed("security"), func(ctx context.Context, x *exchange, b securityBody) (out twinplatform.Result[*forms.Security], err error) {
			if !b.Security.Present() {
				return out, x.row.invalid(twinplatform.Detail{
					Code: "MissingRequiredProperty", Target: "security",
					Message: "The required property 'security' is missing. Null leaves the forms to the permissions on the twin.",
				})
			}
			var sec *forms.Security
			b.Security.ApplyPointer(&sec)
			if err := svc.SetSecurity(ctx, x.path("formDefinitionId"), x.query("twinId"), sec, x.preconditions()...); err != nil {
				return out, err
			}
			text, err := wire.Marshal(sec)
			out.Records = []twinplatform.Record[*forms.Security]{{Value: sec, JSON: text}}
			return out, err
		}).unversioned(),
	}
}

// design makes the link to a definition's designer an absolute one, and reports
// whether there was one to change.
func (x *exchange) design(d *forms.FormDefinition) bool {
	if d.Links == nil || !strings.HasPrefix(d.Links.Design.Href, "/") {
		return false
	}
	d.Links = &forms.DefinitionLinks{Design: forms.Link{Href: x.to(d.Links.Design.Href).Href}}
	return true
}

// absolute is a definition with the absolute link to its designer, where it has
// one.
func absolute(x *exchange, d *forms.FormDefinition, stored []byte) ([]byte, error) {
	if !x.design(d) {
		return stored, nil
	}
	return wire.Marshal(d)
}
