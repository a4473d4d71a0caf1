package gltf

// AddBlock adds a mesh with the six sides of a box.
func (d *Draft) AddBlock(name string, b Box, material int) int {
	var corners, normals [][3]float32
	var triangles []uint32
	for side := range 6 {
		axis, up := side/2, side%2 == 1
		var normal [3]float32
		var fixed float64
		if normal[axis], fixed = -1, b.Min[axis]; up {
			normal[axis], fixed = 1, b.Max[axis]
		}
		first := uint32(len(corners))
		for k := range 4 {
			c := b.Min
			c[axis] = fixed
			if k&1 == 1 {
				c[(axis+1)%3] = b.Max[(axis+1)%3]
			}
			if k&2 == 2 {
				c[(axis+2)%3] = b.Max[(axis+2)%3]
			}
			corners = append(corners, [3]float32{float32(c[0]), float32(c[1]), float32(c[2])})
			normals = append(normals, normal)
		}
		// A side is seen from where its corners go counterclockwise.
		around := [6]uint32{0, 1, 3, 0, 3, 2}
		if !up {
			around = [6]uint32{0, 3, 1, 0, 2, 3}
		}
		for _, k := range around {
			triangles = append(triangles, first+k)
		}
	}
	return d.AddTriangles(name, corners, normals, triangles, material)
}
