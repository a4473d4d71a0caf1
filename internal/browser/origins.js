// What a page of another origin does with the API and the addresses of files.
async function use(base) {
	const token = {Authorization: "Bearer demo"};
	const call = async (path, more = {}) => {
		const res = await fetch(new URL(path, base), {...more, headers: {...token, ...more.headers}});
		if (!res.ok) throw new Error(`${path}: ${res.status} ${await res.text()}`);
		return res;
	};
	const send = (path, body) => call(path, {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(body)});

	const {twins} = await (await call("/twins")).json();
	const plan = "/schedules/mp-j30-a2-nr1";
	let tasks = 0, pages = 0;
	for (let next = `${plan}/tasks?$top=10`; next; pages++) {
		const body = await (await call(next)).json();
		tasks += body.tasks.length;
		next = body._links?.next?.href;
	}
	const written = await send(`${plan}/tasks`, {name: "Paint", type: "Work"});

	const {realityData: data} = await (await send("/reality-management/reality-data", {
		twinId: twins[0].id, displayName: "Bridge scan", type: "3MX",
	})).json();
	const access = await (await call(`/reality-management/reality-data/${data.id}/writeaccess?twinId=${twins[0].id}`)).json();
	const file = new URL(access._links.containerUrl.href);
	file.pathname += "/notes/hello.txt";
	const blob = {"x-ms-version": "2023-11-03"};
	const put = await fetch(file, {method: "PUT", headers: {...blob, "x-ms-blob-type": "BlockBlob"}, body: "hello, wörld"});
	const got = await fetch(file, {headers: {...blob, Range: "bytes=2-"}});
	if (put.status !== 201 || got.status !== 206) throw new Error(`the file: ${put.status}, ${got.status}`);

	return {
		Twins: twins.length, Tasks: tasks, Pages: pages, Operation: written.headers.get("Operation-Location") !== null || written.headers.get("Location") !== null,
		Read: await got.text(), ETag: put.headers.get("ETag") !== null && put.headers.get("ETag") === got.headers.get("ETag"),
		Missing: (await fetch(new URL("/schedules/none", base), {headers: token})).status,
		Unknown: (await fetch(new URL("/schedules", base))).status,
	};
}
