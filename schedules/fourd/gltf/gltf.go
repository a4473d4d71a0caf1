// Package gltf reads and writes 3D models in the glTF 2.0 format: .glb files, and .gltf files whose buffers are in
// them, are data URIs, or lie in files that the caller gives. It reads what a plan needs to know of a model: its
// nodes with their names, codes and properties, how they are nested and placed, and the boxes around them. Meshes,
// materials and textures stay the bytes that they are.
//
//	file, err := os.Open("site.glb")
//	if err != nil {
//		log.Fatal(err)
//	}
//	model, err := gltf.Read(file, gltf.Options{})
//	if err != nil {
//		log.Fatal(err)
//	}
//	for i, node := range model.Nodes {
//		fmt.Println(node.Code, node.Name, model.Bounds(i))
//	}
//
// A [Draft] changes a copy of a model, or makes a new one, and writes it as GLB.
//
// Coordinates are those of glTF: right-handed, in metres, Y points up. [ZUp] converts a box to the axes of plans and
// of building models, in which Z points up.
package gltf

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
)

// Limits on what is read.
const (
	// MaxBytes is how long a model may be, with the files that it refers to.
	MaxBytes = 1 << 30
	// MaxObjects is how many nodes a model may have, and how many accessors, meshes and whatever else.
	MaxObjects = 1_000_000
)

var (
	// ErrFormat is what a file fails with that is neither a .glb nor a .gltf, or is of another version than 2.
	ErrFormat = errors.New("gltf: the file is no glTF 2.0")
	// ErrMalformed is what a file fails with that contradicts itself or is cut. The error names the place.
	ErrMalformed = errors.New("gltf: the file is damaged")
	// ErrTooLarge is what a file fails with that is beyond a limit. The error names the place and the limit.
	ErrTooLarge = errors.New("gltf: the model is too large")
	// ErrExtension is what a file fails with that requires an extension that is not read. The error names it.
	ErrExtension = errors.New("gltf: the file requires an extension that is not read")
	// ErrElements is what [Objects.GLB] fails with for a mesh whose elements are not read.
	ErrElements = errors.New("gltf: its elements are sparse, or in no buffer")
	// ErrFile is what a file fails with that refers to another one that is not given. The error names it.
	ErrFile = errors.New("gltf: the file refers to another one that is not given")
)

// errTooLong is what a model fails with that is longer than MaxBytes.
var errTooLong = fmt.Errorf("%w: it has more than %d bytes", ErrTooLarge, MaxBytes)

// None is the index of no node, no mesh.
const None = -1

// Options say how to read a file.
type Options struct {
	// Files has the files that a .gltf refers to, by their names from the folder of the .gltf. Without it such a file
	// is refused.
	Files fs.FS
	// MaxNodes is how many nodes a model may have, and MaxObjects how many of whatever else: accessors, meshes, parts
	// of all meshes. Zero is the constant MaxObjects, which none of them is above.
	MaxNodes, MaxObjects int
}

// Model is what a file has.
type Model struct {
	// Nodes have the indices that they have in the file.
	Nodes []Node
	// Warnings name what was read otherwise than the file says, or not at all.
	Warnings []Warning

	doc     document
	buffers [][]byte
	images  map[int][]byte // those of other files
}

// Node is an object of a model, or a group of objects.
type Node struct {
	Name string
	// Code is the member "code" of the extras, a text or a number, whatever its case; empty where there is none.
	Code string
	// Properties are the other members of the extras, as they stand in the file.
	Properties map[string]json.RawMessage
	// Parent is the node that this one is a part of, None at the top; Children are the nodes that are parts of it.
	Parent   int
	Children []int
	// Mesh is the index of its mesh, None where it has none.
	Mesh int
	// Local places the node in its parent, World in the model.
	Local, World Matrix
	// Box is around the mesh of the node itself, in the coordinates of the model. It is the box around its corners once
	// they are placed, so that one of a turned node may be larger than the mesh. Nil where there is no mesh.
	Box *Box
}

// Warning is something that a file says and a model does not hold, or not so.
type Warning struct {
	// What names the item: the kind and the index of it, such as "mesh 17".
	What string
	Text string
}

// MaxWarnings is how many warnings a model has at most; the last one says that there are more.
const MaxWarnings = 1_000

func (m *Model) warn(what, format string, args ...any) {
	w := Warning{what, short(fmt.Sprintf(format, args...))}
	switch n := len(m.Warnings); {
	case n < MaxWarnings-1:
		m.Warnings = append(m.Warnings, w)
	case n < MaxWarnings:
		m.Warnings = append(m.Warnings, Warning{What: "file", Text: "There are more warnings than these."})
	}
}

// short bounds what a message quotes of a file.
func short(s string) string {
	const most = 300
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}

// malformed is the error of a file that contradicts itself at a place.
func malformed(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrMalformed, short(fmt.Sprintf(format, args...)))
}

// Read reads a .glb or a .gltf, which it tells apart by how the file begins.
//
// What it holds in memory is a fixed multiple of the length of the file, whatever the file claims.
//
// Errors: ErrFormat, ErrMalformed, ErrTooLarge, ErrExtension, ErrFile, each with the place; those of r.
func Read(r io.Reader, o Options) (*Model, error) {
	all, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return nil, err
	}
	if len(all) > MaxBytes {
		return nil, errTooLong
	}
	m := &Model{doc: document{mostNodes: limit(o.MaxNodes), most: limit(o.MaxObjects)}}
	text, binary, err := m.container(all)
	if err != nil {
		return nil, err
	}
	if err := m.doc.parse(text); err != nil {
		return nil, err
	}
	if err := m.extensions(); err != nil {
		return nil, err
	}
	if err := m.load(binary, o.Files, len(all)); err != nil {
		return nil, err
	}
	boxes, err := m.meshBoxes()
	if err != nil {
		return nil, err
	}
	if err := m.nest(); err != nil {
		return nil, err
	}
	m.place(boxes)
	if err := m.finite(); err != nil {
		return nil, err
	}
	return m, nil
}

// limit is how many objects an option allows.
func limit(option int) int {
	if option <= 0 {
		return MaxObjects
	}
	return min(option, MaxObjects)
}

// container takes a file apart: its JSON, and the binary chunk of a .glb.
func (m *Model) container(all []byte) (text, binary []byte, err error) {
	if bytes.HasPrefix(all, []byte(magic)) {
		return m.chunks(all)
	}
	text = bytes.TrimLeft(bytes.TrimPrefix(all, []byte("\xEF\xBB\xBF")), " \t\r\n")
	if !bytes.HasPrefix(text, []byte("{")) {
		return nil, nil, foreign(all)
	}
	return text, nil, nil
}

// signatures are how files begin that people take for glTF, with what these are and what helps.
var signatures = []struct{ begin, is string }{
	{"ISO-10303-21", "it is an IFC or another STEP file; convert it, as \"IfcConvert site.ifc site.glb\" does"},
	{"Kaydara FBX", "it is an FBX; export glTF from the tool"},
	{"BLENDER", "it is a file of Blender; export glTF from it"},
	{"PK\x03\x04", "it is a ZIP; unpack it"},
	{"\x1F\x8B", "it is compressed by gzip; unpack it"},
	{"<", "it is XML; export glTF from the tool"},
	{"ERMHDR", "it is a plan in XER"},
}

// foreign is why a file is refused that is no glTF.
func foreign(all []byte) error {
	if len(all) == 0 {
		return fmt.Errorf("%w: it is empty", ErrFormat)
	}
	for _, s := range signatures {
		if bytes.HasPrefix(all, []byte(s.begin)) {
			return fmt.Errorf("%w: %s", ErrFormat, s.is)
		}
	}
	return fmt.Errorf("%w: it begins neither with \"glTF\" nor with {", ErrFormat)
}

// Roots are the nodes that are shown: those of the scene that the file names, else of all its scenes, else all nodes
// at the top.
func (m *Model) Roots() []int {
	if len(m.doc.scenes) == 0 {
		var roots []int
		for i := range m.Nodes {
			if m.Nodes[i].Parent == None {
				roots = append(roots, i)
			}
		}
		return roots
	}
	if m.doc.scene != nil {
		return whole(m.doc.scenes[*m.doc.scene].Nodes)
	}
	var roots []int
	seen := make(map[int]bool)
	for _, s := range m.doc.scenes {
		for _, i := range s.Nodes {
			if !seen[int(i)] {
				seen[int(i)] = true
				roots = append(roots, int(i))
			}
		}
	}
	return roots
}

// Below yields a node and all that is below it, each behind what it is below.
func (m *Model) Below(node int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for stack := []int{node}; len(stack) > 0; {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if !yield(i) {
				return
			}
			for _, c := range slices.Backward(m.Nodes[i].Children) {
				stack = append(stack, c)
			}
		}
	}
}

// Bounds is the box around a node and all that is below it, in the coordinates of the model; nil where none of it has
// a mesh.
func (m *Model) Bounds(node int) (b *Box) {
	for i := range m.Below(node) {
		b = b.Union(m.Nodes[i].Box)
	}
	return b
}
