package platform

import (
	"context"

	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/storage"
)

// Budget is how many bytes of keys and values there may be: of an account, and in the
// store. 0 is any number.
//
// What would make more of them fails with AccountStorageFull (409) or StorageFull (409),
// which say what is used, asked for and allowed. Reads, deletions, writes that take away as
// much as they add, and what the platform writes for itself, such as events, continue.
//
// An account is charged for what its twins, schedules, models, forms and webhooks hold,
// and for their tombstones until those are forgotten. The indexes over the twins,
// schedules and models of all accounts, and what belongs to no account, are in the budget
// of the store alone.
type Budget struct {
	Account int64
	Store   int64
}

// BudgetUse is a budget and how much of it is used.
type BudgetUse struct {
	Budget

	// Counted reports whether the bytes are counted: with a budget, and an engine that is
	// a storage.Observable.
	Counted bool
	// Used is the length of all keys and values.
	Used int64
	// Accounts are how many have anything, and Fullest is what the one has that has most.
	Accounts int
	Fullest  int64
}

// SetBudget sets the budget. What is above it already stays. With the first one that is not
// zero the store is read once, which takes half a second for a million records; writes wait
// meanwhile.
func (p *Platform) SetBudget(b Budget) {
	p.ledger.Limit(records.Limits{Account: max(b.Account, 0), Store: max(b.Store, 0)})
	p.mu.Lock()
	defer p.mu.Unlock()
	if b != (Budget{}) && !p.counts && !p.closed {
		p.counts = storage.Observe(p.store, p.ledger)
	}
	p.ledger.Tell()
}

// Budget returns the budget, and how much of it is used.
func (p *Platform) Budget() BudgetUse {
	p.mu.Lock()
	counts := p.counts
	p.mu.Unlock()
	limits := p.ledger.Limits()
	use := BudgetUse{
		Budget: Budget{Account: limits.Account, Store: limits.Store}, Counted: counts,
		Used: p.ledger.Used(),
	}
	for _, bytes := range p.ledger.Accounts() {
		use.Accounts++
		use.Fullest = max(use.Fullest, bytes)
	}
	return use
}

// BytesOf is how many bytes an account has, as far as they are counted.
func (p *Platform) BytesOf(accountID string) int64 { return p.ledger.UsedBy(accountID) }

// reportBudget logs what is nearly full.
func (p *Platform) reportBudget(notes []records.Note) {
	logger := p.cfg.Env.WithDefaults().Logger
	for _, n := range notes {
		what := "the store is nearly full"
		attrs := []any{"used", n.Used, "allowed", n.Allowed}
		if n.Account != "" {
			what = "an account is nearly full"
			attrs = append(attrs, "account", n.Account)
		}
		logger.WarnContext(context.Background(), what, attrs...)
	}
}
