package gltf

import "fmt"

// Insert adds the nodes of another model that have a mesh, each where it is in that model, and returns them: they are
// nowhere until a node or a scene has them. As [Objects.GLB] does, it takes over the colours of their materials, and
// neither textures nor extensions, skins nor morph targets. It copies at most so many bytes of [Objects.Bytes].
//
// Errors: ErrTooLarge and ErrElements, before anything is copied.
func (d *Draft) Insert(m *Model, most int) (nodes []int, err error) {
	c := objectCopy{m.Objects(), d, make(map[integer]int), make(map[integer]int)}
	meshes := make(map[int]int) // those that were taken over
	for i := range m.Nodes {
		mesh := m.Nodes[i].Mesh
		if _, known := meshes[mesh]; known || mesh == None {
			continue
		}
		meshes[mesh] = None
		if err := c.check(mesh); err != nil {
			return nil, err
		}
		if most -= c.Bytes(i); most < 0 {
			return nil, fmt.Errorf("%w: its meshes have more bytes than they may have", ErrTooLarge)
		}
	}
	for i := range m.Nodes {
		n := &m.Nodes[i]
		if n.Mesh == None {
			continue
		}
		if meshes[n.Mesh] == None {
			if err := c.mesh(n.Mesh); err != nil {
				return nil, err
			}
			meshes[n.Mesh] = len(d.meshes) - 1
		}
		nodes = append(nodes, c.node(n, meshes[n.Mesh]))
	}
	return nodes, nil
}

// node adds a node with a mesh where another one is in its model.
func (c *objectCopy) node(n *Node, mesh int) int {
	trs, exact := n.World.TRS()
	if !exact {
		trs = Rest
	}
	i := c.draft.AddNode(NewNode{Name: n.Name, TRS: trs, Mesh: mesh})
	if !exact {
		set(&c.draft.nodes[i], "matrix", n.World)
	}
	return i
}
