package twins

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// userList are the twins that one user has put down for itself, in one order.
type userList struct {
	Owner   string   `json:"owner"` // id of the principal; empty for the system
	TwinIDs []string `json:"twinIds"`
}

var (
	favoriteRecords = userListRecords("favorites")
	recentRecords   = userListRecords("recents")
)

func userListRecords(name string) *records.Collection[userList] {
	return &records.Collection[userList]{
		Name: name, Untracked: true,
		// The prefix gives the system its own name.
		ID: func(l *userList) string { return userListID(l.Owner) },
	}
}

func userListID(owner string) string { return "of " + recordID(owner, "") }

// Favorites lists the caller's favorites (GET /twins/favorites), the one added
// last first. What the caller may no longer see is left out, and so are inactive
// twins unless the query asks for them.
//
// Errors: as Twins.
func (s *Service) Favorites(ctx context.Context, q TwinQuery) (twinplatform.Page[Twin], error) {
	return listed(ctx, s, favoriteRecords, q)
}

// AddFavorite adds a twin to the caller's favorites, of which there are at most
// 1,000 (POST /twins/favorites/{id}). One that is among them stays where it is.
//
// Errors: twinNotFound; LimitExceeded; VersionMismatch.
func (s *Service) AddFavorite(ctx context.Context, twinID string, pre ...twinplatform.Precondition) error {
	return changeList(ctx, s, favoriteRecords, twinID, pre, func(ids []string) ([]string, error) {
		if slices.Contains(ids, twinID) {
			return ids, nil
		}
		if len(ids) >= MaxFavorites {
			return nil, conflict("LimitExceeded", "The caller has reached the limit of favorites.")
		}
		return slices.Insert(ids, 0, twinID), nil
	})
}

// RemoveFavorite takes a twin from the caller's favorites (DELETE
// /twins/favorites/{id}). Taking one that is not among them does nothing.
//
// Errors: twinNotFound; VersionMismatch.
func (s *Service) RemoveFavorite(ctx context.Context, twinID string, pre ...twinplatform.Precondition) error {
	return changeList(ctx, s, favoriteRecords, twinID, pre, func(ids []string) ([]string, error) {
		return slices.DeleteFunc(ids, func(id string) bool { return id == twinID }), nil
	})
}

// Recents lists the twins that the caller used last (GET /twins/recents), at most
// 25, newest first. What the caller may no longer see is left out, and so are
// inactive twins unless the query asks for them.
//
// Errors: as Twins.
func (s *Service) Recents(ctx context.Context, q TwinQuery) (twinplatform.Page[Twin], error) {
	return listed(ctx, s, recentRecords, q)
}

// AddRecent notes that the caller has used a twin (POST /twins/recents/{id}). One
// that was noted before moves to the front; the 26th is forgotten.
//
// Errors: twinNotFound; VersionMismatch.
func (s *Service) AddRecent(ctx context.Context, twinID string, pre ...twinplatform.Precondition) error {
	return changeList(ctx, s, recentRecords, twinID, pre, func(ids []string) ([]string, error) {
		ids = slices.DeleteFunc(ids, func(id string) bool { return id == twinID })
		ids = slices.Insert(ids, 0, twinID)
		return ids[:min(len(ids), MaxRecents)], nil
	})
}

// changeList changes a list of the caller, on behalf of a twin that it may see. What is
// asked before is asked of the twin's place in the list, which has no version.
func changeList(ctx context.Context, s *Service, of *records.Collection[userList], twinID string,
	pre []twinplatform.Precondition, fn func([]string) ([]string, error),
) error {
	return s.bench.Update(ctx, func(u *records.Update, j *judge.Judge) error {
		if _, err := visible(u, j, twinID); err != nil {
			return err
		}
		l, err := listOf(u, of, callerID(j))
		if err != nil {
			return err
		}
		if err := l.forgetDeleted(u); err != nil {
			return err
		}
		if err := records.JudgeEntry(twinplatform.ConditionOf(pre...), slices.Contains(l.TwinIDs, twinID)); err != nil {
			return problem.Precondition(err)
		}
		if l.TwinIDs, err = fn(l.TwinIDs); err != nil {
			return err
		}
		_, err = of.Put(u, ofUser(l.Owner), l)
		return err
	})
}

// listOf is a list of a user, which may be empty.
func listOf(tx records.Reading, of *records.Collection[userList], owner string) (*userList, error) {
	l, err := found(of.Value(tx, ofUser(owner), userListID(owner)))
	return cmp.Or(l, &userList{Owner: owner}), err
}

// forgetDeleted takes from a list what is no longer there, so that it does not
// count.
func (l *userList) forgetDeleted(u *records.Update) (err error) {
	l.TwinIDs = slices.DeleteFunc(l.TwinIDs, func(id string) bool {
		has, e := twinRecords.Has(u, allAccounts, id)
		if e != nil {
			err = e
		}
		return !has
	})
	return err
}

// listed lists a list of the caller.
func listed(ctx context.Context, s *Service, of *records.Collection[userList],
	q TwinQuery,
) (page twinplatform.Page[Twin], err error) {
	listing, err := q.listing(ctx)
	if err != nil {
		return page, err
	}
	p, _ := twinplatform.PrincipalFrom(ctx)
	err = s.readable(ctx, listing, func(v *records.View) (all []twinplatform.Record[Twin], err error) {
		l, err := listOf(v, of, p.ID)
		if err != nil {
			return nil, err
		}
		for _, id := range l.TwinIDs {
			rec, err := twinRecords.Get(v, allAccounts, id)
			if errors.Is(err, records.ErrNotFound) {
				continue // deleted since
			}
			if err != nil {
				return nil, err
			}
			meant, err := s.meant(ctx, v, listing, &rec.Value)
			if err != nil {
				return nil, err
			}
			if meant {
				all = append(all, rec)
			}
		}
		return all, nil
	})
	if err != nil {
		return page, err
	}
	return listing.page()
}
