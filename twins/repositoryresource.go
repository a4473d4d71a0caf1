package twins

import (
	"cmp"
	"context"
	"net/url"
	"reflect"
	"strings"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/internal/entity"
	"github.com/seed-933f9a09/twinplatform/internal/judge"
	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/internal/records"
	"github.com/seed-933f9a09/twinplatform/internal/schema"
	"github.com/seed-933f9a09/twinplatform/internal/wire"
)

// RepositoryResource is an item that a repository holds and that matters to the twin, such
// as a layer of a map. It is a link: the platform knows its name, and asks the repository
// nothing.
type RepositoryResource struct {
	// Capabilities are what can be asked of the resource; null, nothing.
	Capabilities *RepositoryResourceCapabilities `json:"capabilities"`
	Class        string                          `json:"class"`       // that of the repository
	DisplayName  string                          `json:"displayName"` // no other resource of the repository has it
	// what the repository calls it; unique within the repository
	ID         string                       `json:"id"`
	Properties RepositoryResourceProperties `json:"properties"` // as they were given; never null
	SubClass   twinplatform.NullString      `json:"subClass"`   // that of the repository; null when it has none
	Type       twinplatform.NullString      `json:"type"`       // open-ended; null when there is none

	twinID, repositoryID string
}

// RepositoryResourceProperties are what a client notes of a resource, by name.
type RepositoryResourceProperties = RepositoryOptions

// RepositoryResourceCapabilities are what can be asked of a resource.
type RepositoryResourceCapabilities struct {
	// Graphics is where RepositoryResourceGraphics are found.
	Graphics RepositoryCapability `json:"graphics"`
}

// RepositoryCapability is where something can be asked of a repository or a resource.
type RepositoryCapability struct {
	// URI begins with a slash and is relative to the root of the REST API, which makes it
	// absolute.
	URI string `json:"uri"`
}

// RepositoryResourceSummary is a resource as lists carry it unless the client prefers whole
// records.
type RepositoryResourceSummary struct {
	Capabilities *RepositoryResourceCapabilities `json:"capabilities"`
	Class        string                          `json:"class"`
	DisplayName  string                          `json:"displayName"`
	ID           string                          `json:"id"`
	SubClass     twinplatform.NullString         `json:"subClass"`
	Type         twinplatform.NullString         `json:"type"`
}

// Summary is what a minimal list carries of the resource.
func (r *RepositoryResource) Summary() RepositoryResourceSummary {
	return RepositoryResourceSummary{r.Capabilities, r.Class, r.DisplayName, r.ID, r.SubClass, r.Type}
}

// ClassGIS is the class of repositories that serve maps, whose resources can be drawn.
const ClassGIS = "GeographicInformationSystem"

// indexResourceName finds resources of a repository by their display names.
const indexResourceName = "name"

// ofRepository is what is stored of a resource in addition to its wire form.
type ofRepository struct {
	RepositoryID *string `json:"repositoryId"`
	TwinID       *string `json:"twinId"`
}

// resourceKey is the id of the record of a resource; without an id, what the ids of a
// repository's resources begin with.
func resourceKey(twinID, repositoryID, id string) string {
	return records.Join(recordID(twinID, repositoryID), url.PathEscape(id))
}

func (r *RepositoryResource) nameKey() string {
	return records.Join(r.twinID, r.repositoryID, r.DisplayName)
}

var repositoryResourceRecords = records.Collection[RepositoryResource]{
	Name: "repository-resources", Untracked: true,
	ID:     func(r *RepositoryResource) string { return resourceKey(r.twinID, r.repositoryID, r.ID) },
	Hidden: func(r *RepositoryResource) any { return &ofRepository{&r.repositoryID, &r.twinID} },
	Indexes: []records.Index[RepositoryResource]{
		{Name: indexTwin, Value: func(r *RepositoryResource) string { return r.twinID }},
		{Name: indexResourceName, Value: (*RepositoryResource).nameKey},
	},
}

var repositoryResourceKind = entity.Kind[RepositoryResource, NewRepositoryResource, RepositoryResourcePatch]{
	Records: &repositoryResourceRecords, One: "resource", Many: "resources", Resource: "resource of a repository",
	Missing: problem.NotFound("twinRepositoryResourceNotFound", "repositoryResourceId", "resource of the repository"),
	Bad:     &InvalidRequest,
	Members: func(r *RepositoryResource, n *NewRepositoryResource, p *RepositoryResourcePatch) []entity.Member {
		return []entity.Member{
			entity.Text("id", &r.ID, &n.ID, nil).Max(MaxText).Valid((*problem.Checks).Segment).Required(),
			entity.Text("class", &r.Class, &n.Class, nil).Max(MaxType),
			entity.Text("subClass", &r.SubClass, &n.SubClass, nil).Max(MaxType),
			entity.Text("displayName", &r.DisplayName, &n.DisplayName, &p.DisplayName).Max(MaxText).Required(),
			entity.Text("type", &r.Type, &n.Type, &p.Type).Max(MaxType),
			entity.Value("properties", &r.Properties, &n.Properties, &p.Properties).Valid(checkProperties),
		}
	},
	AfterCreate: func(r *RepositoryResource, _ *NewRepositoryResource, _ *problem.Checks) { r.normalize() },
	AfterUpdate: func(r, _ *RepositoryResource, _ *RepositoryResourcePatch, _ *problem.Checks) { r.normalize() },
	Taken: func(r *RepositoryResource) error {
		return resourceTaken("id", "The repository has a resource '%s' already.", r.ID)
	},
}

// normalize gives empty properties their one form.
func (r *RepositoryResource) normalize() {
	if r.Properties == nil {
		r.Properties = RepositoryResourceProperties{}
	}
}

func (r *RepositoryResource) nameTaken() error {
	return resourceTaken("displayName", "Another resource of the repository is called '%s'.", r.DisplayName)
}

func resourceTaken(target, format string, args ...any) error {
	return taken("twinRepositoryResourceExists", "resource of the repository",
		problem.BadValue(target, format, args...))
}

func checkProperties(c *problem.Checks, name string, p RepositoryResourceProperties) {
	if b, err := wire.Marshal(map[string]any(p)); err != nil || len(b) > MaxResourceProperties {
		c.Bad(name, "The properties of a resource have %d bytes at most.", MaxResourceProperties)
	}
}

func describeRepositoryResources(b *schema.Book) {
	// Lists write it themselves, and with the same members.
	b.Has(reflect.TypeFor[RepositoryResourceSummary](), schema.May("displayName", schema.AtMost(MaxText)))
}

// NewRepositoryResource asks for a resource of a repository.
type NewRepositoryResource struct {
	// ID is required: what the repository calls the resource. It has at most MaxText
	// characters, and no other resource of the repository has it.
	ID string `json:"id"`
	// DisplayName is required, has at most MaxText characters, and no other resource of the
	// repository has it.
	DisplayName string `json:"displayName"`
	// Type is open-ended and has at most MaxType characters.
	Type twinplatform.NullString `json:"type"`
	// Class and SubClass are those of the repository, and may be left out.
	Class    string                  `json:"class"`
	SubClass twinplatform.NullString `json:"subClass"`
	// Properties have at most MaxResourceProperties bytes as JSON.
	Properties RepositoryResourceProperties `json:"properties"`
}

// RepositoryResourcePatch changes a resource: what is left out stays, null clears. The id,
// the class and the subclass never change.
type RepositoryResourcePatch struct {
	DisplayName twinplatform.Optional[string] `json:"displayName,omitzero"` // not empty
	Type        twinplatform.Optional[string] `json:"type,omitzero"`        // null clears it
	// in place of all; null clears them
	Properties twinplatform.Optional[RepositoryResourceProperties] `json:"properties,omitzero"`
}

// resourcesPath is where the REST API has the resources of a repository of a twin.
func resourcesPath(twinID, repositoryID string) string {
	return "/twins/" + url.PathEscape(twinID) + "/repositories/" + url.PathEscape(repositoryID) + "/resources"
}

// complete adds to a resource what is not stored with it: what can be asked of it below
// the path of the resources of its repository.
func (r *RepositoryResource) complete(path string) {
	if r.Capabilities = nil; r.Class == ClassGIS {
		r.Capabilities = &RepositoryResourceCapabilities{Graphics: RepositoryCapability{URI: path + "/" +
			url.PathEscape(r.ID) + "/graphics"}}
	}
}

// whole is a stored resource with what is not stored with it.
func whole(rec twinplatform.Record[RepositoryResource], err error) (twinplatform.Record[RepositoryResource], error) {
	if err == nil {
		rec.Value.complete(resourcesPath(rec.Value.twinID, rec.Value.repositoryID))
		rec.JSON, err = wire.Marshal(&rec.Value)
	}
	return rec, err
}

// repositoryOf returns a repository of a twin that the caller may see.
func repositoryOf(tx records.Reading, twinID, repositoryID string) (*Repository, error) {
	r, err := repositoryRecords.Value(tx, allAccounts, recordID(twinID, repositoryID))
	return r, repositoryMissing.Or(err)
}

// readRepository runs fn over a repository that the caller may see.
func (s *Service) readRepository(ctx context.Context, twinID, repositoryID string,
	fn func(*records.View, *Twin, *Repository) error,
) error {
	return s.read(s.readingResource(ctx, twinID, repositoryID, ""), twinID,
		func(v *records.View, t twinplatform.Record[Twin]) error {
			r, err := repositoryOf(v, twinID, repositoryID)
			if err != nil {
				return err
			}
			return fn(v, &t.Value, r)
		})
}

// changeResource writes a resource of a repository at a twin that the caller may modify.
func (s *Service) changeResource(
	ctx context.Context, twinID, repositoryID string, fn func(*records.Update, *Twin,
		*Repository) (twinplatform.Record[RepositoryResource], error),
) (twinplatform.Result[RepositoryResource], error) {
	return changeOne(ctx, s, func(u *records.Update, j *judge.Judge) (rec twinplatform.Record[RepositoryResource],
		err error,
	) {
		t, err := permitted(u, j, twinID, PermissionModify)
		if err != nil {
			return rec, err
		}
		r, err := repositoryOf(u, twinID, repositoryID)
		if err != nil {
			return rec, err
		}
		return fn(u, t, r)
	})
}

// RepositoryResource returns a resource of a repository (GET
// /twins/{id}/repositories/{repositoryId}/resources/{resourceId}).
//
// Errors: twinNotFound; twinRepositoryNotFound; twinRepositoryResourceNotFound.
func (s *Service) RepositoryResource(ctx context.Context, twinID, repositoryID,
	resourceID string,
) (rec twinplatform.Record[RepositoryResource], err error) {
	err = s.readRepository(ctx, twinID, repositoryID, func(v *records.View, _ *Twin, _ *Repository) error {
		rec, err = repositoryResourceRecords.Get(v, allAccounts, resourceKey(twinID, repositoryID, resourceID))
		return repositoryResourceKind.Missing.Or(err)
	})
	return whole(rec, err)
}

// RepositoryResourceQuery selects the resources to list. What is empty does not narrow
// the list.
type RepositoryResourceQuery struct {
	twinplatform.ListOptions
	// Skip leaves out so many resources from the beginning.
	Skip int
	// Search lists the resources whose display name or id contains it, in upper or lower
	// case.
	Search string
	// Type lists resources of one type.
	Type string
	// Minimal makes Page.JSON carry a [RepositoryResourceSummary] of each.
	Minimal bool
}

// finds reports whether a query asks for a resource.
func (q *RepositoryResourceQuery) finds(r *RepositoryResource) bool {
	search := strings.ToLower(q.Search)
	return (q.Type == "" || q.Type == string(r.Type)) &&
		(strings.Contains(strings.ToLower(r.DisplayName), search) || strings.Contains(strings.ToLower(r.ID), search))
}

// shown is a resource as the list carries it.
func (q *RepositoryResourceQuery) shown(
	rec twinplatform.Record[RepositoryResource],
) (_ twinplatform.Record[RepositoryResource], err error) {
	if q.Minimal {
		rec.JSON, err = wire.Marshal(rec.Value.Summary())
	}
	return rec, err
}

// RepositoryResources lists the resources of a repository by id (GET
// /twins/{id}/repositories/{repositoryId}/resources).
//
// Errors: twinNotFound; twinRepositoryNotFound; InvalidTwinsRequest with InvalidValue (top,
// skip).
func (s *Service) RepositoryResources(ctx context.Context, twinID, repositoryID string,
	q RepositoryResourceQuery,
) (page twinplatform.Page[RepositoryResource], err error) {
	var c problem.Checks
	w := windowOf(&c, q.ListOptions, q.Skip)
	if err := c.Err(InvalidRequest); err != nil {
		return page, err
	}
	view := "whole"
	if q.Minimal {
		view = "minimal"
	}
	err = s.readRepository(ctx, twinID, repositoryID, func(v *records.View, t *Twin, _ *Repository) error {
		page, err = repositoryResourceKind.List(v, t.scope(), problem.Paging{MaxTop: MaxTop},
			records.Query[RepositoryResource]{
				ListOptions: twinplatform.ListOptions{Top: w.top, IfNoneMatch: q.IfNoneMatch}, Skip: w.skip,
				Prefix: resourceKey(twinID, repositoryID, ""),
				Match:  q.finds, Filter: records.Join(url.QueryEscape(q.Search), url.QueryEscape(q.Type)), View: view,
			})
		return err
	})
	if page.Delta = ""; page.Next != "" {
		page.Next = w.next()
	}
	if err != nil {
		return page, err
	}
	return page.Map(func(rec twinplatform.Record[RepositoryResource]) (twinplatform.Record[RepositoryResource], error) {
		if rec, err = whole(rec, nil); err != nil {
			return rec, err
		}
		return q.shown(rec)
	})
}

// CreateRepositoryResource notes a resource of a repository (POST
// /twins/{id}/repositories/{repositoryId}/resources). It needs PermissionModify.
//
// Errors: InvalidTwinsRequest with MissingRequiredProperty (id, displayName) or InvalidValue,
// one for each wrong property, also for a class or a subClass that is not the repository's;
// twinNotFound; twinRepositoryNotFound; InsufficientPermissions;
// twinRepositoryResourceExists with InvalidValue (id, displayName); LimitExceeded for more
// than MaxRepositoryResources at the twin.
func (s *Service) CreateRepositoryResource(ctx context.Context, twinID, repositoryID string,
	n NewRepositoryResource,
) (res twinplatform.Result[RepositoryResource], err error) {
	made, err := repositoryResourceKind.Make(n)
	if err != nil {
		return res, err
	}
	return s.changeResource(ctx, twinID, repositoryID,
		func(u *records.Update, t *Twin, in *Repository) (rec twinplatform.Record[RepositoryResource], err error) {
			r := made
			r.twinID, r.repositoryID = twinID, repositoryID
			if err := r.inherit(in); err != nil {
				return rec, err
			}
			if rec, err = whole(repositoryResourceKind.Insert(u, t.scope(), &r, &problem.Checks{})); err != nil {
				return rec, err
			}
			return rec, s.checkRoom(u, t, &r)
		})
}

// inherit gives a resource the class and the subclass of its repository.
func (r *RepositoryResource) inherit(in *Repository) error {
	var c problem.Checks
	if r.Class = cmp.Or(r.Class, in.Class); r.Class != in.Class {
		c.Bad("class", "The class of the repository is '%s'.", in.Class)
	}
	if r.SubClass = cmp.Or(r.SubClass, in.SubClass); r.SubClass != in.SubClass {
		c.Bad("subClass", "The subclass of the repository is '%s'.", in.SubClass)
	}
	return c.Err(InvalidRequest)
}

// checkRoom checks that no other resource of the repository has the name of one that was written,
// and that the twin has no more than it may.
func (s *Service) checkRoom(u *records.Update, t *Twin, r *RepositoryResource) error {
	for id := range repositoryResourceRecords.IDs(u, allAccounts, indexResourceName, r.nameKey()) {
		if id != repositoryResourceRecords.ID(r) {
			return r.nameTaken()
		}
	}
	n := 0
	for range repositoryResourceRecords.IDs(u, allAccounts, indexTwin, t.ID) {
		if n++; n > MaxRepositoryResources {
			return limitExceeded("resources of repositories", MaxRepositoryResources)
		}
	}
	return nil
}

// UpdateRepositoryResource changes a resource of a repository (PATCH
// /twins/{id}/repositories/{repositoryId}/resources/{resourceId}). It needs PermissionModify.
//
// Errors: as CreateRepositoryResource; twinRepositoryResourceNotFound; VersionMismatch.
func (s *Service) UpdateRepositoryResource(
	ctx context.Context, twinID, repositoryID, resourceID string, p RepositoryResourcePatch,
	pre ...twinplatform.Precondition,
) (twinplatform.Result[RepositoryResource], error) {
	return s.changeResource(ctx, twinID, repositoryID,
		func(u *records.Update, t *Twin, _ *Repository) (rec twinplatform.Record[RepositoryResource], err error) {
			key := resourceKey(twinID, repositoryID, resourceID)
			rec, err = whole(repositoryResourceKind.Update(u, t.scope(), key, twinplatform.ConditionOf(pre...), p,
				func(_, _ *RepositoryResource) error { return nil }))
			if err != nil {
				return rec, err
			}
			return rec, s.checkRoom(u, t, &rec.Value)
		})
}

// DeleteRepositoryResource forgets a resource of a repository (DELETE
// /twins/{id}/repositories/{repositoryId}/resources/{resourceId}). What the repository holds
// is untouched. It needs PermissionModify.
//
// Errors: twinNotFound; twinRepositoryNotFound; twinRepositoryResourceNotFound;
// InsufficientPermissions; VersionMismatch.
func (s *Service) DeleteRepositoryResource(ctx context.Context, twinID, repositoryID, resourceID string,
	pre ...twinplatform.Precondition,
) error {
	_, err := s.changeResource(ctx, twinID, repositoryID,
		func(u *records.Update, t *Twin, _ *Repository) (rec twinplatform.Record[RepositoryResource], err error) {
			return rec, repositoryResourceKind.Erase(u, t.scope(), resourceKey(twinID, repositoryID, resourceID),
				twinplatform.ConditionOf(pre...), nil)
		})
	return err
}

// eraseResources removes the resources of a repository that goes.
func eraseResources(u *records.Update, t *Twin, repositoryID string) error {
	return eraseResourcesBelow(u, t, resourceKey(t.ID, repositoryID, ""))
}

// eraseAllResources removes the resources of all repositories of a twin that goes.
func eraseAllResources(u *records.Update, t *Twin) error {
	return eraseResourcesBelow(u, t, recordID(t.ID, ""))
}

func eraseResourcesBelow(u *records.Update, t *Twin, prefix string) error {
	for r, err := range repositoryResourceRecords.All(u, allAccounts, prefix) {
		if err != nil {
			return err
		}
		if err := repositoryResourceRecords.Erase(u, t.scope(), repositoryResourceRecords.ID(r)); err != nil {
			return err
		}
	}
	return nil
}
