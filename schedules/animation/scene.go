package animation

import (
	"bytes"
	"math"
	"slices"

	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd/gltf"
)

// scene is the 3D model that is played.
type scene struct {
	draft  *gltf.Draft
	cube   int            // the mesh of all boxes
	shown  map[int]string // entities, by node
	budget int            // bytes of geometry
}

func newScene() *scene {
	s := &scene{draft: gltf.NewDraft(), cube: gltf.None, shown: make(map[int]string), budget: MaxFilmShapes}
	return s
}

func (s *scene) entity(node int) string { return s.shown[node] }

// insert adds the geometry of an entity. It reports false for one that is none, or of which not all can be shown.
func (s *scene) insert(entity string, geometry []byte) bool {
	if len(geometry) == 0 {
		return false
	}
	m, err := gltf.Read(bytes.NewReader(geometry), gltf.Options{MaxNodes: maxShapeObjects, MaxObjects: maxShapeObjects})
	if err != nil {
		return false
	}
	nodes, err := s.draft.Insert(m, s.budget)
	s.budget -= len(geometry)
	for _, i := range nodes {
		s.shown[i] = entity
	}
	s.draft.Show(nodes...)
	return err == nil && len(nodes) > 0
}

// maxShapeObjects is how many nodes, and how many of whatever else, the geometry of an element may have.
const maxShapeObjects = 1_000

// thin is how thick a box is shown that has no thickness.
const thin = 0.001

// box adds the box of an entity. It reports false for one that is none.
func (s *scene) box(entity string, b fourd.Box) bool {
	low, size := corner(b.Min), [3]float64{}
	for i, high := range corner(b.Max) {
		size[i] = high - low[i]
		if math.IsNaN(size[i]) || math.IsInf(size[i], 0) || size[i] < 0 {
			return false
		}
		size[i] = max(size[i], thin)
	}
	if s.cube == gltf.None {
		s.cube = s.addCube()
	}
	// Z points up in the plan, and Y in glTF.
	trs := gltf.Rest
	trs.Translation = [3]float64{low[0], low[2], -low[1]}
	trs.Scale = [3]float64{size[0], size[2], size[1]}
	i := s.draft.AddNode(gltf.NewNode{Name: entity, TRS: trs, Mesh: s.cube})
	s.shown[i] = entity
	s.draft.Show(i)
	return true
}

func corner(v fourd.Vector) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

// addCube adds a cube from the origin to the right, up and to the back.
func (s *scene) addCube() int {
	var corners, normals [][3]float32
	var triangles []uint32
	for axis := range 3 {
		for _, side := range []float32{0, 1} {
			var normal [3]float32
			normal[axis] = 2*side - 1
			first := uint32(len(corners))
			for _, uv := range [][2]float32{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
				var p [3]float32
				p[axis], p[(axis+1)%3], p[(axis+2)%3] = side, uv[0], uv[1]
				p[2]-- // the back is along -Z
				corners, normals = append(corners, p), append(normals, normal)
			}
			turn := []uint32{0, 1, 2, 0, 2, 3}
			if side == 0 {
				slices.Reverse(turn)
			}
			for _, k := range turn {
				triangles = append(triangles, first+k)
			}
		}
	}
	grey := s.draft.AddMaterial([]byte(
		`{"pbrMetallicRoughness":{"baseColorFactor":[0.75,0.75,0.75,1],"metallicFactor":0,"roughnessFactor":0.9}}`))
	return s.draft.AddTriangles("box", corners, normals, triangles, grey)
}

// model is the scene as it is read from a file.
func (s *scene) model() (*gltf.Model, error) {
	var b bytes.Buffer
	if err := s.draft.Write(&b); err != nil {
		return nil, err
	}
	return gltf.Read(&b, gltf.Options{})
}
