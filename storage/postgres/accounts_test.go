package postgres_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// BenchmarkAccounts makes twins with one writer, with sixteen in one account, and with
// sixteen that have an account each, alternately; the server is as far away as the name
// says. Those with their own accounts share nothing, so that they are to be faster
// together. The store has 1,000 accounts with three twins each before: in an empty one the
// few keys that there are stand on the same pages, for which the database takes them to be
// one.
func BenchmarkAccounts(b *testing.B) {
	server := func(away time.Duration) func(b *testing.B) storage.Store {
		return func(b *testing.B) storage.Store {
			s := postgrestest.Shared(b)
			options := postgres.Options{Schema: s.Schema(b), MaxConns: 16, Logger: quiet}
			near, err := postgres.Open(b.Context(), s.URL(""), options)
			if err != nil {
				b.Fatal(err)
			}
			populate(b, near)
			if err := near.Close(); err != nil {
				b.Fatal(err)
			}
			store, err := postgres.Open(b.Context(), s.URL(delayed(b, s.Address, away)), options)
			if err != nil {
				b.Fatal(err)
			}
			return store
		}
	}
	for _, c := range []struct {
		name string
		open func(b *testing.B) storage.Store
	}{
		{"memory", func(b *testing.B) storage.Store { s := memory.New(); populate(b, s); return s }},
		{"postgres on the same host", server(0)},
		{"postgres 1ms away", server(time.Millisecond)},
		{"postgres 5ms away", server(5 * time.Millisecond)},
	} {
		b.Run(c.name, func(b *testing.B) {
			store := c.open(b)
			defer store.Close()
			svc := twins.New(store, twins.Config{})
			var rates [3]float64
			for range b.N {
				for i, by := range []struct{ writers, accounts int }{{1, 1}, {16, 1}, {16, 16}} {
					rates[i] += twinsPerSecond(b, svc, by.writers, by.accounts) / float64(b.N)
				}
			}
			b.ReportMetric(rates[0], "one/s")
			b.ReportMetric(rates[1], "one-account/s")
			b.ReportMetric(rates[2], "own-accounts/s")
			b.ReportMetric(rates[2]/rates[0], "times-one")
			b.ReportMetric(rates[2]/rates[1], "times-one-account")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// populate makes accounts with twins.
func populate(b *testing.B, store storage.Store) {
	b.Helper()
	accounts, each := 1000, 3
	if testing.Short() {
		accounts = 16
	}
	svc := twins.New(store, twins.Config{})
	for range accounts {
		ctx := ofNewAccount(b)
		for i := range each {
			if _, err := svc.CreateTwin(ctx, twins.NewTwin{Class: twins.Endeavor, DisplayName: fmt.Sprint("Tower ", i)}); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// ofNewAccount is the context of an administrator of an account that is new.
func ofNewAccount(b *testing.B) context.Context {
	account := twinplatform.NewGUID()
	return twinplatform.WithPrincipal(b.Context(), twinplatform.Principal{
		ID: "maker of " + account, AccountID: account, Kind: twinplatform.User, AdministratorRoles: []twinplatform.AdministratorRole{"Account Administrator"},
	})
}

// twinsPerSecond is how fast writers make twins, in so many accounts that are new.
func twinsPerSecond(b *testing.B, svc *twins.Service, writers, accounts int) float64 {
	b.Helper()
	contexts := make([]context.Context, 0, accounts)
	for range accounts {
		ctx := ofNewAccount(b)
		if _, err := svc.PrimaryAccount(ctx); err != nil {
			b.Fatal(err)
		}
		contexts = append(contexts, ctx)
	}
	var made atomic.Int64
	var group sync.WaitGroup
	began := time.Now()
	for w := range writers {
		group.Go(func() {
			for i := 0; time.Since(began) < time.Second; i++ {
				n := twins.NewTwin{Class: twins.Endeavor, DisplayName: fmt.Sprint("Tower ", w, " ", i)}
				if _, err := svc.CreateTwin(contexts[w%accounts], n); err != nil {
					b.Error(err)
					return
				}
				made.Add(1)
			}
		})
	}
	group.Wait()
	return float64(made.Load()) / time.Since(began).Seconds()
}

// delayed is the address of a proxy to a server that is so far away: what goes there and
// comes back is late by half of that each, however much is on its way.
func delayed(b testing.TB, address string, away time.Duration) string {
	b.Helper()
	if away == 0 {
		return address
	}
	l, err := (&net.ListenConfig{}).Listen(b.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := (&net.Dialer{}).DialContext(b.Context(), "tcp", address)
			if err != nil {
				_ = client.Close()
				return
			}
			go late(server, client, away/2)
			go late(client, server, away/2)
		}
	}()
	return l.Addr().String()
}

// late copies what comes from one side to the other, each piece so much later.
func late(to, from net.Conn, by time.Duration) {
	type piece struct {
		bytes []byte
		due   time.Time
	}
	pieces := make(chan piece, 1024)
	go func() {
		defer close(pieces)
		for {
			b := make([]byte, 32<<10)
			n, err := from.Read(b)
			if n > 0 {
				pieces <- piece{b[:n], time.Now().Add(by)}
			}
			if err != nil {
				return
			}
		}
	}()
	var err error
	for p := range pieces {
		time.Sleep(time.Until(p.due))
		if err == nil {
			_, err = to.Write(p.bytes)
		}
	}
	_ = to.Close()
	_, _ = io.Copy(io.Discard, from)
}
