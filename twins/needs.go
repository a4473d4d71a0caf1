package twins

import (
	"cmp"
	"context"

	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// reading is a context in which it is declared what is read next to a twin. of gets where the
// records of the twin are kept, as far as the account of the twin is known.
func (s *Service) reading(ctx context.Context, twinID string,
	of func(tx records.Reading, in records.Scope) []records.Need,
) context.Context {
	return s.db.WithNeeds(ctx, func(tx records.Reading, _ records.Scope) []records.Need {
		in := allAccounts
		if account, known := s.accounts.get(twinID); known {
			in = inAccount(account)
		}
		return of(tx, in)
	})
}

// readingOne is reading for a record of a twin.
func (f *family[T, N, P]) readingOne(ctx context.Context, twinID, id string) context.Context {
	return f.s.reading(ctx, twinID, func(_ records.Reading, in records.Scope) []records.Need {
		return f.Records.NeedsOfChange(in, recordID(twinID, id))
	})
}

// readingNew is reading before a record of a twin is made.
func (f *family[T, N, P]) readingNew(ctx context.Context, twinID string, v *T) context.Context {
	return f.s.reading(ctx, twinID, func(_ records.Reading, in records.Scope) []records.Need {
		needs := f.Records.NeedsOfNew(in, f.Records.ID(v))
		if f.max > 0 {
			needs = append(needs, f.Records.NeedsIndexed(in, indexTwin, twinID)...)
		}
		return needs
	})
}

// readingList is reading for a list of the records of a twin.
func (f *family[T, N, P]) readingList(ctx context.Context, twinID string, q records.Query[T]) context.Context {
	return f.s.reading(ctx, twinID,
		func(tx records.Reading, in records.Scope) []records.Need { return f.Records.NeedsOfList(tx, in, q) })
}

// readingResource is reading for a resource of a repository, or for the repository alone.
func (s *Service) readingResource(ctx context.Context, twinID, repositoryID, resourceID string) context.Context {
	return s.reading(ctx, twinID, func(_ records.Reading, in records.Scope) []records.Need {
		needs := repositoryRecords.Needs(in, recordID(twinID, repositoryID))
		if resourceID != "" {
			needs = append(needs, repositoryResourceRecords.NeedsOfNew(in,
				resourceKey(twinID, repositoryID, resourceID))...)
		}
		return needs
	})
}

// declareTwin declares what is read before a twin is made, in the account of its parent or of the
// caller as far as that is known.
func (s *Service) declareTwin(tx records.Reading, j *judge.Judge, t *Twin, n NewTwin) {
	if !records.Remote(tx) {
		return
	}
	p, _ := j.Caller()
	account := cmp.Or(n.AccountID, p.AccountID)
	if of, known := s.accounts.get(n.ParentID); known {
		account = of
	}
	in := inAccount(account)
	records.Declare(tx, nodeRecords.Needs(allAccounts, n.ParentID, account)...)
	records.Declare(tx, twinRecords.NeedsOfNew(in, t.ID)...)
	records.Declare(tx, twinRecords.NeedsIndexed(in, indexNumber, indexed(account, t.Number))...)
	records.Declare(tx, twinRecords.NeedsIndexed(in, indexName, indexed(account, t.DisplayName))...)
	records.DeclareEvents(tx, account)
	records.Declare(tx, epochs.Needs(allAccounts, ofAccount(account))...)
	if p.ID != "" {
		records.Declare(tx, memberRecords.NeedsOfNew(in, recordID(t.ID, p.ID))...)
		records.Declare(tx, epochs.Needs(allAccounts, ofPrincipal(p.ID))...)
		records.Declare(tx, personRecords.NeedsOfNew(inDirectory(p.AccountID), recordID(p.AccountID, p.ID))...)
	}
}

// declareJoined declares what says of which twins a principal is a member, and in which state
// that was.
func (s *Service) declareJoined(tx records.Reading, p who) {
	if !records.Remote(tx) {
		return
	}
	records.Declare(tx, epochs.Needs(allAccounts, ofPrincipal(p.id), ofAccount(p.account))...)
	if _, known := s.joined.get(who{id: p.id, account: p.account}); !known {
		needsGroups(tx, p)
		records.Declare(tx, memberRecords.NeedsIndexed(allAccounts, indexPrincipal, p.id)...)
	}
}
