// How an object is at a time: a look-up in its moments, as fourd.Timeline.At does it.
//
// A moment holds until the next one, but for what its `until` says: that changes evenly with the time. Times are in
// milliseconds as the clocks of the schedule show them. The first moment of an object has none.

const untouched = {present: true, color: "", transparency: null, growth: null, matrix: null, task: -1, phase: ""};
const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

// lastAt is the place of the last of some values that is not behind another one; 0 where all are.
function lastAt(list, key, value) {
  let from = 0, to = list.length;
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    if (list[middle][key] <= value) from = middle;
    else to = middle;
  }
  return from;
}

const between = (a, b, share) => a + (b - a) * share;

// stateAt is how an object is: transparency is null for that of the model, color is empty for that of the model,
// growth.plane is [x, y, z, offset] or null, matrix has 16 numbers row by row or is null.
export function stateAt(object, time) {
  const moments = object.moments;
  if (!moments?.length) return untouched;
  const i = lastAt(moments, "t", time), m = moments[i], next = moments[i + 1], until = m.until;
  const span = next && m.t !== undefined ? next.t - m.t : 0;
  const share = until && span > 0 ? Math.min(Math.max((time - m.t) / span, 0), 1) : 0;
  const state = {
    present: !m.absent, color: m.color || "", transparency: m.transparency ?? null, growth: null,
    matrix: m.matrix || null, task: m.task ?? -1, phase: m.phase || "", moving: Boolean(until?.motion),
    critical: Boolean(m.critical),
  };
  if (until && state.transparency !== null) {
    state.transparency = between(state.transparency, until.transparency, share);
  }
  if (m.growth) state.growth = growthAt(m.growth, until, share);
  if (until?.motion) state.matrix = matrixAt(until.motion, object.ways[until.motion.way], share);
  return state;
}

function growthAt(growth, until, share) {
  const g = {share: growth.share, removing: Boolean(growth.removing), plane: growth.plane || null};
  if (until?.share !== undefined) g.share = between(g.share, until.share, share);
  if (g.plane && until?.offset !== undefined) {
    g.plane = [g.plane[0], g.plane[1], g.plane[2], between(g.plane[3], until.offset, share)];
  }
  return g;
}

// matrixAt is the matrix of an object on its way: it is put by the matrix of the motion, its anchor is moved to the
// origin, it is turned, and moved to its position.
function matrixAt(motion, way, share) {
  const at = between(motion.from, motion.to, share);
  const [x, y, z] = way.positions?.length ? stopAt(way.positions, at, towards) : motion.anchor;
  const [ax, ay, az] = motion.anchor;
  let m = [1, 0, 0, -ax, 0, 1, 0, -ay, 0, 0, 1, -az, 0, 0, 0, 1];
  if (way.turns?.length) m = times(turned(stopAt(way.turns, at, shortest)), m);
  m[3] += x;
  m[7] += y;
  m[11] += z;
  return times(m, motion.matrix || identity);
}

// stopAt is the value at a share of the way; a stop is [share, …value].
function stopAt(stops, share, mix) {
  const i = lastAt(stops, 0, share), a = stops[i], b = stops[i + 1];
  if (!b || a[0] > share) return a.slice(1);
  return mix(a.slice(1), b.slice(1), (share - a[0]) / (b[0] - a[0]));
}

const towards = (a, b, share) => a.map((v, k) => between(v, b[k], share));

// shortest is the turn at a share of the shortest way between two quaternions [x, y, z, w].
function shortest(a, b, share) {
  let cosine = a.reduce((sum, v, k) => sum + v * b[k], 0);
  if (cosine < 0) {
    b = b.map(v => -v);
    cosine = -cosine;
  }
  let f = 1 - share, g = share;
  if (cosine < 1 - 1e-9) {
    const angle = Math.acos(cosine);
    f = Math.sin((1 - share) * angle) / Math.sin(angle);
    g = Math.sin(share * angle) / Math.sin(angle);
  }
  const r = a.map((v, k) => f * v + g * b[k]), length = Math.hypot(...r);
  return r.map(v => v / length);
}

function turned([x, y, z, w]) {
  return [
    1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), 0,
    2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w), 0,
    2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y), 0,
    0, 0, 0, 1,
  ];
}

// times is the product of two matrices, row by row: the second one is applied first.
export function times(a, b) {
  const cell = i => [0, 1, 2, 3].reduce((sum, k) => sum + a[(i & 12) + k] * b[4 * k + (i & 3)], 0);
  return Array.from({length: 16}, (_, i) => cell(i));
}

// changesOf are the times at which some task begins or ends to decide about an object, in order and each once.
export function changesOf(objects) {
  const all = new Set();
  for (const {moments = []} of objects) {
    for (let i = 1; i < moments.length; i++) {
      const before = moments[i - 1], m = moments[i];
      if (m.task !== before.task || m.phase !== before.phase) all.add(m.t);
    }
  }
  return Float64Array.from(all).sort();
}
