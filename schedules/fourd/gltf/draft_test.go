package gltf_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/schedules/fourd/gltf"
)

func TestADraftKeepsWhatItDoesNotChange(t *testing.T) {
	t.Parallel()
	const picture = "\x89PNG\r\n\x1A\n and so on"
	files := gltf.Options{Files: fstest.MapFS{"brick.png": {Data: []byte(picture)}}}
	file := site(`{"name": "Wall", "mesh": 0, "extras": {"code": "W"}, "extensions": {"ACME_glow": {"light": 5}}}`,
		`"meshes"`, `"extensionsUsed": ["ACME_glow"], "ACME_top": 5, "images": [{"uri": "brick.png", "name": "brick"}], "meshes"`)
	m, err := gltf.Read(strings.NewReader(file), files)
	if err != nil {
		t.Fatal(err)
	}
	d := m.Draft()
	group := d.AddNode(gltf.NewNode{Name: "Storey", TRS: gltf.Rest, Mesh: gltf.None, Children: []int{0}, Extras: json.RawMessage(`{"code":"S"}`)})
	d.Replace(map[int][]int{0: {group}})
	var b bytes.Buffer
	if err := d.Write(&b); err != nil {
		t.Fatal(err)
	}
	again := read(t, b.String())
	if again.Nodes[group].Name != "Storey" || again.Nodes[group].Code != "S" || again.Nodes[0].Parent != group {
		t.Errorf("%+v", again.Nodes)
	}
	if diff := cmp.Diff(m.Nodes[0].Box, again.Nodes[0].Box); diff != "" || again.Nodes[0].Code != "W" {
		t.Errorf("%+v (-want +got)\n%s", again.Nodes[0], diff)
	}
	for _, kept := range []string{`"ACME_top":5`, `{"ACME_glow":{"light":5}}`, `{"bufferView":1,"mimeType":"image/png","name":"brick"}`, picture} {
		if !strings.Contains(b.String(), kept) {
			t.Errorf("there is no %s in %q", kept, b.String())
		}
	}
}

func TestAMadeModelIsReadAsItWasMade(t *testing.T) {
	t.Parallel()
	d := gltf.NewDraft()
	red := d.AddMaterial(json.RawMessage(`{"name":"red"}`))
	mesh := d.AddTriangles("flag", [][3]float32{{0, 0, 0}, {1, 2, 0}, {0, 1, 3}}, [][3]float32{{1, 0, 0}, {1, 0, 0}, {1, 0, 0}}, []uint32{0, 1, 2}, red)
	place := gltf.TRS{Translation: [3]float64{0, 0, 5}, Rotation: gltf.Quaternion{0, 0, 0, 1}, Scale: [3]float64{2, 2, 2}}
	d.Show(d.AddNode(gltf.NewNode{Name: "Flag", TRS: place, Mesh: mesh}))
	blue := d.Repaint(mesh, true, func(was int) int {
		if was != red {
			t.Errorf("the material is %d, and was %d", was, red)
		}
		return d.AddMaterial(json.RawMessage(`{"name":"blue"}`))
	})
	d.Show(d.CopyNode(0, blue, nil))
	d.Animate(gltf.Animation{Name: "flight", Channels: []gltf.Channel{
		{Node: 0, Path: gltf.Translation, Times: []float32{0, 1}, Values: []float32{0, 0, 0, 1, 1, 1}},
		{Node: 0, Path: gltf.Scale, Step: true, Times: []float32{0, 1}, Values: []float32{0, 0, 0, 1, 1, 1}},
		{Pointer: "/nodes/0/extensions/KHR_node_visibility/visible", Step: true, Times: []float32{0, 1}, Flags: []bool{false, true}},
	}})
	var b, twice bytes.Buffer
	if err := d.Write(&b); err != nil {
		t.Fatal(err)
	}
	m := read(t, b.String())
	if diff := cmp.Diff(&gltf.Box{Min: [3]float64{0, 0, 5}, Max: [3]float64{2, 4, 11}}, m.Bounds(0)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if len(m.Nodes) != 2 || m.Nodes[1].Mesh != blue || len(m.Roots()) != 2 {
		t.Errorf("%+v", m.Nodes)
	}
	if err := d.Write(&twice); err != nil || !bytes.Equal(b.Bytes(), twice.Bytes()) {
		t.Errorf("written a second time it differs: %v", err)
	}
}
