import type { JsonObject } from "../../common/object.js";
import { shortJson } from "../core/short-json.js";

/** What the id of a session says, or the store for it. It never changes. */
export interface SessionContent {
  /** Those of `initialize`, with the revision that the server chose. */
  readonly params: JsonObject;
  /** The key of the caller that opened it (SESS-08). Never a claim. */
  readonly caller: string | undefined;
  /** Identifies the session, and gives no access. */
  readonly key: string;
  /** When it ends, in milliseconds since 1970. */
  readonly expires: number;
}

/** The members in a text, without their names. */
type Written = readonly [
  unknown,
  unknown,
  unknown,
  string | null,
  string,
  number,
];

/**
 * The two kinds of ids: one says the content, and the content of the other is
 * in the store. Each has a start, and a maximum size of the content in bytes:
 * some proxies cut headers that have more than 1,024 characters.
 */
export const idKinds = {
  sealed: { prefix: "v1.", maxContent: 737 },
  stored: { prefix: "s1.", maxContent: 65_536 },
} as const;

/**
 * A short text of at most `max` bytes, if need be without what is only for
 * display, such as icons. Undefined if that is too long, too.
 */
export function writeContent(
  { params, caller, key, expires }: SessionContent,
  max: number,
): string | undefined {
  const { protocolVersion, clientInfo, capabilities } = params;
  const { name, version } = Object(clientInfo) as JsonObject;
  return [clientInfo, { name, version }]
    .map((info) =>
      shortJson(
        [protocolVersion, info, capabilities, caller, key, expires],
        max,
      ),
    )
    .find((text) => text !== undefined);
}

export function readContent(text: string): SessionContent {
  const [protocolVersion, clientInfo, capabilities, caller, key, expires] =
    JSON.parse(text) as Written;
  return {
    params: { protocolVersion, clientInfo, capabilities },
    caller: caller ?? undefined,
    key,
    expires,
  };
}
