package transform

import (
	"context"

	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// Contents knows the content of models that live elsewhere.
type Contents interface {
	// Source is the content of a model. A nil Source means that there is none to take.
	Source(ctx context.Context, modelID string) (models.Source, error)
	// Target is where content is brought. A nil Target means that there is no such
	// place.
	Target(ctx context.Context, modelID string) (models.Target, error)
}
