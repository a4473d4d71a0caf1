package browser_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/seed-933f9a09/twinplatform/internal/browser"
)

const seed = browser.World

// perShape is how many pages of one shape are asked for: they differ by ids alone. The first
// is visited.
const perShape = 2

// TestEveryPageIsForEverybody follows every link from the first page on, and looks at each
// kind of page that it comes to, in a browser with scripts. In one without, it comes to as
// many, and none of them is empty.
func TestEveryPageIsForEverybody(t *testing.T) {
	t.Parallel()
	s := serve(t, "-seed", seed, "-test-controls")
	prepare(open(t, s.URL))
	with, without := crawl{}, crawl{}
	t.Run("in browsers", func(t *testing.T) {
		t.Run("with scripts", func(t *testing.T) {
			t.Parallel()
			b := open(t, s.URL)
			with.from(b, "/console/", b.look)
			for _, long := range []string{"/console/try/detectorVersions.unpublish", "/console/try/plannerImports.listTasks"} {
				b.visit(long)
				b.look(long)
			}
			b.visit("/console/sign-in")
			b.click(button("Continue as Demo service"))
			with.from(b, "/console/webhooks", b.look)
			for _, want := range []string{"/console/webhooks/*?", "/console/webhooks/*/deliveries/*?"} {
				if with[want] == 0 {
					t.Errorf("no page %s was found", want)
				}
			}
		})
		t.Run("without scripts", func(t *testing.T) {
			t.Parallel()
			b := open(t, s.URL)
			call(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
			without.from(b, "/console/", func(at string) {
				if strings.TrimSpace(b.text("main")) == "" {
					t.Errorf("%s is empty", at)
				}
			})
		})
	})
	if len(with) < 60 || len(without) < len(with)*9/10 {
		t.Errorf("%d kinds of pages are found with scripts and %d without", len(with), len(without))
	}
}

// prepare makes a webhook whose deliveries fail, and holds an operation while it runs.
func prepare(b *tab) {
	b.t.Helper()
	b.failingWebhook()
	b.visit("/console/operations")
	b.do(chromedp.SetValue(chromedp.CSS(`select[name="kind"]`), "baselines.create"))
	b.click(button("Hold"))
	b.api("demo", http.MethodPost, "/schedules/"+plan+"/baselines", `{"name": "Held"}`, http.StatusAccepted)
}

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
