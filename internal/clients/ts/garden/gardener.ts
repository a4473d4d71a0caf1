// Does with a client whose types are generated under the words of a deployment what its programs
// do: it signs in, makes a garden with a crew, uploads a file in blocks, saves a view, imports a
// plan, follows the operation, and receives an event. It compares each answer with what it has
// sent.
//
//	node dist/garden/gardener.js place.json shed.xml
import { AnonymousCredential, ContainerClient } from "@azure/storage-blob";
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import createClient from "openapi-fetch";
import { open, read } from "./inbox.js";
import type { components, paths } from "./openapi.js";
import { application, person, type Client } from "./signin.js";

interface Secret {
  id: string;
  secret: string;
}

const place = JSON.parse(readFileSync(process.argv[2]!, "utf8")) as Client & {
  url: string;
  person: Secret;
  application: Secret;
  certificate: string;
  key: string;
};
const shed = readFileSync(process.argv[3]!);

const bearer = (token: string) => createClient<paths>({ baseUrl: place.url, headers: { Authorization: `Bearer ${token}` } });
type Api = ReturnType<typeof bearer>;

// got is the body of an answer that does not refuse.
async function got<T>(asked: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<NonNullable<T>> {
  const { data, error, response } = await asked;
  if (data === undefined || data === null) throw new Error(`${response.url}: ${response.status} ${JSON.stringify(error)}`);
  return data;
}

// shows wants all members of what was sent in what came, with their values.
function shows<Sent extends object>(sent: Sent, came: object): void {
  for (const [name, value] of Object.entries(sent)) {
    const is = (came as Record<string, unknown>)[name];
    if (!isDeepStrictEqual(is, value)) throw new Error(`${name} is ${JSON.stringify(is)}, and was sent as ${JSON.stringify(value)}`);
  }
}

function wants(holds: boolean, what: unknown): asserts holds {
  if (!holds) throw new Error(`it is shown as ${JSON.stringify(what)}`);
}

async function garden(api: Api): Promise<string> {
  const bed: components["schemas"]["twins.NewTwin"] = {
    class: "Bed",
    label: "Rose bed, größer",
    number: "R-1",
    north: 41.15,
    longitude: -8.61,
  };
  const made = await got(api.POST("/gardens", { body: bed }));
  const gardenId = made.garden.id;
  const shown = await got(api.GET("/gardens/{gardenId}", { params: { path: { gardenId } } }));
  shows(bed, made.garden);
  shows(bed, shown.garden);

  const path = { path: { gardenId } };
  const crew = { name: "Crew", description: "Waters the roses." };
  const { group } = await got(api.POST("/gate/gardens/{gardenId}/groups", { params: path, body: crew }));
  shows(crew, group);
  const may = { label: "Gardener", permissions: ["schedules_modify", "schedules_read"] };
  const { role } = await got(api.POST("/gate/gardens/{gardenId}/roles", { params: path, body: may }));
  shows(may, role);
  const { members } = await got(
    api.POST("/gate/gardens/{gardenId}/guests/groups", {
      params: path,
      body: { members: [{ groupId: group.id, roleIds: [role.id] }] },
    }),
  );
  wants(members.length === 1, members);
  shows({ id: group.id, groupName: crew.name, groupDescription: crew.description, roleIds: [role.id] }, members[0]!);
  return gardenId;
}

// view wants the data of a view back to the byte.
async function view(api: Api, gardenId: string): Promise<void> {
  const savedViewData = {
    camera: { label: "Größe <&>", eye: [-1.5, 2.25, 1e21], b: null },
    twinId: "not ours",
    displayName: null,
    _links: { next: "Twin" },
    categories: { enabled: ["beams"], disabled: [] },
  };
  const { savedView } = await got(api.POST("/saved-views", { body: { label: "From the north", gardenId, savedViewData } }));
  const path = { savedViewId: savedView.id };
  const whole = await got(api.GET("/saved-views/{savedViewId}", { params: { path }, parseAs: "text" }));
  wants(whole.includes(`"savedViewData":${JSON.stringify(savedViewData)}`), whole);
  const again = await got(api.GET("/saved-views/{savedViewId}", { params: { path } }));
  shows({ label: "From the north", gardenId, savedViewData }, again.savedView);
}

async function upload(api: Api, gardenId: string): Promise<void> {
  const scan = { label: "Scan", kind: "LAS", authoring: true, tags: ["winter", "été"] };
  const { realityData } = await got(api.POST("/soil", { body: { gardenId, ...scan } }));
  shows(scan, realityData);
  const params = { path: { realityDataId: realityData.id } };
  const { gardens } = await got(api.GET("/soil/{realityDataId}/yards", { params }));
  wants(isDeepStrictEqual(gardens, [gardenId]), gardens);

  const write = await got(api.GET("/soil/{realityDataId}/writeaccess", { params: { ...params, query: { gardenId } } }));
  const look = await got(api.GET("/soil/{realityDataId}/look", { params }));
  const blob = (href: string) => new ContainerClient(href, new AnonymousCredential()).getBlockBlobClient("scans/größe 1.las");
  const content = Buffer.from(Uint8Array.from({ length: 3_000_000 }, (_, i) => (i * 31) % 251));
  await blob(write._paths.containerUrl.href).uploadData(content, {
    blockSize: 1 << 19,
    maxSingleShotSize: 1 << 19,
    concurrency: 3,
    blobHTTPHeaders: { blobContentType: "application/vnd.las" },
    metadata: { crs: "EPSG:25832" },
  });
  const file = blob(look._paths.containerUrl.href);
  const { contentType, metadata } = await file.getProperties();
  const back = await file.downloadToBuffer();
  wants(back.equals(content) && contentType === "application/vnd.las" && metadata?.["crs"] === "EPSG:25832", [back.length, contentType, metadata]);
  const names: string[] = [];
  for await (const { name } of new ContainerClient(look._paths.containerUrl.href, new AnonymousCredential()).listBlobsFlat()) names.push(name);
  wants(isDeepStrictEqual(names, ["scans/größe 1.las"]), names);
  const complete = await got(api.PATCH("/soil/{realityDataId}", { params, body: { authoring: false } }));
  shows({ authoring: false, size: Math.ceil(content.length / 1024) }, complete.realityData);
}

// plan uploads a plan in pieces, imports it, follows the operation, and reads what it takes.
async function plan(api: Api, gardenId: string): Promise<void> {
  const sent = { name: "Shed", gardenId };
  const { schedule } = await got(api.POST("/seasons", { body: sent }));
  shows(sent, schedule);
  const path = { scheduleId: schedule.id };
  const tus = { "Tus-Resumable": "1.0.0" };
  const header = { ...tus, "Upload-Length": shed.length, "Upload-Metadata": "filename c2hlZC54bWw=" };
  const { file } = await got(api.POST("/seasons/{scheduleId}/files", { params: { path, header } }));
  shows({ length: shed.length, offset: 0 }, file);
  for (let begin = 0; begin < shed.length; begin += 1300) {
    const piece = shed.subarray(begin, begin + 1300);
    const { response, error } = await api.PATCH("/seasons/{scheduleId}/files/{fileId}", {
      params: { path: { ...path, fileId: file.id }, header: { ...tus, "Upload-Offset": begin } },
      headers: { "Content-Type": "application/offset+octet-stream" },
      body: piece as unknown as string, // as the types call bytes
      bodySerializer: (bytes) => bytes as unknown as Buffer,
    });
    wants(response.status === 204 && response.headers.get("upload-offset") === String(begin + piece.length), error);
  }
  const from = { fileId: file.id, filePath: "shed.xml" };
  const plans = (body: typeof from & { preview?: boolean }) => got(api.POST("/seasons/{scheduleId}/imports/planner", { params: { path }, body }));
  const shown = await plans({ ...from, preview: true });
  if (!("importPreview" in shown)) throw new Error(`no preview: ${JSON.stringify(shown)}`);
  wants(shown.importPreview.changes.some(({ created }) => created.records.some(({ name }) => name === "Walls")), shown);
  const begun = await plans(from);
  if (!("operation" in begun)) throw new Error(`no operation: ${JSON.stringify(begun)}`);
  for (;;) {
    const { operation } = await got(
      api.GET("/seasons/{scheduleId}/errands/{operationId}", { params: { path: { ...path, operationId: begun.operation.id } } }),
    );
    wants(operation.id === begun.operation.id && operation.status !== "Failed", operation);
    if (operation.status === "Succeeded") break;
  }
  const lasts: Record<string, number | null> = {};
  for (let token: string | undefined; ; ) {
    const query = { $most: 1, $continuationToken: token };
    const { data, response } = await api.GET("/seasons/{scheduleId}/chores", { params: { path, query } });
    for (const chore of data!.chores) lasts[chore.name] = chore.plannedDuration;
    if (!data!._paths.onward) break;
    token = response.headers.get("onward-token") ?? undefined;
  }
  wants(lasts["Floor"] === 57_600 && lasts["Walls"] === 86_400, lasts);
}

// event asks for events, makes one, checks what comes, and what is shown of it.
async function event(api: Api, bells: Api): Promise<void> {
  const inbox = await open(place.certificate, place.key);
  try {
    const sent: paths["/bells"]["post"]["requestBody"]["content"]["application/json"] = {
      ringAt: inbox.url,
      scope: "Account",
      eventTypes: ["gardens.gardenCreated.v1"],
    };
    const bell = await got(bells.POST("/bells", { body: sent }));
    shows({ ...sent, awake: false }, bell);
    const params = { path: { webhookId: bell.id } };
    const awake = await got(bells.PATCH("/bells/{webhookId}", { params, body: { awake: true } }));
    shows({ ...sent, awake: true }, awake);
    const { garden } = await got(api.POST("/gardens", { body: { class: "Bed", label: "Hedge" } }));
    const delivered = read(await inbox.next, bell.secret) as { content: object; messageId: string };
    shows({ eventType: "gardens.gardenCreated.v1", gardenId: garden.id, webhookId: bell.id }, delivered);
    shows({ gardenClass: garden.class, gardenSubClass: garden.subClass }, delivered.content);
    for (;;) {
      const { deliveries } = await got(bells.GET("/bells/{webhookId}/letters", { params }));
      wants(deliveries.length === 1 && deliveries[0]!.messageId === delivered.messageId, deliveries);
      if (deliveries[0]!.state === "Delivered") break;
    }
  } finally {
    inbox.close();
  }
}

const api = bearer(await person(place, place.person.id, place.person.secret));
const bells = bearer(await application(place, place.application.id, place.application.secret));
shows({ email: place.person.id, memberType: "User" }, (await got(api.GET("/users/me"))).user);
shows({ id: place.application.id, memberType: "Service" }, (await got(bells.GET("/users/me"))).user);
const gardenId = await garden(api);
await view(api, gardenId);
await upload(api, gardenId);
await plan(api, gardenId);
await event(api, bells);
console.log("done");
