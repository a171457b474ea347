import { prompts, resources, tools } from "@mcpgen/runtime/features";
import { tasks } from "@mcpgen/runtime/tasks";
import { defineServer, isMcpError } from "@mcpgen/runtime";
import {
  type AnyContext,
  type AnyHandlers,
  type AnyServer,
  everything,
  info,
  type Json,
  makeServer,
  metaFor,
  type Revision,
  type ServerOptions,
  serveWire,
  type Wire,
} from "../../kit/index.js";
import type { Chance } from "./chance.js";
import type { Judge } from "./judge.js";
import { arrived, type Fault, judgeAll, type Outcome, rest, Told, until } from "./outcome.js";

/** All that a client may declare. */
export const able: Json = {
  roots: { listChanged: true },
  sampling: { tools: {}, context: {} },
  elicitation: { form: {}, url: {} },
  tasks: {
    list: {},
    cancel: {},
    requests: { sampling: { createMessage: {} }, elicitation: { create: {} } },
  },
};

/** Something that a handler does before it answers. */
interface Action {
  readonly kind: "notify" | "log" | "progress" | "request" | "announce";
  readonly method: string;
  readonly params: Json | undefined;
  /** What the call of the author's own threw or rejected with. */
  thrown?: unknown;
  isBegun?: true;
}

/** One server of one revision, with a raw peer: a request whose handler does what chance says. */
export async function serveOnce(
  one: Revision,
  judge: Judge,
  chance: Chance,
  outcome: Outcome,
): Promise<void> {
  const { random } = chance;
  const method = random.pick(askedOf(one));
  const actions = Array.from({ length: random.below(3) }, () => actionOf(one, chance));
  const isThrown = random.chance(0.15);
  const given = isThrown ? chance.thrown() : chance.wildResult(method);
  const told = new Told();
  const handler = async (_: Json, context: AnyContext): Promise<unknown> => {
    for (const action of actions) await act(action, context, (name, params) => announce[name]?.(params));
    isEnded = true;
    if (isThrown) throw given;
    return given;
  };
  let isEnded = false;
  const options = {
    info,
    capabilities: { ...everything, ...tasksOf(one) },
    handlers: { [method]: handler } as AnyHandlers,
    onError: told.onError,
    onWarning: told.onWarning,
  };
  // As generated code does it, with each function under the name of its method.
  const names = Object.fromEntries(announcedBy(one).map((name) => [name, name]));
  const server = defineServer<AnyServer>(one.protocol.serverSide, options, names);
  const announce = server.notify;
  const peer = new Peer(await serveWire(server), one, chance);
  await peer.open(actions.map(({ params }) => params?.["uri"]).filter((uri) => typeof uri === "string"));
  const answer = await peer.call(method, chance.params(method));
  await rest();
  const story = { revision: one.revision, method, given, isThrown, actions, told: told.texts };
  if (answer === undefined) outcome.faults.push({ fault: "There is no answer.", ...story });
  else if (isEnded) outcome.faults.push(...accountOf(one, method, answer, given, isThrown, told, story));
  for (const action of actions) {
    const name = action.kind === "log" ? "context.log" : action.method;
    if (
      !action.isBegun ||
      action.thrown !== undefined ||
      told.of(action.method) ||
      told.of(name) ||
      isUnwanted(one, action)
    )
      continue;
    if (peer.heard(action)) continue;
    outcome.faults.push({ fault: `${action.kind} was changed or dropped in silence`, action, ...story });
  }
  judgeAll(judge, peer.wire.seen, "server", peer.asked, outcome);
  await peer.wire.transport.close();
}

/** The same with `tools()`, `prompts()`, `resources()` and tasks over random values of their handlers. */
export async function featureOnce(
  one: Revision,
  judge: Judge,
  chance: Chance,
  outcome: Outcome,
): Promise<void> {
  const { random } = chance;
  const isThrown = random.chance(0.2);
  const method = random.pick(["tools/call", "prompts/get", "resources/read"]);
  const whole = chance.wildResult(method) as Json | undefined;
  const inner = Object.values(whole ?? {});
  const given = isThrown
    ? chance.thrown()
    : random.chance(0.6) || inner.length === 0
      ? whole
      : random.pick(inner);
  const handler = (): unknown => {
    if (isThrown) throw given;
    return given;
  };
  const told = new Told();
  const hasTasks = one.facts.jobs.taskResult !== undefined && random.chance(0.5);
  const options = {
    handlers: {
      ...tools([{ name: "x", handler, execution: { taskSupport: "optional" } } as never]),
      ...prompts([{ name: "x", handler } as never]),
      ...resources([{ uri: "file:///x", name: "x", handler } as never]),
      ...(hasTasks && tasks({ list: true })),
    } as unknown as AnyHandlers,
    onError: told.onError,
    onWarning: told.onWarning,
  } satisfies ServerOptions;
  const peer = new Peer(await serveWire(makeServer(one.protocol, options)), one, chance);
  await peer.open([]);
  const params = method === "resources/read" ? { uri: "file:///x" } : { name: "x" };
  const story = { revision: one.revision, method, given, isThrown, told: told.texts };
  const isTask = hasTasks && method === "tools/call";
  const answer = await peer.call(method, isTask ? { ...params, task: {} } : params);
  if (answer === undefined) outcome.faults.push({ fault: "There is no answer.", ...story });
  const task = (answer?.["result"] as Json | undefined)?.["task"] as Json | undefined;
  if (task) {
    const { taskId } = task;
    for (const [next, more] of [
      ["tasks/get", { taskId }],
      ["tasks/result", { taskId }],
      ["tasks/list", {}],
      ["tasks/cancel", { taskId }],
    ] as const) {
      const then = await peer.call(next, more);
      if (then === undefined) outcome.faults.push({ fault: `There is no answer to ${next}.`, ...story });
      else if (next === "tasks/result" && "result" in then)
        for (const fault of judge.check("CallToolResult", then["result"]))
          outcome.faults.push({ fault, answer: then, ...story });
    }
  }
  await rest();
  judgeAll(judge, peer.wire.seen, "server", peer.asked, outcome);
  await peer.wire.transport.close();
}

/** A client without any code of ours: it asks, and answers what it is asked by chance. */
class Peer {
  readonly asked = new Map<unknown, { method: string; params?: unknown }>();
  /** All questions that came inside of results. */
  readonly inside: Json[] = [];
  #taken = 0;
  #id = 0;
  readonly wire: Wire;

  readonly one: Revision;
  readonly chance: Chance;

  constructor(wire: Wire, one: Revision, chance: Chance) {
    this.wire = wire;
    this.one = one;
    this.chance = chance;
  }

  async open(uris: readonly unknown[]): Promise<void> {
    const { one } = this;
    if (one.isModern) {
      const notifications = {
        toolsListChanged: true,
        promptsListChanged: true,
        resourcesListChanged: true,
        resourceSubscriptions: uris,
      };
      this.#send(String(one.facts.jobs.listen), { notifications, _meta: metaFor(one, able) });
      await rest();
      return;
    }
    await this.call("initialize", { protocolVersion: one.revision, capabilities: able, clientInfo: info });
    this.wire.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    for (const uri of uris) await this.call("resources/subscribe", { uri });
  }

  /** Sends a request and takes part until it is answered; undefined when it never is. */
  async call(method: string, params: Json | undefined, round = 0): Promise<Json | undefined> {
    const level = this.one.facts.meta.logLevel;
    const _meta = {
      ...(params?.["_meta"] as Json | undefined),
      ...(this.one.isModern && { ...metaFor(this.one, able), ...(level && { [level]: "debug" }) }),
      ...(method !== "initialize" && { progressToken: "token" }),
    };
    const id = this.#send(method, { ...params, _meta });
    let answer: Json | undefined;
    await until(() => (answer = this.#look(id)) !== undefined);
    const result = answer?.["result"] as Json | undefined;
    if (result?.["resultType"] !== "input_required" || !this.one.isModern || round > 4) return answer;
    const requests = Object.entries((result["inputRequests"] ?? {}) as Record<string, Json>);
    this.inside.push(...requests.map(([, request]) => request));
    const responses = requests.map(([key, request]) => [key, this.#reply(request)] as const);
    const { requestState } = result;
    const next = { ...params, inputResponses: Object.fromEntries(responses), requestState };
    return this.call(method, asSent(next), round + 1);
  }

  /** Was this sent as it was given? */
  heard({ method, params }: Action): boolean {
    const sent = [...this.wire.seen, ...this.inside];
    return sent.some(
      (message) => "method" in message && message["method"] === method && arrived(message["params"], params),
    );
  }

  #send(method: string, params: Json): number {
    const id = ++this.#id;
    this.asked.set(id, { method, params });
    this.wire.send({ jsonrpc: "2.0", id, method, params });
    return id;
  }

  /** Answers what was asked, and finds the answer to a request. */
  #look(id: number): Json | undefined {
    for (; this.#taken < this.wire.seen.length; this.#taken++) {
      const message = this.wire.seen[this.#taken] as Json;
      if ("method" in message && message["id"] !== undefined) {
        const isError = this.chance.random.chance(0.2);
        const error = { code: -1, message: "No." };
        const reply = isError ? { error } : { result: this.#reply(message) };
        this.wire.send({ jsonrpc: "2.0", id: message["id"], ...reply });
      }
    }
    return this.wire.seen.find((one) => one["id"] === id && !("method" in one));
  }

  /** An answer to a question: mostly one that the revision allows. */
  #reply({ method }: Json): unknown {
    const { chance } = this;
    if (chance.random.chance(0.8)) return chance.result(String(method));
    return chance.foreignResult(String(method)) ?? null;
  }
}

const asSent = (value: Json): Json => JSON.parse(JSON.stringify(value)) as Json;

/** The requests that a handler of an author's answers. */
const askedOf = ({ protocol, facts }: Revision): string[] => {
  const { initialize, discover, listen, ping } = facts.jobs;
  return Object.keys(protocol.clientSide.sends).filter(
    (method) => ![initialize, discover, listen, ping].includes(method),
  );
};

/** What a server announces by itself, outside of any request. */
const announcedBy = ({ protocol, facts, isModern }: Revision): string[] => {
  const { progress, cancelled } = facts.jobs;
  return Object.values(protocol.serverSide.announces)
    .filter(({ facts: { method, filter } }) =>
      isModern ? filter !== undefined : ![progress, cancelled].includes(method),
    )
    .map(({ facts: { method } }) => method);
};

const tasksOf = ({ facts }: Revision): Json =>
  facts.jobs.taskResult === undefined
    ? {}
    : { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } };

function actionOf(one: Revision, chance: Chance): Action {
  const { random } = chance;
  const { sends, announces } = one.protocol.serverSide;
  const { log, progress } = one.facts.jobs;
  const kind = random.pick(["notify", "log", "progress", "request", "request", "announce"] as const);
  if (kind === "request") {
    const method = random.pick(Object.keys(sends));
    return { kind, method, params: chance.wildParams(method) };
  }
  const job = kind === "log" ? log : kind === "progress" ? progress : undefined;
  if (kind === "log" && job !== undefined) {
    const { level, data, logger } = (chance.wildParams(job) ?? {}) as Json;
    return { kind, method: job, params: { level, data, logger } };
  }
  const method = job ?? random.pick(kind === "announce" ? announcedBy(one) : Object.keys(announces));
  return { kind, method, params: chance.wildParams(method) };
}

async function act(
  action: Action,
  context: AnyContext,
  announce: (name: string, params: Json | undefined) => void,
): Promise<void> {
  const { kind, method, params } = action;
  action.isBegun = true;
  try {
    if (kind === "notify") context.notify(method, params);
    else if (kind === "log")
      context.log(params?.["level"] as string, params?.["data"], params?.["logger"] as string);
    else if (kind === "progress")
      context.progress(
        params?.["progress"] as number,
        params?.["total"] as number,
        params?.["message"] as string,
      );
    else if (kind === "announce") announce(method, params);
    else await context.request(method, params);
  } catch (error) {
    if ((error as Error | undefined)?.name === "InputPending") throw error;
    action.thrown = error ?? "nothing";
  }
}

/** Does the interface itself say that this goes to nobody? */
function isUnwanted({ protocol, facts }: Revision, action: Action): boolean {
  const { kind, method, params } = action;
  // A value that is not larger than the last is dropped, as the docstring of `progress` says.
  if (kind === "progress") return true;
  if (kind === "log") return false;
  const row = protocol.serverSide.announces[method]?.facts;
  // Only those who subscribed to it hear of it.
  if (row?.subject !== undefined && typeof params?.[row.subject] !== "string") return true;
  return method === facts.jobs.acknowledged;
}

function accountOf(
  one: Revision,
  method: string,
  answer: Json,
  given: unknown,
  isThrown: boolean,
  told: Told,
  story: Json,
): Fault[] {
  if (told.of(method)) return [];
  const error = answer["error"] as Json | undefined;
  if (isThrown) {
    if (isMcpError(given) && error?.["code"] === given.code && error["message"] === given.message) return [];
    return [{ fault: "an error was changed in silence", answer, ...story }];
  }
  if (error) return [{ fault: "a result was refused in silence", answer, ...story }];
  const facts = one.protocol.clientSide.sends[method]?.facts;
  const filled = one.isModern ? ["resultType", "_meta", ...Object.keys(facts?.fills ?? {})] : [];
  // CACHE-06: all pages of a list have one scope, which the cursor carries.
  const paged = one.isModern && facts?.items !== undefined ? ["nextCursor", "cacheScope"] : [];
  const asks = (given as Json | undefined)?.["resultType"] === "input_required" ? ["requestState"] : [];
  return arrived(answer["result"], given, filled, [...paged, ...asks])
    ? []
    : [{ fault: "a result was changed in silence", answer, ...story }];
}
