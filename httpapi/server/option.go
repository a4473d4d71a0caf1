package server

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-933f9a09/twinplatform/httpapi"
	"github.com/seed-933f9a09/twinplatform/httpapi/console"
	"github.com/seed-933f9a09/twinplatform/httpapi/control"
	"github.com/seed-933f9a09/twinplatform/httpapi/journal"
)

// option is one thing that can be said of a server: as a flag, in the environment and in
// a file, which all take the same words.
type option struct {
	name    string
	value   string // what is said, such as host:port; empty for yes or no
	without string // what holds when nothing is said
	text    string
	set     func(string) error
}

// options are all that can be said, and set c. The table in docs/operating.md is this one.
func (c *Config) options() []option {
	return []option{
		{"account-bytes", "n", "a quarter of `-store-bytes`", "bytes of keys and values that an account may have in the store, such as 512MiB; 0 is no limit; in the `-config` file it is read again at SIGHUP", set(&c.AccountBytes, "a number of bytes such as 512MiB, 0 for no limit", size)},
		{"addr", "host:port", defaultAddr, "where to serve; port 0 takes a free one. A socket that systemd hands over is taken instead", set(&c.Addr, "host:port with a port from 0 to 65535", listenable)},
		{"addr-file", "file", "none", "gets the bound host:port, once the server serves", set(&c.AddrFile, "a file name", fileName)},
		{"admin", "host:port", "none", "where to serve metrics, probes, backups and restorations, for those who run the server", set(&c.Admin, "host:port with a port from 0 to 65535", listenable)},
		{"admin-host", "name", "none", "a name of the `-admin` address besides `localhost`, such as that by which a Prometheus reaches it; repeated or with commas for several", set(&c.AdminHosts, "a host name without a port", c.hostNames)},
		{"background", "", "off", "operations run in the background: writes answer 202", set(&c.Background, "true or false", yesOrNo)},
		{"banner", "when", "auto", "where the server is, its demo token and a first call, on standard output: `true`, `false`, or `auto`, at a terminal", set(&c.banner, "auto, true or false", banners)},
		{"base-url", "address", "as a request names it", "under which clients reach the server, such as https://api.example.com/twin; links and addresses of files begin with it", set(&c.BaseURL, "an address such as https://api.example.com/twin", baseURL)},
		{"config", "file", "none", "says what flags and environment do not, a line each: `addr = 127.0.0.1:80`", set(&c.configFile, "a file name", fileName)},
		{"console", "pages", "true with the demo token and without `-base-url`, else false", "the pages of [the console](console.md) at `" + console.DefaultPath + "`: `true`, `false`, or `read-only`, which changes nothing", set(&c.Console, "true, false or read-only", pages)},
		{"db", "file", inMemory, "keeps the data in a file; a program with engines of its own, such as a node of [a cluster](cluster.md), takes the address of a database here", set(&c.DB, "a file name", fileName)},
		{"drain", "time", "0s", "how long requests are still taken after SIGTERM, while `/readyz` says that there should be none: longer than a proxy waits between two looks at it", set(&c.Drain, "a duration such as 3s", wait)},
		{"export", "file", "none", "writes what `-db` holds as a seed, and serves nothing; `-` is standard output", set(&c.export, "a file name", fileName)},
		{"file-key", "file", "a key of this start", "32 random bytes or more that sign the addresses of the bytes of reality data, which then outlive a restart", set(&c.FileKeyFile, "a file name", fileName)},
		{"files", "folder", "next to the `-db` file", "keeps the bytes of reality data, served under `/files/`, of planner files, attachments, images and exports", set(&c.Files, "a file name", fileName)},
		{"import", "file", "none", "a schedule of each planner file: XER or XML of Primavera P6, or XML of Microsoft Project; repeated for several; the banner says where they are", set(&c.Imports, "a file name", c.importing)},
		{"invitations", "time", "336h", "how long an invitation can be accepted; negative: for ever", set(&c.InvitationTime, "a duration such as 336h", retention)},
		{"journal", "n", strconv.Itoa(journal.DefaultSize), "how many of the last requests the console shows, without their secrets; 0 is none", set(&c.Journal, "a number of requests from 0 to 100000", journaled)},
		{"lease", "time", "5s", "how long work stays with a server that may be dead, where several share the store; the same on all", set(&c.Lease, "a duration such as 5s", leaseTime)},
		{"log", "format", "text", "`text` or `json`, on standard error, or `off`", set(&c.logFormat, "text, json or off", logFormat)},
		{"log-level", "level", "info", "from which on there is a log: `debug`, `info`, `warn` or `error`", set(&c.logLevel, "debug, info, warn or error", logLevel)},
		{"log-requests", "", "off", "logs all requests, not only those that fail or are slow", set(&c.LogRequests, "true or false", yesOrNo)},
		{"log-slow", "time", "1s", "how long a request takes to be logged as slow; 0: none is slow", set(&c.LogSlow, "a duration such as 1s", slowness)},
		{"origins", "origin", "none", "an origin whose pages may use the API and the addresses of bytes in browsers, such as https://app.example, or `*` for all; repeated or with commas for several", set(&c.Origins, "an origin such as https://app.example", c.origins)},
		{"pprof", "", "off", "serves profiles of the program below `/debug/pprof/` of the `-admin` address", set(&c.Profiles, "true or false", yesOrNo)},
		{"rate", "n", strconv.Itoa(defaultRate), "requests a minute for each principal; 0 is no limit", set(&c.Rate, "a whole number of requests a minute, 0 for no limit", perMinute)},
		{"retain", "time", "720h", "how long deleted things, finished operations and transformations are remembered, such as `2s`; negative: for ever", set(&c.Retain, "a duration such as 720h", retention)},
		{"seed", "file", "none", "a world of twins and what they hold, applied once", set(&c.SeedFile, "a file name", fileName)},
		{"store-bytes", "n", "two fifths of the memory that the process may use", "bytes of keys and values that the store may hold, such as 2GiB; 0 is no limit; in the `-config` file it is read again at SIGHUP", set(&c.StoreBytes, "a number of bytes such as 2GiB, 0 for no limit", size)},
		{"test-controls", "", "off", "serves clock, faults, journal and held operations of tests below `" + control.Prefix + "/`, to everybody who reaches the server", set(&c.TestControls, "true or false", yesOrNo)},
		{"tls-cert", "file", "none", "PEM file with the certificate, and those behind it, to serve HTTPS; read again when it changes", set(&c.TLSCert, "a file name", fileName)},
		{"tls-key", "file", "none", "PEM file with the key of the certificate", set(&c.TLSKey, "a file name", fileName)},
		{"token-uses", "file", "next to the `-tokens` file", "keeps when each token was last used, written once a minute and at the end", set(&c.TokenUses, "a file name", fileName)},
		{"tokens", "file", "one demo token", "who may call, and what they may do; read again within a second when it changes, and at SIGHUP", set(&c.TokensFile, "a file name", fileName)},
		{"trusted-proxies", "network", "none", "a network of proxies whose X-Forwarded-For the log believes, such as 10.0.0.0/8; repeated or with commas for several", set(&c.TrustedProxies, "a network such as 10.0.0.0/8", c.proxies)},
		{"unknown-members", "policy", "refuse", "what becomes of members of bodies that an operation does not know: `refuse` answers 400 and names them, `report` passes over them and shows them in the journal, `ignore` passes over them", set(&c.UnknownMembers, "refuse, report or ignore", httpapi.ParseUnknownMembers)},
		{"version", "", "off", "says which version this is, and does nothing", set(&c.version, "true or false", yesOrNo)},
		{"vocabulary", "file", "the specification's", "what the deployment calls things, as JSON", set(&c.VocabularyFile, "a file name", fileName)},
		{"webhook-allow", "network", "none", "a private network that events may go to, such as 10.0.0.0/8; repeated or with commas for several", set(&c.Webhooks.AllowPrivate, "a network such as 10.0.0.0/8", c.networks)},
		{"webhook-ca", "file", "the system's", "PEM file with certificates to trust in deliveries too", set(&c.WebhookCAFile, "a file name", fileName)},
		{"webhook-key", "file", "none", "32 bytes, or 64 hexadecimal digits, that seal the secrets of webhooks in the store", set(&c.WebhookKeyFile, "a file name", fileName)},
		{"webhook-patch-secret", "", "off", "a PATCH without `secret` generates one too, as `null` does, and shows it", set(&c.Webhooks.PatchReplacesSecret, "true or false", yesOrNo)},
	}
}

// said is what was said of the options, and by what: a flag wins over the environment,
// and that over the file.
type said struct {
	names   []string        // of the options that can be said here
	options []option        // all that there are
	done    map[string]bool // options of which something was said further up
}

// everyOption are the names of all options.
func everyOption() (names []string) {
	for _, o := range new(Config).options() {
		names = append(names, o.name)
	}
	return names
}

// here are the options that can be said.
func (s *said) here() iter.Seq[option] {
	return func(yield func(option) bool) {
		for _, o := range s.options {
			if slices.Contains(s.names, o.name) && !yield(o) {
				return
			}
		}
	}
}

// flags reads the flags that args begin with, and those between operands, and returns
// the operands.
func (s *said) flags(args []string) (operands []string, err error) {
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.Usage = func() {}
	for o := range s.here() {
		if o.value == "" {
			fs.BoolFunc(o.name, "", o.set)
			continue
		}
		fs.Func(o.name, "", o.set)
	}
	if operands, err = parseAmong(fs, args); err != nil {
		return nil, err
	}
	fs.Visit(func(f *flag.Flag) { s.done[f.Name] = true })
	return operands, nil
}

// environment sets the options of which no flag spoke. An empty variable is one that is
// not set.
func (s *said) environment(env []string) error {
	values := make(map[string]string)
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		values[name] = value
	}
	for o := range s.here() {
		name := variable(o.name)
		value := values[name]
		if value == "" || s.done[o.name] {
			continue
		}
		if err := o.set(value); err != nil {
			return fmt.Errorf("invalid value %q for %s: %w", value, name, err)
		}
		s.done[o.name] = true
	}
	return nil
}

// file sets the options of which neither flags nor the environment spoke from lines of
// the form "name = value". What follows a # at the beginning of a line is a remark.
func (s *said) file(text string) error {
	inFile := make(map[string]func(string) error)
	for _, o := range s.options {
		if inFile[o.name] = o.set; s.done[o.name] || !slices.Contains(s.names, o.name) {
			inFile[o.name] = func(string) error { return nil }
		}
	}
	at := 0
	for line := range strings.Lines(text) {
		at++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		set := inFile[name]
		switch {
		case !ok:
			return fmt.Errorf("line %d: want name = value", at)
		case set == nil || name == "config":
			return fmt.Errorf("line %d: there is no option %q for a file", at, name)
		}
		if err := set(value); err != nil {
			return fmt.Errorf("line %d: invalid value %q for %s: %w", at, value, name, err)
		}
	}
	return nil
}

// set is an option whose value is read; want says what it has to be.
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

// variable is the environment's name of an option.
func variable(name string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}
