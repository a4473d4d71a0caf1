package httpapi_test

import (
	"context"
	"iter"

	"github.com/seed-933f9a09/twinplatform/internal/problem"
	"github.com/seed-933f9a09/twinplatform/schedules/animation"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
)

// siteModel is the one model that schedules of the world know of, "site", without the area of models.
type siteModel struct{}

var noModel = problem.NotFound("ModelNotFound", "modelId", "model")

// Boxes implements animation.Boxes.
func (siteModel) Boxes(_ context.Context, modelID string, _ []string) (map[string]fourd.Box, error) {
	if modelID != "site" {
		return nil, noModel.Err()
	}
	return map[string]fourd.Box{
		"0x1f": {Max: fourd.Vector{X: 4, Y: 5, Z: 3.5}}, "0x2f": {Min: fourd.Vector{X: 4}, Max: fourd.Vector{X: 8, Y: 5, Z: 2}},
	}, nil
}

// Elements implements animation.Elements.
func (siteModel) Elements(_ context.Context, modelID string) iter.Seq2[animation.Element, error] {
	return func(yield func(animation.Element, error) bool) {
		if modelID != "site" {
			yield(animation.Element{}, noModel.Err())
			return
		}
		for id, code := range map[string]string{"0x1f": "dig-01", "0x2f": "pour-02", "0x3f": "roof", "0x4f": "fence"} {
			if !yield(animation.Element{ID: id, Code: code, Properties: map[string]any{"Level": 1}}, nil) {
				return
			}
		}
	}
}
