import {
  getOwn,
  isObject,
  type JsonObject,
  textsIn,
} from "../../common/object.js";
import type { Handler, Identity } from "../core/session/config.js";
import type { ServerContext } from "../core/session/server-context.js";
import type { SideTable } from "../core/tables.js";
import type { Feature, Provided } from "../core/ports/feature.js";
import type { Features } from "../features/feature.js";
import { uiMimeType, isUiUri } from "./meta.js";

/** Who may use a tool: the model, or the views of tools of the same server. */
export type ToolAudience = "model" | "app";

/**
 * The deprecated key of a tool's `_meta` with the URI of its view; newer hosts
 * read `ui.resourceUri`.
 */
export const uriKey = "ui/resourceUri";

/**
 * The tools that a host may show to its model, and that the model may call.
 * Specification of MCP Apps: "Visibility". A tool with malformed metadata is
 * neither for the model nor for views.
 */
export const modelTools = <T extends object>(tools: readonly T[]): T[] =>
  tools.filter((tool) => isFor("model", tool));

/**
 * The tools that views of the same server may call. A host rejects their calls
 * of all others.
 */
export const appTools = <T extends object>(tools: readonly T[]): T[] =>
  tools.filter((tool) => isFor("app", tool));

/**
 * The URI of the view that shows the results of a tool; undefined if it has
 * none, or one that is not a `ui://` URI.
 */
export function uiUriOf(tool: object): string | undefined {
  const { _meta } = tool as JsonObject;
  if (!isObject(_meta)) return undefined;
  const { ui, [uriKey]: deprecated } = _meta;
  const uri = (isObject(ui) ? ui["resourceUri"] : undefined) ?? deprecated;
  return isUiUri(uri) ? uri : undefined;
}

/**
 * Tests whether the metadata of a tool includes this audience. Without metadata
 * it includes both.
 */
function isFor(audience: ToolAudience, tool: unknown): boolean {
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

/** The capability that a client which shows views declares. */
export interface UiCapability {
  /** The MIME types of the pages that it shows. */
  readonly mimeTypes: readonly string[];
}

/**
 * Supports MCP Apps. Spread it into the handlers of a client, which then
 * declares that it shows views. Or spread it into those of a server, which then
 * declares that it has views. Clients that do not show views get neither views
 * nor tools that are only for views. A legacy client without a session cannot
 * declare anything, so it gets all of them. In a revision that was generated
 * without the extension, no client gets them.
 */
export function apps(): Features {
  return { [Symbol("apps")]: { provide } };
}

/**
 * Specification of MCP Apps: "Client (Host) Capabilities" and "Server
 * Behavior".
 */
const provide: Feature["provide"] = (_features, side) => {
  const id = side.extensions?.ui;
  const isServer = side.side === "server";
  const settings = isServer ? {} : { mimeTypes: [uiMimeType] };
  return {
    handlers: {},
    capabilities: id === undefined ? {} : { extensions: { [id]: settings } },
    wrap: isServer ? wrapLists(side) : undefined,
  };
};

/** Leaves out of lists what a client that shows no views should not get. */
function wrapLists({ revision, extensions }: SideTable): Provided["wrap"] {
  const { listTools, listResources, listTemplates } = revision.wellKnown;
  const hasUnknownClient = ({ client }: ServerContext): boolean =>
    extensions?.ui !== undefined &&
    revision.opening === "initialize" &&
    client.info === undefined;
  return ({ method, items = "" }, handler) => {
    if (
      method !== listTools &&
      method !== listResources &&
      method !== listTemplates
    )
      return handler;
    const list = handler as (
      params: unknown,
      context: ServerContext,
    ) => unknown;
    const listFor: Handler = async (
      params: unknown,
      context: ServerContext,
    ): Promise<unknown> => {
      const value = await list(params, context);
      const result = Object(value) as JsonObject;
      const { [items]: entries } = result;
      if (!Array.isArray(entries)) return value;
      // The list depends on what the client declares, so that a shared cache
      // would return it to the wrong clients.
      const privateResult =
        result["cacheScope"] === "public"
          ? { ...result, cacheScope: "private" }
          : result;
      if (
        hasUnknownClient(context) ||
        getUiCapability(context)?.mimeTypes.includes(uiMimeType)
      )
        return privateResult;
      const visibleEntries = entries.filter((entry) =>
        method === listTools ? isFor("model", entry) : !isView(entry),
      );
      return { ...privateResult, [items]: visibleEntries.map(withoutView) };
    };
    return listFor;
  };
}

/** Tests whether a resource, or a template, is of views. */
function isView(entry: unknown): boolean {
  const { uri, uriTemplate = uri } = Object(entry) as JsonObject;
  return typeof uriTemplate === "string" && uriTemplate.startsWith("ui://");
}

/** A tool or resource without its view. */
function withoutView(entry: unknown): unknown {
  if (!isObject(entry) || !isObject(entry["_meta"])) return entry;
  const { _meta, ...rest } = entry;
  const { ui: _ui, [uriKey]: _uri, ...others } = _meta as JsonObject;
  return Object.keys(others).length === 0 ? rest : { ...rest, _meta: others };
}

/**
 * The capability of the client of a request; undefined if it shows no views. A
 * function in place of a list of tools can use it to return different tools to
 * different clients.
 */
export function getUiCapability(context: {
  readonly client: Identity<unknown, unknown>;
}): UiCapability | undefined {
  const { client, session } = context as unknown as ServerContext;
  const { extensions } = client.capabilities;
  const settings = isObject(extensions)
    ? getOwn(extensions, session.config.side.extensions?.ui)
    : undefined;
  if (!isObject(settings)) return undefined;
  return { mimeTypes: textsIn(settings["mimeTypes"]) };
}
