package httpapi

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
	"github.com/seed-933f9a09/twinplatform/transform"
)

const (
	allConfigurations = "/transformations/configurations"
	eachConfiguration = allConfigurations + "/{configurationId}"
)

func transformationsArea(svc *transform.Service) area {
	return area{
		name:   "transformations",
		served: svc != nil,
		scopes: []string{twinplatform.ScopePlatform},
		read:   transform.PermissionProjectRead,
		modify: transform.PermissionModelsWrite,
		bad:    transform.InvalidRequest,
		rows:   configurationRows(svc),
	}
}

// configurationAnswer is a configuration with its references as links.
type configurationAnswer struct {
	transform.Configuration
	TransformParameters parametersAnswer `json:"transformParameters"`
	Links               struct {
		SourceModel   href `json:"sourceModel"`
		SourceProject href `json:"sourceProject"`
		TargetModel   href `json:"targetModel"`
		TargetProject href `json:"targetProject"`
	} `json:"_links"`
}

type parametersAnswer struct {
	transform.Parameters
	Links struct {
		SavedView href `json:"savedView"`
	} `json:"_links"`
}

type oneConfiguration struct {
	Configuration configurationAnswer `json:"configuration"`
}

type manyConfigurations struct {
	Configurations []configurationAnswer `json:"configurations"`
	Links          json.RawMessage       `json:"_links"`
}

// at is the address of a thing below the handler's root.
func (x *exchange) at(collection, id string) href {
	return href{string(x.base(nil)) + collection + "/" + url.PathEscape(id)}
}

func (x *exchange) linked(c transform.Configuration) (out configurationAnswer) {
	out.Configuration = c
	out.TransformParameters.Parameters = c.TransformParameters
	out.TransformParameters.Links.SavedView = x.at(allSavedViews, c.References.SavedViewID)
	out.Links.SourceModel = x.at(allModels, c.References.SourceModelID)
	out.Links.TargetModel = x.at(allModels, c.References.TargetModelID)
	out.Links.SourceProject = x.at(allTwins, c.References.SourceProjectID)
	out.Links.TargetProject = x.at(allTwins, c.References.TargetProjectID)
	return out
}

// nextWindow is where the page after a window begins; empty when it is the last.
func nextWindow[T any](w window, page twinplatform.Page[T]) string {
	if page.Next == "" {
		return ""
	}
	return strconv.Itoa(w.skip + page.Len())
}

func configurationRows(svc *transform.Service) []*row {
	created := answer(Operation{
		ID: "T1", Method: http.MethodPost, Path: allConfigurations + "/filterbysavedview", Summary: "Create a filter-by-saved-view configuration", Preview: true,
		Permission: transform.PermissionModelsRead + " at the source, " + transform.PermissionModelsWrite + " at the target",
	}, http.StatusCreated, decodeBody[transform.NewConfiguration],
		func(ctx context.Context, x *exchange, n transform.NewConfiguration) (out oneConfiguration, err error) {
			res, err := svc.CreateConfiguration(ctx, n)
			if err != nil {
				return out, err
			}
			x.w.Header().Set("ETag", res.Records[0].ETag)
			x.w.Header().Set("Location", x.at(allConfigurations, res.Value().ID).Href)
			out.Configuration = x.linked(res.Value())
			return out, nil
		})
	created.noBody = &twinplatform.Error{
		Kind: twinplatform.Unprocessable, Code: "MissingRequestBody", Message: "The request body is missing.",
	}
	return []*row{
		created,
		answer(Operation{
			ID: "configurations.list", Method: http.MethodGet, Path: allConfigurations, Summary: "List configurations of a target", Addition: true,
			Query: append([]Parameter{
				{Name: "projectId", alias: "targetTwinId", Description: "The target project. Required without targetModelId."},
				{Name: "targetModelId", Description: "The target model."},
			}, windowParameters...),
		}, http.StatusOK, decodeWindow, func(ctx context.Context, x *exchange, w window) (out manyConfigurations, err error) {
			w.IfNoneMatch = "" // links are no part of the version
			page, err := svc.Configurations(ctx, transform.ConfigurationQuery{
				ListOptions: w.ListOptions, Skip: w.skip, ProjectID: x.query("projectId"), TargetModelID: x.query("targetModelId"),
			})
			if err != nil {
				return out, err
			}
			out.Links = x.windowLinks(nil, page.Top, nextWindow(w, page))
			out.Configurations = make([]configurationAnswer, 0, page.Len())
			for c, err := range page.All() {
				if err != nil {
					return out, err
				}
				out.Configurations = append(out.Configurations, x.linked(c))
			}
			return out, nil
		}),
		get(Operation{ID: "configurations.get", Method: http.MethodGet, Path: eachConfiguration, Summary: "Get a configuration", Addition: true}, "configuration",
			func(ctx context.Context, x *exchange) (out twinplatform.Record[configurationAnswer], err error) {
				rec, err := svc.Configuration(ctx, x.path("configurationId"))
				if err != nil {
					return out, err
				}
				out.ETag, out.Value = rec.ETag, x.linked(rec.Value)
				out.JSON, err = wire.Marshal(out.Value)
				return out, err
			}),
		discard(Operation{ID: "configurations.delete", Method: http.MethodDelete, Path: eachConfiguration, Summary: "Delete a configuration", Addition: true},
			func(ctx context.Context, x *exchange) error {
				return svc.DeleteConfiguration(ctx, x.path("configurationId"))
			}),
	}
}
