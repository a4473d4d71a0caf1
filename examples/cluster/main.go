// Command cluster is one of several nodes of the twin platform over a PostgreSQL that
// they share. Each serves the same REST API, and any of them may end at any time.
//
//	go run . -db postgres://twin@db.example/twin -addr :4790 -tokens tokens.json -files /srv/twin -file-key file.key
//
// Every flag can also be set in the environment: -file-key is TWIN_FILE_KEY, and so on.
// An interrupt or SIGTERM makes /readyz fail, lets the requests under way finish, hands
// the rest of the work to the other nodes and exits with 0. compose.yaml starts a database,
// two nodes and what spreads requests over them; docs/cluster.md says how it is run.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/httpapi/ratelimit"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// From the first signal on a second one ends the process at once.
	context.AfterFunc(ctx, stop)
	err := run(ctx, os.Args[1:], os.Environ(), os.Stdout, os.Stderr)
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "cluster:", err)
		os.Exit(1)
	}
}

// config is what the flags say.
type config struct {
	addr, addrFile, baseURL       string
	db, schema                    string
	pooler                        bool
	tokens, seed                  string
	files, fileKey                string
	hookKey, hookCA, hookNetworks string
	background                    bool
	lease, retain, drain          time.Duration
	rate                          int
	health                        bool
}

// flags are all that can be said of a node. Those marked with * are the same on all.
func (c *config) flags() *flag.FlagSet {
	fs := flag.NewFlagSet("cluster", flag.ContinueOnError)
	fs.StringVar(&c.addr, "addr", "127.0.0.1:4790", "host:port to serve at; port 0 takes a free one")
	fs.StringVar(&c.addrFile, "addr-file", "", "file that gets the bound host:port, once the node serves")
	fs.StringVar(&c.baseURL, "base-url", "", "address under which clients reach the nodes; links begin with it (default as a request names it) *")
	fs.StringVar(&c.db, "db", "", "address of the database, such as postgres://twin@db.example/twin?sslmode=verify-full *")
	fs.StringVar(&c.schema, "schema", "twinplatform", "schema of the database that holds the tables *")
	fs.BoolVar(&c.pooler, "pooler", false, "the address is that of a pooler of transactions, such as PgBouncer")
	fs.StringVar(&c.tokens, "tokens", "", "file that says who may call, and what they may do; without it the token demo is good, at loopback addresses alone *")
	fs.StringVar(&c.seed, "seed", "", "file with a world of twins and what they hold, applied once in the life of the database *")
	fs.StringVar(&c.files, "files", "", "folder for the bytes of reality data, which all nodes see; without it there are none *")
	fs.StringVar(&c.fileKey, "file-key", "", "file with 32 random bytes or more that sign the addresses of those bytes *")
	fs.StringVar(&c.hookKey, "webhook-key", "", "file with 32 bytes, or 64 hexadecimal digits, that seal the secrets of webhooks in the database *")
	fs.StringVar(&c.hookCA, "webhook-ca", "", "PEM file with certificates to trust in deliveries too")
	fs.StringVar(&c.hookNetworks, "webhook-allow", "", "private networks that events may go to, such as 10.0.0.0/8,192.168.0.0/16")
	fs.BoolVar(&c.background, "background", false, "operations run in the background: writes answer 202")
	fs.DurationVar(&c.lease, "lease", twinplatform.DefaultLease, "how long work stays with a node that may be dead *")
	fs.DurationVar(&c.retain, "retain", twinplatform.DefaultRetain, "how long deleted things and finished operations are remembered; negative: for ever *")
	fs.DurationVar(&c.drain, "drain", 0, "how long requests are still taken after SIGTERM, while /readyz says that there should be none")
	fs.IntVar(&c.rate, "rate", ratelimit.DefaultRate, "requests a minute for each principal, at all nodes together; 0 is no limit *")
	fs.BoolVar(&c.health, "health", false, "asks the node at -addr whether it is ready, and ends")
	return fs
}

// parse reads the flags, and the environment where a flag is not given.
func parse(args, env []string, out io.Writer) (c config, err error) {
	fs := c.flags()
	fs.SetOutput(out)
	fs.VisitAll(func(f *flag.Flag) {
		for _, kv := range env {
			if name, value, _ := strings.Cut(kv, "="); name == variable(f.Name) && value != "" {
				if e := fs.Set(f.Name, value); e != nil {
					err = errors.Join(err, fmt.Errorf("invalid value %q for %s: %w", value, name, e))
				}
			}
		}
	})
	if err == nil {
		err = fs.Parse(args)
	}
	switch {
	case err != nil:
	case fs.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q: everything is said with flags, see -h", fs.Arg(0))
	case c.db == "" && !c.health:
		err = errors.New("-db is missing: the address of a PostgreSQL, such as postgres://twin@db.example/twin")
	case (c.files == "") != (c.fileKey == ""):
		err = errors.New("-files and -file-key belong together")
	case c.rate < 0 || c.lease <= 0 || c.drain < 0:
		err = errors.New("-rate, -lease and -drain are not negative, and -lease is not 0")
	}
	return c, err
}

// variable is the environment's name of a flag.
func variable(name string) string {
	return "TWIN_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}
