import type { JsonObject } from "../../shared/object.js";
import type { Sealer } from "../../shared/secrets.js";

/** What the id of a session says. It never changes. */
export interface SessionContent {
  /** Those of `initialize`, with the revision that the server chose. */
  readonly params: JsonObject;
  /** The key of the caller that opened it (SESS-08). Never a claim. */
  readonly caller?: string | undefined;
  /** Identifies the session, and gives no access. */
  readonly key: string;
  /** When it ends, in milliseconds since 1970. */
  readonly expires: number;
}

const sealedPrefix = "v1.";
/** Maximum size of a content in an id, in bytes of its JSON: some proxies cut headers that have more than 1,024 characters. */
const maxSealed = 737;

/** The content, if need be without what is only for display, such as icons; undefined if its JSON has more than `max` bytes even then. */
export function shortened(content: SessionContent, max: number): SessionContent | undefined {
  const { name, version } = Object(content.params["clientInfo"]) as JsonObject;
  const params = { ...content.params, clientInfo: { name, version } };
  const sizeOf = (one: SessionContent): number => new TextEncoder().encode(JSON.stringify(one)).length;
  return [content, { ...content, params }].find((one) => sizeOf(one) <= max);
}

/**
 * Writes what `initialize` said into an id, which the client carries. `name` is that of the server: the id is not valid for another one.
 * Resolves with undefined if the id would be too long.
 */
export async function sealId(
  sealer: Sealer,
  name: string,
  content: SessionContent,
): Promise<string | undefined> {
  const short = shortened(content, maxSealed);
  return short && sealedPrefix + (await sealer.seal(JSON.stringify(short), sealedPrefix + name));
}

/** Reads an id. Resolves with undefined for any text that `sealId` has not made for a server with this name. */
export async function openId(sealer: Sealer, name: string, id: string): Promise<SessionContent | undefined> {
  if (!id.startsWith(sealedPrefix)) return undefined;
  const text = await sealer.open(id.slice(sealedPrefix.length), sealedPrefix + name);
  return text === undefined ? undefined : (JSON.parse(text) as SessionContent);
}
