package postgres_test

import (
	"errors"
	"fmt"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/postgres"
	"github.com/seed-933f9a09/twinplatform/storage/postgres/postgrestest"
	"github.com/seed-933f9a09/twinplatform/storage/storagetest"
)

// A primary with a synchronous standby dies under writers, and the standby is promoted.
// What was acknowledged is there, what was refused is not, and what waited continues.
func TestAFailoverToASynchronousStandbyLosesNothing(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts two servers")
	}
	postgrestest.Shared(t) // or skips
	primary, err := postgrestest.Start("wal_level=replica", "wal_sender_timeout=5s")
	if err != nil {
		t.Fatal(err)
	}
	stop := sync.OnceFunc(primary.Stop)
	defer stop()
	standby, err := primary.Standby()
	if err != nil {
		t.Fatal(err)
	}
	defer standby.Stop()

	// Both are named, and the one that takes writes is used.
	both, err := url.Parse(primary.URL(primary.Address + "," + standby.Address))
	if err != nil {
		t.Fatal(err)
	}
	both.RawQuery += "&target_session_attrs=read-write&connect_timeout=2"
	s, err := postgres.Open(t.Context(), both.String(), postgres.Options{MaxConns: 4, Patience: 30 * time.Second, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()

	const writers, before, after = 8, 40, 40
	var (
		group, warm sync.WaitGroup
		promoted    = make(chan struct{})
		outcomes    [writers]map[string]error
	)
	for i := range writers {
		outcomes[i] = make(map[string]error)
		warm.Add(1)
		group.Go(func() {
			left := after
			for n := 0; left > 0; n++ {
				if n == before {
					warm.Done()
				}
				key := fmt.Sprintf("writer %d: %06d", i, n)
				err := s.Update(t.Context(), func(w storage.Writer) error { return w.Put(key, []byte("done")) })
				outcomes[i][key] = err
				select {
				case <-promoted:
					left--
				default:
				}
			}
		})
	}
	warm.Wait()
	began := time.Now()
	stop() // at once, without a word to anybody
	if err := standby.Promote(); err != nil {
		t.Error(err)
	}
	took := time.Since(began)
	close(promoted)
	group.Wait()

	there, err := storagetest.Dump(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	acknowledged, failed := 0, 0
	for _, written := range outcomes {
		for key, err := range written {
			_, found := there[key]
			switch {
			case err == nil:
				acknowledged++
				if !found {
					t.Errorf("%s was acknowledged and is lost", key)
				}
			case found && !errors.Is(err, storage.ErrUnknown):
				t.Errorf("%s was refused with %v and is there", key, err)
			default:
				failed++
			}
		}
	}
	t.Logf("%d acknowledged, %d refused or unknown, promoted after %v", acknowledged, failed, took)
	if acknowledged < writers*(before+after/2) {
		t.Errorf("only %d writes were acknowledged", acknowledged)
	}
}
