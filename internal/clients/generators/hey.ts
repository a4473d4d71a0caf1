import { client } from "./hey/client.gen";
import * as sdk from "./hey/sdk.gen";
import { type Answer, type Client, walk } from "./journey";

const [url, token, twinId] = process.argv.slice(2) as [string, string, string];
client.setConfig({ baseUrl: url, auth: () => token });

const of = <T>(r: { data?: unknown; error?: unknown; response?: Response }): Answer<T> => ({
  status: r.response!.status, headers: r.response!.headers, data: (r.data ?? r.error) as T,
});

const api: Client = {
  createSchedule: async (body) => of(await sdk.schedulesCreate({ body })),
  createTask: async (scheduleId, body) => of(await sdk.tasksCreate({ path: { scheduleId }, body })),
  operation: async (scheduleId, operationId) => of(await sdk.operationsGet({ path: { scheduleId, operationId } })),
  tasks: async (scheduleId, query) => of(await sdk.tasksList({ path: { scheduleId }, query })),
  task: async (scheduleId, taskId) => of(await sdk.tasksGet({ path: { scheduleId, taskId } })),
  rename: async (scheduleId, taskId, name, ifMatch) =>
    of(await sdk.tasksUpdate({ path: { scheduleId, taskId }, body: { name }, headers: { "If-Match": ifMatch } })),
  chart: async (scheduleId) => of(await sdk.ganttSvg({ path: { scheduleId } })),
  curve: async (scheduleId) => of(await sdk.progressCurvesCsv({ path: { scheduleId } })),
  twins: async (query) => of(await sdk.twinsList({ query })),
  setImage: async (twinId, body) => of(await sdk.twinImagesSet({ path: { twinId }, body })),
  image: async (imageName) => of(await sdk.twinImagesRead({ path: { imageName } })),
};

walk(api, twinId).catch((err: unknown) => { console.error(err); process.exitCode = 1; });
