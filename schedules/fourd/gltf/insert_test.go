package gltf_test

import (
	"bytes"
	"errors"
	"strings"
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

func TestNodesOfAnotherModelAreInsertedWhereTheyAre(t *testing.T) {
	t.Parallel()
	m := read(t, site(`{"translation": [5, 0, 0], "children": [1]}, {"name": "Wall", "mesh": 0, "scale": [1, 2, 1], "children": [2]}, {"mesh": 0}`,
		`{"attributes": {"POSITION": 0}}`, `{"attributes": {"POSITION": 0}, "mode": 0, "material": 0}`,
		`"meshes"`, `"materials": [{"name": "brick", "normalTexture": {"index": 0}}], "meshes"`))
	d := gltf.NewDraft()
	for range 2 {
		nodes, err := d.Insert(m, m.Objects().Bytes(1))
		if err != nil || len(nodes) != 2 {
			t.Fatalf("%d nodes, %v", len(nodes), err)
		}
		d.Show(nodes...)
	}
	if _, err := d.Insert(m, m.Objects().Bytes(1)-1); !errors.Is(err, gltf.ErrTooLarge) {
		t.Errorf("with a byte less: %v", err)
	}
	if _, err := d.Insert(read(t, site(`{"mesh": 0}`, `"type": "VEC3"`, `"type": "VEC3", "sparse": {"count": 1}`)), gltf.MaxBytes); !errors.Is(err, gltf.ErrElements) {
		t.Errorf("a sparse accessor: %v", err)
	}
	var b bytes.Buffer
	if err := d.Write(&b); err != nil {
		t.Fatal(err)
	}
	got := read(t, b.String())
	if len(got.Nodes) != 4 || len(got.Roots()) != 4 || len(got.Warnings) > 0 || strings.Count(b.String(), "brick") != 1 || strings.Contains(b.String(), "normalTexture") {
		t.Errorf("%+v %v", got.Nodes, got.Warnings)
	}
	for i := range got.Nodes {
		if diff := cmp.Diff(m.Nodes[1+i%2].Box, got.Nodes[i].Box); diff != "" {
			t.Errorf("node %d (-want +got)\n%s", i, diff)
		}
	}
}
