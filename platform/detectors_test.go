package platform_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/realitydata"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// An export has detectors and versions of every caller, and its seed makes them
// again, also where accounts have others of the same name.
func TestDetectorsOfEverybodyAreExportedAndSeeded(t *testing.T) {
	t.Parallel()
	first := over(t, memory.New(), platform.Config{})
	as := func(id, accountID string) context.Context {
		return twinplatform.WithPrincipal(t.Context(), twinplatform.Principal{ID: id, AccountID: accountID, Kind: twinplatform.User})
	}
	for i, maker := range []context.Context{as("ada", account), as("élodie", "other"), t.Context(), as("noa", "")} {
		name := "cracks"
		if i == 3 {
			name = "rust" // names are unique among those of no account
		}
		_, err := first.RealityData.CreateDetector(maker, realitydata.NewDetector{Name: name, Type: realitydata.PhotoObjectDetector})
		if err != nil {
			t.Fatalf("detector %d: %v", i, err)
		}
		by := maker
		if i > 1 {
			by = t.Context() // which cannot tell the first two apart
		}
		_, _, err = first.RealityData.CreateDetectorVersion(by, name, realitydata.NewDetectorVersion{
			VersionNumber: "1.0", Capabilities: realitydata.Capabilities{Exports: []realitydata.DetectorExport{realitydata.ExportLines}, Labels: []string{"crack"}},
		})
		if err != nil {
			t.Fatalf("the version of detector %d: %v", i, err)
		}
	}
	before := exported(t, first)
	second := over(t, memory.New(), platform.Config{})
	w, err := first.Export(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(w.Detectors) != 4 {
		t.Fatalf("%d detectors are exported", len(w.Detectors))
	}
	if err := second.Seed(t.Context(), w, platform.SeedOptions{}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, exported(t, second)); diff != "" {
		t.Errorf("the seed is another world (-want +got):\n%s", diff)
	}
}
