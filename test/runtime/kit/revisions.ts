import type {
  ClientQuestions,
  ClientSettings,
  Identity,
  ListOptions,
  RequestOptions,
  ServerDefinition,
  ServerQuestions,
  ServerSettings,
  ServerSide,
  SideTable,
  Transport,
} from "@mcpgen/runtime";
import { protocols } from "../../../generated/index.js";
import type { Json } from "./messages.js";

/**
 * A generated client, seen without its types so that one test runs over every
 * revision.
 */
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
  tools(
    params?: Json,
    options?: ListOptions,
  ): AsyncGenerator<Json, void, undefined>;
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
  readonly clientQuestions: ClientQuestions;
  readonly serverSide: ServerSide;
  readonly serverQuestions: ServerQuestions;
  readonly Client: {
    connect(
      transport: Transport,
      options: Json & ClientOptions,
    ): Promise<AnyClient>;
  };
  createServer(options: Json & ServerOptions): AnyServer;
}

export const byRevision = protocols as unknown as Readonly<
  Record<string, AnyProtocol>
>;

/** Generated revisions, with what a test wants to know of each. */
export const described = (
  generated: typeof byRevision,
): {
  revision: string;
  protocol: AnyProtocol;
  facts: SideTable["revision"];
  isModern: boolean;
}[] =>
  Object.entries(generated).map(([revision, protocol]) => ({
    revision,
    protocol,
    facts: protocol.clientSide.revision,
    isModern: protocol.clientSide.revision.opening === "per-request",
  }));

/** Every revision there is. */
export const revisions = described(byRevision);
export type Revision = (typeof revisions)[number];

const ofEra = (isModern: boolean): Revision => {
  const match = revisions.find((one) => one.isModern === isModern);
  if (!match) throw new Error("There is no revision of that era.");
  return match;
};
/** The newest revision of each era. */
export const modern = ofEra(true);
export const legacy = ofEra(false);
export const legacyRevisions = revisions.filter((one) => !one.isModern);
export const modernRevisions = revisions.filter((one) => one.isModern);
