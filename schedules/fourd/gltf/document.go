package gltf

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
)

// integer is a whole number, which some tools write as 1.0.
type integer int

// UnmarshalJSON refuses what is no whole number, or beyond what a place in a file may be.
func (n *integer) UnmarshalJSON(b []byte) error {
	var f float64
	if err := json.Unmarshal(b, &f); err != nil {
		return err
	}
	if string(b) == "null" {
		return errors.New("null is no whole number")
	}
	if f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return fmt.Errorf("%s is no whole number", short(string(b)))
	}
	if *n = integer(f); float64(*n) != f {
		return fmt.Errorf("%s is too large", short(string(b)))
	}
	return nil
}

// whole are integers as ints.
func whole(list []integer) []int {
	to := make([]int, len(list))
	for i, n := range list {
		to[i] = int(n)
	}
	return to
}

// document is what is read of the JSON of a file. What is not read stays in raw.
type document struct {
	raw             map[string]json.RawMessage
	most, mostNodes int // objects of a kind, nodes

	asset                                           assetJSON
	scene                                           *integer
	scenes                                          []sceneJSON
	nodes                                           []nodeJSON
	meshes                                          []meshJSON
	accessors                                       []accessor
	bufferViews                                     []bufferView
	buffers                                         []buffer
	images                                          []image
	materials, cameras, skins, textures, animations []placeholder
	extensionsUsed, extensionsRequired              []string
}

type assetJSON struct {
	Version    string `json:"version"`
	MinVersion string `json:"minVersion"`
}

// placeholder is an object of which it counts alone that it is there.
type placeholder struct{}

type sceneJSON struct {
	Nodes []integer `json:"nodes"`
}

type nodeJSON struct {
	Name        string          `json:"name"`
	Children    []integer       `json:"children"`
	Matrix      *Matrix         `json:"matrix"`
	Translation *vector         `json:"translation"`
	Rotation    *Quaternion     `json:"rotation"`
	Scale       *vector         `json:"scale"`
	Mesh        *integer        `json:"mesh"`
	Camera      *integer        `json:"camera"`
	Skin        *integer        `json:"skin"`
	Extras      json.RawMessage `json:"extras"`
}

type meshJSON struct {
	Raw        json.RawMessage `json:"primitives"`
	primitives []primitiveJSON
}

type primitiveJSON struct {
	Attributes map[string]integer   `json:"attributes"`
	Indices    *integer             `json:"indices"`
	Material   *integer             `json:"material"`
	Mode       *integer             `json:"mode"`
	Targets    []map[string]integer `json:"targets"`
}

type accessor struct {
	BufferView    *integer     `json:"bufferView"`
	ByteOffset    integer      `json:"byteOffset"`
	ComponentType integer      `json:"componentType"`
	Normalized    bool         `json:"normalized"`
	Count         integer      `json:"count"`
	Type          string       `json:"type"`
	Min           []float64    `json:"min"`
	Max           []float64    `json:"max"`
	Sparse        *placeholder `json:"sparse"`
}

type bufferView struct {
	Buffer     integer  `json:"buffer"`
	ByteOffset integer  `json:"byteOffset"`
	ByteLength integer  `json:"byteLength"`
	ByteStride *integer `json:"byteStride"`
}

type buffer struct {
	URI        *string `json:"uri"`
	ByteLength integer `json:"byteLength"`
}

type image struct {
	URI        *string  `json:"uri"`
	BufferView *integer `json:"bufferView"`
}

// fixed reads so many numbers, since encoding/json fills an array with what there is.
func fixed(b []byte, to []float64) error {
	var list []float64
	if err := json.Unmarshal(b, &list); err != nil {
		return err
	}
	if len(list) != len(to) {
		return fmt.Errorf("there are %d numbers in place of %d", len(list), len(to))
	}
	copy(to, list)
	return nil
}

// UnmarshalJSON reads sixteen numbers.
func (a *Matrix) UnmarshalJSON(b []byte) error { return fixed(b, a[:]) }

// vector is a point or a scale.
type vector [3]float64

// UnmarshalJSON reads three numbers.
func (v *vector) UnmarshalJSON(b []byte) error { return fixed(b, v[:]) }

// UnmarshalJSON reads four numbers.
func (q *Quaternion) UnmarshalJSON(b []byte) error { return fixed(b, q[:]) }

// parse reads the JSON.
func (d *document) parse(text []byte) error {
	var syntax *json.SyntaxError
	if err := json.Unmarshal(text, &d.raw); errors.As(err, &syntax) {
		return malformed("its JSON: %v, at byte %d of it", err, syntax.Offset)
	} else if err != nil {
		return malformed("its JSON: %v", err)
	}
	if err := d.members(); err != nil {
		return err
	}
	if v := d.asset.Version; len(v) < 2 || v[:2] != "2." {
		return fmt.Errorf("%w: it is of version %q", ErrFormat, short(v))
	}
	if v := d.asset.MinVersion; v != "" && v != "2.0" {
		return fmt.Errorf("%w: it needs a reader of version %q", ErrFormat, short(v))
	}
	return d.references()
}

// members reads those of the document.
func (d *document) members() error {
	for _, err := range []error{
		member(d, "asset", &d.asset), member(d, "scene", &d.scene), member(d, "extensionsUsed", &d.extensionsUsed),
		member(d, "extensionsRequired", &d.extensionsRequired),
		objects(d, "scenes", &d.scenes), objects(d, "nodes", &d.nodes), objects(d, "meshes", &d.meshes),
		objects(d, "accessors", &d.accessors), objects(d, "bufferViews", &d.bufferViews),
		objects(d, "buffers", &d.buffers), objects(d, "images", &d.images), objects(d, "materials", &d.materials),
		objects(d, "cameras", &d.cameras), objects(d, "skins", &d.skins), objects(d, "textures", &d.textures),
		objects(d, "animations", &d.animations),
	} {
		if err != nil {
			return err
		}
	}
	left := d.most
	for i := range d.meshes {
		m := &d.meshes[i]
		list, err := items(m.Raw, fmt.Sprintf("mesh %d primitives", i), left)
		if errors.Is(err, ErrTooLarge) {
			return fmt.Errorf("%w: mesh %d: those up to it have more than %d primitives", ErrTooLarge, i, d.most)
		}
		if err != nil {
			return err
		}
		if err := each(list, &m.primitives, fmt.Sprintf("mesh %d: primitive", i)); err != nil {
			return err
		}
		left -= len(list)
		m.Raw = nil
	}
	return nil
}

// member reads a member of the document.
func member[T any](d *document, name string, to *T) error {
	if raw, ok := d.raw[name]; ok {
		return refused(name, json.Unmarshal(raw, to))
	}
	return nil
}

// objects reads a list of the document.
func objects[T any](d *document, name string, to *[]T) error {
	most := d.most
	if name == "nodes" {
		most = d.mostNodes
	}
	list, err := items(d.raw[name], name, most)
	if err != nil {
		return err
	}
	return each(list, to, strings.TrimSuffix(name, "s"))
}

// items takes a list apart. It stops where there are more than so many: each becomes far longer in memory than in a file.
func items(raw json.RawMessage, what string, most int) (list []json.RawMessage, err error) {
	if !bytes.HasPrefix(raw, []byte("[")) {
		if raw != nil {
			err = refused(what, json.Unmarshal(raw, &list))
		}
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if _, err := d.Token(); err != nil {
		return nil, refused(what, err)
	}
	for d.More() {
		if len(list) == most {
			return nil, fmt.Errorf("%w: %s: there are more than %d", ErrTooLarge, what, most)
		}
		var item json.RawMessage
		if err := d.Decode(&item); err != nil {
			return nil, refused(what, err)
		}
		list = append(list, item)
	}
	return list, nil
}

// each reads objects. Package json takes a name in other case for the same, and glTF does not: such members are none of
// those that are read.
func each[T any](list []json.RawMessage, to *[]T, what string) error {
	names := names(reflect.TypeFor[T]())
	*to = make([]T, len(list))
	for i, raw := range list {
		if len(names) > 0 {
			m := make(map[string]json.RawMessage)
			if err := refused(fmt.Sprintf("%s %d", what, i), json.Unmarshal(raw, &m)); err != nil {
				return err
			}
			n := len(m)
			maps.DeleteFunc(m, func(name string, _ json.RawMessage) bool { return !slices.Contains(names, name) })
			if len(m) < n {
				raw = encode(m)
			}
		}
		if err := refused(fmt.Sprintf("%s %d", what, i), json.Unmarshal(raw, &(*to)[i])); err != nil {
			return err
		}
	}
	return nil
}

// names are those of the members that a type has in JSON.
func names(t reflect.Type) (list []string) {
	for f := range t.Fields() {
		if tag := f.Tag.Get("json"); tag != "" {
			list = append(list, tag)
		}
	}
	return list
}

// refused is the error of a value that is of another type than its place.
func refused(what string, err error) error {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return malformed("its JSON: %s is a %s", strings.TrimSpace(what+" "+wrong.Field), wrong.Value)
	}
	if err != nil {
		return malformed("its JSON: %s: %v", what, err)
	}
	return nil
}

// references checks that what is referred to is there.
func (d *document) references() error {
	for i, s := range d.scenes {
		for _, n := range s.Nodes {
			if err := within("scene", i, "node", &n, len(d.nodes)); err != nil {
				return err
			}
		}
	}
	if d.scene != nil && (*d.scene < 0 || int(*d.scene) >= len(d.scenes)) {
		return malformed("it shows scene %d, and has %d", *d.scene, len(d.scenes))
	}
	for i, n := range d.nodes {
		if err := errors.Join(
			within("node", i, "mesh", n.Mesh, len(d.meshes)), within("node", i, "camera", n.Camera, len(d.cameras)),
			within("node", i, "skin", n.Skin, len(d.skins)),
		); err != nil {
			return err
		}
	}
	return errors.Join(d.partReferences(), d.meshReferences())
}

// partReferences checks those to buffers and parts of them.
func (d *document) partReferences() error {
	for i, v := range d.bufferViews {
		if err := within("bufferView", i, "buffer", &v.Buffer, len(d.buffers)); err != nil {
			return err
		}
	}
	for i, a := range d.accessors {
		if err := within("accessor", i, "bufferView", a.BufferView, len(d.bufferViews)); err != nil {
			return err
		}
	}
	for i, x := range d.images {
		if err := within("image", i, "bufferView", x.BufferView, len(d.bufferViews)); err != nil {
			return err
		}
	}
	return nil
}

func (d *document) meshReferences() error {
	for i, m := range d.meshes {
		for _, p := range m.primitives {
			if err := errors.Join(within("mesh", i, "accessor", p.Indices, len(d.accessors)),
				within("mesh", i, "material", p.Material, len(d.materials))); err != nil {
				return err
			}
			for _, attributes := range append(slices.Clip(p.Targets), p.Attributes) {
				for name, a := range attributes {
					if err := within("mesh", i, name+": accessor", &a, len(d.accessors)); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// within reports that an object refers to one that is not there.
func within(kind string, at int, to string, n *integer, of int) error {
	if n == nil || *n >= 0 && int(*n) < of {
		return nil
	}
	return malformed("%s %d: it refers to %s %d, and there are %d", kind, at, to, *n, of)
}
