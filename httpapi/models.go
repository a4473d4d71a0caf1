package httpapi

import (
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
	return rows{
		create(n, svc.CreateSavedView).says("Register a saved view"),
		list(n, paging{}, svc.SavedViews,
			text("modelId", "The model whose views are listed.", func(q *transform.SavedViewQuery) *string { return &q.ModelID }).required()),
		get(n, svc.SavedView),
		discard(n, svc.DeleteSavedView),
	}.refuse(transform.InvalidSavedViewRequest)
}
