// The shape of an object: corners, three for each triangle by their places, and a colour for each corner.

const boxCorners = [0, 1, 2, 3, 4, 5, 6, 7];
const boxTriangles = [0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5,
  3, 7, 5];
const plain = [176, 184, 194, 255];

// ofBox is the shape of a box: [x, y, z, x, y, z], its lowest and its highest corner.
export function ofBox(box) {
  return {
    positions: boxCorners.flatMap(c => [box[c & 1 ? 3 : 0], box[c & 2 ? 4 : 1], box[c & 4 ? 5 : 2]]),
    triangles: boxTriangles, colors: boxCorners.flatMap(() => plain),
  };
}

const arrays = {5121: Uint8Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array};

// ofGLB is the shape in a glTF file of one node, as the registry of models keeps it; null for one without triangles,
// and undefined for what cannot be read: the registry takes any bytes. There Y points up; here Z does.
export function ofGLB(bytes) {
  try { return read(bytes); } catch { return undefined; }
}

const most = 6e6; // numbers of a shape
const need = right => { if (!right) throw new RangeError(); };

function read(bytes) {
  const view = new DataView(bytes), length = view.getUint32(12, true), start = 20 + length;
  const file = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 20, length)));
  const numbers = (index, width) => {
    const a = file.accessors[index], part = file.bufferViews[a.bufferView], Kind = arrays[a.componentType];
    const from = start + 8 + (part.byteOffset || 0) + (a.byteOffset || 0), each = Kind.BYTES_PER_ELEMENT * width;
    const stride = part.byteStride || each;
    need(a.count >= 1 && stride >= each && from + (a.count - 1) * stride + each <= bytes.byteLength);
    if (stride === each) return new Kind(bytes.slice(from, from + a.count * each));
    const out = new Kind(a.count * width);
    for (let i = 0, at = from; i < a.count; i++, at += stride) out.set(new Kind(bytes.slice(at, at + each)), i * width);
    return out;
  };
  const node = file.nodes?.find(n => n.mesh !== undefined);
  if (!node) return null;
  const m = placed(node), shape = {positions: [], triangles: [], colors: []};
  for (const part of file.meshes[node.mesh].primitives) {
    if ((part.mode ?? 4) !== 4 || part.attributes.POSITION === undefined) continue;
    const p = numbers(part.attributes.POSITION, 3), first = shape.positions.length / 3;
    const base = file.materials?.[part.material]?.pbrMetallicRoughness?.baseColorFactor;
    const color = base ? plain.map((_, k) => Math.round(255 * (k < 3 ? base[k] ** (1 / 2.2) : base[k]))) : plain;
    const length = p.length / 3, all = part.indices === undefined;
    const places = all ? Uint32Array.from({length}, (_, i) => i) : numbers(part.indices, 1);
    need(shape.positions.length + p.length + shape.triangles.length + places.length <= most);
    need(places.length % 3 === 0 && places.every(i => i < length));
    for (let i = 0; i < p.length; i += 3) {
      const [x, y, z] = [0, 1, 2].map(k => m[k] * p[i] + m[4 + k] * p[i + 1] + m[8 + k] * p[i + 2] + m[12 + k]);
      shape.positions.push(x, -z, y);
      shape.colors.push(...color);
    }
    for (const i of places) shape.triangles.push(first + i);
  }
  need(shape.positions.every(Number.isFinite));
  return shape.triangles.length ? shape : null;
}

// placed is the matrix of a node, column by column.
function placed(node) {
  if (node.matrix) return node.matrix;
  const [x, y, z, w] = node.rotation || [0, 0, 0, 1], s = node.scale || [1, 1, 1], t = node.translation || [0, 0, 0];
  return [
    (1 - 2 * (y * y + z * z)) * s[0], 2 * (x * y + z * w) * s[0], 2 * (x * z - y * w) * s[0], 0,
    2 * (x * y - z * w) * s[1], (1 - 2 * (x * x + z * z)) * s[1], 2 * (y * z + x * w) * s[1], 0,
    2 * (x * z + y * w) * s[2], 2 * (y * z - x * w) * s[2], (1 - 2 * (x * x + y * y)) * s[2], 0,
    ...t, 1,
  ];
}
