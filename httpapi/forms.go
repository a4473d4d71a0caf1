package httpapi

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

const (
	allForms = "/forms"
	eachForm = allForms + "/{formId}"
)

// tokenForward is the paging of lists that go forward by a token and follow no
// changes.
var tokenForward = paging{continuation: "continuationToken", noDelta: true, noETag: true}

func formsArea(svc *forms.Service) area {
	rows := slices.Concat(formRows(svc), formDefinitionRows(svc), formCommentRows(svc), formAttachmentRows(svc))
	for _, r := range rows {
		// What cannot be set, the number of a form say, is not passed over as if
		// it had been.
		r.strict, r.strictCode = true, "InvalidValue"
	}
	return area{
		name:   "forms",
		served: svc != nil,
		scopes: []string{twinplatform.ScopePlatform},
		read:   forms.PermissionView + " or any other of the area",
		modify: forms.PermissionModify,
		bad:    forms.InvalidRequest,
		rows:   rows,
	}
}

func formRows(svc *forms.Service) []*row {
	written := func(x *exchange, res twinplatform.Result[forms.Form], err error) (twinplatform.Result[forms.Form], error) {
		for i := range res.Records {
			res.Records[i] = x.linkedForm(res.Records[i])
		}
		return res, err
	}
	return []*row{
		list(Operation{
			ID: "F1", Method: http.MethodGet, Path: allForms, Summary: "List form data instances", Prefers: true, Version: 2,
			Query: []Parameter{
				{Name: "twinId", alias: "projectId", Required: true, Description: "The GUID of the twin whose forms are listed. It or projectId is required."},
				{Name: "type", Description: "List forms of this type."},
				{Name: "state", Description: "List forms in this state: Open, Closed or Draft."},
				{Name: "discipline", Description: "List forms of this discipline."},
			},
		}, tokenForward, "forms.formDataInstances",
			func(ctx context.Context, x *exchange, o twinplatform.ListOptions) (page twinplatform.Page[forms.Form], err error) {
				q := forms.FormQuery{
					ListOptions: o, TwinID: x.query("twinId"), Type: x.query("type"),
					State: forms.State(x.query("state")), Discipline: x.query("discipline"),
				}
				if !x.wantsAll() {
					short, err := svc.FormSummaries(ctx, q)
					if err != nil {
						return page, err
					}
					page = twinplatform.NewPage[forms.Form](short.JSON(), nil)
					page.Next, page.Top = short.Next, short.Top
					return page, nil
				}
				if page, err = svc.Forms(ctx, q); err != nil {
					return page, err
				}
				return x.linkedForms(page, q.TwinID)
			}),
		create(Operation{
			ID: "forms.create", Method: http.MethodPost, Path: allForms, Summary: "Create a form", Permission: forms.PermissionCreate, Addition: true,
		}, "formData", func(f forms.Form) string { return f.ID },
			func(ctx context.Context, x *exchange, n forms.NewForm) (twinplatform.Result[forms.Form], error) {
				res, err := svc.CreateForm(ctx, n)
				return written(x, res, err)
			}),
		get(Operation{ID: "forms.get", Method: http.MethodGet, Path: eachForm, Summary: "Get a form", Addition: true}, "formData",
			func(ctx context.Context, x *exchange) (twinplatform.Record[forms.Form], error) {
				rec, err := svc.Form(ctx, x.path("formId"))
				if err != nil {
					return rec, err
				}
				return x.linkedForm(rec), nil
			}),
		change(Operation{
			ID: "forms.update", Method: http.MethodPatch, Path: eachForm, Summary: "Update a form", Addition: true,
			Permission: forms.PermissionApprove + " for the status, it or " + forms.PermissionAssign + " for assignees, " +
				forms.PermissionModify + " or " + forms.PermissionCreate + " for all else",
		}, "formData", func(ctx context.Context, x *exchange, p forms.FormPatch) (twinplatform.Result[forms.Form], error) {
			res, err := svc.UpdateForm(ctx, x.path("formId"), p, x.ifMatch())
			return written(x, res, err)
		}),
		discard(Operation{
			ID: "forms.delete", Method: http.MethodDelete, Path: eachForm, Summary: "Delete a form", Permission: forms.PermissionDelete, Addition: true,
		}, func(ctx context.Context, x *exchange) error { return svc.DeleteForm(ctx, x.path("formId")) }),
		list(Operation{
			ID: "forms.auditTrail", Method: http.MethodGet, Path: eachForm + "/auditTrailEntries", Summary: "List what was done with a form", Addition: true,
		}, tokenForward, "auditTrailEntries",
			func(ctx context.Context, x *exchange, o twinplatform.ListOptions) (twinplatform.Page[forms.AuditTrailEntry], error) {
				return svc.AuditTrail(ctx, x.path("formId"), o)
			}),
	}
}

// remade is a page whose records were completed for the client.
func remade[T any](page twinplatform.Page[T], each func(twinplatform.Record[T]) twinplatform.Record[T]) (twinplatform.Page[T], error) {
	values, err := page.Values()
	if err != nil {
		return page, err
	}
	wire := make([][]byte, len(values))
	for i := range values {
		wire[i] = each(twinplatform.Record[T]{Value: values[i], JSON: page.JSON()[i]}).JSON
	}
	out := twinplatform.NewPage[T](wire, nil)
	out.Next, out.Top, out.ETag, out.NotModified = page.Next, page.Top, page.ETag, page.NotModified
	return out, nil
}

// hrefs are the links of a record, by their names.
type hrefs map[string]link

type link struct {
	Href string `json:"href"`
}

// to is a link to a place below the root of the API; names are escaped.
func (x *exchange) to(path string, names ...string) link {
	b := append(x.base(nil), path...)
	for _, name := range names {
		b = append(append(b, '/'), url.PathEscape(name)...)
	}
	return link{string(b)}
}

// withLinks puts links in front of the properties of a record.
func withLinks(record []byte, links hrefs) []byte {
	if len(links) == 0 {
		return record
	}
	b, err := wire.Append([]byte(`{"_links":`), links)
	if err != nil {
		panic(err) // texts always encode
	}
	return append(append(b, ','), record[1:]...)
}

// linkedForms is a page of the forms of a twin with their links. Of each form
// only that is decoded which links need.
func (x *exchange) linkedForms(page twinplatform.Page[forms.Form], twinID string) (twinplatform.Page[forms.Form], error) {
	wire := make([][]byte, page.Len())
	for i, record := range page.JSON() {
		var f struct {
			FormID       string              `json:"formId"`
			SourceEntity *forms.SourceEntity `json:"sourceEntity"`
		}
		if err := json.Unmarshal(record, &f); err != nil {
			return page, err
		}
		rec := x.linkedForm(twinplatform.Record[forms.Form]{JSON: record, Value: forms.Form{
			FormID: f.FormID, SourceEntity: f.SourceEntity, TwinID: strings.ToLower(twinID),
		}})
		wire[i] = rec.JSON
	}
	out := twinplatform.NewPage[forms.Form](wire, nil)
	out.Next, out.Top = page.Next, page.Top
	return out, nil
}

// linkedForm is a form with links to its definition, its twin and its source.
func (x *exchange) linkedForm(rec twinplatform.Record[forms.Form]) twinplatform.Record[forms.Form] {
	f := &rec.Value
	links := hrefs{"formDefinition": x.to("/forms/formDefinitions", f.FormID), "twin": x.to("/twins", f.TwinID)}
	if f.SourceEntity != nil {
		if file, ok := f.SourceEntity.StorageFile.Get(); ok {
			links["file"] = x.to("/storage/files", file.FileID)
			if file.FolderID != "" {
				links["folder"] = x.to("/storage/folders", file.FolderID)
			}
		}
		if element, ok := f.SourceEntity.ModelElement.Get(); ok {
			links["model"] = x.to("/models", element.ModelID)
			if element.ChangeSetID != "" {
				links["modelChangeset"] = x.to("/models", element.ModelID, "changesets", element.ChangeSetID)
			}
		}
	}
	rec.JSON = withLinks(rec.JSON, links)
	return rec
}
