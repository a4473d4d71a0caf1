package animated_test

import (
	"bytes"
	"strconv"
	"testing"

	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd/animated"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd/gltf"
)

// FuzzWrite animates whatever model is read, each node by a task of its own, and reads what was written.
func FuzzWrite(f *testing.F) {
	d := gltf.NewDraft()
	part := d.AddNode(gltf.NewNode{Name: "part", TRS: gltf.Rest, Mesh: d.AddBlock("block", unit, gltf.None)})
	d.Show(d.AddNode(gltf.NewNode{Name: "whole", TRS: gltf.Rest, Mesh: 0, Children: []int{part}}))
	f.Add(bytesOf(f, d))
	f.Add([]byte(`{"asset": {"version": "2.0"}, "nodes": [{"mesh": 0, "matrix": [1,0,0,0, 2,1,0,0, 0,0,1,0, 5,6,7,1], "children": [1]}, {"mesh": 0}],
"meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}], "materials": [{"alphaMode": "BLEND"}],
"accessors": [{"componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 2, 1]}]}`))
	f.Fuzz(func(t *testing.T, file []byte) {
		m, err := gltf.Read(bytes.NewReader(file), gltf.Options{})
		if err != nil || len(m.Nodes) > 100 {
			return
		}
		entity := strconv.Itoa
		s := &fourd.Site{
			Profiles: []fourd.Profile{{
				ID: "p", Action: fourd.Install, Active: &fourd.ActiveLook{
					Color: "#00ff00", FinishTransparency: 50,
					Growth: &fourd.GrowthRule{Mode: fourd.Custom, Direction: &fourd.Vector{X: 1, Y: 2, Z: 3}},
				},
			}},
			Transforms: []fourd.Transform{{ID: "t", Matrix: fourd.Matrix{0, -1, 0, 5, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}}},
			Box:        animated.Boxes(m, entity),
		}
		for i := range m.Nodes {
			id := entity(i)
			s.Tasks = append(s.Tasks, fourd.Task{ID: id, Planned: fourd.Span{Start: day(float64(i)), Finish: day(float64(i + 2))}})
			s.Bindings = append(s.Bindings, fourd.Binding{ID: id, EntityID: id, TaskID: id, ProfileID: "p", TransformID: "t"})
		}
		line, err := fourd.New(s)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := animated.Write(t.Context(), &b, m, line, animated.Options{Entity: entity}); err != nil {
			t.Fatal(err)
		}
		if _, err := gltf.Read(&b, gltf.Options{}); err != nil {
			t.Fatalf("what was written is not read: %v", err)
		}
	})
}
