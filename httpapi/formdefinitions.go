package httpapi

import (
	"context"
	"net/http"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// definitionDetails is what is told of a single definition.
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

// The roots of the form definitions, that of today and the one where the
// specification has D1, which is deprecated.
const definitionsPath, formerDefinitionsPath = "/forms/formDefinitions", "/issues/formDefinitions"

// formDefinitionRows are served under both roots.
func formDefinitionRows(svc *forms.Service) []*row {
	update := updateDefinitionRow(svc, "formDefinitions.update", definitionsPath)
	update.Addition = true
	rows := []*row{
		create(Operation{
			ID: "formDefinitions.create", Method: http.MethodPost, Path: definitionsPath, Summary: "Create a form definition", Addition: true,
		}, "formDefinition", func(d forms.FormDefinition) string { return d.ID },
			func(ctx context.Context, x *exchange, n forms.NewFormDefinition) (twinplatform.Result[forms.FormDefinition], error) {
				return x.definitionWritten(svc.CreateFormDefinition(ctx, n))
			}),
		listDefinitionsRow(svc, "formDefinitions.list", definitionsPath),
		listDefinitionsRow(svc, "issues.formDefinitions.list", formerDefinitionsPath),
		getDefinitionRow(svc, "formDefinitions.get", definitionsPath),
		getDefinitionRow(svc, "issues.formDefinitions.get", formerDefinitionsPath),
		updateDefinitionRow(svc, "D1", formerDefinitionsPath),
		update,
		discard(Operation{
			ID: "formDefinitions.delete", Method: http.MethodDelete, Path: definitionsPath + "/{formDefinitionId}", Summary: "Delete a form definition", Addition: true,
		}, func(ctx context.Context, x *exchange) error {
			return svc.DeleteFormDefinition(ctx, x.path("formDefinitionId"))
		}),
	}
	rows = append(rows, definitionSecurityRows(svc)...)
	for _, r := range rows {
		r.bad = forms.InvalidDefinitionRequest
		if r.Method != http.MethodGet {
			r.Permission = forms.PermissionDefine
		}
	}
	return rows
}

func listDefinitionsRow(svc *forms.Service, id, path string) *row {
	return list(Operation{
		ID: id, Method: http.MethodGet, Path: path, Summary: "List the form definitions of a twin", Addition: true, Prefers: true,
		Query: []Parameter{
			{Name: "twinId", alias: "projectId", Required: true, Description: "The GUID of the twin in which the definitions can be used. It or projectId is required."},
			{Name: "type", Description: "List definitions of this type."},
			{Name: "search", Description: "List definitions whose display name contains this text, in upper or lower case."},
			{Name: "status", Description: "List definitions of this status, or any; Approved when left out."},
		},
	}, tokenForward, "formDefinitions",
		func(ctx context.Context, x *exchange, o twinplatform.ListOptions) (twinplatform.Page[forms.FormDefinition], error) {
			page, err := svc.FormDefinitions(ctx, forms.FormDefinitionQuery{
				ListOptions: o, TwinID: x.query("twinId"), Type: x.query("type"), Search: x.query("search"),
				Status: x.query("status"), Representation: x.wantsAll(),
			})
			if err != nil || !x.wantsAll() {
				return page, err
			}
			return remade(page, x.absolute)
		})
}

func getDefinitionRow(svc *forms.Service, id, path string) *row {
	r := get(Operation{
		ID: id, Method: http.MethodGet, Path: path + "/{formDefinitionId}", Summary: "Get a form definition", Addition: true,
	}, "formDefinition", func(ctx context.Context, x *exchange) (out twinplatform.Record[definitionDetails], err error) {
		rec, err := svc.FormDefinition(ctx, x.path("formDefinitionId"))
		if err != nil {
			return out, err
		}
		layout, err := svc.Layout(ctx, rec.Value.ID)
		if err != nil {
			return out, err
		}
		rec = x.absolute(rec)
		out.Value = definitionDetails{rec.Value, twinplatform.NullString(layout.Definition), rec.Value.Discipline}
		out.ETag = rec.ETag
		out.JSON, err = wire.Marshal(out.Value)
		return out, err
	})
	if path == definitionsPath {
		r.apart = "formDefinitions"
	}
	return r
}

// updateDefinitionRow is D1, which has two addresses.
func updateDefinitionRow(svc *forms.Service, id, path string) *row {
	r := change(Operation{
		ID: id, Method: http.MethodPatch, Path: path + "/{formDefinitionId}", Summary: "Update a form definition", Preview: true,
		Deprecated: path == formerDefinitionsPath,
	}, "formDefinition", func(ctx context.Context, x *exchange, p forms.FormDefinitionPatch) (twinplatform.Result[forms.FormDefinition], error) {
		return x.definitionWritten(svc.UpdateFormDefinition(ctx, x.path("formDefinitionId"), p, x.ifMatch()))
	})
	return r
}

func definitionSecurityRows(svc *forms.Service) []*row {
	const path = "/access-control/formDefinitions/{formDefinitionId}"
	twin := []Parameter{{
		Name: "twinId", Description: "The GUID of the twin in which the security holds; the definition's own twin when left out.",
	}}
	return []*row{
		get(Operation{
			ID: "formDefinitions.getSecurity", Method: http.MethodGet, Path: path, Summary: "Get the security of a form definition in a twin",
			Permission: forms.PermissionDefine, Addition: true, Query: twin,
		}, "security", func(ctx context.Context, x *exchange) (rec twinplatform.Record[*forms.Security], err error) {
			if rec.Value, err = svc.Security(ctx, x.path("formDefinitionId"), x.query("twinId")); err != nil {
				return rec, err
			}
			rec.JSON, err = wire.Marshal(rec.Value)
			return rec, err
		}),
		change(Operation{
			ID: "formDefinitions.setSecurity", Method: http.MethodPut, Path: path, Summary: "Set the security of a form definition in a twin",
			Addition: true, Query: twin,
		}, "security", func(ctx context.Context, x *exchange, b securityBody) (out twinplatform.Result[*forms.Security], err error) {
			if !b.Security.Present() {
				return out, x.row.invalid(twinplatform.Detail{
					Code: "MissingRequiredProperty", Target: "security",
					Message: "The required property 'security' is missing. Null leaves the forms to the permissions on the twin.",
				})
			}
			var sec *forms.Security
			b.Security.ApplyPointer(&sec)
			if err := svc.SetSecurity(ctx, x.path("formDefinitionId"), x.query("twinId"), sec); err != nil {
				return out, err
			}
			text, err := wire.Marshal(sec)
			out.Records = []twinplatform.Record[*forms.Security]{{Value: sec, JSON: text}}
			return out, err
		}),
	}
}

// definitionWritten is a definition as it was written, with absolute links.
func (x *exchange) definitionWritten(res twinplatform.Result[forms.FormDefinition], err error) (twinplatform.Result[forms.FormDefinition], error) {
	for i := range res.Records {
		res.Records[i] = x.absolute(res.Records[i])
	}
	return res, err
}

// absolute is a definition with the absolute link to its designer, where it has
// one.
func (x *exchange) absolute(rec twinplatform.Record[forms.FormDefinition]) twinplatform.Record[forms.FormDefinition] {
	if rec.Value.Links == nil || !strings.HasPrefix(rec.Value.Links.Design.Href, "/") {
		return rec
	}
	rec.Value.Links = &forms.DefinitionLinks{Design: forms.Link{Href: x.to(rec.Value.Links.Design.Href).Href}}
	var err error
	if rec.JSON, err = wire.Marshal(rec.Value); err != nil {
		panic(err) // what was read encodes again
	}
	return rec
}
