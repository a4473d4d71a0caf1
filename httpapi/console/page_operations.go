package console

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// operationPages need the schedules area, the only one whose operations the API lists.
var operationPages = table{
	{pattern: "GET /operations", title: "Operations", area: "schedules", page: operationsOfAll},
	{pattern: "GET /operations/events", area: "schedules", stream: operationEvents},
	{pattern: "POST /operations/hold", area: "schedules", act: holdOperations},
	{pattern: "GET /schedules/{schedule}/operations", area: "schedules", page: operationsOfSchedule},
	{pattern: "GET /schedules/{schedule}/operations/{operation}", area: "schedules", page: operationPage},
	{pattern: "POST /schedules/{schedule}/operations/{operation}/end", area: "schedules", act: endOperation},
}

// pageOfOperations is how many operations of one schedule are on a page.
const pageOfOperations = 50

// plural is a number with its unit, such as 2 tasks.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

// scheduleOperationsView is the list of the operations of one schedule.
type scheduleOperationsView struct {
	*request
	Statuses   []optionView
	Operations []operationView
	Releases   bool // some of the operations of the page can be released
	Live       bool
	Older      string
	Holds      *holdsView
}

// operationView is an operation of a schedule. Path is that of its page, below the
// console's.
type operationView struct {
	Operation object
	Path      string
	Created   string // as the API has it
	Subjects  string
	Failure   *failureView
	Held      bool
}

// operationsOfSchedule are those of one schedule.
func operationsOfSchedule(r *request) (view, error) {
	if err := r.inSchedule("Operations"); err != nil {
		return view{}, err
	}
	found, next, err := r.operations(r.schedule(), pageOfOperations, r.Query("$continuationToken"))
	if err != nil {
		return view{}, err
	}
	held := r.held()
	page := scheduleOperationsView{
		request: r, Releases: len(held) > 0 && r.Writable(), Live: r.Query("$continuationToken") == "",
		Statuses: options(
			r.Query("status"), "", "all", "NotStarted,Running", "in progress", "Succeeded", "succeeded", "Failed",
			"failed",
		),
		Holds: r.holds(r.schedule() + "/operations"),
	}
	for _, o := range found {
		page.Operations = append(page.Operations, r.operationOf(o, held))
	}
	if token := tokenOf(next); token != "" {
		page.Older = r.Here("$continuationToken", token)
	}
	return r.show("schedule-operations", page)
}

// operations are the latest of a schedule, those that the page's query wants.
func (r *request) operations(schedule string, top int, token string) ([]object, string, error) {
	target := schedule + "/operations?" + queryOf([]string{
		"$top", strconv.Itoa(top), "status", r.Query("status"), "operationId", r.Query("id"), "$continuationToken",
		token,
	})
	return r.objects(target, "operations")
}

// operationOf is an operation of the schedule of the page. held are the ids of those that
// wait at the test controls, which alone can be released or failed.
func (r *request) operationOf(o object, held []string) operationView {
	v := operationView{
		Operation: o, Path: r.schedule() + at("operations", o.text("id")), Subjects: subjects(o),
		Held: slices.Contains(held, o.text("id")),
	}
	v.Created, _ = o.at("createdAt").(string)
	if code := o.text("failureCode"); code != "" {
		v.Failure = failureOf(code, o.text("failureDescription"), "")
	}
	return v
}

// momentText is a time of the API as people read it, to the second; empty for what is none.
func momentText(s string) string {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return ""
	}
	return t.UTC().Format("2 Jan 2006 15:04:05")
}

// mostSubjects is how many ids of what an operation is about are in a row.
const mostSubjects = 3

// subjects are the ids of what an operation is about.
func subjects(o object) string {
	all, _ := o.at("subjectIds").([]any)
	names := make([]string, 0, mostSubjects)
	for _, id := range all[:min(len(all), mostSubjects)] {
		if id, ok := id.(string); ok {
			names = append(names, shortened(id, 60))
		}
	}
	text := strings.Join(names, ", ")
	if more := len(all) - mostSubjects; more > 0 {
		text += " and " + strconv.Itoa(more) + " more"
	}
	return text
}

// operationPageView is one operation, and what the list has of it besides: empty where it
// was forgotten just now.
type operationPageView struct {
	*request
	Operation, Listed object
	SchedulePath      string
	Path              string // of its page
	Created, Updated  string // as the API has them
	SubStatus         string
	Subjects          string
	Advice            string
	Done              bool
	Leads             bool // to a page, once it has succeeded
	Held              bool
	Codes             []optionView // that it can be failed with
	JSON              string
}

// operationPage is one operation; a script refreshes it until it has ended.
func operationPage(r *request) (view, error) {
	if err := r.inSchedule("Operation"); err != nil {
		return view{}, err
	}
	r.below(r.schedule()+"/operations", "Operations")
	id := r.PathValue("operation")
	page := operationPageView{request: r, SchedulePath: r.schedule(), Path: r.schedule() + at("operations", id)}
	var body object
	a, err := r.get(page.Path, &body)
	if err != nil {
		return view{}, err
	}
	listed, _, err := r.objects(r.schedule()+"/operations?"+queryOf([]string{"operationId", id}), "operations")
	if err != nil {
		return view{}, err
	}
	page.Operation, page.Listed, page.JSON = body.object("operation"), append(listed, object{})[0], indented(a.body)
	page.Created, _ = page.Operation.at("createdAt").(string)
	page.Updated, _ = page.Operation.at("updatedAt").(string)
	status := page.Operation.text("status")
	page.Done = status == "Succeeded" || status == "Failed"
	next := r.Query("next")
	switch page.Leads = next != ""; {
	case page.Leads && status == "Succeeded":
		return view{}, redirected(r.Link(pageOnly(next), "notice", r.Query("then")))
	case page.Leads && !page.Done:
		r.w.Header().Set("Refresh", "2") // of browsers without a script
	}
	page.SubStatus = words(other(page.Operation.text("subStatus"), status))
	page.Subjects, page.Advice = subjects(page.Listed), adviceOn(page.Listed.text("failureCode"))
	if page.Held = slices.Contains(r.held(), id); page.Held {
		codes := []string{}
		for _, code := range r.console.cfg.Holds.Codes() {
			codes = append(codes, code, code)
		}
		page.Codes = options("TaskNotFound", codes...)
	}
	return r.show("operation", page)
}

func other(s, than string) string {
	if s == than {
		return ""
	}
	return s
}

// held are the ids of the operations that test controls keep.
func (r *request) held() (ids []string) {
	if r.console.cfg.Holds == nil {
		return nil
	}
	for _, op := range r.console.cfg.Holds.Held() {
		ids = append(ids, op.ID)
	}
	return ids
}

// endOperation releases an operation that is held, or fails it.
func endOperation(r *request) (target, error) {
	holds, id := r.console.cfg.Holds, r.PathValue("operation")
	page := r.schedule() + at("operations", id)
	if holds == nil {
		return target{}, errNoControls
	}
	if _, err := r.get(page, nil); err != nil {
		return target{}, err // the viewer that may not see it may not end it
	}
	code := r.PostForm.Get("code")
	if err := holds.End(r.Context(), id, code); err != nil {
		return target{}, &problem{http.StatusConflict, "The operation was not ended", err.Error() + "."}
	}
	if code != "" {
		return to(page).withNotice("The operation failed with " + code + "."), nil
	}
	return to(page).withNotice("The operation was released."), nil
}

// errNoControls is the answer where the program has handed the console no test controls.
var errNoControls = &problem{http.StatusNotFound, "Operations cannot be held", "This server has no test controls."}

// holdsView are the forms that hold the operations of a kind that are to come, and release
// them.
type holdsView struct {
	*request
	Next    string       // the page that they lead to
	Kinds   []optionView // that can be held
	Holding []string     // kinds that are held
}

// holds are these forms; nil where there are no test controls, or nothing may be changed.
func (r *request) holds(next string) *holdsView {
	holds := r.console.cfg.Holds
	if holds == nil || !r.Writable() {
		return nil
	}
	v := &holdsView{request: r, Next: next, Holding: holds.Holding()}
	kinds := []string{}
	for _, kind := range holds.Kinds() {
		if !slices.Contains(v.Holding, kind) {
			kinds = append(kinds, kind, kind)
		}
	}
	v.Kinds = options("tasks.create", kinds...)
	return v
}

// holdOperations begins or ends to hold the operations of a kind, of all schedules: the
// controls know kinds, and no schedules.
func holdOperations(r *request) (target, error) {
	holds := r.console.cfg.Holds
	if holds == nil {
		return target{}, errNoControls
	}
	kind, hold := r.PostForm.Get("kind"), r.PostForm.Get("hold") == "on"
	if err := holds.Keep(kind, hold); err != nil {
		return target{}, &problem{http.StatusConflict, "Nothing was changed", err.Error() + "."}
	}
	next := to(pageOnly(cmp.Or(r.PostForm.Get("next"), "/operations")))
	if hold {
		return next.withNotice("Operations of the kind " + kind + " are now held."), nil
	}
	return next.withNotice("Operations of the kind " + kind + " are released, and so are those that waited."), nil
}

// Bounds of streams of events.
const (
	// MaxStreams is how many pages are notified of changes as they come; others ask every few
	// seconds.
	MaxStreams = 100
	// streamLife is how long one lasts. The page opens another then.
	streamLife = 10 * time.Minute
	// streamPause is how long changes may wait. The server rests for restPerLook times as long
	// as it has looked for them, so that what takes long is looked at less often.
	streamPause = time.Second
	restPerLook = 9
	// streamSilence is after how much time without changes a comment keeps proxies from
	// ending the stream.
	streamSilence = 15 * time.Second
)

// operationEvents is a stream of server-sent events: one named changed when it begins and
// whenever the page of all operations would be another one. It ends with the session.
func operationEvents(r *request) error {
	c := r.console
	if r.Method == http.MethodHead {
		return errStreamed
	}
	if c.streams.Add(1) > MaxStreams {
		c.streams.Add(-1)
		return &problem{http.StatusServiceUnavailable, "Too many pages are open", "This one asks every few seconds."}
	}
	defer c.streams.Add(-1)
	r.w.Header().Set("Content-Type", "text/event-stream")
	control := http.NewResponseController(r.w)
	put := func(text string) error {
		_ = control.SetWriteDeadline(time.Now().Add(2 * streamSilence)) // where the server can
		if _, err := fmt.Fprint(r.w, text); err != nil {
			return err
		}
		return control.Flush()
	}
	shutdown := c.shutdownOf(r.Request)
	last, silent, end := "", time.Now(), time.Now().Add(streamLife)
	for time.Now().Before(end) {
		began := time.Now()
		now, err := r.digestOfWork()
		rest := max(streamPause, restPerLook*time.Since(began))
		if err != nil {
			return errStreamed // what follows is found out by the page, which asks again
		}
		switch {
		case now != last:
			err = put("event: changed\ndata: " + now + "\n\n")
			last, silent = now, time.Now()
		case time.Since(silent) >= streamSilence:
			err = put(": still here\n\n")
			silent = time.Now()
		}
		if err != nil {
			return errStreamed
		}
		select {
		case <-r.Context().Done():
			return errStreamed
		case <-shutdown:
			return errStreamed
		case <-time.After(rest):
		}
		if err := r.identify(); err != nil {
			return errStreamed
		}
	}
	return errStreamed
}

// shutdownOf is closed once the server of a request shuts down, which waits for requests.
func (c *Console) shutdownOf(r *http.Request) <-chan struct{} {
	srv, _ := r.Context().Value(http.ServerContextKey).(*http.Server)
	if srv == nil {
		return nil
	}
	fresh := make(chan struct{})
	begun, known := c.servers.LoadOrStore(srv, fresh)
	if !known {
		srv.RegisterOnShutdown(func() { close(fresh) })
	}
	return begun.(chan struct{})
}

// errStreamed says that an answer is complete.
var errStreamed = errors.New("console: the stream has ended")

// digestOfWork is another one whenever the page of all operations is.
func (r *request) digestOfWork() (string, error) {
	all, _, err := r.work()
	if err != nil {
		return "", err
	}
	b, err := json.Marshal(all)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8]), nil
}
