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
}

// Objects returns what makes models of the nodes.
func (m *Model) Objects() *Objects { return &Objects{m, m.Draft()} }

// GLB is a node alone, without what is below it, where it is in the model: its mesh with the colours of its materials,
// and neither textures nor extensions nor morph targets. It is nil for a node without a mesh.
//
// Error: ErrElements.
func (o *Objects) GLB(node int) ([]byte, error) {
	n := &o.model.Nodes[node]
	if n.Mesh == None {
		return nil, nil
	}
	c := objectCopy{o, NewDraft(), make(map[integer]int)}
	if err := c.mesh(n.Mesh); err != nil {
		return nil, err
	}
	trs, exact := n.World.TRS()
	if !exact {
		trs = Rest
	}
	c.draft.Show(c.draft.AddNode(NewNode{Name: n.Name, TRS: trs, Mesh: 0}))
	if !exact {
		set(&c.draft.nodes[0], "matrix", n.World)
	}
	var b bytes.Buffer
	err := c.draft.Write(&b)
	return b.Bytes(), err
}

// objectCopy takes a mesh over into a model of its own.
type objectCopy struct {
	*Objects
	draft     *Draft
	accessors map[integer]int // those that were taken over
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
			part["material"] = encode(c.draft.AddMaterial(untextured(c.whole.materials[*p.Material])))
		}
		if p.Mode != nil {
			part["mode"] = encode(int(*p.Mode))
		}
		list = append(list, part)
	}
	c.draft.meshes = append(c.draft.meshes, encode(map[string]json.RawMessage{"primitives": encode(list)}))
	return nil
}

// accessor takes an accessor over, and its elements out of the buffer. Those of corners begin at whole words.
func (c *objectCopy) accessor(i integer, corners bool) (int, error) {
	if at, ok := c.accessors[i]; ok {
		return at, nil
	}
	a := &c.model.doc.accessors[i]
	if a.BufferView == nil || a.Sparse != nil {
		return 0, fmt.Errorf("%w: accessor %d", ErrElements, i)
	}
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
	m["bufferView"] = encode(len(c.draft.views))
	for _, name := range []string{"byteOffset", "extensions", "extras"} {
		delete(m, name)
	}
	c.accessors[i] = len(c.draft.accessors)
	c.draft.views, c.draft.accessors = append(c.draft.views, raw), append(c.draft.accessors, encode(m))
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
