import { isObject, type JsonObject } from "../../common/object.js";
import { isUiUri } from "./meta.js";

/** Who may use a tool: the model, or the views of tools of the same server. */
export type ToolAudience = "model" | "app";

/** The deprecated key of a tool's `_meta` with the URI of its view; newer hosts read `ui.resourceUri`. */
export const uriKey = "ui/resourceUri";

/**
 * The tools that a host may show to its model, and that the model may call. Specification of MCP Apps: "Visibility". A tool with
 * malformed metadata is neither for the model nor for views.
 */
export const modelTools = <T extends object>(tools: readonly T[]): T[] =>
  tools.filter((tool) => isFor("model", tool));

/** The tools that views of the same server may call. A host rejects their calls of all others. */
export const appTools = <T extends object>(tools: readonly T[]): T[] =>
  tools.filter((tool) => isFor("app", tool));

/** The URI of the view that shows the results of a tool; undefined if it has none, or one that is not a `ui://` URI. */
export function uiUriOf(tool: object): string | undefined {
  const { _meta } = tool as JsonObject;
  if (!isObject(_meta)) return undefined;
  const { ui, [uriKey]: deprecated } = _meta;
  const uri = (isObject(ui) ? ui["resourceUri"] : undefined) ?? deprecated;
  return isUiUri(uri) ? uri : undefined;
}

/** Tests whether the metadata of a tool includes this audience. Without metadata it includes both. */
export function isFor(audience: ToolAudience, tool: unknown): boolean {
  const { _meta = {} } = Object(tool) as JsonObject;
  const { ui = {} } = isObject(_meta) ? _meta : { ui: _meta };
  if (!isObject(ui)) return false;
  const { visibility = ["model", "app"] } = ui;
  return (
    Array.isArray(visibility) &&
    visibility.every((entry) => typeof entry === "string") &&
    visibility.includes(audience)
  );
}
