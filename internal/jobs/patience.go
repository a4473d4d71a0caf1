package jobs

import (
	"context"
	"errors"
	"time"

	"github.com/seed-933f9a09/twinplatform"
)

// errOutlasted reports that work continues in this process, for no one who waits.
var errOutlasted = errors.New("jobs: the work outlasts the patience of its caller")

// outlasting is work that continues when the call that began it has returned.
type outlasting struct {
	stop func()
	done chan struct{} // closed once no one is at it
}

// driveFor is drive for a caller who began to wait at a time, and waits no longer than
// twinplatform.PatienceOf allows. Where Run is called the work continues behind that,
// until Run ends, and no one but the goroutine that does it looks at work any more: then
// the error is errOutlasted.
func (r *Runner) driveFor(ctx context.Context, began time.Time, id string, work *asked) (Progress, error) {
	patience := twinplatform.PatienceOf(ctx)
	if patience <= 0 {
		return r.drive(ctx, id, work)
	}
	var (
		p      Progress
		err    error
		handed bool // set before release is closed
	)
	driving, stop := context.WithCancel(context.WithoutCancel(ctx))
	ended, release, o := make(chan struct{}), make(chan struct{}), &outlasting{stop, make(chan struct{})}
	go func() {
		defer close(o.done)
		p, err = r.drive(driving, id, work)
		close(ended)
		if <-release; handed {
			r.release(driving, id, err)
		}
	}()
	defer close(release)
	impatient := time.NewTimer(patience - time.Since(began))
	defer impatient.Stop()
	for {
		select {
		case <-ended:
			stop()
			return p, err
		case <-ctx.Done():
			stop()
			<-ended
			return p, err
		case <-impatient.C:
			if handed = r.outlast(id, o); handed {
				return Progress{}, errOutlasted
			}
		}
	}
}

// outlast lets work continue until Run ends, and reports whether anybody calls that.
func (r *Runner) outlast(id string, o *outlasting) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.runs == 0 {
		return false
	}
	r.outlasting[id] = o
	return true
}

// release ends what outlast began: the work has come to its end, or is to be taken up by
// the next process.
func (r *Runner) release(ctx context.Context, id string, err error) {
	if err == nil {
		r.unclaim(id)
	} else { // it has failed, or is to be tried again
		if ctx.Err() != nil {
			r.giveBack(context.WithoutCancel(ctx), id)
		}
		r.leave(id)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.outlasting[id].stop()
	delete(r.outlasting, id)
}

// endOutlasting stops the work that outlasts its callers, once no one calls Run any more,
// and waits until no one is at it.
func (r *Runner) endOutlasting() {
	r.mu.Lock()
	var all []*outlasting
	if r.runs == 0 {
		for _, o := range r.outlasting {
			all = append(all, o)
		}
	}
	r.mu.Unlock()
	for _, o := range all {
		o.stop()
		<-o.done
	}
}
