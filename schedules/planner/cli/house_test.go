package cli

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/seed-933f9a09/twinplatform/schedules/fourd/gltf"
)

var update = flag.Bool("update", false, "write the model of the demo's house")

// houseModel is a model of the house of the demo, as modellers make them: Z points up within it, copies have numbers at
// the end of their names, and windows have the code of their task as a property.
func houseModel() *gltf.Draft {
	d := gltf.NewDraft()
	unit := gltf.Box{Max: [3]float64{1, 1, 1}}
	paint := func(name, color string) int {
		return d.AddBlock(name, unit, d.AddMaterial(json.RawMessage(fmt.Sprintf(
			`{"name":%q,"pbrMetallicRoughness":{"baseColorFactor":[%s,1],"metallicFactor":0}}`, name, color))))
	}
	concrete, timber := paint("concrete", "0.55,0.55,0.52"), paint("timber", "0.5,0.33,0.16")
	tiles, green := paint("tiles", "0.45,0.12,0.08"), paint("green", "0.15,0.35,0.1")
	glass := d.AddBlock("glass", unit, d.AddMaterial(json.RawMessage(
		`{"name":"glass","alphaMode":"BLEND","pbrMetallicRoughness":{"baseColorFactor":[0.3,0.5,0.7,0.4],"metallicFactor":0}}`)))
	var nodes []int
	names := make(map[string]int)
	put := func(mesh int, name string, low, high [3]float64, extras string) {
		if n := names[name]; n > 0 {
			names[name], name = n+1, fmt.Sprintf("%s.%03d", name, n)
		} else {
			names[name] = 1
		}
		trs := gltf.TRS{Translation: low, Rotation: gltf.Rest.Rotation}
		for i := range 3 {
			trs.Scale[i] = high[i] - low[i]
		}
		nodes = append(nodes, d.AddNode(gltf.NewNode{Name: name, TRS: trs, Mesh: mesh, Extras: json.RawMessage(extras)}))
	}
	ring := func(mesh int, name string, out, in, low, high float64) {
		put(mesh, name, [3]float64{-out, -out, low}, [3]float64{12 + out, in, high}, "")
		put(mesh, name, [3]float64{-out, 9 - in, low}, [3]float64{12 + out, 9 + out, high}, "")
		put(mesh, name, [3]float64{-out, in, low}, [3]float64{in, 9 - in, high}, "")
		put(mesh, name, [3]float64{12 - in, in, low}, [3]float64{12 + out, 9 - in, high}, "")
	}
	put(timber, "A130", [3]float64{5.8, -6, -3.2}, [3]float64{6.2, 9, -3}, "")
	put(concrete, "B100", [3]float64{0, 0, -3}, [3]float64{12, 9, -2.7}, "")
	ring(concrete, "B110", 0, 0.3, -2.7, -0.3)
	ring(timber, "B140", 0.02, 0, -2.7, -0.3)
	for floor, name := range []string{"B120", "B130"} {
		z := 3.3*float64(floor) - 0.3
		put(concrete, name, [3]float64{0, 0, z}, [3]float64{12, 9, z + 0.3}, "")
		for i := range 6 {
			x, y := 0.1+5.75*float64(i%3), 0.1+8.5*float64(i/3)
			put(concrete, name, [3]float64{x, y, z + 0.3}, [3]float64{x + 0.3, y + 0.3, z + 3.3}, "")
		}
		for i := range 4 {
			x := 0.5 + 2.9*float64(i)
			extras := `{"code":"C130","width":2.4}`
			put(glass, fmt.Sprintf("Window %d", 4*floor+i+1), [3]float64{x, 0.1, z + 0.6}, [3]float64{x + 2.4, 0.15, z + 2.8}, extras)
		}
	}
	for i := range 4 {
		x := 3.9 * float64(i)
		put(timber, "C100", [3]float64{x, -0.6, 6.3}, [3]float64{x + 0.3, 9.6, 6.6}, "")
	}
	put(tiles, "C110", [3]float64{-0.6, -0.6, 6.6}, [3]float64{12.6, 9.6, 6.75}, "")
	put(concrete, "Outside works", [3]float64{0, -5, -0.1}, [3]float64{12, -0.1, 0}, "")
	put(green, "Tree", [3]float64{-6, 2, -0.3}, [3]float64{-4, 4, 5}, "")
	d.Show(d.AddNode(gltf.NewNode{
		Name: "House", TRS: gltf.TRS{Rotation: gltf.Quaternion{-0.7071067811865476, 0, 0, 0.7071067811865476}, Scale: [3]float64{1, 1, 1}},
		Mesh: gltf.None, Children: nodes,
	}))
	return d
}

// The model that the documentation animates is written by the package that reads it.
func TestTheModelOfTheHouseIsAsItIsMade(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := houseModel().Write(&b); err != nil {
		t.Fatal(err)
	}
	const name = files + "cases/house.glb"
	if *update {
		if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	there, err := os.ReadFile(name)
	if err != nil || !bytes.Equal(there, b.Bytes()) {
		t.Errorf("%s differs, %v: run go test ./schedules/planner/cli -update", name, err)
	}
}
