package gltf

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
)

// Draft is a model that is changed or made. Indices are those of the model that it was made of, and what is added
// has the next ones.
type Draft struct {
	raw                                                map[string]json.RawMessage
	scenes, nodes, meshes, materials, accessors, views []json.RawMessage
	images                                             []json.RawMessage
	used                                               []string
	bin                                                [][]byte // each begins at a whole word
	size                                               int      // of bin, padded
	added                                              int      // see Added
	floats, flags                                      bytes.Buffer
	pending                                            []pending // accessors of floats and flags
	known                                              map[string]int
}

// pending is an accessor whose bufferView is made when the draft is written.
type pending struct {
	accessor int
	flags    bool
}

// NewDraft returns an empty model with one scene.
func NewDraft() *Draft {
	return &Draft{
		raw: map[string]json.RawMessage{
			"asset": json.RawMessage(`{"version":"2.0","generator":"twinplatform"}`), "scene": encode(0),
		},
		scenes: []json.RawMessage{json.RawMessage(`{}`)}, known: make(map[string]int),
	}
}

// Draft returns a copy of the model that may be changed. All that the file has stays, but for animations, and for
// extensions that name parts of buffers in a way that is not read.
func (m *Model) Draft() *Draft {
	d := &Draft{raw: maps.Clone(m.doc.raw), used: slices.Clone(m.doc.extensionsUsed), known: make(map[string]int)}
	for name, list := range d.lists() {
		if json.Unmarshal(d.raw[name], list) != nil { // it was read before
			*list = nil
		}
	}
	delete(d.raw, "animations")
	if len(d.scenes) == 0 {
		d.scenes = []json.RawMessage{encode(map[string][]int{})}
		d.raw["scene"] = encode(0)
		d.Show(m.Roots()...)
	}
	begin := make([]int, len(m.buffers))
	for i, b := range m.buffers {
		begin[i] = d.append(b)
	}
	for i, v := range m.doc.bufferViews {
		view := members(d.views[i])
		view["buffer"], view["byteOffset"] = encode(0), encode(begin[v.Buffer]+int(v.ByteOffset))
		delete(view, "extensions")
		d.views[i] = encode(view)
	}
	d.used = slices.DeleteFunc(d.used, func(name string) bool { return name == "EXT_meshopt_compression" })
	for _, i := range slices.Sorted(maps.Keys(m.images)) {
		content := m.images[i]
		view := encode(viewJSON{ByteOffset: d.append(content), ByteLength: len(content)})
		picture := members(d.images[i])
		delete(picture, "uri")
		picture["bufferView"], picture["mimeType"] = encode(len(d.views)), encode(pictureType(content))
		d.images[i] = encode(picture)
		d.views = append(d.views, view)
	}
	d.added = 0
	return d
}

// Added is how many bytes of JSON and of elements were added, without those of the model that the draft was made of and
// without animations.
func (d *Draft) Added() int { return d.added }

// add adds an object to a list of them, and returns its index.
func (d *Draft) add(to *[]json.RawMessage, raw json.RawMessage) int {
	*to = append(*to, raw)
	d.added += len(raw)
	return len(*to) - 1
}

// pictureType is the type of a picture, by how it begins.
func pictureType(b []byte) string {
	switch {
	case bytes.HasPrefix(b, []byte("\xFF\xD8")):
		return "image/jpeg"
	case bytes.HasPrefix(b, []byte("RIFF")):
		return "image/webp"
	case bytes.HasPrefix(b, []byte("\xABKTX 20")):
		return "image/ktx2"
	}
	return "image/png"
}

// lists are the lists of objects that a draft changes.
func (d *Draft) lists() map[string]*[]json.RawMessage {
	return map[string]*[]json.RawMessage{
		"scenes": &d.scenes, "nodes": &d.nodes, "meshes": &d.meshes, "materials": &d.materials,
		"accessors": &d.accessors, "bufferViews": &d.views, "images": &d.images,
	}
}

// append adds bytes to the binary chunk, and returns where they begin.
func (d *Draft) append(b []byte) int {
	at := d.size
	d.bin = append(d.bin, b)
	d.size += padded(len(b))
	d.added += len(b)
	return at
}

// encode writes a value of this package, which can be written as JSON.
func encode[T any](v T) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return json.RawMessage("null")
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// members are those of an object.
func members(raw json.RawMessage) map[string]json.RawMessage {
	m := make(map[string]json.RawMessage)
	if json.Unmarshal(raw, &m) != nil || m == nil {
		return make(map[string]json.RawMessage)
	}
	return m
}

// set sets a member of an object.
func set[T any](raw *json.RawMessage, name string, v T) {
	m := members(*raw)
	m[name] = encode(v)
	*raw = encode(m)
}

// drop removes members of an object.
func drop(raw *json.RawMessage, names ...string) {
	m := members(*raw)
	for _, name := range names {
		delete(m, name)
	}
	*raw = encode(m)
}

type viewJSON struct {
	Buffer     int `json:"buffer"`
	ByteOffset int `json:"byteOffset,omitempty"`
	ByteLength int `json:"byteLength"`
	Target     int `json:"target,omitempty"`
}

// What bufferViews are for.
const (
	targetCorners = 34962
	targetIndices = 34963
)

type accessorJSON struct {
	BufferView    int       `json:"bufferView"`
	ByteOffset    int       `json:"byteOffset,omitempty"`
	ComponentType int       `json:"componentType"`
	Count         int       `json:"count"`
	Type          string    `json:"type"`
	Min           []float32 `json:"min,omitempty"`
	Max           []float32 `json:"max,omitempty"`
}

// NewNode is a node to be added.
type NewNode struct {
	Name     string
	TRS      TRS
	Mesh     int // None for no mesh
	Children []int
	// Extras are written as they are; nil for none.
	Extras json.RawMessage
}

type newNodeJSON struct {
	Name        string          `json:"name,omitempty"`
	Children    []int           `json:"children,omitempty"`
	Mesh        *int            `json:"mesh,omitempty"`
	Translation *[3]float64     `json:"translation,omitempty"`
	Rotation    *Quaternion     `json:"rotation,omitempty"`
	Scale       *[3]float64     `json:"scale,omitempty"`
	Extras      json.RawMessage `json:"extras,omitempty"`
}

// AddNode adds a node, which is nowhere until a node or a scene has it as a child.
func (d *Draft) AddNode(n NewNode) int {
	to := newNodeJSON{Name: n.Name, Children: n.Children, Extras: n.Extras}
	if n.Mesh != None {
		to.Mesh = &n.Mesh
	}
	if n.TRS.Translation != ([3]float64{}) {
		to.Translation = &n.TRS.Translation
	}
	if n.TRS.Rotation != Rest.Rotation {
		to.Rotation = &n.TRS.Rotation
	}
	if n.TRS.Scale != Rest.Scale {
		to.Scale = &n.TRS.Scale
	}
	return d.add(&d.nodes, encode(to))
}

// SetChildren sets which nodes are below a node.
func (d *Draft) SetChildren(node int, children []int) {
	if len(children) == 0 {
		drop(&d.nodes[node], "children")
		return
	}
	set(&d.nodes[node], "children", children)
}

// DropMesh takes the mesh of a node away, with the skin of it.
func (d *Draft) DropMesh(node int) { drop(&d.nodes[node], "mesh", "skin", "weights") }

// Show puts nodes at the top of the first scene, behind those that are there.
func (d *Draft) Show(nodes ...int) {
	var s sceneJSON
	if json.Unmarshal(d.scenes[0], &s) != nil {
		return // it was read before
	}
	if nodes = append(whole(s.Nodes), nodes...); len(nodes) > 0 {
		set(&d.scenes[0], "nodes", nodes)
	}
}

// Replace puts others in the place of nodes at the top of scenes.
func (d *Draft) Replace(by map[int][]int) {
	for i := range d.scenes {
		var s sceneJSON
		if json.Unmarshal(d.scenes[i], &s) != nil || len(s.Nodes) == 0 {
			continue
		}
		var to []int
		for _, n := range whole(s.Nodes) {
			if others, ok := by[n]; ok {
				to = append(to, others...)
			} else {
				to = append(to, n)
			}
		}
		set(&d.scenes[i], "nodes", to)
	}
}

// CopyNode adds a copy of a node without what is below it, without its extras, and with another mesh. The copy has
// neither a camera nor a light.
func (d *Draft) CopyNode(node, mesh int, children []int) int {
	d.nodes = append(d.nodes, slices.Clone(d.nodes[node]))
	c := len(d.nodes) - 1
	drop(&d.nodes[c], "extras", "extensions", "camera", "children")
	if mesh != None {
		set(&d.nodes[c], "mesh", mesh)
	}
	d.SetChildren(c, children)
	d.added += len(d.nodes[c])
	return c
}

// Material is a material as JSON; {} for None.
func (d *Draft) Material(i int) json.RawMessage {
	if i == None {
		return json.RawMessage("{}")
	}
	return d.materials[i]
}

// AddMaterial adds a material, and returns the index of an equal one where there is one that was added before.
func (d *Draft) AddMaterial(raw json.RawMessage) int {
	return d.once("material "+string(raw), func() int { return d.add(&d.materials, raw) })
}

// once is the index of what was added under a key, or of what is added now.
func (d *Draft) once(key string, add func() int) int {
	i, ok := d.known[key]
	if !ok {
		i = add()
		d.known[key] = i
	}
	return i
}

// Materials are those of a mesh, None for a part that has none, each once.
func (d *Draft) Materials(mesh int) (list []int) {
	for _, p := range parts(members(d.meshes[mesh])) {
		if i := materialOf(members(p)); !slices.Contains(list, i) {
			list = append(list, i)
		}
	}
	return list
}

// parts are the primitives of a mesh.
func parts(mesh map[string]json.RawMessage) (list []json.RawMessage) {
	if json.Unmarshal(mesh["primitives"], &list) != nil {
		return nil // it was read before
	}
	return list
}

// materialOf is the material of a part of a mesh.
func materialOf(part map[string]json.RawMessage) int {
	var n *integer
	if raw, ok := part["material"]; ok && json.Unmarshal(raw, &n) == nil && n != nil {
		return int(*n)
	}
	return None
}

// Repaint adds a mesh of the same shape with other materials, and without the colours of its corners where plain is
// true.
func (d *Draft) Repaint(mesh int, plain bool, material func(int) int) int {
	m := members(d.meshes[mesh])
	parts := parts(m)
	for i := range parts {
		p := members(parts[i])
		p["material"] = encode(material(materialOf(p)))
		// They may say something about the materials that are replaced.
		delete(p, "extensions")
		if plain {
			attributes := members(p["attributes"])
			maps.DeleteFunc(attributes, func(name string, _ json.RawMessage) bool {
				return strings.HasPrefix(name, "COLOR_")
			})
			p["attributes"] = encode(attributes)
		}
		parts[i] = encode(p)
	}
	m["primitives"] = encode(parts)
	delete(m, "extras")
	delete(m, "extensions")
	raw := encode(m)
	return d.once("mesh "+string(raw), func() int { return d.add(&d.meshes, raw) })
}

// Use says that the model uses an extension, which no reader needs.
func (d *Draft) Use(extension string) {
	if !slices.Contains(d.used, extension) {
		d.used = append(d.used, extension)
	}
}

// SetVisible says whether a node is visible, for readers that know KHR_node_visibility.
func (d *Draft) SetVisible(node int, visible bool) {
	const name = "KHR_node_visibility"
	d.Use(name)
	extensions := members(members(d.nodes[node])["extensions"])
	extensions[name] = encode(map[string]bool{"visible": visible})
	set(&d.nodes[node], "extensions", extensions)
}

// AddTriangles adds a mesh: corners, three numbers each, in triangles, three corners each, with a normal for each
// corner.
func (d *Draft) AddTriangles(name string, corners, normals [][3]float32, triangles []uint32, material int) int {
	flat := func(list [][3]float32) (all []float32) {
		for _, p := range list {
			all = append(all, p[:]...)
		}
		return all
	}
	low, high := bounds(flat(corners), 3)
	position := d.addView(floatBytes(flat(corners)), targetCorners, accessorJSON{
		ComponentType: typeFloat, Count: len(corners), Type: "VEC3", Min: low, Max: high,
	})
	normal := d.addView(floatBytes(flat(normals)), targetCorners, accessorJSON{
		ComponentType: typeFloat, Count: len(normals), Type: "VEC3",
	})
	var b []byte
	for _, i := range triangles {
		b = binary.LittleEndian.AppendUint32(b, i)
	}
	const typeUint = 5125
	index := d.addView(b, targetIndices, accessorJSON{ComponentType: typeUint, Count: len(triangles), Type: "SCALAR"})
	part := map[string]json.RawMessage{
		"attributes": encode(map[string]int{"POSITION": position, "NORMAL": normal}), "indices": encode(index),
	}
	if material != None {
		part["material"] = encode(material)
	}
	return d.add(&d.meshes, encode(map[string]json.RawMessage{
		"name": encode(name), "primitives": encode([]map[string]json.RawMessage{part}),
	}))
}

func (d *Draft) addView(b []byte, target int, a accessorJSON) int {
	a.BufferView = d.add(&d.views, encode(viewJSON{ByteOffset: d.append(b), ByteLength: len(b), Target: target}))
	return d.add(&d.accessors, encode(a))
}

func floatBytes(list []float32) []byte {
	b := make([]byte, 0, 4*len(list))
	for _, x := range list {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

// bounds are the least and the greatest of each component.
func bounds(list []float32, width int) (low, high []float32) {
	low, high = slices.Clone(list[:width]), slices.Clone(list[:width])
	for i, x := range list {
		low[i%width], high[i%width] = min(low[i%width], x), max(high[i%width], x)
	}
	return low, high
}

// Write writes the model as GLB.
//
// Errors: ErrTooLarge; those of w.
func (d *Draft) Write(w io.Writer) error {
	d.flush()
	raw := maps.Clone(d.raw)
	for name, list := range d.lists() {
		delete(raw, name)
		if len(*list) > MaxObjects {
			return fmt.Errorf("%w: it has more than %d %s", ErrTooLarge, MaxObjects, name)
		}
		if len(*list) > 0 {
			raw[name] = encode(*list)
		}
	}
	delete(raw, "buffers")
	if d.size > 0 {
		raw["buffers"] = encode([]map[string]int{{"byteLength": d.size}})
	}
	delete(raw, "extensionsUsed")
	if len(d.used) > 0 {
		raw["extensionsUsed"] = encode(d.used)
	}
	return writeGLB(w, encode(raw), d.bin)
}
