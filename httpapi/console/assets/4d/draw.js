// The picture of the site by WebGL 2. All objects are one list of triangles; how each of them is at the time is in a
// texture, of which the shaders read the five texels of their object:
//
//   colour (red below 0: that of the model) and cover, see covers
//   the plane of growth: normal and offset
//   the three upper rows of its matrix
//
// So a frame is two calls, one for what is opaque and one for what is not, however many objects there are.
import {ofBox} from "./shape.js";

const texels = 5, perRow = 128;
const covers = {absent: -1, asModelled: 4, chosen: 8}; // else 0 to 1, and chosen is added
const whole = [0, 0, 0, 1]; // the plane that cuts nothing
const passes = {opaque: 0, transparent: 1, picking: 2};

const vertexShader = `#version 300 es
precision highp float;
precision highp int;
uniform highp sampler2D states;
uniform mat4 view;
uniform int pass;
layout(location = 0) in vec3 position;
layout(location = 1) in uint object;
layout(location = 2) in vec4 modelled;
out vec4 color;
out vec3 place;
out float kept;
flat out float chosen;
flat out uint id;
void main() {
  ivec2 first = ivec2((int(object) % ${perRow}) * ${texels}, int(object) / ${perRow});
  vec4 look = texelFetch(states, first, 0);
  vec4 plane = texelFetch(states, first + ivec2(1, 0), 0);
  vec4 at = vec4(position, 1.0);
  place = vec3(dot(texelFetch(states, first + ivec2(2, 0), 0), at), dot(texelFetch(states, first + ivec2(3, 0), 0), at),
    dot(texelFetch(states, first + ivec2(4, 0), 0), at));
  chosen = look.a >= ${covers.chosen}.0 ? 1.0 : 0.0;
  float cover = look.a - chosen * ${covers.chosen}.0;
  color = vec4(look.r < 0.0 ? modelled.rgb : look.rgb, cover == ${covers.asModelled}.0 ? modelled.a : cover);
  kept = plane.w - dot(plane.xyz, position);
  id = object + 1u;
  gl_Position = view * vec4(place, 1.0);
  bool opaque = color.a > 0.99;
  if (cover <= 0.0 || (pass == ${passes.opaque} && !opaque) || (pass == ${passes.transparent} && opaque)) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  }
}`;

const fragmentShader = `#version 300 es
precision highp float;
precision highp int;
uniform int pass;
in vec4 color;
in vec3 place;
in float kept;
flat in float chosen;
flat in uint id;
out vec4 result;
void main() {
  if (kept < 0.0) discard;
  if (pass == ${passes.picking}) {
    result = vec4(id & 255u, (id >> 8) & 255u, (id >> 16) & 255u, 255.0) / 255.0;
    return;
  }
  vec3 normal = normalize(cross(dFdx(place), dFdy(place)));
  float light = 0.72 + 0.28 * dot(normal, normalize(vec3(-0.35, -0.55, 0.9)));
  vec3 lit = mix(color.rgb, vec3(0.49, 0.23, 0.93), 0.6 * chosen) * light;
  result = vec4(lit, color.a);
}`;

// Picture draws objects into a canvas. It throws where the browser has no WebGL 2.
export class Picture {
  constructor(canvas) {
    this.canvas = canvas;
    this.gl = canvas.getContext("webgl2", {antialias: true, powerPreference: "high-performance"});
    if (!this.gl) throw new Error("This browser does not support WebGL 2: there is no picture.");
    this.start();
    canvas.addEventListener("webglcontextlost", event => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => {
      this.start();
      if (this.objects) this.show(this.objects, this.shapes, this.middle);
      this.restored?.();
    });
  }

  start() {
    const gl = this.gl, program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertexShader], [gl.FRAGMENT_SHADER, fragmentShader]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    gl.useProgram(program);
    this.at = Object.fromEntries(["view", "pass"].map(name => [name, gl.getUniformLocation(program, name)]));
    gl.bindVertexArray(gl.createVertexArray());
    this.buffers = [0, 1, 2, 3].map(() => gl.createBuffer());
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) {
      gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST);
    }
    gl.enable(gl.DEPTH_TEST);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.picking = null;
  }

  // show puts the triangles of objects into buffers, around a point, so that large coordinates stay exact. An object
  // without a shape in shapes is drawn as its box.
  show(objects, shapes, middle) {
    Object.assign(this, {objects, shapes, middle});
    const gl = this.gl, all = objects.map((o, i) => shapes.get(i) || ofBox(o.box));
    const corners = all.reduce((n, s) => n + s.positions.length / 3, 0);
    const triangles = new Uint32Array(all.reduce((n, s) => n + s.triangles.length, 0));
    const positions = new Float32Array(3 * corners), ids = new Uint32Array(corners);
    const colors = new Uint8Array(4 * corners);
    let corner = 0, last = 0;
    all.forEach((shape, i) => {
      for (const t of shape.triangles) triangles[last++] = corner + t;
      for (let k = 0; k < shape.positions.length; k++) positions[3 * corner + k] = shape.positions[k] - middle[k % 3];
      colors.set(shape.colors, 4 * corner);
      ids.fill(i, corner, corner += shape.positions.length / 3);
    });
    [positions, ids, colors].forEach((data, location) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[location]);
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
      gl.enableVertexAttribArray(location);
    });
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[0]);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[1]);
    gl.vertexAttribIPointer(1, 1, gl.UNSIGNED_INT, 0, 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[2]);
    gl.vertexAttribPointer(2, 4, gl.UNSIGNED_BYTE, true, 0, 0);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.buffers[3]);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, triangles, gl.STATIC_DRAW);
    this.count = triangles.length;
    this.seeThrough = colors.some((v, k) => k % 4 === 3 && v < 253);
    this.rows = Math.max(Math.ceil(objects.length / perRow), 1);
    this.data = new Float32Array(4 * texels * perRow * this.rows);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, texels * perRow, this.rows, 0, gl.RGBA, gl.FLOAT, this.data);
  }

  // update takes how the objects are, and which of them are chosen. What is chosen and not there is a shadow.
  update(states, chosen) {
    const gl = this.gl, d = this.data, [x, y, z] = this.middle;
    const moved = (m, row) => m[row] * x + m[row + 1] * y + m[row + 2] * z + m[row + 3] - this.middle[row / 4];
    this.blends = this.seeThrough;
    states.forEach((s, i) => {
      const k = 4 * texels * i, has = chosen.has(i);
      const opaque = s.transparency === null ? covers.asModelled : 1 - s.transparency / 100;
      let cover = s.present ? opaque : covers.absent;
      if (has) cover = (s.present ? opaque : 0.2) + covers.chosen;
      if ((s.present && opaque < 0.995) || (has && !s.present)) this.blends = true;
      const color = s.color ? parseInt(s.color.slice(1), 16) : -1;
      d[k] = color < 0 ? -1 : (color >> 16) / 255;
      d[k + 1] = ((color >> 8) & 255) / 255;
      d[k + 2] = (color & 255) / 255;
      d[k + 3] = cover;
      const [nx, ny, nz, offset] = (s.present && s.growth?.plane) || whole;
      d.set([nx, ny, nz, offset - nx * x - ny * y - nz * z], k + 4);
      const m = s.matrix;
      for (let row = 0; row < 3; row++) {
        const to = k + 8 + 4 * row;
        for (let c = 0; c < 3; c++) d[to + c] = m ? m[4 * row + c] : Number(row === c);
        d[to + 3] = m ? moved(m, 4 * row) : 0;
      }
    });
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, texels * perRow, this.rows, gl.RGBA, gl.FLOAT, d);
  }

  // draw draws the picture as large as it is shown.
  draw(camera) {
    const gl = this.gl, scale = Math.min(devicePixelRatio || 1, 2);
    const width = Math.round(this.canvas.clientWidth * scale), height = Math.round(this.canvas.clientHeight * scale);
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, {width, height});
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.uniformMatrix4fv(this.at.view, false, camera.matrix(width / Math.max(height, 1)));
    this.pass(passes.opaque);
    if (!this.blends) return;
    gl.enable(gl.BLEND);
    gl.depthMask(false);
    this.pass(passes.transparent);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }

  pass(which) {
    this.gl.uniform1i(this.at.pass, which);
    this.gl.drawElements(this.gl.TRIANGLES, this.count, this.gl.UNSIGNED_INT, 0);
  }

  // pick is the object at a point of the picture; -1 where there is none. It draws the numbers of the objects.
  pick(camera, x, y) {
    const gl = this.gl, {width, height} = this.canvas, scale = width / this.canvas.clientWidth;
    if (this.picking?.width !== width || this.picking?.height !== height) this.picking = this.numbers(width, height);
    const left = Math.floor(x * scale), bottom = height - 1 - Math.floor(y * scale), found = new Uint8Array(4);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.picking.frame);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(left, bottom, 1, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.uniformMatrix4fv(this.at.view, false, camera.matrix(width / height));
    this.pass(passes.picking);
    gl.readPixels(left, bottom, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, found);
    gl.disable(gl.SCISSOR_TEST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return found[0] + (found[1] << 8) + (found[2] << 16) - 1;
  }

  // numbers is a frame into which the numbers of objects are drawn.
  numbers(width, height) {
    const gl = this.gl, frame = gl.createFramebuffer();
    gl.deleteFramebuffer(this.picking?.frame || null);
    for (const buffer of this.picking?.buffers || []) gl.deleteRenderbuffer(buffer);
    gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
    const parts = [[gl.COLOR_ATTACHMENT0, gl.RGBA8], [gl.DEPTH_ATTACHMENT, gl.DEPTH_COMPONENT24]];
    const buffers = parts.map(([part, format]) => {
      const buffer = gl.createRenderbuffer();
      gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
      gl.renderbufferStorage(gl.RENDERBUFFER, format, width, height);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, part, gl.RENDERBUFFER, buffer);
      return buffer;
    });
    return {frame, buffers, width, height};
  }
}
