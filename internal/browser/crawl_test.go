package browser_test

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

const seed = "examples/server/testdata/world-j30.json"

// perShape is how many pages of one shape are looked at: they differ by ids alone.
const perShape = 2

// TestEveryPageIsForEverybody follows every link from the first page on, and looks at each
// kind of page that it comes to.
func TestEveryPageIsForEverybody(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, "-seed", seed, "-test-controls").URL)
	pages := b.crawl(func(at string) { b.look(at) })
	for _, long := range []string{"/console/try/detectorVersions.unpublish", "/console/try/plannerImports.listTasks"} {
		b.visit(long)
		b.look(long)
	}
	if len(pages) < 30 {
		t.Errorf("only %d pages were found: %q", len(pages), pages)
	}
}

// TestPagesNeedNoScript does so in a browser that runs none.
func TestPagesNeedNoScript(t *testing.T) {
	t.Parallel()
	base := serve(t, "-seed", seed).URL
	b := open(t, base)
	with := b.crawl(func(string) {})
	without := open(t, base)
	call(without, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	seen := without.crawl(func(at string) {
		if strings.TrimSpace(without.text("main")) == "" {
			t.Errorf("%s is empty", at)
		}
	})
	slices.Sort(with)
	slices.Sort(seen)
	if len(seen) < len(with)*9/10 {
		t.Errorf("%d pages are found without scripts, %d with them", len(seen), len(with))
	}
}

// text is what an element says, without running a script of the page.
func (b *tab) text(selector chromedp.CSS) string {
	b.t.Helper()
	return ask(b, chromedp.TextContent(selector))
}

// crawl follows links from the first page of the console on, a few of each shape, and
// calls look on each page.
func (b *tab) crawl(look func(at string)) (pages []string) {
	b.t.Helper()
	shapes, todo := map[string]int{}, []string{"/console/"}
	for queued := map[string]bool{"/console/": true}; len(todo) > 0; todo = todo[1:] {
		at := todo[0]
		if file.MatchString(at) { // which the browser saves
			if status := eval[int](b, fmt.Sprintf("fetch(%q).then((r) => r.status)", at)); status != 200 {
				b.t.Errorf("%s: the file is answered with status %d", at, status)
			}
			continue
		}
		status, kind := b.visit(at)
		if status != 200 {
			b.t.Errorf("%s: a link leads to status %d", at, status)
		}
		if kind != "text/html" {
			b.errors(at)
			continue
		}
		pages = append(pages, at)
		look(at)
		for _, to := range b.links() {
			u, err := url.Parse(to)
			if err != nil || !strings.HasPrefix(to, b.base+"/console") {
				continue
			}
			next := u.RequestURI()
			if s := shape(u); !queued[next] && shapes[s] < perShape {
				queued[next] = true
				shapes[s]++
				todo = append(todo, next)
			}
		}
	}
	return pages
}

// links are the addresses to which the page leads, except for those that are saved.
func (b *tab) links() (all []string) {
	b.t.Helper()
	at := b.address()
	for _, a := range ask(b, chromedp.AttributesAll(chromedp.CSSAll("a[href]"))) {
		if _, saved := a["download"]; saved {
			continue
		}
		if u, err := at.Parse(a["href"]); err == nil {
			u.Fragment = ""
			all = append(all, u.String())
		}
	}
	return all
}

// address is where the tab is.
func (b *tab) address() *url.URL {
	b.t.Helper()
	u, err := url.Parse(ask(b, chromedp.Location()))
	if err != nil {
		b.t.Fatal(err)
	}
	return u
}

// file is the address of one.
var file = regexp.MustCompile(`\.[a-z]{2,4}(\?|$)`)

// id is a part of an address that names one of many.
var id = regexp.MustCompile(`[0-9.%]|^.{25,}$`)

// shape is an address without what names one of many.
func shape(u *url.URL) string {
	parts := strings.Split(u.Path, "/")
	for i, p := range parts {
		if id.MatchString(p) {
			parts[i] = "*"
		}
	}
	names := []string{}
	for name := range u.Query() {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(parts, "/") + "?" + strings.Join(names, "&")
}
