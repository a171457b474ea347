import { setTimeout as pause } from "node:timers/promises";
import type { Json, Revision } from "../runtime/kit/index.js";
import { type Kind, nextId, recordCall } from "./clients.js";
import type {
  StreamEventRecord,
  StreamRecord,
  TaskRecord,
} from "./evidence.js";
import { revisions } from "./generated.js";
import { eventsOf, RawClient } from "./raw.js";
import { until } from "./topology.js";
import type { Run } from "./world.js";

/**
 * After this time without an end, something hangs: it is longer than any bound
 * of the design, in milliseconds.
 */
const patience = 60_000;

/** Marks that must not be readable in the engine. */
export const principals = ["planted-ada", "planted-eve"] as const;

export const revisionOf = (name: string): Revision => {
  const found = revisions.find(({ revision }) => revision === name);
  if (!found) throw new Error(`There is no revision ${name}.`);
  return found;
};

/** Calls a tool again and again, with one client. */
export async function callAgain(
  run: Run,
  kind: Kind,
  tool: string,
  interval: number,
): Promise<void> {
  const { random, world, evidence } = run;
  const principal = random.pick(principals);
  const caller = await kind.open(world.balancer.turns, principal);
  while (run.isOn) {
    if (tool !== "score" || !run.isQuiet)
      evidence.calls.push(
        await recordCall({ kind: kind.name, principal }, caller, tool),
      );
    await pause(interval * (0.5 + random.next()));
  }
  await caller.close().catch(() => {});
}

/**
 * Receives the progress of calls again and again, and resumes a stream that
 * broke.
 */
export async function streamAgain(
  run: Run,
  url: string,
  revision: string,
): Promise<void> {
  const client = await RawClient.open(
    url,
    revisionOf(revision),
    run.random.pick(principals),
  );
  while (run.isOn) {
    run.evidence.streams.push(await stream(client, url));
    await pause(200);
  }
}

async function stream(client: RawClient, url: string): Promise<StreamRecord> {
  const id = nextId("climb");
  const sent = Date.now();
  const events: StreamEventRecord[] = [];
  const finish = (outcome: StreamRecord["outcome"]): StreamRecord => {
    return {
      id,
      session: client.session,
      sent,
      ended: Date.now(),
      events,
      outcome,
    };
  };
  let lastId: string | undefined;
  const open = (): Promise<Response> =>
    lastId === undefined
      ? client.request(url, "tools/call", {
          name: "climb",
          arguments: { id },
          _meta: { progressToken: id },
        })
      : client.send(url, "GET", undefined, { "last-event-id": lastId });
  while (Date.now() - sent < patience) {
    try {
      const response = await open();
      for await (const { id: eventId, message } of eventsOf(response)) {
        if (!response.ok) continue;
        lastId = eventId ?? lastId;
        events.push({
          id: eventId,
          params: message?.["params"] as Json | undefined,
        });
        if (message?.["result"]) return finish("result");
        if (message?.["error"]) return finish("error");
      }
    } catch {
      // The stream broke.
    }
    if (lastId === undefined) return finish("broken");
    await pause(300);
  }
  return finish("hung");
}

/**
 * The params of a request for a task, and where its answers have the state of
 * the task.
 */
const eras = {
  "2025-11-25": {
    capabilities: {},
    params: { task: { ttl: 3_600_000 } },
    stateIn: ({ task }: Json) => task as Json,
  },
  "2026-07-28": {
    capabilities: { extensions: { "io.modelcontextprotocol/tasks": {} } },
    params: {},
    stateIn: (result: Json) => result,
  },
} as const;

/** Starts tasks again and again, and polls each until its end. */
export async function taskAgain(
  run: Run,
  era: keyof typeof eras,
  tool: string,
): Promise<void> {
  const { world, random, evidence } = run;
  const url = world.balancer.turns;
  const client = await RawClient.open(
    url,
    revisionOf(era),
    random.pick(principals),
    eras[era].capabilities,
  );
  while (run.isOn) {
    evidence.tasks.push(await follow(run, client, era, tool));
    await pause(300);
  }
}

async function follow(
  { world }: Run,
  client: RawClient,
  era: keyof typeof eras,
  tool: string,
): Promise<TaskRecord> {
  const url = world.balancer.turns;
  const id = nextId(tool);
  const sent = Date.now();
  const record = { id, tool, era, client, sent, told: [] };
  let taskId: string | undefined;
  try {
    const { result } = await client.ask(url, "tools/call", {
      name: tool,
      arguments: { id },
      ...eras[era].params,
    });
    taskId = eras[era].stateIn(result as Json)["taskId"] as string;
  } catch {
    return { ...record, ended: Date.now(), status: "not created" };
  }
  while (Date.now() - sent < patience) {
    await pause(200);
    const status = await statusOf(client, url, taskId).catch(() => "working");
    if (status !== "working")
      return { ...record, taskId, ended: Date.now(), status };
  }
  return { ...record, taskId, ended: Date.now(), status: "hung" };
}

/**
 * The status of a task, "unknown" if the server has no such task. Throws if
 * there is no answer.
 */
export async function statusOf(
  client: RawClient,
  url: string,
  taskId: string,
): Promise<string> {
  const { result, error } = await client.ask(url, "tasks/get", { taskId });
  if (result) return String((result as Json)["status"]);
  if ((error as Json)["code"] === -32602) return "unknown";
  throw new Error(JSON.stringify(error));
}

/** Sends proofs again and again, each to all processes at once. */
export async function spendAgain(run: Run): Promise<void> {
  const { world, evidence } = run;
  while (run.isOn) {
    const at = Date.now();
    const proof = nextId("proof");
    const answers = await Promise.allSettled(
      world.server.ports.map(async (port) => {
        const response = await fetch(
          `http://127.0.0.1:${port}/spend?proof=${proof}`,
        );
        return (await response.text()) === "true";
      }),
    );
    const accepted = answers.filter(
      (answer) => answer.status === "fulfilled" && answer.value,
    ).length;
    evidence.proofs.push({ at, accepted });
    await pause(300);
  }
}

/** Follows a resource, and reads it after each change. */
export async function listenAgain(run: Run, kind: Kind): Promise<Listener> {
  const uri = "truth://score";
  let isCurrent = false;
  const listener = { name: kind.name, known: 0 };
  const change = (): void => void (isCurrent = false);
  const caller = await kind.open(
    run.world.balancer.turns,
    run.random.pick(principals),
    change,
  );
  const { client } = caller;
  const stop = new AbortController();
  // A process that has just lost its connection to the engine refuses it.
  const renew = async (): Promise<void> => {
    const subscribe = client?.subscribe?.bind(client);
    if (subscribe)
      await until("a subscription", () => subscribe({ uri }).then(() => true));
  };
  const listen = async (): Promise<void> => {
    if (client?.subscribe) return renew();
    while (run.isOn) {
      const params = { notifications: { resourceSubscriptions: [uri] } };
      const options: object = { onNotice: change, signal: stop.signal };
      await client?.subscriptionsListen?.(params, options).catch(() => {});
      await pause(100);
    }
  };
  const read = async (): Promise<void> => {
    while (run.isOn) {
      await pause(50);
      if (isCurrent) continue;
      isCurrent = true;
      await client
        ?.readResource({ uri })
        .then(
          ({ contents }) =>
            (listener.known = Number(
              (contents as readonly [{ text: string }])[0].text,
            )),
          change,
        );
    }
    stop.abort();
  };
  const listening = listen();
  if (client?.subscribe) await listening;
  const done = Promise.all([listening, read()])
    .then(() => caller.close())
    .catch(() => {});
  return Object.assign(listener, { done, renew });
}

/** What a listener knows. */
export interface Listener {
  readonly name: string;
  readonly known: number;
  /** Resolves after the end of the run. */
  readonly done: Promise<void>;
  /** Subscribes again, after the engine has lost what it had. */
  renew(): Promise<void>;
}
