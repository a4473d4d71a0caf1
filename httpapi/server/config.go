package server

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/journal"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/webhooks"
)

// config is what the options say, and the files that they name.
type config struct {
	addr       string
	addrFile   string
	admin      string // empty: nothing is served to those who run the server
	adminHosts []string
	baseURL    string // empty: the host that each request names
	configFile string
	db         string
	seed       string
	imports    []string // planner files
	export     string
	tokens     string
	rate       int // requests a minute and principal
	// Bytes of keys and values; 0: as the memory allows; noLimit: any number.
	accountBytes, storeBytes int64
	background               bool
	retain                   time.Duration // 0 is the platform's default
	invitations              time.Duration // 0 is the platform's default
	log                      string
	logLevel                 slog.Level
	pprof                    bool
	tlsCert                  string
	tlsKey                   string
	files                    string // empty: beside the store, or temporary
	fileKeyFile              string
	caFile                   string
	keyFile                  string
	wordsFile                string
	hooks                    webhooks.Config
	testing                  bool   // whoever reaches the server controls clock and faults
	console                  string // what -console says: true, false, read-only; empty: as showsPages decides
	journal                  int    // how many requests the console shows; 0: none
	version                  bool

	// What is in the files.
	callers platform.Callers // nil without a tokens file
	world   *platform.World  // nil without a seed
	words   httpapi.Vocabulary
	fileKey []byte // nil: one of this start
}

const (
	inMemory    = ":memory:" // the -db that keeps nothing on disk
	toStdout    = "-"        // the -export that writes to standard output
	defaultAddr = "127.0.0.1:4790"
	defaultRate = 5000
	envPrefix   = "TWIN_"
)

// parseConfig reads the flags, the environment where a flag is not given, and the file of
// -config for the rest. It returns what is left of the arguments, and flag.ErrHelp where
// help is asked for.
func parseConfig(args, env []string) (c config, operands []string, err error) {
	c = config{addr: defaultAddr, db: inMemory, rate: defaultRate, log: "text", journal: journal.DefaultSize}
	s := said{options: c.options(), done: make(map[string]bool)}
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
	switch {
	case (c.tlsCert == "") != (c.tlsKey == ""):
		err = errors.New("-tls-cert and -tls-key belong together")
	case len(c.adminHosts) > 0 && c.admin == "":
		err = errors.New("-admin-host names the address of -admin, which is missing")
	case c.pprof && c.admin == "":
		err = errors.New("-pprof is served at the address of -admin, which is missing")
	}
	return c, operands, err
}

// importing are the files so far, and one more.
func (c *config) importing(s string) ([]string, bool) { return append(c.imports, s), s != "" }

// hostNames are those named already, and more with commas between them.
func (c *config) hostNames(s string) ([]string, bool) {
	more := strings.Split(s, ",")
	bad := func(name string) bool { return name == "" || strings.ContainsAny(name, ":/[]@ ") }
	return append(c.adminHosts, more...), !slices.ContainsFunc(more, bad)
}

func fileName(s string) (string, bool)  { return s, s != "" }
func logFormat(s string) (string, bool) { return s, s == "text" || s == "json" }

func pages(s string) (string, bool) {
	return s, s == "true" || s == "false" || s == readOnly
}

func logLevel(s string) (l slog.Level, ok bool) {
	known := strings.ContainsAny(s, "+-") // which slog would take: info+2
	return l, !known && l.UnmarshalText([]byte(s)) == nil
}

func journaled(s string) (int, bool) {
	n, err := strconv.ParseUint(s, 10, 31)
	return int(n), err == nil && n <= 100_000
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
