package conformance

import "net/url"

const filterBySavedView = "/transformations/configurations/filterbysavedview"

// model registers a model.
func (p *probe) model() string {
	a := p.want(p.post("/models", object{"twinId": p.aTwin(), "displayName": "Structure"}), 201)
	id := p.text(a, p.object(a, "model"), "id")
	p.later("/models/" + url.PathEscape(id))
	return id
}

// view registers a saved view of a model.
func (p *probe) view(model string, shared bool) string {
	a := p.want(p.post("/saved-views", object{"modelId": model, "displayName": "Beams", "shared": shared}), 201)
	return p.text(a, p.object(a, "savedView"), "id")
}

// filter is the request for a configuration.
func (p *probe) filter(source, target, view string) object {
	return object{
		"transformName": "Ground floor", "comment": "Only what is visible", "sourceProjectId": p.aTwin(), "sourceModelId": source,
		"targetProjectId": p.aTwin(), "targetModelId": target, "transformParameters": object{"savedViewId": view},
	}
}

var transformationChecks = []Check{
	{Name: "create is 201 with record, links and the default mode", run: func(p *probe) {
		source, target := p.model(), p.model()
		a := p.want(p.post(filterBySavedView, p.filter(source, target, p.view(source, true))), 201)
		c := p.object(a, "configuration")
		p.later("/transformations/configurations/" + url.PathEscape(p.text(a, c, "id")))
		p.wantOnly(a, c, "id transformName comment createdDateTime modifiedDateTime transformType transformParameters _links")
		p.wantMembers(a, c, object{"transformName": "Ground floor", "transformType": "FilterBySavedView"})
		parameters, _ := c["transformParameters"].(object)
		p.wantMembers(a, parameters, object{"viewMode": "IncludeNewContent"})
		for _, link := range []string{"sourceModel", "targetModel", "sourceProject", "targetProject"} {
			if href(c, link) == "" {
				p.failf("The specification asks for the link %s.\n\t%v", link, a)
			}
		}
		if href(parameters, "savedView") == "" {
			p.failf("The specification asks for the link savedView in transformParameters.\n\t%v", a)
		}
		p.want(p.get(p.header(a, "Location")), 200)
	}},
	{Name: "missing body is 422 MissingRequestBody", run: func(p *probe) {
		p.wantError(p.post(filterBySavedView, nil), problem{status: 422, code: "MissingRequestBody"})
	}},
	{Name: "missing model is 404 ModelNotFound", run: func(p *probe) {
		source := p.model()
		p.wantError(p.post(filterBySavedView, p.filter(source, unused(), p.view(source, true))), problem{status: 404, code: "ModelNotFound"})
	}},
	{Name: "what is required is named", run: func(p *probe) {
		a := p.post(filterBySavedView, object{})
		p.wantError(a, problem{status: 422, code: "InvalidTransformationsRequest", details: []string{
			"MissingRequiredProperty transformName", "MissingRequiredProperty sourceModelId", "MissingRequiredProperty transformParameters",
		}})
	}},
	{Name: "view that is not shared is refused", run: func(p *probe) {
		source, target := p.model(), p.model()
		p.want(p.post(filterBySavedView, p.filter(source, target, p.view(source, false))), 404, 422)
	}},
	{Name: "model is made, read, listed and deleted with its views", run: func(p *probe) {
		id := p.model()
		view := p.view(id, true)
		a := p.want(p.get("/models/"+url.PathEscape(id)), 200)
		p.wantMembers(a, p.object(a, "model"), object{"id": id, "displayName": "Structure", "description": nil, "deleted": false})
		p.wantIDs("/models?twinId="+url.QueryEscape(p.aTwin()), "models", id)
		p.want(p.delete("/models/"+url.PathEscape(id)), 204)
		p.want(p.get("/saved-views/"+url.PathEscape(view)), 404)
	}},
}
