package httpapi_test

import (
	"cmp"
	stdjson "encoding/json"
	"maps"
	"mime"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
)

// base is where the worlds of the conversations are.
const base = "https://api.test"

// success is an answer in a conversation that is no refusal, with the world as it is
// behind it.
type success struct {
	*httptest.ResponseRecorder

	where          string // conversation and step
	handler        *httpapi.Handler
	operation      httpapi.Operation
	method, target string
	head           []string       // the lines of the request's header
	described      map[string]any // of the operation
}

// answer names the operation and the status.
func (s *success) answer() string { return s.operation.ID + " " + strconv.Itoa(s.Code) }

// headers are those that the document has for an answer of the operation.
func (s *success) headers(status int) map[string]any {
	answer, _ := s.described["responses"].(map[string]any)[strconv.Itoa(status)].(map[string]any)
	headers, _ := answer["headers"].(map[string]any)
	return headers
}

// describes reports whether the document has an answer of the operation.
func (s *success) describes(status int) bool {
	return s.described["responses"].(map[string]any)[strconv.Itoa(status)] != nil
}

// get asks for an address as the request did, with more lines of a header.
func (s *success) get(address string, more ...string) *httptest.ResponseRecorder {
	return ask(s.handler, http.MethodGet, strings.TrimPrefix(address, base), "", append(slices.Clone(s.head), more...)...)
}

// looking is what successes are held to: each of them, and all that were seen in the end.
type looking struct {
	each func(s *success)
	all  func()
}

// Each conversation is held once, and each success in it to all of this.
func TestSuccessesAreAsTheDocumentHasThem(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	held := []looking{headersOfTheDocument(t), bodiesOfTheDocument(t), addressesThatLead(t), versionsHonoured(t), pagesThatLead(t)}
	eachSuccess(t, func(s *success) {
		for _, l := range held {
			l.each(s)
		}
	})
	for _, l := range held {
		l.all()
	}
}

// eachSuccess holds all conversations and shows the successes in them, 304 too.
func eachSuccess(t *testing.T, look func(s *success)) {
	t.Helper()
	c, err := contractOf(httpapi.OpenAPI("/"))
	if err != nil {
		t.Fatal(err)
	}
	for _, setting := range settings(t) {
		for _, name := range slices.Sorted(maps.Keys(setting.all)) {
			all, h := setting.all[name], setting.world(t)
			var talk conversation
			for _, st := range all.steps {
				request := talk.filled(st.request)
				caller, method, target := requestLine(request)
				w := talk.send(t, h, st.request)
				talk.shown(t, w)
				o, ok := h.OperationOf(httptest.NewRequest(method, target, http.NoBody))
				if !ok || w.Code >= 400 || method == http.MethodHead {
					continue
				}
				head, _, _ := strings.Cut(request, "\n\n")
				lines := []string{"Authorization: Bearer " + cmp.Or(caller, "writer")}
				for line := range strings.Lines(head) {
					if name, _, is := strings.Cut(line, ": "); is && !strings.HasPrefix(name, "If-") {
						lines = append(lines, strings.TrimSpace(line))
					}
				}
				look(&success{w, all.path + ", " + st.title, h, o, method, target, lines, c.at("paths", o.Path, strings.ToLower(method))})
			}
		}
	}
}

// ofEveryAnswer are the headers that answers of all operations have: those of HTTP, and
// one that the document describes once.
var ofEveryAnswer = []string{"Content-Type", "Content-Length", "X-Content-Type-Options", httpapi.RequestIDHeader}

// headersOfTheDocument holds each success to the headers that the
// document gives it: what is sent is described, in words, and what is described is sent
// once at least, or always where it is required.
func headersOfTheDocument(t *testing.T) looking {
	sent, wrong := make(map[string]bool), make(map[string]bool)
	look := func(s *success) {
		described := make(map[string]bool)
		for name, about := range s.headers(s.Code) {
			described[http.CanonicalHeaderKey(name)] = true
			about := about.(map[string]any)
			is, promise := s.Header().Get(name) != "", s.answer()+" never sends "+name+", which is described"
			sent[promise] = sent[promise] || is
			if about["required"] == true && !is {
				t.Errorf("%s: %s is missing, which is required", s.where, name)
			}
			if about["description"] == "" {
				wrong["nothing says what "+name+" is"] = true
			}
		}
		for name := range s.Header() {
			if !described[name] && !slices.Contains(ofEveryAnswer, name) {
				wrong[s.answer()+" sends "+name+", which is not described"] = true
			}
		}
	}
	return looking{look, func() {
		for promise, kept := range sent {
			if !kept {
				wrong[promise] = true
			}
		}
		for _, what := range slices.Sorted(maps.Keys(wrong)) {
			t.Error(what)
		}
		h := newWorld(t).handler
		for name, handler := range map[string]http.Handler{httpapi.RequestIDHeader: h, "X-Errand-Id": inTheGarden(t, h)} {
			if !strings.Contains(ask(handler, "GET", "/openapi.json", "").Body.String(), "has the header "+name) {
				t.Errorf("the document does not describe %s", name)
			}
		}
	}}
}

// bodiesOfTheDocument holds the body of each success to the media types that the document has for
// it: what is sent is described, and what is described is sent once at least.
func bodiesOfTheDocument(t *testing.T) looking {
	sent := make(map[string]bool)
	look := func(s *success) {
		answer, _ := s.described["responses"].(map[string]any)[strconv.Itoa(s.Code)].(map[string]any)
		content, _ := answer["content"].(map[string]any)
		media, _, err := mime.ParseMediaType(s.Header().Get("Content-Type"))
		known := false
		for name := range content {
			promise := s.answer() + " " + name
			is := s.Body.Len() > 0 && err == nil && (name == media || name == "*/*")
			sent[promise], known = sent[promise] || is, known || is
		}
		if s.Body.Len() > 0 && !known {
			t.Errorf("%s: the document does not have the body of %s, which is %s", s.where, s.answer(), media)
		}
	}
	return looking{look, func() {
		for promise, kept := range sent {
			if !kept {
				t.Errorf("no conversation shows %s, which is described", promise)
			}
		}
	}}
}

// outOfTheAPI are the addresses in answers that lead out of the API, by the names of the
// links and by the paths that the platform has for what nothing here serves.
var outOfTheAPI = []string{"uploadUrl", "containerUrl", "downloadUrl", "/users/", "/storage/files/", "/storage/folders/"}

// unreadYet are the operations whose Location is read only once its bytes were put there.
var unreadYet = []string{"formAttachments.create", "issueAttachments.create"}

// addresses notes the addresses in a body by their places.
func addresses(at string, v any, found map[string]string) {
	switch v := v.(type) {
	case map[string]any:
		for name, below := range v {
			addresses(at+"."+name, below, found)
		}
	case []any:
		for i, below := range v {
			addresses(at+"["+strconv.Itoa(i)+"]", below, found)
		}
	case string:
		if strings.HasPrefix(v, base) || strings.HasSuffix(at, ".href") {
			found[at] = v
		}
	}
}

// addressesThatLead follows each address in the header and the body
// of each success, as its caller. One that is in the area of another world must be that
// of an operation.
func addressesThatLead(t *testing.T) looking {
	everything, followed := newWorld(t).handler, 0
	look := func(s *success) {
		found := make(map[string]string)
		for _, name := range []string{"Location", "Operation-Location"} {
			if at := s.Header().Get(name); at != "" {
				found[name] = at
			}
		}
		var v any
		if stdjson.Unmarshal(s.Body.Bytes(), &v) == nil {
			addresses("", v, found)
		}
		for at, address := range found {
			if slices.ContainsFunc(outOfTheAPI, func(part string) bool { return strings.Contains(at+" "+strings.TrimPrefix(address, base), part) }) {
				continue
			}
			below, is := strings.CutPrefix(address, base)
			if at == "._links.completeUrl.href" { // which is to be posted to, and relative to the area
				below, is = "/reality-analysis/"+address, true
				if _, ok := everything.OperationOf(httptest.NewRequest(http.MethodPost, below, http.NoBody)); ok {
					continue
				}
			}
			o, ok := everything.OperationOf(httptest.NewRequest(http.MethodGet, below, http.NoBody))
			if !is || !ok {
				t.Errorf("%s: %s leads nowhere: %s", s.where, at, address)
				continue
			}
			followed++
			served := slices.ContainsFunc(s.handler.Operations(), func(other httpapi.Operation) bool { return other.ID == o.ID })
			if !served || at == "Location" && slices.Contains(unreadYet, s.operation.ID) {
				continue
			}
			if w := s.get(below); w.Code >= 400 {
				t.Errorf("%s: %s is %s, which answers %d %s", s.where, at, address, w.Code, w.Body)
			}
		}
	}
	return looking{look, func() {
		if followed < 1000 {
			t.Errorf("only %d addresses were followed", followed)
		}
	}}
}

// versionsHonoured sends each ETag back: what is read with it answers 304,
// which is described wherever an ETag is, and a write gives the ETag that its record is
// read with.
func versionsHonoured(t *testing.T) looking {
	spared, written := make(map[string]bool), 0
	look := func(s *success) {
		etag := s.Header().Get("ETag")
		if s.method != http.MethodGet {
			if at, ok := s.written(); ok && etag != "" && !slices.Contains(unreadYet, s.operation.ID) {
				written++
				s.unchanged(t, at, etag)
			}
			return
		}
		if is := s.describes(http.StatusNotModified); is != (etag != "") {
			t.Errorf("%s: 304 is described: %t, and the ETag is %q", s.where, is, etag)
		}
		if etag != "" && s.Code != http.StatusNotModified {
			spared[s.operation.ID] = s.unchanged(t, s.target, etag) || spared[s.operation.ID]
		}
	}
	return looking{look, func() {
		for id, is := range spared {
			if !is {
				t.Errorf("%s never answers 304", id)
			}
		}
		if written < 150 || len(spared) < 100 {
			t.Errorf("only %d writes and %d operations that read were looked at", written, len(spared))
		}
	}}
}

// written is where the record of a write is read, if it is read alone.
func (s *success) written() (at string, ok bool) {
	if at = s.Header().Get("Location"); at != "" {
		return at, true
	}
	o, ok := s.handler.OperationOf(httptest.NewRequest(http.MethodGet, s.target, http.NoBody))
	return s.target, ok && o.Path == s.operation.Path && !strings.Contains(o.ID, ".list")
}

// unchanged reports whether an address answers 304 to the ETag that it was given. What has
// an address that is a new one in every answer is always sent.
func (s *success) unchanged(t *testing.T, at, etag string) bool {
	t.Helper()
	w := s.get(at, "If-None-Match: "+etag)
	spared := w.Code == http.StatusNotModified && w.Header().Get("ETag") == etag && w.Body.Len() == 0
	if !spared && !strings.Contains(w.Body.String(), `"downloadUrl"`) {
		t.Errorf("%s: %s with its ETag %s answers %d, ETag %s, %s", s.where, at, etag, w.Code, w.Header().Get("ETag"), w.Body)
	}
	return spared
}

// pagesThatLead walks each list of each conversation one record at a
// time: all pages but the last have a link and a token to the next, and the last has the
// delta token where one is described, by which nothing has changed since.
func pagesThatLead(t *testing.T) looking {
	paged, followed := make(map[string]bool), make(map[string]bool)
	look := func(s *success) {
		described := s.headers(http.StatusOK)
		if s.method != http.MethodGet || s.Code != http.StatusOK || described["Continuation-Token"] == nil {
			return
		}
		u, err := url.Parse(s.target)
		if err != nil {
			t.Fatal(err)
		}
		q := u.Query()
		for name := range q {
			if strings.HasSuffix(strings.ToLower(name), "token") {
				return
			}
		}
		q.Set("$top", "1")
		u.RawQuery = q.Encode()
		next, delta := u.String(), ""
		for pages := 0; next != ""; pages++ {
			w := s.get(next)
			if w.Code != http.StatusOK || pages > 200 {
				t.Errorf("%s: page %d of %s answers %d %s", s.where, pages, next, w.Code, w.Body)
				return
			}
			next = nextOf(t, w.Body.Bytes())
			if token := w.Header().Get("Continuation-Token"); token != "" != (next != "") {
				t.Errorf("%s: page %d has the token %q and the link %q", s.where, pages, token, next)
			}
			paged[s.operation.ID] = paged[s.operation.ID] || next != ""
			delta = w.Header().Get("Delta-Token")
			if delta != "" && next != "" {
				t.Errorf("%s: page %d has both tokens", s.where, pages)
			}
		}
		parameter := deltaParameter(s.described)
		if (described["Delta-Token"] != nil) != (parameter != "") || delta != "" && parameter == "" {
			t.Errorf("%s: delta tokens are described: %t, taken as %q and given as %q", s.where, described["Delta-Token"] != nil, parameter, delta)
		}
		if parameter == "" {
			return
		}
		followed[s.operation.ID] = followed[s.operation.ID] || delta != ""
		if delta == "" {
			return // a list that asks for several tasks at a time has no order of changes
		}
		q.Set(parameter, delta)
		u.RawQuery = q.Encode()
		if w := s.get(u.String()); w.Code != http.StatusOK || w.Header().Get("Delta-Token") == "" {
			t.Errorf("%s: the delta %s answers %d, Delta-Token %q, %s", s.where, u, w.Code, w.Header().Get("Delta-Token"), w.Body)
		}
	}
	return looking{look, func() {
		for id, is := range paged {
			if !is {
				t.Errorf("%s never has a second page", id)
			}
		}
		for id, is := range followed {
			if !is {
				t.Errorf("%s never gives a delta token", id)
			}
		}
	}}
}

// deltaParameter is what an operation calls the token of a delta; empty where it takes none.
func deltaParameter(described map[string]any) string {
	for _, p := range asList(described["parameters"]) {
		if name := p.(map[string]any)["name"].(string); strings.Trim(name, "$") == "deltaToken" {
			return name
		}
	}
	return ""
}

// nextOf is the link to the next page, wherever the body has its links.
func nextOf(t *testing.T, body []byte) string {
	t.Helper()
	var v any
	if err := stdjson.Unmarshal(body, &v); err != nil {
		t.Fatal(err)
	}
	found := make(map[string]string)
	addresses("", v, found)
	for at, address := range found {
		if strings.HasSuffix(at, "._links.next.href") {
			return address
		}
	}
	return ""
}
