package browser_test

import (
	_ "embed"
	"fmt"
	"os"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"
)

//go:embed signout.js
var signOutScript string

// signedOut is what a page found that signed someone in and out.
type signedOut struct {
	Name    string
	Twins   int  // read with the token
	Revoked int  // the status of the API for a token that was revoked
	Ended   bool // the session, so that its refresh token is good no more
	State   string
}

// oidc-client-ts is what viewers sign in with. Its script comes from npm, where OIDC_CLIENT says that it is.
func TestTheClientOfViewersSignsInAndOut(t *testing.T) {
	t.Parallel()
	file := os.Getenv("OIDC_CLIENT")
	if file == "" {
		t.Skip("OIDC_CLIENT does not say where oidc-client-ts is")
	}
	script, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	app := page(t, string(script)+"\n"+signOutScript)
	api := serve(t, "-seed", seed, "-origins", app.URL, "-oidc", "-oidc-client", "app="+app.URL+"/")
	b := open(t, app.URL)
	b.visit("/")
	sign := func() {
		b.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf("void begin(%q)", api.URL)), chromedp.WaitVisible(chromedp.CSS("#password")))
		b.do(chromedp.SetValue(chromedp.CSS("#user"), "Demo"), chromedp.SetValue(chromedp.CSS("#password"), "demo"))
		b.click(button("Sign in"))
		b.do(chromedp.WaitVisible(chromedp.CSS("#back")))
	}
	sign()
	got := eval[signedOut](b, "revoke()")
	b.visit("/")
	sign()
	b.do(chromedp.Evaluate[chromedp.Void]("void signOut()"), chromedp.WaitVisible(chromedp.CSS("#out")))
	out := eval[signedOut](b, "left()")
	got.Ended, got.State = out.Ended, out.State
	if diff := cmp.Diff(signedOut{Name: "Demo", Twins: 2, Revoked: 401, Ended: true, State: "bye"}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
