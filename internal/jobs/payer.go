package jobs

import (
	"github.com/seed-933f9a09/twinplatform/internal/effort"
)

// payer is a caller who asked this process for work and did not wait for it.
type payer struct {
	meter *effort.Meter
	tried effort.Spent // by accepting the work, which is done again
}

// payerOf is the meter that is charged for work; nil where none is: after a restart, and
// where another process was asked for it.
func (r *Runner) payerOf(id string) *effort.Meter {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.payers[id]
	if p == nil {
		return nil
	}
	p.meter.GiveBack(p.tried)
	p.tried = effort.Spent{}
	return p.meter
}

// paidBy notes who pays for work that Run will do.
func (r *Runner) paidBy(id string, m *effort.Meter, tried effort.Spent) {
	if m == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.payers) < mostPayers {
		r.payers[id] = &payer{m, tried}
	}
}

// mostPayers bounds what is remembered where other processes do the work, and this one is
// never notified of its end.
const mostPayers = 10_000

func (r *Runner) ended(id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.inside, id)
	delete(r.payers, id)
	close(r.changed)
	r.changed = make(chan struct{})
	r.notify(endedTopic)
	if r.outside {
		r.rouse() // what waited for this
		r.notify(workTopic)
	}
}
