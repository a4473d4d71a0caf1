package httpapi

import (
	"context"
	"encoding/json"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

const eachForm = "/forms/{formId}"

func formsArea(svc *forms.Service) area {
	return area{
		name:   "forms",
		served: svc != nil,
		scopes: []string{twinplatform.ScopePlatform},
		read:   forms.PermissionView + " or any other of the area",
		modify: forms.PermissionModify,
		bad:    forms.InvalidRequest,
		maxTop: forms.MaxTop,
		// What cannot be set, the number of a form say, is not passed over as if
		// it had been.
		rows: slices.Concat(formRows(svc), formDefinitionRows(svc), formCommentRows(svc), formAttachmentRows(svc)).strict("InvalidValue"),
	}
}

func formRows(svc *forms.Service) rows {
	n := &noun{path: "/forms", many: "forms.formDataInstances", one: "formData", things: "form data instances", thing: "a form", name: "forms", id: "formId"}
	trail := &noun{path: n.each() + "/auditTrailEntries", many: "auditTrailEntries", things: "what was done with a form"}
	return rows{
		formList(svc, n),
		writes(n.creates(), created(n.one), func(ctx context.Context, x *exchange, b forms.NewForm) (twinplatform.Result[forms.Form], error) {
			return rewritten(x, linkedForm)(svc.CreateForm(ctx, b))
		}).needs(forms.PermissionCreate),
		n.getRow(reflect.TypeFor[forms.Form](), func(ctx context.Context, x *exchange) (record, error) {
			rec, err := svc.Form(ctx, x.path("formId"))
			if err == nil {
				rec.JSON, err = linkedForm(x, rec)
			}
			return recordOf(rec, err)
		}),
		writes(n.updates(), changed(n.one), func(ctx context.Context, x *exchange, p forms.FormPatch) (twinplatform.Result[forms.Form], error) {
			return rewritten(x, linkedForm)(svc.UpdateForm(ctx, x.path("formId"), p, x.ifMatch()))
		}).needs(forms.PermissionApprove + " for the status, it or " + forms.PermissionAssign + " for assignees, " +
			forms.PermissionModify + " or " + forms.PermissionCreate + " for all else"),
		discard(n, svc.DeleteForm).needs(forms.PermissionDelete),
		listIn(trail, tokenForward, svc.AuditTrail).named("forms.auditTrail"),
	}
}

func formList(svc *forms.Service, n *noun) *row {
	type query = forms.FormQuery
	r := listOf(n, tokenForward, reflect.TypeFor[forms.Form](), func(ctx context.Context, x *exchange, q query) (page, error) {
		if !x.wantsAll() {
			return pageOf(svc.FormSummaries(ctx, q))
		}
		found, err := pageOf(svc.Forms(ctx, q))
		if err != nil {
			return found, err
		}
		found.wire, err = x.linkForms(found.wire, q.TwinID)
		return found, err
	},
		text("twinId", "The GUID of the twin whose forms are listed. It or projectId is required.", func(q *query) *string { return &q.TwinID }).or("projectId").required(),
		text("type", "List forms of this type.", func(q *query) *string { return &q.Type }),
		text("state", "List forms in this state: Open, Closed or Draft.", func(q *query) *forms.State { return &q.State }),
		text("discipline", "List forms of this discipline.", func(q *query) *string { return &q.Discipline }),
	).spec("F1").shortly(reflect.TypeFor[forms.FormSummary]())
	r.Prefers, r.Version = true, 2
	return r
}

// completion is the wire form of a record as the client gets it, with what only
// the handler knows.
type completion[T any] func(*exchange, twinplatform.Record[T]) ([]byte, error)

// remade makes of what a list returns a page of completed records.
func remade[T any](x *exchange, complete completion[T]) func(twinplatform.Page[T], error) (page, error) {
	return func(from twinplatform.Page[T], err error) (page, error) {
		out, err := pageOf(from, err)
		if err != nil {
			return out, err
		}
		values, err := from.Values()
		if err != nil {
			return out, err
		}
		out.wire = slices.Clone(out.wire)
		for i := range values {
			if out.wire[i], err = complete(x, twinplatform.Record[T]{Value: values[i], JSON: out.wire[i]}); err != nil {
				return out, err
			}
		}
		return out, nil
	}
}

// rewritten makes of what a write returns one with completed records.
func rewritten[T any](x *exchange, complete completion[T]) func(twinplatform.Result[T], error) (twinplatform.Result[T], error) {
	return func(res twinplatform.Result[T], err error) (twinplatform.Result[T], error) {
		for i := range res.Records {
			if err == nil {
				res.Records[i].JSON, err = complete(x, res.Records[i])
			}
		}
		return res, err
	}
}

// hrefs are the links of a record, by their names.
type hrefs map[string]href

type href struct {
	Href string `json:"href"`
}

// to is a link to a place below the root of the API; names are escaped.
func (x *exchange) to(path string, names ...string) href {
	b := append(x.base(nil), path...)
	for _, name := range names {
		b = append(append(b, '/'), url.PathEscape(name)...)
	}
	return href{string(b)}
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

// linkForms are forms of a twin with their links. Of each only that is decoded
// which links need.
func (x *exchange) linkForms(records [][]byte, twinID string) ([][]byte, error) {
	out := make([][]byte, len(records))
	for i, record := range records {
		var f struct {
			FormID       string              `json:"formId"`
			SourceEntity *forms.SourceEntity `json:"sourceEntity"`
		}
		if err := json.Unmarshal(record, &f); err != nil {
			return nil, err
		}
		out[i], _ = linkedForm(x, twinplatform.Record[forms.Form]{JSON: record, Value: forms.Form{
			FormID: f.FormID, SourceEntity: f.SourceEntity, TwinID: strings.ToLower(twinID),
		}})
	}
	return out, nil
}

// linkedForm is a form with links to its definition, its twin and its source.
func linkedForm(x *exchange, rec twinplatform.Record[forms.Form]) ([]byte, error) {
	f := &rec.Value
	links := hrefs{"formDefinition": x.to("/forms/formDefinitions", f.FormID), "twin": x.to(allTwins, f.TwinID)}
	if f.SourceEntity != nil {
		if file, ok := f.SourceEntity.StorageFile.Get(); ok {
			links["file"] = x.to("/storage/files", file.FileID)
			if file.FolderID != "" {
				links["folder"] = x.to("/storage/folders", file.FolderID)
			}
		}
		if element, ok := f.SourceEntity.ModelElement.Get(); ok {
			links["model"] = x.to(allModels, element.ModelID)
			if element.ChangeSetID != "" {
				links["modelChangeset"] = x.to(allModels, element.ModelID, "changesets", element.ChangeSetID)
			}
		}
	}
	return withLinks(rec.JSON, links), nil
}
