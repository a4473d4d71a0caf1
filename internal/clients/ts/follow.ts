// What most programs do first, with a client whose types are generated from the
// OpenAPI document: make a schedule with tasks, follow the operations that make
// them, page through what is there.
//
//	node dist/follow.js http://localhost:8080 token twinId
import createClient from "openapi-fetch";
import type { components, paths } from "./openapi.js";

const [url, token, twinId] = process.argv.slice(2) as [string, string, string];
const api = createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${token}` } });

type NewTask = components["schemas"]["schedules.NewTask"];

async function addTask(scheduleId: string, body: NewTask): Promise<void> {
  const made = await api.POST("/schedules/{scheduleId}/tasks", { params: { path: { scheduleId } }, body });
  const operationId = made.data?.operation.id;
  if (!operationId) throw new Error(`no task: ${JSON.stringify(made.error)}`);
  for (;;) {
    const { data, error } = await api.GET("/schedules/{scheduleId}/operations/{operationId}", {
      params: { path: { scheduleId, operationId } },
    });
    if (!data) throw new Error(`no operation: ${error.error.message}`);
    if (data.operation.status === "Succeeded") return;
    if (data.operation.status === "Failed") throw new Error(data.operation.failureDescription ?? "failed");
  }
}

async function countTasks(scheduleId: string): Promise<number> {
  let n = 0;
  for (let token: string | undefined; ; ) {
    const { data, error, response } = await api.GET("/schedules/{scheduleId}/tasks", {
      params: { path: { scheduleId }, query: { $top: 2, $continuationToken: token } },
    });
    if (!data) throw new Error(`no page: ${error.error.message}`);
    n += data.tasks.length;
    if (!data._links.next) return n;
    token = response.headers.get("continuation-token") ?? undefined;
  }
}

const schedule = await api.POST("/schedules", { body: { name: "Tower", twinId } });
if (!schedule.data) throw new Error(`no schedule: ${schedule.error.error.message}`);
const plan = schedule.data.schedule.id;
for (let i = 1; i <= 5; i++) await addTask(plan, { name: `Task ${i}`, type: "Work" });
console.log(await countTasks(plan), "tasks");
