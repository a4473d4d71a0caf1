import * as sdk from "./orval/api";
import { type Answer, type Client, walk } from "./journey";

const [url, token, twinId] = process.argv.slice(2) as [string, string, string];
const plain = globalThis.fetch;
globalThis.fetch = (input, init) =>
  plain(url + String(input), {
    ...init, headers: { ...(init?.headers as Record<string, string>), Authorization: `Bearer ${token}` },
  });

const of = <T>(r: { status: number; headers: Headers; data: unknown }): Answer<T> => r as Answer<T>;

const api: Client = {
  createSchedule: async (body) => of(await sdk.schedulesCreate(body)),
  createTask: async (schedule, body) => of(await sdk.tasksCreate(schedule, body)),
  operation: async (schedule, id) => of(await sdk.operationsGet(schedule, id)),
  tasks: async (schedule, query) => of(await sdk.tasksList(schedule, query)),
  task: async (schedule, id) => of(await sdk.tasksGet(schedule, id)),
  rename: async (schedule, id, name, ifMatch) =>
    of(await sdk.tasksUpdate(schedule, id, { name }, { headers: { "If-Match": ifMatch } })),
  chart: async (schedule) => of(await sdk.ganttSvg(schedule)),
  curve: async (schedule) => of(await sdk.progressCurvesCsv(schedule)),
  twins: async (query) => of(await sdk.twinsList(query)),
  setImage: async (twin, image) => of(await sdk.twinImagesSet(twin, image)),
  image: async (name) => of(await sdk.twinImagesRead(name)),
};

walk(api, twinId).catch((err: unknown) => { console.error(err); process.exitCode = 1; });
