package conformance

import (
	"net/url"
	"strings"
)

// home is a list that each caller may ask for.
func (p *probe) home() string { return "/schedules?twinId=" + url.QueryEscape(p.aTwin()) }

var requestChecks = []Check{
	{Name: "without a valid token is 401 HeaderNotFound", run: func(p *probe) {
		home := p.home()
		for _, authorization := range []string{"", "Bearer", "Bearer " + unused(), "Basic " + p.Token, p.Token} {
			p.wantError(p.acting("").call("GET", home, nil, "Authorization: "+authorization), unauthenticated)
		}
		p.wantError(p.acting("").post("/schedules", object{"name": "Nobody's", "twinId": p.aTwin()}), unauthenticated)
	}},
	{Name: "unknown path is 404 ResourceNotFound with OperationNotFound", run: func(p *probe) {
		for _, path := range []string{"/" + unused(), "/schedules/a/b/c/d/e", "/schedules/a/" + unused()} {
			p.wantError(p.get(path), problem{
				status: 404, code: "ResourceNotFound",
				details: []string{"OperationNotFound"},
			})
		}
	}},
	{Name: "unknown method is 405 with Allow", run: func(p *probe) {
		a := p.call("PUT", "/schedules", object{})
		p.wantError(a, problem{status: 405, code: "MethodNotAllowed"})
		if allow := p.header(a, "Allow"); !strings.Contains(allow, "GET") || !strings.Contains(allow, "POST") {
			p.failf("Allow names the methods there are, GET and POST among them.\n\t%v", a)
		}
	}},
	{Name: "malformed JSON is refused", run: func(p *probe) {
		for _, body := range []string{
			`{"name":}`, `{"name":"x"`, `{}{}`, `null`, `[]`, `"text"`, "{\"name\":\"\xff\"}",
			`{"name":"a","name":"b"}`,
		} {
			p.wantError(p.post("/schedules", body), invalid("InvalidRequestBody"))
		}
	}},
	{Name: "missing body is refused", run: func(p *probe) {
		p.wantError(p.post("/schedules", nil), invalid("InvalidRequestBody"))
	}},
	{Name: "nested too deeply is refused", run: func(p *probe) {
		deep := strings.Repeat("[", 300) + strings.Repeat("]", 300)
		p.wantError(p.post("/schedules", `{"name":"x","any":`+deep+`}`), invalid("InvalidRequestBody"))
	}},
	{Name: "body beyond 1 MiB is 413 RequestTooLarge", run: func(p *probe) {
		a := p.post("/schedules", `{"name":"`+strings.Repeat("x", 1<<20)+`"}`)
		p.wantError(a, problem{status: 413, code: "RequestTooLarge"})
	}},
	{Name: "one slash at the end changes nothing", run: func(p *probe) {
		p.want(p.get("/schedules/?twinId="+url.QueryEscape(p.aTwin())), 200)
	}},
	{Name: "any media type is answered", run: func(p *probe) {
		for _, accept := range []string{"*/*", "application/json", "application/vnd.vendor.twin-platform.v2+json"} {
			p.want(p.get(p.home(), "Accept: "+accept), 200)
		}
	}},
	{Name: "parameters may be escaped", run: func(p *probe) {
		p.want(p.get(p.home()+"&%24top=5"), 200)
		p.wantError(p.get(p.home()+"&%24top=0"), invalid("InvalidValue $top"))
	}},
	{Name: "parameter given twice is refused", run: func(p *probe) {
		p.wantError(p.get(p.home()+"&$top=1&$top=2"), invalid("InvalidValue $top"))
	}},
}
