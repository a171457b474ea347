import { isObject } from "../../../shared/object.js";

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
