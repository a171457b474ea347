import { isObject, type JsonObject } from "../../common/object.js";

/** How a host shows a resource as a view. Specification of MCP Apps: "UI Resource Format". */
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
  /** The origin that the page should have, in the form that the host documents. */
  readonly domain?: string | undefined;
  /** True if the host should draw a border, false if it should not. */
  readonly prefersBorder?: boolean | undefined;
}

const origins = ["connectDomains", "resourceDomains", "frameDomains", "baseUriDomains"] as const;
const permissionNames = ["camera", "microphone", "geolocation", "clipboardWrite"] as const;

/** Creates the error for an invalid member: its path, such as `csp.frameDomains[0]`, and the expected value. */
export type MetaErrorFactory = (path: string, expected: string, value: unknown) => Error;

/**
 * Checks the metadata of a view and returns its known members. A host writes them into headers and attributes. There, an origin
 * with a character that a URI cannot have, such as a quote or a semicolon, could change other rules for the page.
 *
 * @throws the error of `errorAt` for the first invalid member.
 */
export function readUiMeta(value: unknown, errorAt: MetaErrorFactory): UiMeta {
  const objectAt = (path: string, found: unknown): JsonObject => {
    if (isObject(found)) return found;
    throw errorAt(path, "an object", found);
  };
  const originAt = (path: string, found: unknown): string => {
    if (isOrigin(found)) return found;
    throw errorAt(path, "an origin without spaces, quotes, commas and semicolons", found);
  };
  const originsAt = (path: string, found: unknown): readonly string[] => {
    if (!Array.isArray(found)) throw errorAt(path, "a list of origins", found);
    return found.map((origin: unknown, i) => originAt(`${path}[${i}]`, origin));
  };
  /** The members of an object with these names, each as `read` returns it. */
  const membersAt = <T>(
    path: string,
    found: unknown,
    names: readonly string[],
    read: (path: string, value: unknown) => T,
  ): Readonly<Record<string, T>> => {
    const object = objectAt(path, found);
    const known = names.filter((name) => object[name] !== undefined);
    return Object.fromEntries(known.map((name) => [name, read(`${path}.${name}`, object[name])]));
  };
  const { csp, permissions, domain, prefersBorder } = objectAt("", value);
  const ownDomain = domain === undefined ? undefined : originAt("domain", domain);
  if (prefersBorder !== undefined && typeof prefersBorder !== "boolean")
    throw errorAt("prefersBorder", "a boolean", prefersBorder);
  return {
    ...(csp !== undefined && { csp: membersAt("csp", csp, origins, originsAt) }),
    ...(permissions !== undefined && {
      permissions: membersAt("permissions", permissions, permissionNames, objectAt),
    }),
    ...(ownDomain !== undefined && { domain: ownDomain }),
    ...(prefersBorder !== undefined && { prefersBorder }),
  };
}

const isOrigin = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && !/[^\w.:/*%[\]~@!$&()+=?#-]/.test(value);

/** The MIME type of the page of a view. Specification of MCP Apps: "UI Resource Format". */
export const uiMimeType = "text/html;profile=mcp-app";

/** Tests for the URI of a view: `ui://` and at least one more character of a URI (RFC 3986). */
export function isUiUri(value: unknown): value is `ui://${string}` {
  // Two patterns without nested repetition, because a server may send text of any length.
  return (
    typeof value === "string" &&
    /^ui:\/\/[^]/.test(value) &&
    !/[^\w.~:/?#[\]@!$&'()*+,;=%-]|%(?![\da-f]{2})/i.test(value)
  );
}

/** Tests whether an entry of the list of resources, or contents of a resource, is a view, by its URI and MIME type. */
export function isUiResource(value: unknown): boolean {
  return isObject(value) && isUiUri(value["uri"]) && value["mimeType"] === uiMimeType;
}
