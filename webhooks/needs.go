package webhooks

import (
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// known is webhooks as they were found last, so that a store over a network is asked at once for
// what tells who may see them.
var known records.PerDB[records.Cache[Webhook]]

// expect declares webhooks, and what tells who may see them where they were found last.
func expect(tx records.Reading, j *judge.Judge, ids ...string) {
	if !records.Remote(tx) {
		return
	}
	records.Declare(tx, webhookRecords.Needs(allAccounts, ids...)...)
	for _, id := range ids {
		if last, ok := known.Of(tx).Last(&webhookRecords, allAccounts, id); ok {
			records.Declare(tx, inAccount(last.AccountID).Need())
			j.Expect(last.target())
		}
	}
}

// met remembers where a webhook was found.
func met(tx records.Reading, id string) {
	if records.Remote(tx) {
		_, _ = known.Of(tx).Value(tx, &webhookRecords, allAccounts, id) // which was just read
	}
}

// expectNew declares what is read before a webhook is made, as far as it is of the caller's
// account.
func expectNew(u *records.Update, j *judge.Judge, w *Webhook) {
	if !records.Remote(u) {
		return
	}
	p, _ := j.Caller()
	in := inAccount(p.AccountID)
	if w.Scope == TwinScope {
		records.Declare(u, webhookRecords.NeedsIndexed(in, "place", placeKey(TwinScope, w.ScopeID))...)
	}
	records.Declare(u, webhookRecords.NeedsIndexed(in, "account", p.AccountID)...)
	webhookRecords.MadeUp(u, in, w.ID)
	records.Declare(u, webhookRecords.NeedsOfNew(in, w.ID)...)
}
