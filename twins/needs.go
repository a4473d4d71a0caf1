package twins

import (
	"context"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// reading is a context in which it is declared what is read next to a twin. of gets where the
// records of the twin are kept, as far as the account of the twin is known.
func (s *Service) reading(ctx context.Context, twinID string, of func(tx records.Reading, in records.Scope) []records.Need) context.Context {
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
	return f.s.reading(ctx, twinID, func(tx records.Reading, in records.Scope) []records.Need { return f.Records.NeedsOfList(tx, in, q) })
}

// readingResource is reading for a resource of a repository, or for the repository alone.
func (s *Service) readingResource(ctx context.Context, twinID, repositoryID, resourceID string) context.Context {
	return s.reading(ctx, twinID, func(_ records.Reading, in records.Scope) []records.Need {
		needs := repositoryRecords.Needs(in, recordID(twinID, repositoryID))
		if resourceID != "" {
			needs = append(needs, repositoryResourceRecords.NeedsOfNew(in, resourceKey(twinID, repositoryID, resourceID))...)
		}
		return needs
	})
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
