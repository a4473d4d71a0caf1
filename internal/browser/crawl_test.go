package browser_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/chromedp/chromedp"

	"github.com/seed-933f9a09/twinplatform/internal/browser"
)

const seed = browser.World

// perShape is how many pages of one shape are asked for: they differ by ids alone. The first
// is visited.
const perShape = 2

// text is what an element says, without running a script of the page.
func (b *tab) text(selector chromedp.CSS) string {
	b.t.Helper()
	return ask(b, chromedp.TextContent(selector))
}

// crawl is how many pages of each shape were found.
type crawl map[string]int

// from follows links from a page of the console on, to one page of each shape, and calls look
// on it. What else leads to such a page is there, too.
func (c crawl) from(b *tab, first string, look func(at string)) {
	b.t.Helper()
	queued := map[string]bool{first: true}
	for todo := []string{first}; len(todo) > 0; todo = todo[1:] {
		at := todo[0]
		status, kind := b.visit(at)
		if status != http.StatusOK {
			b.t.Errorf("%s: a link leads to status %d", at, status)
		}
		if kind == "text/html" {
			look(at)
		}
		b.errors(at)
		for _, to := range b.links() {
			u, err := url.Parse(to)
			if err != nil || !strings.HasPrefix(to, b.base+"/console") {
				continue
			}
			next, s := u.RequestURI(), shape(u)
			if queued[next] || c[s] >= perShape {
				continue
			}
			queued[next] = true
			c[s]++
			if c[s] == 1 && !file.MatchString(next) { // the browser saves files
				todo = append(todo, next)
			} else if status := b.status(next); status != http.StatusOK {
				b.t.Errorf("%s: a link leads to status %d", next, status)
			}
		}
	}
}

// status is that of the answer to a GET of the page's caller.
func (b *tab) status(path string) int {
	b.t.Helper()
	return eval[int](b, fmt.Sprintf("fetch(%q).then((r) => r.status)", path))
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
