// Command cluster is one of several nodes of the twin platform over a PostgreSQL that
// they share. Each serves the same REST API, and any of them may end at any time.
//
//	go run . -db postgres://twin@db.example/twin -addr :4790 -tokens tokens.json -files /srv/twin -file-key file.key
//
// It is the program twinplatform with one engine more: flags, environment and commands are
// those of docs/operating.md. compose.yaml starts a database, two nodes and what spreads requests
// over them; docs/cluster.md says how it is run.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"github.com/seed-933f9a09/twinplatform/httpapi/server"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
)

// engines maps the scheme of an address of -db to its engine.
func engines() map[string]server.Engine {
	return map[string]server.Engine{"postgres": open, "postgresql": open}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // from the first signal on a second one ends the process at once
	code := server.Main(ctx, server.Process{
		Args: os.Args[1:], Env: os.Environ(), Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Engines: engines(),
	})
	stop()
	os.Exit(code)
}

// open opens the store in a database. Its address may have, besides what PostgreSQL takes, the
// schema that holds the tables (?schema=twin), that a pooler of transactions such as PgBouncer is
// behind it (?pooler=true), an address past that one (?listen=…, escaped), and the host and port
// of a standby that answers reads (?replica=…), or an address of it, escaped.
func open(ctx context.Context, address string, log *slog.Logger) (storage.Store, error) {
	o := postgres.Options{Logger: log}
	base, query, _ := strings.Cut(address, "?")
	params, err := url.ParseQuery(query)
	if err != nil {
		return nil, err
	}
	o.Schema, o.Listen = params.Get("schema"), params.Get("listen")
	if pooler := params.Get("pooler"); pooler != "" {
		if o.Pooler, err = strconv.ParseBool(pooler); err != nil {
			return nil, fmt.Errorf("pooler is true or false, not %q", pooler)
		}
	}
	replica := params.Get("replica")
	for _, ours := range []string{"schema", "pooler", "listen", "replica"} {
		params.Del(ours)
	}
	if o.Replica, err = replicaOf(base, params, replica); err != nil {
		return nil, err
	}
	return postgres.Open(ctx, with(base, params), o)
}

// with is an address with parameters.
func with(base string, params url.Values) string {
	if len(params) == 0 {
		return base
	}
	return base + "?" + params.Encode()
}

// replicaOf is the address of the standby of a database: as it is, or that of the database
// with another host and port.
func replicaOf(base string, params url.Values, replica string) (string, error) {
	if replica == "" || strings.Contains(replica, "://") {
		return replica, nil
	}
	u, err := url.Parse(base)
	if err != nil {
		return "", errors.New("the address of the database is no URL") // which may hold a password
	}
	u.Host = replica
	return with(u.String(), params), nil
}
