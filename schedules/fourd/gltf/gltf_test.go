package gltf_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/seed-933f9a09/twinplatform/internal/heapgauge"
	"github.com/seed-933f9a09/twinplatform/schedules/fourd/gltf"
)

// floats are numbers as buffers have them.
func floats(list ...float32) []byte {
	var b []byte
	for _, x := range list {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

// corners are three points of a triangle around the box from (0, 0, 0) to (2, 3, 4).
func corners() []byte { return floats(0, 0, 0, 2, 3, 0, 1, 1, 4) }

// site is a .gltf whose one mesh is in its buffer, with some members replaced.
func site(nodes string, others ...string) string {
	text := `{"asset": {"version": "2.0"}, "nodes": [` + nodes + `],
"meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
"accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [2, 3, 4]}],
"bufferViews": [{"buffer": 0, "byteLength": 36}],
"buffers": [{"byteLength": 36, "uri": "data:application/octet-stream;base64,` + base64.StdEncoding.EncodeToString(corners()) + `"}]}`
	for i := 0; i < len(others); i += 2 {
		if !strings.Contains(text, others[i]) {
			panic("the file has no " + others[i])
		}
		text = strings.Replace(text, others[i], others[i+1], 1)
	}
	return text
}

// glb is a GLB of chunks, whose header has the right length.
func glb(text string, bin []byte) []byte {
	chunk := func(kind string, b []byte, fill byte) []byte {
		for len(b)%4 > 0 {
			b = append(b, fill)
		}
		return append(append(binary.LittleEndian.AppendUint32(nil, uint32(len(b))), kind...), b...)
	}
	all := chunk("JSON", []byte(text), ' ')
	if bin != nil {
		all = append(all, chunk("BIN\x00", bin, 0)...)
	}
	head := binary.LittleEndian.AppendUint32([]byte("glTF\x02\x00\x00\x00"), uint32(12+len(all)))
	return append(head, all...)
}

func read(t testing.TB, file string) *gltf.Model {
	t.Helper()
	m, err := gltf.Read(strings.NewReader(file), gltf.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// approximately forgives what is lost by rounding.
var approximately = cmpopts.EquateApprox(0, 1e-9)

func TestNodesHaveNameCodePropertiesPlaceAndBox(t *testing.T) {
	t.Parallel()
	m := read(t, site(`
{"name": "Site", "children": [1, 2], "translation": [10, 0, 0], "rotation": [0, 0.7071067811865476, 0, 0.7071067811865476]},
{"name": "Wall", "mesh": 0, "scale": [1, 2, 1], "extras": {"Code": "W-1", "storey": 3, "material": {"name": "brick"}}},
{"name": "Slab", "mesh": 0, "matrix": [1,0,0,0, 0,1,0,0, 0,0,1,0, 5,6,7,1], "extras": {"code": 17}}`))
	site, wall, slab := m.Nodes[0], m.Nodes[1], m.Nodes[2]
	if site.Parent != gltf.None || site.Mesh != gltf.None || site.Box != nil || wall.Parent != 0 {
		t.Errorf("%+v, %+v", site, wall)
	}
	if wall.Name != "Wall" || wall.Code != "W-1" || slab.Code != "17" {
		t.Errorf("%+v, %+v", wall, slab)
	}
	if string(wall.Properties["storey"]) != "3" || string(wall.Properties["material"]) != `{"name": "brick"}` || len(wall.Properties) != 2 {
		t.Errorf("%q", wall.Properties)
	}
	// A quarter turn about Y makes x of z, and -z of x.
	want := &gltf.Box{Min: [3]float64{10, 0, -2}, Max: [3]float64{14, 6, 0}}
	if diff := cmp.Diff(want, wall.Box, approximately); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	want = &gltf.Box{Min: [3]float64{10, 0, -7}, Max: [3]float64{21, 9, 0}}
	if diff := cmp.Diff(want, m.Bounds(0), approximately); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(&gltf.Box{Min: [3]float64{10, 0, 0}, Max: [3]float64{21, 7, 9}}, m.Bounds(0).In(gltf.ZUp), approximately); diff != "" {
		t.Errorf("with Z up (-want +got)\n%s", diff)
	}
	if len(m.Warnings) > 0 || len(m.Roots()) != 1 {
		t.Errorf("%v, %v", m.Warnings, m.Roots())
	}
}

func TestBuffersAreTakenFromWhereTheyAre(t *testing.T) {
	t.Parallel()
	const node, embedded = `{"mesh": 0}`, "data:application/octet-stream;base64,"
	text := base64.StdEncoding.EncodeToString(corners())
	want := &gltf.Box{Max: [3]float64{2, 3, 4}}
	files := gltf.Options{Files: fstest.MapFS{"the site/a.bin": {Data: corners()}}}
	for name, file := range map[string]string{
		"a data URI":           site(node),
		"a byte order mark":    "\xEF\xBB\xBF" + site(node),
		"the binary chunk":     string(glb(site(node, `, "uri": "`+embedded+text+`"`, ""), corners())),
		"another file":         site(node, embedded+text, "the%20site/a.bin"),
		"whole numbers as 1.0": site(node, `"count": 3`, `"count": 3.0`),
	} {
		m, err := gltf.Read(strings.NewReader(file), files)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(want, m.Nodes[0].Box); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
	}
}

func TestNamesOfMembersInOtherCaseAreNotRead(t *testing.T) {
	t.Parallel()
	m := read(t, site(`{"Name": "no", "name": "Wall", "MESH": 7, "Children": [5], "mesh": 0}`, `"meshes"`, `"NODES": 5, "meshes"`))
	if n := m.Nodes[0]; n.Name != "Wall" || n.Mesh != 0 || len(n.Children) > 0 {
		t.Errorf("%+v", n)
	}
}

func TestPositionsMayBeOfEachTypeOfComponent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		data          []byte
		accessor      string
		want          gltf.Box
		componentType int
	}{
		"bytes":             {[]byte{1, 2, 3, 0, 9, 8, 0xFF, 0}, `"count": 2`, gltf.Box{Min: [3]float64{1, 2, 3}, Max: [3]float64{9, 8, 255}}, 5121},
		"signed bytes":      {[]byte{0x80, 2, 3, 0, 9, 8, 0x7F, 0}, `"count": 2`, gltf.Box{Min: [3]float64{-128, 2, 3}, Max: [3]float64{9, 8, 127}}, 5120},
		"normalized bytes":  {[]byte{0x80, 0x7F, 0, 0, 0x81, 0, 0, 0}, `"count": 2, "normalized": true`, gltf.Box{Min: [3]float64{-1, 0, 0}, Max: [3]float64{-1, 1, 0}}, 5120},
		"shorts":            {[]byte{0, 1, 2, 0, 3, 0, 0, 0}, `"count": 1`, gltf.Box{Min: [3]float64{256, 2, 3}, Max: [3]float64{256, 2, 3}}, 5123},
		"normalized shorts": {[]byte{0xFF, 0x7F, 1, 0x80, 0, 0, 0, 0}, `"count": 1, "normalized": true`, gltf.Box{Min: [3]float64{1, -1, 0}, Max: [3]float64{1, -1, 0}}, 5122},
	} {
		stride := len(c.data) / map[bool]int{true: 2, false: 1}[strings.Contains(c.accessor, "2")]
		m := read(t, site(`{"mesh": 0}`,
			`"componentType": 5126, "count": 3`, fmt.Sprintf(`"componentType": %d, %s`, c.componentType, c.accessor),
			`, "min": [0, 0, 0], "max": [2, 3, 4]`, "",
			`"byteLength": 36}]`, fmt.Sprintf(`"byteLength": %d, "byteStride": %d}]`, len(c.data), stride),
			`"byteLength": 36`, fmt.Sprintf(`"byteLength": %d`, len(c.data)),
			base64.StdEncoding.EncodeToString(corners()), base64.StdEncoding.EncodeToString(c.data)))
		if diff := cmp.Diff(&c.want, m.Nodes[0].Box); diff != "" || len(m.Warnings) > 0 {
			t.Errorf("%s: %v (-want +got)\n%s", name, m.Warnings, diff)
		}
	}
}

func TestWhatIsNotReadIsWarnedOfByName(t *testing.T) {
	t.Parallel()
	const primitive = `{"attributes": {"POSITION": 0}}`
	for want, file := range map[string]string{
		"mesh 0: It has morph targets: its box is of the shape without them.":                                       site(`{"mesh": 0}`, primitive, `{"attributes": {"POSITION": 0}, "targets": [{"POSITION": 0}]}`),
		"accessor 0: It is sparse: its box is the one that the file states.":                                        site(`{"mesh": 0}`, `"type": "VEC3"`, `"type": "VEC3", "sparse": {"count": 1}`),
		"mesh 0: A part of it has no positions, and so no box.":                                                     site(`{"mesh": 0}`, `"POSITION": 0`, `"NORMAL": 0`),
		"accessor 0: It states no box, and its elements are not read: it has none.":                                 site(`{"mesh": 0}`, `"bufferView": 0, `, "", `, "min": [0, 0, 0], "max": [2, 3, 4]`, ""),
		"accessor 0: It states the box {[0 0 0] [2 3 5]}, and its elements have {[0 0 0] [2 3 4]}, which is taken.": site(`{"mesh": 0}`, "[2, 3, 4]", "[2, 3, 5]"),
		"node 0: Its extras are no object with members, and not read.":                                              site(`{"mesh": 0, "extras": "W-1"}`),
		"node 0: It has a skin: its box is that of its mesh as it stands in the file.":                              site(`{"mesh": 0, "skin": 0}`, `"meshes"`, `"skins": [{}], "meshes"`),
		"extension ACME_glow: It is not read; what it adds stays in the file.":                                      site(`{"mesh": 0}`, `"meshes"`, `"extensionsUsed": ["ACME_glow"], "meshes"`),
		"file: 1 animations in it are not read.":                                                                    site(`{"mesh": 0}`, `"meshes"`, `"animations": [{}], "meshes"`),
		"image 0: It is in another file, brick.png, and is not read.":                                               site(`{"mesh": 0}`, `"meshes"`, `"images": [{"uri": "brick.png"}], "meshes"`),
		"file: 4 bytes behind the end that its header names are left out.":                                          string(glb(site(`{"mesh": 0}`), nil)) + "\x00\x00\x00\x00",
	} {
		m := read(t, file)
		if len(m.Warnings) != 1 || m.Warnings[0].What+": "+m.Warnings[0].Text != want {
			t.Errorf("%q, want %q", m.Warnings, want)
		}
	}
}

func TestBadFilesAreRefusedWithThePlace(t *testing.T) {
	t.Parallel()
	node := `{"mesh": 0}`
	whole := string(glb(site(node), corners()))
	for _, c := range []struct {
		file string
		want error
		text string
	}{
		{"", gltf.ErrFormat, "it is empty"},
		{"ISO-10303-21;\nHEADER;", gltf.ErrFormat, "convert it, as \"IfcConvert site.ifc site.glb\" does"},
		{"solid stl", gltf.ErrFormat, "it begins neither"},
		{"glTF\x02", gltf.ErrMalformed, "the header is cut at byte 5"},
		{"glTF\x01\x00\x00\x00\x10\x00\x00\x00", gltf.ErrFormat, "a GLB of version 1"},
		{whole[:len(whole)-1], gltf.ErrMalformed, "it is cut"},
		{string(glb(site(node), nil))[:20], gltf.ErrMalformed, "it is cut"},
		{"glTF\x02\x00\x00\x00\x0C\x00\x00\x00", gltf.ErrMalformed, "it has no JSON"},
		{"glTF\x02\x00\x00\x00\x14\x00\x00\x00\xFF\xFF\xFF\xFFJSON", gltf.ErrMalformed, "chunk 0 has 4294967295 bytes, and 0 are left"},
		{"{", gltf.ErrMalformed, "its JSON: unexpected end of JSON input, at byte 1"},
		{`{"asset": {"version": "1.0"}}`, gltf.ErrFormat, `version "1.0"`},
		{`{"asset": {"version": "2.0", "minVersion": "2.1"}}`, gltf.ErrFormat, `version "2.1"`},
		{site(`{"name": 5}`), gltf.ErrMalformed, "node 0 name is a number"},
		{site(`{"children": [null]}`), gltf.ErrMalformed, "null is no whole number"},
		{site(`5`), gltf.ErrMalformed, "node 0 is a number"},
		{site(`{"mesh": 1.5}`), gltf.ErrMalformed, "1.5 is no whole number"},
		{site(`{"mesh": 1e300}`), gltf.ErrMalformed, "1e300 is no whole number"},
		{site(`{"mesh": 1}`), gltf.ErrMalformed, "node 0: it refers to mesh 1, and there are 1"},
		{site(`{"children": [7]}`), gltf.ErrMalformed, "node 0: it refers to child 7, and there are 1"},
		{site(`{"children": [-1]}`), gltf.ErrMalformed, "child -1"},
		{site(`{"children": [0]}`), gltf.ErrMalformed, "node 0 is below itself"},
		{site(`{}, {"children": [2]}, {"children": [1]}`), gltf.ErrMalformed, "node 1 is below itself"},
		{site(`{"children": [2]}, {"children": [2]}, {}`), gltf.ErrMalformed, "node 2 is below both node 0 and node 1"},
		{site(`{"children": [1]}, {}`, `"meshes"`, `"scenes": [{"nodes": [1]}], "meshes"`), gltf.ErrMalformed, "scene 0 shows node 1, which is below node 0"},
		{site(`{}`, `"meshes"`, `"scenes": [{"nodes": [0, 0]}], "meshes"`), gltf.ErrMalformed, "scene 0 shows node 0 twice"},
		{site(`{}`, `"meshes"`, `"scene": 3, "meshes"`), gltf.ErrMalformed, "it shows scene 3, and has 0"},
		{site(`{"rotation": [0, 0, 0, 0]}`), gltf.ErrMalformed, "node 0: its rotation has no length"},
		{site(`{"scale": [1, 1]}`), gltf.ErrMalformed, "there are 2 numbers in place of 3"},
		{site(`{"matrix": [1, 2, 3]}`), gltf.ErrMalformed, "there are 3 numbers in place of 16"},
		{site(`{"matrix": [1,0,0,1, 0,1,0,0, 0,0,1,0, 0,0,0,1]}`), gltf.ErrMalformed, "the last row of its matrix"},
		{site(`{"matrix": [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1], "scale": [1, 1, 1]}`), gltf.ErrMalformed, "a matrix, and besides"},
		{site(`{"scale": [1e308, 1, 1], "children": [1]}, {"mesh": 0, "scale": [1e308, 1, 1]}`), gltf.ErrMalformed, "node 1 is placed beyond what numbers hold"},
		{site(`{"scale": [1e308, 1, 1], "mesh": 0}`), gltf.ErrMalformed, "node 0 reaches beyond what numbers hold"},
		{site(`{"scale": [1e308, 1, 1], "mesh": 0}`, `"bufferView": 0, "comp`, `"comp`, `"min": [0`, `"min": [2`), gltf.ErrMalformed, "node 0 reaches beyond what numbers hold"},
		{site(`{"scale": [NaN, 1, 1]}`), gltf.ErrMalformed, "its JSON: invalid character 'N'"},
		{site(node, `"count": 3`, `"count": 1000000000`), gltf.ErrMalformed, "accessor 0: its 1000000000 elements do not fit into the 36 bytes of bufferView 0"},
		{site(node, `"count": 3`, `"count": 9007199254740992`), gltf.ErrMalformed, "do not fit"},
		{site(node, `"count": 3`, `"count": 0`), gltf.ErrMalformed, "accessor 0: 0 elements from byte 0"},
		{site(node, `"count": 3`, `"count": 3, "byteOffset": 4`), gltf.ErrMalformed, "do not fit"},
		{site(node, `"count": 3`, `"count": 3, "byteOffset": -4`), gltf.ErrMalformed, "3 elements from byte -4"},
		{site(node, `"VEC3"`, `"VEC5"`), gltf.ErrMalformed, `there is no type "VEC5"`},
		{site(node, `"VEC3"`, `"VEC2"`), gltf.ErrMalformed, `positions are of type VEC3, not "VEC2"`},
		{site(node, `5126`, `5130`), gltf.ErrMalformed, "of components 5130"},
		{site(node, `5126`, `5125`), gltf.ErrMalformed, "positions of components 5125"},
		{site(node, `"min": [0, 0, 0]`, `"min": [0, 0]`), gltf.ErrMalformed, "its min has 2 numbers and its max 3"},
		{site(node, `"min": [0, 0, 0]`, `"min": [9, 0, 0]`), gltf.ErrMalformed, "its min 9 is above its max 2"},
		{site(node, `"byteLength": 36}]`, `"byteLength": 36, "byteOffset": 1}]`), gltf.ErrMalformed, "bufferView 0: 36 bytes from 1 are not within buffer 0, which has 36"},
		{site(node, `"byteLength": 36}]`, `"byteLength": 36, "byteStride": 3}]`), gltf.ErrMalformed, "a stride of 3 bytes"},
		{site(node, `"byteLength": 36}]`, `"byteLength": 36, "byteStride": 8}]`), gltf.ErrMalformed, "its elements of 12 bytes overlap, 8 bytes apart"},
		{site(node, `"buffer": 0`, `"buffer": 1`), gltf.ErrMalformed, "bufferView 0: it refers to buffer 1"},
		{site(node, `"byteLength": 36, "uri"`, `"byteLength": 40, "uri"`), gltf.ErrMalformed, "buffer 0 has 36 bytes, and says 40"},
		{site(node, `"uri": "data:application/octet-stream;base64,`, `"none": "`), gltf.ErrMalformed, "buffer 0 is nowhere"},
		{site(node, ";base64,", ","), gltf.ErrMalformed, "not in base64"},
		{site(node, ";base64,", ";base64,!"), gltf.ErrMalformed, "illegal base64 data"},
		{site(node, base64.StdEncoding.EncodeToString(corners()), base64.StdEncoding.EncodeToString(floats(0, 0, 0, 1, float32(math.NaN()), 1, 2, 2, 2))), gltf.ErrMalformed, "accessor 0: element 1 has the coordinate NaN"},
		{site(node, `"primitives": [{"attributes": {"POSITION": 0}}]`, `"primitives": []`), gltf.ErrMalformed, "mesh 0 has nothing in it"},
		{site(node, `"POSITION": 0`, `"POSITION": 4`), gltf.ErrMalformed, "mesh 0: it refers to POSITION: accessor 4"},
		{site(node, `"meshes"`, `"extensionsRequired": ["KHR_materials_unlit", "KHR_draco_mesh_compression"], "meshes"`), gltf.ErrExtension, "KHR_draco_mesh_compression; save it without compression"},
		{site(node, "data:application/octet-stream;base64,", "site.bin?"), gltf.ErrFile, "convert it to a .glb"},
		{site(node, "data:application/octet-stream;base64,", "https://example.com/"), gltf.ErrFile, "is not the name of a file next to it"},
		{site(node, "data:application/octet-stream;base64,", "../secret/"), gltf.ErrFile, "is not the name of a file next to it"},
		{site(node, "data:application/octet-stream;base64,", "%2e%2e/secret/"), gltf.ErrFile, "is not the name of a file next to it"},
		{site(node, "data:application/octet-stream;base64,", "/etc/"), gltf.ErrFile, "is not the name of a file next to it"},
	} {
		m, err := gltf.Read(strings.NewReader(c.file), gltf.Options{})
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) || m != nil {
			t.Errorf("%.60q: %v, want %v with %q", c.file, err, c.want, c.text)
		}
	}
	_, err := gltf.Read(strings.NewReader(site(node, "data:application/octet-stream;base64,", "x")), gltf.Options{Files: fstest.MapFS{}})
	if !errors.Is(err, gltf.ErrFile) || !strings.Contains(err.Error(), "buffer 0") {
		t.Errorf("a file that is not there: %v", err)
	}
}

func TestPositionsThatShareTheirBytesAreReadAFewTimesAtMost(t *testing.T) {
	t.Parallel()
	// Each mesh has the positions from another corner on, or all of them the same.
	file := func(meshes int, offset func(int) int) string {
		var list, accessors []string
		for i := range meshes {
			list = append(list, fmt.Sprintf(`{"primitives": [{"attributes": {"POSITION": %d}}]}`, i))
			accessors = append(accessors, fmt.Sprintf(`{"bufferView": 0, "byteOffset": %d, "componentType": 5126, "count": 900, "type": "VEC3"}`, offset(i)))
		}
		return string(glb(fmt.Sprintf(`{"asset": {"version": "2.0"}, "nodes": [{"mesh": 0}], "meshes": [%s], "accessors": [%s],
"bufferViews": [{"buffer": 0, "byteLength": 12000}], "buffers": [{"byteLength": 12000}]}`,
			strings.Join(list, ","), strings.Join(accessors, ",")), make([]byte, 12000)))
	}
	_, err := gltf.Read(strings.NewReader(file(90, func(i int) int { return 12 * i })), gltf.Options{})
	if want := "accessor 4: the positions up to it have more than 48000 bytes"; !errors.Is(err, gltf.ErrTooLarge) || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %q", err, want)
	}
	read(t, file(4, func(i int) int { return 12 * i }))
	if m := read(t, file(90, func(int) int { return 0 })); m.Nodes[0].Box == nil {
		t.Error("there is no box")
	}
}

// shared is a GLB with a mesh of so many attributes, whose accessors all name the same bytes.
func shared(attributes, size int) string {
	var names, accessors []string
	for i := range attributes {
		names = append(names, fmt.Sprintf(`"_A%d": %d`, i, i))
		accessors = append(accessors, fmt.Sprintf(`{"bufferView": 0, "componentType": 5121, "count": %d, "type": "SCALAR"}`, size))
	}
	return string(glb(fmt.Sprintf(`{"asset": {"version": "2.0"}, "nodes": [{"mesh": 0}, {"mesh": 0}],
"meshes": [{"primitives": [{"attributes": {%s}}]}], "accessors": [%s],
"bufferViews": [{"buffer": 0, "byteLength": %d}], "buffers": [{"byteLength": %d}]}`,
		strings.Join(names, ","), strings.Join(accessors, ","), size, size), make([]byte, size)))
}

// TestAnObjectThatIsTooLargeIsNotMade copies a mesh that states gigabytes.
//
//nolint:paralleltest // it measures memory
func TestAnObjectThatIsTooLargeIsNotMade(t *testing.T) {
	o := read(t, shared(1_000, 1<<20)).Objects()
	if got := o.Bytes(0); got < 4_000<<20 || got > 4_001<<20 {
		t.Errorf("it has %d bytes", got)
	}
	_, held := heapgauge.Peak(t, func() error {
		_, err := o.GLB(1, 1<<30)
		if !errors.Is(err, gltf.ErrTooLarge) || !strings.Contains(err.Error(), "mesh 0 has 419") {
			t.Errorf("got %v", err)
		}
		return err
	})
	if held > 1<<20 {
		t.Errorf("it holds %d bytes", held)
	}
	small := read(t, shared(3, 100)).Objects()
	if b, err := small.GLB(0, small.Bytes(0)); err != nil || !strings.Contains(string(b), `"_A2"`) {
		t.Errorf("%q, %v", b, err)
	}
}

// TestAFileHoldsNoMoreThanAMultipleOfItsLength reads files that claim more than they have.
//
//nolint:paralleltest // it measures memory
func TestAFileHoldsNoMoreThanAMultipleOfItsLength(t *testing.T) {
	for name, file := range map[string]string{
		"many nodes":      site(strings.Repeat("{},", 200_000) + "{}"),
		"a deep chain":    site(chain(100_000)),
		"a large claim":   site(`{"mesh": 0}`, `"byteLength": 36, "uri"`, `"byteLength": 900000000000, "uri"`),
		"much whitespace": site(strings.Repeat(" ", 1<<20) + "{}"),
	} {
		_, held := heapgauge.Peak(t, func() *gltf.Model {
			m, _ := gltf.Read(strings.NewReader(file), gltf.Options{})
			return m
		})
		if most := int64(300*len(file) + 16<<20); held > most {
			t.Errorf("%s: a file of %d bytes holds %d", name, len(file), held)
		}
	}
}

// TestObjectsBeyondTheLimitAreNotMade reads a million nodes where a thousand are allowed.
//
//nolint:paralleltest // it measures memory
func TestObjectsBeyondTheLimitAreNotMade(t *testing.T) {
	many := strings.Repeat("{},", 900_000) + "{}"
	for want, file := range map[string]string{
		"nodes: there are more than 1000":                    site(many),
		"cameras: there are more than 7":                     site("{}", `"meshes"`, `"cameras": [`+many+`], "meshes"`),
		"mesh 1: those up to it have more than 7 primitives": site("{}", `"meshes": [`, `"meshes": [{"primitives": [{}]}, {"primitives": [`+many+`]}, `),
		"accessors: there are more than 7":                   site("{}", `"accessors": [`, `"accessors": [`+many+","),
	} {
		_, held := heapgauge.Peak(t, func() *gltf.Model {
			m, err := gltf.Read(strings.NewReader(file), gltf.Options{MaxNodes: 1000, MaxObjects: 7})
			if !errors.Is(err, gltf.ErrTooLarge) || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v, want %q", err, want)
			}
			return m
		})
		if held > 32<<20 {
			t.Errorf("%s: it holds %d bytes", want, held)
		}
	}
	if _, err := gltf.Read(strings.NewReader(site("{}, {}")), gltf.Options{MaxNodes: 2, MaxObjects: 1}); err != nil {
		t.Errorf("a model at the limits: %v", err)
	}
}

// chain are nodes each of which is below the one before.
func chain(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"children": [%d]},`, i+1)
	}
	return b.String() + "{}"
}

func TestAnObjectIsANodeAloneWhereItIsInTheModel(t *testing.T) {
	t.Parallel()
	m := read(t, site(`{"translation": [5, 0, 0], "children": [1]}, {"name": "Wall", "mesh": 0, "scale": [1, 2, 1], "children": [2]}, {"mesh": 0}`,
		`{"attributes": {"POSITION": 0}}`, `{"attributes": {"POSITION": 0}, "mode": 0, "material": 0}`,
		`"meshes"`, `"materials": [{"name": "brick", "extensions": {"X": 1}, "normalTexture": {"index": 0}, "pbrMetallicRoughness": {"metallicFactor": 0, "baseColorTexture": {"index": 0}}}], "meshes"`))
	o := m.Objects()
	if b, err := o.GLB(0, gltf.MaxBytes); b != nil || err != nil {
		t.Errorf("a node without a mesh: %q, %v", b, err)
	}
	b, err := o.GLB(1, gltf.MaxBytes)
	if err != nil {
		t.Fatal(err)
	}
	alone := read(t, string(b))
	if len(alone.Nodes) != 1 || alone.Nodes[0].Name != "Wall" || len(alone.Warnings) > 0 {
		t.Errorf("%+v", alone.Nodes)
	}
	if diff := cmp.Diff(m.Nodes[1].Box, alone.Bounds(0)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, kept := range []string{`"materials":[{"name":"brick","pbrMetallicRoughness":{"metallicFactor":0}}]`, `"mode":0`} {
		if !strings.Contains(string(b), kept) {
			t.Errorf("there is no %s in %q", kept, b)
		}
	}
	sparse := read(t, site(`{"mesh": 0}`, `"type": "VEC3"`, `"type": "VEC3", "sparse": {"count": 1}`))
	if _, err := sparse.Objects().GLB(0, gltf.MaxBytes); !errors.Is(err, gltf.ErrElements) {
		t.Errorf("a sparse accessor: %v", err)
	}
}

// What is inserted twice is there twice, and what is of no use leaves the model as it was.

func TestABlockIsClosedAndSeenFromOutside(t *testing.T) {
	t.Parallel()
	d := gltf.NewDraft()
	box := gltf.Box{Min: [3]float64{-1, 0, 2}, Max: [3]float64{4, 1, 5}}
	d.Show(d.AddNode(gltf.NewNode{TRS: gltf.Rest, Mesh: d.AddBlock("block", box, gltf.None)}))
	var b bytes.Buffer
	if err := d.Write(&b); err != nil {
		t.Fatal(err)
	}
	m := read(t, b.String())
	if diff := cmp.Diff(&box, m.Bounds(0)); diff != "" || len(m.Warnings) > 0 {
		t.Errorf("%v (-want +got)\n%s", m.Warnings, diff)
	}
	bin := b.Bytes()[b.Len()-24*24-36*4:]
	number := func(at int) float64 { return float64(math.Float32frombits(binary.LittleEndian.Uint32(bin[at:]))) }
	corner := func(i int) (p [3]float64) {
		k := binary.LittleEndian.Uint32(bin[24*24+4*i:])
		for c := range p {
			p[c] = number(12*int(k) + 4*c)
		}
		return p
	}
	// The triangles of a closed body, seen from outside, enclose its volume.
	volume := 0.0
	for i := 0; i < 36; i += 3 {
		p, q, r := corner(i), corner(i+1), corner(i+2)
		volume += (p[0]*(q[1]*r[2]-q[2]*r[1]) - p[1]*(q[0]*r[2]-q[2]*r[0]) + p[2]*(q[0]*r[1]-q[1]*r[0])) / 6
	}
	if math.Abs(volume-15) > 1e-4 {
		t.Errorf("the volume is %v, and that of the box 15", volume)
	}
}

// TestPlacesAreTakenApartAndPutTogether does so with random ones.
func TestPlacesAreTakenApartAndPutTogether(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	number := func() float64 { return 4*r.Float64() - 2 }
	for range 1000 {
		trs := gltf.TRS{
			Translation: [3]float64{number(), number(), number()}, Rotation: gltf.Quaternion{number(), number(), number(), number()},
			Scale: [3]float64{number(), number(), number()},
		}
		m := trs.Matrix()
		back, exact := m.TRS()
		if diff := cmp.Diff(m, back.Matrix(), cmpopts.EquateApprox(1e-6, 1e-6)); diff != "" || !exact {
			t.Fatalf("%v: %v (-want +got)\n%s", trs, exact, diff)
		}
		inverse, ok := m.Inverse()
		if diff := cmp.Diff(gltf.Identity, m.Times(inverse), cmpopts.EquateApprox(1e-6, 1e-6)); ok && diff != "" {
			t.Fatalf("%v (-want +got)\n%s", trs, diff)
		}
		d := gltf.Unit(trs.Translation)
		toward := gltf.TRS{Rotation: gltf.Toward(d), Scale: [3]float64{1, 1, 1}}.Matrix().Turn([3]float64{0, 0, 1})
		if diff := cmp.Diff(d, toward, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
			t.Fatalf("(-want +got)\n%s", diff)
		}
	}
	shear := gltf.Matrix{0: 1, 4: 0.5, 5: 1, 10: 1, 15: 1}
	if _, exact := shear.TRS(); exact {
		t.Error("a matrix that shears has a scale and a rotation")
	}
	if _, ok := (gltf.Matrix{0: 1, 5: 1, 15: 1}).Inverse(); ok {
		t.Error("a matrix that flattens has an inverse")
	}
	if down := (gltf.TRS{Rotation: gltf.Toward([3]float64{0, 0, -1}), Scale: [3]float64{1, 1, 1}}).Matrix().Turn([3]float64{0, 0, 1}); down[2] != -1 {
		t.Errorf("Z is turned to %v", down)
	}
}

// FuzzRead reads anything. What is read can be written, and is read again as the same.
func FuzzRead(f *testing.F) {
	f.Add([]byte(site(`{"mesh": 0, "extras": {"code": "W"}}, {"children": [0]}`)))
	f.Add(glb(site(`{"mesh": 0}`, `"meshes"`, `"scene": 0, "scenes": [{"nodes": [0]}], "meshes"`), corners()))
	f.Fuzz(func(t *testing.T, file []byte) {
		m, err := gltf.Read(bytes.NewReader(file), gltf.Options{})
		if err != nil {
			for _, known := range []error{gltf.ErrFormat, gltf.ErrMalformed, gltf.ErrTooLarge, gltf.ErrExtension, gltf.ErrFile} {
				if errors.Is(err, known) {
					return
				}
			}
			t.Fatalf("it is not documented: %v", err)
		}
		var b bytes.Buffer
		if err := m.Draft().Write(&b); err != nil {
			t.Fatal(err)
		}
		objects := m.Objects()
		for i := range m.Nodes {
			if _, err := objects.GLB(i, gltf.MaxBytes); err != nil && !errors.Is(err, gltf.ErrElements) {
				t.Fatal(err)
			}
		}
		again, err := gltf.Read(&b, gltf.Options{})
		if err != nil {
			t.Fatalf("it was read, and its copy is not: %v", err)
		}
		if diff := cmp.Diff(m.Nodes, again.Nodes, cmp.Comparer(func(a, b json.RawMessage) bool { return compact(a) == compact(b) })); diff != "" {
			t.Fatalf("(-want +got)\n%s", diff)
		}
	})
}

func compact(raw json.RawMessage) string {
	var b bytes.Buffer
	json.Compact(&b, raw)
	return b.String()
}
