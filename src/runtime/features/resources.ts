import { jsonRpcCodes, McpError } from "../core/errors.js";
import { isObject, type JsonObject } from "../../common/object.js";
import type { HandlerContext } from "../core/session/config.js";
import type { SideTable } from "../core/tables.js";
import type { Feature, Provided } from "../core/ports/feature.js";
import { type Asked, asking } from "./ask.js";
import { normalizeUri, checkUri } from "../core/session/uri.js";
import { toBase64 } from "../../common/base64.js";
import {
  completionHandlers,
  type Completer,
  type CompletableSet,
  type Completable,
} from "./completion.js";
import { checkContents } from "./contents.js";
import {
  checkScopes,
  entriesFor,
  type FeatureContext,
  type FeatureOptions,
  type Features,
  type FeaturesFor,
  groupEntries,
  type ListEntry,
  listedBy,
  read,
  readyOf,
  type Source,
  type SourceFunction,
  type Work,
} from "./feature.js";
import { readTemplate, type Template, type VariablesOf } from "./template.js";

interface AnyResource<Context> extends ListEntry<Context> {
  readonly mimeType?: string | undefined;
  readonly annotations?: object | undefined;
  /**
   * True for a resource, or a template, that is not in the list, but can be
   * used.
   */
  readonly unlisted?: boolean | undefined;
}

/**
 * A resource with a fixed URI. `read` returns its text, its bytes, a complete
 * result with `contents`, or undefined or null if the resource does not exist.
 */
export interface FixedResource<
  Context = FeatureContext,
> extends AnyResource<Context> {
  readonly uri: string;
  readonly uriTemplate?: undefined;
  /** In bytes, if known. */
  readonly size?: number | undefined;
  read(context: Context): unknown;
  /**
   * Called before a client subscribes to the resource, in revisions with such
   * requests. An error rejects the request.
   */
  subscribe?(context: Context): unknown;
  /** Called when a client unsubscribes. */
  unsubscribe?(context: Context): unknown;
}

/**
 * Resources whose URIs match a template (RFC 6570). `T` is the literal type of
 * the template, if known.
 */
export interface TemplateResource<
  T = string,
  Context = FeatureContext,
> extends AnyResource<Context> {
  readonly uriTemplate: T & string;
  readonly uri?: undefined;
  /** Suggest values of variables while a user types. */
  readonly complete?:
    | { readonly [Name in keyof VariablesOf<T>]?: Completer<Context> }
    | undefined;
  /**
   * Variables that may have any value, also an absolute path or one that
   * contains `..`. Without this such a URI is refused; with it `read` must
   * check the value itself before it opens a file.
   */
  readonly anyValue?: readonly (keyof VariablesOf<T> & string)[] | undefined;
  read(variables: VariablesOf<T>, uri: string, context: Context): unknown;
  /**
   * Called before a client subscribes to such a resource, in revisions with
   * such requests. An error rejects the request.
   */
  subscribe?(variables: VariablesOf<T>, uri: string, context: Context): unknown;
  /** Called when a client unsubscribes. */
  unsubscribe?(
    variables: VariablesOf<T>,
    uri: string,
    context: Context,
  ): unknown;
}

/** A resource with a fixed URI, or resources whose URIs match a template. */
export type Resource<Context = FeatureContext> =
  FixedResource<Context> | TemplateResource<string, Context>;

interface ReadyResource extends Completable {
  readonly mimeType: unknown;
  /** Undefined for a resource with a fixed URI. */
  readonly template: Template | undefined;
  /** The variables whose values are not checked for path traversal. */
  readonly anyValue: readonly string[];
  readonly declared: Resource;
}

/**
 * Handles the requests that list and read resources, list templates, and
 * complete their variables.
 *
 * @throws TypeError for an invalid template, and for a URI or template that is
 *   declared twice.
 */
export function resources<
  const Templates extends readonly unknown[],
  Context extends HandlerContext = FeatureContext,
>(
  list:
    | {
        readonly [I in keyof Templates]:
          | FixedResource<Asked<NoInfer<Context>>>
          | TemplateResource<Templates[I], Asked<NoInfer<Context>>>;
      }
    | SourceFunction<Resource, NoInfer<Context>>,
  options?: FeatureOptions<NoInfer<Context>>,
): FeaturesFor<Context>;
export function resources(
  source: Source<Resource>,
  options?: FeatureOptions,
): Features {
  return resourcesOf(source, options);
}

/** Does the same for a list that may be known later. */
export function resourcesOf(
  source: Source<Resource> | Promise<readonly Resource[]>,
  options: FeatureOptions = {},
): Features {
  const ownList = options.listed && listedBy(options);
  const entries = read(source, (resource) =>
    prepare(resource, ownList, options),
  );
  const set = {
    provide,
    options,
    refersTo: "uri",
    entries,
  } satisfies CompletableSet;
  return { [Symbol("resources")]: set };
}

function prepare(
  resource: Resource,
  ownList: ReadonlyMap<string, JsonObject> | undefined,
  options: FeatureOptions,
): readonly [string, ReadyResource] {
  const key = resource.uri ?? resource.uriTemplate;
  // The arguments of a template are its variables.
  const call: Work = (uri, variables, context) =>
    resource.uri === undefined
      ? resource.read(variables, uri, context)
      : resource.read(context);
  const ready = readyOf(
    resource as ListEntry,
    `The resource ${JSON.stringify(key)}`,
    "read",
    call,
    options,
  );
  const {
    read: _,
    subscribe: _1,
    unsubscribe: _2,
    visible: _3,
    scopes: _4,
    unlisted,
    ...rest
  } = resource;
  const {
    complete = {},
    anyValue = [],
    ...entry
  } = rest as Partial<TemplateResource>;
  const template = resource.uri === undefined ? readTemplate(key) : undefined;
  const { variables = [] } = template ?? {};
  const unknownName = [...Object.keys(complete), ...anyValue].find(
    (name) => !variables.includes(name),
  );
  if (template && unknownName !== undefined)
    throw new TypeError(
      `The URI template ${key} has no variable ${unknownName}.`,
    );
  const prepared: ReadyResource = {
    ...ready,
    listed: ownList || unlisted ? undefined : entry,
    declared: resource,
    mimeType: ownList ? ownList.get(key)?.["mimeType"] : resource.mimeType,
    template,
    anyValue,
    arguments: new Map(variables.map((name) => [name, complete[name]])),
  };
  return [template ? key : normalizeUri(key), prepared];
}

function provide(features: readonly Feature[], side: SideTable): Provided {
  const {
    listResources = "",
    listTemplates = "",
    readResource = "",
    subscribe = "",
    unsubscribe = "",
  } = side.revision.wellKnown;
  const notFound =
    side.revision.errors["RESOURCE_NOT_FOUND"] ?? jsonRpcCodes.INVALID_PARAMS;
  const group = groupEntries<ReadyResource>(
    "resource",
    features,
    provide,
    side,
    listResources,
  );
  const { list, entries } = group;
  const isWatched = [...group.last().values()].some(
    ({ declared }) => declared.subscribe ?? declared.unsubscribe,
  );
  const watch =
    (member: "subscribe" | "unsubscribe") =>
    async ({ uri }: { readonly uri: string }, context: FeatureContext) => {
      const match = find(await entriesFor(entries, context), uri);
      if (match) {
        const { declared } = match.resource;
        checkScopes(match.resource, context);
        if (declared.uri !== undefined) await declared[member]?.(context);
        else await declared[member]?.(match.variables, uri, context);
      }
      return {};
    };
  const lists = {
    [listResources]: list(listResources, (listed) =>
      isTemplate(listed) ? undefined : listed,
    ),
    [listTemplates]: list(listTemplates, (listed) =>
      isTemplate(listed) ? listed : undefined,
    ),
  };
  return {
    handlers: asking({
      async [readResource](
        { uri }: { readonly uri: string },
        context: FeatureContext,
      ) {
        const match = find(await entriesFor(entries, context), uri);
        if (match) checkScopes(match.resource, context);
        const value: unknown =
          match &&
          (await match.resource.work(uri, match.variables as never, context));
        // A resource that does not exist is an error (RES-02).
        if (!match || value === undefined || value === null)
          throw new McpError(notFound, `There is no resource ${uri}.`, { uri });
        return contentsOf(value, uri, match.resource.mimeType);
      },
      ...lists,
      ...(isWatched && {
        [subscribe]: watch("subscribe"),
        [unsubscribe]: watch("unsubscribe"),
      }),
      ...completionHandlers(features, side),
    }),
    ...group.provided,
  };
}

const isTemplate = (listed: JsonObject): boolean =>
  listed["uriTemplate"] !== undefined;

/**
 * Finds the resource of a URI, and the values of its variables: first a fixed
 * one, then the first template that matches.
 */
function find(all: ReadonlyMap<string, ReadyResource>, uri: string) {
  const fixed = all.get(normalizeUri(uri));
  if (fixed && !fixed.template) return { resource: fixed, variables: {} };
  checkUri(uri);
  for (const resource of all.values()) {
    const variables = resource.template?.match(uri);
    if (!variables) continue;
    const names = Object.keys(variables).filter(
      (name) => !resource.anyValue.includes(name),
    );
    checkUri(
      uri,
      Object.fromEntries(names.map((name) => [name, variables[name] ?? ""])),
    );
    return { resource, variables };
  }
  return undefined;
}

/** Converts the value that `read` returned to a complete result (RES-03). */
function contentsOf(value: unknown, uri: string, mimeType: unknown): unknown {
  if (typeof value === "string")
    return { contents: [{ uri, mimeType, text: value }] };
  if (value instanceof Uint8Array)
    return { contents: [{ uri, mimeType, blob: toBase64(value) }] };
  if (
    isObject(value) &&
    (Array.isArray(value["contents"]) || "resultType" in value)
  ) {
    checkContents(value["contents"], `Reading ${uri}`);
    return value;
  }
  throw new TypeError(
    `Reading ${uri}: expected text, bytes, or a result with contents.`,
  );
}
