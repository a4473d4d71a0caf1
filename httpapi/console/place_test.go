package console_test

import (
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/httpapi"
)

// seededIDs are records of the bridge by the names that paths and parameters have for them.
var seededIDs = map[string]string{
	"scheduleId": "nb-plan", "twinId": "b0000000-0000-4000-8000-000000000010", "modelId": "nb-design",
	"changesetId": "tender", "projectId": "b0000000-0000-4000-8000-000000000010",
}

// inBraces finds the names in a path.
var inBraces = regexp.MustCompile(`\{([^}]*)\}`)

// seededPath is a path with the ids of seeded records; none stands for what is not seeded.
func seededPath(path string) string {
	return inBraces.ReplaceAllStringFunc(path, func(name string) string {
		if id := seededIDs[strings.Trim(name, "{}")]; id != "" {
			return url.PathEscape(id)
		}
		return "none"
	})
}

// TestEachListHasAPage opens the page of each list of the route table, and holds the page of a schedule
// to leading to each of its lists.
func TestEachListHasAPage(t *testing.T) {
	t.Parallel()
	b := openBridge(t, httpapi.Operation{})
	ofSchedule, lists := strings.Join(b.links("/console/browse/schedules/nb-plan"), " "), 0
	for _, o := range httpapi.Operations() {
		if _, verb, _ := strings.Cut(o.ID, "."); o.Method != http.MethodGet || !strings.Contains(verb, "list") {
			continue
		}
		lists++
		target := "/console/browse" + seededPath(o.Path)
		w := b.get(target)
		text := parse(t, target, w.Body.Bytes()).text
		gone := w.Code == http.StatusNotFound && strings.Contains(target, "/none") && !strings.Contains(text, "Page not found")
		if w.Code != http.StatusOK && !gone {
			t.Errorf("%s has no page at %s: %d %s", o.ID, target, w.Code, text)
		}
		inSchedule := strings.HasPrefix(o.Path, "/schedules/{scheduleId}/") && strings.Count(o.Path, "{") == 1
		if inSchedule && !strings.Contains(ofSchedule, seededPath(o.Path)) {
			t.Errorf("the page of a schedule does not lead to %s: %s", o.Path, ofSchedule)
		}
	}
	if lists < 80 {
		t.Errorf("only %d lists were opened", lists)
	}
}

// links are those of a page.
func (b *visitor) links(target string) []string {
	b.w.t.Helper()
	return parse(b.w.t, target, []byte(b.source(target, http.StatusOK))).links
}

// shownJSON finds the record that a page shows as the API answers it.
var shownJSON = regexp.MustCompile(`(?s)<pre tabindex="0">\s*(\{.*?)</pre>`)

// TestEachReferenceIsALinkAndAPicker looks at records of each place, and at the form that adds one.
func TestEachReferenceIsALinkAndAPicker(t *testing.T) {
	t.Parallel()
	b := openBridge(t, httpapi.Operation{})
	linked, picked := 0, 0
	for _, p := range httpapi.Places() {
		list := "/console/browse" + seededPath(p.List)
		if p.List == "" || strings.Contains(list, "/none") || !strings.HasPrefix(p.One+"/{", p.List+"/{") {
			continue
		}
		for _, q := range p.Query {
			if id := seededIDs[q.Name]; id != "" && q.Refers != p.One && !strings.Contains(list, "?") && !strings.Contains(p.List, "{") {
				list += "?" + url.Values{q.Name: {id}}.Encode()
			}
		}
		source := b.source(list, http.StatusOK)
		for _, link := range parse(t, list, []byte(source)).links {
			to := resolve(t, list, link)
			switch path, _, _ := strings.Cut(strings.TrimPrefix(to, "/console/browse"), "?"); {
			case strings.HasPrefix(to, "/console/edit/"):
				picked += b.picks(p, to)
			case slices.ContainsFunc(httpapi.Places(), func(p httpapi.Place) bool { return seededPath(p.List) == path }):
			case strings.HasPrefix(path, seededPath(p.List)+"/") && strings.Count(path, "/") == strings.Count(p.One, "/"):
				linked += b.refersFrom(p, "/console/browse"+path)
			}
		}
	}
	if linked < 30 || picked < 20 {
		t.Errorf("only %d references are links, and %d are picked", linked, picked)
	}
}

// refersFrom looks at the references of the record on a page, and returns how many are links.
func (b *visitor) refersFrom(p httpapi.Place, page string) (links int) {
	b.w.t.Helper()
	source := b.source(page, http.StatusOK)
	var body map[string]any
	shown := shownJSON.FindStringSubmatch(source)
	if shown == nil || json.Unmarshal([]byte(html.UnescapeString(shown[1])), &body) != nil {
		b.w.t.Fatalf("%s shows no record: %s", page, source)
	}
	if inner, ok := body[p.Record].(map[string]any); ok {
		body = inner
	}
	for _, m := range p.Members {
		id, _ := body[m.Name].(string)
		if m.Refers == "" || id == "" {
			continue
		}
		target := seededPath(m.Refers[:strings.LastIndexByte(m.Refers, '/')+1]) + url.PathEscape(id)
		there := b.w.ask(ownerToken, http.MethodGet, target, "").Code == http.StatusOK
		is := slices.ContainsFunc(b.links(page), func(link string) bool { return strings.Contains(link, target) })
		if links++; there != is {
			b.w.t.Errorf("%s: %s of %s is there: %v, and a link: %v", page, m.Name, target, there, is)
		}
	}
	return links
}

// picks looks at the references that the form of a page has fields of, and returns how many of them
// are chosen from what is there.
func (b *visitor) picks(p httpapi.Place, form string) (picked int) {
	b.w.t.Helper()
	source := b.source(form, http.StatusOK)
	for _, m := range p.Members {
		if m.Refers == "" || !strings.Contains(source, `name="m.`+m.Name+`"`) {
			continue
		}
		if strings.Contains(source, `<select id="m-`+m.Name+`"`) {
			picked++
			continue
		}
		from := seededPath(m.Refers[:strings.LastIndexByte(m.Refers, '/')])
		if !slices.ContainsFunc(httpapi.Places(), func(p httpapi.Place) bool { return seededPath(p.List) == from }) {
			continue
		}
		if text := b.get("/console/browse" + from).Body.String(); !strings.Contains(text, "There are no ") && !strings.Contains(text, "Not available") {
			b.w.t.Errorf("%s: %s is not chosen from %s", form, m.Name, from)
		}
	}
	return picked
}
