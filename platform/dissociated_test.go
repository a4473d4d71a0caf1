package platform_test

import (
	"testing"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

func TestExportOfRealityDataOfNoTwinIsSeeded(t *testing.T) {
	t.Parallel()
	store := memory.New()
	first := over(t, store, platform.Config{})
	seed(t, first, towerWorld(platform.Schedule{}))
	n := realitydata.NewRealityData{TwinID: tower, DisplayName: "Deck", Type: "LAS"}
	res := made[twinplatform.Result[realitydata.RealityData]](t)(first.RealityData.CreateRealityData(t.Context(), n))
	if err := first.RealityData.Dissociate(t.Context(), res.Value().ID, tower); err != nil {
		t.Fatal(err)
	}
	second := sameAfterSeeding(t, "no twin", store, first)
	rec := made[twinplatform.Record[realitydata.RealityData]](t)(second.RealityData.RealityData(t.Context(), res.Value().ID, ""))
	if len(rec.Value.TwinIDs) != 0 {
		t.Errorf("the data are of the twins %q", rec.Value.TwinIDs)
	}
}
