// Makes a 3D model for a plan, as modellers make them: storeys within a site whose Z axis points up, in which a block
// stands for each task. Some have the code of their task as their name, as a copy's name or among their extras, some
// its name. A tree stands for no task.

// unit is the block from (0, 0, 0) to (1, 1, 1).
const corners = []
for (let i = 0; i < 8; i++) corners.push(i & 1, (i >> 1) & 1, (i >> 2) & 1)
const sides = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]]
const triangles = sides.flatMap(([a, b, c, d]) => [a, b, c, a, c, d])

// model returns a .gltf for tasks, each with a code and a name.
export function model(tasks) {
	const buffer = Buffer.concat([Buffer.from(new Float32Array(corners).buffer), Buffer.from(new Uint16Array(triangles).buffer)])
	const nodes = []
	const add = (node) => nodes.push(node) - 1
	const naming = [
		(t) => ({ name: t.code }),
		(t) => ({ name: t.code + '.001' }),
		(t, i) => ({ name: `Object ${i}`, extras: { Code: t.code, storey: Math.floor(i / 5) } }),
		(t) => ({ name: t.name }),
	]
	const storeys = []
	let storey
	tasks.forEach((t, i) => {
		if (i % 5 === 0) {
			// Each is turned a quarter more than the one below.
			const half = (Math.floor(i / 5) % 4) * (Math.PI / 4)
			storey = { name: `Storey ${i / 5}`, translation: [0, 0, 3 * (i / 5)], rotation: [0, 0, Math.sin(half), Math.cos(half)], children: [] }
			storeys.push(add(storey))
		}
		const size = [1 + (i % 3), 1.5, 2 + (i % 2)]
		const at = [4 * (i % 5), 2 * (i % 2), 0.25]
		const block = { ...naming[i % naming.length](t, i), mesh: i % 2 }
		if (i % 3 === 0) {
			block.matrix = [size[0], 0, 0, 0, 0, size[1], 0, 0, 0, 0, size[2], 0, ...at, 1]
		} else {
			Object.assign(block, { translation: at, scale: size })
		}
		if (i % 5 === 4) {
			// A part of the block before, which shows a task of its own.
			const before = nodes[storey.children.at(-1)]
			before.children = [add({ ...block, matrix: undefined, translation: [0, 0, 1], scale: [0.5, 0.5, 0.5] })]
		} else {
			storey.children.push(add(block))
		}
	})
	const tree = add({ name: 'Tree', mesh: 0, translation: [-5, -5, 0] })
	const site = add({ name: 'Site', rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2], children: [...storeys, tree] })
	const half = corners.length * 4
	return JSON.stringify({
		asset: { version: '2.0' },
		scene: 0,
		scenes: [{ nodes: [site] }],
		nodes,
		meshes: [0, 1].map((material) => ({ primitives: [{ attributes: { POSITION: 0 }, indices: 1, material }] })),
		materials: [
			{ name: 'concrete', pbrMetallicRoughness: { baseColorFactor: [0.6, 0.6, 0.58, 1], metallicFactor: 0 } },
			{ name: 'glass', alphaMode: 'BLEND', pbrMetallicRoughness: { baseColorFactor: [0.3, 0.6, 0.9, 0.4], metallicFactor: 0 } },
		],
		accessors: [
			{ bufferView: 0, componentType: 5126, count: 8, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 1] },
			{ bufferView: 1, componentType: 5123, count: triangles.length, type: 'SCALAR' },
		],
		bufferViews: [
			{ buffer: 0, byteLength: half, target: 34962 },
			{ buffer: 0, byteOffset: half, byteLength: buffer.length - half, target: 34963 },
		],
		buffers: [{ byteLength: buffer.length, uri: 'data:application/octet-stream;base64,' + buffer.toString('base64') }],
	})
}
