package browser_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// operator may do everything in its account.
const operator = `[
  {"token": "operator-1", "principal": {"id": "operator", "displayName": "Olga", "accountId": "one", "kind": "User",
    "scopes": ["twin-platform"], "organizationAdmin": true}}
]`

// state is what a page says of its connection.
const state = `document.querySelector("[data-live-controls]").textContent`

func TestAPageComesBackWhenItsViewerSignsInAgain(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "callers.json")
	if err := os.WriteFile(file, []byte(operator), 0o600); err != nil {
		t.Fatal(err)
	}
	b := open(t, serve(t, "-seed", seed, "-tokens", file, "-console", "true").URL)
	send := func(path, body string) {
		t.Helper()
		sent := eval[int](b, fmt.Sprintf(
			`fetch(%q, {method: "POST", body: new URLSearchParams(%q)}).then((r) => r.status)`, path, body))
		if sent != http.StatusOK {
			t.Fatalf("%s answers %d", path, sent)
		}
	}
	b.visit("/console/sign-in")
	send("/console/sign-in", "token=operator-1")
	b.visit("/console/operations")
	b.until(state + `.includes("Live")`)
	eval[bool](b, "window.stays = true")
	send("/console/sign-out", "")
	b.until(state + `.includes("Signed out") && document.querySelector("[data-live-controls] a").textContent === "Sign in"`)
	b.look("a page whose viewer has signed out")
	send("/console/sign-in", "token=operator-1")
	b.until(state + `.includes("Live")`)
	if !eval[bool](b, "window.stays === true") {
		t.Error("the page was left")
	}
}

func TestAPageSaysWhenItConnectsAgain(t *testing.T) {
	t.Parallel()
	server := serve(t, "-seed", seed, "-test-controls")
	b := open(t, server.URL)
	b.visit("/console/operations")
	b.until(state + `.includes("Live")`)
	const send = `(path, body) => fetch(path, {method: "POST", body: new URLSearchParams(body)}).then((r) => r.status)`
	eval[int](b, `(`+send+`)("/console/operations/hold", "kind=baselines.create&hold=on")`)
	eval[int](b, `(`+send+`)("/console/schedules/mp-j30-a2-nr1/baselines", "name=Another")`)
	b.until(`document.querySelector("#list").textContent.includes("baselines.create")`)
	if err := server.Close(); err != nil {
		t.Fatal(err)
	}
	b.until(`/Reconnecting in \d+ s/.test(` + state + `)`)
	b.do(chromedp.Click(button("Pause")))
	b.until(state + `.includes("Paused")`)
}
