package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform"
)

// inMemory is the value of -db that keeps nothing on disk.
const inMemory = ":memory:"

// config is what the flags and the environment say.
type config struct {
	addr       string
	addrFile   string
	baseURL    string // empty: the host that each request names
	db         string
	seed       string
	export     string
	tokens     string
	rate       int // requests a minute and principal; 0 is unlimited
	background bool
	retain     time.Duration // 0 is the platform's default
	log        string
	files      string // empty: beside the store, or temporary
	webhooks   webhookConfig
}

// webhookConfig is what is said of the delivery of events.
type webhookConfig struct {
	allow   []netip.Prefix
	caFile  string
	keyFile string
	// patchSecret makes an update without a secret generate one.
	patchSecret bool
}

const (
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
		return c, oneLine(err)
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
	fs.Func("addr", "`host:port` to serve on; port 0 takes a free one (default "+defaultAddr+")", c.setAddr)
	fs.Func("addr-file", "`file` to write the bound host:port to, once the server serves", notEmpty(&c.addrFile))
	fs.Func("base-url", "`address` under which clients reach the server, such as https://api.example.com/twin (default: as each request names it)", c.setBaseURL)
	fs.Func("db", "`file` that keeps the data, or "+inMemory+" (default "+inMemory+")", notEmpty(&c.db))
	fs.Func("seed", "`file` with a world of twins and what they hold, applied once", notEmpty(&c.seed))
	fs.Func("export", "`file` to write what the -db file holds to, as a seed; nothing is served (- is standard output)", notEmpty(&c.export))
	fs.Func("tokens", "`file` with the tokens that are accepted (default: one demo token that may do everything)", notEmpty(&c.tokens))
	fs.Func("rate", "`requests` a minute that each principal may make, 0 for no limit (default "+strconv.Itoa(defaultRate)+")", c.setRate)
	fs.BoolFunc("background", "run operations in the background: writes answer 202", c.setBackground)
	fs.Func("retain", "`duration` for which what was deleted or done is remembered, such as 720h or 2s; a negative one keeps it for ever (default "+twinplatform.DefaultRetain.String()+")", c.setRetain)
	fs.Func("files", "`folder` for the bytes of reality data (default: the -db file with .files, or a temporary one)", notEmpty(&c.files))
	fs.Func("webhook-allow", "private `network` that events may be delivered to, such as 10.0.0.0/8; repeated or with commas for several", c.webhooks.addNetworks)
	fs.Func("webhook-ca", "PEM `file` with certificates to trust in deliveries, beside those of the system", notEmpty(&c.webhooks.caFile))
	fs.Func("webhook-key", "`file` with 32 bytes, or 64 hexadecimal digits, that seal the secrets of webhooks in the store", notEmpty(&c.webhooks.keyFile))
	fs.BoolFunc("webhook-patch-secret", "an update of a webhook that leaves the secret out generates one too, and shows it", c.webhooks.setPatchSecret)
	fs.Func("log", "`format` of the log on standard error: text or json (default text)", c.setLog)
	return fs
}

// fromEnvironment sets the flags that were not given from the environment. An
// empty variable is one that is not set.
func fromEnvironment(fs *flag.FlagSet, env []string) error {
	given := make(map[string]bool)
	fs.Visit(func(f *flag.Flag) { given[f.Name] = true })
	values := make(map[string]string)
	for _, kv := range env {
		if name, value, ok := strings.Cut(kv, "="); ok {
			values[name] = value
		}
	}
	var err error
	fs.VisitAll(func(f *flag.Flag) {
		name := variable(f.Name)
		if value := values[name]; value != "" && !given[f.Name] && err == nil {
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

func (c *config) setAddr(s string) error {
	_, port, err := net.SplitHostPort(s)
	if err != nil {
		return errors.New("want host:port")
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return errors.New("the port is a number from 0 to 65535")
	}
	c.addr = s
	return nil
}

func (c *config) setBaseURL(s string) error {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return errors.New("want an address such as https://api.example.com/twin")
	}
	c.baseURL = strings.TrimSuffix(s, "/")
	return nil
}

func (c *config) setRate(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > math.MaxInt32 {
		return errors.New("want a whole number of requests a minute, 0 for no limit")
	}
	c.rate = n
	return nil
}

func (c *config) setBackground(s string) error {
	b, err := strconv.ParseBool(s)
	if err != nil {
		return errors.New("want true or false")
	}
	c.background = b
	return nil
}

func (c *config) setRetain(s string) error {
	d, err := time.ParseDuration(s)
	if err != nil || d == 0 {
		return errors.New("want a duration such as 720h")
	}
	c.retain = d
	return nil
}

func (c *config) setLog(s string) error {
	if !slices.Contains([]string{"text", "json"}, s) {
		return errors.New("want text or json")
	}
	c.log = s
	return nil
}

func (c *webhookConfig) setPatchSecret(s string) (err error) {
	if c.patchSecret, err = strconv.ParseBool(s); err != nil {
		err = errors.New("want true or false")
	}
	return err
}

// addNetworks adds one network, or several with commas between them.
func (c *webhookConfig) addNetworks(s string) error {
	for text := range strings.SplitSeq(s, ",") {
		p, err := netip.ParsePrefix(strings.TrimSpace(text))
		if err != nil {
			return errors.New("want a network such as 10.0.0.0/8")
		}
		c.allow = append(c.allow, p)
	}
	return nil
}

func notEmpty(to *string) func(string) error {
	return func(s string) error {
		if s == "" {
			return errors.New("want a file name")
		}
		*to = s
		return nil
	}
}

func usage(fs *flag.FlagSet, w io.Writer) {
	fmt.Fprintln(w, "server serves the twin platform over HTTP.")
	fmt.Fprintln(w)
	fs.VisitAll(func(f *flag.Flag) {
		value, text := flag.UnquoteUsage(f)
		fmt.Fprintf(w, "  -%s %s\n    \t%s [%s]\n", f.Name, value, text, variable(f.Name))
	})
}

// oneLine keeps the log of a failed start to one line.
func oneLine(err error) error {
	return errors.New(strings.Join(strings.Fields(err.Error()), " "))
}
