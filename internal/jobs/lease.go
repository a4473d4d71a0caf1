package jobs

import (
	"context"
	"time"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// lease records who works on a job, where several processes may: no one else does a step
// of it before it is over. It is written with each step, and so costs no transaction of
// its own. It is the step's transaction, not the lease, that makes every step run once.
type lease struct {
	Owner string    `json:"owner"`
	Until time.Time `json:"until"`
}

// heldLease is how long work stays with a process whose Env.Gate keeps it.
const heldLease = time.Hour

// poll is how often a process looks for what others have accepted or left.
func (r *Runner) poll() time.Duration { return records.NextPoll(r.env.Lease / 5) }

// Topics on which other processes are notified, so that they look earlier than they
// would: that there is work which no one drives, and that work has ended.
const (
	workTopic  = "work in "
	endedTopic = "ended in "
)

// notify notifies other processes that use the same journal.
func (r *Runner) notify(topic string) {
	if r.shared() {
		r.db.Notify(topic + string(r.scope))
	}
}

// notices returns a channel that has a token when other processes may have sent a notice.
func (r *Runner) notices(ctx context.Context, topic string) <-chan struct{} {
	if !r.shared() {
		return nil
	}
	return r.db.Watch(ctx, topic+string(r.scope))
}

// headStart is what the process that accepted work has before the others are at it.
const headStart = 20 * time.Millisecond

// shared reports whether other processes may work on the same journal.
func (r *Runner) shared() bool { return r.owner != "" }

// lease is one of this process, from now on; nil where there are no others.
func (r *Runner) lease(term time.Duration) *lease {
	if !r.shared() {
		return nil
	}
	return &lease{r.owner, r.clock.Now().UTC().Add(term)}
}

// taken reports whether another process holds the lease of a job.
func (r *Runner) taken(j *job) bool {
	return r.shared() && j.Lease != nil && j.Lease.Owner != r.owner && j.Lease.valid(r.clock.Now())
}

// valid reports whether a lease lasts: no longer than the longest that there is, by whatever
// clock it was taken.
func (l *lease) valid(now time.Time) bool {
	left := l.Until.Sub(now)
	return left > 0 && left <= heldLease+time.Minute
}

// gated reports whether the process that holds the lease of a job is not at it, since its
// Env.Gate keeps the job.
func (r *Runner) gated(j *job) bool {
	return j.Lease.Until.Sub(r.clock.Now()) > heldLease/2 && r.env.Lease < heldLease/2
}

// ages reports whether a job is not this process's for much longer, or not at all.
func (r *Runner) ages(j *job) bool {
	return r.shared() && (j.Lease == nil || j.Lease.Owner != r.owner ||
		j.Lease.Until.Sub(r.clock.Now()) < r.env.Lease/2)
}

// giveBack lets others continue at once with work that this process was at when it was
// asked to end. Where that fails they wait for the end of the lease.
func (r *Runner) giveBack(ctx context.Context, id string) {
	if !r.shared() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, r.poll())
	defer cancel()
	err := r.db.Update(ctx, func(u *records.Update) error {
		j, err := pending.Lookup(u, r.scope, id)
		if err != nil || j == nil || j.Lease == nil || j.Lease.Owner != r.owner {
			return err
		}
		j.Lease = nil
		_, err = pending.Put(u, r.scope, j)
		return err
	})
	if err == nil {
		r.notify(workTopic)
	}
}
