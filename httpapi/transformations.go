package httpapi

import (
	"context"
	"net/http"
	"reflect"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
	"github.com/seed-933f9a09/twinplatform/transform"
)

func transformationsArea(svc *transform.Service) area {
	return area{
		name:   "transformations",
		served: svc != nil,
		scopes: []string{twinplatform.ScopePlatform},
		read:   transform.PermissionProjectRead,
		modify: transform.PermissionModelsWrite,
		bad:    transform.InvalidRequest,
		maxTop: transform.MaxTop,
		rows:   func() rows { return append(transformationRows(svc), configurationRows(svc)...) },
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
		SourceModel   href  `json:"sourceModel"`
		SourceProject *href `json:"sourceProject,omitempty"` // in version 1
		SourceTwin    *href `json:"sourceTwin,omitempty"`    // in version 2, the same
		TargetModel   href  `json:"targetModel"`
		TargetProject *href `json:"targetProject,omitempty"` // in version 1
		TargetTwin    *href `json:"targetTwin,omitempty"`    // in version 2, the same
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

func (x *exchange) linked(c transform.Configuration) (out configurationAnswer) {
	out.Configuration = c
	out.TransformParameters.Parameters = c.TransformParameters
	out.TransformParameters.Links.SavedView = x.to(allSavedViews, c.References.SavedViewID)
	out.Links.SourceModel = x.to(allModels, c.References.SourceModelID)
	out.Links.TargetModel = x.to(allModels, c.References.TargetModelID)
	source, target := x.to(allTwins, c.References.SourceProjectID), x.to(allTwins, c.References.TargetProjectID)
	if x.version() == twinVersion {
		out.Links.SourceTwin, out.Links.TargetTwin = &source, &target
	} else {
		out.Links.SourceProject, out.Links.TargetProject = &source, &target
	}
	return out
}

func configurationRows(svc *transform.Service) rows {
	n := &noun{
		path: "/transformations/configurations", many: "configurations", one: "configuration",
		things: "configurations of a target", thing: "a configuration",
	}
	creates := n.creates()
	creates.Path += "/filterbysavedview"
	created := answer(creates, http.StatusCreated, func(ctx context.Context, x *exchange, b transform.NewConfiguration) (out oneConfiguration, err error) {
		res, err := svc.CreateConfiguration(ctx, b)
		if err != nil {
			return out, err
		}
		x.w.Header().Set("ETag", res.Records[0].ETag)
		x.w.Header().Set("Location", x.to(n.path, res.Value().ID).Href)
		out.Configuration = x.linked(res.Value())
		return out, nil
	}).spec("T1").preview().says("Create a filter-by-saved-view configuration").
		needs(transform.PermissionModelsRead + " at the source, " + transform.PermissionModelsWrite + " at the target")
	created.replies[0].headers = []string{"ETag", "Location"}
	created.noBody = &twinplatform.Error{
		Kind: twinplatform.Unprocessable, Code: "MissingRequestBody", Message: "The request body is missing.",
	}
	rs := rows{
		created,
		configurationList(n, svc),
		n.getRow(reflect.TypeFor[configurationAnswer](), func(ctx context.Context, x *exchange) (record, error) {
			rec, err := svc.Configuration(ctx, x.path("configurationId"))
			if err == nil {
				rec.JSON, err = wire.Marshal(x.linked(rec.Value))
			}
			return recordOf(x, &rec, err)
		}),
		discard(n, svc.DeleteConfiguration),
	}
	for _, r := range rs {
		r.shaped(1, twinVersion)
	}
	for _, r := range rs[2:] {
		r.apart = "configurations" // beside /transformations/{transformationId}/report
	}
	return rs
}

// configurationList has no version: links are no part of one.
func configurationList(n *noun, svc *transform.Service) *row {
	type query = transform.ConfigurationQuery
	return n.windowRow(reflect.TypeFor[configurationAnswer](), reflect.TypeFor[query](), func(ctx context.Context, x *exchange, asked any) (page, error) {
		q := *asked.(*query)
		q.IfNoneMatch = ""
		from, err := svc.Configurations(ctx, q)
		if from.ETag = ""; err != nil || q.Minimal {
			return pageOf(from, err)
		}
		return remade(x, from, func(x *exchange, c *transform.Configuration, _ []byte) ([]byte, error) {
			return wire.Marshal(x.linked(*c))
		})
	}, []filter{
		text("projectId", "The target project. Required without targetModelId.", func(q *query) *string { return &q.ProjectID }).or("targetTwinId"),
		text("targetModelId", "The target model.", func(q *query) *string { return &q.TargetModelID }),
		skip(func(q *query) *int { return &q.Skip }),
		short(func(q *query) *bool { return &q.Minimal }),
	}).shortly(reflect.TypeFor[transform.ConfigurationSummary]()).unversioned()
}
