// Package forms has the routes of the forms area.
package forms

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/forms"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
)

// Area is the forms area, served by svc; by nothing where that is nil.
func Area(svc *forms.Service) cycle.Area {
	return cycle.Area{
		Name:    "forms",
		Served:  svc != nil,
		Scopes:  []string{twinplatform.ScopePlatform},
		Read:    forms.PermissionView + " or any other of the area",
		Modify:  forms.PermissionModify,
		Bad:     forms.InvalidRequest,
		MaxTop:  forms.MaxTop,
		Schemas: formSchemas,
		// What cannot be set, the number of a form say, is not passed over as if
		// it had been.
		Routes: func() cycle.Routes {
			return slices.Concat(formRoutes(svc, asForms), ofIssues(formRoutes(svc, asIssues)),
				formDefinitionRoutes(svc)).Strict("InvalidValue").Share()
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
	singular  string // in summaries
}

var (
	asForms = filing{
		root: "/forms", many: "forms.formDataInstances", one: "formData", name: "forms", part: "form", id: "formId",
		singular: "form",
	}
	asIssues = filing{
		root: "/issues", many: "issues", one: "issue", name: "issues", part: "issue", id: "issueId", singular: "issue",
	}
)

func formRoutes(svc *forms.Service, at filing) cycle.Routes {
	n := &route.Resource{
		Path: at.root, Many: at.many, One: at.one, Plural: at.singular + "s of a twin",
		Singular: "an " + at.singular, Name: at.name, ID: at.id,
	}
	if at == asForms {
		n.Plural, n.Singular = "form data instances", "a form"
	}
	trail := &route.Resource{
		Path: n.Each() + "/auditTrailEntries", Many: "auditTrailEntries",
		Plural: "what was done with " + n.Singular,
	}
	return slices.Concat(cycle.Routes{
		formList(svc, n, at),
		route.Completed(route.Create(n, svc.CreateForm), linkedForm).Needs(forms.PermissionCreate),
		route.Completed(route.Get(n, svc.Form), linkedForm),
		route.Completed(route.Update(n, svc.UpdateForm),
			linkedForm).Needs(forms.PermissionApprove + " for the status, it or " + forms.PermissionAssign +
			" for assignees, " +
			forms.PermissionModify + " or " + forms.PermissionCreate + " for all else"),
		route.Discard(n, svc.DeleteForm).Needs(forms.PermissionDelete),
		route.ListIn(trail, cycle.TokenForward, svc.AuditTrail).Named(at.name + ".auditTrail"),
	}, formCommentRoutes(svc, n, at), formAttachmentRoutes(svc, n, at))
}

// ofIssues makes the errors of routes say which part of a path misses, where that part is
// called otherwise than the services call it.
func ofIssues(rs cycle.Routes) cycle.Routes {
	for _, r := range rs {
		if !strings.Contains(r.Path, "{"+asIssues.id+"}") {
			continue
		}
		serve := r.Serve
		r.Serve = func(ctx context.Context, x *cycle.Exchange) error {
			return route.Retargeted(serve(ctx, x), asForms.id, asIssues.id)
		}
	}
	return rs
}

func formList(svc *forms.Service, n *route.Resource, at filing) *cycle.Route {
	type query = forms.FormQuery
	r := route.ListOf(n, cycle.TokenForward, reflect.TypeFor[forms.Form](),
		func(ctx context.Context, x *cycle.Exchange, q query) (cycle.Page, error) {
			if !x.WantsWhole() {
				return route.PageOf(svc.FormSummaries(ctx, q))
			}
			found, err := route.PageOf(svc.Forms(ctx, q))
			if err != nil {
				return found, err
			}
			wire, err := linkForms(x, found.JSON(), q.TwinID)
			return twinplatform.MapPage[any](found, wire, nil), err
		},
		route.Text("twinId", "The GUID of the twin whose forms are listed. It or projectId is required.",
			func(q *query) *string { return &q.TwinID }).Or("projectId").Must(),
		route.Text("type", "List forms of this type.", func(q *query) *string { return &q.Type }),
		route.Text("state", "List forms in this state: Open, Closed or Draft.",
			func(q *query) *forms.State { return &q.State }),
		route.Text("discipline", "List forms of this discipline.", func(q *query) *string { return &q.Discipline }),
	).Shortly(reflect.TypeFor[forms.FormSummary]())
	if r.Prefers = true; at == asForms {
		r.Version = 2
		return r.AsSpecified("F1").Shaped(route.TopVersion, 2)
	}
	return r
}

// linkForms are forms of a twin with their links. Of each only that is decoded
// which links need.
func linkForms(x *cycle.Exchange, records [][]byte, twinID string) ([][]byte, error) {
	out := make([][]byte, len(records))
	for i, record := range records {
		var f struct {
			FormID       string              `json:"formId"`
			SourceEntity *forms.SourceEntity `json:"sourceEntity"`
		}
		if err := json.Unmarshal(record, &f); err != nil {
			return nil, err
		}
		out[i], _ = linkedForm(x, &forms.Form{
			FormID: f.FormID, SourceEntity: f.SourceEntity,
			TwinID: strings.ToLower(twinID),
		}, record)
	}
	return out, nil
}

// linkedForm is a form with links to its definition, its twin and its source.
func linkedForm(x *cycle.Exchange, f *forms.Form, stored []byte) ([]byte, error) {
	links := cycle.Links{
		"formDefinition": x.To("/forms/formDefinitions", f.FormID),
		"twin":           x.To(route.Twins, f.TwinID),
	}
	if f.SourceEntity != nil {
		if file, ok := f.SourceEntity.StorageFile.Get(); ok {
			links["file"] = x.To("/storage/files", file.FileID)
			if file.FolderID != "" {
				links["folder"] = x.To("/storage/folders", file.FolderID)
			}
		}
		if element, ok := f.SourceEntity.ModelElement.Get(); ok {
			links["model"] = x.To(route.Models, element.ModelID)
			if element.ChangeSetID != "" {
				links["modelChangeset"] = x.To(route.Models, element.ModelID, "changesets", element.ChangeSetID)
			}
		}
	}
	return cycle.WithLinks(stored, links), nil
}

func formSchemas(b *schema.Book) {
	b.Has(reflect.TypeFor[securityBody](), schema.Member{Name: "security", Required: true})
}
