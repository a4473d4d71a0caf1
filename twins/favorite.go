package twins

import (
	"context"
	"errors"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// shelf are the twins that one caller has put down for itself, in one order.
type shelf struct {
	Owner   string   `json:"owner"` // id of the principal; empty for the system
	TwinIDs []string `json:"twinIds"`
}

// shelves is the scope of favorites and recents. They change nobody's rights, and
// so not the revision of the twins.
const shelves records.Scope = "twin-shelves"

var (
	favoriteRecords = shelfRecords("favorites")
	recentRecords   = shelfRecords("recents")
)

func shelfRecords(name string) *records.Collection[shelf] {
	return &records.Collection[shelf]{
		Name: name, Unlisted: true,
		// The prefix gives the system a name of its own.
		ID: func(s *shelf) string { return shelfID(s.Owner) },
	}
}

func shelfID(owner string) string { return "of " + joined(owner, "") }

// UserListQuery says which favorites or recents to list.
type UserListQuery struct {
	twinplatform.ListOptions
	// Skip leaves out so many twins from the beginning.
	Skip int
	// Minimal makes Page.JSON carry a [Summary] of each twin.
	Minimal bool
}

// Favorites lists the caller's favorites (GET /twins/favorites), the one added
// last first. What the caller may no longer see is left out.
//
// Errors: InvalidTwinsRequest with InvalidValue (top, skip).
func (s *Service) Favorites(ctx context.Context, q UserListQuery) (twinplatform.Page[Twin], error) {
	return s.shelved(ctx, favoriteRecords, q)
}

// AddFavorite adds a twin to the caller's favorites, of which there are at most
// 1,000 (POST /twins/favorites/{id}). One that is among them stays where it is.
//
// Errors: twinNotFound; LimitExceeded.
func (s *Service) AddFavorite(ctx context.Context, twinID string) error {
	return s.shelve(ctx, favoriteRecords, twinID, func(ids []string) ([]string, error) {
		if slices.Contains(ids, twinID) {
			return ids, nil
		}
		if len(ids) >= MaxFavorites {
			return nil, conflict("LimitExceeded", "The caller has as many favorites as it may.")
		}
		return slices.Insert(ids, 0, twinID), nil
	})
}

// RemoveFavorite takes a twin from the caller's favorites (DELETE
// /twins/favorites/{id}). Taking one that is not among them does nothing.
//
// Errors: twinNotFound.
func (s *Service) RemoveFavorite(ctx context.Context, twinID string) error {
	return s.shelve(ctx, favoriteRecords, twinID, func(ids []string) ([]string, error) {
		return slices.DeleteFunc(ids, func(id string) bool { return id == twinID }), nil
	})
}

// Recents lists the twins that the caller used last (GET /twins/recents), at most
// 25, newest first. What the caller may no longer see is left out.
//
// Errors: InvalidTwinsRequest with InvalidValue (top, skip).
func (s *Service) Recents(ctx context.Context, q UserListQuery) (twinplatform.Page[Twin], error) {
	return s.shelved(ctx, recentRecords, q)
}

// AddRecent notes that the caller has used a twin (POST /twins/recents/{id}). One
// that was noted before moves to the front; the 26th is forgotten.
//
// Errors: twinNotFound.
func (s *Service) AddRecent(ctx context.Context, twinID string) error {
	return s.shelve(ctx, recentRecords, twinID, func(ids []string) ([]string, error) {
		ids = slices.DeleteFunc(ids, func(id string) bool { return id == twinID })
		ids = slices.Insert(ids, 0, twinID)
		return ids[:min(len(ids), MaxRecents)], nil
	})
}

// shelve changes a shelf of the caller, on behalf of a twin that it may see.
func (s *Service) shelve(ctx context.Context, of *records.Collection[shelf], twinID string, fn func([]string) ([]string, error)) error {
	owner := callerID(ctx)
	return s.update(ctx, func(ctx context.Context, u *records.Update) error {
		if _, err := s.visible(ctx, u, twinID); err != nil {
			return err
		}
		sh, err := of.Value(u, shelves, shelfID(owner))
		if errors.Is(err, records.ErrNotFound) {
			sh, err = &shelf{Owner: owner}, nil
		}
		if err != nil {
			return err
		}
		if err := forgetDeleted(u, sh); err != nil {
			return err
		}
		if sh.TwinIDs, err = fn(sh.TwinIDs); err != nil {
			return err
		}
		_, err = of.Put(u, shelves, sh)
		return err
	})
}

// forgetDeleted takes from a shelf what is no longer there, so that it does not
// count.
func forgetDeleted(u *records.Update, sh *shelf) (err error) {
	sh.TwinIDs = slices.DeleteFunc(sh.TwinIDs, func(id string) bool {
		has, e := twinRecords.Has(u, area, id)
		if e != nil {
			err = e
		}
		return !has
	})
	return err
}

// shelved lists a shelf of the caller.
func (s *Service) shelved(ctx context.Context, of *records.Collection[shelf], q UserListQuery) (page twinplatform.Page[Twin], err error) {
	var c checks
	w := windowOf(&c, q.ListOptions, q.Skip)
	if err := c.err(); err != nil {
		return page, err
	}
	found, more, err := s.readable(ctx, w, func(v *records.View) (all []twinplatform.Record[Twin], err error) {
		sh, err := of.Value(v, shelves, shelfID(callerID(ctx)))
		if errors.Is(err, records.ErrNotFound) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		for _, id := range sh.TwinIDs {
			rec, err := twinRecords.Get(v, area, id)
			switch {
			case errors.Is(err, records.ErrNotFound): // deleted since
			case err != nil:
				return nil, err
			default:
				all = append(all, rec)
			}
		}
		return all, nil
	})
	if err != nil {
		return page, err
	}
	return pageOf(found, more, w, q.Minimal), nil
}
