package twins

import (
	"cmp"
	"context"

	"github.com/seed-933f9a09/twinplatform/internal/records"
)

// RepositoryResourceGraphics is how a client draws a resource of a repository: the
// platform draws nothing of it itself, and returns the address of the repository.
type RepositoryResourceGraphics struct {
	// Authentication is what clients are to send with requests for the graphics; null where
	// the repository asks for nothing.
	Authentication *RepositoryAuthentication `json:"authentication"`
	Provider       RepositoryProvider        `json:"provider"` // what draws it
	Type           string                    `json:"type"`     // that of the resource, or the subclass, or the class
	URI            string                    `json:"uri"`      // that of the repository
}

// RepositoryProvider is what a client needs to know to draw what a repository serves.
type RepositoryProvider struct {
	Name    string            `json:"name"`    // the subclass of the repository, or its class
	Options RepositoryOptions `json:"options"` // those of the repository
}

// RepositoryResourceMetadata is what the platform knows of what a resource holds. It asks no
// repository, so that this is what was noted with the resource.
type RepositoryResourceMetadata struct {
	// Available is false: there is nothing here from the repository itself.
	Available  bool                         `json:"available"`
	Properties RepositoryResourceProperties `json:"properties"` // those of the resource
	URI        string                       `json:"uri"`        // of the repository, which can be asked for more
}

// graphics returns the graphics of a resource; none where the repository serves no maps.
func (r *Repository) graphics(of *RepositoryResource) []RepositoryResourceGraphics {
	if r.Class != ClassGIS {
		return []RepositoryResourceGraphics{}
	}
	name := cmp.Or(string(r.SubClass), r.Class)
	return []RepositoryResourceGraphics{{
		Authentication: r.Authentication, Provider: RepositoryProvider{name, r.Options}, Type: cmp.Or(string(of.Type),
			name), URI: r.URI,
	}}
}

func (r *Repository) metadata(of *RepositoryResource) RepositoryResourceMetadata {
	return RepositoryResourceMetadata{Properties: of.Properties, URI: r.URI}
}

// RepositoryResourceGraphics reports how a resource is drawn (GET
// /twins/{id}/repositories/{repositoryId}/resources/{resourceId}/graphics): at the repository
// of the class ClassGIS, and not at all elsewhere, where there are none.
//
// Errors: twinNotFound; twinRepositoryNotFound; twinRepositoryResourceNotFound.
func (s *Service) RepositoryResourceGraphics(ctx context.Context, twinID, repositoryID,
	resourceID string,
) (all []RepositoryResourceGraphics, err error) {
	err = s.readResource(ctx, twinID, repositoryID, resourceID,
		func(in *Repository, r *RepositoryResource) { all = in.graphics(r) })
	return all, err
}

// RepositoryResourceMetadata reports what is known of a resource besides its record (GET
// /twins/{id}/repositories/{repositoryId}/resources/{resourceId}/metadata).
//
// Errors: twinNotFound; twinRepositoryNotFound; twinRepositoryResourceNotFound.
func (s *Service) RepositoryResourceMetadata(ctx context.Context, twinID, repositoryID,
	resourceID string,
) (m RepositoryResourceMetadata, err error) {
	err = s.readResource(ctx, twinID, repositoryID, resourceID,
		func(in *Repository, r *RepositoryResource) { m = in.metadata(r) })
	return m, err
}

func (s *Service) readResource(ctx context.Context, twinID, repositoryID, resourceID string,
	fn func(*Repository, *RepositoryResource),
) error {
	return s.readRepository(ctx, twinID, repositoryID, func(v *records.View, _ *Twin, in *Repository) error {
		r, err := repositoryResourceRecords.Value(v, allAccounts, resourceKey(twinID, repositoryID, resourceID))
		if err != nil {
			return repositoryResourceKind.Missing.Or(err)
		}
		fn(in, r)
		return nil
	})
}
