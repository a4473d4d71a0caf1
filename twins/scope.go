package twins

import "github.com/seed-933f9a09/twinplatform/internal/records"

// Where records are kept follows from what they belong to, and is decided here only. What
// belongs to an account has one revision: whatever changes what a caller may see in it
// changes the version of its lists.

// allAccounts is where a twin, its roles, members and invitations are looked for by
// their ids, and where lists look over the twins of every account.
const allAccounts records.Scope = "twins#"

// inAccount is where the twins of an account are kept, with their roles, members and
// invitations.
func inAccount(accountID string) records.Scope { return allAccounts.Of(accountID) }

// scope is where what belongs to the twin is kept.
func (t *Twin) scope() records.Scope { return inAccount(t.account()) }

// inDirectory is where the people of an account are kept. Like their favorites, they
// change no principal's rights.
func inDirectory(accountID string) records.Scope { return records.Scope("twin-people#").Of(accountID) }

// ofUser is where the favorites and recents of a user are kept. They change no principal's
// rights, and so not the revision of the twins.
func ofUser(userID string) records.Scope { return records.Scope("twin-shelves#").Of(userID) }

// allExports is where an export is looked for by its id. Exports change no principal's rights.
const allExports records.Scope = "twin-exports#"

// scope is where an export is kept with its operation.
func (e *Export) scope() records.Scope { return allExports.Of(string(e.CreatedBy)) }
