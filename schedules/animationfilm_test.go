package schedules_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/seed-933f9a09/twinplatform"
	"github.com/seed-933f9a09/twinplatform/schedules"
	"github.com/seed-933f9a09/twinplatform/schedules/animation"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd/gltf"
	"github.com/seed-933f9a09/twinplatform/storage/memory"
)

// shaped is the model "site" with geometries of its elements.
type shaped struct {
	boxes

	shapes map[string][]byte
}

func (s shaped) Shapes(_ context.Context, _ string, elementIDs []string, most int) (map[string][]byte, bool, error) {
	all := make(map[string][]byte)
	for _, id := range elementIDs {
		if shape := s.shapes[id]; shape != nil {
			if most -= len(shape); most < 0 {
				return all, false, nil
			}
			all[id] = shape
		}
	}
	return all, true, nil
}

// film plays the site.
func (p *plan) film(q animation.FilmQuery) animation.Film {
	p.Helper()
	f, err := animation.In(p.in()).Film(p.ctx, q)
	if err != nil {
		p.Fatal(err)
	}
	return f
}

// ofSite asks for the site with its model.
func ofSite() (q animation.FilmQuery) {
	q.ModelID = "site"
	return q
}

// played is a film as it is read: the boxes of its nodes by their names, each once, and how long it takes.
func played(t *testing.T, glb []byte) (found map[string][2][3]float64, seconds float64) {
	t.Helper()
	m, err := gltf.Read(bytes.NewReader(glb), gltf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	found = make(map[string][2][3]float64)
	for i := range m.Nodes {
		var extras struct{ Entity string }
		if raw, ok := m.Nodes[i].Properties["entity"]; ok && json.Unmarshal(raw, &extras.Entity) == nil {
			var all *gltf.Box
			for k := range m.Below(i) {
				if b := m.Nodes[k].Box; b != nil && b.Min != b.Max { // what is not there is scaled to a point
					all = all.Union(b)
				}
			}
			if b := all.In(gltf.ZUp); b != nil {
				found[extras.Entity] = [2][3]float64{b.Min, b.Max}
			}
		}
	}
	var doc struct {
		Accessors []struct {
			Type string
			Max  []float64
		}
		Animations []struct {
			Samplers []struct{ Input int }
		}
	}
	length := binary.LittleEndian.Uint32(glb[12:])
	if err := json.Unmarshal(glb[20:20+length], &doc); err != nil || len(doc.Animations) != 1 {
		t.Fatal(err, len(doc.Animations))
	}
	for _, s := range doc.Animations[0].Samplers {
		seconds = max(seconds, doc.Accessors[s.Input].Max[0])
	}
	return found, seconds
}

// pyramid is a GLB of one mesh around a box that begins at the origin.
func pyramid(t *testing.T, size float32) []byte {
	t.Helper()
	d := gltf.NewDraft()
	red := d.AddMaterial([]byte(`{"pbrMetallicRoughness":{"baseColorFactor":[1,0,0,1]}}`))
	corners := [][3]float32{{0, 0, 0}, {size, 0, 0}, {0, size, 0}, {0, 0, -size}}
	up := [][3]float32{{0, 1, 0}, {0, 1, 0}, {0, 1, 0}, {0, 1, 0}}
	mesh := d.AddTriangles("pyramid", corners, up, []uint32{0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2}, red)
	d.Show(d.AddNode(gltf.NewNode{Name: "pyramid", TRS: gltf.Rest, Mesh: mesh}))
	var b bytes.Buffer
	if err := d.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestPlanIsPlayedByTheBoxesOfItsModel(t *testing.T) {
	t.Parallel()
	site := boxes{"wall": boxAt(0, 4), "roof": boxAt(2, 0)}
	p := newPlan(t, memory.New(), schedules.Config{Boxes: site})
	p.builtSite()
	film := p.film(ofSite())
	if film.Entities != 2 || film.LeftOut != 1 {
		t.Errorf("it shows %d entities and leaves %d out, not 2 and the crane", film.Entities, film.LeftOut)
	}
	found, seconds := played(t, film.GLB)
	want := map[string][2][3]float64{"wall": {{0, 0, 0}, {1, 1, 4}}, "roof": {{2, 0, 0}, {3, 1, 0.001}}}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("the shapes are others (-want +got):\n%s", diff)
	}
	if fmt.Sprintf("%.3f", seconds) != "0.200" {
		t.Errorf("two days take %v s", seconds)
	}
	slow := ofSite()
	slow.Speed, slow.From, slow.To = 1, at(12), at(36)
	if _, seconds := played(t, p.film(slow).GLB); fmt.Sprintf("%.3f", seconds) != "1.000" {
		t.Errorf("a day takes %v s", seconds)
	}
	early := ofSite()
	early.To = at(-100)
	if f := p.film(early); f.Entities != 2 {
		t.Errorf("before anything happens there are %d entities", f.Entities)
	}
}

func TestFilmThatWasNotChangedIsNotMadeAgain(t *testing.T) {
	t.Parallel()
	site := boxes{"wall": boxAt(0, 4)}
	p := newPlan(t, memory.New(), schedules.Config{Boxes: site})
	p.builtSite()
	q := ofSite()
	q.IfNoneMatch = p.film(q).ETag
	if again := p.film(q); !again.NotModified || again.GLB != nil || again.ETag != q.IfNoneMatch {
		t.Errorf("it is made again: %+v", again)
	}
	faster := q
	faster.Speed = 20
	if p.film(faster).NotModified {
		t.Error("another speed is the same film")
	}
	site["wall"] = boxAt(0, 5)
	if p.film(q).NotModified {
		t.Error("the film of another model is the same")
	}
	site["wall"] = boxAt(0, 4)
	p.tasks("more")
	if p.film(q).NotModified {
		t.Error("the film of a changed schedule is the same")
	}
}

func TestPlanIsPlayedByTheGeometryOfItsElements(t *testing.T) {
	t.Parallel()
	cut := pyramid(t, 3)
	p := newPlan(t, memory.New(), schedules.Config{Boxes: shaped{
		boxes{"wall": boxAt(0, 4), "roof": boxAt(2, 7)},
		map[string][]byte{"wall": pyramid(t, 3), "roof": cut[:len(cut)-9], "crane": pyramid(t, 5)},
	}})
	p.builtSite()
	film := p.film(ofSite())
	found, _ := played(t, film.GLB)
	want := map[string][2][3]float64{"wall": {{0, 0, 0}, {3, 3, 3}}, "roof": {{2, 0, 0}, {3, 1, 7}}}
	crane := found["crane"]
	delete(found, "crane")
	if diff := cmp.Diff(want, found); diff != "" || film.LeftOut != 0 {
		t.Errorf("the shapes are others, %d left out (-want +got):\n%s", film.LeftOut, diff)
	}
	if crane[1][0]-crane[0][0] != 5 {
		t.Errorf("the crane is %v", crane)
	}
	if !bytes.Contains(film.GLB, []byte(`"baseColorFactor":[1,0,0,1]`)) {
		t.Error("the colours of the geometry are lost")
	}
}

// A schedule may say itself which model it is tied to.
func TestPlanIsPlayedInTheModelOfItsSchedule(t *testing.T) {
	t.Parallel()
	p := newPlan(t, memory.New(), schedules.Config{Boxes: boxes{"wall": boxAt(0, 4)}})
	p.id = "tied"
	p.schedule(schedules.NewSchedule{ID: p.id, Name: "Tied", TwinID: "twin", ModelID: "site"})
	p.builtSite()
	if f := p.film(animation.FilmQuery{}); f.Entities != 1 {
		t.Errorf("it shows %d entities", f.Entities)
	}
}

func TestFilmThatCannotBeMadeIsRefused(t *testing.T) {
	t.Parallel()
	p := newPlan(t, memory.New(), schedules.Config{Boxes: boxes{"wall": boxAt(0, 4)}})
	p.builtSite()
	of := func(change func(*animation.FilmQuery)) error {
		q := ofSite()
		change(&q)
		_, err := animation.In(p.in()).Film(p.ctx, q)
		return err
	}
	for name, c := range map[string]struct {
		detail string
		change func(*animation.FilmQuery)
	}{
		"a speed below nothing":     {"InvalidValue speed", func(q *animation.FilmQuery) { q.Speed = -1 }},
		"a speed that is too great": {"InvalidValue speed", func(q *animation.FilmQuery) { q.Speed = animation.MaxFilmSpeed + 1 }},
		"more than a day of film": {"InvalidValue speed", func(q *animation.FilmQuery) {
			q.Speed, q.To = 1, twinplatform.At(at(0).AddDate(300, 0, 0))
		}},
		"an end before the beginning":  {"InvalidValue to", func(q *animation.FilmQuery) { q.From, q.To = at(2), at(1) }},
		"no model":                     {"MissingRequiredProperty modelId", func(q *animation.FilmQuery) { q.ModelID = "" }},
		"a model without the entities": {"InvalidValue modelId", func(q *animation.FilmQuery) { q.EntityIDs = []string{"crane"} }},
		"dates that are none":          {"InvalidValue dates", func(q *animation.FilmQuery) { q.Dates = "Guessed" }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			invalid(c.detail).check(t, of(c.change))
		})
	}
	noBaseline.check(t, of(func(q *animation.FilmQuery) { q.BaselineID = "gone" }))
	refusal{kind: twinplatform.NotFound, code: "ModelNotFound", target: "modelId"}.check(t,
		of(func(q *animation.FilmQuery) { q.ModelID = "nowhere" }))
}

func TestFilmOfTooMuchGeometryIsRefused(t *testing.T) {
	t.Parallel()
	large := slices.Repeat([]byte("x"), animation.MaxFilmShapes+1)
	p := newPlan(t, memory.New(), schedules.Config{Boxes: shaped{boxes{"wall": boxAt(0, 4)}, map[string][]byte{"wall": large}}})
	p.builtSite()
	_, err := animation.In(p.in()).Film(p.ctx, ofSite())
	refusal{kind: twinplatform.Conflict, code: "LimitExceeded", says: "geometry"}.check(t, err)
}

// Asking for fewer entities helps, though the group of one of them has others.
func TestFilmOfOneEntityDoesNotReadTheGeometryOfItsGroup(t *testing.T) {
	t.Parallel()
	large := slices.Repeat([]byte("x"), animation.MaxFilmShapes+1)
	p := newPlan(t, memory.New(), schedules.Config{Boxes: shaped{
		boxes{"wall": boxAt(0, 4), "gate": boxAt(9, 4)}, map[string][]byte{"wall": pyramid(t, 3), "gate": large},
	}})
	p.builtSite()
	if _, err := p.in().CreateResourceGroup(p.ctx, schedules.NewResourceGroup{ID: "yard", Name: "Yard"}); err != nil {
		t.Fatal(err)
	}
	_, err := animation.In(p.in()).UpdateBinding(p.ctx, "binding0", animation.BindingPatch{ResourceGroupID: twinplatform.Set("yard")})
	if err != nil {
		t.Fatal(err)
	}
	p.bind(animation.NewBinding{AnimatedEntityID: "gate", TaskID: "lay", ResourceGroupID: "yard"})
	one := ofSite()
	one.EntityIDs = []string{"wall"}
	if f := p.film(one); f.Entities != 1 {
		t.Errorf("it shows %d entities", f.Entities)
	}
}

// manyNodes is a geometry of so many nodes that share one mesh.
func manyNodes(count int) []byte {
	nodes := strings.Repeat(`{"mesh":0},`, count)
	return []byte(`{"asset":{"version":"2.0"},"nodes":[` + nodes[:len(nodes)-1] + `],
"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[0,0,0]}],
"bufferViews":[{"buffer":0,"byteLength":36}],
"buffers":[{"byteLength":36,"uri":"data:application/octet-stream;base64,` + strings.Repeat("A", 48) + `"}]}`)
}

// copied is a geometry of so many meshes whose corners are the same bytes, which are copied for each.
func copied(meshes int) []byte {
	const corners = 3_000
	var nodes, shapes, accessors []string
	for i := range meshes {
		nodes = append(nodes, fmt.Sprintf(`{"mesh":%d}`, i))
		shapes = append(shapes, fmt.Sprintf(`{"primitives":[{"attributes":{"NORMAL":%d}}]}`, i))
		accessors = append(accessors, fmt.Sprintf(`{"bufferView":0,"componentType":5126,"count":%d,"type":"VEC3"}`, corners))
	}
	return fmt.Appendf(nil, `{"asset":{"version":"2.0"},"nodes":[%s],"meshes":[%s],"accessors":[%s],
"bufferViews":[{"buffer":0,"byteLength":%d}],"buffers":[{"byteLength":%[4]d,"uri":"data:application/octet-stream;base64,%s"}]}`,
		strings.Join(nodes, ","), strings.Join(shapes, ","), strings.Join(accessors, ","), 12*corners,
		strings.Repeat("A", 16*corners))
}

// An entity is played once for each node of its geometry.
func TestFilmOfManyNodesIsRefusedByWhatTheyTake(t *testing.T) {
	t.Parallel()
	few := map[string][]byte{"wall": manyNodes(1_000)}
	many := make(map[string][]byte)
	halves := map[string][]byte{"wall": copied(150), "roof": copied(150)}
	for i := range 21 {
		many[fmt.Sprint("wall", i)] = manyNodes(1_000)
	}
	for name, c := range map[string]struct {
		shapes map[string][]byte
		tasks  int // that the wall shows as well
		says   string
	}{
		"changes": {few, 60, "change more than"}, "nodes": {many, 0, "nodes"}, "copies of the same bytes": {halves, 0, "geometry"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlan(t, memory.New(), schedules.Config{Boxes: shaped{boxes{"wall": boxAt(0, 4)}, c.shapes}})
			p.builtSite()
			hour := int32(3_600)
			for i := range c.tasks {
				id := fmt.Sprint("more", i)
				p.create(schedules.NewTask{ID: id, Name: id, Type: schedules.Work, PlannedStart: at(float64(48 + 2*i)), PlannedDuration: &hour})
				p.bind(animation.NewBinding{AnimatedEntityID: "wall", TaskID: id, AppearanceProfileID: "install"})
			}
			for id := range c.shapes {
				p.bind(animation.NewBinding{AnimatedEntityID: id, TaskID: "top"})
			}
			_, err := animation.In(p.in()).Film(p.ctx, ofSite())
			refusal{kind: twinplatform.Conflict, code: "LimitExceeded", says: c.says}.check(t, err)
		})
	}
	p := newPlan(t, memory.New(), schedules.Config{Boxes: shaped{boxes{"wall": boxAt(0, 4)}, halves}})
	p.builtSite()
	one := ofSite()
	one.EntityIDs = []string{"wall"}
	if f := p.film(one); f.Entities != 1 || len(f.GLB) < animation.MaxFilmShapes/2 {
		t.Errorf("one of them is %d, in %d bytes", f.Entities, len(f.GLB))
	}
}

func TestFilmOfTooManyChangesIsRefused(t *testing.T) {
	t.Parallel()
	site := make(boxes)
	p := newPlan(t, memory.New(), schedules.Config{Boxes: site})
	p.builtSite()
	for i, id := range p.growsByDays(100) {
		site[id] = boxAt(float64(i), 3)
	}
	_, err := animation.In(p.in()).Film(p.ctx, ofSite())
	refusal{kind: twinplatform.Conflict, code: "LimitExceeded", says: "entityIds"}.check(t, err)
	few := ofSite()
	few.EntityIDs = []string{"long1", "long2"}
	if f := p.film(few); f.Entities != 2 {
		t.Errorf("two of them are %d", f.Entities)
	}
}
