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
  read(variables: VariablesOf<T>, uri: string, context: FeatureContext): unknown;
}

export type Resource = FixedResource | TemplateResource;

interface ReadyResource extends Referred {
  readonly listed: JsonObject;
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
  const set = { provide, options, refersTo: "uri", ...read(source, prepare) } satisfies Referable;
  return { [Symbol("resources")]: set };
}

function prepare(resource: Resource): readonly [string, ReadyResource] {
  if (resource.uri !== undefined) {
    const { read: _, ...listed } = resource;
    const reading: ReadyResource["read"] = (_variables, _uri, context) => resource.read(context);
    return [resource.uri, { listed, template: undefined, read: reading, arguments: new Map() }];
  }
  const { read: _, complete = {}, ...listed } = resource;
  const template = readTemplate(resource.uriTemplate);
  const stray = Object.keys(complete).find((name) => !template.variables.includes(name));
  if (stray !== undefined) {
    throw new TypeError(`The URI template ${resource.uriTemplate} has no variable ${stray} to complete.`);
  }
  const reading: ReadyResource["read"] = (variables, uri, context) => resource.read(variables, uri, context);
  const known = new Map(template.variables.map((name) => [name, complete[name]]));
  return [resource.uriTemplate, { listed, template, read: reading, arguments: known }];
}

function provide(features: readonly Feature[], side: SideTable): Provided {
  const { listResources = "", listTemplates = "", readResource = "" } = side.revision.wellKnown;
  const { look, list, capabilities } = kindOf<ReadyResource>(features, provide, side, listResources);
  return {
    handlers: {
      [listResources]: list(listResources, ({ template, listed }) => (template ? undefined : listed)),
      [listTemplates]: list(listTemplates, ({ template, listed }) => (template ? listed : undefined)),
      async [readResource]({ uri }: { readonly uri: string }, context: FeatureContext) {
        const found = find(await look(context), uri);
        const value: unknown = found && (await found.resource.read(found.variables, uri, context));
        if (!found || value === undefined) throw notFound(side, uri);
        return contentsOf(value, uri, found.resource.listed["mimeType"]);
      },
      ...completing(features, side),
    },
    capabilities,
  };
}

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
