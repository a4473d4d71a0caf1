"use strict";
// <section data-upload="address of a container" data-folder="where to" data-most="bytes of a file"> sends the files
// that its form, or a drop, chooses: to the address itself, in blocks. What was cut off continues by itself, and at the
// block where it ended when the same files are chosen again, as their SHA-256 sums tell. A file of the same name with
// other content stays until the viewer replaces it. Without this the form sends them.
(() => {
  const region = document.querySelector("[data-upload]");
  if (!region) return;
  const blockBytes = 4 * 2 ** 20, atOnce = 3;
  const longest = 30, stalled = 60, answering = 600; // seconds: between tries, of sending nothing, until the answer
  const refusals = 4; // tries after the first that is refused
  const most = Number(region.dataset.most) || Infinity;
  const form = region.querySelector("form"), moving = region.querySelector("[data-moving]");
  const bar = moving.querySelector("progress"), figures = moving.querySelector("span");
  const button = moving.querySelector("button"), said = region.querySelector("[role=status]");
  const failures = region.querySelector("ul"), asking = region.querySelector("[data-there]");
  const questions = asking.querySelector("ul");
  let address = region.dataset.upload, queue = [], workers = 0, paused = null, resume = null, asked = null;
  let bytes = 0, files = 0, done = 0, there = 0, other = 0, failed = 0;
  const sent = new Map(), open = new Set(); // bytes by file; requests under way
  const active = new Set(); // names of the files that wait or are sent

  const size = n => n < 2 ** 20 ? `${Math.ceil(n / 1024)} KiB` :
    n < 2 ** 30 ? `${(n / 2 ** 20).toFixed(1)} MiB` : `${(n / 2 ** 30).toFixed(1)} GiB`;
  const say = text => { if (said.textContent !== text) said.textContent = text; };
  const show = () => {
    const moved = [...sent.values()].reduce((a, b) => a + b, 0);
    bar.value = bytes ? moved / bytes : 1;
    const ended = done + there + other + failed;
    figures.textContent = `${ended} of ${files} files, ${size(moved)} of ${size(bytes)}`;
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
    let timer = 0;
    const within = seconds => {
      clearTimeout(timer);
      timer = setTimeout(() => x.abort(), 1000 * seconds);
    };
    x.upload.onprogress = event => {
      within(stalled);
      moved?.(event.loaded);
    };
    x.upload.onload = () => within(answering);
    x.onprogress = () => within(stalled);
    x.onloadend = () => {
      clearTimeout(timer);
      open.delete(x);
      resolve({status: x.status, xml: () => new DOMParser().parseFromString(x.responseText, "text/xml")});
    };
    open.add(x);
    within(body ? stalled : answering);
    x.send(body);
  });
  const code = answer => answer.xml().querySelector("Code")?.textContent;
  const why = answer => answer.xml().querySelector("Message")?.textContent || code(answer) ||
    `The server answered ${answer.status}.`;
  const rest = seconds => new Promise(resolve => {
    const go = () => {
      clearTimeout(timer);
      removeEventListener("online", go);
      resolve();
    };
    const timer = setTimeout(go, 1000 * seconds);
    addEventListener("online", go);
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

  // sendPatiently sends until there is an answer that another try would not change, or several that refuse the address.
  const sendPatiently = async (method, name, query, body, headers, moved) => {
    for (let wait = 1, refused = 0; ; wait = Math.min(2 * wait, longest)) {
      await paused;
      const by = address;
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
        const fresh = address === by ? await renew() : {status: 200, upload: address}; // another file has renewed it
        if (fresh.status === 200 && !fresh.upload || fresh.status !== 401 && refused === refusals) return answer;
        if (fresh.status === 401) say("You are signed out. Sign in on another tab, and the upload continues.");
        else if (refused++ === 0 && fresh.upload) {
          wait = 0.5; // at once, and a second before the next try
          continue;
        } else say("The server refuses the files. It is tried again.");
      } else if (!s && body instanceof Blob && !await body.slice(0, 1).arrayBuffer().catch(() => null)) {
        return {status: 0, xml: answer.xml, gone: true};
      } else {
        say(s ? `${why(answer)} It is tried again.` : "The connection is lost. The upload continues when it is back.");
      }
      said.dataset.waits = "true";
      await rest(wait);
    }
  };

  // sum is the SHA-256 sum of bytes. Browsers compute it where the page is from https or from this machine.
  const sum = async part => new Uint8Array(await crypto.subtle.digest("SHA-256", await part.arrayBuffer()));
  const text = bytes => String.fromCharCode(...bytes);
  const blocks = function* (file) {
    for (let at = 0; at === 0 || at < file.size; at += blockBytes) yield file.slice(at, at + blockBytes);
  };
  // markOf is the sum of the sums of the blocks of a file, by which it is known again.
  const markOf = async sums => btoa(text(await sum(new Blob(sums))));
  const summed = async file => {
    const sums = [];
    for (const block of blocks(file)) sums.push(await sum(block));
    return markOf(sums);
  };

  // found is what is there with the name of a file: nothing, the same, or another file.
  const found = async (file, name) => {
    const answer = await sendPatiently("GET", "", {
      restype: "container", comp: "list", include: "metadata", prefix: name, maxresults: "1",
    });
    const blob = answer.status === 200 && answer.xml().querySelector("Blob");
    if (!blob || blob.querySelector("Name").textContent !== name) return "";
    const mark = blob.querySelector("Metadata")?.textContent.trim();
    const alike = Number(blob.querySelector("Content-Length").textContent) === file.size;
    return alike && mark && crypto.subtle && mark === await summed(file) ? "same" : "other";
  };
  const staged = async name => {
    const answer = await sendPatiently("GET", name, {comp: "blocklist", blocklisttype: "uncommitted"});
    const names = answer.status === 200 ? answer.xml().querySelectorAll("Block > Name") : [];
    return new Set([...names].map(e => e.textContent));
  };

  // inBlocks sends a large file, and leaves out the blocks that are there with the same sum.
  const inBlocks = async (file, name, unless, moved) => {
    const has = crypto.subtle ? await staged(name) : new Set(), sums = [];
    let list = "", at = 0;
    for (const block of blocks(file)) {
      sums.push(crypto.subtle ? await sum(block) : crypto.getRandomValues(new Uint8Array(32)));
      const id = btoa(text(sums.at(-1)) + String(sums.length - 1).padStart(7, "0")), before = at;
      list += `<Latest>${id}</Latest>`;
      if (!has.has(id)) {
        const answer = await sendPatiently("PUT", name, {comp: "block", blockid: id}, block, {},
          n => moved(before + n));
        if (answer.status !== 201) return answer;
      }
      moved(at += block.size);
    }
    const mark = crypto.subtle ? {"x-ms-meta-mark": await markOf(sums)} : {};
    return sendPatiently("PUT", name, {comp: "blocklist"}, `<BlockList>${list}</BlockList>`, {...unless, ...mark});
  };
  const atOnceWhole = async (file, name, unless, moved) => {
    const mark = crypto.subtle ? {"x-ms-meta-mark": await summed(file)} : {};
    return sendPatiently("PUT", name, {}, file, {"x-ms-blob-type": "BlockBlob", ...unless, ...mark}, moved);
  };

  // ask has the viewer decide about a file in whose place another one is.
  const ask = one => {
    other++;
    for (const item of questions.children) if (item.firstChild.textContent === one.name) item.remove();
    const item = document.createElement("li");
    item.append(document.createElement("span"), ...["Replace", "Keep"].map(does => {
      const choice = document.createElement("button"), of = document.createElement("span");
      choice.type = "button";
      choice.dataset.does = does;
      of.className = "hidden";
      of.textContent = ` ${one.name}`;
      choice.append(does, of);
      choice.addEventListener("click", () => {
        const next = item.nextElementSibling?.querySelector("button") || form.querySelector("button");
        item.remove();
        asking.hidden = !questions.childElementCount;
        next.focus();
        if (does === "Replace") add([{...one, replace: true}]);
      });
      return choice;
    }));
    item.firstChild.textContent = one.name;
    questions.append(item);
    asking.hidden = false;
  };

  const deliver = async ({file, name, replace}, moved) => {
    const is = await found(file, name);
    if (is === "same" || is === "other" && !replace) return is;
    const unless = replace ? {} : {"If-None-Match": "*"};
    const answer = await (file.size > blockBytes ? inBlocks : atOnceWhole)(file, name, unless, moved);
    // It came between, or what it answered before was lost.
    const came = answer.status === 409 && !replace && code(answer) === "BlobAlreadyExists";
    return came && await found(file, name) || answer;
  };
  const sendFile = async one => {
    const {file, name} = one, moved = n => { sent.set(name, n); show(); };
    const answer = await deliver(one, moved).catch(() => ({gone: true}));
    active.delete(name);
    if (answer === "same" || answer.status === 201) {
      if (answer === "same") there++;
      else done++;
      return moved(file.size);
    }
    bytes -= file.size;
    sent.delete(name);
    if (answer === "other") ask(one);
    else fail(name, answer.gone ? "can no longer be read, and was not sent." : `was not sent: ${why(answer)}`);
    show();
  };

  const counted = n => n === 1 ? "1 file" : `${n} files`;
  const end = async () => {
    moving.hidden = true;
    say(`${counted(done)} uploaded.` + (there ? ` ${counted(there)} had been uploaded before.` : "") +
      (other ? ` ${counted(other)} wait${other === 1 ? "s" : ""} for you: replace or keep what is there.` : "") +
      (failed ? ` ${counted(failed)} could not be sent.` : ""));
    bytes = files = done = there = other = failed = 0;
    sent.clear();
    const fresh = await renew();
    if (fresh.list) document.getElementById("files").replaceChildren(...fresh.list.childNodes);
  };
  const work = async () => {
    workers++;
    while (queue.length) await sendFile(queue.shift());
    if (--workers === 0) await end();
  };
  // add sends files, but for those that wait already or are being sent.
  const add = chosen => {
    for (const one of chosen) {
      if (active.has(one.name)) continue;
      files++;
      if (one.file.size > most) {
        fail(one.name, `is larger than ${size(most)}, and is not sent.`);
        continue;
      }
      bytes += one.file.size;
      active.add(one.name);
      queue.push(one);
    }
    say(`Uploading ${counted(files)}.`);
    moving.hidden = false;
    show();
    if (!queue.length && !workers) return end();
    for (let i = workers; i < Math.min(atOnce, queue.length + workers); i++) work();
  };
  const upload = chosen => {
    if (!chosen.length) return say("Choose one file or more.");
    if (!workers) failures.replaceChildren();
    failures.hidden = !failures.childElementCount;
    const folder = region.dataset.folder ? region.dataset.folder + "/" : "";
    const replace = form.elements.replace.checked;
    add(chosen.map(({file, path}) => ({file, name: folder + path, replace})));
  };

  form.addEventListener("submit", event => {
    event.preventDefault();
    const inputs = [...form.querySelectorAll("input[type=file]")];
    upload(inputs.flatMap(input => [...input.files].map(file => ({file, path: file.webkitRelativePath || file.name}))));
    for (const input of inputs) input.value = "";
  });
  for (const all of asking.querySelectorAll("[data-all]")) {
    all.addEventListener("click", () => {
      for (const one of questions.querySelectorAll(`[data-does="${all.dataset.all}"]`)) one.click();
    });
  }
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
