package console_test

import (
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/internal/testsize"
)

// page is what a test looks at of one.
type page struct {
	links, ids      []string
	forms           []string // the addresses of those that change something
	text            string
	bytes, elements int
}

// parse reads a page as XML, and holds it to what every page keeps.
func parse(t testing.TB, where string, body []byte) page {
	t.Helper()
	p := page{bytes: len(body)}
	var text strings.Builder
	labels, fields := make(map[string]bool), make(map[string]bool)
	seen := make(map[string]int)
	d := xml.NewDecoder(bytes.NewReader(body))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%s is no well-formed XML: %v\n%s", where, err, body)
		}
		switch e := token.(type) {
		case xml.CharData:
			text.Write(e)
		case xml.StartElement:
			seen[e.Name.Local]++
			p.elements++
			at := attributesOf(t, where, e)
			if id := at["id"]; id != "" {
				if slices.Contains(p.ids, id) {
					t.Errorf("%s has the id %s twice", where, id)
				}
				p.ids = append(p.ids, id)
			}
			switch e.Name.Local {
			case "a":
				p.links = append(p.links, at["href"])
			case "label":
				labels[at["for"]] = true
			case "form":
				if at["method"] == "post" {
					p.forms = append(p.forms, at["action"])
				}
			case "input", "select", "textarea":
				if at["type"] != "hidden" && at["type"] != "checkbox" {
					fields[at["id"]] = fields[at["id"]] || at["aria-label"] != ""
				}
			}
		}
	}
	for id, named := range fields {
		if !named && !labels[id] {
			t.Errorf("%s: the field %q has no label", where, id)
		}
	}
	for id := range labels {
		if id != "" && !slices.Contains(p.ids, id) {
			t.Errorf("%s: a label is for %q, which is not there", where, id)
		}
	}
	for element, n := range map[string]int{"html": 1, "title": -1, "main": 1, "h1": 1, "header": 1} {
		if seen[element] != n && (n > 0 || seen[element] == 0) {
			t.Errorf("%s has <%s> %d times", where, element, seen[element])
		}
	}
	if len(p.links) == 0 || p.links[0] != "#main" {
		t.Errorf("%s does not begin with a link to its content", where)
	}
	p.text = strings.Join(strings.Fields(text.String()), " ")
	if n := gzipped(t, body); n > mostGzipped {
		t.Errorf("%s has %d bytes when it is compressed, want at most %d", where, n, mostGzipped)
	}
	return p
}

// mostGzipped is how many bytes a page has at most as it is sent.
const mostGzipped = 40_000

// gzipped is how many bytes a page has when it is compressed as it is sent.
func gzipped(t testing.TB, body []byte) int {
	t.Helper()
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Write(body); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Len()
}

// TestNoPageOfALargePlanIsLargeToSend follows the links of a plan of which no list fits a page.
func TestNoPageOfALargePlanIsLargeToSend(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b := w.browser()
	path, baseline := w.largePlan(testsize.Of(22_000, 2_200))
	kinds := make(map[string]int)
	var queue []string
	for _, from := range []string{
		"", "?orderBy=start", "/quality?point=Logic", "/quality?point=HighFloat", "/reschedule", "/tasks/t00041",
		"/tasks/t00141/move?start=2027-03-01T08:00",
	} {
		queue = append(queue, "/console"+path+from)
	}
	queue = append(queue, "/console"+baseline)
	for ; len(queue) > 0; queue = queue[1:] {
		where := queue[0]
		if kinds[kindOf(where)] == testsize.Of(1, 2) || !strings.Contains(where, path) {
			continue
		}
		kinds[kindOf(where)]++
		res := b.get(where)
		if !strings.HasPrefix(res.Header().Get("Content-Type"), "text/html") {
			continue
		}
		p := parse(t, where, res.Body.Bytes())
		if res.Code != http.StatusOK {
			t.Errorf("%s answers %d: %s", where, res.Code, p.text)
		}
		base, err := url.Parse(where)
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range p.links {
			if to, err := base.Parse(link); err == nil {
				to.Fragment = ""
				queue = append(queue, to.String())
			}
		}
	}
	if len(kinds) < 15 {
		t.Errorf("only these kinds of pages are found: %v", slices.Sorted(maps.Keys(kinds)))
	}
}

// attributesOf are those of an element, none of which has an inline script or style, or
// loads anything from elsewhere.
func attributesOf(t testing.TB, where string, e xml.StartElement) map[string]string {
	t.Helper()
	at := make(map[string]string)
	for _, a := range e.Attr {
		name := a.Name.Local
		at[name] = a.Value
		if name == "style" || strings.HasPrefix(name, "on") {
			t.Errorf("%s: %s has the attribute %s", where, e.Name.Local, name)
		}
		if (name == "src" || name == "href" && e.Name.Local == "link") && !strings.Contains(a.Value, "assets/") &&
			(e.Name.Local != "img" || strings.Contains(a.Value, ":") || strings.HasPrefix(a.Value, "/")) {
			t.Errorf("%s loads %s", where, a.Value)
		}
		if a.Value == "about:invalid" {
			t.Errorf("%s: an address leads nowhere", where)
		}
	}
	return at
}

var ids = regexp.MustCompile(`/[^/?]*[0-9][^/?]*|=[^&]*`)

// kindOf is an address without what differs among pages of a kind. The pages that try an
// operation are one kind in short mode: they are filled from one table.
func kindOf(where string) string {
	if testing.Short() && strings.HasPrefix(where, "/console/try/") {
		return "/console/try/*"
	}
	return ids.ReplaceAllString(where, "/*")
}

// crawl follows every link from an address on, a few of each kind, and reports each
// answer; what is not a page has an empty one.
func crawl(
	t testing.TB, from string, most int, get func(where string) *httptest.ResponseRecorder,
	each func(where string, status int, p page),
) (seen int) {
	t.Helper()
	perKind := testsize.Of(6, 2) // pages of a kind differ by ids alone
	queue, asked, kinds := []string{from}, make(map[string]bool), make(map[string]int)
	for ; len(queue) > 0 && seen < most; queue = queue[1:] {
		where, kind := queue[0], kindOf(queue[0])
		if asked[where] || kinds[kind] >= perKind {
			continue
		}
		asked[where] = true
		kinds[kind]++
		seen++
		res := get(where)
		wantHeaders(t, where, res.Header())
		var p page
		if strings.HasPrefix(res.Header().Get("Content-Type"), "text/html") {
			p = parse(t, where, res.Body.Bytes())
		}
		each(where, res.Code, p)
		base, err := url.Parse(where)
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range p.links {
			to, err := base.Parse(link)
			if err != nil || to.Host != "" || !strings.HasPrefix(to.Path, "/console/") {
				t.Errorf("%s links to %q, %v", where, link, err)
				continue
			}
			to.Fragment = ""
			queue = append(queue, to.String())
		}
	}
	return seen
}

// crawl opens pages from the first on, and returns them.
func (b *visitor) crawl(most int) map[string]page {
	b.w.t.Helper()
	pages := make(map[string]page)
	crawl(b.w.t, "/console/", most, b.get, func(where string, status int, p page) {
		if status != http.StatusOK && status != http.StatusUnauthorized && status != http.StatusForbidden &&
			status != http.StatusNotFound {
			b.w.t.Errorf("%s answers %d: %s", where, status, p.text)
		}
		if p.bytes > 0 {
			pages[where] = p
		}
	})
	return pages
}
