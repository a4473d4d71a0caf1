package conformance

import (
	"net/url"
	"strings"
)

const inRealityData = "/reality-management/reality-data"

// reality makes reality data, and returns its path.
func (p *probe) reality(properties ...object) (string, *answer) {
	body := object{"twinId": p.aTwin(), "displayName": "Survey", "type": "LAS"}
	with(body, properties)
	a := p.want(p.post(inRealityData+"/", body), 201)
	path := inRealityData + "/" + url.PathEscape(p.text(a, p.object(a, "realityData"), "id"))
	p.later(path)
	return path, a
}

// wrongReality checks that reality data with these properties is refused.
func (p *probe) wrongReality(properties object, details ...string) {
	body := object{"twinId": p.aTwin(), "displayName": "Survey", "type": "LAS"}
	with(body, []object{properties})
	p.wantError(p.post(inRealityData, body), problem{status: 422, code: "InvalidRealityDataRequest", details: details})
}

// between is an extent with one corner at these coordinates.
func between(latitude, longitude float64) object {
	return object{"extent": object{
		"southWest": object{"latitude": 0, "longitude": 0}, "northEast": object{"latitude": latitude, "longitude": longitude},
	}}
}

var realityDataChecks = []Check{
	{Name: "create is 201 with what was given and the rest left out", run: func(p *probe) {
		given := object{"displayName": "Survey", "type": "My own format", "description": "Two\nlines"}
		path, a := p.reality(given)
		record := p.object(a, "realityData")
		p.wantMembers(a, record, given)
		p.wantMembers(a, record, object{
			"classification": "Undefined", "size": 0, "authoring": false, "tags": []string{},
			"dataset": absent, "group": absent, "rootDocument": absent, "extent": absent, "crs": absent, "acquisition": absent,
		})
		p.want(p.get(p.header(a, "Location")), 200)
		read := p.want(p.get(path), 200)
		p.wantMembers(read, p.object(read, "realityData"), given)
	}},
	{Name: "tags are in lower case, 60 characters and 15 at most", run: func(p *probe) {
		_, a := p.reality(object{"tags": []string{"Bridge", strings.Repeat("Ü", 60)}})
		p.wantMembers(a, p.object(a, "realityData"), object{"tags": []string{"bridge", strings.Repeat("ü", 60)}})
		p.wrongReality(object{"tags": []string{strings.Repeat("x", 61)}}, "InvalidValue tags")
		p.wrongReality(object{"tags": strings.Split("a b c d e f g h i j k l m n o p", " ")}, "InvalidValue tags")
		p.wrongReality(object{"tags": []string{"a/b"}}, "InvalidValue tags")
	}},
	{Name: "coordinates are limited", run: func(p *probe) {
		p.reality(between(90, 180))
		p.wrongReality(between(90.001, 0), "InvalidValue extent.northEast.latitude")
		p.wrongReality(between(0, 180.001), "InvalidValue extent.northEast.longitude")
	}},
	{Name: "what is required and what is wrong is named", run: func(p *probe) {
		p.wrongReality(object{"classification": "Sound"}, "InvalidValue classification")
		p.wantError(p.post(inRealityData, object{"twinId": p.aTwin()}), problem{status: 422, code: "InvalidRealityDataRequest"})
	}},
	{Name: "list is in short unless the representation is preferred", run: func(p *probe) {
		p.reality()
		at := inRealityData + "?twinId=" + url.QueryEscape(p.aTwin())
		a := p.want(p.get(at), 200)
		if short := p.records(a, "realityData"); len(short) != 1 {
			p.failf("One record was made, and the list has %d.\n\t%v", len(short), a)
		} else {
			p.wantOnly(a, short[0], "id displayName type")
		}
		a = p.want(p.get(at, "Prefer: return=representation"), 200)
		p.wantMembers(a, p.records(a, "realityData")[0], object{"classification": "Undefined", "displayName": "Survey"})
	}},
	{Name: "list has pages, and no next link on the last one", run: func(p *probe) {
		p.reality()
		p.reality()
		a := p.want(p.get(inRealityData+"?$top=1&twinId="+url.QueryEscape(p.aTwin())), 200)
		next := href(a.body, "next")
		if next == "" {
			p.giveUp("Of two records, a page of one has a next link.\n\t%v", a)
		}
		last := p.want(p.get(next), 200)
		if len(p.records(last, "realityData")) != 1 || href(last.body, "next") != "" {
			p.failf("Of two records, the second page of one is the last.\n\t%v", last)
		}
	}},
	{Name: "patch changes what it holds and clears with null", run: func(p *probe) {
		path, _ := p.reality(object{"description": "Old", "dataset": "Bridges"})
		p.want(p.patch(path, object{"description": nil, "displayName": "Second"}), 200)
		a := p.want(p.get(path), 200)
		p.wantMembers(a, p.object(a, "realityData"), object{"description": absent, "displayName": "Second", "dataset": "Bridges"})
	}},
	{Name: "deleted one is 404", run: func(p *probe) {
		path, _ := p.reality()
		p.want(p.delete(path), 204)
		p.want(p.get(path), 404)
	}},
	{Name: "what the caller may not see is missing, 404 and not 403", needs: stranger, run: func(p *probe) {
		path, _ := p.reality()
		p.want(p.acting(p.StrangerToken).get(path), 404)
	}},
}

// wrongDetector is a detector that is refused for its properties.
func wrongDetector(details ...string) problem {
	return problem{status: 400, code: "InvalidRealityAnalysisRequest", details: details}
}

var detectorChecks = []Check{
	{Name: "create is 201 with record, null where it is not set", run: func(p *probe) {
		name := unused()
		a := p.want(p.post("/reality-analysis/detectors", object{"name": name, "type": "PhotoObjectDetector"}), 201)
		p.later("/reality-analysis/detectors/" + name)
		p.wantOnly(a, p.object(a, "detector"), "name displayName description type documentationUrl versions")
		p.wantMembers(a, p.object(a, "detector"), object{
			"name": name, "type": "PhotoObjectDetector", "displayName": nil, "description": nil, "documentationUrl": nil, "versions": []string{},
		})
		p.want(p.get("/reality-analysis/detectors/"+name), 200)
	}},
	{Name: "unknown type is 400 with the target detector.type", run: func(p *probe) {
		p.wantError(p.post("/reality-analysis/detectors", object{"name": unused(), "type": "SoundDetector"}), wrongDetector("InvalidValue detector.type"))
	}},
	{Name: "unknown operation is 404 ResourceNotFound with OperationNotFound", run: func(p *probe) {
		p.wantError(p.post("/reality-analysis/detector", object{}), problem{status: 404, code: "ResourceNotFound", details: []string{"OperationNotFound"}})
	}},
}
