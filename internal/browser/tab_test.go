package browser_test

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/seed-933f9a09/twinplatform/internal/browser"
)

const root = "../.."

// What all tests share: one browser, and the server as it was built.
var (
	chromium context.Context
	binary   string
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var err error
	if chromium, err = browser.Start(ctx); errors.Is(err, browser.ErrNoChromium) {
		fmt.Println("SKIPPED:", err)
		return 0
	}
	dir, tempErr := os.MkdirTemp("", "browser")
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "server")
	if err = errors.Join(err, tempErr, browser.Build(ctx, root, binary)); err != nil {
		fmt.Println(err)
		return 1
	}
	return m.Run()
}

// serve starts a server for one test.
func serve(t *testing.T, args ...string) *browser.Server {
	t.Helper()
	s, err := browser.Serve(t.Context(), root, binary, args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// tab is one of the browser, and what went wrong in it.
type tab struct {
	context.Context
	t    *testing.T
	base string // of the server

	clicks int // since a task began
	looks  int // at pages
	mu     sync.Mutex
	faults []string
}

// open opens a tab in which nothing was before.
func open(t *testing.T, base string) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(chromium, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil { // opens it, for as long as the test takes
		t.Fatal(err)
	}
	b := &tab{Context: ctx, t: t, base: base}
	if err := chromedp.Listen(ctx, b.recordError); err != nil {
		t.Fatal(err)
	}
	call(b, network.Enable, network.EnableParams{})
	call(b, log.Enable, cdp.Empty{})
	b.prefer("light")
	call(b, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	return b
}

// call gives the browser a command of its protocol.
func call[P, R any](b *tab, command cdp.Command[P, R], params P) {
	b.t.Helper()
	if _, err := chromedp.Call(b, command, params); err != nil {
		b.t.Fatal(err)
	}
}

// prefer gives the browser someone who prefers a colour scheme, and that nothing moves.
func (b *tab) prefer(scheme string) {
	b.t.Helper()
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}})
}

// record collects errors of a page, and requests that leave the server.
func (b *tab) recordError(event any) {
	fault := ""
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		fault = fmt.Sprintf("a script failed: %s %+v", e.ExceptionDetails.Text, e.ExceptionDetails.Exception)
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			fault = fmt.Sprintf("a script complains: %s", e.Args[0].Value)
		}
	case *log.EventEntryAdded:
		// What was refused is an answer like others.
		// That reading a picture takes a while is no fault of a page.
		if strings.Contains(e.Entry.Text, "GPU stall due to ReadPixels") {
			return
		}
		if e.Entry.Source != log.EntrySourceNetwork && (e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning) {
			fault = fmt.Sprintf("the browser complains: %s %s", e.Entry.Text, e.Entry.URL)
		}
	case *network.EventRequestWillBeSent:
		if u, err := url.Parse(e.Request.URL); err != nil || u.Scheme != "data" && u.Scheme+"://"+u.Host != b.base {
			fault = "something is asked for elsewhere: " + e.Request.URL
		}
	}
	if fault != "" {
		b.mu.Lock()
		b.faults = append(b.faults, fault)
		b.mu.Unlock()
	}
}

// patience is how long a step of a tab may take. A test of many pages takes longer.
const patience = 2 * time.Minute

// step is the context of one step.
func (b *tab) step() (context.Context, context.CancelFunc) { return context.WithTimeout(b, patience) }

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := b.step()
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// visit opens an address below that of the server, and returns the status and the type of
// what came.
func (b *tab) visit(path string) (status int, mimeType string) {
	b.t.Helper()
	ctx, cancel := b.step()
	defer cancel()
	res, err := chromedp.RunResponse(ctx, chromedp.Navigate(b.base+path))
	if err != nil {
		b.t.Fatalf("%s: %v", path, err)
	}
	return int(res.Status), res.MimeType
}

// ask is what an action finds out.
func ask[T any](b *tab, action chromedp.Action[T]) T {
	b.t.Helper()
	ctx, cancel := b.step()
	defer cancel()
	v, err := chromedp.Run(ctx, action)
	if err != nil {
		b.t.Fatal(err)
	}
	return v
}

// eval is the value of an expression on the page.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	return ask(b, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

//go:embed faults.js
var faultsScript string

// screens are those on which pages are looked at: a phone, a tablet, a small and a large
// window. How wide a page is changes no colour, so that each has one of the schemes.
var screens = []struct {
	width  int64
	scheme string
}{
	{375, "light"}, {768, "dark"}, {1024, "light"}, {1440, "dark"},
}

// asked are the screens on which axe-core is asked, page by page by turns: each page in light and
// in dark, and each width on every second page. The checks of faultsScript are made on all.
var asked = [2][2]int{{0, 3}, {2, 1}}

// everyScreen has axe-core asked of each page on all screens in light and in dark, which takes several times as long.
var everyScreen = os.Getenv("EVERY_SCREEN") != ""

// look reports what is wrong with the page as it is on each screen.
func (b *tab) look(at string) {
	b.t.Helper()
	turn := asked[b.looks%len(asked)]
	b.looks++
	for i, screen := range screens {
		b.do(chromedp.EmulateViewport(screen.width, 900))
		if everyScreen {
			for _, scheme := range []string{"light", "dark"} {
				b.lookIn(scheme, at, screen.width, true, true)
			}
			continue
		}
		b.lookIn(screen.scheme, at, screen.width, slices.Contains(turn[:], i), screen.scheme == "light")
	}
	b.errors(at)
}

// lookIn reports what is wrong in a colour scheme; rules also what axe-core finds, by all of its rules or some.
func (b *tab) lookIn(scheme, at string, width int64, rules, all bool) {
	b.t.Helper()
	b.prefer(scheme)
	faults := eval[[]string](b, faultsScript)
	if rules {
		faults = append(faults, b.violations(all)...)
	}
	for _, fault := range faults {
		b.t.Errorf("%s (%d wide, %s): %s", at, width, scheme, fault)
	}
}

// errors returns the browser's errors since the last call.
func (b *tab) errors(at string) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, fault := range b.faults {
		b.t.Errorf("%s: %s", at, fault)
	}
	b.faults = nil
}
