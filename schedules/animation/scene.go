package animation

import (
	"bytes"
	"maps"
	"math"
	"slices"

	"github.com/seed-933f9a09/twinplatform/schedules/fourd"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd/gltf"
)

// scene is the 3D model that is played.
type scene struct {
	draft *gltf.Draft
	cube  int            // the mesh of all boxes
	shown map[int]string // entities, by node
	nodes map[string]int // how many each entity has
	bytes int            // of geometry
}

func newScene() *scene {
	return &scene{draft: gltf.NewDraft(), cube: gltf.None, shown: make(map[int]string), nodes: make(map[string]int)}
}

func (s *scene) entity(node int) string { return s.shown[node] }

// insert adds the geometry of an entity. It reports false for one that is none, or of which not all can be shown.
//
// Errors: LimitExceeded.
func (s *scene) insert(entity string, geometry []byte) (bool, error) {
	if len(geometry) == 0 {
		return false, nil
	}
	if s.bytes += len(geometry); s.bytes > MaxFilmShapes {
		return false, tooMuch(tooLarge, MaxFilmShapes)
	}
	m, err := gltf.Read(bytes.NewReader(geometry), gltf.Options{MaxNodes: maxShapeObjects, MaxObjects: maxShapeObjects})
	if err != nil {
		return false, nil
	}
	if err := s.room(len(m.Nodes)); err != nil {
		return false, err
	}
	before := s.draft.Added()
	nodes, err := s.draft.Insert(m, MaxFilmShapes)
	if err != nil || len(nodes) == 0 {
		return false, nil
	}
	for _, i := range nodes {
		s.shown[i] = entity
	}
	s.nodes[entity] = len(nodes)
	// Meshes of a geometry may share bytes, which each of them has by itself here.
	if s.bytes += max(0, s.draft.Added()-before-len(geometry)); s.bytes > MaxFilmShapes {
		return false, tooMuch(tooLarge, MaxFilmShapes)
	}
	return true, nil
}

// room refuses more nodes than there may be.
func (s *scene) room(nodes int) error {
	if len(s.shown)+nodes > MaxFilmNodes {
		return tooMuch("The geometry of the entities has more than %d nodes. Ask for fewer entities, by entityIds.",
			MaxFilmNodes)
	}
	return nil
}

// maxShapeObjects is how many nodes, and how many of whatever else, the geometry of an element may have.
const maxShapeObjects = 1_000

// thin is how thick a box is shown that has no thickness.
const thin = 0.001

// box adds the box of an entity, unless it is none.
//
// Errors: LimitExceeded.
func (s *scene) box(entity string, b fourd.Box) error {
	box := (&gltf.Box{Min: corner(b.Min), Max: corner(b.Max)}).In(gltf.FromZUp)
	trs := gltf.Rest
	trs.Translation = box.Min
	for i, high := range box.Max {
		size := high - box.Min[i]
		if math.IsNaN(size) || math.IsInf(size, 0) || size < 0 {
			return nil
		}
		trs.Scale[i] = max(size, thin)
	}
	if err := s.room(1); err != nil {
		return err
	}
	if s.cube == gltf.None {
		s.cube = s.draft.AddBlock("box", gltf.Box{Max: [3]float64{1, 1, 1}}, s.draft.AddMaterial([]byte(
			`{"pbrMetallicRoughness":{"baseColorFactor":[0.75,0.75,0.75,1],"metallicFactor":0,"roughnessFactor":0.9}}`)))
	}
	i := s.draft.AddNode(gltf.NewNode{Name: entity, TRS: trs, Mesh: s.cube})
	s.shown[i], s.nodes[entity] = entity, 1
	return nil
}

func corner(v fourd.Vector) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

// model is the scene as it is read from a file.
func (s *scene) model() (*gltf.Model, error) {
	s.draft.Show(slices.Sorted(maps.Keys(s.shown))...)
	var b bytes.Buffer
	if err := s.draft.Write(&b); err != nil {
		return nil, err
	}
	return gltf.Read(&b, gltf.Options{})
}
