package twins

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// GlobalRepository is a repository for all twins, such as imagery of the whole earth. The
// program that runs the platform offers it in Config.Repositories; no caller changes it.
type GlobalRepository struct {
	// ID is what clients call it: 1 to 128 printable characters without '/', which no other
	// has.
	ID string `json:"id"`
	NewRepository
	// Resources are what it holds.
	Resources []NewRepositoryResource `json:"resources"`
}

// CheckGlobalRepositories reports what is wrong with repositories, each of which is held to
// what CreateRepository and CreateRepositoryResource refuse.
func CheckGlobalRepositories(all []GlobalRepository) error {
	_, err := globalRepositories(all)
	return err
}

// globalRepository is a repository for all twins as it is listed.
type globalRepository struct {
	twinplatform.Record[Repository]
	resources []twinplatform.Record[RepositoryResource]
}

// globalRepositories returns the repositories that are sound, and what is wrong with the others.
func globalRepositories(all []GlobalRepository) (made []globalRepository, err error) {
	for i, g := range all {
		r, bad := g.made()
		if bad == nil && slices.ContainsFunc(made,
			func(other globalRepository) bool { return other.Value.ID == g.ID }) {
			bad = errors.New("another has its id")
		}
		if bad != nil {
			err = errors.Join(err, fmt.Errorf("twins: Config.Repositories[%d]: %w", i, bad))
			continue
		}
		made = append(made, r)
	}
	return made, err
}

// globalPath is where the REST API has the resources of a global repository.
func globalPath(repositoryID string) string {
	return "/twins/repositories/" + url.PathEscape(repositoryID) + "/resources"
}

func (g *GlobalRepository) made() (r globalRepository, err error) {
	var c problem.Checks
	if c.Given("id", g.ID != "") {
		c.ID("id", g.ID)
	}
	if err := c.Err(InvalidRequest); err != nil {
		return r, err
	}
	if r.Value, err = repositoryKind.Make(g.NewRepository); err != nil {
		return r, err
	}
	r.Value.ID = g.ID
	r.Value.complete(globalPath(g.ID))
	if r.JSON, err = wire.Marshal(&r.Value); err != nil {
		return r, err
	}
	for i, n := range g.Resources {
		rec, err := r.resource(n)
		if err != nil {
			return r, fmt.Errorf("resources[%d]: %w", i, err)
		}
		r.resources = append(r.resources, rec)
	}
	return r, nil
}

// resource is one of a global repository.
func (r *globalRepository) resource(n NewRepositoryResource) (rec twinplatform.Record[RepositoryResource], err error) {
	if rec.Value, err = repositoryResourceKind.Make(n); err != nil {
		return rec, err
	}
	v := &rec.Value
	if err := v.inherit(&r.Value); err != nil {
		return rec, err
	}
	for _, other := range r.resources {
		switch {
		case other.Value.ID == v.ID:
			return rec, repositoryResourceKind.Taken(v)
		case other.Value.DisplayName == v.DisplayName:
			return rec, v.nameTaken()
		}
	}
	v.complete(globalPath(r.Value.ID))
	rec.JSON, err = wire.Marshal(v)
	return rec, err
}

// GlobalRepositories lists the repositories for all twins in the order of Config.Repositories
// (GET /twins/repositories). There are none unless that has some. Everybody may see them. The
// list has no version.
//
// Errors: InvalidTwinsRequest with InvalidValue (top, skip) or MissingRequiredProperty (class,
// where there is a subClass).
func (s *Service) GlobalRepositories(_ context.Context, q RepositoryQuery) (page twinplatform.Page[Repository],
	err error,
) {
	if err := q.check(); err != nil {
		return page, err
	}
	var all []twinplatform.Record[Repository]
	for _, r := range s.repositories {
		if q.finds(&r.Value) {
			all = append(all, r.Record)
		}
	}
	return windowed(all, q.ListOptions, q.Skip)
}

// GlobalRepository returns a repository for all twins (GET /twins/repositories/{repositoryId}).
//
// Errors: twinRepositoryNotFound.
func (s *Service) GlobalRepository(_ context.Context, repositoryID string) (twinplatform.Record[Repository], error) {
	r, err := s.global(repositoryID)
	return r.Record, err
}

func (s *Service) global(repositoryID string) (globalRepository, error) {
	i := slices.IndexFunc(s.repositories, func(r globalRepository) bool { return r.Value.ID == repositoryID })
	if i < 0 {
		return globalRepository{}, repositoryMissing.Err()
	}
	return s.repositories[i], nil
}

// GlobalRepositoryResources lists the resources of a repository for all twins, in its order
// (GET /twins/repositories/{repositoryId}/resources). The list has no version.
//
// Errors: twinRepositoryNotFound; InvalidTwinsRequest with InvalidValue (top, skip).
func (s *Service) GlobalRepositoryResources(_ context.Context, repositoryID string,
	q RepositoryResourceQuery,
) (page twinplatform.Page[RepositoryResource], err error) {
	r, err := s.global(repositoryID)
	if err != nil {
		return page, err
	}
	var all []twinplatform.Record[RepositoryResource]
	for _, rec := range r.resources {
		if !q.finds(&rec.Value) {
			continue
		}
		if rec, err = q.shown(rec); err != nil {
			return page, err
		}
		all = append(all, rec)
	}
	return windowed(all, q.ListOptions, q.Skip)
}

// GlobalRepositoryResource returns a resource of a repository for all twins (GET
// /twins/repositories/{repositoryId}/resources/{resourceId}).
//
// Errors: twinRepositoryNotFound; twinRepositoryResourceNotFound.
func (s *Service) GlobalRepositoryResource(_ context.Context, repositoryID,
	resourceID string,
) (rec twinplatform.Record[RepositoryResource], err error) {
	r, err := s.global(repositoryID)
	if err != nil {
		return rec, err
	}
	i := slices.IndexFunc(r.resources,
		func(rec twinplatform.Record[RepositoryResource]) bool { return rec.Value.ID == resourceID })
	if i < 0 {
		return rec, repositoryResourceKind.Missing.Err()
	}
	return r.resources[i], nil
}

// GlobalRepositoryResourceGraphics is RepositoryResourceGraphics of a repository for all twins
// (GET /twins/repositories/{repositoryId}/resources/{resourceId}/graphics).
//
// Errors: twinRepositoryNotFound; twinRepositoryResourceNotFound.
func (s *Service) GlobalRepositoryResourceGraphics(ctx context.Context, repositoryID,
	resourceID string,
) ([]RepositoryResourceGraphics, error) {
	rec, err := s.GlobalRepositoryResource(ctx, repositoryID, resourceID)
	if err != nil {
		return nil, err
	}
	r, err := s.global(repositoryID)
	return r.Value.graphics(&rec.Value), err
}

// windowed is the page of records that options and a number to skip ask for.
func windowed[T any](all []twinplatform.Record[T], o twinplatform.ListOptions, skip int) (page twinplatform.Page[T],
	err error,
) {
	var c problem.Checks
	w := windowOf(&c, o, skip)
	if err := c.Err(InvalidRequest); err != nil {
		return page, err
	}
	from := min(w.skip, len(all))
	to := min(from+w.top, len(all))
	page = twinplatform.PageOf(all[from:to])
	if page.Top = w.top; to < len(all) {
		page.Next = w.next()
	}
	return page, nil
}
