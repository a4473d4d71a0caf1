package console_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/console"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/transform"
	"github.com/seed-933f9a09/twinplatform/twins"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

const account = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"

var scopes = []string{twinplatform.ScopePlatform, twinplatform.ScopeWebhooksRead, twinplatform.ScopeWebhooksModify}

// onlyAdmin lets the administrator do everything, and no one else anything.
type onlyAdmin struct{}

func (onlyAdmin) Allowed(_ context.Context, p twinplatform.Principal, _ string, _ twinplatform.Target) (bool, error) {
	return p.ID == "admin", nil
}

// browser looks at a console, as the caller that its console acts for.
type browser struct {
	*testing.T
	platform *platform.Platform
	console  http.Handler
	admin    twinplatform.Principal
}

// seeded is a browser of an administrator over a world, and one of someone with no
// permission at all.
func seeded(t *testing.T, world string, readOnly bool) (admin, stranger browser) {
	t.Helper()
	p, err := platform.New(memory.New(), platform.Config{Env: twinplatform.Env{Authorizer: onlyAdmin{}}, Webhooks: webhooks.Config{Transport: refusing{}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Close() })
	owner := twinplatform.Principal{
		ID: "admin", DisplayName: "Admin", AccountID: account, Kind: twinplatform.Service,
		AdministratorRoles: []twinplatform.AdministratorRole{twinplatform.AccountAdministrator}, Scopes: scopes,
	}
	if world != "" {
		f, err := os.Open(filepath.Join("..", "..", "examples", "server", "testdata", world))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		w, err := platform.ReadWorld(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Seed(t.Context(), w, platform.SeedOptions{Owner: owner}); err != nil {
			t.Fatal(err)
		}
	}
	tokens := httpapi.StaticTokens(map[string]twinplatform.Principal{
		"admin": owner, "stranger": {
			ID: "stranger", AccountID: "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb", Kind: twinplatform.User, Scopes: scopes,
		},
	})
	open := func(token string) browser {
		c, err := console.New(console.Config{
			ReadOnly: readOnly, Demo: []console.Caller{{Name: token, Token: token}},
			API: httpapi.Config{
				Authenticator: tokens, Schedules: p.Schedules, Forms: p.Forms, Twins: p.Twins, RealityData: p.RealityData,
				Transform: p.Transform, Webhooks: p.Webhooks, Rate: httpapi.Unlimited,
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		return browser{t, p, c, owner}
	}
	return open("admin"), open("stranger")
}

func (b browser) ask(method, target, mediaType string, body io.Reader) *httptest.ResponseRecorder {
	b.Helper()
	r := httptest.NewRequestWithContext(b.Context(), method, "http://localhost"+target, body)
	r.RemoteAddr = "127.0.0.1:9"
	if mediaType != "" {
		r.Header.Set("Content-Type", mediaType)
		r.Header.Set("Sec-Fetch-Site", "same-origin")
	}
	w := httptest.NewRecorder()
	b.console.ServeHTTP(w, r)
	return w
}

// see is a page that is there.
func (b browser) see(target string) page {
	b.Helper()
	w := b.ask(http.MethodGet, target, "", http.NoBody)
	if w.Code != http.StatusOK {
		b.Fatalf("%s answers %d:\n%s", target, w.Code, w.Body)
	}
	return parse(b.T, target, w.Body.Bytes())
}

// send sends a form, and is the address where the browser goes.
func (b browser) send(target string, fields url.Values) string {
	b.Helper()
	return b.follow(
		target,
		b.ask(http.MethodPost, target, "application/x-www-form-urlencoded", strings.NewReader(fields.Encode())),
	)
}

func (b browser) follow(target string, w *httptest.ResponseRecorder) string {
	b.Helper()
	if w.Code != http.StatusSeeOther {
		b.Fatalf("%s answers %d:\n%s", target, w.Code, w.Body)
	}
	return resolve(b.T, target, w.Header().Get("Location"))
}

// result is the page that an operation leads to, which has succeeded.
func (b browser) result(operation string) string {
	b.Helper()
	return b.follow(operation, b.ask(http.MethodGet, operation, "", http.NoBody))
}

// upload sends a file.
func (b browser) upload(target, file string) string {
	b.Helper()
	bytesOf, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", path.Base(file))
	if err != nil {
		b.Fatal(err)
	}
	_, _ = part.Write(bytesOf)
	_ = form.Close()
	return b.follow(target, b.ask(http.MethodPost, target, form.FormDataContentType(), &body))
}

func resolve(t *testing.T, from, to string) string {
	t.Helper()
	u, err := url.Parse(from)
	if err != nil {
		t.Fatal(err)
	}
	v, err := u.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	return v.RequestURI()
}

// crawl follows links from an address on, and reports each page.
func (b browser) crawl(from string, each func(target string, status int, p page)) (seen int) {
	b.Helper()
	return crawl(
		b.T, from, 1200,
		func(target string) *httptest.ResponseRecorder { return b.ask(http.MethodGet, target, "", http.NoBody) },
		each,
	)
}

func TestEveryLinkLeadsToAPageThatAnswers(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	for _, world := range []string{"world-bridge.json", "world-j30.json"} {
		admin, _ := seeded(t, world, false)
		admin.populate()
		seen := admin.crawl("/console/", func(target string, status int, _ page) {
			if status != http.StatusOK {
				t.Errorf("%s: %s answers %d", world, target, status)
			}
		})
		if seen < 50 {
			t.Errorf("%s: only %d pages were seen", world, seen)
		}
	}
}

// populate adds what worlds have none of.
func (b browser) populate() {
	b.Helper()
	ctx := twinplatform.WithPrincipal(b.Context(), b.admin)
	made, err := b.platform.Webhooks.CreateWebhook(ctx, webhooks.NewWebhook{
		CallbackURL: "https://receiver.example.com/events", EventTypes: []webhooks.EventType{"twins.twinCreated.v1"},
		Scope: webhooks.AccountScope, ScopeID: account,
	})
	if err != nil {
		b.Fatal(err)
	}
	b.send("/console/webhooks/"+made.Value().ID+"/active", url.Values{"active": {"true"}})
	b.see(b.send("/console/webhooks/"+made.Value().ID+"/test", nil))
}

// exampleCommand is the command of an empty list, with the example of the document, which
// everybody may see.
var exampleCommand = regexp.MustCompile(`(?s)<pre class="wrap" tabindex="0">\ncurl .*?</pre>`)

func TestWhoMayDoNothingSeesNothing(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	admin, stranger := seeded(t, "world-bridge.json", false)
	seen, bridges := 0, 0
	var targets []string
	admin.crawl("/console/", func(target string, _ int, p page) {
		targets = append(targets, target)
		bridges += strings.Count(p.text, "Bridge")
	})
	if bridges == 0 {
		t.Error("the bridge is not shown")
	}
	for _, target := range targets {
		w := stranger.ask(http.MethodGet, target, "", http.NoBody)
		if w.Code >= http.StatusInternalServerError {
			t.Errorf("%s answers %d", target, w.Code)
		}
		shown := exampleCommand.ReplaceAllString(w.Body.String(), "")
		for _, secret := range []string{"Bridge", "bridge over", "Foundation"} {
			if strings.Contains(shown, secret) &&
				!strings.HasPrefix(target, "/console/try/") { // whose examples everybody may see
				t.Errorf("%s shows a stranger %q", target, secret)
			}
		}
		if strings.Contains(target, "/schedules/") && w.Code == http.StatusOK {
			t.Errorf("%s is open to a stranger", target)
		}
		seen++
	}
	if seen < 50 {
		t.Errorf("only %d pages were asked for", seen)
	}
}

func TestAReadOnlyConsoleHasNoForms(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	admin, _ := seeded(t, "world-bridge.json", true)
	admin.crawl("/console/", func(target string, _ int, p page) {
		for _, action := range p.forms {
			if !strings.HasSuffix(action, "sign-out") && !strings.HasSuffix(action, "sign-in") {
				t.Errorf("%s has a form for %s", target, action)
			}
		}
	})
}

func TestAPlannerFileIsImportedAndItsCriticalPathIsSeen(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	admin, _ := seeded(t, "world-j30.json", false)
	list := admin.see("/console/schedules")
	twin := ""
	for _, link := range list.links {
		if _, id, ok := strings.Cut(link, "twinId="); ok {
			twin = id
		}
	}
	into := admin.send("/console/schedules", url.Values{"twinId": {twin}, "name": {"From a file"}})
	if p := admin.see(into); !strings.Contains(p.text, "Import a plan into it") {
		t.Errorf("it does not say that the schedule was made:\n%s", p.text)
	}
	u, _, _ := strings.Cut(into, "?")
	schedule := strings.TrimSuffix(u, "/import")
	shown := admin.upload(u, filepath.Join("..", "..", "schedules", "planner", "testdata", "mspdi-mp_j30_a2_nr1.xml"))
	preview := admin.see(shown)
	for _, want := range []string{"Nothing has been changed yet", "Tasks 64 0 0", "The new plan"} {
		if !strings.Contains(strings.Join(strings.Fields(preview.text), " "), want) {
			t.Errorf("the preview does not say %q:\n%s", want, preview.text)
		}
	}
	at, err := url.Parse(shown)
	if err != nil {
		t.Fatal(err)
	}
	operation := admin.send(schedule+"/import/start", url.Values{
		"file": {at.Query().Get("file")}, "name": {at.Query().Get("name")}, "synchronizer": {"new"},
		"preview": {hidden(admin.ask(http.MethodGet, shown, "", http.NoBody).Body.String()).Get("preview")},
	})
	if p := admin.see(admin.result(operation)); !strings.Contains(p.text, "The file was imported") {
		t.Errorf("the import is\n%s", p.text)
	}
	again := admin.see(admin.upload(u, filepath.Join("..", "..", "schedules", "planner", "testdata", "mspdi-mp_j30_a2_nr1.xml")))
	if !strings.Contains(again.text, "The schedule has all that is in the file") || !strings.Contains(again.text, "Update of") {
		t.Errorf("the same file once more would do\n%s", again.text)
	}
	if p := admin.see(schedule + "/reschedule"); !strings.Contains(p.text, "Every task is where its links and calendars put it") {
		t.Errorf("a plan that was scheduled where it came from moves\n%s", p.text)
	}
	whole := admin.see(schedule)
	if !strings.Contains(whole.text, "64 tasks, 20 critical") {
		t.Errorf("the chart does not show the critical tasks:\n%.300s", whole.text)
	}
	critical := admin.see(schedule + "?critical=true")
	if n := len(tasksOf(critical)); n < 20 || n >= len(tasksOf(whole)) {
		t.Errorf("%d tasks are on the critical page, %d on the whole one", n, len(tasksOf(whole)))
	}
	if p := admin.see(
		admin.send(schedule+"/baselines", url.Values{"name": {"As tendered"}}),
	); !strings.Contains(p.text, "As tendered") {
		t.Error("the baseline is not listed")
	}
	seen := admin.crawl(schedule+"/baselines", func(target string, status int, p page) {
		if status != http.StatusOK {
			t.Errorf("%s answers %d: %s", target, status, p.text)
		}
	})
	if seen < 40 {
		t.Errorf("%d pages", seen)
	}
	if w := admin.ask(
		http.MethodPost, schedule+"/import", "text/plain", strings.NewReader("x"),
	); w.Code != http.StatusBadRequest {
		t.Errorf("an import without a form answers %d", w.Code)
	}
}

func TestATransformationIsSeenBeforeAndAfter(t *testing.T) {
	t.Parallel()
	admin, _ := seeded(t, "world-bridge.json", false)
	run, err := admin.platform.Transform.RunTransformation(
		t.Context(), transform.NewTransformation{ConfigurationID: "nb-issue"},
	)
	if err != nil {
		t.Fatal(err)
	}
	p := admin.see("/console/browse/transformations/" + run.Value().ID)
	text := strings.Join(strings.Fields(p.text), " ")
	for _, want := range []string{
		"nb-design, 3 elements", "nb-issued, 5 elements", "pier-1 Pier Pier kept", "substructure Group Group kept",
		"RepositoryLink in the target only",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q:\n%s", want, text)
		}
	}
}

func TestAFormIsSeenWithItsAuditTrail(t *testing.T) {
	t.Parallel()
	admin, _ := seeded(t, "world-bridge.json", false)
	form := admin.see("/console/browse/forms/rfi-cover")
	for _, want := range []string{"Concrete cover at pier 3", "Mira", `"NB-RFI-00001"`} {
		if !strings.Contains(form.text, want) {
			t.Errorf("it does not say %s", want)
		}
	}
	for _, link := range form.links {
		if strings.HasSuffix(link, "/auditTrailEntries") {
			if trail := admin.see(resolve(t, "/console/browse/forms/rfi-cover", link)); !strings.Contains(trail.text, "Opened") {
				t.Errorf("the audit trail is\n%s", trail.text)
			}
			return
		}
	}
	t.Error("there is no link to the audit trail")
}

func TestDeliveriesAreSeenAndMadeOnceMore(t *testing.T) {
	t.Parallel()
	admin, _ := seeded(t, "world-bridge.json", false)
	admin.populate()
	var hook string
	for _, link := range admin.see("/console/webhooks").links {
		if strings.HasPrefix(link, "webhooks/") {
			hook = "/console/" + link
		}
	}
	var delivery string
	for _, link := range admin.see(hook).links {
		if strings.Contains(link, "/deliveries/") {
			delivery = resolve(t, hook, link)
		}
	}
	if p := admin.see(delivery); !strings.Contains(
		p.text, "webhooks.testSent.v1",
	) || !strings.Contains(p.text, "Pending") {
		t.Errorf("the delivery is\n%s", p.text)
	}
	if w := admin.ask(
		http.MethodPost, delivery+"/redeliver", "application/x-www-form-urlencoded", http.NoBody,
	); w.Code != http.StatusSeeOther && w.Code != http.StatusConflict {
		t.Errorf("delivering once more answers %d:\n%s", w.Code, w.Body)
	}
	if p := admin.see(
		admin.send(hook+"/active", url.Values{"active": {"false"}}),
	); !strings.Contains(p.text, "The webhook is paused.") {
		t.Errorf("the webhook is\n%s", p.text)
	}
}

// refusing is a receiver that takes no event.
type refusing struct{}

func (refusing) RoundTrip(req *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusUnprocessableEntity, Header: make(http.Header), Request: req,
		Body: io.NopCloser(strings.NewReader("<b>no such twin</b>")),
	}, nil
}

func TestWhyADeliveryFailedIsSeenAndDeadLettersAreMadeOnceMore(t *testing.T) {
	t.Parallel()
	admin, _ := seeded(t, "world-bridge.json", false)
	admin.populate()
	ctx := twinplatform.WithPrincipal(t.Context(), admin.admin)
	if _, err := admin.platform.Twins.CreateTwin(ctx, twins.NewTwin{
		Class: twins.Endeavor, DisplayName: "Tower", AccountID: account,
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := admin.platform.Webhooks.Deliver(t.Context()); err != nil {
		t.Fatal(err)
	}
	list := admin.see("/console/webhooks")
	var hook, delivery string
	for _, link := range list.links {
		if strings.HasPrefix(link, "webhooks/") {
			hook = "/console/" + link
		}
	}
	for _, want := range []string{"Rejected 422", "The receiver answered 422", "failing", "Replay all"} {
		if !strings.Contains(list.text, want) {
			t.Errorf("the list of webhooks does not say %q:\n%s", want, list.text)
		}
	}
	for _, link := range admin.see(hook).links {
		if strings.Contains(link, "/deliveries/") {
			delivery = resolve(t, hook, link)
		}
	}
	if p := admin.see(delivery); !strings.Contains(p.text, "<b>no such twin</b>") {
		t.Errorf("the delivery does not show the answer:\n%s", p.text)
	}
	again := admin.see(admin.send(hook+"/replay", nil))
	if !strings.Contains(again.text, "Redelivery was started for dead letters") {
		t.Errorf("after the redelivery the webhook is\n%s", again.text)
	}
}

// tasksOf are the links of a chart's rows to their tasks.
func tasksOf(p page) (ids []string) {
	for _, link := range p.links {
		if strings.Contains(link, "/tasks/") {
			ids = append(ids, link)
		}
	}
	return ids
}

func TestAPlanOf5000TasksPagesAndFoldsWithinBounds(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes 5,000 tasks")
	}
	t.Parallel()
	admin, _ := seeded(t, "world-j30.json", false)
	ctx := t.Context()
	twin := "6f3a2c1e-7d4b-4a58-9c0d-2b1e5f8a7c90"
	if _, err := admin.platform.Schedules.CreateSchedule(
		ctx, schedules.NewSchedule{ID: "large", Name: "Large", TwinID: twin},
	); err != nil {
		t.Fatal(err)
	}
	const tasks, each = 5_000, 50
	start := twinplatform.DateTime{}
	if err := start.UnmarshalJSON([]byte(`"2026-03-02T09:00:00Z"`)); err != nil {
		t.Fatal(err)
	}
	var batch []schedules.NewTask
	for i := range tasks {
		n := schedules.NewTask{ID: fmt.Sprintf("t%04d", i), Name: fmt.Sprintf("Task %d of the plan", i), Type: schedules.Work}
		if i%each != 0 {
			duration := int32(28_800)
			n.ParentID, n.PlannedStart, n.PlannedDuration = fmt.Sprintf("t%04d", i/each*each), start, &duration
		}
		if batch = append(batch, n); len(batch) == 1_000 {
			if _, err := admin.platform.Schedules.In("large").CreateTasks(ctx, batch); err != nil {
				t.Fatal(err)
			}
			batch = nil
		}
	}
	bounded := func(target string, rows int) page {
		t.Helper()
		p := admin.see(target)
		if n := len(tasksOf(p)); n != rows {
			t.Errorf("%s has %d rows, want %d", target, n, rows)
		}
		if p.bytes > 400_000 || p.elements > 6_000 {
			t.Errorf("%s has %d bytes and %d elements", target, p.bytes, p.elements)
		}
		return p
	}
	first := bounded("/console/schedules/large", 200)
	if !strings.Contains(first.text, "Page 1 of 25") {
		t.Error("it does not show its pages")
	}
	bounded("/console/schedules/large?page=25", 200)
	folded := bounded("/console/schedules/large?levels=1", tasks/each)
	bounded("/console/schedules/large?levels=1&toggled=t0050", tasks/each+each-1)
	bounded("/console/schedules/large?search=Task+4999", 2)
	for _, link := range folded.links {
		if strings.Contains(link, "toggled=t0100") {
			bounded(resolve(t, "/console/schedules/large?levels=1", link), tasks/each+each-1)
		}
	}
	// Everything that can be folded by hand, one after the other.
	at := "/console/schedules/large"
	for range 40 {
		p := admin.see(at)
		if p.bytes > 500_000 {
			t.Fatalf("%s has %d bytes", at, p.bytes)
		}
		next := ""
		for _, link := range p.links {
			if to := resolve(t, at, link); strings.Contains(to, "toggled=") && len(to) >= len(at) {
				next = to
			}
		}
		if next == "" {
			break
		}
		at = next
	}
	if len(at) > 2_000 {
		t.Errorf("addresses become long: %d", len(at))
	}
}

func TestFilesThatADesignerEditsHaveNoLongLines(t *testing.T) {
	t.Parallel()
	const most = 120
	var files []string
	for _, pattern := range []string{"pages/*.html", "assets/*.css", "assets/*.js"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %q, %v", pattern, found, err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if utf8.RuneCountInString(line) > most {
				t.Errorf("%s:%d has more than %d columns", file, i+1, most)
			}
		}
	}
}
