package gltf

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// nest makes the nodes, and checks that they are trees.
func (m *Model) nest() error {
	m.Nodes = make([]Node, len(m.doc.nodes))
	for i := range m.Nodes {
		m.Nodes[i].Parent = None
	}
	for i, n := range m.doc.nodes {
		for _, c := range n.Children {
			if err := within("node", i, "child", &c, len(m.Nodes)); err != nil {
				return err
			}
			if p := m.Nodes[c].Parent; p != None {
				return malformed("node %d is below both node %d and node %d", c, p, i)
			}
			m.Nodes[c].Parent = i
		}
		local, err := n.local(i)
		if err != nil {
			return err
		}
		to := &m.Nodes[i]
		to.Name, to.Children, to.Mesh, to.Local = n.Name, whole(n.Children), None, local
		if n.Mesh != nil {
			to.Mesh = int(*n.Mesh)
		}
		m.properties(i, n.Extras)
		if n.Skin != nil {
			m.warn(fmt.Sprintf("node %d", i), "It has a skin: its box is that of its mesh as it stands in the file.")
		}
	}
	return m.rooted()
}

// rooted checks that each node is below one at the top, and that scenes show nodes at the top. Each node has one parent
// at most, so that those of a cycle are reached from nowhere.
func (m *Model) rooted() error {
	reached := make([]bool, len(m.Nodes))
	for i := range m.Nodes {
		if m.Nodes[i].Parent != None {
			continue
		}
		for k := range m.Below(i) {
			reached[k] = true
		}
	}
	for i, ok := range reached {
		if !ok {
			return malformed("node %d is below itself", i)
		}
	}
	for i, s := range m.doc.scenes {
		seen := make(map[integer]bool, len(s.Nodes))
		for _, n := range s.Nodes {
			if p := m.Nodes[n].Parent; p != None {
				return malformed("scene %d shows node %d, which is below node %d", i, n, p)
			}
			if seen[n] {
				return malformed("scene %d shows node %d twice", i, n)
			}
			seen[n] = true
		}
	}
	return nil
}

// local is the place of a node in its parent.
func (n *nodeJSON) local(i int) (Matrix, error) {
	if n.Matrix != nil {
		if n.Translation != nil || n.Rotation != nil || n.Scale != nil {
			return Matrix{}, malformed("node %d has a matrix, and besides a translation, a rotation or a scale", i)
		}
		if a := n.Matrix; a[3] != 0 || a[7] != 0 || a[11] != 0 || a[15] != 1 {
			return Matrix{}, malformed("node %d: the last row of its matrix is not 0 0 0 1", i)
		}
		return *n.Matrix, nil
	}
	t := Rest
	if n.Translation != nil {
		t.Translation = *n.Translation
	}
	if n.Scale != nil {
		t.Scale = *n.Scale
	}
	if n.Rotation != nil {
		if t.Rotation = *n.Rotation; t.Rotation == (Quaternion{}) {
			return Matrix{}, malformed("node %d: its rotation has no length", i)
		}
	}
	return t.Matrix(), nil
}

// properties takes the extras of a node.
func (m *Model) properties(i int, extras json.RawMessage) {
	if len(extras) == 0 || string(extras) == "null" {
		return
	}
	n := &m.Nodes[i]
	if extras[0] != '{' {
		m.warn(fmt.Sprintf("node %d", i), "Its extras are no object with members, and not read.")
		return
	}
	if json.Unmarshal(extras, &n.Properties) != nil { // it is JSON, and an object
		return
	}
	for _, name := range slices.Sorted(maps.Keys(n.Properties)) {
		if strings.EqualFold(name, "code") && n.Code == "" {
			if n.Code = Text(n.Properties[name]); n.Code != "" {
				delete(n.Properties, name)
			}
		}
	}
}

// Text is a value of JSON that is a text or a number, as text; empty where it is anything else.
func Text(value json.RawMessage) string {
	var s string
	if json.Unmarshal(value, &s) == nil {
		return s
	}
	var n json.Number
	if json.Unmarshal(value, &n) == nil {
		return string(n)
	}
	return ""
}

// place finds where the nodes are in the model, and the boxes around their meshes.
func (m *Model) place(boxes []*Box) {
	for i := range m.Nodes {
		if m.Nodes[i].Parent != None {
			continue
		}
		for k := range m.Below(i) {
			n := &m.Nodes[k]
			if n.World = n.Local; n.Parent != None {
				n.World = m.Nodes[n.Parent].World.Times(n.Local)
			}
			if n.Mesh != None {
				n.Box = boxes[n.Mesh].In(n.World)
			}
		}
	}
}

// finite refuses nodes whose place is beyond what numbers hold.
func (m *Model) finite() error {
	for i := range m.Nodes {
		n := &m.Nodes[i]
		if !n.World.finite() {
			return malformed("node %d is placed beyond what numbers hold", i)
		}
		if b := n.Box; b != nil && !b.finite() {
			return malformed("node %d reaches beyond what numbers hold", i)
		}
	}
	return nil
}

// finite reports whether the corners of a box and the way between them are what numbers hold.
func (b *Box) finite() bool {
	for c := range 3 {
		for _, x := range []float64{b.Min[c], b.Max[c], b.Max[c] - b.Min[c]} {
			if math.IsInf(x, 0) || math.IsNaN(x) {
				return false
			}
		}
	}
	return !math.IsInf(length(minus(b.Max, b.Min)), 0)
}
