package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/url"

	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/shards"
)

// over opens the store in a database and those in the databases that its parameters name, which
// are taken from them: a shard (?shard=…), or a spare one to move a shard to (?spare=…), each an
// address of its own, escaped. Both may be repeated.
func over(ctx context.Context, address string, params url.Values, log *slog.Logger) (store storage.Store, err error) {
	var opened []storage.Store
	defer func() {
		if err != nil {
			for _, s := range opened {
				err = errors.Join(err, s.Close())
			}
		}
	}()
	named, spares := params["shard"], params["spare"]
	params.Del("shard")
	params.Del("spare")
	for i, a := range append(append([]string{with(address, params)}, named...), spares...) {
		s, err := openOne(ctx, a, log)
		if err != nil && i > 0 {
			return nil, fmt.Errorf("database %d of -db: %w", i+1, err)
		}
		if err != nil {
			return nil, err
		}
		opened = append(opened, s)
	}
	if len(opened) > 1 {
		o := shards.Options{Known: platform.HasAccount, Spares: opened[1+len(named):]}
		return shards.Open(ctx, o, opened[0], opened[1:1+len(named)]...)
	}
	divided, err := shards.Divided(ctx, opened[0])
	if err == nil && divided {
		err = errors.New("the database belongs to several: name the others in -db too, with ?shard=")
	}
	return opened[0], err
}

// shardCommand runs the commands about shards: places, move and stay. It reports false for all
// others.
func shardCommand(ctx context.Context, args []string, stdout, stderr io.Writer) (code int, ours bool) {
	if len(args) == 0 || args[0] != "places" && args[0] != "move" && args[0] != "stay" {
		return 0, false
	}
	if err := commandShards(ctx, args[0], args[1:], stdout, stderr); err != nil {
		_, _ = fmt.Fprintf(stderr, "cluster %s: %v\n", args[0], err)
		return 1, true
	}
	return 0, true
}

func commandShards(ctx context.Context, name string, args []string, stdout, stderr io.Writer) error {
	set := flag.NewFlagSet(name, flag.ContinueOnError)
	set.SetOutput(stderr)
	db := set.String("db", "", "the `addresses` of the databases, as nodes have it")
	if err := set.Parse(args); err != nil {
		return err
	}
	store, err := open(ctx, *db, slog.New(slog.NewTextHandler(stderr, nil)))
	if err != nil {
		return err
	}
	err = onShards(ctx, name, set.Args(), store, stdout)
	return errors.Join(err, store.Close())
}

// onShards runs a command over stores that are open.
func onShards(ctx context.Context, name string, args []string, store storage.Store, stdout io.Writer) error {
	s, ok := store.(*shards.Store)
	switch {
	case !ok:
		return errors.New("-db names one database")
	case name == "move" && len(args) == 2:
		return s.Move(ctx, args[0], args[1])
	case name == "stay" && len(args) == 1:
		return s.StayPut(ctx, args[0])
	case name != "places" || len(args) > 0:
		return errors.New("call it as places, move SHARD PLACE or stay SHARD")
	}
	all, err := s.Places(ctx)
	for _, p := range all {
		_, _ = fmt.Fprintf(stdout, "place %s  %s  shard %s\n", p.Name, p.State, p.Shard)
	}
	return err
}
