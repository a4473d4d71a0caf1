package browser

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// World is the seed that tests and pictures show, in a checkout.
const World = "examples/server/testdata/world-j30.json"

// PicturesFolder is where pictures are, in a checkout.
const PicturesFolder = "docs/console"

// Picture is one of the console in the documentation.
type Picture struct {
	Name   string // its file below docs/console
	Page   string
	Scheme string // light unless it is dark
	Width  int64  // in pixels; 1280 unless it is given
	Height int64  // in pixels; 800 unless it is given
	Ready  string // an expression in JavaScript that is true once all is there; none for a page without scripts
}

// Pictures lists the pictures of the documentation. The last shows what [FailingWebhook]
// leads to.
var Pictures = []Picture{
	{Name: "overview.png", Page: "/console/"},
	{Name: "phone.png", Page: "/console/", Width: 375, Height: 740},
	{Name: "chart.png", Page: "/console/schedules/mp-j30-a2-nr1?scale=week"},
	{
		Name: "chart-dark.png", Page: "/console/schedules/mp-j30-a2-nr1?scale=week&critical=true", Scheme: "dark",
		Height: 560,
	},
	{Name: "4d.png", Page: sitePage + "#2026-02-10T12:00", Height: 880, Ready: siteReady},
	{
		Name: "4d-dark.png", Page: sitePage + "#2026-02-23T12:00", Scheme: "dark", Width: 390, Height: 1040,
		Ready: siteReady,
	},
	{Name: "search.png", Page: "/console/search?q=P1-Task+7", Height: 640},
	{Name: "task.png", Page: "/console/schedules/mp-j30-a2-nr1/tasks/task-32"},
	{Name: "move.png", Page: "/console/schedules/mp-j30-a2-nr1/tasks/task-7/move?start=2026-03-02T09:00"},
	{Name: "link.png", Page: "/console/schedules/mp-j30-a2-nr1/tasks/task-7/links?task=task-9", Height: 420},
	{Name: "resources.png", Page: "/console/schedules/mp-j30-a2-nr1/progress?view=resource-histogram"},
	{Name: "webhook.png"},
}

// The page of the building of the world, and when its picture is there.
const (
	sitePage  = "/console/schedules/mp-j30-a2-nr1/4d"
	siteReady = `document.querySelector("#site-words")?.textContent.includes("object")`
)

// Take shows the page of a picture in a tab, and returns it as PNG. Without a page it takes
// the one that the tab shows.
func (p Picture) Take(tab context.Context, base string) ([]byte, error) {
	scheme := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: cmp.Or(p.Scheme, "light")}}
	_, err := chromedp.Call(tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: scheme})
	if err == nil {
		err = chromedp.Do(tab, chromedp.EmulateViewport(cmp.Or(p.Width, 1280), cmp.Or(p.Height, 800)))
	}
	if err == nil && p.Page != "" {
		err = chromedp.Do(tab, chromedp.Navigate(base+p.Page))
	}
	if err == nil && p.Ready != "" {
		_, err = chromedp.Run(tab, chromedp.Evaluate[bool](fmt.Sprintf(`new Promise((done) => {
			const look = () => requestAnimationFrame(() => (%s) ? requestAnimationFrame(() => done(true)) : look());
			look();
		})`, p.Ready), chromedp.EvalAwaitPromise))
	}
	if err != nil {
		return nil, fmt.Errorf("the picture %s: %w", p.Name, err)
	}
	return chromedp.Run(tab, chromedp.CaptureScreenshot())
}

// FailingWebhook makes a webhook of one of the demo's callers that does not reach its receiver,
// signs the tab in as that caller, and shows the webhook once a delivery has failed.
func FailingWebhook(tab context.Context, base string) error {
	const hook = `{"callbackUrl": "https://receiver.invalid/events", "scope": "Account", "scopeId": "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa",
		"eventTypes": ["twins.twinCreated.v1"], "secret": "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c"}`
	id, err := post(tab, "demo-service", base+"/webhooks", hook)
	if err == nil {
		_, err = post(tab, "demo-service", base+"/webhooks/"+id+"/test", "")
	}
	if err == nil {
		err = chromedp.Do(tab, chromedp.Navigate(base+"/console/sign-in"))
	}
	if err != nil {
		return err
	}
	if _, err := chromedp.RunResponse(tab,
		chromedp.Click(`//button[normalize-space()="Continue as Demo service"]`)); err != nil {
		return err
	}
	const tried = `(async (page) => {
		while (!(await (await fetch(page)).text()).includes("host name")) ;
		return true;
	})(%q)`
	page := "/console/webhooks/" + id
	if _, err := chromedp.Run(tab,
		chromedp.Evaluate[bool](fmt.Sprintf(tried, page), chromedp.EvalAwaitPromise)); err != nil {
		return err
	}
	return chromedp.Do(tab, chromedp.Navigate(base+page))
}

// Populate makes twins at a server with the demo's callers, and requests of which some are refused,
// so that its overview has something to show.
func Populate(ctx context.Context, base string) error {
	for i, name := range []string{
		"Pier north", "Viaduct A9", "Depot", "Tunnel N-2", "Hall 12", "Brücke Süd",
		"Étage 7",
	} {
		twin := fmt.Sprintf(`{"class": "Endeavor", "subClass": "Project", "displayName": %q, "number": "T-%d"}`, name,
			40+3*i)
		id, err := post(ctx, "demo", base+"/twins", twin)
		if err == nil {
			_, err = post(ctx, "demo", base+"/schedules",
				fmt.Sprintf(`{"name": "Works of %s", "twinId": %q}`, name, id))
		}
		if err == nil && i%3 == 0 {
			_, err = post(ctx, "demo", base+"/schedules", `{"name": "", "twinId": "none"}`)
		}
		if err != nil {
			return err
		}
	}
	return UseCrane(ctx, base)
}

// UseCrane lets three tasks of the plan of the world use one crane at once, at a server with the demo's callers.
func UseCrane(ctx context.Context, base string) error {
	const plan = "/schedules/mp-j30-a2-nr1"
	_, err := post(ctx, "demo", base+plan+"/resources",
		`{"id": "crane", "name": "Tower crane", "type": "Equipment", "quantity": 1}`)
	for _, task := range []string{"task-5", "task-8", "task-12"} {
		if err == nil {
			_, err = post(ctx, "demo", base+plan+"/tasks/resource-assignments", fmt.Sprintf(
				`{"taskId": %q, "resourceId": "crane", "appearanceProfileId": "neutral",
				"plannedUtilization": {"resourceCount": 1, "resourceUnits": 72, "resourceUnitsPerDay": 8}}`, task,
			))
		}
	}
	return err
}

// post sends a request as one of the demo's callers, and returns the id of what it made; none of what
// was refused.
func post(ctx context.Context, token, address, body string) (id string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		return "", fmt.Errorf("%s: %w", address, err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", fmt.Errorf("%s: %w", address, err)
	}
	defer res.Body.Close()
	type record struct {
		ID string `json:"id"`
	}
	var made struct {
		record
		Twin record `json:"twin"`
	}
	if err := json.NewDecoder(res.Body).Decode(&made); err != nil {
		return "", fmt.Errorf("%s is answered with status %d: %w", address, res.StatusCode, err)
	}
	return cmp.Or(made.ID, made.Twin.ID), nil
}
