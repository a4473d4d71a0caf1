package platform

import (
	"context"
	"iter"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules/animation"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// modelBoxes are the boxes of the models of the platform, for schedules that show them.
type modelBoxes struct{ p *Platform }

var _ animation.Shapes = modelBoxes{}

// Boxes implements animation.Boxes, by the latest changeset. The caller needs to be able to read the model.
func (b modelBoxes) Boxes(ctx context.Context, modelID string, elementIDs []string) (map[string]fourd.Box, error) {
	boxes, err := b.p.Transform.Models().Boxes(ctx, modelID, elementIDs)
	if err != nil {
		return nil, err
	}
	all := make(map[string]fourd.Box, len(boxes))
	for id, box := range boxes {
		all[id] = fourd.Box{Min: corner(box.Low), Max: corner(box.High)}
	}
	return all, nil
}

// Shapes implements animation.Shapes, by the latest changeset. The caller needs to be able to read the model.
func (b modelBoxes) Shapes(ctx context.Context, modelID string, elementIDs []string, most int) (
	map[string][]byte, bool, error,
) {
	return b.p.Transform.Models().Geometries(ctx, modelID, elementIDs, most)
}

func corner(p models.Point) fourd.Vector { return fourd.Vector{X: p.X, Y: p.Y, Z: p.Z} }

// modelElements are the elements of the models of the platform, for rules that bind them to tasks.
type modelElements struct{ p *Platform }

var _ animation.Elements = modelElements{}

// Elements implements animation.Elements, by the latest changeset.
func (m modelElements) Elements(ctx context.Context, modelID string) iter.Seq2[animation.Element, error] {
	list := func(ctx context.Context, q models.ElementQuery) (twinplatform.Page[models.Element], error) {
		return m.p.Transform.Models().Elements(ctx, modelID, q)
	}
	return func(yield func(animation.Element, error) bool) {
		for e, err := range twinplatform.All(ctx, list, models.ElementQuery{}) {
			element := animation.Element{
				ID: e.ID, Code: string(e.Code), GUID: string(e.FederationGUID), Properties: e.Properties,
			}
			if !yield(element, err) || err != nil {
				return
			}
		}
	}
}
