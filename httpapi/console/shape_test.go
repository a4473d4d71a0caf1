package console_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-933f9a09/twinplatform/internal/testsize"
)

// glb is a file with one triangle, whose description a test changes.
func glb(description string) []byte {
	for len(description)%4 != 0 {
		description += " "
	}
	var b bytes.Buffer
	write := func(v any) { _ = binary.Write(&b, binary.LittleEndian, v) }
	write([]uint32{0x46546c67, 2, uint32(12 + 8 + len(description) + 8 + 44), uint32(len(description)), 0x4e4f534a})
	b.WriteString(description)
	write([]uint32{44, 0x004e4942})
	write([]float32{0, 0, 0, 10, 0, 0, 0, 10, 0})
	write([]uint16{0, 1, 2, 0})
	return b.Bytes()
}

const shapesScript = `
import {readFileSync} from "node:fs";
import {ofGLB} from "./shape.js";
const all = JSON.parse(readFileSync(0)).map(text => {
  const shape = ofGLB(new Uint8Array(Buffer.from(text, "base64")).buffer);
  return shape ? [shape.positions.length, shape.triangles.length, shape.colors.length] : shape === null ? [] : null;
});
process.stdout.write(JSON.stringify(all));`

func TestGeometryThatIsNoShapeIsNeitherDrawnNorTheEndOfThePage(t *testing.T) {
	t.Parallel()
	program, folder := node(t)
	const good = `{"bufferViews":[{"byteLength":36},{"byteOffset":36,"byteLength":6}],"accessors":[` +
		`{"bufferView":0,"componentType":5126,"count":3},{"bufferView":1,"componentType":5123,"count":3}],` +
		`"materials":[{"pbrMetallicRoughness":{"baseColorFactor":[1,0,0,1]}}],` +
		`"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1,"material":0}]}],"nodes":[{"mesh":0}]}`
	files := [][]byte{glb(good), glb(strings.Replace(good, `"indices":1,`, "", 1)), glb(`{"nodes":[{}]}`), glb(`{}`)}
	for _, change := range [][2]string{
		{`"byteLength":36}`, `"byteLength":36,"byteStride":2000000000}`},
		{`"count":3}`, `"count":1000000000}`},
		{`36},{`, `36,"byteStride":-4},{`},
		{`"count":3}`, `"count":-3}`},
		{`"count":3}`, `"count":"x"}`},
		{"5126", "5130"},
		{`"bufferView":0`, `"bufferView":7`},
		{`"mesh":0`, `"mesh":3`},
		{`"mesh":0`, `"mesh":0,"matrix":[1]`},
		{`"byteOffset":36`, `"byteOffset":28`},
		{`"byteOffset":36`, `"byteOffset":4000000000`},
		{good, "no JSON"},
		{good, "null"},
		{`[1,0,0,1]`, `"red"`},
		{`"indices":1`, `"indices":9`},
		{`"componentType":5126,"count":3`, `"componentType":5126,"count":2`},
	} {
		files = append(files, glb(strings.Replace(good, change[0], change[1], 1)))
	}
	files = append(files, []byte{}, []byte("no file"), glb(good)[:40], glb(good)[:len(glb(good))-20])
	r := rand.New(rand.NewPCG(4, 4))
	for range testsize.Of(5000, 500) {
		file := glb(good)
		for range 1 + r.IntN(3) {
			file[r.IntN(len(file))] = byte(r.IntN(256))
		}
		files = append(files, file)
	}
	var shapes [][]int
	run(t, program, folder, shapesScript, files, &shapes)
	want := [][]int{{9, 3, 12}, {9, 3, 12}, {}, {}}
	if diff := cmp.Diff(want, shapes[:4]); diff != "" {
		t.Error("files with and without triangles have other shapes (-want +got)\n" + diff)
	}
	for i, shape := range shapes[4:] {
		odd := i < 20 && !bytes.Contains(files[4+i], []byte(`"red"`))
		if odd && shape != nil || len(shape) > 0 && (len(shape) != 3 || shape[0]*4 != shape[2]*3) {
			t.Errorf("%q is drawn with %v numbers", files[4+i], shape)
		}
	}
}
