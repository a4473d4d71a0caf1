package gltf

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Objects makes models of single nodes out of a model.
type Objects struct {
	model *Model
	whole *Draft
	sizes map[int]int // of meshes
}

// Objects returns what makes models of the nodes.
func (m *Model) Objects() *Objects { return &Objects{m, m.Draft(), make(map[int]int)} }

// GLB is a node alone, without what is below it, where it is in the model: its mesh with the colours of its materials,
// and neither textures nor extensions nor morph targets. It is nil for a node without a mesh. It copies at most so many
// bytes of [Objects.Bytes]: parts of a file may share bytes, so that their copies are longer than the file.
//
// Errors: ErrTooLarge, before anything is copied; ErrElements.
func (o *Objects) GLB(node, most int) ([]byte, error) {
	n := &o.model.Nodes[node]
	if n.Mesh == None {
		return nil, nil
	}
	if size := o.Bytes(node); size > most {
		return nil, fmt.Errorf("%w: mesh %d has %d bytes, and may have %d", ErrTooLarge, n.Mesh, size, most)
	}
	c := objectCopy{o, NewDraft(), make(map[integer]int), make(map[integer]int)}
	if err := c.mesh(n.Mesh); err != nil {
		return nil, err
	}
	c.draft.Show(c.node(n, 0))
	var b bytes.Buffer
	err := c.draft.Write(&b)
	return b.Bytes(), err
}

// Bytes is how many bytes of elements and JSON GLB copies for a node, each accessor and each material once.
func (o *Objects) Bytes(node int) int {
	i := o.model.Nodes[node].Mesh
	if i == None {
		return 0
	}
	size, known := o.sizes[i]
	if known {
		return size
	}
	accessors, materials := make(map[integer]bool), make(map[integer]bool) // accessors of corners are true
	for _, p := range o.model.doc.meshes[i].primitives {
		size += primitiveBytes
		for name, a := range p.Attributes {
			size += len(name)
			accessors[a] = true
		}
		if p.Indices != nil && !accessors[*p.Indices] {
			accessors[*p.Indices] = false
		}
		if p.Material != nil {
			materials[*p.Material] = true
		}
	}
	for a, corners := range accessors {
		size += o.accessorBytes(a, corners)
	}
	for m := range materials {
		size += len(o.whole.materials[m])
	}
	o.sizes[i] = size
	return size
}

// What the JSON of a part of a mesh has at least, and that of a bufferView.
const (
	primitiveBytes = len(`{"attributes":{}},`)
	viewBytes      = len(`{"buffer":0,"byteLength":1},`)
)

// accessorBytes is how many bytes the copy of an accessor has.
func (o *Objects) accessorBytes(i integer, corners bool) int {
	a := &o.model.doc.accessors[i]
	size := viewBytes + len(o.whole.accessors[i])
	if a.BufferView == nil { // it is not copied
		return size
	}
	element, _ := a.bytes()
	if corners {
		element = padded(element)
	}
	return size + element*int(a.Count)
}

// objectCopy takes a mesh over into a model of its own.
type objectCopy struct {
	*Objects
	draft     *Draft
	accessors map[integer]int // those that were taken over
	materials map[integer]int
}

func (c *objectCopy) mesh(i int) error {
	var list []map[string]json.RawMessage
	for _, p := range c.model.doc.meshes[i].primitives {
		attributes := make(map[string]int)
		for _, name := range slices.Sorted(maps.Keys(p.Attributes)) {
			a, err := c.accessor(p.Attributes[name], true)
			if err != nil {
				return err
			}
			attributes[name] = a
		}
		part := map[string]json.RawMessage{"attributes": encode(attributes)}
		if p.Indices != nil {
			a, err := c.accessor(*p.Indices, false)
			if err != nil {
				return err
			}
			part["indices"] = encode(a)
		}
		if p.Material != nil {
			part["material"] = encode(c.material(*p.Material))
		}
		if p.Mode != nil {
			part["mode"] = encode(int(*p.Mode))
		}
		list = append(list, part)
	}
	c.draft.add(&c.draft.meshes, encode(map[string]json.RawMessage{"primitives": encode(list)}))
	return nil
}

// check refuses a mesh that cannot be copied.
func (o *Objects) check(mesh int) error {
	for _, p := range o.model.doc.meshes[mesh].primitives {
		for _, name := range slices.Sorted(maps.Keys(p.Attributes)) {
			if err := o.checkAccessor(p.Attributes[name]); err != nil {
				return err
			}
		}
		if p.Indices == nil {
			continue
		}
		if err := o.checkAccessor(*p.Indices); err != nil {
			return err
		}
	}
	return nil
}

// checkAccessor refuses one whose elements are not what a buffer has.
func (o *Objects) checkAccessor(i integer) error {
	if a := &o.model.doc.accessors[i]; a.BufferView == nil || a.Sparse != nil {
		return fmt.Errorf("%w: accessor %d", ErrElements, i)
	}
	return nil
}

// material takes a material over.
func (c *objectCopy) material(i integer) int {
	at, ok := c.materials[i]
	if !ok {
		at = c.draft.AddMaterial(untextured(c.whole.materials[i]))
		c.materials[i] = at
	}
	return at
}

// accessor takes an accessor over, and its elements out of the buffer. Those of corners begin at whole words.
func (c *objectCopy) accessor(i integer, corners bool) (int, error) {
	if at, ok := c.accessors[i]; ok {
		return at, nil
	}
	if err := c.checkAccessor(i); err != nil {
		return 0, err
	}
	a := &c.model.doc.accessors[i]
	element, _ := a.bytes()
	to, view := element, viewJSON{Target: targetIndices}
	if corners {
		to, view.Target = padded(element), targetCorners
	}
	from, stride := c.model.view(int(*a.BufferView))[a.ByteOffset:], c.model.stride(a, element)
	data := make([]byte, to*int(a.Count))
	for k := range int(a.Count) {
		copy(data[k*to:k*to+element], from[k*stride:])
	}
	view.ByteOffset, view.ByteLength = c.draft.append(data), len(data)
	raw := encode(view)
	if to != element {
		set(&raw, "byteStride", to)
	}
	m := members(c.whole.accessors[i])
	m["bufferView"] = encode(c.draft.add(&c.draft.views, raw))
	for _, name := range []string{"byteOffset", "extensions", "extras"} {
		delete(m, name)
	}
	c.accessors[i] = c.draft.add(&c.draft.accessors, encode(m))
	return c.accessors[i], nil
}

// untextured is a material without its textures.
func untextured(raw json.RawMessage) json.RawMessage {
	texture := func(name string, _ json.RawMessage) bool {
		return strings.HasSuffix(name, "Texture") || name == "extensions" || name == "extras"
	}
	m := members(raw)
	maps.DeleteFunc(m, texture)
	if raw, ok := m["pbrMetallicRoughness"]; ok {
		surface := members(raw)
		maps.DeleteFunc(surface, texture)
		m["pbrMetallicRoughness"] = encode(surface)
	}
	return encode(m)
}
