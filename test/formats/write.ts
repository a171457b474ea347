import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Grant, tokenStore } from "@mcpgen/auth";
import { replayStore } from "@mcpgen/auth/protect";
import { fileStore } from "@mcpgen/auth/login";
import { memorySharedStore, type SharedStore } from "@mcpgen/runtime/cluster";
import { tools } from "@mcpgen/runtime/features";
import { sealerFor, secretBytes } from "../../src/common/secrets.js";
import { accept, all, Caller, form, toolWire } from "../runtime/asking/kit.js";
import {
  at,
  secret,
  startProcess,
  subscribing,
} from "../runtime/cluster/kit.js";
import {
  callsAt,
  startTaskProcess,
  type Work,
} from "../runtime/cluster/tasks.kit.js";
import { ask, call } from "../runtime/http/kit/messages.js";
import type { Tools } from "../runtime/http/kit/server.js";
import { Session } from "../runtime/http/kit/session.js";
import {
  type Json,
  legacyRevisions,
  makeServer,
  metaFor,
  modern,
  resultOf,
  type Revision,
  serveWire,
} from "../runtime/kit/index.js";
import { until } from "../runtime/kit/watch.js";
import { withTasks } from "../runtime/tasks/kit.js";

/** What a release has left where another one finds it. */
export interface Written {
  /** When, in milliseconds since 1970. */
  readonly date: number;
  /** The sealed values of a store, by key. */
  readonly values: Readonly<Record<string, string>>;
  /** The entries of the bus. */
  readonly entries: readonly string[];
  /** The ids of a session whose id says its content, and of a stored one. */
  readonly sessions: Readonly<Record<"sealed" | "stored", string>>;
  /** The ids of a task that has completed, and of one that asks. */
  readonly tasks: Readonly<Record<"completed" | "asking", string>>;
  /** The state of a call of 2026-07-28 that waits for an answer. */
  readonly requestState: string;
  readonly cursor: string;
  /** A file of `fileStore`: its name and its text. */
  readonly file: readonly [string, string];
}

export const legacy = legacyRevisions[0] as Revision;
export const tasked = withTasks[0] as Revision;
/** 31 years, in milliseconds: fixtures do not expire. */
const longTime = 1e12;
export const clustered = { sessionTime: longTime };

export const grant: Grant = {
  kind: "grant",
  id: "1",
  issuer: "https://auth.example.com",
  resource: "https://mcp.example.com/mcp",
  clientId: "client",
  accessToken: "access",
  refreshToken: "refresh",
  since: 1,
  expires: 2,
  scopes: ["mcp"],
  metadataUrl: "https://mcp.example.com/.well-known/oauth-protected-resource",
};
export const grantKey = JSON.stringify([
  "grant",
  "https://mcp.example.com/mcp",
  "",
]);

/** The id of a page that a tool sends the user to. */
export const elicitationId = "e1";
const page: Tools[string] = async (_, { request }) => {
  const question = { mode: "url", message: "Go", url: "https://example.test/" };
  await request("elicitation/create", { ...question, elicitationId });
  return { content: [] };
};

/** The key of a proof that was used. */
export const proofKey = "a proof";

/** Completes at once, or asks and waits. `computed` gets what it computes. */
export const workThat =
  (asks: () => boolean, computed: string[] = []): Work =>
  async (_, { once, request }) => {
    if (!asks()) return "A loaf";
    const kept = await once("kept", () => {
      computed.push("kept");
      return "kept";
    });
    await request("elicitation/create", form("Now?"));
    return `${String(kept)}, answered`;
  };

export const asking = async (
  _: unknown,
  { request }: { readonly request: never },
): Promise<unknown> => {
  const ask = request as (...args: readonly unknown[]) => Promise<Json>;
  const { action } = await ask("elicitation/create", form("Now?"), {
    key: "now",
  });
  return { content: [{ type: "text", text: String(action) }] };
};

export const stateOptions = { stateKeys: [secret], stateLifetime: longTime };

/** The list of a server with three tools, two on a page. */
export async function listTools(cursor?: string): Promise<Json> {
  const server = makeServer(modern.protocol, {
    handlers: tools(
      ["a", "b", "c"].map((name) => ({ name, handler: () => "ok" })),
      { pageSize: 2 },
    ) as never,
  });
  const wire = await serveWire(server);
  const params = { ...(cursor !== undefined && { cursor }) };
  return resultOf(
    await wire.ask(1, "tools/list", { ...params, _meta: metaFor(modern, {}) }),
  );
}

/** Writes each format, by the public functions. */
export async function writeAll(): Promise<Written> {
  const store = memorySharedStore();
  const values: Record<string, string> = {};
  const entries: string[] = [];
  const put: SharedStore["put"] = (key, value, options) => {
    // An answer is removed as soon as it is read.
    if (value !== undefined) values[key] = value;
    else if (!/^(answer|lock)\//.test(key)) delete values[key];
    return store.put(key, value, options);
  };
  const append: SharedStore["append"] = (log, added, options) => {
    entries.push(...added);
    return store.append(log, added, options);
  };
  const cluster = { ...clustered, store: { ...store, put, append } };
  const ids: string[] = [];
  for (const sessions of ["sealed", "stored"] as const) {
    const start = () =>
      startProcess({
        cluster: { ...cluster, sessions },
        settings: subscribing,
        tools: { page },
      });
    const process = start();
    const session = await Session.start(process, legacy, {
      elicitation: { url: {} },
    });
    // Another process gets the answer to the question of this one.
    const asked = await session.post(call(3, "page"));
    const { id } = await asked.message();
    const answer = { jsonrpc: "2.0", id, result: { action: "accept" } };
    await at(start(), session).post(answer);
    await asked.message();
    await session.ask(ask(1, "logging/setLevel", { level: "error" }));
    await session.ask(ask(2, "resources/subscribe", { uri: "a://1" }));
    process.notify("toolsListChanged");
    ids.push(session.headers["mcp-session-id"] ?? "");
  }
  let asks = false;
  const work = workThat(() => asks);
  const process = startTaskProcess(tasked, work, {
    store: cluster.store,
    list: true,
    restart: true,
    limits: { ttl: 2_000_000_000 },
    ttl: 2_000_000_000,
  });
  const { get, open } = callsAt(tasked);
  const session = await open(process, { elicitation: {} });
  const start = async (status: string): Promise<string> => {
    const params = { name: "work", arguments: {}, task: {} };
    const answer = await session.ask(ask(1, "tools/call", params));
    const { taskId } = resultOf(answer)["task"] as Json;
    await until(async () => {
      const task = await get(session, String(taskId));
      return task["status"] === status;
    });
    return String(taskId);
  };
  const completed = await start("completed");
  asks = true;
  const waiting = await start("input_required");
  const caller = await toolWire(asking as never, stateOptions);
  const { requestState } = resultOf(await caller.call());
  const shared = tokenStore(cluster.store, { secrets: [secret] });
  await shared.set(grantKey, grant);
  await shared.lock?.(grantKey, async () => {});
  const proofs = replayStore(cluster.store);
  await proofs.add(proofKey, Date.now() + longTime, undefined);
  // What is written until now: a process that ends adds to it.
  const written = { values: { ...values }, entries: [...entries] };
  return {
    date: Date.now(),
    ...written,
    sessions: { sealed: ids[0] ?? "", stored: ids[1] ?? "" },
    tasks: { completed, asking: waiting },
    requestState: String(requestState),
    cursor: String((await listTools())["nextCursor"]),
    file: await writeFile(),
  };
}

async function writeFile(): Promise<readonly [string, string]> {
  const folder = await mkdtemp(join(tmpdir(), "formats-"));
  await fileStore({ folder }).set(grantKey, grant);
  const [name = ""] = await readdir(folder);
  const text = await readFile(join(folder, name), "utf8");
  await rm(folder, { recursive: true });
  return [name, text];
}

/** A call that continues with a state that was written before. */
export async function continueCall(requestState: string): Promise<Json> {
  const caller: Caller = await toolWire(asking as never, stateOptions);
  const inputResponses = { now: accept };
  return resultOf(await caller.call({ inputResponses, requestState }, all));
}

/** What is sealed, by the kind of its key or entry: the types of its members. */
export async function shapesOf({
  values,
  entries,
}: Pick<Written, "values" | "entries">): Promise<Record<string, unknown>> {
  const shapes: Record<string, unknown> = {};
  const sealerOf = (purpose: string) =>
    sealerFor(secretBytes([secret], "secrets"), purpose);
  for (const [key, sealed] of Object.entries(values)) {
    const kind = /^(index\/)?[a-z]+\/\d+/.exec(key)?.[0] ?? key;
    // The keys of locks and proofs say everything.
    if (sealed === "") {
      add(shapes, kind, sealed);
      continue;
    }
    const purpose = kind.startsWith("token/") ? "tokens" : "records";
    const text = await sealerOf(purpose).open(sealed, key);
    const name = `${kind} ${key === kind ? "index" : "value"}`;
    add(shapes, name, JSON.parse(text ?? "null"));
  }
  for (const entry of entries) {
    const [author, count, sealed = ""] = entry.split(".");
    const text = await sealerOf("bus").open(sealed, `${author}.${count}`);
    const value = JSON.parse(text ?? "null") as Json;
    add(shapes, `entry ${String(value?.["kind"])}`, value);
  }
  return shapes;
}

/** Values of one kind may have different members: each shape counts. */
function add(shapes: Record<string, unknown>, kind: string, value: unknown) {
  const known = new Set((shapes[kind] as readonly string[] | undefined) ?? []);
  known.add(JSON.stringify(shapeOf(value)));
  shapes[kind] = [...known].sort();
}

export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value))
    return [
      ...new Set(value.map((one) => JSON.stringify(shapeOf(one)))),
    ].sort();
  if (typeof value !== "object" || value === null)
    return value === null ? "null" : typeof value;
  const members = Object.entries(value).map(([name, member]) => [
    // The name of a process.
    /^[0-9a-f]{16}$/.test(name) ? "process" : name,
    shapeOf(member),
  ]);
  return Object.fromEntries(members.sort());
}
