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

// option is one setting of a server: as a flag, in the environment and in a file, which
// all take the same values.
type option struct {
	name    string
	value   string // its form, such as host:port; empty for yes or no
	without string // its default
	text    string
	group   string // in the help
	set     func(string) error
}

// optionGroups are in the order of the help.
var optionGroups = []string{"Address", "Data", "Callers", "Behaviour", "Webhooks", "Log", "Operation"}

// options are all options, and set c. The table in docs/operating.md is this one.
func (c *Config) options() []option {
	return []option{
		{
			"account-bytes", "n", "a quarter of `-store-bytes`",
			"Limit of each account in bytes of keys and values, such as 512MiB; 0: no limit. In the `-config` file " +
				"it is read again at SIGHUP",
			"Data", set(&c.AccountBytes, "a number of bytes such as 512MiB, 0 for no limit", size),
		},
		{
			"addr", "host:port", defaultAddr,
			"Address to serve at; port 0 takes a free port. A socket from systemd replaces it",
			"Address", set(&c.Addr, "host:port with a port from 0 to 65535", listenable),
		},
		{
			"addr-file", "file", "none", "Write the address in use to this file, once the server answers", "Address",
			set(&c.AddrFile, "a file name", fileName),
		},
		{
			"admin", "host:port", "none", "Serve metrics, probes, backup and restore here, without tokens: keep it " +
				"private", "Operation",
			set(&c.Admin, "host:port with a port from 0 to 65535", listenable),
		},
		{
			"admin-host", "name", "none",
			"Name of the `-admin` address besides localhost, such as the one that Prometheus uses. Repeat it, or use " +
				"commas",
			"Operation", set(&c.AdminHosts, "a host name without a port", c.hostNames),
		},
		{
			"background", "", "off", "Run operations in the background: writes answer 202", "Behaviour",
			set(&c.Background, "true or false", yesOrNo),
		},
		{
			"banner", "when", "auto",
			"Print address, demo token and a first call to standard output: `true`, `false`, or `auto`: at a " +
				"terminal, and wherever the demo token is taken", "Log",
			set(&c.banner, "auto, true or false", banners),
		},
		{
			"base-url", "address", "that of each request",
			"Public address of the API, such as https://api.example.com/twin: links begin with it", "Address",
			set(&c.BaseURL, "an address such as https://api.example.com/twin", baseURL),
		},
		{
			"config", "file", "none", "File with more of these, a line each: `addr = 127.0.0.1:80`", "Operation",
			set(&c.configFile, "a file name", fileName),
		},
		{
			"console", "pages", "true with the demo token and without `-base-url`",
			"Pages of [the console](console.md) at `" + console.DefaultPath +
				"`: `true`, `false` or `read-only`", "Behaviour",
			set(&c.Console, "true, false or read-only", pages),
		},
		{
			"db", "file", inMemory,
			"Keep the data in this file. A program with other engines, such as a node of [a cluster](cluster.md), " +
				"takes the address of a database",
			"Data", set(&c.DB, "a file name", fileName),
		},
		{
			"drain", "time", "0s", "After SIGTERM, answer for this long while `/readyz` says 503, until the load " +
				"balancer has noticed",
			"Address", set(&c.Drain, "a duration such as 3s", wait),
		},
		{
			"export", "file", "none", "Write the store to this file as a seed, and end; `-` is standard output", "Data",
			set(&c.export, "a file name", fileName),
		},
		{
			"file-key", "file", "a new key at each start",
			"File with 32 or more random bytes that sign the addresses of files, so that these outlive a restart",
			"Data",
			set(&c.FileKeyFile, "a file name", fileName),
		},
		{
			"files", "folder", "next to the `-db` file",
			"Keep files in this folder: reality data, attachments, images, planner files and exports", "Data",
			set(&c.Files, "a file name", fileName),
		},
		{
			"import", "file", "none",
			"Make a schedule of this planner file: Primavera P6 (XER or XML) or Microsoft Project (XML). Repeat it " +
				"for several", "Data",
			set(&c.Imports, "a file name", c.importing),
		},
		{
			"invitations", "time", "336h", "How long an invitation can be accepted; negative: for ever", "Callers",
			set(&c.InvitationTime, "a duration such as 336h", retention),
		},
		{
			"journal", "n", strconv.Itoa(journal.DefaultSize),
			"How many of the last requests the console shows, without secrets; 0: none",
			"Behaviour", set(&c.Journal, "a number of requests from 0 to 100000", journaled),
		},
		{
			"lease", "time", "5s",
			"Take over the work of another server after this time without a sign of life, where several share a " +
				"store. The same on all",
			"Data", set(&c.Lease, "a duration such as 5s", leaseTime),
		},
		{
			"log", "format", "text", "Format of the log on standard error: `text`, `json` or `off`", "Log",
			set(&c.logFormat, "text, json or off", logFormat),
		},
		{
			"log-level", "level", "info", "Lowest level to log: `debug`, `info`, `warn` or `error`", "Log",
			set(&c.logLevel, "debug, info, warn or error", logLevel),
		},
		{
			"log-requests", "", "off", "Log all requests, not only those that fail or are slow", "Log",
			set(&c.LogRequests, "true or false", yesOrNo),
		},
		{
			"log-slow", "time", "1s", "Log requests that take as long as this; 0: none is slow", "Log",
			set(&c.LogSlow, "a duration such as 1s", slowness),
		},
		{"oidc", "", "off", "Serve [an OpenID Connect provider for tests](signin.md) below `" +
			oidcPath + "`, where the callers of `-tokens` sign in", "Callers", set(&c.OIDC, "true or false", yesOrNo)},
		{
			"oidc-client", "client", "`app`, on this machine",
			"Client of `-oidc`: an id, or id=address with where people are sent back to, such as " +
				"app=https://app.example/callback. Repeat it for several",
			"Callers", set(&c.OIDCClients, "an id, or id=address such as app=https://app.example/callback",
				c.oidcClients),
		},
		{
			"operation-status", "", "off",
			"Put the status of an operation next to it, where pollers of Azure's libraries look for it", "Behaviour",
			set(&c.OperationStatus, "true or false", yesOrNo),
		},
		{
			"origins", "origin", "none",
			"Let pages of this origin use the API (CORS), such as https://app.example; `*` for all. Repeat it, or " +
				"use commas",
			"Address", set(&c.Origins, "an origin such as https://app.example", c.origins),
		},
		{
			"pprof", "", "off", "Serve profiles below `/debug/pprof/` of the `-admin` address", "Operation",
			set(&c.Profiles, "true or false", yesOrNo),
		},
		{
			"preview", "", "off", "Say what `import` would change of the schedule of a planner file, and change nothing", "Data",
			set(&c.preview, "true or false", yesOrNo),
		},
		{
			"rate", "n", strconv.Itoa(defaultRate), "Limit of requests a minute for each principal; 0: no limit",
			"Callers",
			set(&c.Rate, "a whole number of requests a minute, 0 for no limit", perMinute),
		},
		{
			"retain", "time", "720h",
			"Remember deleted records, finished operations and transformations for this long; negative: for ever",
			"Data",
			set(&c.Retain, "a duration such as 720h", retention),
		},
		{
			"seed", "file", "none", "Create the twins of this file and what they hold, once for each store", "Data",
			set(&c.SeedFile, "a file name", fileName),
		},
		{
			"store-bytes", "n", "two fifths of the memory",
			"Limit of the store in bytes of keys and values, such as 2GiB; 0: no limit. In the `-config` file it is " +
				"read again at SIGHUP",
			"Data", set(&c.StoreBytes, "a number of bytes such as 2GiB, 0 for no limit", size),
		},
		{"test-controls", "", "off", "For tests only: control clock, faults and operations below `" +
			control.Prefix + "/`, without a token", "Behaviour", set(&c.TestControls, "true or false", yesOrNo)},
		{
			"tls-cert", "file", "none", "PEM file with the certificate chain for HTTPS; read again when it changes",
			"Address",
			set(&c.TLSCert, "a file name", fileName),
		},
		{
			"tls-key", "file", "none", "PEM file with the key of the certificate", "Address",
			set(&c.TLSKey, "a file name", fileName),
		},
		{
			"token-uses", "file", "next to the `-tokens` file",
			"Keep in this file when each token was last used; written once a minute and at the end", "Callers",
			set(&c.TokenUses, "a file name", fileName),
		},
		{
			"tokens", "file", "one demo token",
			"File that says who may call and do what; read again when it changes, and at SIGHUP",
			"Callers", set(&c.TokensFile, "a file name", fileName),
		},
		{
			"trusted-proxies", "network", "none",
			"Log the client that a proxy of this network names in X-Forwarded-For, such as 10.0.0.0/8. Repeat it, or " +
				"use commas", "Log",
			set(&c.TrustedProxies, "a network such as 10.0.0.0/8", c.proxies),
		},
		{
			"unknown-members", "policy", "refuse",
			"Body members that an operation does not know: `refuse` answers 400, `report` ignores them and shows " +
				"them in the journal, `ignore` ignores them",
			"Behaviour", set(&c.UnknownMembers, "refuse, report or ignore", httpapi.ParseUnknownMembers),
		},
		{"version", "", "off", "Print the version, and end", "Operation", set(&c.version, "true or false", yesOrNo)},
		{
			"vocabulary", "file", "that of the specification",
			"JSON file with the names that a deployment has for paths, members and errors; see " +
				"[vocabulary](vocabulary.md)", "Behaviour", set(&c.VocabularyFile, "a file name", fileName),
		},
		{
			"webhook-allow", "network", "none",
			"Deliver events to this private network too, such as 10.0.0.0/8. Repeat it, or use commas", "Webhooks",
			set(&c.Webhooks.AllowPrivate, "a network such as 10.0.0.0/8", c.networks),
		},
		{
			"webhook-ca", "file", "the system's",
			"PEM file with certificates that deliveries trust, besides those of the system", "Webhooks",
			set(&c.WebhookCAFile, "a file name", fileName),
		},
		{
			"webhook-discard-answers", "", "off", "Keep nothing of what receivers answer to deliveries", "Webhooks",
			set(&c.Webhooks.DiscardAnswers, "true or false", yesOrNo),
		},
		{
			"webhook-key", "file", "none",
			"File with the key that encrypts secrets of webhooks in the store: 32 bytes, or 64 hexadecimal digits",
			"Webhooks", set(&c.WebhookKeyFile, "a file name", fileName),
		},
		{
			"webhook-patch-secret", "", "off", "Generate a new secret in a PATCH without `secret`, as for `null`",
			"Webhooks", set(&c.Webhooks.PatchReplacesSecret, "true or false", yesOrNo),
		},
	}
}

// optionSet is the options that were given, and where: a flag overrides the environment,
// and that overrides the file.
type optionSet struct {
	names   []string        // of the options that are allowed here
	options []option        // all that there are
	done    map[string]bool // options that were set further up
}

// everyOption are the names of all options.
func everyOption() (names []string) {
	for _, o := range new(Config).options() {
		names = append(names, o.name)
	}
	return names
}

// here are the options that are allowed.
func (s *optionSet) here() iter.Seq[option] {
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
func (s *optionSet) flags(args []string) (operands []string, err error) {
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
func (s *optionSet) environment(env []string) error {
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
func (s *optionSet) file(text string) error {
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
