package animated_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd/animated"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd/gltf"
	"github.com/seed-933f9a09/twinplatform/schedules/worktime"
)

type random struct{ *rand.Rand }

func (r random) one(all ...string) string { return all[r.IntN(len(all))] }

// number is one of -3 to 3.
func (r random) number() float64 { return 6*r.Float64() - 3 }

// turn is a rotation.
func (r random) turn() gltf.Quaternion {
	m := gltf.TRS{Rotation: gltf.Quaternion{r.number(), r.number(), r.number(), r.number()}, Scale: [3]float64{1, 1, 1}}.Matrix()
	trs, _ := m.TRS()
	return trs.Rotation
}

// model is a tree of blocks, each far from the others, within what is moved, turned and scaled equally.
func (r random) model(t testing.TB) *gltf.Model {
	d := gltf.NewDraft()
	glass := d.AddMaterial(json.RawMessage(`{"alphaMode":"BLEND","pbrMetallicRoughness":{"baseColorFactor":[0.25,0.5,1,0.5]}}`))
	materials := []int{gltf.None, glass}
	var below []int
	for i := range 7 {
		box := gltf.Box{Min: [3]float64{r.number(), r.number(), r.number()}}
		for k := range box.Max {
			box.Max[k] = box.Min[k] + 0.5 + r.Float64()
		}
		trs := gltf.TRS{Translation: [3]float64{100 * float64(i), r.number(), r.number()}, Rotation: r.turn(), Scale: [3]float64{1, 1, 1}}
		n := gltf.NewNode{Name: fmt.Sprint("0x", i), TRS: trs, Mesh: d.AddBlock("block", box, materials[r.IntN(2)])}
		if len(below) > 0 && r.IntN(3) == 0 {
			n.Children, below = below, nil
			n.TRS.Scale = [3]float64{2, 2, 2}
		}
		below = append(below, d.AddNode(n))
	}
	d.Show(below...)
	return written(t, d)
}

func (r random) profile(id string) fourd.Profile {
	look := func() *fourd.Look {
		if r.IntN(2) == 0 {
			return nil
		}
		return &fourd.Look{Color: r.one("", "#ff0000", "#0000ff"), Transparency: float64(r.IntN(3) * 40), OriginalTransparency: r.IntN(2) == 0}
	}
	p := fourd.Profile{ID: id, Action: fourd.Action(r.one("Install", "Maintain", "Remove", "Temporary")), Start: look(), End: look()}
	if r.IntN(4) > 0 {
		p.Active = &fourd.ActiveLook{
			Color: r.one("", "#00ff00"), StartTransparency: float64(r.IntN(3) * 30), FinishTransparency: float64(r.IntN(3) * 30),
			OriginalTransparency: r.IntN(2) == 0,
		}
	}
	if p.Active != nil && r.IntN(4) > 0 {
		p.Active.Growth = &fourd.GrowthRule{
			Mode:      fourd.Mode(r.one("BottomTop", "TopBottom", "LeftRight", "RightLeft", "FrontBack", "BackFront", "Custom")),
			Direction: &fourd.Vector{X: 1, Y: r.number(), Z: r.number()}, Removing: r.IntN(3) == 0,
		}
	}
	return p
}

func (r random) site(m *gltf.Model) *fourd.Site {
	s := &fourd.Site{Box: animated.Boxes(m, named(m))}
	for i := range 8 {
		start := r.Float64() * 10
		s.Tasks = append(s.Tasks, fourd.Task{ID: fmt.Sprint("A", i), Planned: fourd.Span{Start: day(start), Finish: day(start + 4*r.Float64())}})
		s.Profiles = append(s.Profiles, r.profile(fmt.Sprint("p", i)))
	}
	for i := range 3 {
		q := r.turn()
		turn := fourd.Quaternion{X: q[0], Y: q[1], Z: q[2], W: q[3]}.Matrix()
		turn[3], turn[7], turn[11] = r.number(), r.number(), r.number()
		s.Transforms = append(s.Transforms, fourd.Transform{ID: fmt.Sprint("t", i), Matrix: turn})
		path := fourd.Path{ID: fmt.Sprint("way", i)}
		for _, at := range []float64{0, 0.3, 0.3, 0.7, 1} {
			k := fourd.Keyframe{Time: at}
			if r.IntN(4) > 0 {
				k.Position = &fourd.Vector{X: r.number(), Y: r.number(), Z: r.number()}
			}
			if r.IntN(4) > 0 {
				k.Rotation = &fourd.Rotation{Angle: 100 * r.number(), Axis: fourd.Vector{X: r.number(), Y: 1, Z: r.number()}}
			}
			path.Keyframes = append(path.Keyframes, k)
		}
		s.Paths = append(s.Paths, path)
		s.PathAssignments = append(s.PathAssignments, fourd.PathAssignment{
			ID: fmt.Sprint("assigned", i), PathID: path.ID, Alignment: fourd.Alignment(r.one("Center", "Original", "MinZ")), Reverse: r.IntN(2) == 0,
		})
	}
	for i := range 12 { // each node shows something, so that each is by itself
		b := fourd.Binding{
			ID: fmt.Sprint("b", i), EntityID: fmt.Sprint("0x", i%7), TaskID: fmt.Sprint("A", r.IntN(8)), ProfileID: fmt.Sprint("p", r.IntN(8)),
			TransformID: r.one("", "", "t0", "t1", "t2"), PathAssignmentID: r.one("", "", "", "assigned0", "assigned1", "assigned2"),
			GroupID: r.one("", "", "crew"),
		}
		s.Bindings = append(s.Bindings, b)
	}
	return s
}

// expected is what is seen of a model at a time, by the states of its entities alone.
func expected(m *gltf.Model, f *film, line *fourd.Timeline, at worktime.Time) (list []drawn) {
	for id, state := range line.At(at) {
		for i := range m.Nodes {
			if m.Nodes[i].Name == id {
				if d, seen := f.state(&m.Nodes[i], state); seen {
					list = append(list, d)
				}
			}
		}
	}
	slices.SortFunc(list, func(a, b drawn) int { return strings.Compare(order(a), order(b)) })
	return list
}

// state is a node as its state says; false where nothing of it is there.
func (f *film) state(n *gltf.Node, s *fourd.State) (d drawn, seen bool) {
	if !s.Present {
		return d, false
	}
	p := f.Meshes[n.Mesh].Primitives[0]
	d.Color = f.color(p.Material, nil)
	if s.Color != "" {
		for i := range 3 {
			c, _ := strconv.ParseUint(s.Color[1+2*i:3+2*i], 16, 8)
			d.Color[i] = float64(c / 255)
		}
	}
	if !s.OriginalTransparency {
		d.Color[3] = 1 - s.Transparency/100
	}
	normal, low, part := fourd.Vector{}, 0.0, 1.0
	if s.Growth.Cut {
		normal = s.Growth.Plane.Normal
		b, high := n.Box.In(gltf.ZUp), 0.0
		for i, x := range []float64{normal.X, normal.Y, normal.Z} {
			low, high = low+min(x*b.Min[i], x*b.Max[i]), high+max(x*b.Min[i], x*b.Max[i])
		}
		part = min(max((s.Growth.Plane.Offset-low)/(high-low), 0), 1)
	}
	if part == 0 {
		return d, false
	}
	m := fourd.Identity
	if s.Moved {
		m = s.Matrix
	}
	var b *gltf.Box
	for _, corner := range f.numbers(p.Attributes["POSITION"]) {
		v := gltf.ZUp.Apply(n.World.Apply([3]float64(corner)))
		far := (part - 1) * (normal.X*v[0] + normal.Y*v[1] + normal.Z*v[2] - low)
		q := m.Apply(fourd.Vector{X: v[0] + far*normal.X, Y: v[1] + far*normal.Y, Z: v[2] + far*normal.Z})
		at := gltf.FromZUp.Apply([3]float64{q.X, q.Y, q.Z})
		b = b.Union(&gltf.Box{Min: at, Max: at})
	}
	d.Box = *b
	return d, true
}
