import { fromBase64 } from "../../common/base64.js";
import { invalidAt } from "../core/errors.js";
import { isObject, type JsonObject } from "../../common/object.js";
import { shown } from "../core/report.js";
import {
  type MetaErrorFactory,
  readUiMeta,
  type UiMeta,
  isUiResource,
  isUiUri,
  uiMimeType,
} from "./meta.js";

/** A view as a host shows it: its page and its checked metadata. */
export interface View extends UiMeta {
  readonly uri: string;
  /**
   * The page. It is text of the server: a host shows it only in a sandbox.
   * Specification of MCP Apps: "Sandbox proxy".
   */
  readonly html: string;
}

/** The method of a generated client that reads resources. */
export interface ViewClient {
  readResource(params: { uri: string }): Promise<object>;
}

/**
 * Reads a view from the server. Its metadata is that of the contents or, if
 * these have none, that of its entry among `resources`, the list of resources.
 * Specification of MCP Apps: "UI Resource Format".
 *
 * @throws ValidationError if the URI is not a `ui://` URI, or if the server
 *   returns no page of the right URI and MIME type. Also for malformed
 *   metadata, such as an origin that contains a semicolon. Otherwise the errors
 *   of `readResource`.
 */
export async function readView(
  client: ViewClient,
  uri: string,
  resources: readonly object[] = [],
): Promise<View> {
  if (!isUiUri(uri)) throw invalid(uri, "expected a ui:// URI.");
  const { contents } = (await client.readResource({ uri })) as JsonObject;
  const all: readonly unknown[] = Array.isArray(contents) ? contents : [];
  const page = all.find((one) => isUiResource(one) && hasUri(one, uri)) as
    JsonObject | undefined;
  if (!page) {
    const types = all.map((one) => (isObject(one) ? one["mimeType"] : one));
    throw invalid(
      uri,
      `expected contents of this URI with the MIME type ${uiMimeType}, got ${shown(types)}.`,
    );
  }
  const html = textOf(page);
  if (html === undefined)
    throw invalid(uri, "expected contents with text, or with a base64 blob.");
  const ui = uiOf(page) ?? uiOf(resources.find((one) => hasUri(one, uri)));
  const errorAt: MetaErrorFactory = (path, expected, value) =>
    invalid(
      uri,
      `${["_meta.ui", ...(path ? [path] : [])].join(".")}: expected ${expected}, got ${shown(value)}.`,
    );
  return { uri, html, ...(ui !== undefined && readUiMeta(ui, errorAt)) };
}

const hasUri = (value: unknown, uri: string): boolean =>
  isObject(value) && value["uri"] === uri;

function textOf({ text, blob }: JsonObject): string | undefined {
  if (typeof text === "string") return text;
  const bytes = typeof blob === "string" ? fromBase64(blob) : undefined;
  return bytes && new TextDecoder().decode(bytes);
}

function uiOf(value: unknown): unknown {
  const meta = isObject(value) ? value["_meta"] : undefined;
  return isObject(meta) ? meta["ui"] : undefined;
}

const invalid = (uri: string, message: string): Error =>
  invalidAt(`The view ${shown(uri)}`, message, []);
