// Package console shows people what the platform holds, in a browser: pages made by the
// server, over the REST API and nothing else.
//
//	c, err := console.New(console.Config{API: cfg}) // that of httpapi.New
//	if err != nil {
//		return err
//	}
//	handler := c.Wrap(api)
//
// Each page is made from answers of the API, asked for in process with the credentials
// of the viewer, so that no viewer sees or does more here than there. A browser
// signs in with a bearer token, which stays here: the browser gets a cookie that names
// its session.
//
// Pages load nothing from elsewhere, need no JavaScript, and change nothing when they are
// read. What changes something is a form, which no other site can send.
package console

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/compress"
	"github.com/seed-933f9a09/twinplatform/httpapi/journal"
	"github.com/seed-933f9a09/twinplatform/webhooks/inbox"
)

// DefaultPath is where the console is served.
const DefaultPath = "/console"

// Config sets what a console shows, and to whom.
type Config struct {
	// API is what the handler of the API was made with. The console makes its own handler
	// from it, which uses the names of the specification, whatever the vocabulary, and
	// does not call Observer.
	API httpapi.Config
	// Path is where the console is served: with a slash at its beginning and none at its
	// end. Empty means DefaultPath.
	Path string
	// ReadOnly refuses everything that changes something.
	ReadOnly bool
	// Journal is the last requests of the API, for the page that shows them; nil shows
	// none. Each caller sees its own.
	Journal *journal.Journal
	// Operator reports who sees the requests of all callers, stops and starts the
	// journal, and sees how many requests there are. Nil means none.
	Operator func(twinplatform.Principal) bool
	// Health reports the state of the parts of the server that the API does not show,
	// such as the store and the workers of operations, to everyone who has signed in.
	// With nil the console says that it does not know.
	Health func(context.Context) []Part
	// Room reports how many bytes are used of those that the caller may know of: of its
	// account, and of the store where it is an operator. Nil, or nothing, shows none.
	Room func(p twinplatform.Principal, operator bool) []Room
	// Holds are the test controls of operations, where there are any: the viewer that sees an
	// operation may end it then, and everybody may hold those to come. Nil has no such forms.
	Holds Holds
	// Inbox receives what is sent to webhooks that are made here for tests: that of webhooks.Config
	// in the same process. Each maker of a webhook sees what it received. Nil has no such webhooks.
	Inbox *inbox.Inbox
	// Files serves the addresses that the API gives for the bytes of reality data, by their paths below
	// Config.API.BaseURL, such as a filestore.Store does behind http.StripPrefix. Pages list, take and give
	// files by it; nil leaves them out.
	Files http.Handler
	// MaxFile is how large one of these files may be, in bytes; 0 is not known, and the answer of Files says so.
	MaxFile int64
	// Demo are callers that everyone on this machine may act as without a token; the viewer
	// that has not signed in acts as the first. With any, the console answers only requests
	// that come from this machine to this machine by one of its loopback names, and through
	// no proxy, so that no site elsewhere reaches it by pointing its name here.
	Demo []Caller
}

// Part is one of a server, and how it is.
type Part struct {
	Name string // as people know it
	Well bool
}

// Room is how many bytes of a budget are used.
type Room struct {
	Name    string // of what has the budget, as people know it
	Used    int64
	Allowed int64 // 0: any number
}

// Holds keep operations from being done, such as control.Controls.Operations.
type Holds interface {
	// Kinds are those of operations that can be held, Holding those that are.
	Kinds() []string
	Holding() []string
	// Keep holds all operations of a kind from now on, or ends that.
	Keep(kind string, hold bool) error
	// Held are the operations that wait.
	Held() []twinplatform.Operation
	// Codes are those with which an operation can be failed.
	Codes() []string
	// End does an operation that waits, or fails it with a code. It fails for one that
	// does not wait.
	End(ctx context.Context, operationID, code string) error
}

// Caller is a principal with its token.
type Caller struct {
	Name  string // as people know it
	Token string
}

// Console is the pages. It is safe for concurrent use.
type Console struct {
	cfg      Config
	api      *httpapi.Handler
	mux      *http.ServeMux
	served   http.Handler // the pages, compressed
	sessions *sessions
	notices  notices
	guard    *http.CrossOriginProtection
	areas    map[string]bool // that are served
	places   []place         // of these areas
	own      map[string]bool // the patterns of the API that have pages of their own
	cookieAt string          // the path of the cookie
	secure   bool            // the console is reached over TLS
	undos    undos           // the last changes of viewers
	streams  atomic.Int64    // of events that are open
	servers  sync.Map        // those of streams, with the channels that their shutdown closes

	operations func() ([]operation, error) // that can be tried out
}

var _ http.Handler = (*Console)(nil)

// New returns a console. It fails when cfg contradicts itself.
func New(cfg Config) (*Console, error) {
	if cfg.Path == "" {
		cfg.Path = DefaultPath
	}
	if !strings.HasPrefix(cfg.Path, "/") || strings.HasSuffix(cfg.Path, "/") ||
		strings.ContainsAny(cfg.Path, "{}?#%\\ ;,") || strings.Contains(cfg.Path, "//") {
		return nil, fmt.Errorf("console: Config.Path %q: want a path such as %s", cfg.Path, DefaultPath)
	}
	for _, d := range cfg.Demo {
		if d.Token == "" {
			return nil, errors.New("console: a caller of Config.Demo has no token")
		}
	}
	own := cfg.API
	own.Vocabulary, own.Observer = httpapi.Vocabulary{}, nil
	if cfg.Journal != nil {
		own.Observer = cfg.Journal.Observe // of what is tried out; pages are no requests of its
	}
	api, err := httpapi.New(own)
	if err != nil {
		return nil, fmt.Errorf("console: %w", err)
	}
	c := &Console{cfg: cfg, api: api, guard: http.NewCrossOriginProtection(), areas: make(map[string]bool)}
	c.served = compress.Handler(http.HandlerFunc(c.serve))
	c.sessions, c.notices = newSessions(own.Env.WithDefaults().Now), newNotices()
	for _, o := range api.Operations() {
		c.areas[o.Area] = true
	}
	c.places = placesOf(c.areas)
	c.operations = sync.OnceValues(c.readOperations)
	base, err := url.Parse(cfg.API.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("console: Config.API.BaseURL: %w", err)
	}
	c.secure, c.cookieAt = base.Scheme == "https", strings.TrimSuffix(base.Path, "/")+cfg.Path
	return c, c.layOut()
}

// Wrap serves the console at its path and all other requests by the API, except that a
// browser which asks for the root is redirected to the console.
func (c *Console) Wrap(api http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch path := r.URL.Path; {
		case path == c.cfg.Path || strings.HasPrefix(path, c.cfg.Path+"/"):
			c.ServeHTTP(w, r)
		case path == "/" && reads(r) && strings.Contains(r.Header.Get("Accept"), "text/html"):
			w.Header().Add("Vary", "Accept")
			w.Header().Set("Cache-Control", "no-store")
			w.Header().Set("Location", strings.TrimPrefix(c.cfg.Path, "/")+"/")
			w.WriteHeader(http.StatusFound)
		default:
			api.ServeHTTP(w, r)
		}
	})
}

// reads reports whether a request changes nothing by its method alone; any other one must
// come from a form of the console.
func reads(r *http.Request) bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }
