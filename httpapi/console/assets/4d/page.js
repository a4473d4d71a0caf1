// The page 4D of a schedule: the site at a time, played, looked at and asked.
import {Camera, act, move} from "./camera.js";
import {Picture} from "./draw.js";
import {ofGLB} from "./shape.js";
import {changesOf, stateAt} from "./state.js";
import {dateOf, sumOf, verbOf} from "./words.js";

const day = 86400000, listed = 60, mostShapes = 1e8; // milliseconds, items, bytes of base64
const root = document.getElementById("site"), get = id => document.getElementById("site-" + id);
const slider = get("time"), words = get("words"), play = root.querySelector("[data-do=play]");
const still = matchMedia("(prefers-reduced-motion: reduce)");
const camera = new Camera();
let sides = [], changes = [], box = null, middle = null, time = 0, chosen = null, playing = false, asked = false;
let said = 0, saved = 0, loud = 0, names;

async function read(address) {
  const answer = await fetch(address, {credentials: "same-origin", redirect: "error"});
  if (answer.status === 401) throw new Error("You are signed out");
  const readable = answer.headers.get("Content-Type")?.startsWith("application/json");
  const body = readable ? await answer.json() : {};
  if (!answer.ok || !readable) throw new Error(body.message || `The server answers ${answer.status}`);
  return body;
}

// element makes one with a text, and attributes.
function element(name, text, attributes = {}) {
  const e = Object.assign(document.createElement(name), attributes);
  e.textContent = text;
  return e;
}

// Side is a picture of the site by one kind of dates.
class Side {
  constructor(canvas, data) {
    Object.assign(this, {canvas, data, objects: data.objects, shapes: new Map()});
    // What has no box is not drawn, but is in the words and the lists.
    this.drawn = this.objects.filter(o => o.box);
    this.places = new Map(this.objects.map((o, i) => [o.id, i]));
    this.ofTasks = new Map();
    this.objects.forEach((o, i) => (o.tasks || []).forEach(t => {
      if (!this.ofTasks.get(t)?.push(i)) this.ofTasks.set(t, [i]);
    }));
    this.drawnPlaces = this.drawn.map(o => this.places.get(o.id));
    this.drawnAt = new Map(this.drawnPlaces.map((i, k) => [i, k]));
  }

  open() {
    if (!this.drawn.length) return;
    this.picture = new Picture(this.canvas);
    this.picture.restored = () => this.states();
    this.show();
    move(this.canvas, camera, () => box, ask, (x, y) => {
      const found = this.picture.pick(camera, x, y);
      choose(found < 0 ? null : {object: this.drawn[found].id});
    });
  }

  show() { this.picture?.show(this.drawn, this.shapes, middle); }

  states() {
    this.all = this.objects.map(o => stateAt(o, time));
    const marked = new Set(this.marked().map(i => this.drawnAt.get(i)));
    this.picture?.update(this.drawnPlaces.map(i => this.all[i]), marked);
  }

  // marked are the places of the objects that are chosen, or that show the task that is.
  marked() {
    if (chosen?.object !== undefined) return this.places.has(chosen.object) ? [this.places.get(chosen.object)] : [];
    return chosen ? this.ofTasks.get(chosen.task) || [] : [];
  }
}

// ask has everything drawn before the next frame is shown.
function ask() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => {
    asked = false;
    for (const side of sides) side.picture?.draw(camera);
  });
}

function go(to, aloud = !playing || performance.now() - said > 2000) {
  time = Math.min(Math.max(to, Number(slider.min)), Number(slider.max));
  slider.value = time;
  slider.setAttribute("aria-valuetext", dateOf(time));
  get("date").textContent = dateOf(time);
  for (const side of sides) side.states();
  ask();
  if (aloud) say();
}

// say tells what happens at the time, in words and in lists.
function say() {
  said = performance.now();
  const [first, second] = sides;
  words.textContent = `${dateOf(time)}: ${sumOf(first.all)}.` +
    (second ? ` ${second.data.name}: ${sumOf(second.all)}.` : "");
  clearTimeout(loud);
  loud = setTimeout(() => get("said").textContent = words.textContent, 300); // is read aloud once the time stands
  const at = document.activeElement?.dataset.key;
  const now = new Set(first.all.filter(s => s.phase === "During").map(s => s.task));
  list("now", [...now].filter(t => t >= 0), t => taskButton(first.data.tasks[t].id), "No task.");
  tell();
  if (at && !document.activeElement?.dataset.key) root.querySelector(`[data-key=${CSS.escape(at)}]`)?.focus();
  clearTimeout(saved);
  saved = setTimeout(() => history.replaceState(null, "", "#" + new Date(time).toISOString().slice(0, 16)), 300);
}

// list shows the first of some things as make makes them.
function list(id, all, make, none) {
  const items = all.slice(0, listed).map(one => {
    const item = document.createElement("li");
    item.append(...[make(one)].flat());
    return item;
  });
  if (all.length > listed) items.push(element("li", `and ${all.length - listed} more`, {className: "muted"}));
  if (!items.length) items.push(element("li", none, {className: "muted"}));
  get(id).replaceChildren(...items);
}

function button(text, key, what) {
  const b = element("button", text, {type: "button", className: "quiet"});
  b.dataset.key = key;
  b.addEventListener("click", () => choose(what));
  return b;
}
const taskButton = id => button(names.get(id) || id, "t" + id, {task: id});
const objectButton = o => button(o.name || o.id, "o" + o.id, {object: o.id});

function choose(what) {
  chosen = what;
  go(time, true);
}

// tell shows what is chosen: the tasks of an object, or the objects of a task.
function tell() {
  const side = sides[0], marked = side.marked(), title = get("chosen");
  get("clear").hidden = !chosen;
  get("page").hidden = chosen?.task === undefined;
  if (!chosen) {
    title.textContent = "Nothing is chosen";
    return list("of", [], null, "Click an object or a task to see what belongs together.");
  }
  if (chosen.task !== undefined) {
    title.textContent = names.get(chosen.task) || chosen.task;
    get("page").href = root.dataset.tasks + encodeURIComponent(chosen.task);
    const show = i => [objectButton(side.objects[i]), " ", verbOf(side.all[i])];
    return list("of", marked, show, "It has no objects.");
  }
  const object = side.objects[marked[0]];
  title.textContent = object ? `${object.name || object.id} ${verbOf(side.all[marked[0]])}` : chosen.object;
  list("of", object?.tasks || [], taskButton, "It shows no task.");
}

function find(text) {
  const has = name => name.toLowerCase().includes(text.toLowerCase());
  const {data, objects} = sides[0];
  list("found", text ? [
    ...data.tasks.filter(t => has(t.name)).map(t => [taskButton, t.id, " task"]),
    ...objects.filter(o => has(o.name || o.id)).map(o => [objectButton, o, " object"]),
  ] : [], ([make, of, kind]) => [make(of), kind], text ? "Nothing matches." : "Type a name or a code.");
}

// run plays: evenly, or by steps of a second for whom movement disturbs.
let before = 0;
function run(now) {
  if (!playing) return;
  const passed = now - before;
  if (!still.matches || passed >= 1000) {
    before = now;
    go(time + Math.min(passed, 1000) / 1000 * Number(get("speed").value));
    if (time >= Number(slider.max)) return stop();
  }
  requestAnimationFrame(run);
}
function stop() {
  playing = false;
  play.textContent = "Play";
  say();
}
function start() {
  if (time >= Number(slider.max)) go(Number(slider.min));
  playing = true;
  play.textContent = "Pause";
  before = performance.now();
  requestAnimationFrame(run);
}

// step goes to the next or the last change by a task.
function step(forward) {
  const next = forward ? changes.find(t => t > time) : changes.findLast(t => t < time);
  if (next !== undefined) go(next);
}
const steps = {
  play: () => playing ? stop() : start(), "-week": () => go(time - 7 * day), "-day": () => go(time - day),
  "+day": () => go(time + day), "+week": () => go(time + 7 * day), "-task": () => step(false),
  "+task": () => step(true), data: () => go(sides[0].data.dataDate), clear: () => choose(null), save,
};
const sliderKeys = {
  ArrowLeft: "-day", ArrowDown: "-day", ArrowRight: "+day", ArrowUp: "+day", PageDown: "-week", PageUp: "+week",
};

// save writes the first picture into a file.
function save() {
  sides[0].picture?.draw(camera);
  sides[0].picture?.canvas.toBlob(blob => {
    if (!blob) return note("The picture cannot be saved.");
    const link = element("a", "", {href: URL.createObjectURL(blob), download: dateOf(time) + ".png"});
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  });
}

const note = text => text && get("note").append(text, " ");

function listen() {
  root.addEventListener("click", event => {
    const b = event.target.closest("button[data-do]");
    if (!b) return;
    if (steps[b.dataset.do]) steps[b.dataset.do]();
    else if (act(camera, box, b.dataset.do)) ask();
  });
  slider.addEventListener("input", () => go(Number(slider.value)));
  slider.addEventListener("keydown", event => {
    if (!sliderKeys[event.key]) return;
    event.preventDefault();
    steps[sliderKeys[event.key]]();
  });
  get("find").addEventListener("input", event => find(event.target.value.trim()));
  root.addEventListener("keydown", event => {
    if (event.key === " " && event.target.matches("canvas")) {
      event.preventDefault();
      steps.play();
    } else if (event.key === "Escape" && chosen) choose(null);
  });
  addEventListener("resize", ask);
  addEventListener("hashchange", () => go(Date.parse(location.hash.slice(1) + "Z") || time));
}

function legend() {
  const drawn = name => document.createElementNS("http://www.w3.org/2000/svg", name);
  get("looks").replaceChildren(...sides[0].data.looks.map(({color, text}) => {
    const item = element("li", " " + text), swatch = drawn("svg"), square = drawn("rect");
    square.setAttribute("fill", color || "rgb(176, 184, 194)");
    swatch.setAttribute("aria-hidden", "true");
    swatch.append(square);
    item.prepend(swatch);
    return item;
  }));
}

// readShapes reads the shapes of the objects, which are drawn as their boxes until then, and beyond mostShapes.
async function readShapes(address) {
  let shown = 1, known = 0, size = 0, odd = 0;
  for (let next = address; next && size < mostShapes;) {
    const page = await read(next);
    for (const {id, shape} of page.shapes) {
      size += shape.length;
      const made = ofGLB(Uint8Array.from(atob(shape), c => c.charCodeAt(0)).buffer);
      odd += made === undefined ? 1 : 0;
      known += made ? 1 : 0;
      for (const side of sides) {
        const at = side.drawnAt.get(side.places.get(id));
        if (made && at !== undefined) side.shapes.set(at, made);
      }
    }
    next = page.next && new URL(page.next, new URL(next, location.href)).href;
    if (known > 0 && (!next || size >= mostShapes || known >= 2 * shown)) {
      shown = known;
      for (const side of sides) side.show();
      go(time, false);
    }
  }
  if (odd) note(`Shapes that cannot be read: ${odd}. They are drawn as boxes.`);
}

async function begin() {
  const canvases = [...root.querySelectorAll("canvas")];
  const answers = await Promise.all(canvases.map(c => read(c.dataset.of)));
  sides = answers.map((data, i) => new Side(canvases[i], data));
  names = new Map(sides[0].data.tasks.map(t => [t.id, t.name]));
  const boxes = sides.flatMap(s => s.drawn.map(o => o.box));
  const edge = (k, best, worst) => boxes.reduce((v, b) => best(v, b[k]), worst);
  box = [0, 1, 2, 3, 4, 5].map(k => k < 3 ? edge(k, Math.min, Infinity) : edge(k, Math.max, -Infinity));
  // The camera looks at the site around its middle.
  middle = [0, 1, 2].map(k => (box[k] + box[k + 3]) / 2);
  box = box.map((v, k) => v - middle[k % 3]);
  if (boxes.length) camera.fit(box);
  changes = [...changesOf(sides.flatMap(s => s.objects))];
  const data = sides[0].data.dataDate, times = data === undefined ? [...changes] : [...changes, data];
  if (!times.length) times.push(Date.now());
  slider.min = Math.floor(Math.min(...times) / day) * day;
  slider.max = Math.ceil(Math.max(...times) / day + 1e-9) * day;
  root.querySelector("[data-do=data]").hidden = data === undefined;
  root.hidden = false;
  get("views").hidden = !boxes.length;
  let fault = boxes.length ? "" : "No box of an object is known: choose the model whose elements they are.";
  try {
    for (const side of sides) side.open();
  } catch (e) {
    fault = e.message;
  }
  legend();
  listen();
  find("");
  [fault, ...new Set(answers.map(a => a.left))].forEach(note);
  go(Date.parse(location.hash.slice(1) + "Z") || data || Number(slider.min));
  if (sides.some(s => s.picture && s.data.shaped)) await readShapes(root.dataset.shapes);
}

begin().catch(e => {
  root.hidden = false;
  const why = (e.message || "the server does not answer").replace(/\.$/, "");
  note(`Not all of the site can be shown: ${why}. Load the page again.`);
});
