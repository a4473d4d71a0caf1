#!/usr/bin/env bash
# @gltf-transform/core 4.5.1 (npm) writes animations without what they point at, and the object stays hidden.
#
# KHR_animation_pointer lets a channel animate any property, such as whether a node is visible: the usual way to
# let a building appear over time. The library knows neither it nor how to carry it along. It reads the file with
# one warning and writes the channel with the path "pointer" and nothing to point at. KHR_node_visibility itself
# is kept, so a wall that begins invisible is never shown again. prune(), part of every usual pipeline, then drops the
# channel too. The validator of Khronos finds no error in the input.
#
# Seen on 2026-11-29 with Node 20. A model that grows in time needs a fallback by scale and translation.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts \
  @gltf-transform/{core,functions,extensions}@4.5.1 gltf-validator@2.0.0-dev.3.10
cat >carry.mjs <<'JS'
import { NodeIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS } from '@gltf-transform/extensions';
import { prune } from '@gltf-transform/functions';
import validator from 'gltf-validator';
const data = Buffer.concat([
  Buffer.from(new Float32Array([0, 0, 0, 4, 0, 0, 0, 0, 3]).buffer), // a triangle
  Buffer.from(new Float32Array([0, 1, 2]).buffer), // seconds
  Buffer.from([0, 1, 1, 0]), // invisible, visible, visible
]);
const pointer = '/nodes/0/extensions/KHR_node_visibility/visible';
const model = {
  asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }],
  extensionsUsed: ['KHR_node_visibility', 'KHR_animation_pointer'],
  nodes: [{ name: 'wall', mesh: 0, extensions: { KHR_node_visibility: { visible: false } } }],
  meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
  accessors: [
    { bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [4, 0, 3] },
    { bufferView: 1, componentType: 5126, count: 3, type: 'SCALAR', min: [0], max: [2] },
    { bufferView: 2, componentType: 5121, count: 3, type: 'SCALAR' },
  ],
  bufferViews: [[0, 36], [36, 12], [48, 3]].map(([byteOffset, byteLength]) => ({ buffer: 0, byteOffset, byteLength })),
  buffers: [{ byteLength: data.length, uri: `data:application/octet-stream;base64,${data.toString('base64')}` }],
  animations: [{
    samplers: [{ input: 1, output: 2, interpolation: 'STEP' }],
    channels: [{ sampler: 0, target: { path: 'pointer', extensions: { KHR_animation_pointer: { pointer } } } }],
  }],
};
const { issues } = await validator.validateString(JSON.stringify(model));
console.log(`validator: ${issues.numErrors} errors, ${issues.numWarnings} warnings`);
const io = new NodeIO().registerExtensions(ALL_EXTENSIONS);
const document = await io.readJSON({ json: model, resources: {} });
const said = async what => {
  const { json } = await io.writeJSON(document);
  console.log(what, JSON.stringify(json.animations[0].channels ?? []), JSON.stringify(json.nodes[0].extensions));
};
await said('written:');
await document.transform(prune({ keepLeaves: true }));
const { json } = await io.writeJSON(document);
console.log('pruned:', JSON.stringify(json.animations ?? []), JSON.stringify(json.nodes[0].extensions));
JS
node carry.mjs 2>warnings | grep -v '^prune:' >seen
grep -q 'Missing optional extension, "KHR_animation_pointer"' warnings
diff - seen <<'SEEN'
validator: 0 errors, 0 warnings
written: [{"sampler":0,"target":{"path":"pointer"}}] {"KHR_node_visibility":{"visible":false}}
pruned: [] {"KHR_node_visibility":{"visible":false}}
SEEN
echo "@gltf-transform/core 4.5.1 leaves a wall invisible that the file lets appear"
