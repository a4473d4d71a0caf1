package httpapi_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/internal/player"
	"github.com/seed-933f9a09/twinplatform/schedules"
	planfiles "github.com/seed-933f9a09/twinplatform/schedules/exchange"
	"github.com/seed-933f9a09/twinplatform/schedules/scheduling"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

const token = "the-right-token"

var me = twinplatform.Principal{ID: "me", AccountID: "acme", Scopes: []string{twinplatform.ScopePlatform}}

// things returns a handler over a service that a test makes up.
func things(t *testing.T, cfg httpapi.Config, svc httpapi.Things) *httpapi.Handler {
	t.Helper()
	if cfg.Authenticator == nil {
		cfg.Authenticator = httpapi.StaticTokens(map[string]twinplatform.Principal{
			token:   me,
			"hooks": {ID: "hooks", AccountID: "acme", Scopes: []string{twinplatform.ScopeWebhooksModify}},
			"bare":  {ID: "bare", AccountID: "acme", Scopes: []string{twinplatform.ScopeWebhooksRead}},
		})
	}
	h, err := httpapi.NewThings(cfg, svc)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// thing is a service with one record, one operation, and pages of two.
func thing() httpapi.Things {
	rec := twinplatform.Record[httpapi.Thing]{
		Value: httpapi.Thing{ID: "a b", Name: "A"}, ETag: `"1"`, JSON: []byte(`{"id":"a b","name":"A"}`),
	}
	return httpapi.Things{
		List: func(_ context.Context, o twinplatform.ListOptions, name string) (twinplatform.Page[httpapi.Thing], error) {
			p := twinplatform.NewPage[httpapi.Thing]([][]byte{rec.JSON, []byte(`{"id":"b","name":"` + name + `"}`)}, nil)
			p.ETag, p.Delta = `"9"`, "DELTA"
			if o.Continuation == "" && o.Top == 2 {
				p.Delta, p.Next = "", "NEXT="
			}
			p.NotModified = o.IfNoneMatch == p.ETag
			return p, nil
		},
		Get: func(_ context.Context, id string) (twinplatform.Record[httpapi.Thing], error) {
			if id != "a" {
				return rec, &twinplatform.Error{Kind: twinplatform.NotFound, Code: "ThingNotFound", Message: "No <thing>.", Target: "id"}
			}
			return rec, nil
		},
		Write: func(_ context.Context, b httpapi.ThingBody) (twinplatform.Result[httpapi.Thing], error) {
			res := twinplatform.Result[httpapi.Thing]{Records: []twinplatform.Record[httpapi.Thing]{rec}}
			res.Operation = twinplatform.Operation{ID: "op/1", Status: twinplatform.OperationSucceeded, Subjects: []string{"a b", "c"}}
			if b.Name == "later" {
				res.Status, res.Records = twinplatform.OperationNotStarted, nil
			}
			return res, nil
		},
		Delete: func(_ context.Context, ids []string) (twinplatform.Result[httpapi.Thing], error) {
			return twinplatform.Result[httpapi.Thing]{Operation: twinplatform.Operation{
				ID:     "op2",
				Status: twinplatform.OperationSucceeded, Subjects: ids,
			}}, nil
		},
	}
}

// ask sends one request. head holds header lines; the token is sent unless
// there is an Authorization among them.
func ask(h http.Handler, method, target, body string, head ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+token)
	for _, line := range head {
		name, value, _ := strings.Cut(line, ": ")
		if name == "Authorization" {
			r.Header.Del(name)
		}
		if value != "" {
			r.Header.Add(name, value)
		}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// shown is an answer as text: status, the headers that matter, body.
func shown(w *httptest.ResponseRecorder) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d\n", w.Code)
	for _, name := range player.Headers {
		for _, v := range w.Header().Values(name) {
			fmt.Fprintf(&b, "%s: %s\n", name, v)
		}
	}
	return b.String() + w.Body.String()
}

func same(t *testing.T, got, want string) {
	t.Helper()
	if diff := cmp.Diff(strings.TrimSpace(want), strings.TrimSpace(got)); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
}

const json = "\nContent-Type: application/json\n"

func TestAnswers(t *testing.T) {
	t.Parallel()
	h := things(t, httpapi.Config{}, thing())
	record := `{"id":"a b","name":"A"}`
	page := func(self, next string) string {
		if next != "" {
			next = `,"next":` + next
		}
		return `{"things":[` + record + `,{"id":"b","name":""}],"_links":{"self":{"href":"http://example.com` + self + `"}` + next + `}}`
	}
	operation := "Operation-Id: op/1\nOperation-Location: http://example.com/things/a/operations/op%2F1\n"
	links := `"_links":{"operationLocation":{"href":"http://example.com/things/a/operations/op%2F1"}}}`
	for name, test := range map[string]struct {
		method, target, body string
		head                 []string
		want                 string
	}{
		"last page": {
			method: "GET", target: "/things",
			want: "200" + json + "Delta-Token: DELTA\nETag: \"9\"\n" + page("/things", ""),
		},
		"page with a next one": {
			method: "GET", target: "/things?$top=2&x=1",
			want: "200" + json + "Continuation-Token: NEXT=\nETag: \"9\"\n" +
				page("/things?$top=2&x=1", `{"href":"http://example.com/things?$top=2&x=1&$continuationToken=NEXT%3D"}`),
		},
		"escaped parameters, empty pairs, slash at the end": {
			method: "GET", target: "/things/?&%24top=2&&deltaToken=D&",
			want: "200" + json + "Continuation-Token: NEXT=\nETag: \"9\"\n" +
				page("/things/?&%24top=2&&deltaToken=D&", `{"href":"http://example.com/things/?%24top=2&$continuationToken=NEXT%3D"}`),
		},
		"a parameter twice with one value": {
			method: "GET", target: "/things?$top=2&%24top=%32",
			want: "200" + json + "Continuation-Token: NEXT=\nETag: \"9\"\n" +
				page("/things?$top=2&%24top=%32", `{"href":"http://example.com/things?$top=2&%24top=%32&$continuationToken=NEXT%3D"}`),
		},
		"both spellings with one value": {
			method: "GET", target: "/things?$top=2&deltaToken=D&$deltaToken=D",
			want: "200" + json + "Continuation-Token: NEXT=\nETag: \"9\"\n" +
				page("/things?$top=2&deltaToken=D&$deltaToken=D", `{"href":"http://example.com/things?$top=2&$continuationToken=NEXT%3D"}`),
		},
		"unchanged page": {method: "GET", target: "/things", head: []string{`If-None-Match: "9"`}, want: "304\nETag: \"9\"\n"},
		"head":           {method: "HEAD", target: "/things/a", want: "200" + json + "ETag: \"1\"\n"},
		"record":         {method: "GET", target: "/things/a", want: "200" + json + "ETag: \"1\"\n" + `{"thing":` + record + `}`},
		"record without Accept": {
			method: "GET", target: "/things/a", head: []string{"Accept: text/html"},
			want: "200" + json + "ETag: \"1\"\n" + `{"thing":` + record + `}`,
		},
		"unchanged record": {
			method: "GET", target: "/things/a", head: []string{`If-None-Match: "0", W/"1"`},
			want: "304\nETag: \"1\"\n",
		},
		"unchanged record, two header lines": {
			method: "GET", target: "/things/a",
			head: []string{`If-None-Match: "0"`, `If-None-Match: "1"`}, want: "304\nETag: \"1\"\n",
		},
		"any version": {method: "GET", target: "/things/a", head: []string{`If-None-Match: *`}, want: "304\nETag: \"1\"\n"},
		"changed record": {
			method: "GET", target: "/things/a", head: []string{`If-None-Match: "0"`},
			want: "200" + json + "ETag: \"1\"\n" + `{"thing":` + record + `}`,
		},
		"nested page without deltas and versions": {
			method: "GET", target: "/boxes/x/things?$top=2&x=1", head: []string{`If-None-Match: "9"`},
			want: "200" + json + "Continuation-Token: NEXT=\n" +
				`{"box":{"things":[` + record + `,{"id":"b","name":"x"}],"_links":{"self":{"href":"http://example.com/boxes/x/things?$top=2&x=1"},` +
				`"next":{"href":"http://example.com/boxes/x/things?$top=2&x=1&continuationToken=NEXT%3D"}}}}`,
		},
		"created": {
			method: "POST", target: "/things/", body: `{"name":"A"}`,
			want: "201" + json + "ETag: \"1\"\nLocation: http://example.com/things/a%20b\n" + `{"thing":` + record + `}`,
		},
		"changed": {method: "PATCH", target: "/things/a", body: `{}`, want: "200" + json + "ETag: \"1\"\n" + `{"thing":` + record + `}`},
		"changed later": {
			method: "PATCH", target: "/things/a", body: `{"name":"later"}`,
			want: "202" + json + operation + `{"operation":{"id":"op/1"},"thing":{"id":"a b"},` + links,
		},
		"batch": {method: "POST", target: "/things/batch", body: `{}`, want: "200" + json + `{"batch":[` + record + `]}`},
		"assigned": {
			method: "POST", target: "/things/a/values", body: `{}`,
			want: "200" + json + "ETag: \"1\"\n" + operation + `{"value":` + record + `}`,
		},
		"assigned later": {
			method: "POST", target: "/things/a/values", body: `{"name":"later"}`,
			want: "202" + json + operation + `{"operation":{"id":"op/1"},` + links,
		},
		"accepted": {
			method: "POST", target: "/things/a/strict", body: `{}`,
			want: "202" + json + operation + `{"operation":{"id":"op/1"},"things":[{"id":"a b"},{"id":"c"}],` + links,
		},
		"removed": {
			method: "DELETE", target: "/things?thingIds=a,b", body: "not looked at",
			want: "202" + json + "Operation-Id: op2\nOperation-Location: http://example.com/things//operations/op2\n" +
				`{"operation":{"id":"op2"},"things":[{"id":"a"},{"id":"b"}],"_links":{"operationLocation":{"href":"http://example.com/things//operations/op2"}}}`,
		},
		"discarded": {method: "DELETE", target: "/things/a", want: "204"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := ask(h, test.method, test.target, test.body, test.head...)
			same(t, shown(w), test.want)
			if got := w.Header().Get("X-Content-Type-Options"); got != "nosniff" {
				t.Errorf("X-Content-Type-Options = %q", got)
			}
		})
	}
}

// covers: Errors and permissions of create twin: http error OperationNotFound
// covers: Detector: http rule 404 ResourceNotFound with OperationNotFound for what is no operation
func TestFailures(t *testing.T) {
	t.Parallel()
	h := things(t, httpapi.Config{MaxBody: 1000}, thing())
	schemeless := "401" + json + "WWW-Authenticate: Bearer\n" + `{"error":{"code":"HeaderNotFound","message":` +
		`"The Authorization header is of a scheme that this operation does not take: send 'Bearer' with a token. Access denied."}}`
	denied := "401" + json + "WWW-Authenticate: Bearer\n" + `{"error":{"code":"HeaderNotFound","message":"The Authorization header was not found in the request. Access denied."}}`
	unknown := "404" + json + `{"error":{"code":"ResourceNotFound","message":"The requested resource is not available.","details":[{"code":"OperationNotFound","message":"The requested operation is not available. Check method and path of the request."}]}}`
	notAllowed := func(allow string) string {
		return "405\nAllow: " + allow + json + `{"error":{"code":"MethodNotAllowed","message":"The resource does not support the method of the request."}}`
	}
	invalid := func(code, message, target string) string {
		if target != "" {
			target = `,"target":"` + target + `"`
		}
		return "400" + json + `{"error":{"code":"InvalidThingsRequest","message":"The request is invalid.","details":[{"code":"` + code + `","message":"` + message + `"` + target + `}]}}`
	}
	top := "The value of '$top' is not a whole number, or out of its bounds."
	twice := func(name string) string {
		return invalid("InvalidValue", "The parameter '"+name+"' is given more than once, with different values.", name)
	}
	for name, test := range map[string]struct {
		method, target, body string
		head                 []string
		want                 string
	}{
		"no token":           {method: "GET", target: "/things/a", head: []string{"Authorization: "}, want: denied},
		"wrong token":        {method: "GET", target: "/things/a", head: []string{"Authorization: Bearer wrong"}, want: denied},
		"another scheme":     {method: "GET", target: "/things/a", head: []string{"Authorization: Basic " + token}, want: schemeless},
		"token alone":        {method: "GET", target: "/things/a", head: []string{"Authorization: " + token}, want: schemeless},
		"empty token":        {method: "GET", target: "/things/a", head: []string{"Authorization: Bearer  "}, want: denied},
		"token with a space": {method: "GET", target: "/things/a", head: []string{"Authorization: Bearer a b"}, want: denied},
		"two headers": {
			method: "GET", target: "/things/a",
			head: []string{"Authorization: Bearer x", "Authorization: Bearer y"}, want: denied,
		},
		"endless token": {
			method: "GET", target: "/things/a",
			head: []string{"Authorization: Bearer " + strings.Repeat("x", 9000)}, want: denied,
		},
		"token without the scope": {method: "GET", target: "/things/a", head: []string{"Authorization: Bearer bare"}, want: denied},
		"scope of other rows":     {method: "GET", target: "/things/a", head: []string{"Authorization: Bearer hooks"}, want: denied},
		"no token, unknown path":  {method: "GET", target: "/nowhere", head: []string{"Authorization: "}, want: denied},
		"unknown path":            {method: "GET", target: "/nowhere", want: unknown},
		"root":                    {method: "GET", target: "/", want: unknown},
		"path to be cleaned":      {method: "GET", target: "/things//a", want: unknown},
		"dots":                    {method: "GET", target: "/things/../things", want: unknown},
		"two slashes at the end":  {method: "GET", target: "/things//", want: unknown},
		"wrong method":            {method: "PUT", target: "/things", want: notAllowed("DELETE, GET, POST")},
		"wrong method, one thing": {method: "POST", target: "/things/a/", body: "{}", want: notAllowed("DELETE, GET, PATCH")},
		"options":                 {method: "OPTIONS", target: "/boxes/x/things", want: notAllowed("GET")},
		"domain error": {
			method: "GET", target: "/things/b",
			want: "404" + json + `{"error":{"code":"ThingNotFound","message":"No \u003cthing\u003e.","target":"id"}}`,
		},
		"top is text":             {method: "GET", target: "/things?$top=abc", want: invalid("InvalidValue", top, "$top")},
		"top is empty":            {method: "GET", target: "/things?$top=", want: invalid("InvalidValue", top, "$top")},
		"top is endless":          {method: "GET", target: "/things?$top=99999999999999999999", want: invalid("InvalidValue", top, "$top")},
		"top has a plus":          {method: "GET", target: "/things?$top=%2B1", want: invalid("InvalidValue", top, "$top")},
		"top twice, differing":    {method: "GET", target: "/things?$top=1&%24top=2", want: twice("$top")},
		"top thrice, one differs": {method: "GET", target: "/things?$top=1&$top=1&$top=01", want: twice("$top")},
		"spellings that differ":   {method: "GET", target: "/things?deltaToken=1&$deltaToken=2", want: twice("deltaToken")},
		"one spelling is empty":   {method: "GET", target: "/things?$deltaToken=1&deltaToken=", want: twice("deltaToken")},
		"broken escape in a name": {method: "GET", target: "/things?%zz=1", want: invalid("InvalidValue", "The query cannot be decoded.", "")},
		"broken escape":           {method: "GET", target: "/things?name=%zz", want: invalid("InvalidValue", "The query cannot be decoded.", "name")},
		"no body":                 {method: "POST", target: "/things", want: invalid("InvalidRequestBody", "The request body is missing.", "")},
		"blank body": {
			method: "POST", target: "/things", body: " \n",
			want: invalid("InvalidRequestBody", "The request body is missing.", ""),
		},
		"not JSON": {
			method: "POST", target: "/things", body: `{"name":}`,
			want: invalid("InvalidRequestBody", "The request body is not valid JSON.", ""),
		},
		"two values": {
			method: "POST", target: "/things", body: `{}{}`,
			want: invalid("InvalidRequestBody", "The request body is not valid JSON.", ""),
		},
		"null": {
			method: "POST", target: "/things", body: `null`,
			want: invalid("InvalidRequestBody", "The request body is not a JSON object.", ""),
		},
		"array": {
			method: "POST", target: "/things", body: `[]`,
			want: invalid("InvalidRequestBody", "The request body is not a JSON object.", ""),
		},
		"twice": {
			method: "POST", target: "/things", body: `{"name":"a","NAME":"b"}`,
			want: invalid("InvalidRequestBody", "The request body holds a property twice.", ""),
		},
		"too deep": {
			method: "POST", target: "/things",
			body: `{"any":` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `}`,
			want: invalid("InvalidRequestBody", "The request body is nested too deeply.", ""),
		},
		"not UTF-8": {
			method: "POST", target: "/things", body: "{\"name\":\"\xff\"}",
			want: invalid("InvalidRequestBody", "The request body is not valid UTF-8.", ""),
		},
		"half a character": {
			method: "POST", target: "/things", body: `{"name":"\ud800x"}`,
			want: invalid("InvalidRequestBody", "The request body is not valid UTF-8.", ""),
		},
		"too large": {
			method: "POST", target: "/things", body: `{"name":"` + strings.Repeat("x", 1000) + `"}`,
			want: "413" + json + `{"error":{"code":"RequestTooLarge","message":"The request body is larger than is allowed."}}`,
		},
		"encoded": {
			method: "POST", target: "/things", body: `{}`, head: []string{"Content-Encoding: gzip"},
			want: "415" + json + `{"error":{"code":"UnsupportedContentEncoding","message":"The request body must not be encoded.","target":"Content-Encoding"}}`,
		},
		"text for a number": {
			method: "POST", target: "/things", body: `{"count":"1"}`,
			want: invalid("InvalidValue", "The value of 'count' must be a whole number within its bounds.", "count"),
		},
		"fraction": {
			method: "POST", target: "/things", body: `{"count":1.5}`,
			want: invalid("InvalidValue", "The value of 'count' must be a whole number within its bounds.", "count"),
		},
		"out of bounds": {
			method: "POST", target: "/things", body: `{"count":2147483648}`,
			want: invalid("InvalidValue", "The value of 'count' must be a whole number within its bounds.", "count"),
		},
		"endless number": {
			method: "POST", target: "/things", body: `{"ratio":1e999}`,
			want: invalid("InvalidValue", "The value of 'ratio' must be a number within its bounds.", "ratio"),
		},
		"null among numbers": {
			method: "POST", target: "/things", body: `{"ratios":[1,null]}`,
			want: invalid("InvalidValue", "The value of 'ratios[1]' must be a number within its bounds.", "ratios[1]"),
		},
		"no date": {
			method: "POST", target: "/things", body: `{"start":"soon"}`,
			want: invalid("InvalidValue", "The value of 'start' must be a date-time in ISO 8601, such as 2026-01-31T09:00:00Z.", "start"),
		},
		"number for a text": {
			method: "POST", target: "/things", body: `{"note":1}`,
			want: invalid("InvalidValue", "The value of 'note' must be a string.", "note"),
		},
		"text for an object": {
			method: "POST", target: "/things", body: `{"inner":"x"}`,
			want: invalid("InvalidValue", "The value of 'inner' must be an object.", "inner"),
		},
		"text for an array": {
			method: "POST", target: "/things", body: `{"tags":"x"}`,
			want: invalid("InvalidValue", "The value of 'tags' must be an array.", "tags"),
		},
		"deep inside": {
			method: "POST", target: "/things", body: `{"inner":{"deep":{"deep":{"on":1}}}}`,
			want: invalid("InvalidValue", "The value of 'inner.deep.deep.on' must be true or false.", "inner.deep.deep.on"),
		},
		"in a batch": {
			method: "POST", target: "/things", body: `{"batch":[{},{"size":{}}]}`,
			want: invalid("InvalidValue", "The value of 'batch[1].size' must be a whole number within its bounds.", "batch[1].size"),
		},
		"element": {
			method: "POST", target: "/things", body: `{"tags":["a",2]}`,
			want: invalid("InvalidValue", "The value of 'tags[1]' must be a string.", "tags[1]"),
		},
		"no body, its own error": {
			method: "POST", target: "/things/a/strict",
			want: "422" + json + `{"error":{"code":"MissingRequestBody","message":"The request body is missing."}}`,
		},
		"unknown property of a strict operation": {
			method: "POST", target: "/things/a/strict", body: `{"inner":{"what":1}}`,
			want: invalid("InvalidRequestBody", "The property 'inner.what' is not one that may be given.", "inner.what"),
		},
		"property in another case, strict": {
			method: "POST", target: "/things/a/strict", body: `{"Name":"a"}`,
			want: invalid("InvalidRequestBody", "The property 'Name' is not one that may be given; did you mean 'name'?", "Name"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			same(t, shown(ask(h, test.method, test.target, test.body, test.head...)), test.want)
		})
	}
}

func TestEveryWrongPropertyIsNamed(t *testing.T) {
	t.Parallel()
	h := things(t, httpapi.Config{}, thing())
	w := ask(h, "POST", "/things", `{"name":1,"count":"x","tags":{}}`)
	for _, target := range []string{"name", "count", "tags"} {
		if !strings.Contains(w.Body.String(), `"target":"`+target+`"`) {
			t.Errorf("%s is not named in %s", target, w.Body)
		}
	}
}

func TestPropertiesCountAsTheyAreSpelled(t *testing.T) {
	t.Parallel()
	svc := thing()
	var got httpapi.ThingBody
	svc.Write = func(_ context.Context, b httpapi.ThingBody) (twinplatform.Result[httpapi.Thing], error) {
		got = b
		return twinplatform.Result[httpapi.Thing]{Records: make([]twinplatform.Record[httpapi.Thing], 1)}, nil
	}
	h := things(t, httpapi.Config{UnknownMembers: httpapi.ReportUnknown}, svc)
	w := ask(h, "PATCH", "/things/a",
		`{"NAME":"no","\u0069d":"yes","inner":{"ON":true},"IfMatch":"no","other":{"name":"no"},"batch":[{"Size":1}]}`, `If-Match: "7"`)
	want := httpapi.ThingBody{ID: "yes", Batch: []httpapi.ThingPart{{}}, IfMatch: `"7"`}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(twinplatform.Optional[string]{})); diff != "" {
		t.Errorf("%d: body (-want +got):\n%s", w.Code, diff)
	}
}

func TestOtherScopesOfARow(t *testing.T) {
	t.Parallel()
	h := things(t, httpapi.Config{}, thing())
	if w := ask(h, "POST", "/things/a/strict", "{}", "Authorization: bearer hooks"); w.Code != 202 {
		t.Errorf("answer %d %s", w.Code, w.Body)
	}
}

// failing is a service in which everything ends in err, or in a panic.
func failing(err error, panics any) httpapi.Things {
	svc := thing()
	svc.Get = func(context.Context, string) (rec twinplatform.Record[httpapi.Thing], _ error) {
		if panics != nil {
			panic(panics)
		}
		return rec, err
	}
	return svc
}

func TestKindsHaveOneStatus(t *testing.T) {
	t.Parallel()
	for kind, want := range map[twinplatform.Kind]int{
		twinplatform.Internal: 500, twinplatform.Invalid: 400, twinplatform.Unauthenticated: 401,
		twinplatform.Forbidden: 403, twinplatform.NotFound: 404, twinplatform.Conflict: 409,
		twinplatform.Unprocessable: 422, twinplatform.RateLimited: 429, twinplatform.Unavailable: 503,
		twinplatform.Kind(99): 500,
	} {
		w := ask(things(t, httpapi.Config{}, failing(&twinplatform.Error{Kind: kind, Code: "C", Message: "m"}, nil)), "GET", "/things/a", "")
		if w.Code != want {
			t.Errorf("%v answers %d, want %d", kind, w.Code, want)
		}
	}
}

func TestFaultsOfThePlatformRevealNothing(t *testing.T) {
	t.Parallel()
	internal := "500" + json + `{"error":{"code":"InternalError","message":"An unexpected error occurred."}}`
	aborted := "503" + json + `{"error":{"code":"RequestAborted","message":"The request was cancelled before it was done."}}`
	for name, test := range map[string]struct {
		svc  httpapi.Things
		want string
	}{
		"any error":   {failing(errors.New("secret"), nil), internal},
		"panic":       {failing(nil, "secret"), internal},
		"out of time": {failing(fmt.Errorf("secret: %w", context.DeadlineExceeded), nil), aborted},
		"outcome": {failing(&twinplatform.Error{Kind: twinplatform.Unavailable, Code: "OutcomeUnknown", Message: "Read first."},
			nil), "503" + json + `{"error":{"code":"OutcomeUnknown","message":"Read first."}}`},
		"store closed": {failing(&twinplatform.Error{
			Kind: twinplatform.Unavailable, Code: "StoreUnavailable", Message: "Later.",
			RetryAfter: 1500 * time.Millisecond,
		}, nil), "503" + json + "Retry-After: 2\n" +
			`{"error":{"code":"StoreUnavailable","message":"Later."}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			same(t, shown(ask(things(t, httpapi.Config{}, test.svc), "GET", "/things/a", "")), test.want)
		})
	}
}

func TestAbortedHandlersReachTheServer(t *testing.T) {
	t.Parallel()
	defer func() {
		if v := recover(); v != http.ErrAbortHandler {
			t.Errorf("recovered %v", v)
		}
	}()
	ask(things(t, httpapi.Config{}, failing(nil, http.ErrAbortHandler)), "GET", "/things/a", "")
}

func TestRequestsHaveADeadline(t *testing.T) {
	t.Parallel()
	svc := thing()
	svc.Get = func(ctx context.Context, _ string) (rec twinplatform.Record[httpapi.Thing], err error) {
		<-ctx.Done()
		return rec, ctx.Err()
	}
	w := ask(things(t, httpapi.Config{Timeout: time.Millisecond}, svc), "GET", "/things/a", "")
	if w.Code != 503 {
		t.Errorf("answer %d %s", w.Code, w.Body)
	}
}

func TestTheCallerReachesTheDomain(t *testing.T) {
	t.Parallel()
	svc := thing()
	svc.Get = func(ctx context.Context, _ string) (rec twinplatform.Record[httpapi.Thing], err error) {
		if p, ok := twinplatform.PrincipalFrom(ctx); !ok || p.ID != me.ID {
			t.Errorf("principal %v, %v", p, ok)
		}
		return rec, nil
	}
	ask(things(t, httpapi.Config{}, svc), "GET", "/things/a", "")
}

// covers: Operation: http rule _links.operationLocation.href is the address of the operation
// covers: Conventions: http rule _links.self repeats the request
func TestLinks(t *testing.T) {
	t.Parallel()
	prefixed := func(prefix string, h http.Handler) http.Handler { return http.StripPrefix(prefix, h) }
	plain := things(t, httpapi.Config{}, thing())
	configured := things(t, httpapi.Config{BaseURL: "https://api.example.org/v1/"}, thing())
	for name, test := range map[string]struct {
		h      http.Handler
		target string
		tls    bool
		want   string
	}{
		"host":                      {plain, "/things?a=1", false, "http://example.com/things?a=1"},
		"TLS":                       {plain, "/things", true, "https://example.com/things"},
		"prefix":                    {prefixed("/api/v1", plain), "/api/v1/things", false, "http://example.com/api/v1/things"},
		"prefix taken with a slash": {prefixed("/api/", plain), "/api/things", false, "http://example.com/api/things"},
		"prefix with an escape":     {prefixed("/a b", plain), "/a%20b/things?x=%20", false, "http://example.com/a%20b/things?x=%20"},
		"prefix, escapes behind it": {prefixed("/api", plain), "/api/boxes/a%2Fb%20c/things", false, "http://example.com/api/boxes/a%2Fb%20c/things"},
		"absolute form":             {prefixed("/api", plain), "http://proxied.example/api/things", false, "http://proxied.example/api/things"},
		"configured":                {configured, "/things?a=1", false, "https://api.example.org/v1/things?a=1"},
		"configured under a prefix": {prefixed("/internal", configured), "/internal/things", true, "https://api.example.org/v1/things"},
		"quotes":                    {plain, `/things?a="\&b=<`, false, `http://example.com/things?a=\"\\&b=<`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := httptest.NewRequest("GET", test.target, nil)
			r.Header.Set("Authorization", "Bearer "+token)
			if r.TLS = nil; test.tls {
				r.TLS = &tls.ConnectionState{}
			}
			w := httptest.NewRecorder()
			test.h.ServeHTTP(w, r)
			if want := `"self":{"href":"` + test.want + `"}`; !strings.Contains(w.Body.String(), want) {
				t.Errorf("want %s in\n%s", want, w.Body)
			}
		})
	}
}

func TestConfigurationsThatContradictThemselves(t *testing.T) {
	t.Parallel()
	auth := httpapi.StaticTokens(nil)
	for name, cfg := range map[string]httpapi.Config{
		"nobody may come in":  {},
		"negative rate":       {Authenticator: auth, Rate: -2},
		"negative body":       {Authenticator: auth, MaxBody: -1},
		"relative base":       {Authenticator: auth, BaseURL: "/api"},
		"base with a query":   {Authenticator: auth, BaseURL: "https://example.com/?a"},
		"base of no host":     {Authenticator: auth, BaseURL: "https:///x"},
		"nothing reschedules": {Authenticator: auth, Schedules: schedules.New(memory.New(), schedules.Config{}, planfiles.Feature)},
		"nothing is imported": {Authenticator: auth, Schedules: schedules.New(memory.New(), schedules.Config{}, scheduling.Feature)},
	} {
		if _, err := httpapi.New(cfg); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
