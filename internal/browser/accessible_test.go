package browser_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// leastPages is how many kinds of pages there are at least: a crawl that finds fewer
// has lost its way.
const leastPages = 70

// TestEveryPageIsForEverybody follows every link from the first page on, and looks at each
// kind of page that it comes to. It takes longest, and is the first that starts.
func TestEveryPageIsForEverybody(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, "-seed", seed, "-test-controls").URL)
	prepare(b)
	found := crawl{}
	found.from(b, "/console/", b.look)
	for _, long := range []string{"/console/try/detectorVersions.unpublish", "/console/try/plannerImports.listTasks"} {
		b.visit(long)
		b.look(long)
	}
	b.visit("/console/sign-in")
	b.click(button("Continue as Demo service"))
	found.from(b, "/console/webhooks", b.look)
	for _, want := range []string{"/console/webhooks/*?", "/console/webhooks/*/deliveries/*?"} {
		if found[want] == 0 {
			t.Errorf("no page %s was found", want)
		}
	}
	if len(found) < leastPages {
		t.Errorf("%d kinds of pages are found, want at least %d", len(found), leastPages)
	}
}

// TestPagesNeedNoScript finds as many in a browser that runs none, and none of them is empty.
func TestPagesNeedNoScript(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, "-seed", seed, "-test-controls").URL)
	call(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	found := crawl{}
	found.from(b, "/console/", func(at string) {
		if strings.TrimSpace(b.text("main")) == "" {
			t.Errorf("%s is empty", at)
		}
	})
	if len(found) < leastPages {
		t.Errorf("%d kinds of pages are found, want at least %d", len(found), leastPages)
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

// TestWhatThePolicyRefusesIsSeen breaks the content security policy of a page, so that its silence
// elsewhere says something.
func TestWhatThePolicyRefusesIsSeen(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t, "-seed", seed).URL)
	for _, broken := range []string{
		`<p style="color: red">red</p>`, `<img src="https://elsewhere.invalid/a.png" alt=""/>`, `<iframe srcdoc="&lt;script&gt;1&lt;/script&gt;"></iframe>`,
	} {
		b.visit("/console/")
		b.do(chromedp.Evaluate[chromedp.Void](`document.body.insertAdjacentHTML("beforeend", ` + strconv.Quote(broken) + `)`))
		if !b.complains("Content Security Policy") {
			t.Errorf("the browser says nothing of %s", broken)
		}
	}
}

// complains reports whether the browser complains of something within a while, and forgets its
// complaints.
func (b *tab) complains(of string) bool {
	for range 100 {
		b.mu.Lock()
		seen := slices.ContainsFunc(b.faults, func(fault string) bool { return strings.Contains(fault, of) })
		b.mu.Unlock()
		if seen {
			b.mu.Lock()
			b.faults = nil
			b.mu.Unlock()
			return true
		}
		eval[bool](b, `new Promise((done) => requestAnimationFrame(() => done(true)))`)
	}
	return false
}
