package server

import (
	"context"
	"errors"
	"log/slog"
	"strings"

	"github.com/seed-933f9a09/twinplatform/storage"
)

// Engine opens a store that several processes share, such as one in a database, by its
// address.
type Engine func(ctx context.Context, address string, log *slog.Logger) (storage.Store, error)

// engine is what opens the store of DB; nil where that is a file or in memory.
func (c *Config) engine() Engine {
	scheme, _, ok := strings.Cut(c.DB, "://")
	if !ok {
		return nil
	}
	return c.Engines[scheme]
}

// openShared opens the store of DB by its engine.
func (c *Config) openShared(ctx context.Context, log *slog.Logger) (storage.Store, error) {
	return c.engine()(ctx, c.DB, log)
}

// shared reports whether other processes may have the store open.
func (c *Config) shared() bool { return c.engine() != nil }

// inFile reports whether the store is a file.
func (c *Config) inFile() bool { return c.DB != inMemory && !c.shared() }

// unknownScheme returns the scheme of the -db address where this program has no engine for
// it, and "" for every other address.
func (c *Config) unknownScheme() string {
	scheme, _, ok := strings.Cut(c.DB, "://")
	if !ok || c.shared() {
		return ""
	}
	return scheme
}

// storeName names the store in logs, errors and the banner: an address may hold a password.
func (c *Config) storeName() string {
	if !c.shared() {
		return c.DB
	}
	scheme, rest, _ := strings.Cut(c.DB, "://")
	rest, _, _ = strings.Cut(rest, "?")
	return scheme + "://" + rest[strings.LastIndexByte(rest, '@')+1:]
}

// errNoTokens reports that each of the servers that share a store would have its own token.
var errNoTokens = errors.New("-tokens is missing: without it only a loopback address is served where processes share " +
	"the store")

// errUnshared reports that nodes of a cluster are configured differently.
var errUnshared = errors.New("-files and -file-key belong together where processes share the store")
