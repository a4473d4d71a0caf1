package records_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// sharedByOthers is a store that other processes write to as well.
type sharedByOthers struct{ storage.Store }

func (sharedByOthers) Epoch() string { return "" }

// What one looks at is its own: no one looks for a caller that has left.
func TestPollThatIsStoppedEndsOnceNoOneLooksForIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := records.Budgeted(sharedByOthers{memory.New()}, nil)
		first, second := records.New(store), records.New(store)
		nothing := func(*records.View) error { return nil }
		for _, db := range []*records.DB{first, second} {
			if err := db.View(t.Context(), nothing); err != nil {
				t.Fatal(err)
			}
		}
		begun, release := make(chan struct{}), make(chan struct{})
		go func() {
			_ = first.Poll(t.Context(), func(*records.View) error {
				close(begun)
				<-release
				return nil
			})
		}()
		synctest.Wait()
		ctx, stop := context.WithCancel(t.Context())
		ended, looked := make(chan error, 1), false
		go func() {
			ended <- second.Poll(ctx, func(*records.View) error { looked = true; return nil })
		}()
		<-begun
		stop()
		synctest.Wait()
		select {
		case err := <-ended:
			t.Errorf("it has ended with %v while another may look for it", err)
		default:
		}
		close(release)
		if err := <-ended; err != nil || !looked {
			t.Errorf("it ends with %v, looked %t", err, looked)
		}
		// One that no one looks for yet is withdrawn at once.
		gone, leave := context.WithTimeout(t.Context(), time.Millisecond)
		defer leave()
		go func() { _ = first.Poll(t.Context(), nothing) }()
		synctest.Wait()
		if err := second.Poll(gone, func(*records.View) error { t.Error("nobody asks any more"); return nil }); err == nil {
			t.Error("a poll outlasts its context")
		}
		time.Sleep(time.Second)
	})
}
