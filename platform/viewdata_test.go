package platform_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/platform"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// Views of a twin without a model, and views as viewers describe them, come out of a seed
// as they went into it.
func TestViewsOfTwinsAndTheirDataAreExportedAsTheyWereSeeded(t *testing.T) {
	t.Parallel()
	const data = `{"itwin3dView":{"origin":[1.50,-2e3,0],"categories":{"enabled":["0x1","0x1"]}},"légende":null}`
	text := `{"twins":[{"id":"` + tower + `"}],"models":[{"id":"m","twinId":"` + tower + `","displayName":"M"}],"savedViews":[
		{"id":"of-twin","twinId":"` + tower + `","displayName":"Site","shared":true,"savedViewData":` + data + `},
		{"id":"of-model","modelId":"m","displayName":"Model","savedViewData":` + data + `},
		{"id":"plain","twinId":"` + tower + `","displayName":"Plain"}]}`
	var before string
	for range 2 {
		w, err := platform.ReadWorld(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		p, err := platform.New(memory.New(), platform.Config{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = p.Close() })
		seed(t, p, w)
		if w, err = p.Export(t.Context()); err != nil {
			t.Fatal(err)
		}
		if len(w.SavedViews) != 3 {
			t.Errorf("%d views are exported", len(w.SavedViews))
		}
		for _, v := range w.SavedViews {
			if twin := v.ID != "of-model"; (v.ModelID == "") != twin || v.TwinID != tower && twin {
				t.Errorf("%s is exported as one of the model %q of the twin %q", v.ID, v.ModelID, v.TwinID)
			}
		}
		var out strings.Builder
		if err := w.Write(&out); err != nil {
			t.Fatal(err)
		}
		if before != "" && out.String() != before {
			t.Error(cmp.Diff(before, out.String()))
		}
		before, text = out.String(), out.String()
		plain := strings.NewReplacer(" ", "", "\n", "").Replace(before)
		if n := strings.Count(plain, data); n != 2 {
			t.Errorf("the data are exported %d times as they were, want 2:\n%s", n, before)
		}
	}
}
