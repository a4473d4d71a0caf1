// A client of the tasks of a schedule, with nothing but what Node has.
//
// It waits as long as a 429 or 503 says, sends a request again when its answer was lost,
// follows operations to their end, and reads lists page by page and change by change.

export type Task = { id: string; name: string; deleted: boolean };
type Answer = { status: number; headers: Headers; body: any };

/** What the server answered, or why an operation failed. */
export class Failed extends Error {}

const sleepFor = (seconds: number): Promise<void> => new Promise((wake) => setTimeout(wake, seconds * 1000));

export class Client {
  readonly #url: string;
  readonly #token: string;
  readonly #sleep: (seconds: number) => Promise<void>;

  constructor(url: string, token: string, schedule: string, sleep = sleepFor) {
    this.#url = `${url}/schedules/${schedule}`;
    this.#token = token;
    this.#sleep = sleep;
  }

  /** Creates a task under an id of the caller's own, so that sending it again makes no second one. */
  async createTask(id: string, name: string): Promise<void> {
    for (let attempt = 0; attempt < 10; attempt++) {
      let answer: Answer;
      try {
        answer = await this.#send("POST", `${this.#url}/tasks`, { id, name, type: "Work" });
      } catch {
        await this.#sleep(1); // the task may be there, or not
        continue;
      }
      if (answer.status === 202) return this.#follow(answer.body._links.operationLocation.href);
      if (answer.status === 409 && attempt > 0) return; // an earlier attempt made it
      if (answer.status !== 429 && answer.status !== 503) throw new Failed(answer.body.error.message);
      await this.#sleep(Number(answer.headers.get("retry-after") ?? 1));
    }
    throw new Failed("the server does not answer");
  }

  /** Yields all tasks, and returns the delta token of their list. */
  tasks(pageSize = 100): AsyncGenerator<Task, string> {
    return this.#pages(`$top=${pageSize}`);
  }

  /** Yields the tasks that were created, changed or deleted since a delta token, and returns the next token. */
  changes(deltaToken: string): AsyncGenerator<Task, string> {
    return this.#pages(`$deltaToken=${encodeURIComponent(deltaToken)}`);
  }

  async *#pages(query: string): AsyncGenerator<Task, string> {
    for (let url = `${this.#url}/tasks?${query}`; ; ) {
      const { status, headers, body } = await this.#send("GET", url);
      if (status !== 200) throw new Failed(body.error.message);
      yield* body.tasks as Task[];
      if (!body._links.next) return headers.get("delta-token") ?? "";
      url = body._links.next.href;
    }
  }

  async #follow(url: string): Promise<void> {
    for (;;) {
      const { operation } = (await this.#send("GET", url)).body;
      if (operation.status === "Succeeded") return;
      if (operation.status === "Failed") throw new Failed(operation.failureDescription);
      await this.#sleep(1);
    }
  }

  async #send(method: string, url: string, body?: unknown): Promise<Answer> {
    const headers = { Authorization: `Bearer ${this.#token}`, "Content-Type": "application/json" };
    const answer = await fetch(url, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
    return { status: answer.status, headers: answer.headers, body: await answer.json() };
  }
}
