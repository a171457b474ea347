import { type SnapshotParts, snapshotText } from "../../ir/snapshot/canonical.js";
import { leftOut, maxLevels, toolSchemas } from "../../ir/snapshot/depth.js";
import type { JsonRecord } from "../../ir/snapshot/model.js";

/** A list of a server's, page by page. */
export type Listing = (
  params: { cursor?: string },
  options: { signal?: AbortSignal },
) => Promise<{ readonly [member: string]: unknown }>;

/** What is needed of a connection: every client that is generated for a revision has it. */
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

/** What a server may take: it is a stranger's, and may never come to an end. */
export interface PullLimits {
  readonly pages: number;
  readonly entries: number;
  /** UTF-16 units of the whole as JSON. */
  readonly size: number;
}

export const pullLimits: PullLimits = { pages: 1000, entries: 20_000, size: 16 * 1024 * 1024 };

/** The server offers more than is taken, or goes in a circle. The message is a finished sentence. */
export class PullRefused extends Error {
  override readonly name = "PullRefused";
}

export interface PullOptions {
  readonly limits?: PullLimits;
  readonly signal?: AbortSignal;
  /** Told of every page. */
  onPage?(what: string, count: number): void;
}

/**
 * Takes a snapshot of what a server offers, as the text of a file. Nothing of how the server was reached is part of it.
 *
 * @throws PullRefused when the server offers more than is taken, or gives out a cursor twice.
 */
export async function pull(client: LiveClient, options: PullOptions = {}): Promise<string> {
  const { info, capabilities, instructions } = client.server;
  const declared = isRecord(capabilities) ? capabilities : {};
  const reader = new Lists(options);
  for (const said of [info, declared, instructions]) reader.take("What the server says of itself", said);
  const list = async (declaredBy: string, what: string, ask: Listing): Promise<JsonRecord[]> => {
    return Object.hasOwn(declared, declaredBy) ? await reader.read(what, ask) : [];
  };
  const parts: SnapshotParts = {
    revision: client.revision,
    server: isRecord(info) ? info : {},
    capabilities: declared,
    instructions: instructions ?? null,
    tools: await list("tools", "tools", (...args) => client.listTools(...args)),
    prompts: await list("prompts", "prompts", (...args) => client.listPrompts(...args)),
    resources: await list("resources", "resources", (...args) => client.listResources(...args)),
    resourceTemplates: await list("resources", "resourceTemplates", async (...args) => {
      return await orNone(() => client.listResourceTemplates(...args), "resourceTemplates");
    }),
  };
  return snapshotText(parts);
}

/** Many servers that have resources know nothing of templates, and say so. */
async function orNone<T>(work: () => Promise<T>, member: string): Promise<T | { [member: string]: never[] }> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === methodNotFound) return { [member]: [] };
    throw error;
  }
}

/** JSON-RPC's own code for a method that a server does not have. */
const methodNotFound = -32601;

class Lists {
  readonly #limits: PullLimits;
  readonly #options: PullOptions;
  #size = 0;

  constructor(options: PullOptions) {
    this.#options = options;
    this.#limits = options.limits ?? pullLimits;
  }

  /** Counts one thing of the server's against the limits; `name` begins the sentence that refuses it. */
  take(name: string, value: unknown): void {
    const { size } = this.#limits;
    if (isDeeper(value, maxLevels)) {
      throw new PullRefused(`${name} is nested more than ${maxLevels} levels deep.`);
    }
    this.#size += JSON.stringify(value)?.length ?? 0;
    if (this.#size > size) throw new PullRefused(`What the server lists is larger than ${size} characters.`);
  }

  async read(what: string, ask: Listing): Promise<JsonRecord[]> {
    const { pages, entries } = this.#limits;
    const { signal, onPage } = this.#options;
    const found: JsonRecord[] = [];
    const seen = new Set<string>();
    let params: { cursor?: string } = {};
    for (;;) {
      const page = await ask(params, signal === undefined ? {} : { signal });
      const items = page[what];
      for (const listed of Array.isArray(items) ? (items as unknown[]) : []) {
        if (!isRecord(listed)) continue;
        const item = what === "tools" ? withoutDeepSchemas(listed) : listed;
        this.take(nameOf(what, item), item);
        found.push(item);
      }
      onPage?.(what, found.length);
      if (found.length > entries) throw new PullRefused(`The server lists more than ${entries} ${what}.`);
      const cursor = page["nextCursor"];
      if (typeof cursor !== "string") return found;
      if (seen.has(cursor))
        throw new PullRefused(`The server gave out the same cursor for its ${what} twice.`);
      seen.add(cursor);
      if (seen.size >= pages) throw new PullRefused(`The server has more than ${pages} pages of ${what}.`);
      params = { cursor };
    }
  }
}

/** `The tool "x"`, `The resource "file:///x"`. */
function nameOf(what: string, item: JsonRecord): string {
  const name = item["uri"] ?? item["uriTemplate"] ?? item["name"];
  const words = what.replace(/s$/, "").replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return `The ${words} ${JSON.stringify(String(name).slice(0, 80))}`;
}

/** A schema that is nested too deeply costs its tool that schema and no more; whoever reads the snapshot tells of it. */
function withoutDeepSchemas(tool: JsonRecord): JsonRecord {
  const deep = toolSchemas.filter((name) => isDeeper(tool[name], maxLevels - 1));
  return deep.length === 0 ? tool : { ...tool, ...Object.fromEntries(deep.map((name) => [name, leftOut])) };
}

/** A loop over its own stack: no input can overflow it. */
function isDeeper(value: unknown, depth: number): boolean {
  const open: [value: unknown, depth: number][] = [[value, 0]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [found, above] = next;
    if (typeof found !== "object" || found === null) continue;
    if (above >= depth) return true;
    for (const member of Object.values(found)) open.push([member, above + 1]);
  }
  return false;
}

function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
