import { isObject, type JsonObject } from "../../common/object.js";
import { shown } from "../core/report.js";
import { canonical } from "../core/session/digest.js";
import { decode } from "../core/session/uri.js";

/** A schema or a part of one, and where it stands. */
export interface Part {
  readonly schema: Record<string, unknown>;
  /** The JSON Pointer of the part, as in a URI. */
  readonly path: string;
  /** The URI that its references are relative to. */
  readonly base: string;
  /** True if that is the URI of this part. */
  readonly isNamed: boolean;
  /** True inside of a keyword that the dialect does not have. */
  readonly isData: boolean;
}

/** The rules of the document that the parts are of. */
interface Rules {
  readonly isOld: boolean;
  /** The URI of the dialect without a scheme, which may be a target. */
  readonly dialect: string;
  /** The beginning of each message. */
  readonly where: string;
  /** Throws for a schema that is not valid. */
  check(schema: JsonObject): void;
}

/** The base of a schema without an id. */
export const rootBase = "schema://here/";

/**
 * The URI that the `$id` of a part gives it; undefined without one that counts.
 * In draft-07 nothing counts beside `$ref`, and `#name` is an anchor.
 */
export function idOf(
  { $id, $ref }: JsonObject,
  outer: string,
  isOld: boolean,
): string | undefined {
  if (typeof $id !== "string") return undefined;
  const isIgnored = isOld && ($ref !== undefined || $id.startsWith("#"));
  return isIgnored ? undefined : uriOf($id, outer);
}

/** A URI without an empty fragment; undefined for none. */
function uriOf(text: string, base: string): string | undefined {
  return URL.canParse(text, base)
    ? new URL(text, base).href.replace(/#$/, "")
    : undefined;
}

/**
 * Checks the parts of a document, in its order, and rewrites them: each
 * reference is the path of its target in the whole document, and no part has an
 * id. So ids of a tool cannot meet those of another, and a validator has
 * nothing to look up.
 *
 * @throws TypeError for a reference without a target, and for a name that two
 *   different parts have
 */
export function resolveReferences(parts: readonly Part[], rules: Rules): void {
  const named = namesOf(parts, rules);
  const places = new Map(parts.map(({ path }, i) => [path, i]));
  const targets = new Map<string, string>();
  const queue = parts.filter(({ isData }) => !isData);
  const isQueued = new Set(queue);
  for (const { schema, path, base } of queue) {
    rules.check(schema);
    const { $ref } = schema;
    if (typeof $ref !== "string") continue;
    const target = targetOf($ref, base, named, rules.dialect);
    if (target === undefined)
      throw new TypeError(
        `${rules.where}: $ref ${shown($ref)} has no target in the schema. Other documents are not fetched.`,
      );
    schema["$ref"] =
      target.startsWith("/") || target === "" ? `#${target}` : target;
    targets.set(path, target);
    // What is referred to counts as a schema, wherever it stands.
    for (let i = places.get(target) ?? parts.length; i < parts.length; i++) {
      const part = parts[i] as Part;
      const isInside = `${part.path}/`.startsWith(`${target}/`);
      if (!isInside || isQueued.has(part)) break;
      isQueued.add(part);
      queue.push(part);
    }
  }
  refuseCircles(targets, rules.where);
  for (const { schema } of parts) forgetNames(schema);
}

/** Removes words for which a validator refuses a schema that has them twice. */
function forgetNames(schema: Record<string, unknown>): void {
  delete schema["$id"];
  delete schema["$anchor"];
  // `id` is a keyword of draft-04, and `nullable` of OpenAPI needs a type.
  delete schema["id"];
  if (schema["nullable"] !== true || schema["type"] === undefined)
    delete schema["nullable"];
}

/** The parts that have a name, by their URI. */
function namesOf(
  parts: readonly Part[],
  { isOld, where }: Rules,
): Map<string, Part> {
  const named = new Map<string, Part>();
  const add = (uri: string, part: Part): void => {
    const other = named.get(uri);
    if (!other || other.isData) named.set(uri, part);
    else if (!part.isData && canonical(other.schema) !== canonical(part.schema))
      throw new TypeError(
        `${where}: ${shown(uri.replace(rootBase, ""))} is the name of two different parts.`,
      );
  };
  for (const part of parts) {
    const { schema, base, isNamed } = part;
    const { $id, $anchor, $dynamicAnchor } = schema;
    if (isNamed) add(base, part);
    if (isOld && /^#./.test(String($id))) add(base + String($id), part);
    for (const anchor of isOld ? [] : [$anchor, $dynamicAnchor])
      if (typeof anchor === "string") add(`${base}#${anchor}`, part);
  }
  return named;
}

/**
 * The path of the target of a reference in the whole document, or the reference
 * itself if it leads to the dialect; undefined without a target.
 */
function targetOf(
  reference: string,
  base: string,
  named: ReadonlyMap<string, Part>,
  dialect: string,
): string | undefined {
  const uri = uriOf(reference, base);
  if (uri === undefined) return undefined;
  const part = named.get(uri);
  if (part) return part.path;
  const [document = "", fragment = ""] = uri.split("#");
  const whole = named.get(document);
  if (!whole)
    return document.replace(/^https?:/, "") === dialect ? reference : undefined;
  const steps = fragment.split("/");
  if (steps.shift() !== "") return undefined;
  return pathIn(
    whole,
    steps.map((step) => stepOf(decode(step) ?? step)),
  );
}

/** The path of the schema that steps of a JSON Pointer lead to. */
function pathIn(whole: Part, steps: readonly string[]): string | undefined {
  let target: unknown = whole.schema;
  for (const step of steps) {
    const name = decode(step)?.replaceAll("~1", "/").replaceAll("~0", "~");
    if (target === null || !Object.hasOwn(target as object, name ?? ""))
      return undefined;
    target = (target as Record<string, unknown>)[name ?? ""];
  }
  const isSchema = isObject(target) || typeof target === "boolean";
  return isSchema ? [whole.path, ...steps].join("/") : undefined;
}

/** A step of a JSON Pointer as it is in a URI, always escaped alike. */
export const stepOf = (step: string): string => encodeURIComponent(step);

/** Throws for references that only lead to each other. */
function refuseCircles(
  targets: ReadonlyMap<string, string>,
  where: string,
): void {
  const isDone = new Set<string>();
  for (const start of targets.keys()) {
    const seen = new Set<string>();
    let at: string | undefined = start;
    while (at !== undefined && !isDone.has(at)) {
      if (seen.has(at))
        throw new TypeError(
          `${where}: $ref ${shown(decode(`#${at}`) ?? at)} leads back to itself.`,
        );
      seen.add(at);
      at = targets.get(at);
    }
    for (const one of seen) isDone.add(one);
  }
}
