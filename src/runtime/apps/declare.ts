import { isObject, type JsonObject } from "../../common/object.js";
import type { FixedResource } from "../features/resources.js";
import type { Tool } from "../features/tools.js";
import { shown } from "../core/report.js";
import {
  type MetaErrorFactory,
  readUiMeta,
  type UiMeta,
  isUiUri,
  uiMimeType,
} from "./meta.js";
import { type ToolAudience, uriKey } from "./apps.js";

/**
 * How a tool is connected with a view. Specification of MCP Apps: "Resource
 * Discovery".
 */
export interface UiToolMeta {
  /** The `ui://` URI of the resource that shows results of the tool. */
  readonly resourceUri?: string | undefined;
  /** Who may use the tool; by default the model and views of the server. */
  readonly visibility?: readonly ToolAudience[] | undefined;
}

/**
 * A tool with a view, for `tools([…])`. Its results should also make sense to a
 * model that sees no view.
 *
 * @throws TypeError for a URI that is not a `ui://` URI, and for `visibility`
 *   other than a list of "model" and "app".
 */
export function uiTool<const Input, const Output>(
  tool: Tool<Input, Output>,
  { resourceUri, visibility }: UiToolMeta,
): Tool<Input, Output> {
  const errorAt = errorFactory(`The tool ${JSON.stringify(tool.name)}`);
  if (resourceUri !== undefined && !isUiUri(resourceUri))
    throw errorAt("resourceUri", "a ui:// URI", resourceUri);
  if (visibility !== undefined && !isAudience(visibility))
    throw errorAt("visibility", 'a list of "model", "app" or both', visibility);
  const ui = {
    ...(resourceUri !== undefined && { resourceUri }),
    ...(visibility && { visibility }),
  };
  const _meta = {
    ...tool._meta,
    ui,
    ...(resourceUri !== undefined && { [uriKey]: resourceUri }),
  };
  return { ...tool, _meta };
}

const isAudience = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((one) => one === "model" || one === "app");

/**
 * A resource that is a view. `read` returns the page as text or UTF-8, or a
 * complete result with `contents`.
 */
export type UiResource = Omit<FixedResource, "mimeType">;

/**
 * A resource that is a view, for `resources([…])`. Its metadata is in the list
 * of resources and in its contents.
 *
 * @throws TypeError for a URI that is not a `ui://` URI, and for metadata that
 *   a host must reject.
 */
export function uiResource(resource: UiResource, meta?: UiMeta): FixedResource {
  const { uri } = resource;
  const errorAt = errorFactory(`The resource ${JSON.stringify(uri)}`);
  if (!isUiUri(uri)) throw errorAt("uri", "a ui:// URI", uri);
  const ui = meta && { ui: readUiMeta(meta, errorAt) };
  const read: FixedResource["read"] = async (context) => {
    const value = await resource.read(context);
    const text =
      value instanceof Uint8Array ? new TextDecoder().decode(value) : value;
    if (typeof text === "string")
      return {
        contents: [
          { uri, mimeType: uiMimeType, text, ...(ui && { _meta: ui }) },
        ],
      };
    if (!isObject(value) || !Array.isArray(value["contents"])) return value;
    return {
      ...value,
      contents: value["contents"].map((one) => withUi(one, uri, ui)),
    };
  };
  return {
    ...resource,
    mimeType: uiMimeType,
    ...(ui && { _meta: { ...resource._meta, ...ui } }),
    read,
  };
}

/**
 * Contents of the view, with its MIME type and metadata unless they have their
 * own.
 */
function withUi(
  contents: unknown,
  uri: string,
  ui: JsonObject | undefined,
): unknown {
  if (!isObject(contents) || contents["uri"] !== uri) return contents;
  const { _meta } = contents;
  return {
    mimeType: uiMimeType,
    ...contents,
    ...(ui && { _meta: { ...ui, ...(isObject(_meta) && _meta) } }),
  };
}

const errorFactory =
  (where: string): MetaErrorFactory =>
  (path, expected, value) =>
    new TypeError(
      `${where}: ${path}: expected ${expected}, got ${shown(value)}.`,
    );
