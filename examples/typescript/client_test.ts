// The tests of the client, against a server with test controls:
//
//	twinplatform -test-controls
//	node --test examples/typescript/client_test.ts
//
// from Node 22.18 on, which takes the types out by itself.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { beforeEach, test } from "node:test";
import { Client, Failed } from "./client.ts";

const url = process.env["TWIN_URL"] ?? "http://127.0.0.1:4790";
const token = process.env["TWIN_TOKEN"] ?? "demo";

/** Sends a request of the test itself. */
async function call(method: string, path: string, body?: unknown): Promise<any> {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const answer = await fetch(url + path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  const text = await answer.text();
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

/** Lets time go by on the server, at once. */
const advance = (seconds: number): Promise<void> => call("POST", "/_test/clock", { advance: `${seconds}s` });

const calls = async (operation: string): Promise<number> =>
  (await call("GET", `/_test/journal?operation=${operation}`)).exchanges.length;

let client: Client;

async function names(): Promise<string[]> {
  const found: string[] = [];
  for await (const task of client.tasks()) found.push(task.name);
  return found.sort();
}

beforeEach(async () => {
  for (const control of ["faults", "journal", "operations"]) await call("DELETE", `/_test/${control}`);
  const plan = randomUUID(); // each test has its own twin and schedule
  const { twin } = await call("POST", "/twins", { class: "Endeavor", displayName: plan });
  await call("POST", "/schedules", { id: plan, name: "Plan", twinId: twin.id });
  client = new Client(url, token, plan, advance);
});

test("it waits as long as it is asked", async () => {
  await call("POST", "/_test/faults", { op: "tasks.create", status: 429, retryAfter: "60s" });
  await client.createTask("dig", "Dig");
  assert.equal(await calls("tasks.create"), 2);
  assert.deepEqual(await names(), ["Dig"]);
});

test("it makes one task though the answer was lost", async () => {
  await call("POST", "/_test/faults", { op: "tasks.create", lost: true });
  await client.createTask("dig", "Dig");
  assert.equal(await calls("tasks.create"), 2);
  assert.deepEqual(await names(), ["Dig"]);
});

test("it follows an operation to its end", async () => {
  await call("POST", "/_test/operations", { kind: "tasks.create", afterPolls: 2 });
  await client.createTask("dig", "Dig");
  assert.deepEqual(await names(), ["Dig"]);
});

test("it tells why an operation failed", async () => {
  await call("POST", "/_test/operations", { kind: "tasks.create", afterPolls: 1, failWith: "ScheduleNotInitialized" });
  await assert.rejects(client.createTask("dig", "Dig"), Failed);
});

test("it misses nothing that is written while it pages", async () => {
  for (const id of ["a", "c", "e"]) await client.createTask(id, id);
  const seen = new Set<string>();
  const pages = client.tasks(2);
  let step = await pages.next();
  await client.createTask("b", "b");
  for (; !step.done; step = await pages.next()) seen.add(step.value.id);
  for await (const task of client.changes(step.value)) seen.add(task.id);
  for (const id of ["a", "b", "c", "e"]) assert.ok(seen.has(id), `it has not seen ${id}`);
});
