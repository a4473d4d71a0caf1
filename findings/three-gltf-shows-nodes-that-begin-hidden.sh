#!/usr/bin/env bash
# three.js 0.187.0 (npm) shows every object of an animated plan from the beginning.
#
# A glTF file hides a node with KHR_node_visibility and shows it at its time with KHR_animation_pointer. The GLTFLoader
# of three.js knows neither. Both are named as used and not as required, so the file loads without an error or a
# warning, the wall that is to appear after a second is visible at 0, and the animation has no track for it. The
# floor beside it, which appears by a channel of scale in STEP, is right.
#
# Seen on 2026-11-29 with Node 20. Whoever writes such files animates scale as well, which every player plays.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts three@0.187.0
cat >play.mjs <<'JS'
import { AnimationMixer } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
globalThis.self = globalThis;
const bin = Buffer.concat([
  Buffer.from(new Float32Array([0, 0, 0, 4, 0, 0, 0, 0, 3]).buffer), // a triangle
  Buffer.from(new Float32Array([0, 1]).buffer), // seconds
  Buffer.from(new Float32Array([0, 0, 0, 1, 1, 1]).buffer), // scales
  Buffer.from([0, 1, 0, 0]), // invisible, visible
]);
const pointer = '/nodes/1/extensions/KHR_node_visibility/visible';
const views = [[0, 36], [36, 8], [44, 24], [68, 2]];
let json = Buffer.from(JSON.stringify({
  asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0, 1] }],
  extensionsUsed: ['KHR_node_visibility', 'KHR_animation_pointer'],
  nodes: [
    { name: 'floor', mesh: 0 },
    { name: 'wall', mesh: 0, extensions: { KHR_node_visibility: { visible: false } } },
  ],
  meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
  accessors: [
    { bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [4, 0, 3] },
    { bufferView: 1, componentType: 5126, count: 2, type: 'SCALAR', min: [0], max: [1] },
    { bufferView: 2, componentType: 5126, count: 2, type: 'VEC3' },
    { bufferView: 3, componentType: 5121, count: 2, type: 'SCALAR' },
  ],
  bufferViews: views.map(([byteOffset, byteLength]) => ({ buffer: 0, byteOffset, byteLength })),
  buffers: [{ byteLength: bin.length }],
  animations: [{
    samplers: [2, 3].map(output => ({ input: 1, output, interpolation: 'STEP' })),
    channels: [
      { sampler: 0, target: { node: 0, path: 'scale' } },
      { sampler: 1, target: { path: 'pointer', extensions: { KHR_animation_pointer: { pointer } } } },
    ],
  }],
}));
json = Buffer.concat([json, Buffer.alloc((4 - (json.length % 4)) % 4, ' ')]);
const words = (...numbers) => Buffer.from(new Uint32Array(numbers).buffer);
const glb = Buffer.concat([
  Buffer.from('glTF'), words(2, 28 + json.length + bin.length),
  words(json.length), Buffer.from('JSON'), json, words(bin.length), Buffer.from('BIN\0'), bin,
]);
const { scene, animations } = await new GLTFLoader().parseAsync(new Uint8Array(glb).buffer, '');
console.log('tracks:', animations[0].tracks.map(t => t.name).join(', '));
const mixer = new AnimationMixer(scene);
mixer.clipAction(animations[0]).play();
mixer.setTime(0.5);
for (const node of scene.children) console.log(`${node.name} at 0.5 s: visible ${node.visible}, scale ${node.scale.x}`);
JS
node play.mjs >seen 2>&1
diff - seen <<'SEEN'
tracks: floor.scale
floor at 0.5 s: visible true, scale 0
wall at 0.5 s: visible true, scale 1
SEEN
echo "three 0.187.0 shows a wall before its time"
