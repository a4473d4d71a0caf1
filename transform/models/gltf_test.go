package models_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd/gltf"
	"github.com/seed-933f9a09/twinplatform/transform/models"
)

// tower is a model of a storey with two walls of one name, one of which has a code and more.
func tower(t testing.TB, height float64) []byte {
	t.Helper()
	d := gltf.NewDraft()
	mesh := d.AddBlock("wall", gltf.Box{Max: [3]float64{2, height, 1}}, gltf.None)
	wall := func(x float64, extras string) int {
		trs := gltf.Rest
		trs.Translation[0] = x
		return d.AddNode(gltf.NewNode{Name: "Wall", TRS: trs, Mesh: mesh, Extras: json.RawMessage(extras)})
	}
	parts := []int{
		wall(0, ""),
		wall(10, `{"code":"W-2","class":"IfcWall","category":"Walls","GlobalId":"8f2c4d10-6a41-4c4e-9d0a-2f9f0b7f8a12","load":1.50}`),
	}
	d.Show(d.AddNode(gltf.NewNode{Name: "Storey", TRS: gltf.Rest, Mesh: gltf.None, Children: parts, Extras: json.RawMessage(`{"id":"storey-1"}`)}))
	var b bytes.Buffer
	if err := d.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// covers: operations models.importGltf elements.list elements.get
func TestNodesOfAModelBecomeElements(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	got, err := w.ImportGLTF(t.Context(), "target-model", bytes.NewReader(tower(t, 3)))
	if err != nil {
		t.Fatal(err)
	}
	c := got.Changeset.Value()
	if c.InsertedCount != 3 || c.UpdatedCount != 0 || len(got.Warnings) != 1 || !strings.HasPrefix(got.Warnings[0].Text, "It is the first of 2 nodes that have the same name") {
		t.Errorf("%+v, %v", c, got.Warnings)
	}
	want := &models.Box{High: models.Point{X: 12, Z: 3}, Low: models.Point{Y: -1}}
	if diff := cmp.Diff(want, c.Extents); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	page, err := w.Elements(t.Context(), "target-model", models.ElementQuery{})
	if err != nil {
		t.Fatal(err)
	}
	var elements []models.Element
	for e, err := range page.OnPage() {
		if err != nil {
			t.Fatal(err)
		}
		e.Properties["id"] = e.ID
		if e.ID != "storey-1" {
			delete(e.Properties, "id")
		}
		elements = append(elements, e)
	}
	box := func(x float64) *models.Box {
		return &models.Box{Low: models.Point{X: x, Y: -1}, High: models.Point{X: x + 2, Z: 3}}
	}
	all := []models.Element{
		{Class: "Group", Properties: models.ElementProperties{"name": "Storey", "id": "storey-1"}},
		{Class: "Object", Category: "Objects", ParentID: "storey-1", BoundingBox: box(0), Properties: models.ElementProperties{"name": "Wall"}},
		{
			Class: "IfcWall", Category: "Walls", Code: "W-2", ParentID: "storey-1", BoundingBox: box(10),
			FederationGUID: "8f2c4d10-6a41-4c4e-9d0a-2f9f0b7f8a12", Properties: models.ElementProperties{"name": "Wall", "load": json.Number("1.50")},
		},
	}
	rest := cmpopts.IgnoreFields(models.Element{}, "ID", "Aspects", "MandatoryProperties", "ChangesetID", "ChangesetIndex", "CreatedIndex", "GeometryHash", "GeometryIndex")
	byClass := cmpopts.SortSlices(func(a, b models.Element) bool { return a.Class < b.Class })
	if diff := cmp.Diff(all, elements, rest, byClass); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for i := range elements {
		e, err := w.Element(t.Context(), "target-model", elements[i].ID, "")
		if err != nil || (len(e.Value.Geometry) > 0) != (e.Value.BoundingBox != nil) {
			t.Fatalf("%d bytes, %v", len(e.Value.Geometry), err)
		}
		if e.Value.BoundingBox == nil {
			continue
		}
		alone, err := gltf.Read(bytes.NewReader(e.Value.Geometry), gltf.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if b := alone.Bounds(0).In(gltf.ZUp); b.Min[0] != e.Value.BoundingBox.Low.X || b.Max[2] != 3 {
			t.Errorf("the geometry is in %v, and the element in %v", b, e.Value.BoundingBox)
		}
	}
}

func TestAModelThatIsImportedAgainUpdatesItsElements(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i, height := range []float64{3, 4, 4} {
		got, err := w.ImportGLTF(t.Context(), "target-model", bytes.NewReader(tower(t, height)))
		if err != nil {
			t.Fatal(err)
		}
		c := got.Changeset.Value()
		if diff := cmp.Diff([3][3]int{{3, 0, 3}, {0, 2, 3}, {0, 0, 3}}[i], [3]int{c.InsertedCount, c.UpdatedCount, c.ElementCount}); diff != "" {
			t.Errorf("import %d: inserted, updated and all (-want +got)\n%s", i, diff)
		}
	}
}

func TestIDsAndNamesThatAreReplacedAreWarnedOf(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	imported := func(nodes string) models.GLTFImport {
		t.Helper()
		got, err := w.ImportGLTF(t.Context(), "target-model", strings.NewReader(`{"asset": {"version": "2.0"}, "nodes": [`+nodes+`]}`))
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	got := imported(`{"name": "A", "extras": {"id": "a"}}, {"name": "B", "extras": {"id": "a"}}, {"name": "C", "extras": {"id": "c", "name": "D"}},
{"name": "E", "extras": {"name": "E"}}, {"name": "E"}, {"name": "E", "extras": {"id": "e"}}`)
	want := []models.ImportWarning{
		{What: "node 1", Text: "The member id of its extras is the id of node 0 as well: its own follows from its name instead."},
		{What: "node 2", Text: "The member name of its extras is in its properties in place of its name."},
		{
			What: "node 3", Text: "It is the first of 2 nodes that have the same name below the same node, and no id in their extras: " +
				"their ids follow from their order, so that an export in another order updates other elements.",
		},
	}
	if diff := cmp.Diff(want, got.Warnings); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := imported(`{"name": "F"}`); got.Warnings == nil || len(got.Warnings) > 0 {
		t.Errorf("%v", got.Warnings)
	}
}

// TestPartsOfAModelDifferByTheirIDsAlone imports two storeys, whose walls are called the same.
func TestPartsOfAModelDifferByTheirIDsAlone(t *testing.T) {
	t.Parallel()
	for extras, want := range map[string][2]int{`{"level": %d}`: {0, 1}, `{"id": "wall-%[1]d", "level": %[1]d}`: {1, 0}} {
		w := newWorld(t)
		for storey := range 2 {
			file := fmt.Sprintf(`{"asset": {"version": "2.0"}, "nodes": [{"name": "Wall", "extras": `+extras+`}]}`, storey)
			got, err := w.ImportGLTF(t.Context(), "target-model", strings.NewReader(file))
			if err != nil {
				t.Fatal(err)
			}
			if c := got.Changeset.Value(); storey == 1 && (c.InsertedCount != want[0] || c.UpdatedCount != want[1]) {
				t.Errorf("%s: %d are inserted and %d updated, want %v", extras, c.InsertedCount, c.UpdatedCount, want)
			}
		}
	}
}

// TestAFileThatStatesGigabytesIsImportedWithoutThem imports a mesh whose attributes share their bytes.
func TestAFileThatStatesGigabytesIsImportedWithoutThem(t *testing.T) {
	t.Parallel()
	var names, accessors []string
	for i := range 10_000 {
		names = append(names, fmt.Sprintf(`"_A%d": %d`, i, i))
		accessors = append(accessors, `{"bufferView": 0, "componentType": 5121, "count": 4194304, "type": "SCALAR"}`)
	}
	file := fmt.Sprintf(`{"asset": {"version": "2.0"}, "nodes": [{"mesh": 0}, {"name": "B", "mesh": 0}],
"meshes": [{"primitives": [{"attributes": {%s}}]}], "accessors": [%s], "bufferViews": [{"buffer": 0, "byteLength": 4194304}],
"buffers": [{"byteLength": 4194304, "uri": "data:application/octet-stream;base64,%s"}]}`,
		strings.Join(names, ","), strings.Join(accessors, ","), base64.StdEncoding.EncodeToString(make([]byte, 4<<20)))
	got, err := newWorld(t).ImportGLTF(t.Context(), "target-model", strings.NewReader(file))
	if err != nil || len(got.Warnings) != 3 || !strings.HasPrefix(got.Warnings[2].Text, "Its geometry is left out: it has 16777") {
		t.Errorf("%+v, %v", got.Warnings, err)
	}
}

// copies is a model of so many nodes that share a mesh of a hundred kilobytes.
func copies(t testing.TB, n int) []byte {
	t.Helper()
	d := gltf.NewDraft()
	corners := make([][3]float32, 4_000)
	mesh := d.AddTriangles("cloud", corners, corners, []uint32{0, 1, 2}, gltf.None)
	for range n {
		d.Show(d.AddNode(gltf.NewNode{TRS: gltf.Rest, Mesh: mesh}))
	}
	var b bytes.Buffer
	if err := d.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestAFileThatCannotBeImportedChangesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	whole := tower(t, 3)
	nodes := func(n int) string {
		return `{"asset": {"version": "2.0"}, "nodes": [` + strings.Repeat("{},", n-1) + `{}]}`
	}
	for text, file := range map[string]string{
		"it is empty":                      "",
		"it is an IFC":                     "ISO-10303-21;",
		"it is cut":                        string(whole[:len(whole)-1]),
		"refers to another one":            `{"asset": {"version": "2.0"}, "buffers": [{"byteLength": 1, "uri": "x.bin"}], "nodes": [{}]}`,
		"requires an extension":            `{"asset": {"version": "2.0"}, "extensionsRequired": ["X"], "nodes": [{}]}`,
		"it has no nodes":                  `{"asset": {"version": "2.0"}}`,
		"nodes: there are more than 1000":  nodes(1001),
		"cameras: there are more than 500": `{"asset": {"version": "2.0"}, "cameras": [` + strings.Repeat("{},", 50_000) + `{}], "nodes": [{}]}`,
		"it has more than 8388608 bytes":   `{"asset": {"version": "2.0"}, "nodes": [{}]}` + strings.Repeat(" ", models.MaxGLTFBytes),
		"more bytes of geometry and prope": string(copies(t, 100)),
		"The value of 'code'":              `{"asset": {"version": "2.0"}, "nodes": [{"extras": {"code": "` + strings.Repeat("x", 256) + `"}}]}`,
	} {
		_, err := w.ImportGLTF(t.Context(), "target-model", strings.NewReader(file))
		e := twinplatform.AsError(err)
		if e == nil || e.Code != "InvalidModelRequest" || !strings.Contains(fmt.Sprint(e.Details), text) {
			t.Errorf("%.40q: %v %+v, want %q", file, err, e, text)
		}
	}
	unread := iotest.ErrReader(errors.New("the file was read"))
	if _, err := w.ImportGLTF(w.As("reader", "models_read", "target"), "target-model", unread); !errors.Is(err, twinplatform.Forbidden) {
		t.Errorf("a reader sends a file: %v", err)
	}
	broken := errors.New("the connection broke")
	if _, err := w.ImportGLTF(t.Context(), "target-model", iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("a reader that fails: %v", err)
	}
	if _, err := w.ImportGLTF(w.As("reader", "models_read", "target"), "target-model", bytes.NewReader(whole)); !errors.Is(err, twinplatform.Forbidden) {
		t.Errorf("a reader imports: %v", err)
	}
	if _, err := w.ImportGLTF(w.As("stranger"), "target-model", bytes.NewReader(whole)); !errors.Is(err, twinplatform.NotFound) {
		t.Errorf("a stranger imports: %v", err)
	}
	if page, err := w.Changesets(t.Context(), "target-model", models.ChangesetQuery{}); err != nil || page.Len() != 0 {
		t.Errorf("there are %d changesets, %v", page.Len(), err)
	}
}

func TestAGeometryThatIsTooLargeIsLeftOutWithAWarning(t *testing.T) {
	t.Parallel()
	d := gltf.NewDraft()
	corners := make([][3]float32, 20_000)
	d.Show(d.AddNode(gltf.NewNode{TRS: gltf.Rest, Mesh: d.AddTriangles("cloud", corners, corners, []uint32{0, 1, 2}, gltf.None)}))
	var b bytes.Buffer
	if err := d.Write(&b); err != nil {
		t.Fatal(err)
	}
	w := newWorld(t)
	got, err := w.ImportGLTF(t.Context(), "target-model", &b)
	if err != nil || len(got.Warnings) != 1 || !strings.HasPrefix(got.Warnings[0].Text, "Its geometry is left out: it has 480") || got.Warnings[0].What != "node 0" {
		t.Errorf("%+v, %v", got.Warnings, err)
	}
}
