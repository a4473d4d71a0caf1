package platform

import (
	"context"
	"errors"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules/animation"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// modelBoxes are the boxes of the models of the platform, for schedules that show them.
type modelBoxes struct{ p *Platform }

var _ animation.Boxes = modelBoxes{}

// Boxes implements animation.Boxes, by the latest changeset. The caller needs to be able to read the model.
func (b modelBoxes) Boxes(ctx context.Context, modelID string, elementIDs []string) (map[string]fourd.Box, error) {
	if _, err := b.p.Transform.Models().Model(ctx, modelID); err != nil {
		return nil, err
	}
	all := make(map[string]fourd.Box, len(elementIDs))
	for _, id := range elementIDs {
		e, err := b.p.Transform.Models().Element(ctx, modelID, id, "")
		switch {
		case errors.Is(err, twinplatform.NotFound):
			continue
		case err != nil:
			return nil, err
		}
		if box := e.Value.BoundingBox; box != nil {
			all[id] = fourd.Box{Min: corner(box.Low), Max: corner(box.High)}
		}
	}
	return all, nil
}

func corner(p models.Point) fourd.Vector { return fourd.Vector{X: p.X, Y: p.Y, Z: p.Z} }
