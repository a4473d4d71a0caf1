package models_test

import (
	"testing"

	"github.com/seed-933f9a09/twinplatform/transform/models"
	"github.com/seed-933f9a09/twinplatform/transform/transformtest"
)

// own is a model of the registry.
type own struct {
	models.Source
	models.Target
}

func TestModelsOfTheRegistryKeepThePromises(t *testing.T) {
	t.Parallel()
	transformtest.Run(t, func(t *testing.T) transformtest.Model {
		t.Helper()
		w := newWorld(t)
		source, err := w.Source(t.Context(), "source-model")
		if err != nil {
			t.Fatal(err)
		}
		target, err := w.Target(t.Context(), "source-model")
		if err != nil {
			t.Fatal(err)
		}
		return own{source, target}
	})
}
