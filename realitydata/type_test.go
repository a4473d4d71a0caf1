package realitydata_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/realitydata"
)

func TestRegisteredTypesAreTheDocumentedOnes(t *testing.T) {
	t.Parallel()
	want := strings.Fields(`CCImageCollection Cesium3DTiles DAE ContextDetector ContextScene DGN E57 FBX GLB GLTF KML LAS LAZ LOD LODTree OBJ OMR OPC
		OSGB OVF OVT PLY PNTS PointCloud RealityMesh3DTiles SLPK SpaceEyes3D SuperMap S3C Terrain3DTiles TexturedTiePoints 3SM 3MX Unstructured
		Orthophoto GS_PLY GS_SPZ GS_3DT GeoJSON SHP`)
	got := realitydata.ReservedTypes()
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	w := newWorld(t, nil)
	for _, typ := range want {
		if d := w.create(realitydata.NewRealityData{Type: typ}); d.Type != typ {
			t.Errorf("%s is kept as %s", typ, d.Type)
		}
	}
}
