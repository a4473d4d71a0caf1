package forms

import (
	"strings"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// Where records are kept follows from what they belong to, and is decided here only.

// allAccounts is where a definition is looked for by its id alone, and the security
// in a twin by the twin alone.
const allAccounts records.Scope = "formdefinitions#"

// inAccount is where the definitions of an account are kept, with their layouts and
// their security in other twins.
func inAccount(accountID string) records.Scope { return allAccounts.Of(accountID) }

// allTwins has the twin of every form.
const allTwins records.Scope = "forms#"

// inTwin is where the forms of a twin are kept.
func inTwin(twinID string) records.Scope { return records.Scope("forms-" + twinID) }

// twinOf is the twin whose forms a scope holds.
func twinOf(s records.Scope) string { return strings.TrimPrefix(string(s), string(inTwin(""))) }

// inForm is where the comments, the attachments and the audit trail of a form are
// kept.
func inForm(formID string) records.Scope { return records.Scope("form-" + formID) }
