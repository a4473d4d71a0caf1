package realitydata

import "github.com/seed-933f9a09/twinplatform/internal/records"

// Where records are kept follows from what they belong to, and is decided here only.

// allAccounts is where data are looked for by their id alone and detectors by a name
// that every account may have published, where the system lists, and where the
// containers are kept whose bytes are still to be removed.
const allAccounts records.Scope = "realitydata#"

// inAccount is where the data and the detectors of an account are kept.
func inAccount(accountID string) records.Scope { return allAccounts.Of(accountID) }

// ofTwin is where the copies of data for a twin are kept: with the data of the twin's
// account, which is that of the data where it is not known.
func (c caller) ofTwin(accountID, twinID string) (records.Scope, error) {
	target, _, err := c.TwinOf(accountID, twinID)
	return inAccount(target.AccountID), err
}
