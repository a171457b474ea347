import { mkdtempSync, readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type ClientQuestions,
  type ClientSettings,
  type Identity,
  isMcpError,
  type ListOptions,
  memoryPair,
  type RequestOptions,
  serve,
  type ServerDefinition,
  type ServerQuestions,
  type ServerSettings,
  type Serving,
  type SideTable,
  type Transport,
} from "@mcpgen/runtime";
import { runHere } from "../cli/support.js";
import { put } from "../files.js";
import { root } from "../repository.js";
import { failure, type Json } from "../runtime/kit/messages.js";

/** The schemas of revisions that nobody has released. */
export const schemas = {
  aurora: join(root, "test/fixtures/made-up/schema.ts"),
  lantern: join(root, "test/made-up/schema/lantern-2.ts"),
  outline: join(root, "test/made-up/schema/outline-1.ts"),
  errands: join(root, "test/made-up/schema/errands.ts"),
  gallery: join(root, "test/made-up/schema/gallery.ts"),
  alike: join(root, "test/fixtures/2024-10-07-alike/schema.ts"),
};

export interface AnyContext {
  readonly signal: AbortSignal;
  readonly revision: string;
  progress(progress: number, total?: number): void;
  notify(method: string, params?: Json): void;
  request(method: string, params?: Json): Promise<Json>;
}
export type Handlers = Readonly<
  Record<string, (params: Json, context: AnyContext) => unknown>
>;

type Ask = (params?: Json, options?: RequestOptions & ListOptions) => unknown;
/**
 * A generated client without its types, because its methods depend on the
 * schema.
 */
export type AnyClient = Readonly<Record<string, Ask>> & {
  readonly revision: string;
  readonly server: Identity;
  close(): Promise<void>;
};
export interface AnyServer extends ServerDefinition {
  readonly notify: Readonly<Record<string, (params?: Json) => void>>;
}
interface Options {
  readonly info: Json;
  readonly handlers: Handlers;
  readonly capabilities?: Json;
}
export type Validators = Readonly<Record<string, (value: unknown) => boolean>>;

/** The exports of a generated revision. */
export type Generated = Validators & {
  readonly clientSide: SideTable;
  readonly clientQuestions: ClientQuestions;
  readonly serverQuestions: ServerQuestions;
  readonly Client: {
    connect(
      transport: Transport,
      options: Options & ClientSettings,
    ): Promise<AnyClient>;
  };
  createServer(options: Options & ServerSettings): AnyServer;
};

const folder = realpathSync(mkdtempSync(join(tmpdir(), "mcpgen-made-up-")));
let count = 0;

/** A new folder for output, outside the repository. */
export function outFolder(): string {
  return join(folder, `out-${(count += 1)}`);
}

/** Writes a file among those of the tests. */
export const write = (name: string, text: string): string =>
  writeAt(join(folder, name), text);

export function writeAt(path: string, text: string): string {
  put(path, text);
  return path;
}

/** Generates a revision from a schema with the command line, and loads it. */
export async function generated(
  schema: string,
  ...extensions: string[]
): Promise<Generated> {
  const out = outFolder();
  const more = extensions.flatMap((name) => ["--extension", name]);
  const { code, err } = await runHere(
    ["--schema", schema, "--out", out, "--quiet", ...more],
    folder,
  );
  if (code !== 0) throw new Error(err);
  return (await import(join(out, "index.ts"))) as unknown as Generated;
}

export const read = (path: string): string => readFileSync(path, "utf8");

export const info = { name: "made up", version: "0.1.0" };

export interface Joined {
  readonly client: AnyClient;
  readonly server: AnyServer;
  readonly serving: Serving;
}

/**
 * A generated client and a generated server of one revision, joined in memory.
 */
export async function joined(
  { Client, clientQuestions, createServer, serverQuestions }: Generated,
  handlers: Handlers,
  {
    client = {},
    clientCapabilities,
    serverCapabilities,
    settings = {},
    onWarning,
  }: {
    readonly client?: Handlers;
    readonly settings?: ClientSettings;
    readonly clientCapabilities?: Json;
    readonly serverCapabilities?: Json;
    readonly onWarning?: (text: string) => void;
  } = {},
): Promise<Joined> {
  const [clientTransport, serverTransport] = memoryPair();
  const declared = (capabilities: Json | undefined): { capabilities?: Json } =>
    capabilities === undefined ? {} : { capabilities };
  const server = createServer({
    info,
    questions: serverQuestions,
    handlers,
    ...(onWarning && { onWarning }),
    ...declared(serverCapabilities),
  });
  const serving = await serve(serverTransport, server);
  const options = {
    ...settings,
    info,
    questions: clientQuestions,
    handlers: client,
    ...declared(clientCapabilities),
  };
  return {
    client: await Client.connect(clientTransport, options),
    server,
    serving,
  };
}

/** The members of an error that the peer receives. */
export async function refusal(
  promise: unknown,
): Promise<{ code: number; message: string; data: unknown }> {
  const error = await failure(promise);
  if (!isMcpError(error)) throw error;
  const { code, message, data } = error;
  return { code, message, data };
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
