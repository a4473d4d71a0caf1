package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/console"
	"github.com/seed-933f9a09/twinplatform/httpapi/httpapitest"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// config is what the flags and the environment say, and the files that they name.
type config struct {
	addr       string
	addrFile   string
	baseURL    string // empty: the host that each request names
	db         string
	seed       string
	imports    []string // planner files
	export     string
	tokens     string
	rate       int // requests a minute and principal
	background bool
	retain     time.Duration // 0 is the platform's default
	log        string
	files      string // empty: beside the store, or temporary
	caFile     string
	keyFile    string
	wordsFile  string
	hooks      webhooks.Config
	testing    bool   // whoever reaches the server controls clock and faults
	console    string // what -console says: true, false, read-only; empty: as consoleHere decides

	// What is in the files.
	callers platform.Callers // nil without a tokens file
	world   *platform.World  // nil without a seed
	words   httpapi.Vocabulary
}

const (
	inMemory    = ":memory:" // the -db that keeps nothing on disk
	toStdout    = "-"        // the -export that writes to standard output
	defaultAddr = "127.0.0.1:4790"
	defaultRate = 5000
	envPrefix   = "TWIN_"
)

// parseConfig reads the flags, and the environment where a flag is not given.
// With -h it prints the usage to help and returns flag.ErrHelp.
func parseConfig(args, env []string, help io.Writer) (config, error) {
	c := config{addr: defaultAddr, db: inMemory, rate: defaultRate, log: "text"}
	fs := newFlags(&c)
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			usage(fs, help)
			return c, err
		}
		// The log of a failed start is one line.
		return c, errors.New(strings.Join(strings.Fields(err.Error()), " "))
	}
	if fs.NArg() > 0 {
		return c, fmt.Errorf("unexpected argument %q: everything is said with flags, see -h", fs.Arg(0))
	}
	return c, fromEnvironment(fs, env)
}

// newFlags are the flags that set c.
func newFlags(c *config) *flag.FlagSet {
	fs := flag.NewFlagSet("server", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	fs.Func("addr", "`host:port` to serve on; port 0 takes a free one (default "+defaultAddr+")", set(&c.addr, "host:port with a port from 0 to 65535", listenable))
	fs.Func("addr-file", "`file` to write the bound host:port to, once the server serves", set(&c.addrFile, "a file name", fileName))
	fs.Func("base-url", "`address` under which clients reach the server, such as https://api.example.com/twin (default: as each request names it)", set(&c.baseURL, "an address such as https://api.example.com/twin", baseURL))
	fs.Func("db", "`file` that keeps the data, or "+inMemory+" (default "+inMemory+")", set(&c.db, "a file name", fileName))
	fs.Func("seed", "`file` with a world of twins and what they hold, applied once", set(&c.seed, "a file name", fileName))
	fs.Func("import", "planner `file` to make a schedule of: XER or XML of Primavera P6, or XML of Microsoft Project; repeated for several", set(&c.imports, "a file name", c.importing))
	fs.Func("export", "`file` to write what the -db file holds to, as a seed; nothing is served (- is standard output)", set(&c.export, "a file name", fileName))
	fs.Func("tokens", "`file` with the tokens that are accepted (default: one demo token that may do everything)", set(&c.tokens, "a file name", fileName))
	fs.Func("rate", "`requests` a minute that each principal may make, 0 for no limit (default "+strconv.Itoa(defaultRate)+")", set(&c.rate, "a whole number of requests a minute, 0 for no limit", perMinute))
	fs.BoolFunc("background", "run operations in the background: writes answer 202", set(&c.background, "true or false", yesOrNo))
	fs.Func("retain", "`duration` for which what was deleted or done is remembered, such as 720h or 2s; a negative one keeps it for ever (default "+twinplatform.DefaultRetain.String()+")", set(&c.retain, "a duration such as 720h", retention))
	fs.Func("files", "`folder` for the bytes of reality data (default: the -db file with .files, or a temporary one)", set(&c.files, "a file name", fileName))
	fs.Func("webhook-allow", "private `network` that events may be delivered to, such as 10.0.0.0/8; repeated or with commas for several", set(&c.hooks.AllowPrivate, "a network such as 10.0.0.0/8", c.networks))
	fs.Func("webhook-ca", "PEM `file` with certificates to trust in deliveries, beside those of the system", set(&c.caFile, "a file name", fileName))
	fs.Func("webhook-key", "`file` with 32 bytes, or 64 hexadecimal digits, that seal the secrets of webhooks in the store", set(&c.keyFile, "a file name", fileName))
	fs.BoolFunc("webhook-patch-secret", "an update of a webhook that leaves the secret out generates one too, and shows it", set(&c.hooks.PatchReplacesSecret, "true or false", yesOrNo))
	fs.Func("vocabulary", "`file` with what the deployment calls things, as JSON (default: as the specification does)", set(&c.wordsFile, "a file name", fileName))
	fs.BoolFunc("test-controls", "serve clock, faults and journal of tests below "+httpapitest.ControlPrefix+"/, to everybody", set(&c.testing, "true or false", yesOrNo))
	fs.Func("console", "`pages` for people at "+console.DefaultPath+": true, false, or read-only (default true where only this machine reaches the server and no tokens are given, else false)", set(&c.console, "true, false or read-only", pages))
	fs.Func("log", "`format` of the log on standard error: text or json (default text)", set(&c.log, "text or json", logFormat))
	return fs
}

// set is a flag whose value is read; want says what it has to be.
func set[T any](to *T, want string, read func(string) (v T, ok bool)) func(string) error {
	return func(s string) error {
		v, ok := read(s)
		if !ok {
			return errors.New("want " + want)
		}
		*to = v
		return nil
	}
}

// importing are the files so far, and one more.
func (c *config) importing(s string) ([]string, bool) { return append(c.imports, s), s != "" }

func fileName(s string) (string, bool)  { return s, s != "" }
func logFormat(s string) (string, bool) { return s, s == "text" || s == "json" }

func pages(s string) (string, bool) {
	return s, s == "true" || s == "false" || s == readOnly
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
	ok := err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.RawQuery == "" && u.Fragment == "" && u.User == nil
	return strings.TrimSuffix(s, "/"), ok
}

func perMinute(s string) (int, bool) {
	n, err := strconv.ParseUint(s, 10, 31)
	return cmp.Or(int(n), httpapi.Unlimited), err == nil
}

func retention(s string) (time.Duration, bool) {
	d, err := time.ParseDuration(s)
	return d, err == nil && d != 0
}

// networks are those allowed already, and more with commas between them.
func (c *config) networks(s string) ([]netip.Prefix, bool) {
	more, err := webhooks.ParseNetworks(s)
	return append(c.hooks.AllowPrivate, more...), err == nil
}

// fromEnvironment sets the flags that were not given from the environment. An
// empty variable is one that is not set.
func fromEnvironment(fs *flag.FlagSet, env []string) (err error) {
	values := make(map[string]string)
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		values[name] = value
	}
	fs.Visit(func(f *flag.Flag) { delete(values, variable(f.Name)) })
	fs.VisitAll(func(f *flag.Flag) {
		name := variable(f.Name)
		if value := values[name]; value != "" && err == nil {
			if e := fs.Set(f.Name, value); e != nil {
				err = fmt.Errorf("invalid value %q for %s: %w", value, name, e)
			}
		}
	})
	return err
}

// variable is the environment's name of a flag.
func variable(flagName string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(flagName, "-", "_"))
}

func usage(fs *flag.FlagSet, w io.Writer) {
	fmt.Fprint(w, "server serves the twin platform over HTTP.\n\n")
	fs.VisitAll(func(f *flag.Flag) {
		value, text := flag.UnquoteUsage(f)
		fmt.Fprintf(w, "  -%s %s\n    \t%s [%s]\n", f.Name, value, text, variable(f.Name))
	})
}
