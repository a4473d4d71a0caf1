package httpapi

import (
	"context"
	"net/http"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/transform"
)

const (
	allModels     = "/models"
	eachModel     = allModels + "/{modelId}"
	allSavedViews = "/saved-views"
	eachSavedView = allSavedViews + "/{savedViewId}"
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
		rows:   append(modelRows(svc), savedViewRows(svc)...),
	}
}

func modelRows(svc *transform.Service) []*row {
	return []*row{
		create(Operation{ID: "models.create", Method: http.MethodPost, Path: allModels, Summary: "Register a model", Addition: true},
			"model", func(m transform.Model) string { return m.ID },
			func(ctx context.Context, _ *exchange, n transform.NewModel) (twinplatform.Result[transform.Model], error) {
				return svc.CreateModel(ctx, n)
			}),
		list(Operation{
			ID: "models.list", Method: http.MethodGet, Path: allModels, Summary: "List models of a twin", Addition: true,
			Query: []Parameter{{Name: "twinId", Required: true, Description: "The twin whose models are listed."}},
		}, paging{}, "models", func(ctx context.Context, x *exchange, o twinplatform.ListOptions) (twinplatform.Page[transform.Model], error) {
			return svc.Models(ctx, transform.ModelQuery{ListOptions: o, TwinID: x.query("twinId")})
		}),
		get(Operation{ID: "models.get", Method: http.MethodGet, Path: eachModel, Summary: "Get a model", Addition: true}, "model",
			func(ctx context.Context, x *exchange) (twinplatform.Record[transform.Model], error) {
				return svc.Model(ctx, x.path("modelId"))
			}),
		discard(Operation{ID: "models.delete", Method: http.MethodDelete, Path: eachModel, Summary: "Delete a model with its saved views", Addition: true},
			func(ctx context.Context, x *exchange) error { return svc.DeleteModel(ctx, x.path("modelId")) }),
	}
}

func savedViewRows(svc *transform.Service) []*row {
	rows := []*row{
		create(Operation{ID: "savedViews.create", Method: http.MethodPost, Path: allSavedViews, Summary: "Register a saved view", Addition: true},
			"savedView", func(v transform.SavedView) string { return v.ID },
			func(ctx context.Context, _ *exchange, n transform.NewSavedView) (twinplatform.Result[transform.SavedView], error) {
				return svc.CreateSavedView(ctx, n)
			}),
		list(Operation{
			ID: "savedViews.list", Method: http.MethodGet, Path: allSavedViews, Summary: "List saved views of a model", Addition: true,
			Query: []Parameter{{Name: "modelId", Required: true, Description: "The model whose views are listed."}},
		}, paging{}, "savedViews", func(ctx context.Context, x *exchange, o twinplatform.ListOptions) (twinplatform.Page[transform.SavedView], error) {
			return svc.SavedViews(ctx, transform.SavedViewQuery{ListOptions: o, ModelID: x.query("modelId")})
		}),
		get(Operation{ID: "savedViews.get", Method: http.MethodGet, Path: eachSavedView, Summary: "Get a saved view", Addition: true}, "savedView",
			func(ctx context.Context, x *exchange) (twinplatform.Record[transform.SavedView], error) {
				return svc.SavedView(ctx, x.path("savedViewId"))
			}),
		discard(Operation{ID: "savedViews.delete", Method: http.MethodDelete, Path: eachSavedView, Summary: "Delete a saved view", Addition: true},
			func(ctx context.Context, x *exchange) error { return svc.DeleteSavedView(ctx, x.path("savedViewId")) }),
	}
	for _, r := range rows {
		r.bad = transform.InvalidSavedViewRequest
	}
	return rows
}
