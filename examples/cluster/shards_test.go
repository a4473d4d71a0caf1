package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
	"github.com/seed-933f9a09/twinplatform/storage/shards"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// fleet are several databases and what nodes over them are started with.
type fleet struct {
	*testing.T
	databases []string // addresses
	flags     []string
	callers   []twinplatform.Principal
}

// newFleet makes databases, of which the last is a spare one, and callers of accounts of their
// own, whose tokens are their ids.
func newFleet(t *testing.T, databases, callers int) *fleet {
	t.Helper()
	f := &fleet{T: t, flags: shared(t)[2:]}
	server := postgrestest.Shared(t)
	c, err := pgx.Connect(t.Context(), server.URL(""))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close(context.WithoutCancel(t.Context())) }()
	for i := range databases {
		name := fmt.Sprintf("shard_%s_%d", strings.ToLower(twinplatform.NewGUID()[:8]), i)
		if _, err := c.Exec(t.Context(), "create database "+name); err != nil {
			t.Fatal(err)
		}
		f.databases = append(f.databases, strings.Replace(server.URL(""), "/postgres?", "/"+name+"?", 1))
	}
	var tokens []any
	for range callers {
		p := twinplatform.Principal{
			ID: twinplatform.NewGUID(), AccountID: twinplatform.NewGUID(), Kind: twinplatform.User,
			AdministratorRoles: []string{twinplatform.AccountAdministrator}, Scopes: twinplatform.Scopes(),
		}
		f.callers = append(f.callers, p)
		tokens = append(tokens, map[string]any{"token": p.ID, "principal": map[string]any{
			"id": p.ID, "displayName": "Caller", "accountId": p.AccountID, "kind": "User", "scopes": p.Scopes, "organizationAdmin": true,
		}})
	}
	text, err := json.Marshal(tokens)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "tokens.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	f.flags = append(f.flags, "-tokens", file, "-rate", "0")
	return f
}

// dbs are the flags that name all databases.
func (f *fleet) dbs() (flags []string) {
	for i, address := range f.databases {
		if i == len(f.databases)-1 {
			address += "&spare=true"
		}
		flags = append(flags, "-db", address)
	}
	return flags
}

// node starts a node.
func (f *fleet) node() *running {
	f.Helper()
	return start(f.T, append(f.dbs(), f.flags...))
}

// command runs the command shards, and returns what it prints.
func (f *fleet) command(verb string, operands ...string) string {
	f.Helper()
	var output, errs bytes.Buffer
	args := append(append([]string{verb}, f.dbs()...), operands...)
	if code := shardsCommand(f.Context(), hasty, args, nil, &output, &errs); code != 0 {
		f.Fatalf("shards %s ends with %d: %s", verb, code, errs.String())
	}
	return output.String()
}

// shardIn is the shard that a database has.
func (f *fleet) shardIn(database int) string {
	f.Helper()
	found := regexp.MustCompile(fmt.Sprintf(`(?m)^database %d  \S+  shard (\S+)$`, database)).FindStringSubmatch(f.command("list"))
	if found == nil {
		f.Fatalf("database %d has no shard", database)
	}
	return found[1]
}

// as sends a request of a caller, and returns the answer.
func (n *running) as(p twinplatform.Principal, method, path string, body any) (status int, answer []byte, err error) {
	text, err := json.Marshal(body)
	if err != nil {
		return 0, nil, err
	}
	req, err := http.NewRequestWithContext(n.Context(), method, n.address+path, bytes.NewReader(text))
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Authorization", "Bearer "+p.ID)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, nil, err
	}
	answer, err = io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	return resp.StatusCode, answer, err
}

// want sends a request of a caller that is answered with a status.
func (n *running) want(p twinplatform.Principal, method, path string, body any, want int) []byte {
	n.Helper()
	status, answer, err := n.as(p, method, path, body)
	if err != nil || status != want {
		n.Fatalf("%s %s: %d, %s, %v; want %d", method, path, status, answer, err, want)
	}
	return answer
}

// A node over several databases has the accounts of all; one of them alone is refused, and so
// is what cannot be done for all of them at once.
func TestNodeServesAccountsOfSeveralDatabases(t *testing.T) {
	t.Parallel()
	f := newFleet(t, 3, 2)
	for i, p := range f.callers {
		f.command("assign", p.AccountID, f.shardIn(i+1))
	}
	n := f.node()
	var made [2]string
	for i, p := range f.callers {
		var answer struct{ Twin struct{ ID string } }
		text := n.want(p, "POST", "/twins/", map[string]any{"class": "Thing", "displayName": "Tower"}, http.StatusCreated)
		if err := json.Unmarshal(text, &answer); err != nil {
			t.Fatal(err)
		}
		made[i] = answer.Twin.ID
	}
	again := f.node()
	for i, p := range f.callers {
		again.want(p, "GET", "/twins/"+made[i], nil, http.StatusOK)
		again.want(p, "GET", "/twins/"+made[1-i], nil, http.StatusNotFound)
	}
	if got, want := f.command("list", f.callers[1].AccountID), "shard "+f.shardIn(2); !strings.Contains(got, want) {
		t.Errorf("the second account: %q; want %q", got, want)
	}
	if got := f.command("list"); !regexp.MustCompile(`^database 1  serving  shard home\ndatabase 2  serving  shard \S+\ndatabase 3  spare  shard \n$`).MatchString(got) {
		t.Errorf("list says %q", got)
	}
	one := []string{"-db", f.databases[1]}
	for want, args := range map[string][]string{
		"one of several":         append([]string{"new-history"}, one...),
		"by itself":              append(append([]string{"backup"}, f.dbs()...), filepath.Join(t.TempDir(), "file")),
		"no database 9":          append(append([]string{"shards", "move"}, f.dbs()...), "home", "9"),
		"is taken":               append(append([]string{"shards", "move"}, f.dbs()...), "home", "2"),
		"usage: cluster shards":  append([]string{"shards", "mend"}, one...),
		"the home is the first":  {"shards", "list", "-db", f.databases[0] + "&spare=true", "-db", f.databases[1]},
		"spare is true or false": {"shards", "list", "-db", f.databases[0] + "&spare=maybe"},
		"-db is missing":         {"shards", "list"},
		"seed it before":         append(append(f.dbs(), f.flags...), "-seed", "../server/testdata/world-j30.json"),
	} {
		if err := run(t.Context(), args, nil, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v; want %q", args, err, want)
		}
	}
	if err := run(t.Context(), append([]string{"new-history"}, f.dbs()...), nil, io.Discard, io.Discard); err != nil {
		t.Errorf("new-history: %v", err)
	}
}

// tasks is how many tasks the schedule has that is moved; more are for people, see CONTRIBUTING.
func tasks(t *testing.T) int {
	t.Helper()
	n, err := strconv.Atoi(os.Getenv("SHARDS_TASKS"))
	if err != nil {
		return 2000
	}
	return n
}

// fill makes a schedule with tasks for a caller, in a shard of its own, which it brings to the
// second database.
func (f *fleet) fill(p twinplatform.Principal, n int) {
	f.Helper()
	var stores []storage.Store
	for _, address := range f.databases {
		s, err := postgres.Open(f.Context(), address, postgres.Options{Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			f.Fatal(err)
		}
		stores = append(stores, s)
	}
	set, err := shards.Open(f.Context(), shards.Options{Settle: -1, Spares: stores[1:]}, stores[0], memory.New())
	if err != nil {
		f.Fatal(err)
	}
	var shard, target string
	places, err := set.Places(f.Context())
	if err != nil {
		f.Fatal(err)
	}
	for _, place := range places {
		switch place.Number {
		case 2:
			shard = place.Shard
		case 3:
			target = place.Name
		}
	}
	if err := set.Assign(f.Context(), p.AccountID, shard); err != nil {
		f.Fatal(err)
	}
	pl, err := platform.New(set, platform.Config{})
	if err != nil {
		f.Fatal(err)
	}
	ctx := twinplatform.WithPrincipal(f.Context(), p)
	tower, err := pl.Twins.CreateTwin(ctx, twins.NewTwin{Class: twins.Thing, DisplayName: "Tower"})
	if err != nil {
		f.Fatal(err)
	}
	for _, id := range []string{"large", "written"} {
		if _, err := pl.Schedules.CreateSchedule(ctx, schedules.NewSchedule{ID: id, Name: id, TwinID: tower.Value().ID}); err != nil {
			f.Fatal(err)
		}
	}
	for from := 0; from < n; from += schedules.MaxBatch {
		batch := make([]schedules.NewTask, min(schedules.MaxBatch, n-from))
		for i := range batch {
			batch[i] = schedules.NewTask{
				ID: fmt.Sprintf("task-%d", from+i), Name: fmt.Sprintf("Façade %d", 3*(from+i)), Type: schedules.Work,
				UserDefinedID: fmt.Sprintf("U-%d", 7*(from+i)),
			}
		}
		if _, err := pl.Schedules.In("large").CreateTasks(ctx, batch); err != nil {
			f.Fatal(err)
		}
	}
	began := time.Now()
	if err := set.Move(f.Context(), shard, target); err != nil {
		f.Fatal(err)
	}
	f.Logf("%d tasks copied from memory in %v", n, time.Since(began))
	if err := pl.Close(); err != nil {
		f.Fatal(err)
	}
}

// mover runs the command that moves a shard, as a process of its own that is killed after a
// while; 0 is never. It returns whether it came to its end.
func (f *fleet) mover(shard string, database int, kill time.Duration) bool {
	f.Helper()
	ctx := f.Context()
	if kill > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, kill) // SIGKILL
		defer cancel()
	}
	args := append(append([]string{"shards", "move"}, f.dbs()...), shard, strconv.Itoa(database))
	c := exec.CommandContext(ctx, os.Args[0], args...) //nolint:gosec // this program
	c.Env = append(os.Environ(), asProgram+"=1")
	output, err := c.CombinedOutput()
	if err != nil && ctx.Err() == nil {
		f.Fatalf("move: %v: %s", err, output)
	}
	return err == nil
}

// written is what the requests of a writer came to.
type written struct {
	names   map[string]string // of the tasks that were answered, by their ids
	refused int               // because of a move that took long
	slowest time.Duration
}

// writer makes tasks and changes them at a node until it is to end.
func (f *fleet) writer(n *running, p twinplatform.Principal, name string, done <-chan struct{}) (w written) {
	w.names = make(map[string]string)
	for i := 0; ; i++ {
		select {
		case <-done:
			return w
		default:
		}
		id, text := fmt.Sprintf("%s-%d", name, i), fmt.Sprintf("%s makes %d", name, i)
		method, path, body := "POST", "/schedules/written/tasks", map[string]any{"id": id, "name": text, "type": "Work"}
		if last := fmt.Sprintf("%s-%d", name, i-2); i%3 == 2 && w.names[last] != "" {
			id = last
			method, path, body = "PATCH", path+"/"+id, map[string]any{"name": text}
		}
		began := time.Now()
		status, answer, err := n.as(p, method, path, body)
		w.slowest = max(w.slowest, time.Since(began))
		switch {
		case status == http.StatusServiceUnavailable && bytes.Contains(answer, []byte(`"StoreUnavailable"`)):
			w.refused++
		case err != nil || status != http.StatusOK && status != http.StatusAccepted:
			f.Errorf("%s %s: %d, %s, %v; want 200 or 202", method, path, status, answer, err)
			return w
		default:
			w.names[id] = text
		}
	}
}

// names are the names of tasks by their ids, as a node lists them.
func (n *running) names(p twinplatform.Principal, schedule string) map[string]string {
	n.Helper()
	all := make(map[string]string)
	for path := "/schedules/" + schedule + "/tasks?$top=1000"; path != ""; {
		var page struct {
			Tasks []struct{ ID, Name string }
			Links struct{ Next *struct{ Href string } } `json:"_links"`
		}
		if err := json.Unmarshal(n.want(p, "GET", path, nil, http.StatusOK), &page); err != nil {
			n.Fatal(err)
		}
		for _, task := range page.Tasks {
			all[task.ID] = task.Name
		}
		if path = ""; page.Links.Next != nil {
			path = strings.TrimPrefix(page.Links.Next.Href, n.address)
		}
	}
	return all
}

// rows are the keys and values of a database, but for what the set of databases keeps there.
func (f *fleet) rows(database int) map[string]string {
	f.Helper()
	s, err := postgres.Open(f.Context(), f.databases[database-1], postgres.Options{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		f.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	all := make(map[string]string)
	err = s.View(f.Context(), func(r storage.Reader) error {
		clear(all)
		for key, value := range r.Scan("", "") {
			if !strings.HasPrefix(key, "\x00shards/") {
				all[key] = string(value)
			}
		}
		return nil
	})
	if err != nil {
		f.Fatal(err)
	}
	return all
}

// scopeWith is what the keys of a scope begin with that has a key with an end.
func scopeWith(rows map[string]string, end string) string {
	for key := range rows {
		if scope, ok := strings.CutSuffix(key, end); ok {
			return scope + "/"
		}
	}
	return "none"
}

// An account that moves to another database, while clients write to it at two nodes and the
// process that moves it is killed again and again, has what was answered, and nothing else; and what
// none of them wrote to is the same, key by key.
func TestNothingIsLostWhenAnAccountMovesBetweenDatabases(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("the move takes a quarter of a minute, in which it waits")
	}
	f := newFleet(t, 3, 1)
	p := f.callers[0]
	f.fill(p, tasks(t))
	shard, before := f.shardIn(2), f.rows(2)
	nodes := []*running{f.node(), f.node()}
	done := make(chan struct{})
	var group sync.WaitGroup
	writers := make([]written, 2*len(nodes))
	for i := range writers {
		group.Go(func() { writers[i] = f.writer(nodes[i%len(nodes)], p, fmt.Sprint("writer-", i), done) })
	}
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 30))
	kills := 0
	upTo := func(d time.Duration) time.Duration { return time.Duration(r.Int64N(int64(d))) }
	began := time.Now()
	// In the wait that a move begins with, soon behind it, and where it is then.
	for _, kill := range []time.Duration{
		500*time.Millisecond + upTo(hasty.settle), hasty.settle + 200*time.Millisecond + upTo(2*time.Second),
		200*time.Millisecond + upTo(time.Second), 200*time.Millisecond + upTo(time.Second), 0,
	} {
		if f.mover(shard, 3, kill) {
			break
		}
		kills++
	}
	t.Logf("moved in %v", time.Since(began).Round(time.Millisecond))
	close(done)
	group.Wait()
	want := make(map[string]string)
	for i, w := range writers {
		maps.Copy(want, w.names)
		t.Logf("writer %d: %d tasks, %d requests refused, the slowest answer after %v", i, len(w.names), w.refused, w.slowest)
	}
	for i, n := range nodes {
		got := n.names(p, "written")
		if !maps.Equal(want, got) {
			t.Errorf("seed %d: node %d lists %d tasks that are not the %d that were answered", seed, i, len(got), len(want))
		}
	}
	large := scopeWith(before, "/tasks/r/task-0")
	same, after := 0, f.rows(3)
	maps.DeleteFunc(before, func(key, _ string) bool { return !strings.HasPrefix(key, large) })
	maps.DeleteFunc(after, func(key, _ string) bool { return !strings.HasPrefix(key, large) })
	for key, value := range before {
		if got, ok := after[key]; ok && got == value {
			same++
		}
	}
	if same < tasks(t) || same != len(before) || same != len(after) {
		t.Errorf("seed %d: of %d keys that nobody wrote to there are %d, of which %d are the same", seed, len(before), len(after), same)
	}
	t.Logf("seed %d: %d keys are the same, %d kills, %d tasks written", seed, same, kills, len(want))
}
