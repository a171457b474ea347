import { isRecord } from "../../ir/json/value.js";
import { type SnapshotParts, snapshotText } from "../../ir/snapshot/text.js";
import { deepSchema, maxLevels, toolSchemas } from "../../ir/snapshot/depth.js";
import type { JsonRecord } from "../../ir/snapshot/model.js";

/** Reads one page of a list of the server. */
type Listing = (
  params: { cursor?: string },
  options: { signal?: AbortSignal },
) => Promise<{ readonly [member: string]: unknown }>;

/**
 * The part of a connection that `pull` needs; every generated client has it.
 */
export interface LiveClient {
  readonly revision: string;
  readonly server: {
    readonly info: unknown;
    readonly capabilities: unknown;
    readonly instructions?: string | undefined;
  };
  readonly listTools: Listing;
  readonly listPrompts: Listing;
  readonly listResources: Listing;
  readonly listResourceTemplates: Listing;
}

/**
 * Limits for what a server may send; servers are not trusted, and their lists
 * may never end. The size is that of all entries as JSON, in UTF-16 code units.
 */
const limits = { pages: 1000, entries: 20_000, size: 16 * 1024 * 1024 };

/** The server exceeds a limit. The message is a complete sentence. */
export class PullError extends Error {
  override readonly name = "PullError";
}

interface PullOptions {
  readonly signal?: AbortSignal;
  /** Called after every page. */
  onPage?(what: string, count: number): void;
  /**
   * Called with a sentence about a list that the server declares and does not
   * implement, or whose cursors repeat.
   */
  onWarning?(text: string): void;
}

/**
 * Reads what a server offers and returns the text of a snapshot. The snapshot
 * does not say how the server was reached.
 *
 * @throws PullError if the server exceeds a limit.
 */
export async function pull(
  client: LiveClient,
  options: PullOptions,
): Promise<string> {
  const { info, capabilities, instructions } = client.server;
  const declared = isRecord(capabilities) ? capabilities : {};
  const reader = new ListReader(options);
  for (const part of [info, declared, instructions])
    reader.count("The description of the server", part);
  const list = (
    declaredBy: string,
    what: string,
    listPage: Listing,
  ): Promise<JsonRecord[]> | JsonRecord[] =>
    Object.hasOwn(declared, declaredBy) ? reader.read(what, listPage) : [];
  const tools = await list("tools", "tools", (...args) =>
    client.listTools(...args),
  );
  const prompts = await list("prompts", "prompts", (...args) =>
    client.listPrompts(...args),
  );
  const parts: SnapshotParts = {
    revision: client.revision,
    server: isRecord(info) ? info : {},
    capabilities: declared,
    instructions: instructions ?? null,
    tools,
    prompts,
    resources: await list("resources", "resources", (...args) =>
      client.listResources(...args),
    ),
    resourceTemplates: await list("resources", "resourceTemplates", (...args) =>
      client.listResourceTemplates(...args),
    ),
  };
  return snapshotText(parts);
}

/**
 * Reads the tools of a server as it lists them; none if it declares no tools.
 *
 * @throws PullError if the server exceeds a limit.
 */
export async function pullTools(
  client: LiveClient,
  options: PullOptions,
): Promise<JsonRecord[]> {
  const { capabilities } = client.server;
  if (!isRecord(capabilities) || !Object.hasOwn(capabilities, "tools"))
    return [];
  return await new ListReader(options).read("tools", (...args) =>
    client.listTools(...args),
  );
}

/** JSON-RPC's code for a method that the server does not implement. */
const methodNotFound = -32601;

class ListReader {
  readonly #options: PullOptions;
  #size = 0;

  constructor(options: PullOptions) {
    this.#options = options;
  }

  /**
   * Counts a value of the server against the limits; `name` is the subject of
   * the error message.
   */
  count(name: string, value: unknown): void {
    const { size } = limits;
    if (isDeeper(value, maxLevels)) {
      throw new PullError(
        `${name} is nested more than ${maxLevels} levels deep.`,
      );
    }
    this.#size += JSON.stringify(value)?.length ?? 0;
    if (this.#size > size)
      throw new PullError(
        `The lists of the server are larger than ${size} characters.`,
      );
  }

  async read(what: string, listPage: Listing): Promise<JsonRecord[]> {
    const { pages, entries } = limits;
    const { signal, onPage, onWarning } = this.#options;
    const items: JsonRecord[] = [];
    const cursors = new Set<string>();
    let textBefore = "";
    let params: { cursor?: string } = {};
    for (;;) {
      const page = await listPage(
        params,
        signal === undefined ? {} : { signal },
      ).catch((error: unknown) => {
        const code =
          error instanceof Error && "code" in error ? error.code : null;
        if (code !== methodNotFound) throw error;
        // Many servers with resources do not implement resource templates.
        if (what !== "resourceTemplates")
          onWarning?.(
            `The server declares ${what}, but does not implement ${what}/list.`,
          );
        return {} as Awaited<ReturnType<Listing>>;
      });
      const list = page[what];
      const pageItems = (Array.isArray(list) ? (list as unknown[]) : [])
        .filter(isRecord)
        .map((entry) => (what === "tools" ? withoutDeepSchemas(entry) : entry));
      for (const item of pageItems) this.count(nameOf(what, item), item);
      // Some servers ignore the cursor and send the same page again.
      const text = JSON.stringify(pageItems);
      if (text !== textBefore) for (const item of pageItems) items.push(item);
      textBefore = text;
      onPage?.(what, items.length);
      if (items.length > entries)
        throw new PullError(`The server lists more than ${entries} ${what}.`);
      const cursor = page["nextCursor"];
      if (typeof cursor !== "string") return items;
      if (cursors.has(cursor)) {
        onWarning?.(
          `The server returned the same cursor twice for its ${what}, so the list ends there. It may be incomplete.`,
        );
        return items;
      }
      cursors.add(cursor);
      if (cursors.size >= pages)
        throw new PullError(
          `The server has more than ${pages} pages of ${what}.`,
        );
      params = { cursor };
    }
  }
}

/** `The tool "x"`, `The resource "file:///x"`. */
function nameOf(what: string, item: JsonRecord): string {
  const name = item["uri"] ?? item["uriTemplate"] ?? item["name"];
  const words = what
    .replace(/s$/, "")
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `The ${words} ${JSON.stringify(String(name).slice(0, 80))}`;
}

/**
 * Removes a schema that is nested too deep from its tool. The reader of the
 * snapshot reports it.
 */
function withoutDeepSchemas(tool: JsonRecord): JsonRecord {
  const deep = toolSchemas.filter((name) =>
    isDeeper(tool[name], maxLevels - 1),
  );
  return deep.length === 0
    ? tool
    : {
        ...tool,
        ...Object.fromEntries(deep.map((name) => [name, deepSchema])),
      };
}

/**
 * True if a value is nested deeper. Iterative, so that no input overflows the
 * stack.
 */
export function isDeeper(value: unknown, depth: number): boolean {
  const open: [value: unknown, depth: number][] = [[value, 0]];
  for (const [items, above] of open) {
    if (typeof items !== "object" || items === null) continue;
    if (above >= depth) return true;
    for (const member of Object.values(items)) open.push([member, above + 1]);
  }
  return false;
}
