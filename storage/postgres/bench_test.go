package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
)

// BenchmarkAgainstPgx compares the engine with statements written by hand over the same
// table: the ratio is the time of ours over theirs, alternately in one run.
func BenchmarkAgainstPgx(b *testing.B) {
	server := postgrestest.Shared(b)
	schema := server.Schema(b)
	s, err := postgres.Open(b.Context(), server.URL(""), postgres.Options{Schema: schema, MaxConns: 4, Logger: quiet})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	pool, err := pgxpool.New(b.Context(), server.URL(""))
	if err != nil {
		b.Fatal(err)
	}
	defer pool.Close()
	value := make([]byte, 300)
	ourKey := func(i int) string { return "bench/" + key(i) }
	must := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	must(s.Update(b.Context(), func(w storage.Writer) error {
		for i := range 2000 {
			if err := w.Put(ourKey(i), value); err != nil {
				return err
			}
		}
		return nil
	}))
	table := schema + ".entries"
	var thousand []string
	var names [][]byte
	for i := range 1000 {
		thousand, names = append(thousand, ourKey(i)), append(names, []byte(key(i)))
	}
	serializable := func(fn func(tx pgx.Tx) error) error {
		return pgx.BeginTxFunc(b.Context(), pool, pgx.TxOptions{IsoLevel: pgx.Serializable}, fn)
	}
	for _, c := range []struct {
		name         string
		ours, theirs func(i int) error
	}{
		{
			"get",
			func(i int) error {
				return s.View(b.Context(), func(r storage.Reader) error { _, err := r.Get(ourKey(i % 2000)); return err })
			},
			func(i int) error {
				var v []byte
				return pool.QueryRow(b.Context(), "select v from "+table+" where scope = 'bench/' and k = $1", []byte(key(i%2000))).Scan(&v)
			},
		},
		{
			"read and write",
			func(i int) error {
				return s.Update(b.Context(), func(w storage.Writer) error {
					if _, err := w.Get(ourKey(i % 2000)); err != nil {
						return err
					}
					return w.Put(ourKey(i%2000), value)
				})
			},
			func(i int) error {
				return serializable(func(tx pgx.Tx) error {
					var v []byte
					if err := tx.QueryRow(b.Context(), "select v from "+table+" where scope = 'bench/' and k = $1", []byte(key(i%2000))).Scan(&v); err != nil {
						return err
					}
					_, err := tx.Exec(b.Context(), "update "+table+" set v = $2 where scope = 'bench/' and k = $1", []byte(key(i%2000)), value)
					return err
				})
			},
		},
		{
			"write of 1,000",
			func(i int) error {
				return s.Update(b.Context(), func(w storage.Writer) error {
					if _, err := w.Get(ourKey(0)); err != nil {
						return err
					}
					for n := range 1000 {
						if err := w.Put(ourKey(n), value); err != nil {
							return err
						}
					}
					return nil
				})
			},
			func(i int) error {
				return serializable(func(tx pgx.Tx) error {
					var batch pgx.Batch
					for n := range 1000 {
						batch.Queue("update "+table+" set v = $2 where scope = 'bench/' and k = $1", []byte(key(n)), value)
					}
					return tx.SendBatch(b.Context(), &batch).Close()
				})
			},
		},
		{
			"get of 1,000",
			func(int) error {
				return s.View(b.Context(), func(r storage.Reader) error {
					if err := storage.Prefetch(r, thousand); err != nil {
						return err
					}
					for _, key := range thousand {
						if _, err := r.Get(key); err != nil {
							return err
						}
					}
					return nil
				})
			},
			func(int) error {
				rows, err := pool.Query(b.Context(), "select k, v from "+table+" where scope = 'bench/' and k = any($1)", names)
				if err != nil {
					return err
				}
				_, err = pgx.CollectRows(rows, pgx.RowToStructByPos[struct{ K, V []byte }])
				return err
			},
		},
		{
			"page of 100",
			func(i int) error {
				return s.View(b.Context(), func(r storage.Reader) error {
					for range storage.ScanLimit(r, "bench/", ourKey(i%1800), 100) { // it is the reading that takes time
					}
					return nil
				})
			},
			func(i int) error {
				rows, err := pool.Query(b.Context(), "select k, v from "+table+" where scope = 'bench/' and k > $1 order by k limit 100", []byte(key(i%1800)))
				if err != nil {
					return err
				}
				_, err = pgx.CollectRows(rows, pgx.RowToStructByPos[struct{ K, V []byte }])
				return err
			},
		},
	} {
		b.Run(c.name, func(b *testing.B) {
			var ours, theirs time.Duration
			for i := range b.N {
				for range 20 {
					began := time.Now()
					must(c.ours(i))
					ours += time.Since(began)
					began = time.Now()
					must(c.theirs(i))
					theirs += time.Since(began)
				}
			}
			b.ReportMetric(ours.Seconds()/theirs.Seconds(), "times-pgx")
			b.ReportMetric(float64(20*b.N)/ours.Seconds(), "ours/s")
		})
	}
}

func key(i int) string { return fmt.Sprintf("key %06d", i) }

// BenchmarkSixteenWritersOfOneKey compares writers that race with writers that queue,
// within one process and between two that have eight each; the server is on the same
// host, or a millisecond away.
func BenchmarkSixteenWritersOfOneKey(b *testing.B) {
	for _, c := range []struct {
		stores int
		away   time.Duration
	}{{1, 0}, {2, 0}, {1, time.Millisecond}, {2, time.Millisecond}} {
		for _, hint := range []string{"", "the key"} {
			stores := c.stores
			b.Run(fmt.Sprintf("stores %d away %v hint %q", stores, c.away, hint), func(b *testing.B) {
				server := postgrestest.Shared(b)
				schema, address := server.Schema(b), delayed(b, server.Address, c.away)
				var opened []storage.Store
				for range stores {
					s, err := postgres.Open(b.Context(), server.URL(address), postgres.Options{Schema: schema, MaxConns: int32(16 / stores), Logger: quiet})
					if err != nil {
						b.Fatal(err)
					}
					defer s.Close()
					opened = append(opened, s)
				}
				ctx := storage.WithContention(b.Context(), hint)
				var mu sync.Mutex
				var took []time.Duration
				runs := 0
				began := time.Now()
				var group sync.WaitGroup
				for i := range 16 {
					group.Go(func() {
						for range b.N {
							since := time.Now()
							if err := contend(ctx, opened[i%stores], func() { mu.Lock(); runs++; mu.Unlock() }); err != nil {
								b.Error(err)
							}
							mu.Lock()
							took = append(took, time.Since(since))
							mu.Unlock()
						}
					})
				}
				group.Wait()
				slices.Sort(took)
				b.ReportMetric(float64(len(took))/time.Since(began).Seconds(), "writes/s")
				b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
				b.ReportMetric(float64(runs)/float64(len(took)), "runs/write")
			})
		}
	}
}

func contend(ctx context.Context, s storage.Store, ran func()) error {
	return s.Update(ctx, func(w storage.Writer) error {
		ran()
		value, err := w.Get("n")
		if err != nil && !errors.Is(err, storage.ErrNotFound) {
			return err
		}
		n, _ := strconv.Atoi(string(value))
		return w.Put("n", []byte(strconv.Itoa(n+1)))
	})
}
