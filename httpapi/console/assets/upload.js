"use strict";
// <section data-upload="address of a container" data-folder="where to" data-most="bytes of a file"> sends the files
// that its form, or a drop, chooses: to the address itself, in blocks. What was cut off continues by itself, and at the
// block where it ended when the same files are chosen again. Without this the form sends them.
(() => {
  const region = document.querySelector("[data-upload]");
  if (!region) return;
  const blockBytes = 4 * 2 ** 20, atOnce = 3, longest = 30;
  const most = Number(region.dataset.most) || Infinity;
  const form = region.querySelector("form"), moving = region.querySelector("[data-moving]");
  const bar = moving.querySelector("progress"), figures = moving.querySelector("span");
  const button = moving.querySelector("button"), said = region.querySelector("[role=status]");
  const failures = region.querySelector("ul");
  let address = region.dataset.upload, queue = [], workers = 0, paused = null, resume = null, asked = null;
  let bytes = 0, files = 0, done = 0, there = 0, failed = 0;
  const sent = new Map(), open = new Set(); // bytes by file; requests under way

  const size = n => n < 2 ** 20 ? `${Math.ceil(n / 1024)} KiB` :
    n < 2 ** 30 ? `${(n / 2 ** 20).toFixed(1)} MiB` : `${(n / 2 ** 30).toFixed(1)} GiB`;
  const say = text => { if (said.textContent !== text) said.textContent = text; };
  const show = () => {
    const moved = [...sent.values()].reduce((a, b) => a + b, 0);
    bar.value = bytes ? moved / bytes : 1;
    figures.textContent = `${done + there + failed} of ${files} files, ${size(moved)} of ${size(bytes)}`;
  };
  const fail = (name, why) => {
    failed++;
    failures.hidden = false;
    failures.appendChild(document.createElement("li")).textContent = `${name} ${why}`;
  };

  const to = (name, query) => {
    const url = new URL(address, location.href);
    url.pathname += "/" + name.split("/").map(encodeURIComponent).join("/");
    for (const [key, value] of Object.entries(query || {})) url.searchParams.set(key, value);
    return url;
  };
  const send = (method, name, query, body, headers, moved) => new Promise(resolve => {
    const x = new XMLHttpRequest();
    x.open(method, to(name, query));
    x.setRequestHeader("x-ms-version", "2021-12-02");
    for (const [key, value] of Object.entries(headers || {})) x.setRequestHeader(key, value);
    x.upload.onprogress = event => moved?.(event.loaded);
    x.onloadend = () => {
      open.delete(x);
      resolve({status: x.status, xml: () => new DOMParser().parseFromString(x.responseText, "text/xml")});
    };
    open.add(x);
    x.send(body);
  });
  const why = answer => answer.xml().querySelector("Message")?.textContent ||
    answer.xml().querySelector("Code")?.textContent || `The server answered ${answer.status}.`;
  const rest = seconds => new Promise(resolve => {
    const timer = setTimeout(resolve, 1000 * seconds);
    addEventListener("online", () => { clearTimeout(timer); resolve(); }, {once: true});
  });

  // The page, read anew: its list of files, and an address that lasts again.
  const page = async () => {
    try {
      const answer = await fetch(location.href, {credentials: "same-origin", cache: "no-store"});
      const fresh = answer.ok && new DOMParser().parseFromString(await answer.text(), "text/html");
      return {status: answer.status, upload: fresh && fresh.querySelector("[data-upload]")?.dataset.upload,
        list: fresh && fresh.getElementById("files")};
    } catch {
      return {status: 0};
    }
  };
  const renew = () => asked ||= page().then(fresh => {
    asked = null;
    if (fresh.upload) address = fresh.upload;
    return fresh;
  });

  // sendPatiently sends until there is an answer that another try would not change.
  const sendPatiently = async (method, name, query, body, headers, moved) => {
    for (let wait = 1; ; wait = Math.min(2 * wait, longest)) {
      await paused;
      const answer = await send(method, name, query, body, headers, moved);
      const s = answer.status;
      if (s && s !== 403 && s !== 408 && s !== 429 && (s < 500 || s === 501)) {
        if (said.dataset.waits) say("Uploading again.");
        delete said.dataset.waits;
        return answer;
      }
      moved?.(0);
      if (paused) continue;
      if (s === 403) {
        const before = address, fresh = await renew();
        if (fresh.status === 200 && (!fresh.upload || address === before)) return answer;
        if (fresh.upload) continue;
        if (fresh.status === 401) say("You are signed out. Sign in on another tab, and the upload continues.");
      } else if (!s && body instanceof Blob && !await body.slice(0, 1).arrayBuffer().catch(() => null)) {
        return {status: 0, xml: answer.xml, gone: true};
      } else {
        say(s ? `${why(answer)} It is tried again.` : "The connection is lost. The upload continues when it is back.");
      }
      said.dataset.waits = "true";
      await rest(wait);
    }
  };

  const marked = name => `upload ${new URL(address, location.href).pathname}/${name}`;
  const note = (name, mark) => {
    try {
      if (mark) localStorage.setItem(marked(name), mark);
      else localStorage.removeItem(marked(name));
    } catch { /* it is full or forbidden: the file is sent from its beginning another time */ }
  };
  const noted = name => {
    try { return localStorage.getItem(marked(name)); } catch { return null; }
  };

  // whole reports whether a file is there as it is here: with the mark that it was sent with.
  const whole = async (name, mark, length) => {
    const answer = await sendPatiently("GET", "", {
      restype: "container", comp: "list", include: "metadata", prefix: name, maxresults: "1",
    });
    const blob = answer.status === 200 && answer.xml().querySelector("Blob");
    return blob && blob.querySelector("Name").textContent === name &&
      Number(blob.querySelector("Content-Length").textContent) === length &&
      blob.querySelector("Metadata")?.textContent.trim() === mark;
  };
  const staged = async name => {
    const answer = await sendPatiently("GET", name, {comp: "blocklist", blocklisttype: "uncommitted"});
    const blocks = answer.status === 200 ? answer.xml().querySelectorAll("Block > Name") : [];
    return new Set([...blocks].map(e => e.textContent));
  };

  // inBlocks sends a large file, and leaves out the blocks that are there of the same one.
  const inBlocks = async (file, name, mark, moved) => {
    const id = i => btoa(mark.padStart(32, "0") + String(i).padStart(7, "0"));
    const has = noted(name) === mark ? await staged(name) : new Set();
    note(name, mark);
    let list = "";
    for (let i = 0; i * blockBytes < file.size; i++) {
      const block = file.slice(i * blockBytes, (i + 1) * blockBytes);
      list += `<Latest>${id(i)}</Latest>`;
      if (!has.has(id(i))) {
        const answer = await sendPatiently("PUT", name, {comp: "block", blockid: id(i)}, block, {},
          n => moved(i * blockBytes + n));
        if (answer.status !== 201) return answer;
      }
      moved(i * blockBytes + block.size);
    }
    const answer = await sendPatiently("PUT", name, {comp: "blocklist"}, `<BlockList>${list}</BlockList>`,
      {"x-ms-meta-mark": mark});
    note(name, "");
    return answer;
  };
  const sendFile = async ({file, name}) => {
    const mark = `${file.size}-${file.lastModified}`, moved = n => { sent.set(name, n); show(); };
    if (await whole(name, mark, file.size)) {
      there++;
      return moved(file.size);
    }
    const answer = file.size > blockBytes ? await inBlocks(file, name, mark, moved) :
      await sendPatiently("PUT", name, {}, file, {"x-ms-blob-type": "BlockBlob", "x-ms-meta-mark": mark}, moved);
    if (answer.status === 201) {
      done++;
      return moved(file.size);
    }
    bytes -= file.size;
    sent.delete(name);
    fail(name, answer.gone ? "can no longer be read, and was not sent." : `was not sent: ${why(answer)}`);
    show();
  };

  const counted = n => n === 1 ? "1 file" : `${n} files`;
  const end = async () => {
    moving.hidden = true;
    say(`${counted(done)} uploaded.` + (there ? ` ${counted(there)} had been uploaded before.` : "") +
      (failed ? ` ${counted(failed)} could not be sent.` : ""));
    bytes = files = done = there = failed = 0;
    sent.clear();
    const fresh = await renew();
    if (fresh.list) document.getElementById("files").replaceChildren(...fresh.list.childNodes);
  };
  const work = async () => {
    workers++;
    while (queue.length) await sendFile(queue.shift());
    if (--workers === 0) await end();
  };
  const upload = chosen => {
    if (!chosen.length) return say("Choose one file or more.");
    if (!workers) failures.replaceChildren();
    failures.hidden = !failures.childElementCount;
    const folder = region.dataset.folder ? region.dataset.folder + "/" : "";
    for (const one of chosen) {
      const name = folder + one.path;
      if (queue.some(other => other.name === name)) continue;
      files++;
      if (one.file.size > most) {
        fail(one.path, `is larger than ${size(most)}, and is not sent.`);
        continue;
      }
      bytes += one.file.size;
      queue.push({file: one.file, name});
    }
    say(`Uploading ${counted(files)}.`);
    moving.hidden = false;
    show();
    if (!queue.length && !workers) return end();
    for (let i = workers; i < Math.min(atOnce, queue.length + workers); i++) work();
  };

  form.addEventListener("submit", event => {
    event.preventDefault();
    const inputs = [...form.querySelectorAll("input[type=file]")];
    upload(inputs.flatMap(input => [...input.files].map(file => ({file, path: file.webkitRelativePath || file.name}))));
    for (const input of inputs) input.value = "";
  });
  button.addEventListener("click", () => {
    if (paused) {
      paused = null;
      resume();
    } else {
      paused = new Promise(resolve => { resume = resolve; });
      for (const x of open) x.abort();
    }
    button.textContent = paused ? "Go on" : "Pause";
    say(paused ? "The upload is paused." : "Uploading again.");
  });

  // Folders come as entries, a hundred at a time.
  const within = async entry => {
    if (entry.isFile) {
      const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
      return [{file, path: entry.fullPath.slice(1)}];
    }
    const all = [], reader = entry.createReader();
    for (;;) {
      const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (!some.length) return all;
      for (const one of some) all.push(...await within(one));
    }
  };
  region.querySelector("[data-drop]").hidden = false;
  region.addEventListener("dragover", event => event.preventDefault());
  region.addEventListener("drop", async event => {
    event.preventDefault();
    const entries = [...event.dataTransfer.items].map(item => item.webkitGetAsEntry()).filter(Boolean);
    try {
      upload((await Promise.all(entries.map(within))).flat());
    } catch {
      say("What was dropped cannot be read.");
    }
  });
  addEventListener("beforeunload", event => { if (workers && !paused) event.preventDefault(); });
})();
