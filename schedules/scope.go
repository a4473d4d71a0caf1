package schedules

import "github.com/seed-933f9a09/twinplatform/internal/records"

// Where schedules are kept follows from their account, and is decided here only. What
// lies in a schedule has a separate scope, which the schedule names.

// allAccounts is where a schedule is looked for by its id or its key alone, where the
// system lists, and where deletions of every account are forgotten.
const allAccounts records.Scope = "schedules#"

// inAccount is where the schedules of an account are kept.
func inAccount(accountID string) records.Scope { return allAccounts.Of(accountID) }

// newScope is where what a new schedule of an account holds is kept.
func newScope(u *records.Update, accountID string) (records.Scope, error) {
	return u.NewScope("schedule", inAccount(accountID))
}
