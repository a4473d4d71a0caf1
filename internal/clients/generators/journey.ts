// What programs do first, through a client that a generator of others has made from the document: make a
// schedule, follow operations, page and read what has changed, change what is as it was read, get a picture
// and a table, send bytes and get them back, and be refused.

/** What an answer came to. */
export interface Answer<T> {
  status: number;
  headers: Headers;
  data: T;
}

export interface Page {
  tasks: { id: string; name: string }[];
}

export interface Query {
  $top?: number;
  $continuationToken?: string;
  deltaToken?: string;
}

/** A client, whatever has made it. */
export interface Client {
  createSchedule(body: { name: string; twinId: string }): Promise<Answer<{ schedule: { id: string } }>>;
  createTask(schedule: string, body: { name: string; type: "Work" }): Promise<Answer<{ operation: { id: string } }>>;
  operation(schedule: string, id: string): Promise<Answer<{ operation: { status: string } }>>;
  tasks(schedule: string, query: Query): Promise<Answer<Page>>;
  task(schedule: string, id: string): Promise<Answer<{ task: { name: string } }>>;
  rename(schedule: string, id: string, name: string, ifMatch: string): Promise<Answer<unknown>>;
  chart(schedule: string): Promise<Answer<unknown>>;
  curve(schedule: string): Promise<Answer<unknown>>;
  twins(query: { $top?: number }): Promise<Answer<{ twins: { id?: string; displayName?: string | null }[] }>>;
  setImage(twin: string, image: File): Promise<Answer<{ image: { largeImageName: string } }>>;
  image(name: string): Promise<Answer<unknown>>;
}

/** The smallest picture that there is. */
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=";

const text = async (v: unknown): Promise<string> => (v instanceof Blob ? v.text() : String(v));

function check(is: boolean, what: string, got: unknown): void {
  if (!is) throw new Error(`${what}: ${JSON.stringify(got)}`);
}

export async function walk(api: Client, twinId: string): Promise<void> {
  const made = await api.createSchedule({ name: "Tower", twinId });
  check(made.status === 201, "a schedule", made);
  const plan = made.data.schedule.id;
  for (let i = 1; i <= 5; i++) {
    const task = await api.createTask(plan, { name: `Task ${i}`, type: "Work" });
    check(task.status === 202, "a task", task);
    for (let status = "Running"; status !== "Succeeded"; ) {
      const at = await api.operation(plan, task.data.operation.id);
      status = at.data.operation.status;
      check(status !== "Failed", "an operation", at);
    }
  }
  const names: string[] = [];
  let delta: string | undefined, token: string | undefined, first = "";
  do {
    const page = await api.tasks(plan, { $top: 2, $continuationToken: token });
    check(page.status === 200, "a page", page);
    first ||= page.data.tasks[0]?.id ?? "";
    names.push(...page.data.tasks.map((t) => t.name));
    token = page.headers.get("continuation-token") ?? undefined;
    delta = page.headers.get("delta-token") ?? delta;
  } while (token);
  check(names.sort().join() === "Task 1,Task 2,Task 3,Task 4,Task 5" && !!delta, "the tasks", { names, delta });

  const read = await api.task(plan, first), etag = read.headers.get("etag") ?? "";
  check((await api.rename(plan, first, "Roof", '"another"')).status === 409, "a change of what is otherwise", etag);
  const renamed = await api.rename(plan, first, "Roof", etag);
  check(renamed.status === 200, "a change of what was read", renamed);
  const since = await api.tasks(plan, { deltaToken: delta });
  check(since.data.tasks.map((t) => t.name).join() === "Roof", "what has changed", since.data);

  const chart = await api.chart(plan);
  check((await text(chart.data)).startsWith("<svg"), "a chart", chart.status);
  const curve = await api.curve(plan);
  check((await text(curve.data)).includes(","), "a table", curve.status);
  check((await api.task(plan, "none")).status === 404, "a task that is not there", 404);

  const twins = await api.twins({ $top: 5 });
  check(twins.data.twins.some((t) => t.id === twinId), "the twins", twins);
  const bytes = Buffer.from(pixel, "base64");
  const set = await api.setImage(twinId, new File([bytes], "tower.png", { type: "image/png" }));
  check(set.status === 201, "an image", set);
  const back = await api.image(set.data.image.largeImageName);
  const got = back.data instanceof Blob ? Buffer.from(await back.data.arrayBuffer()) : undefined;
  check(!!got?.equals(bytes), "the bytes of the image", back.status);
  console.log("done");
}
