package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/seed-933f9a09/twinplatform/httpapi/server"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/shards"
)

// opener opens the store of -db.
type opener struct {
	settle, patience time.Duration // those of shards.Options
}

// open opens the store in a database, or over several databases. The first one is the home. One that has no shard to begin with, so that one can be
// moved there, has ?spare=true.
func (o opener) open(ctx context.Context, addresses []string, log *slog.Logger) (store storage.Store, err error) {
	var stores, spares []storage.Store
	defer func() {
		if err != nil {
			for _, s := range append(stores, spares...) {
				err = errors.Join(err, s.Close())
			}
		}
	}()
	if len(addresses) == 0 {
		return nil, errors.New("-db is missing")
	}
	for i, address := range addresses {
		s, spare, err := openOne(ctx, address, log)
		switch {
		case err != nil && len(addresses) > 1:
			return nil, fmt.Errorf("database %d: %w", i+1, err)
		case err != nil:
			return nil, err
		case spare:
			spares = append(spares, s)
		default:
			stores = append(stores, s)
		}
		if len(stores) == 0 || !spare && len(spares) > 0 {
			return nil, errors.New("the home is the first database, and spare ones are the last")
		}
	}
	if len(addresses) > 1 {
		options := shards.Options{Known: platform.HasAccount, Spares: spares, Settle: o.settle, Patience: o.patience}
		return shards.Open(ctx, options, stores[0], stores[1:]...)
	}
	divided, err := shards.Divided(ctx, stores[0])
	if err == nil && divided {
		err = errors.New("the database is one of several: name all of them, each with its own -db")
	}
	return stores[0], err
}

// spareIn takes from the parameters of an address whether its database is a spare one.
func spareIn(params url.Values) (spare bool, err error) {
	value := params.Get("spare")
	params.Del("spare")
	if value == "" {
		return false, nil
	}
	if spare, err = strconv.ParseBool(value); err != nil {
		return false, fmt.Errorf("spare is true or false, not %q", value)
	}
	return spare, nil
}

// shardsUsage is what the command says of itself.
const shardsUsage = `usage: cluster shards list   -db ADDRESS -db ADDRESS… [ACCOUNT…]
       cluster shards move   -db ADDRESS -db ADDRESS… SHARD DATABASE
       cluster shards stay   -db ADDRESS -db ADDRESS… SHARD
       cluster shards assign -db ADDRESS -db ADDRESS… ACCOUNT SHARD

list shows the databases with their shards, or the shards of accounts. move moves a shard, while
nodes write to it, to the database with that number, which has none; called again it continues
a move that was interrupted. stay gives a move up. assign gives an account that is new a shard.
All nodes and commands are given the same addresses (-db, or TWIN_DB with spaces between them).
`

// shardsCommand runs the command shards, and returns the exit code of the program.
func shardsCommand(ctx context.Context, o opener, args, env []string, stdout, stderr io.Writer) int {
	err := o.shards(ctx, args, env, stdout, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		_, _ = io.WriteString(stdout, shardsUsage)
		return 0
	case errors.Is(err, errUsage):
		_, _ = io.WriteString(stderr, shardsUsage)
		return 2
	case err != nil:
		_, _ = fmt.Fprintf(stderr, "cluster shards: %v\n", err)
		return 1
	}
	return 0
}

// errUsage reports that a command was called with other arguments than it takes.
var errUsage = errors.New("see cluster shards -h")

func (o opener) shards(ctx context.Context, args, env []string, stdout, stderr io.Writer) error {
	if len(args) == 0 {
		return errUsage
	}
	verb := args[0]
	if verb == "-h" || verb == "-help" || verb == "--help" {
		return flag.ErrHelp
	}
	set := flag.NewFlagSet(verb, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	var addresses []string
	set.Func("db", "", func(address string) error {
		addresses = append(addresses, server.Addresses(address)...)
		return nil
	})
	if err := set.Parse(args[1:]); err != nil {
		return err
	}
	for _, kv := range env {
		if value, ok := strings.CutPrefix(kv, "TWIN_DB="); ok && len(addresses) == 0 {
			addresses = server.Addresses(value)
		}
	}
	do, ok := verbs[verb]
	if !ok || do.operands >= 0 && do.operands != set.NArg() {
		return errUsage
	}
	store, err := o.open(ctx, addresses, slog.New(slog.NewTextHandler(stderr, nil)))
	if err != nil {
		return err
	}
	s, ok := store.(*shards.Store)
	if !ok {
		return errors.Join(errors.New("-db names one database, which has no shards"), store.Close())
	}
	return errors.Join(do.run(ctx, s, set.Args(), stdout), s.Close())
}

// verb is what the command does under one word.
type verb struct {
	operands int // -1: any number
	run      func(ctx context.Context, s *shards.Store, operands []string, stdout io.Writer) error
}

var verbs = map[string]verb{
	"list": {-1, list},
	"move": {2, move},
	"stay": {1, func(ctx context.Context, s *shards.Store, of []string, _ io.Writer) error {
		return s.StayPut(ctx, of[0])
	}},
	"assign": {2, func(ctx context.Context, s *shards.Store, of []string, _ io.Writer) error {
		return s.Assign(ctx, of[0], of[1])
	}},
}

func list(ctx context.Context, s *shards.Store, named []string, stdout io.Writer) error {
	for _, account := range named {
		shard, err := s.ShardOf(ctx, account)
		if err != nil {
			return err
		}
		_, _ = fmt.Fprintf(stdout, "account %s  shard %s\n", account, shard)
	}
	if len(named) > 0 {
		return nil
	}
	places, err := s.Places(ctx)
	for _, p := range places {
		_, _ = fmt.Fprintf(stdout, "database %d  %s  shard %s\n", p.Number, p.State, p.Shard)
	}
	return err
}

func move(ctx context.Context, s *shards.Store, operands []string, stdout io.Writer) error {
	places, err := s.Places(ctx)
	if err != nil {
		return err
	}
	for _, p := range places {
		if strconv.Itoa(p.Number) != operands[1] {
			continue
		}
		if err := s.Move(ctx, operands[0], p.Name); err != nil {
			return err
		}
		_, err = fmt.Fprintf(stdout, "the shard %s is in database %d\n", operands[0], p.Number)
		return err
	}
	return fmt.Errorf("there is no database %s", operands[1])
}
