package webhooks

import "github.com/seed-933f9a09/twinplatform/internal/records"

// Where webhooks are kept follows from their account, and is decided here only. What
// concerns the delivery to one of them is in its queue.

// allAccounts is where a webhook is looked for by its id or its maker alone, where
// the subscribers of an event are, which may name a twin alone, and where the delivery
// engine looks over the webhooks of every account.
const allAccounts records.Scope = "webhooks#"

// inAccount is where the webhooks of an account are kept.
func inAccount(accountID string) records.Scope { return allAccounts.Of(accountID) }
