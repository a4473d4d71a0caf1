package conformance

import (
	"net/url"
	"strings"
)

const twinMembers = `id class subClass type number displayName geographicLocation latitude longitude ianaTimeZone dataCenterLocation status
	parentId twinAccountId imageName image createdDateTime createdBy lastModifiedDateTime lastModifiedBy`

// twinNotFound is a twin that is not there.
var twinNotFound = problem{status: 404, code: "twinNotFound"}

// wrongTwin is a twin that is refused for its properties.
func wrongTwin(details ...string) problem {
	return problem{status: 422, code: "InvalidTwinsRequest", details: details}
}

// getTwin reads a twin.
func (p *probe) getTwin(id string) (*answer, object) {
	a := p.want(p.get("/twins/"+url.PathEscape(id)), 200)
	return a, p.object(a, "twin")
}

var twinChecks = []Check{
	{Name: "create is 201 with record, defaults and Location", run: func(p *probe) {
		name := unused()
		a := p.want(p.post("/twins/", object{"class": "Thing", "displayName": name}), 201)
		twin := p.object(a, "twin")
		id := p.text(a, twin, "id")
		p.later("/twins/" + url.PathEscape(id))
		p.wantOnly(a, twin, twinMembers)
		p.wantMembers(a, twin, object{
			"class": "Thing", "displayName": name, "number": id, "status": "Active", "dataCenterLocation": "East US", "type": nil,
			"geographicLocation": nil, "latitude": nil, "longitude": nil, "ianaTimeZone": nil, "image": nil, "imageName": nil,
		})
		p.text(a, twin, "parentId")
		p.text(a, twin, "createdDateTime")
		p.want(p.get(p.header(a, "Location")), 200)
	}},
	{Name: "record shows what was given", run: func(p *probe) {
		given := object{
			"class": "Endeavor", "subClass": "Project", "type": "Bridge", "number": unused(), "geographicLocation": "Porto", "latitude": 41.15,
			"longitude": -8.61, "ianaTimeZone": "Europe/Lisbon", "dataCenterLocation": "West Europe", "status": "Trial", "parentId": p.aTwin(),
		}
		a, twin := p.getTwin(p.newTwin(given))
		p.wantMembers(a, twin, given)
	}},
	{Name: "create names every missing property", run: func(p *probe) {
		p.wantError(p.post("/twins", object{}), wrongTwin("MissingRequiredProperty class", "MissingRequiredProperty displayName"))
	}},
	{Name: "create names every wrong property", run: func(p *probe) {
		a := p.post("/twins", object{
			"class": "Thing", "displayName": unused(), "status": "Dormant", "dataCenterLocation": "Mars", "latitude": 90.5, "longitude": -180.5, "ianaTimeZone": "Local",
		})
		p.wantError(a, wrongTwin("InvalidValue status", "InvalidValue dataCenterLocation", "InvalidValue latitude", "InvalidValue longitude", "InvalidValue ianaTimeZone"))
		p.wantError(p.post("/twins", object{"class": "Cloud", "displayName": unused()}), wrongTwin("InvalidValue class"))
	}},
	{Name: "lengths are limited", run: func(p *probe) {
		for property, limit := range map[string]int{"type": 100, "displayName": 255, "number": 255, "geographicLocation": 255} {
			text := func(n int) object {
				id := unused()
				return object{property: id + strings.Repeat("ü", n-len(id))}
			}
			p.newTwin(text(limit))
			body := object{"class": "Thing", "displayName": unused()}
			with(body, []object{text(limit + 1)})
			p.wantError(p.post("/twins", body), wrongTwin("InvalidValue "+property))
		}
	}},
	{Name: "coordinates are limited", run: func(p *probe) {
		for property, limit := range map[string]float64{"latitude": 90, "longitude": 180} {
			for _, sign := range []float64{1, -1} {
				p.newTwin(object{property: sign * limit})
				body := object{"class": "Thing", "displayName": unused(), property: sign * (limit + 0.001)}
				p.wantError(p.post("/twins", body), wrongTwin("InvalidValue "+property))
			}
		}
	}},
	{Name: "number or name that is taken is 409 twinExists", run: func(p *probe) {
		name, number := unused(), unused()
		p.newTwin(object{"displayName": name, "number": number})
		exists := func(target string) problem {
			return problem{status: 409, code: "twinExists", details: []string{"InvalidValue " + target}}
		}
		p.wantError(p.post("/twins", object{"class": "Thing", "displayName": unused(), "number": number}), exists("number"))
		p.wantError(p.post("/twins", object{"class": "Thing", "displayName": name}), exists("displayName"))
	}},
	{Name: "patch changes what it holds and clears with null", run: func(p *probe) {
		id := p.newTwin(object{"type": "Bridge", "latitude": 41.15, "geographicLocation": "Porto"})
		p.want(p.patch("/twins/"+id, object{"type": nil, "latitude": 48.2}), 200)
		a, twin := p.getTwin(id)
		p.wantMembers(a, twin, object{"type": nil, "latitude": 48.2, "geographicLocation": "Porto"})
	}},
	{Name: "list has what is asked for, in short or whole", run: func(p *probe) {
		parent := p.newTwin(object{})
		p.newTwin(object{"parentId": parent})
		at := "/twins?parentId=" + url.QueryEscape(parent)
		a := p.want(p.get(at), 200)
		short := p.records(a, "twins")
		if len(short) != 1 {
			p.giveUp("The twin has one below it, and the list has %d.\n\t%v", len(short), a)
		}
		p.wantOnly(a, short[0], "id class subClass type number displayName twinAccountId")
		whole := p.want(p.get(at, "Prefer: return=representation"), 200)
		p.wantOnly(whole, p.records(whole, "twins")[0], twinMembers)
	}},
	{Name: "list has pages of $top from $skip", run: func(p *probe) {
		parent := p.newTwin(object{})
		for range 3 {
			p.newTwin(object{"parentId": parent})
		}
		at := "/twins?parentId=" + url.QueryEscape(parent)
		a := p.want(p.get(at+"&$top=2"), 200)
		rest := p.want(p.get(at+"&$top=2&$skip=2"), 200)
		if n, m := len(p.records(a, "twins")), len(p.records(rest, "twins")); n != 2 || m != 1 {
			p.failf("Of three twins, the first page should have two and the second one; they have %d and %d.\n\t%v", n, m, a)
		}
		if href(a.body, "self") == "" || href(rest.body, "prev") == "" {
			p.failf("The specification asks for _links.self, and for _links.prev behind the first page.\n\t%v\n\t%v", a, rest)
		}
		for _, wrong := range []string{"$top=0", "$top=1001", "$skip=-1", "status=Dormant"} {
			p.wantError(p.get(at+"&"+wrong), wrongTwin())
		}
	}},
	{Name: "inactive twins are hidden unless they are asked for", run: func(p *probe) {
		parent := p.newTwin(object{})
		p.newTwin(object{"parentId": parent, "status": "Inactive"})
		at := "/twins?parentId=" + url.QueryEscape(parent)
		for query, want := range map[string]int{"": 0, "&status=Inactive": 1, "&includeInactive=true": 1} {
			a := p.want(p.get(at+query), 200)
			if n := len(p.records(a, "twins")); n != want {
				p.failf("The list should have %d twins, and has %d.\n\t%v", want, n, a)
			}
		}
	}},
	{Name: "deleted one is 404 twinNotFound", run: func(p *probe) {
		id := p.newTwin(object{})
		p.want(p.delete("/twins/"+id), 204)
		p.wantError(p.get("/twins/"+id), twinNotFound)
		p.wantError(p.delete("/twins/"+id), twinNotFound)
	}},
	{Name: "what the caller may not see is missing, 404 and not 403", needs: stranger, run: func(p *probe) {
		id := p.newTwin(object{})
		other := p.acting(p.StrangerToken)
		p.wantError(other.get("/twins/"+id), twinNotFound)
		p.wantError(other.patch("/twins/"+id, object{"type": "x"}), twinNotFound)
	}},
	{Name: "account of a twin is one", run: func(p *probe) {
		a := p.want(p.get("/twins/"+url.PathEscape(p.aTwin())+"/account"), 200)
		p.wantMembers(a, p.object(a, "twin"), object{"class": "Account", "subClass": "Account"})
	}},
}

var accessChecks = []Check{
	{Name: "role gives what it holds, until it is taken", needs: reader, run: func(p *probe) {
		twin := p.aTwin()
		at := "/twins/" + url.PathEscape(twin)
		other := p.acting(p.ReaderToken)
		p.wantError(other.get(at), twinNotFound)
		p.grant("twins_read")
		p.want(other.get(at), 200)
		p.want(p.delete("/access-control"+at+"/members/"+url.PathEscape(p.ReaderID)), 204)
		p.wantError(other.get(at), twinNotFound)
	}},
	{Name: "role is made, read and listed", run: func(p *probe) {
		at := "/access-control/twins/" + url.PathEscape(p.aTwin()) + "/roles"
		a := p.want(p.post(at, object{"displayName": "Clerk", "permissions": []string{"Forms_CreateAccess"}}), 201)
		role := p.object(a, "role")
		p.wantMembers(a, role, object{"displayName": "Clerk", "permissions": []string{"Forms_CreateAccess"}})
		p.want(p.get(p.header(a, "Location")), 200)
		p.want(p.delete(at+"/"+url.PathEscape(p.text(a, role, "id"))), 204)
	}},
	{Name: "unknown member of a body is refused", run: func(p *probe) {
		at := "/access-control/twins/" + url.PathEscape(p.aTwin()) + "/roles"
		p.wantError(p.post(at, object{"displayName": "Clerk", "permision": []string{}}), problem{status: 422, code: "InvalidAccessControlRequest"})
	}},
}
