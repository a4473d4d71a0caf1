package jobs

import (
	"time"
)

// lease says who works on a job, where several processes may: nobody else does a step of
// it before it is over. It is written with each step, and so costs no transaction of its
// own. That every step is done once does not rest on it but on the step's transaction.
type lease struct {
	Owner string    `json:"owner"`
	Until time.Time `json:"until"`
}

// heldLease is how long work stays with a process whose Env.Gate keeps it.
const heldLease = time.Hour

// poll is how often a process looks for what others have accepted or left.
func (r *Runner) poll() time.Duration { return r.env.Lease / 5 }

// shared reports whether other processes may work on the same journal.
func (r *Runner) shared() bool { return r.owner != "" }

// lease is one of this process, from now on; nil where there are no others.
func (r *Runner) lease(term time.Duration) *lease {
	if !r.shared() {
		return nil
	}
	return &lease{r.owner, r.env.Now().Add(term)}
}

// taken reports whether a job is another's for now.
func (r *Runner) taken(j *job) bool {
	return r.shared() && j.Lease != nil && j.Lease.Owner != r.owner && r.env.Now().Before(j.Lease.Until)
}

// ages reports whether a job is not this process's for much longer, or not at all.
func (r *Runner) ages(j *job) bool {
	return r.shared() && (j.Lease == nil || j.Lease.Owner != r.owner || j.Lease.Until.Sub(r.env.Now()) < r.env.Lease/2)
}
