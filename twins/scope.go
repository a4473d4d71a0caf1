package twins

import "github.com/seed-933f9a09/twinplatform/internal/records"

// Where records are kept follows from what they belong to, and is said here alone.
// All accounts share one revision: whatever changes what a caller may see changes
// the version of its lists.

// allAccounts is where a twin is looked for by its id alone, where lists look over
// the twins of every account, and where the epoch of all rights is kept.
const allAccounts records.Scope = "twins"

// inAccount is where the twins of an account are kept.
func inAccount(_ string) records.Scope { return allAccounts }

// inTwin is where the roles, members and invitations of a twin are kept.
func inTwin(_ string) records.Scope { return allAccounts }

// inDirectory is where the people of an account are kept. Like their favorites, they
// change nobody's rights.
func inDirectory(_ string) records.Scope { return "twin-people" }

// ofUser is where the favorites and recents of a user are kept. They change nobody's
// rights, and so not the revision of the twins.
func ofUser(_ string) records.Scope { return "twin-shelves" }
