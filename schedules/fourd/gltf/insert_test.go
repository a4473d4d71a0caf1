package gltf_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd/gltf"
)

// The first of two meshes could be copied, and the second could not.
func TestWhatCannotBeInsertedLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	of := func(d *gltf.Draft) string {
		t.Helper()
		var b bytes.Buffer
		if err := d.Write(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	for name, second := range map[string]string{
		"a sparse accessor":      `{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "sparse": {"count": 1}}`,
		"one without a view":     `{"componentType": 5126, "count": 3, "type": "VEC3"}`,
		"one after good corners": `{"componentType": 5123, "count": 3, "type": "SCALAR"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			part := `{"attributes": {"POSITION": 1}}`
			if name == "one after good corners" {
				part = `{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}`
			}
			m := read(t, site(`{"mesh": 0}, {"mesh": 1}`, `[0, 0, 0], "max": [2, 3, 4]}`, `[0, 0, 0], "max": [2, 3, 4]}, `+second,
				`{"attributes": {"POSITION": 0}}]}`, `{"attributes": {"POSITION": 0}, "material": 0}]}, {"primitives": [`+part+`]}`,
				`"meshes"`, `"materials": [{"name": "brick"}], "meshes"`))
			d := gltf.NewDraft()
			if nodes, err := d.Insert(m, gltf.MaxBytes); !errors.Is(err, gltf.ErrElements) || nodes != nil {
				t.Errorf("it inserts %v, %v", nodes, err)
			}
			if diff := cmp.Diff(of(gltf.NewDraft()), of(d)); diff != "" {
				t.Errorf("something of it is left (-want +got)\n%s", diff)
			}
		})
	}
}
