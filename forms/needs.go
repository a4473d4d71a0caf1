package forms

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/jobs"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// known is what a service remembers of where forms and definitions were found, so that a store
// over a network is asked at once for what tells who may see them, and deletes forms by.
type known struct {
	places      records.Cache[formPlace]
	definitions records.Cache[FormDefinition]
	deletion    jobs.Kind[formPlace, Form]
}

func knownOf(s *Service) *known { return s.known.(*known) }

// needs are what an operation reads in a scope, besides what tells who may see a form.
type needs func(tx records.Reading, in records.Scope) []records.Need

// reading is a context in which it is declared what is read in the scope of a form, and what of
// that which belongs to it. Either may be nil.
func (s *Service) reading(ctx context.Context, formID string, ofForm, inner needs) context.Context {
	return s.db.WithNeeds(ctx, func(tx records.Reading, in records.Scope) []records.Need {
		of := ofForm
		if in == inForm(formID) {
			of = inner
		}
		if of == nil {
			return nil
		}
		return of(tx, in)
	})
}

// place returns where a form is. What is read of it is declared at once where the form was
// found before.
func (j *judge) place(formID string) (*formPlace, error) {
	records.DeclareIn(j.tx, inForm(formID))
	if records.Remote(j.tx) {
		if last, ok := knownOf(j.service).places.Last(&formPlaces, allTwins, formID); ok {
			j.expectForm(last)
		}
	}
	p, err := knownOf(j.service).places.Value(j.tx, &formPlaces, allTwins, formID)
	if err == nil && records.Remote(j.tx) {
		j.expectForm(p)
	}
	return p, err
}

// expectForm declares what tells who may see a form, and what is read of the form.
func (j *judge) expectForm(p *formPlace) {
	records.DeclareIn(j.tx, p.scope())
	records.Declare(j.tx, definitionRecords.Needs(allAccounts, p.DefinitionID)...)
	j.Expect(twinplatform.Target{TwinID: p.TwinID})
}

// definition returns a definition, which is not to be changed.
func (j *judge) definition(id string) (*FormDefinition, error) {
	if records.Remote(j.tx) {
		if last, ok := knownOf(j.service).definitions.Last(&definitionRecords, allAccounts, id); ok {
			records.Declare(j.tx, inAccount(last.AccountID).Need())
			j.Expect(twinplatform.Target{TwinID: last.TwinID, AccountID: last.AccountID})
		}
	}
	return knownOf(j.service).definitions.Value(j.tx, &definitionRecords, allAccounts, id)
}

// expectSecured declares what tells which definitions are secured in a twin of the caller's
// account.
func (j *judge) expectSecured(twinID string) {
	if accountID := j.caller.AccountID; j.limited && records.Remote(j.tx) && !j.env.Administers(j.caller, accountID) {
		in := inAccount(accountID)
		records.Declare(j.tx, definitionRecords.NeedsIndexed(in, bySecured, accountKey(accountID))...)
		records.Declare(j.tx, foreignSecurities.NeedsIndexed(in, byTwin, twinID)...)
	}
}

// needsOfNew are what is read before a form is made of a definition.
func (m *maker) needsOfNew(p *formPlace, prefix string) []records.Need {
	all := append(formPlaces.NeedsOfNew(allTwins, p.ID), summaryRecords.NeedsOfNew(p.scope(), p.ID)...)
	all = append(all, formRecords.NeedsOfNew(p.scope(), p.ID)...)
	all = append(all, counters.Needs(p.scope(), counters.ID(&counter{Prefix: prefix}))...)
	return append(all, auditRecords.NeedsOfNew(p.inner(), newestFirst(0, 0))...)
}

// needsOfRemoval are what is read before a form is removed.
func needsOfRemoval(p *formPlace) []records.Need {
	all := append(formPlaces.NeedsOfChange(allTwins, p.ID), summaryRecords.NeedsOfChange(p.scope(), p.ID)...)
	all = append(all, formRecords.NeedsOfChange(p.scope(), p.ID)...)
	return append(append(all, uploads.NeedsAll(p.inner())...), p.inner().Need(), p.inner().NeedOfErase())
}

// needsOfContents are what leads to the bytes of an attachment.
func needsOfContents(inner records.Scope, attachmentID string) []records.Need {
	return records.NeedsOfFound(inner, []string{attachmentID}, []records.Found{uploads.FoundBelow()})
}

// revisionOf is the revision of a scope.
func revisionOf(_ records.Reading, in records.Scope) []records.Need { return []records.Need{in.Need()} }
