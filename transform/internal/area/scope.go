package area

import "github.com/seed-933f9a09/twinplatform/internal/records"

// Where records are kept follows from the account that they belong to, and is decided
// here only.

// AllAccounts is where entries are looked for by an id or a twin alone, and where
// deletions of every account are forgotten.
const AllAccounts records.Scope = "transform#"

// InAccount is where the models, the saved views, the configurations and the
// transformations of an account are kept; those of a target are the target's.
func InAccount(accountID string) records.Scope { return AllAccounts.Of(accountID) }

// Key is the id of the record of what an account calls id.
//
// An id is unique within the account of its project: no account learns from a refusal
// which ids another has, or takes ids away from it. The id of a record holds the
// account therefore. Those of no account have ids that are unique over all accounts.
func Key(accountID, id string) string {
	if accountID == "" {
		return id
	}
	return records.Join(accountID, id)
}

// NoOne is the owner in an index of records without one.
const NoOne = "\x00"
