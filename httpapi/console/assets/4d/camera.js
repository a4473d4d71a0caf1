// From where the site is looked at. Z points up; distances are in the unit of the model, around the middle of the site.

const tilts = [-0.49 * Math.PI, 0.49 * Math.PI];
const sight = Math.PI / 5; // from the lower to the upper edge

export class Camera {
  constructor() { this.fit([-1, -1, -1, 1, 1, 1]); }

  // fit looks at a whole box, as from the south-west and above, or from where it was looked at.
  fit(box, turn = -0.9, tilt = 0.5) {
    this.target = [0, 1, 2].map(k => (box[k] + box[k + 3]) / 2);
    this.size = Math.max(Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]) / 2, 1e-6);
    this.distance = 1.08 * this.size / Math.sin(sight / 2);
    this.turn = turn;
    this.tilt = tilt;
  }

  orbit(right, up) {
    this.turn -= right;
    this.tilt = Math.min(Math.max(this.tilt + up, tilts[0]), tilts[1]);
  }

  // pan moves what is looked at, by shares of the height of the picture.
  pan(right, up) {
    const {side, above} = this.axes(), far = 2 * this.distance * Math.tan(sight / 2);
    this.target = this.target.map((v, k) => v - far * (right * side[k] + up * above[k]));
  }

  zoom(factor) {
    this.distance = Math.min(Math.max(this.distance / factor, this.size / 500), this.size * 50);
  }

  axes() {
    const [s, c, st, ct] = [Math.sin(this.turn), Math.cos(this.turn), Math.sin(this.tilt), Math.cos(this.tilt)];
    return {side: [-s, c, 0], above: [-st * c, -st * s, ct], back: [ct * c, ct * s, st]};
  }

  // matrix puts the site into the picture: column by column, as WebGL takes it.
  matrix(aspect) {
    const {side, above, back} = this.axes();
    const eye = this.target.map((v, k) => v + this.distance * back[k]);
    const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    // What is narrower than high has to be as wide as it would be high.
    const f = Math.min(aspect, 1) / Math.tan(sight / 2);
    const far = this.distance + 4 * this.size, near = Math.max(this.distance - 4 * this.size, far / 5000);
    const rows = [
      [...side, -dot(side, eye)].map(v => v * f / aspect), [...above, -dot(above, eye)].map(v => v * f),
      [...back, -dot(back, eye)].map((v, k) => v * (near + far) / (near - far) +
        (k === 3 ? 2 * near * far / (near - far) : 0)),
      [...back, -dot(back, eye)].map(v => -v),
    ];
    return Float32Array.from({length: 16}, (_, i) => rows[i % 4][i >> 2]);
  }
}

// move has a picture looked at by mouse, finger and keys. chosen(x, y) is called for a click on a point of it.
export function move(canvas, camera, box, changed, chosen) {
  const fingers = new Map();
  let dragged = false, panning = false;
  const apart = () => {
    const [a, b] = [...fingers.values()];
    return {x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, far: Math.hypot(a.x - b.x, a.y - b.y)};
  };
  canvas.addEventListener("pointerdown", event => {
    canvas.setPointerCapture(event.pointerId);
    if (!fingers.size) dragged = false;
    panning = event.button !== 0 || event.shiftKey;
    fingers.set(event.pointerId, {x: event.clientX, y: event.clientY});
  });
  canvas.addEventListener("pointermove", event => {
    const from = fingers.get(event.pointerId), to = {x: event.clientX, y: event.clientY};
    if (!from || (!dragged && Math.hypot(to.x - from.x, to.y - from.y) < 4)) return;
    dragged = true;
    const before = fingers.size === 2 ? apart() : null, height = canvas.clientHeight;
    fingers.set(event.pointerId, to);
    if (before) {
      const after = apart();
      camera.zoom(after.far / Math.max(before.far, 1));
      camera.pan((after.x - before.x) / height, (before.y - after.y) / height);
    } else if (panning) camera.pan((to.x - from.x) / height, (from.y - to.y) / height);
    else camera.orbit(3 * (to.x - from.x) / height, 3 * (to.y - from.y) / height);
    changed();
  });
  for (const end of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(end, event => {
      const here = fingers.delete(event.pointerId) && end === "pointerup" && event.button === 0;
      if (here && !dragged) chosen(event.offsetX, event.offsetY);
    });
  }
  canvas.addEventListener("contextmenu", event => event.preventDefault());
  canvas.addEventListener("wheel", event => {
    if (!event.ctrlKey && document.activeElement !== canvas) return; // the page is scrolled
    event.preventDefault();
    camera.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.03 : 0.001)));
    changed();
  }, {passive: false});
  canvas.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || !act(camera, box(), keys[event.key], event.shiftKey)) return;
    event.preventDefault();
    changed();
  });
}

const keys = {
  ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down", "+": "in", "=": "in", "-": "out",
  f: "fit", F: "fit", t: "top", T: "top",
};

// act does what a key or a button says, and reports whether it says anything.
export function act(camera, box, what, shift) {
  const step = shift ? 0.1 : 0.15;
  const turn = shift ? (x, y) => camera.pan(x, y) : (x, y) => camera.orbit(x, y);
  const acts = {
    left: () => turn(-step, 0), right: () => turn(step, 0), up: () => turn(0, step), down: () => turn(0, -step),
    in: () => camera.zoom(1.25), out: () => camera.zoom(0.8), fit: () => camera.fit(box),
    top: () => camera.fit(box, -Math.PI / 2, tilts[1]),
  };
  acts[what]?.();
  return what in acts;
}
