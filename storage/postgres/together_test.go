package postgres_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
	"github.com/seed-933f9a09/twinplatform/twins"
)

// BenchmarkOneScheduleAndOneAccount lets writers of one or two nodes make tasks of one
// schedule, and twins of one account, the server as far away as the name says.
func BenchmarkOneScheduleAndOneAccount(b *testing.B) {
	for _, away := range []time.Duration{0, time.Millisecond, 5 * time.Millisecond} {
		server := postgrestest.Shared(b)
		schema, url := server.Schema(b), server.URL(delayed(b, server.Address, away))
		nodes := []*platform.Platform{nodeOver(b, url, schema), nodeOver(b, url, schema)}
		ctx := ofNewAccount(b)
		twin, err := nodes[0].Twins.CreateTwin(ctx, twins.NewTwin{Class: twins.Endeavor, DisplayName: "Tower"})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := nodes[0].Schedules.CreateSchedule(ctx, schedules.NewSchedule{ID: "plan", Name: "Plan", TwinID: twin.Value().ID}); err != nil {
			b.Fatal(err)
		}
		made := 0
		for name, create := range map[string]func(p *platform.Platform, n int) error{
			"tasks of one schedule": func(p *platform.Platform, n int) error {
				task := newTask(n)
				task.UserDefinedID = fmt.Sprint("U-", n)
				_, err := p.Schedules.CreateTask(ctx, "plan", task)
				return err
			},
			"twins of one account": func(p *platform.Platform, n int) error {
				_, err := p.Twins.CreateTwin(ctx, twins.NewTwin{Class: twins.Endeavor, DisplayName: fmt.Sprint("Tower ", n)})
				return err
			},
		} {
			for _, at := range []struct{ writers, nodes int }{{1, 1}, {16, 1}, {16, 2}, {32, 1}, {32, 2}} {
				b.Run(fmt.Sprintf("%s/%v away/%d writers on %d nodes", name, away, at.writers, at.nodes), func(b *testing.B) {
					var mu sync.Mutex
					var took []time.Duration
					var all sync.WaitGroup
					began := time.Now()
					for i := range at.writers {
						all.Go(func() {
							for time.Since(began) < time.Duration(b.N)*time.Second {
								mu.Lock()
								made++
								n := made
								mu.Unlock()
								since := time.Now()
								if err := create(nodes[i%at.nodes], n); err != nil {
									b.Error(err)
									return
								}
								mu.Lock()
								took = append(took, time.Since(since))
								mu.Unlock()
							}
						})
					}
					all.Wait()
					slices.Sort(took)
					b.ReportMetric(float64(len(took))/time.Since(began).Seconds(), "made/s")
					b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
					b.ReportMetric(0, "ns/op")
				})
			}
		}
	}
}

// nodeOver is a node of the platform.
func nodeOver(b *testing.B, url, schema string) *platform.Platform {
	b.Helper()
	store, err := postgres.Open(b.Context(), url, postgres.Options{Schema: schema, MaxConns: 8, Logger: quiet})
	if err != nil {
		b.Fatal(err)
	}
	p, err := platform.New(store, platform.Config{Env: twinplatform.Env{Logger: quiet}})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = p.Close(); _ = store.Close() })
	return p
}
