package browser_test

import (
	_ "embed"
	"fmt"
	"net/http"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"
)

//go:embed signin.js
var signinScript string

// signedIn is what a page got by signing someone in.
type signedIn struct {
	Name      string
	Twins     int
	Status    int // of the API
	Refreshed bool
}

func TestAPageSignsInByCodeAndCallsTheAPI(t *testing.T) {
	t.Parallel()
	app := page(t, signinScript)
	api := serve(t, "-seed", seed, "-origins", app.URL, "-oidc", "-oidc-client", "app="+app.URL+"/")
	b := open(t, app.URL)
	b.visit("/")
	b.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf("void begin(%q)", api.URL)), chromedp.WaitVisible(chromedp.CSS("#password")))
	if got := b.text("h1"); got != "Sign in to app" {
		t.Errorf("the page says %q", got)
	}
	sign := func(password string) {
		b.do(chromedp.SetValue(chromedp.CSS("#user"), "Demo"), chromedp.SetValue(chromedp.CSS("#password"), password))
		b.click(button("Sign in"))
	}
	sign("guess")
	b.shows("This name and password are not known.")
	sign("demo")
	got := eval[signedIn](b, "end()")
	if diff := cmp.Diff(signedIn{Name: "Demo", Twins: 2, Status: http.StatusOK, Refreshed: true}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
