package httpapi

import (
	"context"
	"net/http"
	"path"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/twins"
)

const (
	allModels     = "/models"
	allSavedViews = "/saved-views"
)

// modelsArea is the registry of models and saved views, an addition.
func modelsArea(svc *transform.Service) area {
	return area{
		name:   "models",
		served: svc != nil,
		scopes: []string{twinplatform.ScopePlatform},
		read:   transform.PermissionModelsRead,
		modify: transform.PermissionModelsWrite,
		bad:    transform.InvalidModelRequest,
		maxTop: transform.MaxTop,
		rows: func() rows {
			return slices.Concat(modelRows(svc), changesetRows(svc), elementRows(svc), namedVersionRows(svc), modelMemberRows(svc), savedViewRows(svc))
		},
	}
}

func modelRows(svc *transform.Service) rows {
	n := &noun{path: allModels, many: "models", one: "model", things: "models of a twin", thing: "a model"}
	return rows{
		create(n, svc.CreateModel).says("Register a model"),
		list(n, paging{}, svc.Models,
			text("twinId", "The twin whose models are listed.", func(q *transform.ModelQuery) *string { return &q.TwinID }).required()),
		get(n, svc.Model),
		discard(n, svc.DeleteModel).says("Delete a model with its saved views"),
	}
}

func modelMemberRows(svc *transform.Service) rows {
	n := &noun{path: inModel + "/members", many: "members", one: "member", name: "modelMembers", things: "the members of a model", thing: "a member of a model"}
	rs := rows{
		listIn(n, paging{}, svc.ModelMembers),
		getIn(n, svc.ModelMember),
		createIn(n, svc.CreateModelMember).says("Give somebody roles at a model"),
		updateIn(n, svc.UpdateModelMember),
		discardIn(n, svc.DeleteModelMember).says("Take all roles at a model from somebody"),
	}
	rs.changing().need(twins.PermissionManageMembers + " at the twin of the model, and what the roles hold of " + transform.PermissionModelsRead + " and " + transform.PermissionModelsWrite)
	return rs.strict("InvalidValue")
}

func savedViewRows(svc *transform.Service) rows {
	n := &noun{path: allSavedViews, many: "savedViews", one: "savedView", things: "saved views of a model", thing: "a saved view"}
	rs := slices.Concat(rows{
		create(n, svc.CreateSavedView).says("Register a saved view"),
		list(n, paging{}, svc.SavedViews,
			text("modelId", "The model whose views are listed.", func(q *transform.SavedViewQuery) *string { return &q.ModelID }).required(),
			text("groupId", "The group whose views are listed.", func(q *transform.SavedViewQuery) *string { return &q.GroupID })),
		get(n, svc.SavedView),
		update(n, svc.UpdateSavedView),
		discard(n, svc.DeleteSavedView),
	}, viewGroupRows(svc), viewTagRows(svc), viewExtensionRows(svc), viewImageRows(svc)).refuse(transform.InvalidSavedViewRequest)
	for _, r := range rs {
		if r.Method == http.MethodPatch || r.Method == http.MethodPut {
			rows{r}.strict("InvalidValue")
		}
	}
	return rs
}

func viewGroupRows(svc *transform.Service) rows {
	n := &noun{path: allSavedViews + "/groups", many: "groups", one: "group", name: "savedViewGroups", things: "the groups of saved views of a model", thing: "a group of saved views"}
	return rows{
		create(n, svc.CreateViewGroup),
		list(n, paging{}, svc.ViewGroups,
			text("modelId", "The model whose groups are listed.", func(q *transform.ViewGroupQuery) *string { return &q.ModelID }).required()),
		get(n, svc.ViewGroup),
		update(n, svc.UpdateViewGroup),
		discard(n, svc.DeleteViewGroup),
	}.besideViews(n)
}

func viewTagRows(svc *transform.Service) rows {
	n := &noun{path: allSavedViews + "/tags", many: "tags", one: "tag", name: "savedViewTags", things: "the tags of saved views of a model", thing: "a tag of saved views"}
	return rows{
		create(n, svc.CreateViewTag),
		list(n, paging{}, svc.ViewTags,
			text("modelId", "The model whose tags are listed.", func(q *transform.ViewTagQuery) *string { return &q.ModelID }).required()),
		get(n, svc.ViewTag),
		update(n, svc.UpdateViewTag),
		discard(n, svc.DeleteViewTag),
	}.besideViews(n)
}

// besideViews sets rows apart from /saved-views/{savedViewId}/extensions.
func (rs rows) besideViews(n *noun) rows {
	for _, r := range rs {
		if r.Path == n.each() {
			r.apart = path.Base(n.path)
		}
	}
	return rs
}

func viewExtensionRows(svc *transform.Service) rows {
	n := &noun{path: allSavedViews + "/{savedViewId}/extensions", many: "extensions", one: "extension", name: "savedViewExtensions", id: "extensionName", things: "the extensions of a saved view", thing: "an extension of a saved view"}
	return rows{
		listIn(n, paging{noDelta: true}, svc.ViewExtensions),
		getIn(n, svc.ViewExtension),
		writes(n.operation("set", http.MethodPut, n.path, "Give a saved view an extension, or replace the one of its name"), changed(n.one),
			func(ctx context.Context, x *exchange, b transform.NewViewExtension) (twinplatform.Result[transform.ViewExtension], error) {
				return svc.SetViewExtension(ctx, x.nth(0), b, x.preconditions()...)
			}),
		discardIn(n, svc.DeleteViewExtension),
	}
}
