package transform

import (
	"context"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// What a transformation writes into its target of where the content comes from: an
// element for the repository, which is the source model in its project, and within it
// one for the external source, which is what the configuration takes of it. The latter
// has the scope aspect.

// Classes of the elements that mark the origin of content.
const (
	RepositoryLinkClass = "RepositoryLink"
	ExternalSourceClass = "ExternalSource"
)

func (e *engine) repositoryID() string { return e.prefix + ":repository" }
func (e *engine) originID() string     { return e.prefix + ":source" }

// synchronized is the scope aspect of an earlier run; nil where there was none.
func (e *engine) synchronized(ctx context.Context) (last *models.Aspect, err error) {
	err = e.target.Write(ctx, e.draft, func(d models.Draft) error {
		last = nil
		origin, err := d.Element(e.originID())
		if origin == nil || err != nil {
			return err
		}
		for i := range origin.Aspects {
			if origin.Aspects[i].Kind == models.ScopeAspect {
				last = &origin.Aspects[i]
			}
		}
		return nil
	})
	return last, err
}

// mark writes the origin and up to which changeset of it the target will be.
func (e *engine) mark(ctx context.Context, c *Configuration, filter string) error {
	r := &c.References
	scope := models.Aspect{
		Kind: models.ScopeAspect, SourceID: e.originID(), Identifier: r.SourceModelID,
		Version: e.until, Filter: filter,
	}
	return e.target.Write(ctx, e.draft, func(d models.Draft) error {
		err := d.Put(models.Element{
			ID: e.repositoryID(), Class: RepositoryLinkClass, MandatoryProperties: []string{"modelId", "projectId"},
			Properties: models.ElementProperties{"modelId": r.SourceModelID, "projectId": r.SourceProjectID},
		}.Normal())
		if err != nil {
			return err
		}
		return d.Put(models.Element{
			ID: e.originID(), Class: ExternalSourceClass, ScopeID: twinplatform.NullString(e.repositoryID()),
			MandatoryProperties: []string{"configurationId"},
			Properties:          models.ElementProperties{"configurationId": c.ID}, Aspects: []models.Aspect{scope},
		}.Normal())
	})
}
