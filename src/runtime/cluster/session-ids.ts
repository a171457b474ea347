import type { JsonObject } from "../../shared/object.js";
import type { Sealer } from "./keys.js";

/** What the id of a session says. It never changes. */
export interface SessionContent {
  readonly revision: string;
  /** What the client said about itself in `initialize`. */
  readonly info: unknown;
  readonly capabilities: unknown;
  /** The key of the caller that opened it (SESS-08). Never a claim. */
  readonly caller: string | undefined;
  /** Identifies the session, and gives no access. */
  readonly key: string;
  /** When it ends, in milliseconds since 1970. */
  readonly expires: number;
}

/** The members of the content as an id has them. */
interface SealedContent {
  readonly r: string;
  readonly n: unknown;
  readonly c: unknown;
  readonly p?: string;
  readonly j: string;
  readonly x: number;
}

/** Maximum length of an id, in characters: some proxies cut longer headers. */
const maxLength = 1024;
export const sealedPrefix = "v1.";

/** The content, and a shorter one: a client may have icons of any length, which are only for display. */
export function shorter(content: SessionContent): readonly SessionContent[] {
  const { name, version } = Object(content.info) as JsonObject;
  return [content, { ...content, info: { name, version } }];
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
  const { revision, capabilities, caller, key, expires } = content;
  for (const { info: n } of shorter(content)) {
    const text = JSON.stringify({ r: revision, n, c: capabilities, p: caller, j: key, x: expires });
    if (text.length > maxLength) continue;
    const id = sealedPrefix + (await sealer.seal(text, sealedPrefix + name));
    if (id.length <= maxLength) return id;
  }
  return undefined;
}

/** Reads an id. Resolves with undefined for any text that `sealId` has not made for a server with this name. */
export async function openId(sealer: Sealer, name: string, id: string): Promise<SessionContent | undefined> {
  if (id.length > maxLength || !id.startsWith(sealedPrefix)) return undefined;
  const text = await sealer.open(id.slice(sealedPrefix.length), sealedPrefix + name);
  if (text === undefined) return undefined;
  const { r, n, c, p, j, x } = JSON.parse(text) as SealedContent;
  return { revision: r, info: n, capabilities: c, caller: p, key: j, expires: x };
}
