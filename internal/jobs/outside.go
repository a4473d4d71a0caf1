package jobs

import (
	"context"
	"encoding/json"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Outside is work whose steps make their own transactions, since it reads or writes what
// is elsewhere. P is what the journal keeps of it.
type Outside[P any] struct {
	// Step does a part of the work and returns what is left of it. What it did before
	// the process died is done again: it is idempotent, and two processes may be at it
	// at once. It works for a tenth of a second or so.
	Step func(ctx context.Context, payload P) (next P, p Progress, err error)
	// Failed records the failure of work, before it is ended, wherever else it shows, and
	// removes what the work leaves. It is idempotent too. continues reports that the work
	// has not failed after all: another process has brought it further than the step that
	// did.
	Failed func(ctx context.Context, payload P, failure *twinplatform.Error) (continues bool, err error)
	// Alone lets one process at a time do work of the kind in a scope: what was accepted later
	// waits while another process is at what was accepted before. Work in one process is not
	// kept apart.
	Alone bool
}

// DefineOutside gives a runner a kind of work whose steps make their own transactions.
// Its Spec.Open accepts it, and writes what shows that it is accepted.
func DefineOutside[P any](r *Runner, name string, o Outside[P], operations ...string) Kind[P, struct{}] {
	kind := Define(r, name, func(*records.Update, *Work[P, struct{}]) (Progress, error) { return Progress{}, nil },
		operations...)
	kind.w.outside = func(ctx context.Context, payload []byte) (next []byte, p Progress, err error) {
		defer recovered(&err)
		var left P
		if err := json.Unmarshal(payload, &left); err != nil {
			return nil, p, err
		}
		if left, p, err = o.Step(ctx, left); err == nil {
			next, err = json.Marshal(&left)
		}
		return next, p, err
	}
	kind.w.failed = func(ctx context.Context, payload []byte, failure *twinplatform.Error) (bool, error) {
		var left P
		if err := json.Unmarshal(payload, &left); err != nil {
			return false, err
		}
		return o.Failed(ctx, left, failure)
	}
	kind.w.alone, r.outside = o.Alone, true
	return kind
}

// stepOutside does the next step of a job whose kind makes its own transactions, and
// reports whether it is one.
func (r *Runner) stepOutside(ctx context.Context, id string) (found bool, p Progress, err error) {
	var j *job
	var k *worker
	var payload []byte
	behind := false
	err = r.db.View(ctx, func(v *records.View) (err error) {
		j, k, payload, err = r.load(v, id)
		if err == nil && k != nil && k.alone {
			behind, err = r.behind(v, j)
		}
		return err
	})
	if err == nil && k != nil && k.outside == nil {
		r.mu.Lock()
		r.inside[id] = struct{}{}
		r.mu.Unlock()
	}
	if err != nil || k == nil || k.outside == nil {
		return false, p, err
	}
	if behind {
		return true, Progress{Waits: true}, nil
	}
	if r.ages(j) {
		if ours, err := r.take(ctx, id); !ours || err != nil {
			return true, Progress{Waits: true}, err
		}
	}
	next, p, err := k.outside(ctx, payload)
	if err != nil || p.Waits {
		return true, p, err
	}
	err = r.db.Update(ctx, func(u *records.Update) error {
		j, err := pending.Lookup(u, r.scope, id)
		if j == nil || err != nil {
			return err // someone else came to its end
		}
		if r.taken(j) {
			p = Progress{Waits: true} // and is further, or will be
			return nil
		}
		return r.keep(u, j, next, p)
	})
	return true, p, err
}

// behind reports whether another process is at work of the same kind and scope that comes
// before a job in the journal. The first in the journal waits for none, so that no two wait for
// each other.
func (r *Runner) behind(v *records.View, j *job) (bool, error) {
	if !r.shared() {
		return false, nil
	}
	for other, err := range pending.From(v, r.scope, "") {
		switch {
		case err != nil || other.ID == j.ID:
			return false, err
		case other.Kind == j.Kind && other.Scope == j.Scope && r.taken(other) && !r.gated(other):
			return true, nil
		}
	}
	return false, nil
}

// take takes the lease of a job, or renews it, and reports whether it could.
func (r *Runner) take(ctx context.Context, id string) (ours bool, err error) {
	err = r.db.Update(ctx, func(u *records.Update) error {
		ours = false
		j, err := pending.Lookup(u, r.scope, id)
		if j == nil || err != nil || r.taken(j) {
			return err
		}
		ours, j.Lease = true, r.lease(r.env.Lease)
		_, err = pending.Put(u, r.scope, j)
		return err
	})
	return ours, err
}

// recordFailure records failed work wherever its kind shows it, and reports whether the
// work continues nevertheless.
func (r *Runner) recordFailure(ctx context.Context, id string, failure *twinplatform.Error) (continues bool,
	err error,
) {
	if !r.outside {
		return false, nil
	}
	var k *worker
	var payload []byte
	err = r.db.View(ctx, func(v *records.View) (err error) {
		_, k, payload, err = r.load(v, id)
		return err
	})
	if err != nil || k == nil || k.failed == nil {
		return false, err
	}
	return k.failed(ctx, payload, failure)
}
