import {
  memoryPair,
  serve,
  type ClientSettings,
  type Identity,
  type ListOptions,
  type Progress,
  type RequestOptions,
  type ServerDefinition,
  type ServerSettings,
  type Serving,
  type SideTable,
  type Transport,
} from "@mcpgen/runtime";
import { protocols } from "../../generated/index.js";

/** Any JSON, as a test writes and reads it. */
export type Json = Readonly<Record<string, unknown>>;

/** A generated client, seen without its types so that one test runs over every revision. */
export interface AnyClient {
  readonly revision: string;
  readonly server: Identity;
  ping?(params?: Json, options?: RequestOptions): Promise<Json>;
  setLevel?(params: Json): Promise<Json>;
  subscribe?(params: Json): Promise<Json>;
  unsubscribe?(params: Json): Promise<Json>;
  discover?(): Promise<Json>;
  rootsListChanged?(): Promise<void>;
  subscriptionsListen?(params: Json, options?: RequestOptions): Promise<Json>;
  listTools(params?: Json, options?: RequestOptions): Promise<Json>;
  callTool(params: Json, options?: RequestOptions): Promise<Json>;
  getPrompt(params: Json, options?: RequestOptions): Promise<Json>;
  readResource(params: Json, options?: RequestOptions): Promise<Json>;
  complete(params: Json, options?: RequestOptions): Promise<Json>;
  tools(params?: Json, options?: ListOptions): AsyncGenerator<Json, void, undefined>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** What a handler gets, likewise. */
export interface AnyContext {
  readonly signal: AbortSignal;
  readonly requestId: string | number | undefined;
  readonly revision: string;
  readonly client: Identity;
  readonly auth: unknown;
  progress(progress: number, total?: number, message?: string): void;
  log(level: string, data: unknown, logger?: string): void;
  notify(method: string, params?: Json): void;
  request(method: string, params?: Json, options?: Json): Promise<Json>;
  once<T>(key: string, work: () => T | Promise<T>): Promise<T>;
}

export type AnyHandler = (params: Json, context: AnyContext) => unknown;
export type AnyHandlers = Readonly<Record<string, AnyHandler>>;

export interface AnyServer extends ServerDefinition {
  readonly notify: Readonly<Record<string, (params?: Json | string) => void>>;
}

export interface ClientOptions extends ClientSettings {
  readonly info?: Json;
  readonly handlers?: AnyHandlers;
  readonly capabilities?: Json;
}

export interface ServerOptions extends ServerSettings {
  readonly info?: Json;
  readonly handlers?: AnyHandlers;
  readonly capabilities?: Json;
}

/** The generated code of one revision, likewise. */
export interface AnyProtocol {
  readonly clientSide: SideTable;
  readonly serverSide: SideTable;
  readonly Client: { connect(transport: Transport, options: Json & ClientOptions): Promise<AnyClient> };
  createServer(options: Json & ServerOptions): AnyServer;
}

export const byRevision = protocols as unknown as Readonly<Record<string, AnyProtocol>>;

/** Generated revisions, with what a test wants to know of each. */
export const described = (
  generated: typeof byRevision,
): { revision: string; protocol: AnyProtocol; facts: SideTable["revision"]; isModern: boolean }[] =>
  Object.entries(generated).map(([revision, protocol]) => ({
    revision,
    protocol,
    facts: protocol.serverSide.revision,
    isModern: protocol.serverSide.revision.opening === "per-request",
  }));

/** Every revision there is. */
export const revisions = described(byRevision);
export type Revision = (typeof revisions)[number];

const ofEra = (isModern: boolean): Revision => {
  const found = revisions.find((one) => one.isModern === isModern);
  if (!found) throw new Error("There is no revision of that era.");
  return found;
};
/** The newest revision of each era. */
export const modern = ofEra(true);
export const legacy = ofEra(false);
export const legacyRevisions = revisions.filter((one) => !one.isModern);
export const modernRevisions = revisions.filter((one) => one.isModern);

export const info = { name: "test", version: "1.0.0" };

export const makeServer = (protocol: AnyProtocol, options: ServerOptions = {}): AnyServer =>
  protocol.createServer({ info, handlers: {}, ...options });

export const makeClient = (
  protocol: AnyProtocol,
  transport: Transport,
  options: ClientOptions = {},
): Promise<AnyClient> => protocol.Client.connect(transport, { info, ...options });

/** A client and a server of one revision, joined in memory. */
export async function join(
  protocol: AnyProtocol,
  { server = {}, client = {} }: { server?: ServerOptions; client?: ClientOptions } = {},
): Promise<{ client: AnyClient; server: AnyServer; serving: Serving }> {
  const [near, far] = memoryPair();
  const definition = makeServer(protocol, server);
  const serving = await serve(far, definition);
  return { client: await makeClient(protocol, near, client), server: definition, serving };
}

/** The other end of a connection, in the hands of a test: it reads and writes messages as they stand on the wire. */
export class Wire {
  readonly transport: Transport;
  /** All that came, in order. */
  readonly seen: Json[] = [];
  closed = false;
  #taken = 0;
  #wake: (() => void) | undefined;

  constructor(transport: Transport) {
    this.transport = transport;
    void transport.start({
      message: (message) => {
        this.seen.push(message as Json);
        this.#wake?.();
      },
      malformed: (error) => {
        throw error;
      },
      ended: () => {},
      closed: () => {
        this.closed = true;
        this.#wake?.();
      },
    });
  }

  send(message: unknown): void {
    void this.transport.send(message);
  }

  /** The next message that has not been taken yet. */
  async next(): Promise<Json> {
    while (this.#taken === this.seen.length) {
      if (this.closed) throw new Error("The connection was closed before the next message.");
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return this.seen[this.#taken++] as Json;
  }

  /** Sends a request and takes what comes next, which is its answer unless the test provoked something else. */
  async ask(id: unknown, method: string, params?: Json): Promise<Json> {
    this.send({ jsonrpc: "2.0", id, method, params });
    return this.next();
  }

  /** Answers the request that comes next, and returns it. */
  async answer(result: Json): Promise<Json> {
    const request = await this.next();
    this.send({ jsonrpc: "2.0", id: request["id"], result });
    return request;
  }

  /** What came and was not taken, once nothing more is on its way. */
  async rest(): Promise<readonly Json[]> {
    await turns();
    return this.seen.slice(this.#taken);
  }
}

/** Lets all that is on its way arrive: a few turns of the event loop. */
export async function turns(count = 5): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** A server of one or more revisions with a test in place of its client. */
export async function serveWire(servers: ServerDefinition | readonly ServerDefinition[]): Promise<Wire> {
  const [near, far] = memoryPair();
  await serve(far, servers);
  return new Wire(near);
}

/** The `_meta` that a request of the modern era brings along. */
export function metaFor({ facts }: Revision, capabilities: Json = {}): Json {
  const { protocolVersion = "", clientInfo = "", clientCapabilities = "" } = facts.meta;
  return { [protocolVersion]: facts.revision, [clientInfo]: info, [clientCapabilities]: capabilities };
}

/** Opens a legacy session by hand. */
export async function shakeHands(wire: Wire, revision: string, capabilities: Json = {}): Promise<Json> {
  const answer = await wire.ask("hello", "initialize", {
    protocolVersion: revision,
    capabilities,
    clientInfo: info,
  });
  wire.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  await turns();
  return answer;
}

/** A client of one revision with a test in place of its server, opened by hand. */
export async function clientWire(
  { protocol, facts }: Revision,
  options: ClientOptions = {},
  capabilities: Json = everything,
): Promise<{ client: AnyClient; wire: Wire }> {
  const [near, far] = memoryPair();
  const wire = new Wire(far);
  const opening = makeClient(protocol, near, options);
  if (facts.opening === "initialize") {
    await wire.answer({ protocolVersion: facts.revision, capabilities, serverInfo: info });
  } else {
    const cached = { resultType: "complete", ttlMs: 0, cacheScope: "private" };
    await wire.answer({ supportedVersions: [facts.revision], capabilities, ...cached });
  }
  const client = await opening;
  if (facts.opening === "initialize") await wire.next();
  return { client, wire };
}

/** All that a server may declare. */
export const everything: Json = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  logging: {},
  completions: {},
};

export const text = (value: string): Json => ({ content: [{ type: "text", text: value }] });

/** The first text of a tool's result. */
export function textOf(result: Json): string {
  const [block] = result["content"] as readonly Json[];
  return String(block?.["text"]);
}

/** What a promise was rejected with; a test fails when it was kept. */
export async function failure(promise: Promise<unknown>): Promise<Error & Json> {
  try {
    await promise;
  } catch (error) {
    return error as Error & Json;
  }
  throw new Error("The promise was kept.");
}

export const errorOf = (message: Json): Json => message["error"] as Json;
export const resultOf = (message: Json): Json => message["result"] as Json;
export type { Progress };
