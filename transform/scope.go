package transform

import "github.com/seed-933f9a09/twinplatform/internal/records"

// Where records are kept follows from the account that they belong to, and is said
// here alone.

// allAccounts is where entries are looked for by an id or a twin alone, and where
// deletions of every account are forgotten.
const allAccounts records.Scope = "transform#"

// inAccount is where the models, the saved views, the configurations and the
// transformations of an account are kept; those of a target are the target's. Entries of
// earlier versions that do not tell theirs are in none.
func inAccount(accountID string) records.Scope { return allAccounts.Of(accountID) }
