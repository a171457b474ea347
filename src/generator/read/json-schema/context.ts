import type { Scope } from "../../diagnostics.js";
import type { Check, Note, Schema } from "../../ir/constraint.js";
import { withoutAnnotations } from "../../ir/constraint/annotations.js";
import type { Json } from "../../ir/json.js";
import { documentOf, type Resource } from "./reference.js";
import {
  toJson,
  type JsonNode,
  type JsonObject,
  type Locations,
} from "../json/text/tree.js";

/** The context in which a schema is read. */
export interface SchemaContext {
  readonly locationAt: Locations;
  readonly scope: Scope;
  readonly dialect: Dialect;
  /** The document. */
  readonly root: JsonNode;
  /**
   * The part of the document at which local references start: it, or a schema
   * with its own `$id`.
   */
  readonly resource: Resource;
  /** The number of schemas around this one. */
  readonly depth: number;
  readonly policy: SchemaPolicy;
  readonly own: OwnState;
}

/**
 * What the reader collects about one schema, apart from the schemas inside it.
 */
interface OwnState {
  /**
   * True if a part of the schema is not checked, so that it accepts too many
   * values.
   */
  isOverApproximated: boolean;
  /** The conditions that are not checked. */
  readonly unchecked: Note[];
}

function ownState(): OwnState {
  return { isOverApproximated: false, unchecked: [] };
}

/**
 * The policy, which differs between revisions and tools: how strict the reader
 * is, and how it treats references.
 */
export interface SchemaPolicy {
  /**
   * True if a document may have keywords of draft-07, which names another
   * dialect or none.
   */
  readonly mixesDialects: (hasDialect: boolean) => boolean;
  /**
   * Returns the part of a schema to read, and reports the rest: an object or a
   * boolean, or the final schema if nothing is to be read.
   */
  readonly prepare: (
    context: SchemaContext,
    node: JsonNode,
  ) => JsonObject | Schema | boolean;
  /**
   * Reports a keyword whose value has the wrong type. The keyword restricts
   * nothing.
   */
  readonly malformed: (
    context: SchemaContext,
    node: JsonNode,
    keyword: string,
    expected: string,
  ) => void;
  /** Reads the reference `ref`, the value of the node. */
  readonly reference: (
    context: SchemaContext,
    node: JsonNode,
    ref: string,
  ) => readonly Check[];
  /** Called with each schema after it is read; returns the schema to use. */
  readonly afterRead: (
    context: SchemaContext,
    node: JsonObject,
    schema: Schema,
  ) => Schema;
}

/** The context of a whole document. */
export function documentContext(
  root: JsonNode,
  dialect: Dialect,
  locationAt: Locations,
  scope: Scope,
  policy: SchemaPolicy,
): SchemaContext {
  const resource = documentOf(root, dialect);
  return {
    locationAt,
    scope,
    dialect,
    root,
    depth: 0,
    resource,
    policy,
    own: ownState(),
  };
}

/** The context of a schema inside this one. */
export function inside(context: SchemaContext, element: string): SchemaContext {
  // Not combined with `ownContext`, because spreading objects takes a tenth of
  // the time of a first reading.
  return {
    locationAt: context.locationAt,
    scope: context.scope.in(element),
    dialect: context.dialect,
    root: context.root,
    depth: context.depth + 1,
    resource: context.resource,
    policy: context.policy,
    own: context.own,
  };
}

/** The context of a schema while its own keywords are read. */
export function ownContext(
  context: SchemaContext,
  resource: Resource,
): SchemaContext {
  return {
    locationAt: context.locationAt,
    scope: context.scope,
    dialect: context.dialect,
    root: context.root,
    depth: context.depth,
    resource,
    policy: context.policy,
    own: ownState(),
  };
}

/** Reports a condition that is not checked: the keyword with this value. */
export function reportUnchecked(
  context: SchemaContext,
  keyword: string,
  node: JsonNode,
  message: string,
  hint: string | null = null,
): void {
  addUnchecked(context, keyword, toJson(node));
  context.scope.warn("MG308", context.locationAt(node.at), message, hint);
}

/** Records a condition that is not checked, for comparisons. */
export function addUnchecked(
  { own }: SchemaContext,
  keyword: string,
  value: Json,
): void {
  own.isOverApproximated = true;
  own.unchecked.push({
    keyword,
    value: withoutAnnotations(value),
    isCondition: true,
  });
}

/** The supported dialects of JSON Schema. */
export type Dialect = "draft-04" | "draft-07" | "2019-09" | "2020-12";

/** True for the drafts before 2019-09. */
export const isDraft = (dialect: Dialect): boolean =>
  dialect.startsWith("draft-");

/**
 * The dialects by `$schema`. Draft-06 has the same meaning as draft-07 for all
 * keywords that are read.
 */
const dialects: readonly (readonly [pattern: RegExp, dialect: Dialect])[] = [
  [/^https?:\/\/json-schema\.org\/draft-04\/schema#?$/, "draft-04"],
  [/^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/, "draft-07"],
  [/^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/, "2019-09"],
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, "2020-12"],
];

/** The dialect of a `$schema`; null for an unknown one. */
export function dialectNamed(uri: string | null): Dialect | null {
  return (
    dialects.find(([pattern]) => uri !== null && pattern.test(uri))?.[1] ?? null
  );
}
