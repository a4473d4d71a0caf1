package transform

import "github.com/seed-933f9a09/twinplatform/internal/records"

// Where records are kept follows from the account that they belong to, and is said
// here alone.

// allAccounts is where entries are looked for by an id or a twin alone, and where
// deletions of every account are forgotten.
const allAccounts records.Scope = "transform"

// inAccount is where the models, the saved views and the configurations of an account
// are kept; those of a target are the configuration's. Entries whose ids are unique
// over all accounts have none.
func inAccount(_ string) records.Scope { return allAccounts }
