package httpapi

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
)

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
		rows: func() rows {
			return slices.Concat(formRows(svc, asForms), formRows(svc, asIssues).issued(), formDefinitionRows(svc)).strict("InvalidValue")
		},
	}
}

// filing is one of the two ways in which clients know forms: where they are, and what
// bodies call them. What is done in one way is seen in the other.
type filing struct {
	root      string
	many, one string // keys of bodies
	name      string // that operations are called after
	part      string // that operations on parts of a form are called after
	id        string // in paths
	thing     string // in summaries
}

var (
	asForms = filing{
		root: "/forms", many: "forms.formDataInstances", one: "formData", name: "forms", part: "form", id: "formId", thing: "form",
	}
	asIssues = filing{
		root: "/issues", many: "issues", one: "issue", name: "issues", part: "issue", id: "issueId", thing: "issue",
	}
)

func formRows(svc *forms.Service, at filing) rows {
	n := &noun{path: at.root, many: at.many, one: at.one, things: at.thing + "s of a twin", thing: "an " + at.thing, name: at.name, id: at.id}
	if at == asForms {
		n.things, n.thing = "form data instances", "a form"
	}
	trail := &noun{path: n.each() + "/auditTrailEntries", many: "auditTrailEntries", things: "what was done with " + n.thing}
	return slices.Concat(rows{
		formList(svc, n, at),
		completed(create(n, svc.CreateForm), linkedForm).needs(forms.PermissionCreate),
		completed(get(n, svc.Form), linkedForm),
		completed(update(n, svc.UpdateForm), linkedForm).needs(forms.PermissionApprove + " for the status, it or " + forms.PermissionAssign + " for assignees, " +
			forms.PermissionModify + " or " + forms.PermissionCreate + " for all else"),
		discard(n, svc.DeleteForm).needs(forms.PermissionDelete),
		listIn(trail, tokenForward, svc.AuditTrail).named(at.name + ".auditTrail"),
	}, formCommentRows(svc, n, at), formAttachmentRows(svc, n, at))
}

// issued makes the errors of rows say which part of a path misses, where that part is
// called otherwise than the services call it.
func (rs rows) issued() rows {
	for _, r := range rs {
		if !strings.Contains(r.Path, "{"+asIssues.id+"}") {
			continue
		}
		serve := r.serve
		r.serve = func(ctx context.Context, x *exchange) error {
			return retargeted(serve(ctx, x), asForms.id, asIssues.id)
		}
	}
	return rs
}

func formList(svc *forms.Service, n *noun, at filing) *row {
	type query = forms.FormQuery
	r := listOf(n, tokenForward, reflect.TypeFor[forms.Form](), func(ctx context.Context, x *exchange, q query) (page, error) {
		if !x.wantsAll() {
			return pageOf(svc.FormSummaries(ctx, q))
		}
		found, err := pageOf(svc.Forms(ctx, q))
		if err != nil {
			return found, err
		}
		wire, err := x.linkForms(found.JSON(), q.TwinID)
		return twinplatform.MapPage[any](found, wire, nil), err
	},
		text("twinId", "The GUID of the twin whose forms are listed. It or projectId is required.", func(q *query) *string { return &q.TwinID }).or("projectId").required(),
		text("type", "List forms of this type.", func(q *query) *string { return &q.Type }),
		text("state", "List forms in this state: Open, Closed or Draft.", func(q *query) *forms.State { return &q.State }),
		text("discipline", "List forms of this discipline.", func(q *query) *string { return &q.Discipline }),
	).shortly(reflect.TypeFor[forms.FormSummary]())
	if r.Prefers = true; at == asForms {
		r.Version = 2
		return r.spec("F1").shaped(topVersion, 2)
	}
	return r
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
		out[i], _ = linkedForm(x, &forms.Form{FormID: f.FormID, SourceEntity: f.SourceEntity, TwinID: strings.ToLower(twinID)}, record)
	}
	return out, nil
}

// linkedForm is a form with links to its definition, its twin and its source.
func linkedForm(x *exchange, f *forms.Form, stored []byte) ([]byte, error) {
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
	return withLinks(stored, links), nil
}
