package console_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/console"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/transform"
)

// source is a page as it is sent.
func (b *visitor) source(target string, status int) string {
	b.w.t.Helper()
	b.text(target, status)
	return b.get(target).Body.String()
}

// plan makes a schedule.
func (w *world) plan(name string) (id string) {
	w.t.Helper()
	ctx := twinplatform.WithPrincipal(w.t.Context(), w.tokens[ownerToken])
	res, err := w.platform.Schedules.CreateSchedule(ctx, schedules.NewSchedule{Name: name, TwinID: planTwin})
	if err != nil {
		w.t.Fatal(err)
	}
	return res.Value().ID
}

// addTask makes a task over HTTP, and returns the id of its operation.
func (w *world) addTask(plan, id string) string {
	w.t.Helper()
	a := w.ask(ownerToken, "POST", "/schedules/"+plan+"/tasks", `{"id": "`+id+`", "name": "Dig", "type": "Work"}`)
	var body struct{ Operation struct{ ID string } }
	if err := json.Unmarshal(a.Body.Bytes(), &body); err != nil || a.Code != http.StatusAccepted {
		w.t.Fatalf("making a task answers %d %s", a.Code, a.Body)
	}
	return body.Operation.ID
}

func TestOperationsOfAScheduleAreShownNewestFirst(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b, plan := w.browser(), w.plan("Works")
	list := "/console/schedules/" + plan + "/operations"
	if p := b.source(list, http.StatusOK); !strings.Contains(p, "There are no operations") {
		t.Errorf("a new schedule shows %s", p)
	}
	var ids []string
	for range 60 {
		ids = append(ids, w.addTask(plan, ""))
	}
	page := parse(t, list, []byte(b.source(list, http.StatusOK)))
	first, second := strings.Index(
		b.source(list, http.StatusOK), ids[59],
	), strings.Index(b.source(list, http.StatusOK), ids[58])
	if first < 0 || second < first {
		t.Errorf("the newest are at %d and %d", first, second)
	}
	older := ""
	for _, link := range page.links {
		if strings.Contains(link, "continuationToken") {
			older = link
		}
	}
	if p := b.source(list+older, http.StatusOK); !strings.Contains(p, ids[0]) || strings.Contains(p, ids[59]) ||
		strings.Contains(p, "data-live=") {
		t.Errorf("the second page has not the older ones alone: %s", p)
	}
	if p := b.source(list+"?status=Failed", http.StatusOK); strings.Contains(p, ids[59]) {
		t.Error("what has succeeded is among what has failed")
	}
	if p := b.source(list+"?id="+ids[7], http.StatusOK); !strings.Contains(p, ids[7]) || strings.Contains(p, ids[8]) {
		t.Error("one is looked for, and others are shown")
	}
	all := b.source("/console/operations", http.StatusOK)
	for _, want := range []string{
		ids[59], ids[40], "Works", `data-live="3"`, `data-live-events="operations/events"`, "All (", "Failed (0)",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("the page of all schedules has no %q", want)
		}
	}
	if strings.Contains(all, ids[39]) {
		t.Error("the page of all schedules has more than the latest of each")
	}
	if p := b.source("/console/operations?state=failed", http.StatusOK); strings.Contains(p, ids[59]) {
		t.Error("what has succeeded is among what has failed")
	}
	if strings.Contains(all, "schedules are included") {
		t.Error("schedules are reported as left out, and are not")
	}
	for range 100 {
		w.plan("Others")
	}
	if p := b.source("/console/operations", http.StatusOK); !strings.Contains(p, "Only the first 100 schedules are included.") {
		t.Error("schedules are left out, and the page does not show it")
	}
	if p := b.source(list+"?status=Done", http.StatusBadRequest); !strings.Contains(p, "InvalidSchedulesRequest") {
		t.Errorf("a status that there is not shows %s", p)
	}
}

func TestHeldOperationsAreReleasedAndFailed(t *testing.T) {
	t.Parallel()
	w := open(t, demo)
	b, plan := w.browser(), w.plan("Works")
	list := "/console/schedules/" + plan + "/operations"
	sends := func(to string, form url.Values, notice string) {
		t.Helper()
		res := b.post(to, form)
		base, _ := url.Parse(to)
		next, err := base.Parse(res.Header().Get("Location"))
		if res.Code != http.StatusSeeOther || err != nil {
			t.Fatalf("%s answers %d %s", to, res.Code, res.Body)
		}
		if p := b.source(next.String(), http.StatusOK); !strings.Contains(p, notice) {
			t.Errorf("%s does not show %q: %s", next, notice, p)
		}
	}
	sends(
		"/console/operations/hold",
		url.Values{"kind": {"tasks.create"}, "hold": {"on"}, "next": {"/schedules/" + plan + "/operations"}},
		"tasks.create are now held",
	)
	if diff := cmp.Diff([]string{"tasks.create"}, w.controls.Operations.Holding()); diff != "" {
		t.Error(diff)
	}
	one, two, three := w.addTask(plan, "one"), w.addTask(plan, "two"), w.addTask(plan, "three")
	for _, where := range []string{list, "/console/operations", "/console/operations?state=held"} {
		if p := b.source(where, http.StatusOK); strings.Count(p, ">held<") != 3 || strings.Count(p, ">Release<") != 3 ||
			!strings.Contains(p, "Running") {
			t.Errorf("%s shows %s", where, p)
		}
	}
	if p := b.source(list+"/"+one, http.StatusOK); !strings.Contains(
		p, "Held by the test controls",
	) || !strings.Contains(p, "tasks.create") {
		t.Errorf("a held operation shows %s", p)
	}
	sends(list+"/"+one+"/end", nil, "The operation was released.")
	sends(
		list+"/"+two+"/end", url.Values{"code": {"ScheduleNotInitialized"}},
		"The operation failed with ScheduleNotInitialized.",
	)
	if p := b.source(list+"/"+two, http.StatusOK); !strings.Contains(
		p, "<strong>ScheduleNotInitialized</strong>",
	) || strings.Contains(p, "Held by the test controls") {
		t.Errorf("a failed operation shows %s", p)
	}
	if p := b.source(list+"?status=Failed", http.StatusOK); !strings.Contains(
		p, "<code>ScheduleNotInitialized</code>",
	) || strings.Contains(p, one) {
		t.Errorf("those that have failed are %s", p)
	}
	for _, where := range []string{list, list + "/" + two, "/console/operations?state=failed"} {
		if p := b.source(where, http.StatusOK); !strings.Contains(p, "Import a plan or create a task first") {
			t.Errorf("%s does not say what to do about a failure: %s", where, p)
		}
	}
	for end, form := range map[string]url.Values{one: nil, three: {"code": {"NoSuchCode"}}, "unknown": nil} {
		if res := b.post(list+"/"+end+"/end", form); res.Code != http.StatusConflict && res.Code != http.StatusNotFound {
			t.Errorf("ending %s with %v answers %d", end, form, res.Code)
		}
	}
	if res := b.post(
		"/console/operations/hold", url.Values{"kind": {"tasks.paint"}, "hold": {"on"}},
	); res.Code != http.StatusConflict {
		t.Errorf("holding what there is not answers %d", res.Code)
	}
	sends(
		"/console/operations/hold", url.Values{"kind": {"tasks.create"}, "next": {"https://elsewhere.example"}},
		"Overview",
	)
	if p := b.source(list+"/"+three, http.StatusOK); !strings.Contains(p, "Succeeded") {
		t.Errorf("what was let go shows %s", p)
	}
	if p := b.source(list, http.StatusOK); strings.Contains(p, ">Release<") || strings.Contains(p, "Release all") {
		t.Errorf("nothing is held, and may be released: %s", p)
	}
}

func TestWhoMayNotSeeAnOperationMayNotEndIt(t *testing.T) {
	t.Parallel()
	w := open(t, nil)
	plan := w.plan("Works")
	w.controls.Operations.Hold("tasks.create")
	id := w.addTask(plan, "one")
	stranger := w.browser()
	stranger.signIn(strangerTok)
	list := "/console/schedules/" + plan + "/operations"
	for _, form := range []url.Values{nil, {"code": {"TaskNotFound"}}} {
		if res := stranger.post(list+"/"+id+"/end", form); res.Code != http.StatusNotFound {
			t.Errorf("a stranger ends an operation: %d", res.Code)
		}
	}
	if p := stranger.source("/console/operations", http.StatusOK); strings.Contains(p, id) {
		t.Errorf("a stranger sees %s", p)
	}
	if res := stranger.get(list); res.Code != http.StatusNotFound {
		t.Errorf("a stranger sees the operations: %d", res.Code)
	}
	if held := w.controls.Operations.Held(); len(held) != 1 {
		t.Errorf("held are %v", held)
	}
}

func TestNothingIsHeldWithoutControlsOrByWhoOnlyReads(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(*console.Config)
		status int
	}{
		"without controls": {func(cfg *console.Config) { demo(cfg); cfg.Holds = nil }, http.StatusNotFound},
		"read only":        {func(cfg *console.Config) { demo(cfg); cfg.ReadOnly = true }, http.StatusForbidden},
	} {
		w := open(t, test.change)
		b, plan := w.browser(), w.plan("Works")
		w.controls.Operations.Hold("tasks.create")
		id := w.addTask(plan, "one")
		list := "/console/schedules/" + plan + "/operations"
		for _, where := range []string{list, list + "/" + id, "/console/operations"} {
			if p := b.source(where, http.StatusOK); strings.Contains(p, "Release") || strings.Contains(p, ">Hold<") ||
				strings.Contains(p, ">Fail<") || !strings.Contains(p, "Running") {
				t.Errorf("%s: %s shows %s", name, where, p)
			}
		}
		for _, to := range []string{list + "/" + id + "/end", "/console/operations/hold"} {
			if res := b.post(to, url.Values{"kind": {"tasks.create"}}); res.Code != test.status {
				t.Errorf("%s: %s answers %d, want %d", name, to, res.Code, test.status)
			}
		}
		if held := w.controls.Operations.Held(); len(held) != 1 {
			t.Errorf("%s: held are %v", name, held)
		}
	}
}

// slow is an authenticator that takes its time, as a store elsewhere does, and counts how
// many requests wait for it at once.
type slow struct {
	httpapi.Authenticator
	waiting, most *atomic.Int64
}

// slowness is how long each request takes.
const slowness = 10 * time.Millisecond

func (s slow) Authenticate(r *http.Request) (twinplatform.Principal, error) {
	now := s.waiting.Add(1)
	defer s.waiting.Add(-1)
	for most := s.most.Load(); now > most && !s.most.CompareAndSwap(most, now); most = s.most.Load() {
	}
	time.Sleep(slowness) // of the clock of the test
	return s.Authenticator.Authenticate(r)
}

func TestOperationsOfManySchedulesAreAskedForAFewAtATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var waiting, most atomic.Int64
		w := open(t, func(cfg *console.Config) {
			demo(cfg)
			cfg.API.Authenticator = slow{cfg.API.Authenticator, &waiting, &most}
		})
		for range 200 {
			w.plan("Works")
		}
		began := time.Now()
		if p := w.browser().source("/console/operations", http.StatusOK); !strings.Contains(p, "Only the first 100 schedules") {
			t.Errorf("the page shows %s", p)
		}
		if took := time.Since(began); took > 50*slowness {
			t.Errorf("the page of 200 schedules takes %v, with requests of %v", took, slowness)
		}
		if n := most.Load(); n < 2 || n > 8 {
			t.Errorf("%d requests are under way at once", n)
		}
	})
}

func TestRunsOfTransformationsAreAmongTheOperations(t *testing.T) {
	t.Parallel()
	admin, stranger := seeded(t, "world-bridge.json", false)
	run, err := admin.platform.Transform.RunTransformation(
		t.Context(), transform.NewTransformation{ConfigurationID: "nb-issue"},
	)
	if err != nil {
		t.Fatal(err)
	}
	page := admin.see("/console/operations")
	link := "browse/transformations/" + run.Value().ID
	if !slices.Contains(page.links, link) || !strings.Contains(page.text, "Transformation Succeeded 100 %") {
		t.Errorf("the run %s is not among the operations: %s", run.Value().ID, page.text)
	}
	if page := stranger.see("/console/operations"); slices.Contains(page.links, link) {
		t.Errorf("a stranger sees the run: %s", page.text)
	}
}
