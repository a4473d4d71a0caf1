import { Api, SchedulesTaskType } from "./sta/api";
import { type Answer, type Client, walk } from "./journey";

const [url, token, twinId] = process.argv.slice(2) as [string, string, string];
const headers = { Authorization: `Bearer ${token}` };
const made = new Api<string>({ baseUrl: url, securityWorker: () => ({ headers }) });

// Answers that are no success are thrown.
async function of<T>(call: Promise<Response & { data: unknown; error: unknown }>): Promise<Answer<T>> {
  const r = await call.catch((err: unknown) => err as Response & { data: unknown; error: unknown });
  return { status: r.status, headers: r.headers, data: (r.data ?? r.error) as T };
}

const api: Client = {
  createSchedule: (body) => of(made.schedules.schedulesCreate(body)),
  createTask: (schedule, body) => of(made.schedules.tasksCreate(schedule, { ...body, type: SchedulesTaskType.Work })),
  operation: (schedule, id) => of(made.schedules.operationsGet(schedule, id)),
  tasks: (schedule, query) => of(made.schedules.tasksList(schedule, query)),
  task: (schedule, id) => of(made.schedules.tasksGet(schedule, id)),
  rename: (schedule, id, name, ifMatch) =>
    of(made.schedules.tasksUpdate(schedule, id, { name }, { headers: { "If-Match": ifMatch } })),
  chart: (schedule) => of(made.schedules.ganttSvg(schedule, undefined, { format: "text" })),
  curve: (schedule) => of(made.schedules.progressCurvesCsv(schedule, undefined, { format: "text" })),
  twins: (query) => of(made.twins.twinsList(query)),
  // The method that is made sends any body as JSON, which makes {} of a file.
  setImage: async (twin, body) => {
    const answer = await fetch(`${url}/twins/${twin}/image`, { method: "PUT", headers, body });
    return { status: answer.status, headers: answer.headers, data: (await answer.json()) as never };
  },
  image: (name) => of(made.twinImages.twinImagesRead(name)),
};

walk(api, twinId).catch((err: unknown) => { console.error(err); process.exitCode = 1; });
