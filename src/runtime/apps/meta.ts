import { isObject, type JsonObject } from "../../common/object.js";

/**
 * How a host shows a resource as a view. Specification of MCP Apps: "UI
 * Resource Format".
 */
export interface UiMeta {
  /** The origins that the page needs; the host blocks all others. */
  readonly csp?:
    | {
        /** Origins that scripts may connect to. */
        readonly connectDomains?: readonly string[] | undefined;
        /** Origins of scripts, styles, fonts, images and media. */
        readonly resourceDomains?: readonly string[] | undefined;
        /** Origins of frames inside the page. */
        readonly frameDomains?: readonly string[] | undefined;
        /** Origins that the page may use as its base. */
        readonly baseUriDomains?: readonly string[] | undefined;
      }
    | undefined;
  /** The browser features that the page needs. */
  readonly permissions?:
    | {
        readonly camera?: object | undefined;
        readonly microphone?: object | undefined;
        readonly geolocation?: object | undefined;
        readonly clipboardWrite?: object | undefined;
      }
    | undefined;
  /**
   * The origin that the page should have, in the form that the host documents.
   */
  readonly domain?: string | undefined;
  /** True if the host should draw a border, false if it should not. */
  readonly prefersBorder?: boolean | undefined;
}

const origins = [
  "connectDomains",
  "resourceDomains",
  "frameDomains",
  "baseUriDomains",
] as const;
const permissionNames = [
  "camera",
  "microphone",
  "geolocation",
  "clipboardWrite",
] as const;

/**
 * Creates the error for an invalid member: its path, such as
 * `csp.frameDomains[0]`, and the expected value.
 */
export type MetaErrorFactory = (
  path: string,
  expected: string,
  value: unknown,
) => Error;

/**
 * Checks the metadata of a view and returns its known members. A host writes
 * them into headers and attributes. There, an origin with a character that a
 * URI cannot have, such as a quote or a semicolon, could change other rules for
 * the page.
 *
 * @throws the error of `errorAt` for the first invalid member.
 */
export function readUiMeta(value: unknown, errorAt: MetaErrorFactory): UiMeta {
  const expect =
    (expected: string, test: (found: unknown) => boolean): Read =>
    (path, found) => {
      if (test(found)) return found;
      throw errorAt(path, expected, found);
    };
  const objectAt = expect("an object", isObject);
  const originAt = expect(
    "an origin without spaces, quotes, commas and semicolons",
    isOrigin,
  );
  const listAt = expect("a list of origins", Array.isArray);
  const originsAt: Read = (path, found) =>
    (listAt(path, found) as unknown[]).map((origin, i) =>
      originAt(`${path}[${i}]`, origin),
    );
  /** Reads the members of an object with these names. */
  const membersAt =
    (names: readonly string[], read: Read): Read =>
    (path, found) => {
      const object = objectAt(path, found) as JsonObject;
      const known = names.filter((name) => object[name] !== undefined);
      return Object.fromEntries(
        known.map((name) => [
          name,
          read(path ? `${path}.${name}` : name, object[name]),
        ]),
      );
    };
  const readers: Readonly<Record<string, Read>> = {
    csp: membersAt(origins, originsAt),
    permissions: membersAt(permissionNames, objectAt),
    domain: originAt,
    prefersBorder: expect("a boolean", (found) => typeof found === "boolean"),
  };
  const readMember: Read = (name, found) => readers[name]?.(name, found);
  return membersAt(Object.keys(readers), readMember)("", value) as UiMeta;
}

/** Returns the value at a path as it is read. */
type Read = (path: string, value: unknown) => unknown;

const isOrigin = (value: unknown): value is string =>
  typeof value === "string" &&
  value !== "" &&
  !/[^\w.:/*%[\]~@!$&()+=?#-]/.test(value);

/**
 * The MIME type of the page of a view. Specification of MCP Apps: "UI Resource
 * Format".
 */
export const uiMimeType = "text/html;profile=mcp-app";

/**
 * Tests for the URI of a view: `ui://` and at least one more character of a URI
 * (RFC 3986).
 */
export function isUiUri(value: unknown): value is `ui://${string}` {
  // Two patterns without nested repetition, because a server may send text of
  // any length.
  return (
    typeof value === "string" &&
    /^ui:\/\/[^]/.test(value) &&
    !/[^\w.~:/?#[\]@!$&'()*+,;=%-]|%(?![\da-f]{2})/i.test(value)
  );
}

/**
 * Tests whether an entry of the list of resources, or contents of a resource,
 * is a view, by its URI and MIME type.
 */
export function isUiResource(value: unknown): boolean {
  return (
    isObject(value) && isUiUri(value["uri"]) && value["mimeType"] === uiMimeType
  );
}
