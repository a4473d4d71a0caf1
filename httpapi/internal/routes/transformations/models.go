package transformations

import (
	"context"
	"net/http"
	"path"
	"reflect"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/transform/models"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// Models is the registry of models and saved views, an addition.
func Models(svc *models.Service) cycle.Area {
	return cycle.Area{
		Name:    "models",
		Served:  svc != nil,
		Scopes:  []string{twinplatform.ScopePlatform},
		Read:    models.PermissionModelsRead,
		Modify:  models.PermissionModelsWrite,
		Bad:     models.InvalidModelRequest,
		MaxTop:  models.MaxTop,
		Schemas: modelSchemas,
		Routes: func() cycle.Routes {
			return slices.Concat(slices.Concat(modelRoutes(svc), changesetRoutes(svc), elementRoutes(svc),
				namedVersionRoutes(svc)).Share(), modelMemberRoutes(svc), savedViewRoutes(svc))
		},
	}
}

func modelRoutes(svc *models.Service) cycle.Routes {
	n := &route.Resource{
		Path: route.Models, Many: "models", One: "model", Plural: "models of a twin",
		Singular: "a model",
	}
	return cycle.Routes{
		route.Create(n, svc.CreateModel).Summarized("Register a model"),
		route.List(n, cycle.Paging{}, svc.Models,
			route.Text("twinId", "The GUID of the twin whose models are listed.",
				func(q *models.ModelQuery) *string { return &q.TwinID }).Must()),
		route.Get(n, svc.Model),
		route.Discard(n, svc.DeleteModel).Summarized("Delete a model with its saved views"),
	}
}

func modelMemberRoutes(svc *models.Service) cycle.Routes {
	n := &route.Resource{
		Path: inModel + "/members", Many: "members", One: "member", Name: "modelMembers",
		Plural: "the members of a model", Singular: "a member of a model",
	}
	rs := cycle.Routes{
		route.ListIn(n, cycle.Paging{}, svc.ModelMembers),
		route.GetIn(n, svc.ModelMember),
		route.CreateIn(n, route.Makes(svc.CreateModelMember)).Summarized("Give a member roles at a model"),
		route.UpdateIn(n, route.Changes(svc.UpdateModelMember)),
		route.DiscardIn(n, svc.DeleteModelMember).Summarized("Take all roles at a model from a member"),
	}
	rs.Changing().Need(twins.PermissionManageMembers + " at the twin of the model, and what the roles hold of " +
		models.PermissionModelsRead + " and " + models.PermissionModelsWrite)
	return rs.Strict("InvalidValue")
}

func savedViewRoutes(svc *models.Service) cycle.Routes {
	n := &route.Resource{
		Path: route.SavedViews, Many: "savedViews", One: "savedView", Plural: "saved views of a model",
		Singular: "a saved view",
	}
	rs := slices.Concat(slices.Concat(cycle.Routes{
		route.Create(n, svc.CreateSavedView).Summarized("Register a saved view"),
		route.List(n, cycle.Paging{}, svc.SavedViews,
			route.Text("modelId", "The model whose views are listed. Required without twinId.",
				func(q *models.SavedViewQuery) *string { return &q.ModelID }),
			route.Text("twinId", "The GUID of the twin whose views of no model are listed; with modelId, the twin of "+
				"the model.", func(q *models.SavedViewQuery) *string {
				return &q.TwinID
			}),
			route.Text("groupId", "The group whose views are listed.",
				func(q *models.SavedViewQuery) *string { return &q.GroupID })),
		route.Get(n, svc.SavedView),
		route.Update(n, svc.UpdateSavedView),
		route.Discard(n, svc.DeleteSavedView),
	}, viewGroupRoutes(svc), viewTagRoutes(svc), viewExtensionRoutes(svc)).Share(),
		viewImageRoutes(svc)).Refuse(models.InvalidSavedViewRequest)
	for _, r := range rs {
		if r.Method == http.MethodPatch || r.Method == http.MethodPut {
			cycle.Routes{r}.Strict("InvalidValue")
		}
	}
	return rs
}

func viewGroupRoutes(svc *models.Service) cycle.Routes {
	n := &route.Resource{
		Path: route.SavedViews + "/groups", Many: "groups", One: "group", Name: "savedViewGroups",
		Plural: "the groups of saved views of a model", Singular: "a group of saved views",
	}
	return nextToViews(cycle.Routes{
		route.Create(n, svc.CreateViewGroup),
		route.List(n, cycle.Paging{}, svc.ViewGroups,
			route.Text("modelId", "The model whose groups are listed.",
				func(q *models.ViewGroupQuery) *string { return &q.ModelID }).Must()),
		route.Get(n, svc.ViewGroup),
		route.Update(n, svc.UpdateViewGroup),
		route.Discard(n, svc.DeleteViewGroup),
	}, n)
}

func viewTagRoutes(svc *models.Service) cycle.Routes {
	n := &route.Resource{
		Path: route.SavedViews + "/tags", Many: "tags", One: "tag", Name: "savedViewTags",
		Plural: "the tags of saved views of a model", Singular: "a tag of saved views",
	}
	return nextToViews(cycle.Routes{
		route.Create(n, svc.CreateViewTag),
		route.List(n, cycle.Paging{}, svc.ViewTags,
			route.Text("modelId", "The model whose tags are listed.",
				func(q *models.ViewTagQuery) *string { return &q.ModelID }).Must()),
		route.Get(n, svc.ViewTag),
		route.Update(n, svc.UpdateViewTag),
		route.Discard(n, svc.DeleteViewTag),
	}, n)
}

// nextToViews sets routes apart from /saved-views/{savedViewId}/extensions.
func nextToViews(rs cycle.Routes, n *route.Resource) cycle.Routes {
	for _, r := range rs {
		if r.Path == n.Each() {
			r.Apart = path.Base(n.Path)
		}
	}
	return rs
}

func viewExtensionRoutes(svc *models.Service) cycle.Routes {
	n := &route.Resource{
		Path: route.SavedViews + "/{savedViewId}/extensions", Many: "extensions", One: "extension",
		Name: "savedViewExtensions", ID: "extensionName", Plural: "the extensions of a saved view",
		Singular: "an extension of a saved view",
	}
	return cycle.Routes{
		route.ListIn(n, cycle.Paging{NoDelta: true}, svc.ViewExtensions),
		route.GetIn(n, svc.ViewExtension),
		route.Writes(n.Operation("set", http.MethodPut, n.Path,
			"Give a saved view an extension, or replace the one of its name"), route.Changed(n.One),
			func(ctx context.Context, x *cycle.Exchange,
				b models.NewViewExtension,
			) (twinplatform.Result[models.ViewExtension], error) {
				return svc.SetViewExtension(ctx, x.Nth(0), b, x.Preconditions()...)
			}),
		route.DiscardIn(n, svc.DeleteViewExtension),
	}
}

func modelSchemas(b *schema.Book) {
	b.Has(reflect.TypeFor[viewImageBody](), schema.Need("image", schema.Value{MinLength: 1}))
}
