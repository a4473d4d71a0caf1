package storm_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/heapgauge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/internal/testsize"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/realitydata/filestore"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
	"github.com/seed-933f9a09/twinplatform/twins"
)

func TestMain(m *testing.M) { heapgauge.Main(m) }

// How long a storm is: in gusts of calls, behind each of which all is exported and seeded.
// STORAGETEST_SCALE multiplies the gusts.
const (
	gusts = 5
	calls = 3000
)

// firstSeed is that of the first storm, by the environment variable STORM_SEED.
func firstSeed() uint64 {
	n, _ := strconv.ParseUint(os.Getenv("STORM_SEED"), 10, 64)
	return n
}

// Whatever a Go program calls, with whatever arguments: the platform answers, or refuses with a
// documented error, and what it has stored by then can be exported and seeded.
func TestEveryCallIsAnsweredOrRefusedByADocumentedError(t *testing.T) {
	testsize.OneClient(t)
	t.Parallel()
	storetest.OnEach(t, func(t *testing.T, store storage.Store) {
		t.Helper()
		s := newStorm(t, store, firstSeed())
		s.callAllWithNothing()
		for range storagetest.Scale(gusts) {
			for range calls {
				s.call()
			}
			s.exportIsSeeded()
		}
		s.report()
	})
}

// storm is a platform that is called, and what is known of it.
type storm struct {
	*testing.T
	seed     uint64
	r        *rand.Rand
	now      time.Time
	made     int // ids
	platform *platform.Platform
	knows    *knowledge
	methods  []method
	weight   int  // of all methods
	wild     bool // whether the arguments of this call may be what no client sends

	found   map[string][]*entry // what results held, by the name of its type
	callers []caller
	etags   []string
	next    []string // tokens of lists
	plan    string   // the schedule of this call; empty where it is about none

	count  int
	taken  map[string]int // calls that succeeded, by method
	called map[string]int
	faults map[string]int
}

// entry is a record that a result held: its id, and the ids of the call that led there.
type entry struct {
	id   string
	at   map[string]string // by the names of parameters
	plan string
}

func newStorm(t *testing.T, store storage.Store, seed uint64) *storm {
	t.Helper()
	t.Logf("STORM_SEED=%d", seed)
	s := &storm{
		T: t, seed: seed, r: rand.New(rand.NewPCG(seed, 55)), now: time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC), knows: known(),
		found: make(map[string][]*entry), taken: make(map[string]int), called: make(map[string]int), faults: make(map[string]int),
	}
	s.platform = s.over(store)
	s.methods = methodsOf(s.platform, s.knows)
	for _, m := range s.methods {
		s.weight += m.weight
	}
	s.callers = callers()
	return s
}

// over is a platform over a store, which close with the test.
func (s *storm) over(store storage.Store) *platform.Platform {
	s.Helper()
	id := func() string {
		s.made++
		return fmt.Sprintf("%08x-0000-4000-8000-%012x", s.made, s.seed)
	}
	now := func() time.Time { return s.now }
	containers, err := filestore.Open(s.TempDir(), filestore.Config{BaseURL: "https://files.test", Now: now})
	if err != nil {
		s.Fatal(err)
	}
	p, err := platform.New(store, platform.Config{
		Env:         twinplatform.Env{Now: now, NewID: id, NewGUID: id},
		Twins:       twins.Config{Repositories: repositories},
		RealityData: realitydata.Config{Containers: containers},
	})
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() {
		if err := p.Close(); err != nil {
			s.Error(err)
		}
	})
	return p
}

// repositories are for all twins.
var repositories = []twins.GlobalRepository{{
	ID: "earth", NewRepository: twins.NewRepository{Class: "GeographicInformationSystem", SubClass: "WebMapService", URI: "https://imagery.example.com/wms"},
	Resources: []twins.NewRepositoryResource{{ID: "clouds:2026", DisplayName: "Nuages"}},
}}

// callAllWithNothing calls every method with zero values, by every caller.
func (s *storm) callAllWithNothing() {
	s.Helper()
	for i := range s.methods {
		m := &s.methods[i]
		for _, c := range s.callers {
			args := make([]reflect.Value, 0, len(m.in))
			for _, p := range m.in {
				if p.variadic {
					break
				}
				arg := reflect.Zero(p.of)
				if p.of == contextType {
					arg = reflect.ValueOf(c.context(s.Context()))
				}
				args = append(args, arg)
			}
			o := s.try(m, c, m.on(""), args)
			if o.err == nil && m.reads {
				s.fault(o, "it reads nothing, and succeeds")
			}
		}
	}
}

// call makes one random call.
func (s *storm) call() {
	s.Helper()
	s.now = s.now.Add(time.Duration(s.r.Int64N(int64(time.Minute))))
	m := s.pick()
	s.wild = s.r.IntN(3) == 0
	c := s.callers[0]
	if s.r.IntN(3) == 0 {
		c = s.callers[s.r.IntN(len(s.callers))]
	}
	ctx, stop := context.WithCancel(c.context(s.Context()))
	if s.wild && s.r.IntN(20) == 0 {
		stop()
	}
	defer stop()
	plan, args := s.arguments(ctx, m)
	o := s.try(m, c, m.on(plan), args)
	if o.err == nil {
		s.harvest(o, plan)
	}
}

// pick is a method, more often one that makes something than one that deletes.
func (s *storm) pick() *method {
	at := s.r.IntN(s.weight)
	for i := range s.methods {
		if at -= s.methods[i].weight; at < 0 {
			return &s.methods[i]
		}
	}
	panic("no method has this weight")
}

// outcome is what came of a call.
type outcome struct {
	m    *method
	who  string
	args []reflect.Value
	out  []reflect.Value
	err  error
}

// try calls a method and judges what comes of it.
func (s *storm) try(m *method, c caller, on reflect.Value, args []reflect.Value) (o outcome) {
	s.Helper()
	o = outcome{m: m, who: c.name, args: args}
	s.called[m.name]++
	s.count++
	defer func() {
		if v := recover(); v != nil {
			o.err = fmt.Errorf("panic: %v", v)
			s.fault(o, string(debug.Stack()))
		}
	}()
	o.out = on.Method(m.index).Call(args)
	if len(o.out) > 0 {
		o.err, _ = reflect.TypeAssert[error](o.out[len(o.out)-1])
	}
	if o.err == nil {
		s.taken[m.name]++
		return o
	}
	if wrong := s.knows.wrong(o.err); wrong != "" && !strings.HasPrefix(m.name, "platform.") { // those are for who runs it
		s.fault(o, wrong)
	}
	return o
}

// fault reports what is wrong with a call, once for each kind of it.
func (s *storm) fault(o outcome, what string) {
	s.Helper()
	kind := digits.ReplaceAllString(fmt.Sprintf("%s: %.60s: %.80v", o.m.name, what, o.err), "0")
	if s.faults[kind]++; s.faults[kind] > 1 {
		return
	}
	var args []string
	for _, a := range o.args {
		if a.Type() != contextType {
			args = append(args, fmt.Sprintf("%.600s", fmt.Sprintf("%+v", a)))
		}
	}
	s.Errorf("call %d, %s by %s: %s\n%v\nwith %s", s.count, o.m.name, o.who, what, o.err, strings.Join(args, "\n     "))
}

var digits = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]*|[0-9]+`)

// exportIsSeeded holds an export to what a new platform exports that is seeded with it.
func (s *storm) exportIsSeeded() {
	s.Helper()
	before, ok := s.export(s.platform, "the export")
	if !ok {
		s.FailNow()
	}
	s.namesAreAsTheyLook(before)
	world, err := platform.ReadWorld(bytes.NewReader(before))
	if err != nil {
		s.Fatalf("reading the export: %v", err)
	}
	again := s.over(storetest.New(s))
	if err := again.Seed(s.Context(), world, platform.SeedOptions{}); err != nil {
		s.keep(before)
		s.Fatalf("seeding the export: %v", err)
	}
	after, _ := s.export(again, "the export of what was seeded")
	if !bytes.Equal(before, after) {
		s.keep(before)
		diff := cmp.Diff(strings.Split(string(before), "\n"), strings.Split(string(after), "\n"))
		s.Fatalf("the platform is exported otherwise after seeding its export (-before +after):\n%.8000s", diff)
	}
}

func (s *storm) export(p *platform.Platform, what string) ([]byte, bool) {
	s.Helper()
	w, err := p.Export(s.Context())
	var b bytes.Buffer
	if err == nil {
		err = w.Write(&b)
	}
	if err != nil {
		s.Errorf("%s: %v", what, err)
	}
	return b.Bytes(), err == nil
}

// keep leaves an export where it can be looked at.
func (s *storm) keep(export []byte) {
	s.Helper()
	if dir := os.Getenv("STORM_KEEP"); dir != "" {
		if err := os.WriteFile(dir+"/export.json", export, 0o600); err != nil {
			s.Error(err)
		}
	}
}

// report says what was called, and fails where too little was.
func (s *storm) report() {
	s.Helper()
	var never []string
	for _, m := range s.methods {
		if s.taken[m.name] == 0 {
			never = append(never, m.name)
		}
	}
	slices.Sort(never)
	s.Logf("STORM_SEED=%d: %d calls of %d methods, %d of them taken", s.seed, s.count, len(s.called), len(s.taken))
	s.Logf("never taken: %s", strings.Join(never, " "))
	if len(s.called) < 280 || len(s.taken) < 120 {
		s.Errorf("%d methods were called, and %d took what they were given", len(s.called), len(s.taken))
	}
}

// publishes is the code of what the embedding program alone does: it publishes an event.
const publishes = "InvalidEventRequest"

// wrong is what is wrong with an error, empty for a documented one.
func (k *knowledge) wrong(err error) string {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, errRead) { // of the caller
		return ""
	}
	e, typed := errors.AsType[*twinplatform.Error](err)
	switch {
	case !typed:
		return "the error has no type"
	case e.Kind == twinplatform.Internal:
		return fmt.Sprintf("the platform fails: %v", twinplatform.Cause(err))
	case !k.codes[e.Code] && e.Code != publishes:
		return "its code is not documented: " + e.Code
	case e.Message == "":
		return "it says nothing"
	}
	for _, d := range e.Details {
		if d.Code == "" || d.Message == "" {
			return "a detail says nothing"
		}
	}
	return ""
}

// namesAreAsTheyLook holds the names of an export to what names may be.
func (s *storm) namesAreAsTheyLook(export []byte) {
	s.Helper()
	var walk func(at string, v any)
	walk = func(at string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, member := range v {
				walk(at+"."+name, member)
			}
		case []any:
			for i, item := range v {
				walk(fmt.Sprintf("%s[%d]", at, i), item)
			}
		case string:
			if (strings.HasSuffix(at, "name") || strings.HasSuffix(at, "Name")) && strings.ContainsFunc(v, problem.Misleads) {
				s.Errorf("%s is %q", at, v)
			}
		}
	}
	var world any
	if err := json.Unmarshal(export, &world); err != nil {
		s.Fatal(err)
	}
	walk("", world)
}
