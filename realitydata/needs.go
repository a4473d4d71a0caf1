package realitydata

import (
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// known is reality data as they were found last, so that a store over a network is asked at once
// for what tells who may see them.
var known records.PerDB[records.Cache[RealityData]]

// expectData declares what is read of reality data as they were found last.
func (c caller) expectData(id string) {
	if !records.Remote(c.tx) {
		return
	}
	last, ok := known.Of(c.tx).Last(&dataRecords, allAccounts, id)
	if !ok {
		return
	}
	records.Declare(c.tx, inAccount(last.AccountID).Need())
	for _, twinID := range last.TwinIDs {
		c.Expect(twinplatform.Target{TwinID: twinID, AccountID: last.AccountID})
	}
}

// foundData remembers where reality data were found, and declares what tells who may see them.
func (c caller) foundData(id string) {
	if !records.Remote(c.tx) {
		return
	}
	_, _ = known.Of(c.tx).Value(c.tx, &dataRecords, allAccounts, id) // which was just read
	c.expectData(id)
}

// expectCopies declares the copies of reality data for twins.
func expectCopies(u *records.Update, d *RealityData, twinIDs ...[]string) {
	if !records.Remote(u) {
		return
	}
	for _, ids := range twinIDs {
		for _, twinID := range ids {
			records.Declare(u, twinRecords.NeedsOfNew(inAccount(d.AccountID), records.Join(twinID, d.ID))...)
		}
	}
}
