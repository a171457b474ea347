import {
  type ClientSession,
  isInputPending,
  McpError,
  negotiate,
  type Transport,
} from "@mcpgen/runtime";
import {
  clientQuestions,
  createServers,
  protocols,
  serverQuestions,
} from "./gen/index.js";
import type { Context, Servers } from "./gen/index.js";

/**
 * The requests that go to the target, by the capability that the target
 * declares for them.
 */
const requests = {
  tools: ["tools/list", "tools/call"],
  prompts: ["prompts/list", "prompts/get"],
  resources: ["resources/list", "resources/templates/list", "resources/read"],
  completions: ["completion/complete"],
  logging: [],
};
/**
 * The questions that go to a client, by the capability that the client declares
 * for them.
 */
const questions = {
  sampling: ["sampling/createMessage"],
  elicitation: ["elicitation/create"],
  roots: ["roots/list"],
};
const bridge = { name: "bridge", version: "1.0.0" };
/**
 * How long a question waits for its answer, and a connection for its next call,
 * in milliseconds.
 */
const [answerTime, idleTime] = [600_000, 1_800_000];

type Question = {
  method: string;
  params: object;
  settle(answer: Promise<object>): void;
};
type Ask = (
  method: string,
  params: object,
  options: { key: string },
) => Promise<object>;
type Target = Pick<
  Parameters<typeof createServers>[0],
  "info" | "instructions"
> & { capabilities: object };
type Log = { level: "info"; data: unknown; logger?: string };

/**
 * A call that the target runs. It goes on when the request of the client ends
 * with a question.
 */
interface Call {
  readonly result: Promise<object>;
  readonly stop: AbortController;
  readonly questions: Question[];
  onQuestion?: (question: Question) => void;
  /** The context of the client's request that waits for the result. */
  context: Context;
}

/**
 * A connection with the target for one client, and its open calls by a name of
 * each.
 */
class Link {
  readonly calls = new Map<string, Call>();
  readonly session: ClientSession;
  idle?: ReturnType<typeof setTimeout>;
  constructor(session: ClientSession) {
    this.session = session;
  }
}

/**
 * Returns those of the declared capabilities that are in the table, and the
 * methods that they allow.
 */
function shared(
  table: Record<string, string[]>,
  declared: object,
): [object, string[]] {
  const entries = Object.entries(declared).filter(([name]) =>
    Object.hasOwn(table, name),
  );
  return [
    Object.fromEntries(entries),
    entries.flatMap(([name]) => table[name] ?? []),
  ];
}

/**
 * Connects with the target. What it asks or logs belongs to the newest call:
 * all calls of a link are of one client.
 */
async function open(
  to: Transport,
  client: object,
  handlers: object,
  onClose: () => void,
): Promise<Link> {
  const newest = (): Call | undefined => [...link.calls.values()].at(-1);
  const ask = (method: string) => (params: object) =>
    new Promise<object>((settle, fail) => {
      const call = newest();
      call?.questions.push({ method, params, settle });
      call?.onQuestion?.({ method, params, settle });
      setTimeout(
        fail,
        call ? answerTime : 0,
        new McpError(-32603, `${method}: the client did not answer.`),
      );
    });
  const log = ({ level, data, logger }: Log): void =>
    newest()?.context.log(level, data, logger);
  const [capabilities, methods] = shared(questions, client);
  const asked = Object.fromEntries(
    methods.map((method) => [method, ask(method)]),
  );
  const choices = Object.values(protocols).map(
    ({ clientSide }) => [clientSide, Link] as const,
  );
  const all = { ...handlers, ...asked, "notifications/message": log };
  const settings = {
    info: bridge,
    capabilities,
    questions: clientQuestions,
    handlers: all,
    onClose,
  };
  const link = await negotiate<Link>(choices, to, settings);
  return link;
}

/**
 * Starts a call of the target. Returns the name by which a later request of the
 * client finds it.
 */
function start(
  { session, calls }: Link,
  method: string,
  params: object,
  context: Context,
): string {
  const stop = new AbortController();
  const result: Promise<object> = session.request(method, params, {
    signal: stop.signal,
    // Asks for all log messages. The bridge sends those on that the client
    // asked for.
    meta: { "io.modelcontextprotocol/logLevel": "debug" },
    onProgress: ({ progress, total, message }) =>
      call.context.progress(progress, total, message),
  });
  const call: Call = { result, stop, questions: [], context };
  const name = crypto.randomUUID();
  calls.set(name, call);
  result.catch(() => {}).finally(() => calls.delete(name));
  return name;
}

/**
 * Answers a request of a client: starts the call, or finds the one that waits
 * for an answer, and asks what it asks.
 */
async function forward(
  link: Link,
  method: string,
  params: object,
  context: Context,
): Promise<object> {
  const call = link.calls.get(
    await context.once("call", () => start(link, method, params, context)),
  );
  if (!call)
    throw new McpError(-32603, `${method}: the call has ended. Send it again.`);
  call.context = context;
  const { signal } = context;
  signal.addEventListener(
    "abort",
    () => isInputPending(signal.reason) || call.stop.abort(signal.reason),
  );
  for (let i = 0; ; i++) {
    const next = new Promise<Question>(
      (resolve) => (call.onQuestion = resolve),
    );
    const question =
      call.questions[i] ??
      (await Promise.race([next, call.result.then(() => undefined)]));
    if (!question) return call.result;
    const answer = (context.request as Ask)(question.method, question.params, {
      key: String(i),
    });
    await answer.catch(
      (reason: unknown) => isInputPending(reason) && Promise.reject(reason),
    );
    question.settle(answer);
  }
}

/**
 * Follows the lists of the target, and each resource that a client subscribes
 * to, as long as the bridge runs.
 */
function follow(session: ClientSession): (uri: string) => boolean {
  const isModern = session.revision === "2026-07-28";
  const send = (method: string, params: object): void =>
    void (session.request(method, params) as Promise<object>).catch(() => {});
  const listen = (notifications: object): void =>
    send("subscriptions/listen", { notifications });
  if (isModern)
    listen({
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: true,
    });
  const uris = new Set<string>();
  return (uri) => {
    if (uris.has(uri)) return true;
    uris.add(uri);
    if (isModern) listen({ resourceSubscriptions: [uri] });
    else send("resources/subscribe", { uri });
    return true;
  };
}

/**
 * Makes a server of all revisions out of another one, the target, of any
 * revision. `reach` makes a transport to it. `isAlone` is true if all requests
 * are of one client.
 */
export async function createBridge(
  reach: () => Transport,
  onClose: () => void,
  isAlone = false,
): Promise<Servers> {
  const announcements = {
    "notifications/tools/list_changed": () => servers.notify.toolsListChanged(),
    "notifications/prompts/list_changed": () =>
      servers.notify.promptsListChanged(),
    "notifications/resources/list_changed": () =>
      servers.notify.resourcesListChanged(),
    "notifications/resources/updated": ({ uri }: { uri: string }) =>
      servers.notify.resourceUpdated(uri),
  };
  const { session } = await open(reach(), {}, announcements, onClose);
  const target: Target = session.server();
  const [capabilities, methods] = shared(requests, target.capabilities);
  const links = new Map<unknown, Promise<Link>>();
  const handler =
    (method: string) =>
    async (params: object | undefined, context: Context) => {
      const { auth, client, revision } = context;
      const caller = isAlone ? "the client" : auth?.principal;
      const ofOneCall = revision === "2026-07-28" && caller === undefined;
      // A session has one client. In 2026-07-28 a request may be of anybody,
      // unless its caller is known.
      const key = ofOneCall
        ? await context.once("link", () => crypto.randomUUID())
        : revision === "2026-07-28"
          ? JSON.stringify([caller, client.capabilities])
          : client;
      const forget = (): unknown => links.delete(key);
      const known = links.get(key);
      const opening = known ?? open(reach(), client.capabilities, {}, forget);
      links.set(key, opening);
      opening.catch(forget);
      // With the session of its client, a connection ends at once.
      const end = (): unknown =>
        opening.then(({ session }) => session.close(), forget);
      if (!known) context.sessionEnd?.addEventListener("abort", end);
      const link = await opening;
      clearTimeout(link.idle);
      link.idle = setTimeout(
        () => void (link.calls.size === 0 && link.session.close()),
        idleTime,
      );
      const answer = forward(link, method, params ?? {}, context);
      const close = (): void => void link.session.close();
      // A request that ends with a question is not the end of the call.
      if (ofOneCall)
        answer.then(
          close,
          (reason: unknown) => isInputPending(reason) || close(),
        );
      return (await answer) as never;
    };
  const { info = bridge, instructions = "" } = target;
  const handlers = Object.fromEntries(
    methods.map((method) => [method, handler(method)]),
  );
  const settings = {
    info,
    instructions,
    capabilities,
    questions: serverQuestions,
  };
  const servers = createServers({
    ...settings,
    handlers,
    mayReceive: follow(session),
  });
  return servers;
}
