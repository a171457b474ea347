import { jsonRpcCodes, McpError } from "../../errors.js";
import { isObject, type JsonObject } from "../../message.js";
import type { SideTable } from "../../tables.js";
import type { Feature, Provided } from "../config.js";
import { checkUri } from "../uri.js";
import { toBase64 } from "../../base64.js";
import { completing, type Completer, type Referable, type Referred } from "./completion.js";
import { checkContents } from "./contents.js";
import {
  type FeatureContext,
  type FeatureOptions,
  type Features,
  kindOf,
  type Listed,
  listedBy,
  read,
  type Source,
  type SourceFunction,
} from "./feature.js";
import { readTemplate, type Template, type VariablesOf } from "./template.js";

interface AnyResource extends Listed {
  readonly mimeType?: string | undefined;
  readonly annotations?: object | undefined;
}

/**
 * A resource with a URI of its own. `read` returns its text, its bytes, or a whole result, which has `contents`; undefined
 * stands for a resource that is not there.
 */
export interface FixedResource extends AnyResource {
  readonly uri: string;
  readonly uriTemplate?: undefined;
  /** In bytes, if known. */
  readonly size?: number | undefined;
  read(context: FeatureContext): unknown;
}

/** Resources whose URIs are made from a template (RFC 6570, levels 1 to 3); `T` is the template, where its literal type is known. */
export interface TemplateResource<T = string> extends AnyResource {
  readonly uriTemplate: T & string;
  readonly uri?: undefined;
  /** What can stand for a variable, for whoever is typing one. */
  readonly complete?: { readonly [Name in keyof VariablesOf<T>]?: Completer } | undefined;
  /** The values of the variables in a URI, undefined for one of another template; for templates of level 4. */
  match?(uri: string): Record<string, string> | undefined;
  read(variables: VariablesOf<T>, uri: string, context: FeatureContext): unknown;
}

export type Resource = FixedResource | TemplateResource;

interface ReadyResource extends Referred {
  readonly mimeType: unknown;
  /** Undefined for a resource with a URI of its own. */
  readonly template: Template | undefined;
  read(variables: Record<string, string>, uri: string, context: FeatureContext): unknown;
}

/**
 * Answers the requests that list and read resources, and those that list templates and complete their variables.
 *
 * @throws TypeError for a template that cannot be read, or a URI or template that is there twice.
 */
export function resources<const Templates extends readonly unknown[]>(
  list:
    | { readonly [I in keyof Templates]: FixedResource | TemplateResource<Templates[I]> }
    | SourceFunction<Resource>,
  options?: FeatureOptions,
): Features;
export function resources(source: Source<Resource>, options: FeatureOptions = {}): Features {
  const stated = options.listed && listedBy(options);
  const made = read(source, (resource) => prepare(resource, stated));
  const set = { provide, options, refersTo: "uri", ...made } satisfies Referable;
  return { [Symbol("resources")]: set };
}

function prepare(
  resource: Resource,
  stated: ReadonlyMap<string, JsonObject> | undefined,
): readonly [string, ReadyResource] {
  const key = resource.uri ?? resource.uriTemplate;
  const mimeType = stated ? stated.get(key)?.["mimeType"] : resource.mimeType;
  if (resource.uri !== undefined) {
    const { read: _, ...own } = resource;
    const reading: ReadyResource["read"] = (_variables, _uri, context) => resource.read(context);
    const listed = stated ? undefined : own;
    return [key, { listed, mimeType, template: undefined, read: reading, arguments: new Map() }];
  }
  const { read: _, match, complete = {}, ...own } = resource;
  const listed = stated ? undefined : own;
  const template = match ? { variables: Object.keys(complete), match } : readTemplate(resource.uriTemplate);
  const stray = Object.keys(complete).find((name) => !template.variables.includes(name));
  if (stray !== undefined) {
    throw new TypeError(`The URI template ${resource.uriTemplate} has no variable ${stray} to complete.`);
  }
  const reading: ReadyResource["read"] = (variables, uri, context) => resource.read(variables, uri, context);
  const known = new Map(template.variables.map((name) => [name, complete[name]]));
  return [key, { listed, mimeType, template, read: reading, arguments: known }];
}

function provide(features: readonly Feature[], side: SideTable): Provided {
  const { listResources = "", listTemplates = "", readResource = "" } = side.revision.wellKnown;
  const { look, list, capabilities } = kindOf<ReadyResource>(features, provide, side, listResources);
  return {
    handlers: {
      [listResources]: list(listResources, (listed) => (isTemplate(listed) ? undefined : listed)),
      [listTemplates]: list(listTemplates, (listed) => (isTemplate(listed) ? listed : undefined)),
      async [readResource]({ uri }: { readonly uri: string }, context: FeatureContext) {
        const found = find(await look(context), uri);
        const value: unknown = found && (await found.resource.read(found.variables, uri, context));
        if (!found || value === undefined) throw notFound(side, uri);
        return contentsOf(value, uri, found.resource.mimeType);
      },
      ...completing(features, side),
    },
    capabilities,
  };
}

const isTemplate = (listed: JsonObject): boolean => listed["uriTemplate"] !== undefined;

/** A URI of its own goes before all templates, and they go in their order. */
function find(
  all: ReadonlyMap<string, ReadyResource>,
  uri: string,
): { readonly resource: ReadyResource; readonly variables: Record<string, string> } | undefined {
  const fixed = all.get(uri);
  if (fixed && !fixed.template) return { resource: fixed, variables: {} };
  checkUri(uri);
  for (const resource of all.values()) {
    const variables = resource.template?.match(uri);
    if (!variables) continue;
    checkUri(uri, variables);
    return { resource, variables };
  }
  return undefined;
}

/** RES-02 */
function notFound({ revision }: SideTable, uri: string): McpError {
  const code = revision.errors["RESOURCE_NOT_FOUND"] ?? jsonRpcCodes.INVALID_PARAMS;
  return new McpError(code, `There is no resource ${uri}.`, { uri });
}

/** RES-03 */
function contentsOf(value: unknown, uri: string, mimeType: unknown): unknown {
  if (typeof value === "string") return { contents: [{ uri, mimeType, text: value }] };
  if (value instanceof Uint8Array) return { contents: [{ uri, mimeType, blob: toBase64(value) }] };
  if (isObject(value) && (Array.isArray(value["contents"]) || "resultType" in value)) {
    checkContents(value["contents"], `Reading ${uri}`);
    return value;
  }
  throw new TypeError(`Reading ${uri} gave neither text nor bytes nor a result with contents.`);
}
