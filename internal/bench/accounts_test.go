package bench_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/storetest"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// BenchmarkAccounts makes twins with one writer, with sixteen in one account, and with
// sixteen that have an account each, alternately. An embedded engine has one writer: those
// with their own accounts are to be no slower together, 0.9 times at least. The figures
// are medians of the rounds; lowest and highest are of times-one.
func BenchmarkAccounts(b *testing.B) {
	for _, e := range storetest.Engines {
		if e.Name == "distant" {
			continue
		}
		b.Run(e.Name, func(b *testing.B) {
			store := e.Open(b)
			defer store.Close()
			svc := twins.New(store, twins.Config{})
			var rates [3][]float64
			var shares, shared []float64
			for range b.N {
				var round [3]float64
				for i, by := range []struct{ writers, accounts int }{{1, 1}, {16, 1}, {16, 16}} {
					round[i] = twinsPerSecond(b, svc, by.writers, by.accounts)
					rates[i] = append(rates[i], round[i])
				}
				shares, shared = append(shares, round[2]/round[0]), append(shared, round[2]/round[1])
			}
			for i, unit := range []string{"one/s", "one-account/s", "own-accounts/s"} {
				slices.Sort(rates[i])
				b.ReportMetric(rates[i][b.N/2], unit)
			}
			slices.Sort(shares)
			slices.Sort(shared)
			b.ReportMetric(shared[b.N/2], "times-one-account")
			b.ReportMetric(shares[b.N/2], "times-one")
			b.ReportMetric(shares[0], "lowest")
			b.ReportMetric(shares[b.N-1], "highest")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// ofNewAccount is the context of an administrator of an account that is new.
func ofNewAccount(b *testing.B, svc *twins.Service) context.Context {
	b.Helper()
	account := twinplatform.NewGUID()
	ctx := twinplatform.WithPrincipal(b.Context(), twinplatform.Principal{
		ID: "maker of " + account, AccountID: account, Kind: twinplatform.User, AdministratorRoles: []twinplatform.AdministratorRole{"Account Administrator"},
	})
	if _, err := svc.PrimaryAccount(ctx); err != nil {
		b.Fatal(err)
	}
	return ctx
}

// twinsPerSecond is how fast writers make twins, in so many accounts that are new.
func twinsPerSecond(b *testing.B, svc *twins.Service, writers, accounts int) float64 {
	b.Helper()
	contexts := make([]context.Context, 0, accounts)
	for range accounts {
		contexts = append(contexts, ofNewAccount(b, svc))
	}
	var made atomic.Int64
	var group sync.WaitGroup
	began := time.Now()
	for w := range writers {
		group.Go(func() {
			for i := 0; time.Since(began) < time.Second/10; i++ {
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
