// Package transformations has the routes of the transformations area and of the registry of models.
package transformations

import (
	"context"
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/cycle"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/route"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
	"github.com/seed-933f9a09/twinplatform/transform"
)

// Area is the transformations area, served by svc; by nothing where that is nil.
func Area(svc *transform.Service) cycle.Area {
	return cycle.Area{
		Name:   "transformations",
		Served: svc != nil,
		Scopes: []string{twinplatform.ScopePlatform},
		Read:   transform.PermissionProjectRead,
		Modify: transform.PermissionModelsWrite,
		Bad:    transform.InvalidRequest,
		MaxTop: transform.MaxTop,
		Routes: func() cycle.Routes { return append(transformationRoutes(svc), configurationRoutes(svc)...) },
	}
}

// twinVersion is the version of the media type in which what was called projects is
// called twins.
const twinVersion = 2

// configurationAnswer is a configuration with its references as links.
type configurationAnswer struct {
	transform.Configuration
	TransformParameters parametersAnswer `json:"transformParameters"`
	Links               struct {
		SourceModel   cycle.Link  `json:"sourceModel"`
		SourceProject *cycle.Link `json:"sourceProject,omitempty"` // in version 1
		SourceTwin    *cycle.Link `json:"sourceTwin,omitempty"`    // in version 2, the same
		TargetModel   cycle.Link  `json:"targetModel"`
		TargetProject *cycle.Link `json:"targetProject,omitempty"` // in version 1
		TargetTwin    *cycle.Link `json:"targetTwin,omitempty"`    // in version 2, the same
	} `json:"_links"`
}

type parametersAnswer struct {
	transform.Parameters
	Links struct {
		SavedView cycle.Link `json:"savedView"`
	} `json:"_links"`
}

type oneConfiguration struct {
	Configuration configurationAnswer `json:"configuration"`
}

func linked(x *cycle.Exchange, c transform.Configuration) (out configurationAnswer) {
	out.Configuration = c
	out.TransformParameters.Parameters = c.TransformParameters
	out.TransformParameters.Links.SavedView = x.To(route.SavedViews, c.References.SavedViewID)
	out.Links.SourceModel = x.To(route.Models, c.References.SourceModelID)
	out.Links.TargetModel = x.To(route.Models, c.References.TargetModelID)
	source, target := x.To(route.Twins, c.References.SourceProjectID), x.To(route.Twins, c.References.TargetProjectID)
	if x.Version() == twinVersion {
		out.Links.SourceTwin, out.Links.TargetTwin = &source, &target
	} else {
		out.Links.SourceProject, out.Links.TargetProject = &source, &target
	}
	return out
}

func configurationRoutes(svc *transform.Service) cycle.Routes {
	n := &route.Resource{
		Path: "/transformations/configurations", Many: "configurations", One: "configuration",
		Plural: "configurations of a target", Singular: "a configuration",
	}
	creates := n.Creates()
	creates.Path += "/filterbysavedview"
	created := route.Answer(creates, http.StatusCreated,
		func(ctx context.Context, x *cycle.Exchange, b transform.NewConfiguration) (out oneConfiguration, err error) {
			res, err := svc.CreateConfiguration(ctx, b)
			if err != nil {
				return out, err
			}
			x.W.Header().Set("ETag", res.Records[0].ETag)
			x.W.Header().Set("Location", x.To(n.Path, res.Value().ID).Href)
			out.Configuration = linked(x, res.Value())
			return out, nil
		}).AsSpecified("T1").AsPreview().Summarized("Create a filter-by-saved-view configuration").
		Needs(transform.PermissionModelsRead + " at the source, " + transform.PermissionModelsWrite + " at the target")
	created.Replies[0].Headers = []string{"ETag", "Location"}
	created.NoBody = &twinplatform.Error{
		Kind: twinplatform.Unprocessable, Code: "MissingRequestBody", Message: "The request body is missing.",
	}
	rs := cycle.Routes{
		created,
		configurationList(n, svc),
		n.GetRoute(reflect.TypeFor[configurationAnswer](),
			func(ctx context.Context, x *cycle.Exchange) (cycle.Record, error) {
				rec, err := svc.Configuration(ctx, x.Path("configurationId"))
				if err == nil {
					rec.JSON, err = wire.Marshal(linked(x, rec.Value))
				}
				return route.RecordOf(x, &rec, err)
			}),
		route.Discard(n, svc.DeleteConfiguration),
	}
	for _, r := range rs {
		r.Shaped(1, twinVersion)
	}
	for _, r := range rs[2:] {
		r.Apart = "configurations" // next to /transformations/{transformationId}/report
	}
	return rs
}

// configurationList has no version: links are no part of one.
func configurationList(n *route.Resource, svc *transform.Service) *cycle.Route {
	type query = transform.ConfigurationQuery
	return n.WindowRoute(reflect.TypeFor[configurationAnswer](), reflect.TypeFor[query](),
		func(ctx context.Context, x *cycle.Exchange, asked any) (cycle.Page, error) {
			q := *asked.(*query)
			q.IfNoneMatch = ""
			from, err := svc.Configurations(ctx, q)
			if from.ETag = ""; err != nil || q.Minimal {
				return route.PageOf(from, err)
			}
			return route.MapPage(x, from, func(x *cycle.Exchange, c *transform.Configuration, _ []byte) ([]byte,
				error,
			) {
				return wire.Marshal(linked(x, *c))
			})
		}, []route.Filter{
			route.Text("projectId", "The GUID of the target project. Required without targetModelId.",
				func(q *query) *string { return &q.ProjectID }).Or("targetTwinId").Refers("twins"),
			route.Text("targetModelId", "The target model.", func(q *query) *string { return &q.TargetModelID }),
			route.Skip(func(q *query) *int { return &q.Skip }),
			route.Short(func(q *query) *bool { return &q.Minimal }),
		}).Shortly(reflect.TypeFor[transform.ConfigurationSummary]()).Unversioned()
}
