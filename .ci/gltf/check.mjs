// Holds animated models to programs of others: the validator of Khronos, and the player of three.js.
//
//	node check.mjs PROGRAM FOLDER PLAN...
//
// The program has the verbs of "twinplatform plan", as cmd/planner has; what is made is in the folder, and random*.glb that
// are there are checked as well, against what random*.json say is seen, and object*.glb by the validator. For each plan it
// makes a model and animates it. The validator must find no error and no warning, in the model and in what was made of
// it; and at ten moments the player must show each node as the states say that the program prints: whether it is
// there, where it reaches and in which colour. Each difference is printed, and one makes it exit with 1; so does a folder
// without random sites or objects.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import validator from 'gltf-validator'
import { AnimationMixer, Box3, Color, LoopOnce, Vector3 } from 'three'
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js'
import { model } from './model.mjs'

const [program, folder, ...plans] = process.argv.slice(2)
const differences = []
const differ = (text) => differences.push(text)

// validate holds a file to the validator.
async function validate(name, bytes) {
	const report = await validator.validateBytes(new Uint8Array(bytes), { maxIssues: 0, uri: name })
	const { numErrors, numWarnings, messages } = report.issues
	if (numErrors || numWarnings) {
		for (const m of messages.filter((m) => m.severity < 2)) differ(`${name}: ${m.code} ${m.pointer}: ${m.message}`)
	}
	return report
}

// opened is a file as three.js has it.
function opened(bytes) {
	const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
	return new Promise((resolve, reject) => new GLTFLoader().parse(buffer, '', resolve, reject))
}

// seen is what the player shows below some objects: the box around it, and its colours. Nothing is seen of what is scaled
// to nothing.
function seen(objects) {
	const box = new Box3(), colors = new Set()
	for (const object of objects) {
		object.traverse((o) => {
			if (!o.isMesh) return
			for (let p = o; p; p = p.parent) if (!p.visible) return
			if (o.matrixWorld.determinant() === 0) return
			box.union(new Box3().setFromObject(o, true))
			colors.add(o.material.color.getHexString())
		})
	}
	return { box, colors: [...colors].sort() }
}

// thin is a box of which next to nothing is there.
const thin = (box) => Math.min(...box.getSize(new Vector3()).toArray()) < 2e-3

// compare holds a moment of the player to a state.
function compare(what, state, objects, own) {
	const { box, colors } = seen(objects)
	if (thin(box)) box.makeEmpty()
	if (!state.present || !state.box) {
		if (!box.isEmpty()) differ(`${what}: it is seen in ${colors}, and is not there`)
		return 0
	}
	if (box.isEmpty()) return differ(`${what}: it is not seen, and is there`), 0
	const got = [...box.min.toArray(), ...box.max.toArray()]
	state.box.flat().forEach((x, i) => {
		if (Math.abs(x - got[i]) > 1e-3) differ(`${what}: it reaches to ${got}, and to ${state.box.flat()} by its state`)
	})
	const want = state.color ? [new Color(state.color).getHexString()] : own
	if (String(colors) !== String(want)) differ(`${what}: it is seen in ${colors}, and is ${want}`)
	return 1
}

// player returns a function that shows a moment.
function player(gltf) {
	const mixer = new AnimationMixer(gltf.scene)
	const action = mixer.clipAction(gltf.animations[0])
	action.clampWhenFinished = true
	action.setLoop(LoopOnce).play()
	return (time) => {
		mixer.setTime(time)
		gltf.scene.updateMatrixWorld(true)
	}
}

// random compares all that is seen of a random site: each mesh is where it should be, in that colour.
async function random(name) {
	const bytes = readFileSync(join(folder, name + '.glb'))
	await validate(name, bytes)
	const gltf = await opened(bytes), seek = player(gltf)
	let n = 0
	for (const { Time, Seen } of JSON.parse(readFileSync(join(folder, name + '.json'), 'utf8'))) {
		seek(Time)
		const got = []
		gltf.scene.traverse((o) => o.isMesh && got.push(seen([o])))
		const left = got.filter(({ box }) => !box.isEmpty())
		for (const { Box, Color: color } of Seen ?? []) {
			const want = [...Box.Min, ...Box.Max], hex = new Color().setRGB(...color.slice(0, 3)).getHexString()
			const at = left.findIndex(({ box, colors }) =>
				colors[0] === hex && [...box.min.toArray(), ...box.max.toArray()].every((x, i) => Math.abs(x - want[i]) < 0.02))
			if (at < 0) differ(`${name} at ${Time}: nothing is seen at ${want} in ${hex}, but ${JSON.stringify(left)}`)
			else left.splice(at, 1), n++
		}
		// A corner of what begins to grow may be too thin to tell.
		for (const { box, colors } of left) if (!thin(box)) differ(`${name} at ${Time}: ${JSON.stringify(box)} is seen in ${colors}, and is not there`)
	}
	return n
}

// play compares ten moments.
async function play(name, bytes, states) {
	const gltf = await opened(bytes)
	if (gltf.animations.length !== 1) return differ(`${name}: it has ${gltf.animations.length} animations`)
	const objects = new Map(), own = new Map()
	gltf.scene.traverse((o) => {
		if (o.userData.entity !== undefined) objects.set(o.userData.entity, [...(objects.get(o.userData.entity) ?? []), o])
	})
	for (const { node } of states.moments[0].nodes) {
		// What never changes is the node of the model as it is.
		const all = objects.get(String(node)) ?? [await gltf.parser.getDependency('node', node)]
		objects.set(String(node), all)
		// The first mesh is that of the model itself, in its own colour.
		all[0].traverse((o) => o.isMesh && own.set(node, own.get(node) ?? [o.material.color.getHexString()]))
	}
	const seek = player(gltf)
	let shown = 0
	for (const { time, date, nodes } of states.moments) {
		// Some seconds of the plan later, since the times of files are less exact.
		seek(time + 1e-5)
		for (const state of nodes) {
			const what = `${name} at ${date}: node ${state.node} ${state.name}`
			shown += compare(what, state, objects.get(String(state.node)), own.get(state.node))
		}
	}
	return shown
}

for (const plan of plans) {
	const name = basename(plan)
	const run = (...args) => execFileSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore'] })
	const tasks = JSON.parse(run('analyze', '-json', plan)).projects.flatMap((p) => p.tasks)
	const site = join(folder, name + '.gltf'), built = join(folder, name + '.glb')
	writeFileSync(site, model(tasks))
	await validate(basename(site), readFileSync(site))
	const done = spawnSync(program, ['animate', '-model', site, '-o', built, plan], { encoding: 'utf8' })
	if (done.status !== 0) {
		differ(`${name}: ${done.stderr}`)
		continue
	}
	const bytes = readFileSync(built)
	const report = await validate(basename(built), bytes)
	const states = JSON.parse(run('animate', '-model', site, '-json', plan))
	const shown = await play(name, bytes, states)
	console.log(`${name}: ${report.info.animationCount} animation, ${report.info.materialCount} materials, ` +
		`${states.moments.length} moments of ${states.moments[0].nodes.length} nodes, ${shown} of them seen`)
	if (!(shown > 0)) differ(`${name}: nothing is seen`)
}

const sites = readdirSync(folder).filter((f) => /^random\d+\.glb$/.test(f)).map((f) => f.slice(0, -4))
let meshes = 0
for (const name of sites) meshes += await random(name)
console.log(`${sites.length} random sites, in which ${meshes} meshes are seen`)
if (!sites.length) differ('there is no random site')
if (!meshes) differ('nothing is seen of random sites')

const objects = readdirSync(folder).filter((f) => /^object.*\.glb$/.test(f))
for (const name of objects) await validate(name, readFileSync(join(folder, name)))
console.log(`${objects.length} objects`)
if (!objects.length) differ('there is no object')
if (!plans.length) differ('there is no plan')

// A planted fault is found, so that a judge that sees nothing does not pass.
const broken = JSON.parse(model([{ code: 'A', name: 'B' }]))
broken.nodes[0].mesh = 7
const { issues } = await validator.validateBytes(new TextEncoder().encode(JSON.stringify(broken)))
if (!issues.numErrors) differ('the validator does not find a planted fault')

for (const d of differences.slice(0, 50)) console.log(d)
if (differences.length > 50) console.log(`and ${differences.length - 50} more`)
process.exitCode = differences.length ? 1 : 0
