package browser_test

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/google/go-cmp/cmp"
)

//go:embed garden.js
var gardenScript string

// gardener is who signs in.
const gardener = `[{"token": "of-a-person", "principal": {"id": "11111111-1111-4111-8111-111111111111", "displayName": "Rosa", "email": "rosa@gardens.example",
	"accountId": "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa", "kind": "User", "scopes": ["twin-platform"], "organizationAdmin": true}}]`

// tended is what a page got of a deployment.
type tended struct {
	Gardens      int
	View         bool // its data are back to the byte
	Bytes        int  // of the file that came back
	Status       string
	Floor, Walls float64 // seconds of the tasks of the plan
}

func TestAPageOfADeploymentSignsInAndWorksInItsWords(t *testing.T) {
	t.Parallel()
	plan, err := os.ReadFile(filepath.Join(root, "internal/clients/plans/shed.xml"))
	if err != nil {
		t.Fatal(err)
	}
	shed, err := json.Marshal(string(plan))
	if err != nil {
		t.Fatal(err)
	}
	callers := filepath.Join(t.TempDir(), "tokens.json")
	if err := os.WriteFile(callers, []byte(gardener), 0o600); err != nil {
		t.Fatal(err)
	}
	app := page(t, signinScript+gardenScript+"const shed = "+string(shed)+";")
	api := serve(t, "-tokens", callers, "-vocabulary", "httpapi/testdata/garden.json", "-origins", app.URL, "-oidc", "-oidc-client", "app="+app.URL+"/")
	b := open(t, app.URL)
	b.visit("/")
	b.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf("void begin(%q)", api.URL)), chromedp.WaitVisible(chromedp.CSS("#password")))
	b.do(chromedp.SetValue(chromedp.CSS("#user"), "rosa@gardens.example"), chromedp.SetValue(chromedp.CSS("#password"), "of-a-person"))
	b.click(button("Sign in"))
	got := eval[tended](b, "redeem().then(({token}) => tend(token))")
	want := tended{Gardens: 1, View: true, Bytes: 700_000, Status: "Succeeded", Floor: 57_600, Walls: 86_400}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
