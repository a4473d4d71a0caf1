// A page of another origin that is written for a deployment with another vocabulary: it signs a
// person in (see signin.js), and does by fetch what programs of the deployment do. It compares
// each answer with what it has sent.
async function tend(token) {
	const {base} = JSON.parse(sessionStorage.getItem("begun"));
	const call = async (method, path, body, want, headers = {}) => {
		const json = body !== undefined && !(body instanceof Uint8Array);
		const res = await fetch(new URL(path, base), {
			method, body: json && typeof body !== "string" ? JSON.stringify(body) : body,
			headers: {Authorization: "Bearer " + token, ...(json ? {"Content-Type": "application/json"} : {}), ...headers},
		});
		const text = await res.text();
		if (res.status !== want) throw new Error(`${method} ${path}: ${res.status}, not ${want}: ${text}`);
		return {headers: res.headers, text, body: text ? JSON.parse(text) : undefined};
	};
	const shows = (sent, came) => {
		for (const [name, value] of Object.entries(sent)) {
			if (JSON.stringify(came[name]) !== JSON.stringify(value)) throw new Error(`${name} is ${JSON.stringify(came[name])}, and was sent as ${JSON.stringify(value)}`);
		}
		return came;
	};
	const made = async (path, one, sent) => {
		const {body} = await call("POST", path, sent, 201);
		shows(sent, body[one]);
		return shows(sent, (await call("GET", `${path}/${body[one].id}`, undefined, 200)).body[one]);
	};

	const garden = await made("/gardens", "garden", {class: "Bed", label: "Rose bed, größer", number: "R-1", north: 41.15, longitude: -8.61});
	const gate = `/gate/gardens/${garden.id}`;
	const crew = await made(gate + "/groups", "group", {name: "Crew", description: "Waters the roses."});
	const role = await made(gate + "/roles", "role", {label: "Gardener", permissions: ["schedules_modify", "schedules_read"]});
	const guests = await call("POST", gate + "/guests/groups", {members: [{groupId: crew.id, roleIds: [role.id]}]}, 201);
	shows({id: crew.id, groupName: "Crew", roleIds: [role.id]}, guests.body.members[0]);

	const data = `{"camera":{"eye":[-1.50,2.25e0,1E6],"label":"Größe <&>"},"twinId":"not ours","displayName":null,"big":12345678901234567890}`;
	const view = (await call("POST", "/saved-views", `{"label": "North", "gardenId": "${garden.id}", "savedViewData": ${data}}`, 201)).body.savedView;
	const whole = (await call("GET", "/saved-views/" + view.id, undefined, 200)).text.includes(`"savedViewData":${data}`);

	return {Gardens: (await call("GET", "/gardens?$most=1&label=" + encodeURIComponent(garden.label), undefined, 200)).body.gardens.length,
		View: whole, Bytes: await upload(call, garden.id), ...await planned(call, garden.id)};
}

// upload sends a file in blocks and reads it back; it returns how many bytes are the same.
async function upload(call, gardenId) {
	const {body: {realityData: soil}} = await call("POST", "/soil", {gardenId, label: "Scan", kind: "LAS", authoring: true}, 201);
	const address = async access => new URL((await call("GET", `/soil/${soil.id}/${access}?gardenId=${gardenId}`, undefined, 200)).body._paths.containerUrl.href);
	const at = (container, query) => {
		const to = new URL(container);
		to.pathname += "/scans/north.las";
		for (const [name, value] of Object.entries(query)) to.searchParams.set(name, value);
		return to;
	};
	const blob = {"x-ms-version": "2023-11-03"};
	const content = Uint8Array.from({length: 700_000}, (_, i) => i * 31 % 251), size = 1 << 18, container = await address("writeaccess"), ids = [];
	for (let begin = 0; begin < content.length; begin += size) {
		const blockid = btoa("block " + String(begin).padStart(9, "0"));
		const put = await fetch(at(container, {comp: "block", blockid}), {method: "PUT", headers: blob, body: content.subarray(begin, begin + size)});
		if (put.status !== 201) throw new Error(`a block: ${put.status} ${await put.text()}`);
		ids.push(blockid);
	}
	const list = `<?xml version="1.0" encoding="utf-8"?><BlockList>${ids.map(id => `<Latest>${id}</Latest>`).join("")}</BlockList>`;
	const put = await fetch(at(container, {comp: "blocklist"}), {method: "PUT", headers: {...blob, "x-ms-blob-content-type": "application/vnd.las"}, body: list});
	if (put.status !== 201) throw new Error(`the list of blocks: ${put.status} ${await put.text()}`);
	const got = await fetch(at(await address("look"), {}), {headers: blob});
	const back = new Uint8Array(await got.arrayBuffer());
	if (got.headers.get("Content-Type") !== "application/vnd.las" || got.headers.get("ETag") !== put.headers.get("ETag")) {
		throw new Error(`the file is ${got.headers.get("Content-Type")} ${got.headers.get("ETag")}`);
	}
	shows({authoring: false, size: Math.ceil(content.length / 1024)}, (await call("PATCH", "/soil/" + soil.id, {authoring: false}, 200)).body.realityData);
	return back.length === content.length && back.every((byte, i) => byte === content[i]) ? back.length : 0;
}

function shows(sent, came) {
	for (const [name, value] of Object.entries(sent)) {
		if (came[name] !== value) throw new Error(`${name} is ${came[name]}, and was sent as ${value}`);
	}
}

// planned uploads a plan in pieces, imports it, follows the operation, and returns what it takes.
async function planned(call, gardenId) {
	const file = new TextEncoder().encode(shed), tus = {"Tus-Resumable": "1.0.0"};
	const {body: {schedule}} = await call("POST", "/seasons", {name: "Shed", gardenId}, 201);
	shows({name: "Shed", gardenId}, schedule);
	const begun = await call("POST", `/seasons/${schedule.id}/files`, undefined, 201, {...tus, "Upload-Length": String(file.length), "Upload-Metadata": "filename c2hlZC54bWw="});
	for (let begin = 0; begin < file.length; begin += 1000) {
		const piece = file.subarray(begin, begin + 1000);
		const sent = await call("PATCH", begun.headers.get("Location"), piece, 204,
			{...tus, "Upload-Offset": String(begin), "Content-Type": "application/offset+octet-stream"});
		shows({offset: String(begin + piece.length)}, {offset: sent.headers.get("Upload-Offset")});
	}
	const started = await call("POST", `/seasons/${schedule.id}/imports/planner`, {fileId: begun.body.file.id, filePath: "shed.xml"}, 202);
	const follows = started.headers.get("Operation-Location");
	let status = "";
	while (status !== "Succeeded" && status !== "Failed") ({status} = (await call("GET", follows, undefined, 200)).body.operation);
	const lasts = {};
	for (let next = `/seasons/${schedule.id}/chores?$most=1`; next; ) {
		const page = (await call("GET", next, undefined, 200)).body;
		for (const chore of page.chores) lasts[chore.name] = chore.plannedDuration;
		next = page._paths.onward?.href;
	}
	return {Status: status, Floor: lasts.Floor, Walls: lasts.Walls};
}
