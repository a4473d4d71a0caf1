package animated_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/schedules/fourd/gltf"
)

// film is a GLB as a player sees it: a plain one, which knows nothing of the packages that wrote it.
type film struct {
	text string
	bin  []byte

	Scenes []struct{ Nodes []int }
	Nodes  []struct {
		Name                         string
		Children                     []int
		Mesh                         *int
		Matrix                       *gltf.Matrix
		Translation, Rotation, Scale []float64
	}
	Meshes []struct {
		Primitives []struct {
			Attributes map[string]int
			Material   *int
		}
	}
	Materials []struct {
		PBR struct {
			BaseColorFactor []float64
		} `json:"pbrMetallicRoughness"`
	}
	Accessors []struct {
		BufferView, ByteOffset, ComponentType, Count int
		Type                                         string
	}
	BufferViews []struct{ ByteOffset, ByteLength, ByteStride int }
	Animations  []struct {
		Channels []struct {
			Sampler int
			Target  struct {
				Node       *int
				Path       string
				Extensions struct {
					P struct{ Pointer string } `json:"KHR_animation_pointer"`
				}
			}
		}
		Samplers []struct {
			Input, Output int
			Interpolation string
		}
		Extras json.RawMessage
	}
}

func open(t testing.TB, file []byte) *film {
	t.Helper()
	n := binary.LittleEndian.Uint32(file[12:])
	f := &film{text: string(file[20 : 20+n])}
	if int(20+n) < len(file) {
		f.bin = file[28+n:]
	}
	if err := json.Unmarshal([]byte(f.text), f); err != nil {
		t.Fatal(err)
	}
	return f
}

// numbers are the elements of an accessor.
func (f *film) numbers(i int) (list [][]float64) {
	a := f.Accessors[i]
	width := map[string]int{"SCALAR": 1, "VEC3": 3, "VEC4": 4}[a.Type]
	v := f.BufferViews[a.BufferView]
	at := f.bin[v.ByteOffset+a.ByteOffset:]
	for range a.Count {
		var e []float64
		for range width {
			if a.ComponentType == 5121 {
				e, at = append(e, float64(at[0])), at[1:]
			} else {
				e, at = append(e, float64(math.Float32frombits(binary.LittleEndian.Uint32(at)))), at[4:]
			}
		}
		list = append(list, e)
	}
	return list
}

// withoutPointers makes it a viewer that plays the standard channels alone.
func (f *film) withoutPointers() {
	a := &f.Animations[0]
	a.Channels = slices.DeleteFunc(a.Channels, func(c struct {
		Sampler int
		Target  struct {
			Node       *int
			Path       string
			Extensions struct {
				P struct{ Pointer string } `json:"KHR_animation_pointer"`
			}
		}
	},
	) bool {
		return c.Target.Path == "pointer"
	})
}

// values are those of all channels at a time.
func (f *film) values(at float64) map[string][]float64 {
	all := make(map[string][]float64)
	for _, a := range f.Animations {
		for _, c := range a.Channels {
			s := a.Samplers[c.Sampler]
			times, values := f.numbers(s.Input), f.numbers(s.Output)
			k := 0
			for k+1 < len(times) && times[k+1][0] <= at {
				k++
			}
			v := values[k]
			if s.Interpolation != "STEP" && at > times[k][0] && k+1 < len(times) {
				v = mixed(v, values[k+1], (at-times[k][0])/(times[k+1][0]-times[k][0]), c.Target.Path == "rotation")
			}
			name := c.Target.Extensions.P.Pointer
			if c.Target.Node != nil {
				name = fmt.Sprintf("/nodes/%d/%s", *c.Target.Node, c.Target.Path)
			}
			all[name] = v
		}
	}
	return all
}

// mixed is between two values: on a line, or on the arc between two rotations.
func mixed(a, b []float64, share float64, turn bool) []float64 {
	f, g, near := 1-share, share, 0.0
	for i := range a {
		near += a[i] * b[i]
	}
	if turn && near < 0 {
		panic("a rotation goes the longer way")
	}
	if turn && near < 1-1e-9 {
		angle := math.Acos(near)
		f, g = math.Sin(f*angle)/math.Sin(angle), math.Sin(g*angle)/math.Sin(angle)
	}
	var v []float64
	for i := range a {
		v = append(v, f*a[i]+g*b[i])
	}
	return v
}

// drawn is a mesh that is seen.
type drawn struct {
	Box   gltf.Box
	Color [4]float64
}

func (f *film) still() []drawn { return f.draw(nil) }

func (f *film) at(seconds float64) []drawn { return f.draw(f.values(seconds)) }

// draw is what is seen, in the order of where it is. Both ways to hide a node must agree.
func (f *film) draw(values map[string][]float64) (list []drawn) {
	var visit func(i int, place gltf.Matrix, visible bool)
	visit = func(i int, place gltf.Matrix, visible bool) {
		n := f.Nodes[i]
		of := func(path string, value, rest []float64) []float64 {
			if v, ok := values[fmt.Sprintf("/nodes/%d/%s", i, path)]; ok {
				return v
			}
			if value != nil {
				return value
			}
			return rest
		}
		local := gltf.TRS{
			Translation: [3]float64(of("translation", n.Translation, []float64{0, 0, 0})),
			Rotation:    gltf.Quaternion(of("rotation", n.Rotation, []float64{0, 0, 0, 1})),
			Scale:       [3]float64(of("scale", n.Scale, []float64{1, 1, 1})),
		}
		m := local.Matrix()
		if n.Matrix != nil {
			m = *n.Matrix
		}
		if v, ok := values[fmt.Sprintf("/nodes/%d/extensions/KHR_node_visibility/visible", i)]; ok {
			if hidden := local.Scale == [3]float64{}; hidden == (v[0] == 1) {
				panic(fmt.Sprintf("node %d is scaled by %v, and its visibility is %v", i, local.Scale, v))
			}
		}
		place, visible = place.Times(m), visible && local.Scale != [3]float64{}
		if n.Mesh != nil && visible {
			for _, p := range f.Meshes[*n.Mesh].Primitives {
				list = append(list, drawn{*f.around(p.Attributes["POSITION"], place), f.color(p.Material, values)})
			}
		}
		for _, c := range n.Children {
			visit(c, place, visible)
		}
	}
	for _, i := range f.Scenes[0].Nodes {
		visit(i, gltf.Identity, true)
	}
	slices.SortFunc(list, func(a, b drawn) int { return strings.Compare(order(a), order(b)) })
	return list
}

func order(d drawn) string {
	return fmt.Sprintf("%9.1f %9.1f %9.1f", d.Box.Min[0]+d.Box.Max[0], d.Box.Min[1]+d.Box.Max[1], d.Box.Min[2]+d.Box.Max[2])
}

func (f *film) around(accessor int, place gltf.Matrix) (b *gltf.Box) {
	for _, p := range f.numbers(accessor) {
		q := place.Apply([3]float64(p))
		b = b.Union(&gltf.Box{Min: q, Max: q})
	}
	return b
}

func (f *film) color(material *int, values map[string][]float64) [4]float64 {
	if material == nil {
		return [4]float64{1, 1, 1, 1}
	}
	if v, ok := values[fmt.Sprintf("/materials/%d/pbrMetallicRoughness/baseColorFactor", *material)]; ok {
		return [4]float64(v)
	}
	if v := f.Materials[*material].PBR.BaseColorFactor; v != nil {
		return [4]float64(v)
	}
	return [4]float64{1, 1, 1, 1}
}
