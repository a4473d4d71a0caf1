package server

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/journal"
	"github.com/seed-933f9a09/twinplatform/httpapi/signin"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// Config configures a server. Its zero value serves a store in memory, at 127.0.0.1:4790, to
// callers with the token demo. The meaning of its fields and their defaults are in the table
// of docs/operating.md: each option there sets a field.
type Config struct {
	// Addr is the host:port to serve at, port 0 takes a free one; AddrFile gets the bound
	// one, once the server serves.
	Addr     string
	AddrFile string
	// BaseURL is under which clients reach the server; empty: as each request names it.
	BaseURL string
	// TLSCert and TLSKey are PEM files. Both or none.
	TLSCert string
	TLSKey  string
	// Admin is the host:port for those who run the server, AdminHosts its names besides
	// localhost; Profiles serves those of the program there. Empty: there is none.
	Admin      string
	AdminHosts []string
	Profiles   bool

	// DB is the file that keeps the data, ":memory:" or empty for none, or the address of a
	// store of one of Engines, which any number of servers share. Files is the folder for
	// bytes; empty: next to the file, a temporary one, or none where the store is shared.
	DB    string
	Files string
	// Engines open the stores whose addresses begin with a scheme, such as postgres.
	Engines map[string]Engine
	// Lease is how long work stays with a server that may be dead; 0: the platform's default.
	Lease time.Duration
	// Drain is how long requests are still taken once ctx is done, while /readyz says that
	// there should be none.
	Drain time.Duration
	// FileKey signs the addresses of bytes, 32 bytes or more; nil: a key of this start.
	FileKey     []byte
	FileKeyFile string // read over FileKey
	// Origins lists the origins whose pages may use the API and the addresses of bytes in
	// browsers: see httpapi.Config.Origins.
	Origins []string
	// AccountBytes and StoreBytes bound keys and values; 0: as the memory allows, negative:
	// without a limit.
	AccountBytes int64
	StoreBytes   int64
	// World is applied once; Imports are planner files, each of which becomes a schedule.
	World    *platform.World
	SeedFile string // read over World
	Imports  []string
	preview  bool // of Imports
	bringing bool // the command is import

	// Callers are who may call, and what they may do; nil: the bearer of the demo token,
	// which is a random one unless the server listens on a loopback address.
	Callers    platform.Callers
	TokensFile string // read over Callers, and again when it changes and at SIGHUP
	// TokenUses is the file that keeps when each token of TokensFile was last used; empty:
	// next to that file.
	TokenUses string
	// Rate is in requests a minute and principal; 0: 5000, httpapi.Unlimited: any number.
	Rate int
	// UnknownMembers is what becomes of members of bodies that an operation does not
	// know.
	UnknownMembers httpapi.UnknownMembers
	// OperationStatus puts the status of an operation next to it, as httpapi.Config.OperationStatus says.
	OperationStatus bool
	// Background runs operations in the background: writes answer 202.
	Background bool
	// Retain and InvitationTime are the platform's defaults where they are 0.
	Retain         time.Duration
	InvitationTime time.Duration
	// Vocabulary has the names that the deployment uses.
	Vocabulary     httpapi.Vocabulary
	VocabularyFile string // read over Vocabulary
	// Webhooks are the deliveries. Applications and Envelope are the server's own.
	Webhooks       webhooks.Config
	WebhookCAFile  string // read over Webhooks.RootCAs
	WebhookKeyFile string // read over Webhooks.SealingKey

	// Console is "true", "false" or "read-only"; empty: true with the demo token and without
	// BaseURL, else false. Journal is how many requests it shows; 0: 500, negative: none.
	Console string
	Journal int
	// OIDC serves an OpenID Connect provider for tests below /oidc, whose clients are
	// OIDCClients; none: a program on this machine, app. See package signin.
	OIDC        bool
	OIDCClients []signin.Client
	// Tokens knows bearers of tokens that are none of Callers', such as those of an issuer
	// (package oidc of module httpapi/oidc). Where it is a twinplatform.PrincipalDirectory too,
	// it is asked who may call at present, and answers from memory; where it is a
	// webhooks.VisitorDirectory its applications may own webhooks. Nil: there is none.
	Tokens httpapi.TokenAuthenticator
	// TestControls let everybody who reaches the server move its clock and make calls fail:
	// see package control.
	TestControls bool

	// Out gets where the server is and a first call, for a person at a terminal, and so no file
	// unless it is one; nil: nothing does.
	Out io.Writer
	// Logger is for what the server logs; nil: nothing is. Of requests those are logged that
	// fail or take as long as LogSlow (0: a second, negative: none does), and all with
	// LogRequests: see package accesslog, also for TrustedProxies.
	Logger         *slog.Logger
	LogRequests    bool
	LogSlow        time.Duration
	TrustedProxies []netip.Prefix

	// Observer is called for each request of the API, and Around wraps its handler, as for
	// spans of traces. Nil: there is none.
	Observer httpapi.Observer
	Around   func(http.Handler) http.Handler

	configFile string
	export     string // a file for a seed, which is written instead of serving
	version    bool
	logFormat  string
	logLevel   slog.Level
	banner     string
	lines      *lines        // where Logger writes; nil: that is not known
	given      []givenOption // in the order in which it was
	// reread is the configuration as the flags, the environment and the -config file have it
	// by now; nil where it came from elsewhere.
	reread func() (Config, error)
}

const (
	inMemory    = ":memory:" // the -db that keeps nothing on disk
	toStdout    = "-"        // the -export that writes to standard output
	defaultAddr = "127.0.0.1:4790"
	defaultRate = 5000
	envPrefix   = "TWIN_"
	noJournal   = -1 // the Journal of a server that keeps none
)

// withDefaults is c with defaults for what is not set.
func (c Config) withDefaults() Config {
	c.Addr, c.DB = cmp.Or(c.Addr, defaultAddr), cmp.Or(c.DB, inMemory)
	c.Rate, c.Journal = cmp.Or(c.Rate, defaultRate), cmp.Or(c.Journal, journal.DefaultSize)
	c.logFormat = cmp.Or(c.logFormat, "text")
	return c
}

// check finds what contradicts itself.
func (c *Config) check() error {
	switch {
	case (c.TLSCert == "") != (c.TLSKey == ""):
		return errors.New("-tls-cert and -tls-key belong together")
	case len(c.AdminHosts) > 0 && c.Admin == "":
		return errors.New("-admin-host names the address of -admin, which is missing")
	case c.Profiles && c.Admin == "":
		return errors.New("-pprof is served at the address of -admin, which is missing")
	case c.unknownScheme() != "":
		return fmt.Errorf("-db: this program has no engine for %s:// addresses", c.unknownScheme())
	case c.shared() && (c.Files == "") != (c.FileKeyFile == "" && len(c.FileKey) == 0):
		return errUnshared
	}
	return c.checkOIDC()
}

// parseConfig reads all options of a server.
func parseConfig(args, env []string) (c Config, operands []string, err error) {
	return parseOptions(everyOption(), nil, args, env)
}

// parseOptions reads the options of some names: the flags, the environment where a flag is
// not given, and the file of -config for the rest, which may have those of other names
// too. It returns what is left of the arguments, and flag.ErrHelp where help is asked for.
func parseOptions(names []string, engines map[string]Engine, args, env []string) (c Config, operands []string,
	err error,
) {
	c = Config{Engines: engines}.withDefaults()
	s := optionSet{names: names, options: c.options(), done: make(map[string]bool)}
	for i := range s.options {
		o := s.options[i]
		s.options[i].set = func(value string) error {
			err := o.set(value)
			if err == nil {
				c.given = append(c.given, givenOption{o.name, value})
			}
			return err
		}
	}
	if operands, err = s.flags(args); err == nil {
		err = s.environment(env)
	}
	if err != nil {
		return c, operands, err
	}
	if c.configFile != "" {
		text, err := os.ReadFile(c.configFile)
		if err != nil {
			return c, operands, fmt.Errorf("-config: %w", err)
		}
		if err := s.file(string(text)); err != nil {
			return c, operands, fmt.Errorf("-config: %s: %w", c.configFile, err)
		}
	}
	return c, operands, c.check()
}

// importing are the files so far, and one more.
func (c *Config) importing(s string) ([]string, bool) { return append(c.Imports, s), s != "" }

// origins adds more origins, which commas separate, to those named already.
func (c *Config) origins(s string) ([]string, bool) {
	more := strings.Split(s, ",")
	for i := range more {
		more[i] = strings.TrimSpace(more[i])
	}
	return append(c.Origins, more...), httpapi.CheckOrigins(more) == nil
}

// hostNames adds more host names, which commas separate, to those named already.
func (c *Config) hostNames(s string) ([]string, bool) {
	more := strings.Split(s, ",")
	bad := func(name string) bool { return name == "" || strings.ContainsAny(name, ":/[]@ ") }
	return append(c.AdminHosts, more...), !slices.ContainsFunc(more, bad)
}

func fileName(s string) (string, bool) { return s, s != "" }

func pages(s string) (string, bool) {
	return s, s == "true" || s == "false" || s == readOnly
}

func logLevel(s string) (l slog.Level, ok bool) {
	known := strings.ContainsAny(s, "+-") // which slog would take: info+2
	return l, !known && l.UnmarshalText([]byte(s)) == nil
}

func journaled(s string) (int, bool) {
	n, err := strconv.ParseUint(s, 10, 31)
	return cmp.Or(int(n), noJournal), err == nil && n <= 100_000
}

func yesOrNo(s string) (yes, ok bool) {
	yes, err := strconv.ParseBool(s)
	return yes, err == nil
}

func listenable(s string) (string, bool) {
	_, port, err := net.SplitHostPort(s)
	_, portErr := strconv.ParseUint(port, 10, 16)
	return s, err == nil && portErr == nil
}

func baseURL(s string) (string, bool) {
	u, err := url.Parse(s)
	ok := err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.RawQuery == "" &&
		u.Fragment == "" && u.User == nil
	return strings.TrimSuffix(s, "/"), ok
}

func perMinute(s string) (int, bool) {
	n, err := strconv.ParseUint(s, 10, 31)
	return cmp.Or(int(n), httpapi.Unlimited), err == nil
}

func wait(s string) (time.Duration, bool) {
	d, err := time.ParseDuration(s)
	return d, err == nil && d >= 0
}

func leaseTime(s string) (time.Duration, bool) {
	d, err := time.ParseDuration(s)
	return d, err == nil && d > 0
}

func retention(s string) (time.Duration, bool) {
	d, err := time.ParseDuration(s)
	return d, err == nil && d != 0
}

// networks adds more networks, which commas separate, to those allowed already.
func (c *Config) networks(s string) ([]netip.Prefix, bool) {
	more, err := webhooks.ParseNetworks(s)
	return append(c.Webhooks.AllowPrivate, more...), err == nil
}
