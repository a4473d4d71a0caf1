package gltf

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// componentBytes are how long the components of accessors are, by their types.
var componentBytes = map[integer]int{5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}

const (
	typeByte   = 5121
	typeFloat  = 5126
	typeShort  = 5122
	typeSigned = 5120
	typeUShort = 5123
)

// bytes is how long an element is, by its type. Columns of matrices begin at whole words.
func (a *accessor) bytes() (element int, ok bool) {
	size, known := componentBytes[a.ComponentType]
	if !known {
		return 0, false
	}
	column := func(n int) int { return (n*size + 3) &^ 3 }
	switch a.Type {
	case "SCALAR":
		return size, true
	case "VEC2":
		return 2 * size, true
	case "VEC3":
		return 3 * size, true
	case "VEC4":
		return 4 * size, true
	case "MAT2":
		return 2 * column(2), true
	case "MAT3":
		return 3 * column(3), true
	case "MAT4":
		return 4 * column(4), true
	}
	return 0, false
}

// stride is how many bytes lie between two elements.
func (m *Model) stride(a *accessor, element int) int {
	if s := m.doc.bufferViews[*a.BufferView].ByteStride; s != nil {
		return int(*s)
	}
	return element
}

// checkAccessor checks that the elements of an accessor are within its bufferView.
func (m *Model) checkAccessor(i int, a *accessor) error {
	element, ok := a.bytes()
	if !ok {
		return malformed("accessor %d: there is no type %q of components %d", i, a.Type, a.ComponentType)
	}
	if a.Count < 1 || a.ByteOffset < 0 {
		return malformed("accessor %d: %d elements from byte %d", i, a.Count, a.ByteOffset)
	}
	if a.Sparse != nil {
		m.warn(fmt.Sprintf("accessor %d", i), "It is sparse: its box is the one that the file states.")
	}
	if a.BufferView == nil {
		return nil
	}
	view := m.doc.bufferViews[*a.BufferView]
	left, stride := int(view.ByteLength)-int(a.ByteOffset)-element, m.stride(a, element)
	if left < 0 || int(a.Count)-1 > left/stride {
		return malformed("accessor %d: its %d elements do not fit into the %d bytes of bufferView %d", i, a.Count,
			view.ByteLength, *a.BufferView)
	}
	if stride < element {
		return malformed("accessor %d: its elements of %d bytes overlap, %d bytes apart", i, element, stride)
	}
	return nil
}

// boxReader computes boxes around positions. Accessors may share bytes, so that what a file states may be far longer
// than the file: each box is computed once, and all of them from so many bytes that are left.
type boxReader struct {
	left, most int
	known      map[elements]*Box
}

// elements are those of an accessor of positions.
type elements struct {
	view, offset, component, count integer
	normalized                     bool
}

// boxShare is how many bytes are read for boxes, for each byte of the buffers.
const boxShare = 4

// meshBoxes are the boxes around meshes in their own coordinates, nil where a mesh has none.
func (m *Model) meshBoxes() ([]*Box, error) {
	boxes := make([]*Box, len(m.doc.meshes))
	known := make(map[integer]*Box)
	r := boxReader{known: make(map[elements]*Box)}
	for _, b := range m.buffers {
		r.most += boxShare * len(b)
	}
	r.left = r.most
	for i, mesh := range m.doc.meshes {
		what := fmt.Sprintf("mesh %d", i)
		if len(mesh.primitives) == 0 {
			return nil, malformed("%s has nothing in it", what)
		}
		morphs := false
		for _, p := range mesh.primitives {
			morphs = morphs || len(p.Targets) > 0
			at, ok := p.Attributes["POSITION"]
			if !ok {
				m.warn(what, "A part of it has no positions, and so no box.")
				continue
			}
			if _, ok := known[at]; !ok {
				b, err := m.positions(&r, int(at))
				if err != nil {
					return nil, err
				}
				known[at] = b
			}
			boxes[i] = boxes[i].Union(known[at])
		}
		if morphs {
			m.warn(what, "It has morph targets: its box is of the shape without them.")
		}
	}
	return boxes, nil
}

// positions is the box around the elements of an accessor. It is computed from the elements; what the file states is
// taken where they are not read.
func (m *Model) positions(r *boxReader, i int) (*Box, error) {
	a := &m.doc.accessors[i]
	if a.Type != "VEC3" {
		return nil, malformed("accessor %d: positions are of type VEC3, not %q", i, a.Type)
	}
	stated, err := a.stated(i)
	if err != nil {
		return nil, err
	}
	if a.BufferView == nil || a.Sparse != nil {
		if stated == nil {
			m.warn(fmt.Sprintf("accessor %d", i), "It states no box, and its elements are not read: it has none.")
		}
		return stated, nil
	}
	b, err := m.around(r, i, a)
	// What a file states is in the numbers before they are normalized.
	if err == nil && stated != nil && !a.Normalized && !near(*stated, *b) {
		m.warn(fmt.Sprintf("accessor %d", i), "It states the box %v, and its elements have %v, which is taken.",
			*stated, *b)
	}
	return b, err
}

// around is the box around the elements of an accessor.
func (m *Model) around(r *boxReader, i int, a *accessor) (*Box, error) {
	of := elements{*a.BufferView, a.ByteOffset, a.ComponentType, a.Count, a.Normalized}
	if b, ok := r.known[of]; ok {
		return b, nil
	}
	element, _ := a.bytes()
	if r.left -= element * int(a.Count); r.left < 0 {
		return nil, fmt.Errorf("%w: accessor %d: the positions up to it have more than %d bytes, which is %d times as "+
			"long as the buffers", ErrTooLarge, i, r.most, boxShare)
	}
	b, err := m.compute(i, a, element)
	r.known[of] = b
	return b, err
}

func (m *Model) compute(i int, a *accessor, element int) (b *Box, err error) {
	read := a.reader()
	if read == nil {
		return nil, malformed("accessor %d: positions of components %d", i, a.ComponentType)
	}
	data, stride := m.view(int(*a.BufferView))[a.ByteOffset:], m.stride(a, element)
	for k := range int(a.Count) {
		p := read(data[k*stride:])
		for c, x := range p {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return nil, malformed("accessor %d: element %d has the coordinate %v", i, k, x)
			}
			if b != nil {
				b.Min[c], b.Max[c] = min(b.Min[c], x), max(b.Max[c], x)
			}
		}
		if b == nil {
			b = &Box{p, p}
		}
	}
	return b, nil
}

// stated is the box that a file states.
func (a *accessor) stated(i int) (*Box, error) {
	if a.Min == nil && a.Max == nil {
		return nil, nil
	}
	if len(a.Min) != 3 || len(a.Max) != 3 {
		return nil, malformed("accessor %d: its min has %d numbers and its max %d, in place of 3", i, len(a.Min),
			len(a.Max))
	}
	b := &Box{[3]float64(a.Min), [3]float64(a.Max)}
	for c := range 3 {
		if b.Min[c] > b.Max[c] {
			return nil, malformed("accessor %d: its min %v is above its max %v", i, b.Min[c], b.Max[c])
		}
	}
	return b, nil
}

// near reports whether two boxes are the same but for what is lost when numbers are written with few digits.
func near(a, b Box) bool {
	size := 0.0
	for c := range 3 {
		size = max(size, math.Abs(b.Min[c]), math.Abs(b.Max[c]))
	}
	return slices.MaxFunc([]float64{length(minus(a.Min, b.Min)), length(minus(a.Max, b.Max))}, func(x, y float64) int {
		if x < y {
			return -1
		}
		return 1
	}) <= 1e-5*size
}

// reader reads a position of components of a type; nil where positions have no such components.
func (a *accessor) reader() func([]byte) [3]float64 {
	component := map[integer]func([]byte) float64{
		typeFloat:  func(b []byte) float64 { return float64(math.Float32frombits(binary.LittleEndian.Uint32(b))) },
		typeSigned: func(b []byte) float64 { return float64(int8(b[0])) },
		typeByte:   func(b []byte) float64 { return float64(b[0]) },
		typeShort:  func(b []byte) float64 { return float64(int16(binary.LittleEndian.Uint16(b))) },
		typeUShort: func(b []byte) float64 { return float64(binary.LittleEndian.Uint16(b)) },
	}[a.ComponentType]
	if component == nil {
		return nil
	}
	size, most := componentBytes[a.ComponentType], 1.0
	if a.Normalized {
		most = map[integer]float64{
			typeFloat: 1, typeSigned: 127, typeByte: 255, typeShort: 32767, typeUShort: 65535,
		}[a.ComponentType]
	}
	return func(b []byte) (p [3]float64) {
		for c := range 3 {
			p[c] = max(component(b[c*size:])/most, -math.MaxFloat64)
			if a.Normalized {
				p[c] = max(p[c], -1)
			}
		}
		return p
	}
}
