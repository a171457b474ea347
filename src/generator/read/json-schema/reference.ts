import { dataKeywords, mapKeywords } from "../../ir/constraint/annotations.js";
import { localRef, pointerOf, stepInto } from "../json/text/pointer.js";
import { stringOf, type JsonNode } from "../json/text/tree.js";
import { isDraft, type Dialect, type SchemaContext } from "./context.js";
import { keyword } from "./keyword.js";

/**
 * A schema with an identifier, or the whole document. A reference that starts
 * with # starts there.
 */
export interface Resource {
  readonly node: JsonNode;
  /** The path from the root of the document. */
  readonly steps: readonly string[];
  readonly uri: string;
  readonly dialect: Dialect;
}

/** The target of a reference. */
interface Target {
  /** The pointer from the root; empty for the root itself. */
  readonly pointer: string;
  readonly label: string;
  readonly node: JsonNode;
  /** The schema with an identifier that contains the target. */
  readonly resource: Resource;
}

/**
 * The address of a document without an identifier. Identifiers in it are
 * relative to this one.
 */
const unnamed = "unnamed://document/";

/** The resource of a whole document. */
export function documentOf(node: JsonNode, dialect: Dialect): Resource {
  return {
    node,
    steps: [],
    uri: resolveUri(idOf(node, dialect) ?? "", unnamed),
    dialect,
  };
}

/** The resource that a schema starts, or the one that contains it. */
export function resourceOf(
  { root, resource }: Pick<SchemaContext, "root" | "resource">,
  node: JsonNode,
): Resource {
  return idOf(node, resource.dialect) === null
    ? resource
    : (resourcesIn(root, resource).byNode.get(node) ?? resource);
}

/**
 * The resource in which a reference ends; null if it is not in this document.
 */
export function startOf(
  { root, resource }: SchemaContext,
  ref: string,
): Resource | null {
  const [address = ""] = ref.split("#");
  const uri = address === "" ? resource.uri : resolveUri(address, resource.uri);
  return uri === resource.uri
    ? resource
    : (resourcesIn(root, resource).byUri.get(uri) ?? null);
}

/**
 * The target of a reference; null if it is not inside this document. Nothing is
 * fetched.
 */
export function targetOf(context: SchemaContext, ref: string): Target | null {
  const { root } = context;
  const start = startOf(context, ref);
  if (start === null) return null;
  const [, fragment = ""] = ref.split(/#(.*)/s);
  const steps = localRef(`#${fragment}`);
  if (steps === null) return anchored(start, fragment);
  let node: JsonNode | null = start.node;
  let inner = start;
  for (const step of steps) {
    node = stepInto(node, step);
    if (node === null) return null;
    inner = resourceOf({ root, resource: inner }, node);
  }
  const label =
    steps.at(-1) ??
    (start.steps.length === 0 ? "" : (start.uri.split("/").at(-1) ?? ""));
  return {
    pointer: pointerOf([...start.steps, ...steps]),
    label,
    node,
    resource: inner,
  };
}

/**
 * An address without its fragment, relative to another one. An address that is
 * not a URI is returned unchanged.
 */
function resolveUri(address: string, base: string): string {
  const [whole = ""] = address.split("#");
  return URL.canParse(whole, base) ? new URL(whole, base).href : whole;
}

const idKeyword = (dialect: Dialect): string =>
  dialect === "draft-04" ? "id" : "$id";

/**
 * The identifier of a schema, at which references inside it start. In drafts,
 * `#name` is only an anchor, and `$ref` has no siblings.
 */
function idOf(node: JsonNode, dialect: Dialect): string | null {
  if (
    node.kind === "object" &&
    isDraft(dialect) &&
    keyword(node, "$ref") !== undefined
  )
    return null;
  const id =
    node.kind === "object"
      ? stringOf(keyword(node, idKeyword(dialect)) ?? null)
      : null;
  return id === null || id.startsWith("#") ? null : id;
}

/**
 * The resources of a document. References do not lead to an identifier that
 * several have: one may be inside an unknown keyword.
 */
interface Resources {
  readonly byUri: Map<string, Resource | null>;
  readonly byNode: Map<JsonNode, Resource>;
}

const known = new WeakMap<JsonNode, Resources>();

function resourcesIn(root: JsonNode, { dialect }: Resource): Resources {
  const earlier = known.get(root);
  if (earlier !== undefined) return earlier;
  const resources: Resources = { byUri: new Map(), byNode: new Map() };
  for (const { resource } of nodesOf(documentOf(root, dialect))) {
    if (resources.byNode.has(resource.node)) continue;
    resources.byNode.set(resource.node, resource);
    resources.byUri.set(
      resource.uri,
      resources.byUri.has(resource.uri) ? null : resource,
    );
  }
  known.set(root, resources);
  return resources;
}

/** A node of a document, with the resource that it starts or is in. */
interface Place {
  readonly node: JsonNode;
  readonly steps: readonly string[];
  readonly resource: Resource;
}

/**
 * All nodes in a resource, those that may be schemas, in the order of the text.
 */
function* nodesOf(start: Resource): Generator<Place, void, undefined> {
  const open: Place[] = [
    { node: start.node, steps: start.steps, resource: start },
  ];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    yield place;
    const { node, steps, resource } = place;
    const children: Place[] = [];
    const add = (child: JsonNode, step: string): void => {
      const path = [...steps, step];
      const { dialect, uri } = resource;
      const id = idOf(child, dialect);
      const own =
        id === null
          ? resource
          : { node: child, steps: path, uri: resolveUri(id, uri), dialect };
      children.push({ node: child, steps: path, resource: own });
    };
    if (node.kind === "array")
      node.items.forEach((item, index) => add(item, String(index)));
    // The members of these are names, whatever they are called.
    const hasNames = mapKeywords.has(steps.at(-1) ?? "");
    if (node.kind === "object") {
      for (const [key, { value }] of node.members)
        if (hasNames || !dataKeywords.has(key)) add(value, key);
    }
    for (const child of children.reverse()) open.push(child);
  }
}

/**
 * The schema with this anchor in a resource: an `$anchor`, or in draft-07 an
 * `$id` that starts with #.
 */
function anchored(start: Resource, name: string): Target | null {
  for (const { node, steps, resource } of nodesOf(start)) {
    // Anchors inside a schema with an identifier belong to that schema only.
    if (resource !== start || node.kind !== "object") continue;
    const anchor = stringOf(keyword(node, "$anchor") ?? null);
    const id = stringOf(keyword(node, idKeyword(resource.dialect)) ?? null);
    if (name !== "" && (anchor === name || id === `#${name}`))
      return { pointer: pointerOf(steps), label: name, node, resource };
  }
  return null;
}
