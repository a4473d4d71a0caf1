package conformance

import (
	"net/url"
	"strings"
)

// twinNotFound is a twin that is not there.
var twinNotFound = problem{status: 404, code: "twinNotFound"}

// wrongTwin is a twin that is refused for its properties.
func wrongTwin(details ...string) problem {
	return problem{status: 422, code: "InvalidTwinsRequest", details: details}
}

var twinChecks = []Check{
	{Name: "lengths are limited", run: func(p *probe) {
		for property, limit := range map[string]int{
			"type": 100, "displayName": 255, "number": 255,
			"geographicLocation": 255,
		} {
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
	{Name: "list has pages of $top from $skip", run: func(p *probe) {
		parent := p.newTwin(object{})
		for range 3 {
			p.newTwin(object{"parentId": parent})
		}
		at := "/twins?parentId=" + url.QueryEscape(parent)
		a := p.want(p.get(at+"&$top=2"), 200)
		rest := p.want(p.get(at+"&$top=2&$skip=2"), 200)
		if n, m := len(p.records(a, "twins")), len(p.records(rest, "twins")); n != 2 || m != 1 {
			p.failf("Of three twins, the first page should have two and the second one; they have %d and %d.\n\t%v", n,
				m, a)
		}
		if href(a.body, "self") == "" || href(rest.body, "prev") == "" {
			p.failf("The specification asks for _links.self, and for _links.prev behind the first page.\n\t%v\n\t%v", a,
				rest)
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
}

var accessChecks = []Check{
	{Name: "role gives what it holds, until it is taken", needs: reader, run: func(p *probe) {
		twin := p.aTwin()
		at := "/twins/" + url.PathEscape(twin)
		other := p.acting(p.ReaderToken)
		p.wantError(other.get(at), twinNotFound)
		p.grant(p.aTwin(), "twins_read")
		p.want(other.get(at), 200)
		p.want(p.delete("/access-control"+at+"/members/"+url.PathEscape(p.ReaderID)), 204)
		p.wantError(other.get(at), twinNotFound)
	}},
}
