package bench_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/server"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// asking is a path of requests compared with a bare handler, both behind sockets, from a client
// in a process of its own: of the server's processors nothing goes to it.
type asking struct {
	name        string
	must        float64 // times the processor time of the bare handler
	size, small int     // of the schedule
	conns, n    int
	serve       func(tb testing.TB, size int) asked
	// bare is the least handler for what is asked; nil: see barely.
	bare func(*recorded) http.Handler
	// plain is another server of ours that takes the place of the bare handler; nil: none does.
	plain   func(tb testing.TB, size int) asked
	request func(about question, i int) string
}

// asked is a handler over a schedule with tasks, or the address of a server, and what is asked
// of it.
type asked struct {
	http.Handler

	addr  string
	about question
}

// question is what requests of a path depend on.
type question struct {
	Schedule, Task, ETag, Delta string
	Size                        int
}

// askings are all of them. The bare handler of the last creations does what one that stores what
// it is sent has to: it reads the body into a struct and puts what the handler puts.
var askings = []asking{
	{name: "http-get", must: 1.45, size: 100, small: 100, conns: 16, n: 10_000, serve: alone, request: got},
	{name: "http-get,-all-areas-assembled", must: 1.45, size: 100, small: 100, conns: 16, n: 10_000, serve: assembled, request: got},
	{name: "http-get,-the-program-as-it-is-started", must: 1.6, size: 100, small: 100, conns: 16, n: 10_000, serve: program, request: got},
	{name: "http-get,-journal-and-console-on-top-of-the-program-without", must: 1.02, size: 100, small: 100, conns: 16, n: 10_000, serve: program, plain: plainProgram, request: got},
	{name: "http-not-modified", must: 1.35, size: 100, small: 100, conns: 16, n: 10_000, serve: alone, request: func(about question, _ int) string {
		return request("GET", about.path("/tasks/"+about.Task), "", "If-None-Match: "+about.ETag)
	}},
	{name: "http-page-of-100", must: 1.5, size: 1_000, small: 100, conns: 16, n: 4_000, serve: alone, request: page(100)},
	{name: "http-page-of-10,000", must: 1.25, size: 10_000, small: 100, conns: 1, n: 60, serve: alone, request: page(10_000)},
	{name: "http-delta-of-ten-in-100,000", must: 1.8, size: 100_000, small: 100, conns: 16, n: 4_000, serve: changed, request: delta},
	{name: "http-delta-of-ten-in-a-million", must: 1.8, size: 1_000_000, small: 100, conns: 16, n: 4_000, serve: changed, request: delta},
	{name: "http-create", must: 3.5, size: 100, small: 1, conns: 16, n: 5_000, serve: alone, request: created},
	{name: "http-create,-one-connection", must: 3.5, size: 100, small: 1, conns: 1, n: 5_000, serve: alone, request: created},
	{name: "http-create,-bare-parses-and-puts", must: 2, size: 100, small: 1, conns: 16, n: 5_000, serve: alone, bare: (*recorded).parsing, request: created},
	{name: "http-update,-bare-parses-and-puts", size: 1_000, small: 100, conns: 16, n: 5_000, serve: alone, bare: (*recorded).parsing, request: renamed},
	{name: "http-update-in-an-automatic-plan,-bare-parses-and-puts", size: 1_000, small: 100, conns: 1, n: 1_000, serve: automatic, bare: (*recorded).parsing, request: longer},
}

// serverPaths are the askings as paths.
func serverPaths() []path {
	all := make([]path, len(askings))
	for i, a := range askings {
		all[i] = path{name: a.name, must: must{cpu: a.must}, size: a.size, small: a.small, prepare: a.prepare}
	}
	return all
}

func (a asking) prepare(tb testing.TB, size int) (raw, own func(int) error, n int) {
	tb.Helper()
	s := a.serve(tb, size)
	s.about.Size = size
	if s.addr == "" {
		ours := httptest.NewServer(s.Handler)
		tb.Cleanup(ours.Close)
		s.addr = ours.Listener.Addr().String()
	}
	r := learn(tb, s.addr, a.request(s.about, 0))
	s.about.ETag = r.header.Get("ETag")
	from := 0
	by := func(addr string) func(int) error {
		c := start(tb, os.Args[0], childSends)
		return func(n int) error {
			from += n
			_, err := c.do(childRequest{Path: a.name, N: n, Addr: addr, Conns: a.conns, From: 1 + from, About: s.about})
			return err
		}
	}
	return by(a.other(tb, r, size)), by(s.addr), a.n
}

// other is the address of what a server is compared with.
func (a asking) other(tb testing.TB, r *recorded, size int) string {
	tb.Helper()
	h := r.barely()
	switch {
	case a.plain != nil:
		return a.plain(tb, size).addr
	case a.bare != nil:
		r.putsOf(tb, a, size)
		h = a.bare(r)
	}
	bare := httptest.NewServer(h)
	tb.Cleanup(bare.Close)
	return bare.Listener.Addr().String()
}

// got asks for the same task each time.
func got(about question, _ int) string {
	return request("GET", about.path("/tasks/"+about.Task), "", "")
}

func page(top int) func(question, int) string {
	return func(about question, _ int) string {
		return request("GET", about.path(fmt.Sprint("/tasks?$top=", top)), "", "")
	}
}

func delta(about question, _ int) string {
	return request("GET", about.path("/tasks?deltaToken="+url.QueryEscape(about.Delta)), "", "")
}

// created asks for another task each time.
func created(about question, i int) string {
	return request("POST", about.path("/tasks"), taskBody(1_000_000_000+i), "")
}

// renamed gives another task another name each time.
func renamed(about question, i int) string {
	return request("PATCH", about.path("/tasks/"+taskID(i%about.Size)), fmt.Sprintf(`{"name":"Schalung Träger %d, Achse Ω"}`, i), "")
}

// longer makes a task another time longer or shorter, whose plan follows.
func longer(about question, i int) string {
	return request("PATCH", about.path("/tasks/"+taskID(about.Size-20)), fmt.Sprintf(`{"plannedDuration":%d}`, 28_800*(1+i%7)), "")
}

// path is one below the schedule.
func (q question) path(below string) string { return "/schedules/" + q.Schedule + below }

const bearer = "demo"

func request(method, target, body, header string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer %s\r\n", method, target, bearer)
	if header != "" {
		b.WriteString(header + "\r\n")
	}
	if body != "" {
		fmt.Fprintf(&b, "Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	b.WriteString("\r\n" + body)
	return b.String()
}

// alone is the handler of the one area, which asks no one who may do what.
func alone(tb testing.TB, tasks int) asked {
	tb.Helper()
	p := newPlan(tb, twinplatform.WithPrincipal(tb.Context(), worker), tasks)
	return p.asked(tb)
}

func (p *plan) asked(tb testing.TB) asked {
	tb.Helper()
	return asked{Handler: served(tb, httpapi.Config{Schedules: p.svc}), about: question{Schedule: "s", Task: taskID(42)}}
}

// changed is alone, asked for ten tasks that have changed.
func changed(tb testing.TB, tasks int) asked {
	tb.Helper()
	p := newPlan(tb, twinplatform.WithPrincipal(tb.Context(), worker), tasks)
	a := p.asked(tb)
	a.about.Delta = p.changed(tb, tasks).Delta
	return a
}

// automatic is alone over a plan that follows each change, of tasks one behind the other.
func automatic(tb testing.TB, tasks int) asked {
	tb.Helper()
	p := newPlan(tb, twinplatform.WithPrincipal(tb.Context(), worker), tasks)
	links := make([]schedules.NewTaskLink, 0, tasks)
	for i := range tasks - 1 {
		links = append(links, schedules.NewTaskLink{PredecessorID: taskID(i), SuccessorID: taskID(i + 1), Type: schedules.FinishToStart})
	}
	plan := p.svc.In("s")
	_, err := plan.CreateTaskLinks(p.ctx, links)
	if err == nil {
		_, err = plan.UpdateProjectScheduling(p.ctx, schedules.ProjectSchedulingPatch{IsAutomatic: twinplatform.Set(true)})
	}
	if err != nil {
		tb.Fatal(err)
	}
	return p.asked(tb)
}

// assembled is the handler of all areas as the example server wires them, to a caller who
// has a role in the twin.
func assembled(tb testing.TB, tasks int) asked {
	tb.Helper()
	w := newWorld(tb)
	p := planIn(tb, w.ctx, w.store, w.Schedules, tasks)
	a := p.asked(tb)
	a.Handler = httpapi.Mount(served(tb, httpapi.Config{
		Schedules: w.Schedules, Forms: w.Forms, Twins: w.Twins, RealityData: w.RealityData, Transform: w.Transform, Webhooks: w.Webhooks,
	}), "/files", http.NotFoundHandler())
	return a
}

// program is the program as the README starts it, but at another address and without a limit:
// with log, journal and console.
func program(tb testing.TB, _ int) asked {
	tb.Helper()
	return started(tb)
}

// plainProgram is the program with its log alone.
func plainProgram(tb testing.TB, _ int) asked {
	tb.Helper()
	return started(tb, "-journal", "0", "-console", "false")
}

// started is the program with some flags more.
func started(tb testing.TB, flags ...string) asked {
	tb.Helper()
	folder := tb.TempDir()
	log, err := os.Create(filepath.Join(folder, "log"))
	if err != nil {
		tb.Fatal(err)
	}
	served := make(banner, 1)
	cfg, err := server.Parse(server.Process{
		Args: append([]string{
			"-addr", "127.0.0.1:0", "-rate", "0", "-seed", filepath.FromSlash("../../examples/server/testdata/world-j30.json"),
		}, flags...),
		Stdout: served, Stderr: log,
	})
	if err != nil {
		tb.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Run(tb.Context(), cfg) }()
	tb.Cleanup(func() {
		if err := <-ended; err != nil {
			tb.Error(err)
		}
		_ = log.Close()
	})
	a := asked{about: question{Schedule: "mp-j30-a2-nr1"}}
	select {
	case a.addr = <-served:
	case err := <-ended:
		tb.Fatal("the server ended", err)
	}
	var first struct{ Tasks []struct{ ID string } }
	if err := json.Unmarshal(learn(tb, a.addr, page(1)(a.about, 0)).body, &first); err != nil || len(first.Tasks) != 1 {
		tb.Fatal(err, first)
	}
	a.about.Task = first.Tasks[0].ID
	return a
}

// banner takes the address of a server from what it prints.
type banner chan string

func (b banner) Write(text []byte) (int, error) {
	_, rest, found := strings.Cut(string(text), "http://")
	if end := strings.IndexAny(rest, " /\n"); found && end > 0 {
		select {
		case b <- rest[:end]:
		default: // of the lines behind the first
		}
	}
	return len(text), nil
}

// served is the handler that the worker asks, without a limit.
func served(tb testing.TB, cfg httpapi.Config) http.Handler {
	tb.Helper()
	cfg.Authenticator, cfg.Rate = httpapi.StaticTokens(map[string]twinplatform.Principal{bearer: worker}), 1<<30
	h, err := httpapi.New(cfg)
	if err != nil {
		tb.Fatal(err)
	}
	return h
}

// putsOf has the bare handler know what the store is to keep of a request: it is found out over
// another schedule.
func (r *recorded) putsOf(tb testing.TB, a asking, size int) {
	tb.Helper()
	seen := &putting{Store: memory.New()}
	tb.Cleanup(func() { _ = seen.Close() })
	var h http.Handler
	switch ctx := twinplatform.WithPrincipal(tb.Context(), worker); {
	case strings.Contains(a.name, "automatic"):
		h = a.serve(tb, size).Handler
	default:
		h = planOver(tb, ctx, seen, size).asked(tb).Handler
	}
	seen.puts = nil
	req, err := http.ReadRequest(readerOf(a.request(question{Schedule: "s", Size: size}, 0)))
	if err != nil {
		tb.Fatal(err)
	}
	res := httptest.NewRecorder()
	h.ServeHTTP(res, req)
	if res.Code >= http.StatusBadRequest {
		tb.Fatal(res.Code, res.Body)
	}
	r.puts = seen.puts
}

// taskBody is the body that makes planned(i).
func taskBody(i int) string {
	t := planned(i)
	body, err := json.Marshal(struct {
		ID              string             `json:"id"`
		Name            string             `json:"name"`
		Type            schedules.TaskType `json:"type"`
		ParentID        string             `json:"parentId"`
		Comment         string             `json:"comment"`
		UserDefinedID   string             `json:"userDefinedId"`
		PlannedStart    time.Time          `json:"plannedStart"`
		PlannedDuration *int32             `json:"plannedDuration"`
	}{t.ID, t.Name, t.Type, t.ParentID, t.Comment, t.UserDefinedID, t.PlannedStart.Time, t.PlannedDuration})
	if err != nil {
		panic(err)
	}
	return string(bytes.TrimSpace(body))
}
