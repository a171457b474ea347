import type { Schema } from "../../../ir/constraint.js";
import { type Code, code, identifier } from "../code.js";
import type { Layout } from "../layout.js";
import type { Names } from "../names.js";
import { localName, localNames } from "./names.js";

/** Schemas by the keys that references lead to. */
export type Definitions = ReadonlyMap<string, { readonly schema: Schema }>;

/** What the guards of one file share. */
export interface GuardFile {
  readonly definitions: Definitions;
  readonly naming: GuardNaming;
  /** Definitions whose guards call each other through `deep` or `attempt`, which bound the depth of the stack. */
  readonly recursive: ReadonlySet<string>;
  /**
   * Are the schemas a server's own text? Their guards remember the results of recursive calls, which a hostile schema could
   * repeat without end, and report the closest alternative of a union.
   */
  readonly isUntrusted: boolean;
  /** Objects without a name that are checked in several places, as `textOf` writes them. */
  readonly repeated: ReadonlySet<string>;
  /** Identifiers that are taken at the top of the file. */
  readonly fileNames: Names;
  /** Guards for schemas without a name, by the schema's text. */
  readonly helpers: Map<string, GuardHelper>;
  /** Patterns and sets of values, by their text. */
  readonly constants: Map<string, GuardConstant>;
}

export interface GuardNaming {
  /** The guard of a definition. */
  guard(key: string): Code;
  /** The name of a definition in messages. */
  word(key: string): string;
}

/** A guard that the file does not export. */
export interface GuardHelper {
  readonly name: Code;
  readonly body: readonly Layout[];
}

export interface GuardConstant {
  readonly name: Code;
  /** `pattern: RegExp = …` */
  readonly text: Code;
}

/** One guard function. */
export interface Scope {
  readonly file: GuardFile;
  /** What a helper is named after: the definition, then the members that lead to it. */
  readonly owner: string;
  /** Can a call from this guard lead back to it? */
  readonly isRecursive: boolean;
  /** The variables of the function so far. */
  readonly locals: Names;
}

/** The scope of a definition's guard. */
export function scopeOf(file: GuardFile, key: string, owner: string): Scope {
  return { file, owner, isRecursive: file.recursive.has(key), locals: localNames() };
}

/** The same scope for a part of the value: its helpers have the part in their names. */
export function within(scope: Scope, part: string): Scope {
  return { ...scope, owner: scope.owner + part };
}

/** A new variable, named after a member. */
export function local({ locals }: Scope, member: string): Code {
  return identifier(locals.claim(localName(member)));
}

/** A call of a definition's guard. */
export function guardCall(scope: Scope, key: string, value: Code): Code {
  const guard = scope.file.naming.guard(key);
  return scope.file.recursive.has(key) ? callFrom(scope, guard, value) : code`${guard}(${value})`;
}

/** A call of a guard that may lead back to the guard of this scope. */
export function callFrom({ file, isRecursive }: Scope, guard: Code, value: Code): Code {
  if (!isRecursive) return code`${guard}(${value})`;
  return file.isUntrusted ? code`attempt(${guard}, ${value})` : code`deep(${guard}, ${value})`;
}

/**
 * A condition for what rejects because a guard accepts: an acceptance in a recursive check may be provisional, until the
 * deepest values are checked.
 */
export function finalIn({ isRecursive }: Scope): Code[] {
  return isRecursive ? [code`!isUnsure()`] : [];
}

/** Longest part of a helper's name that comes from the schema. */
const MAX_OWNER = 50;

/** The guard of a schema without a name. Equal schemas have the same guard. */
export function helperOf(
  scope: Scope,
  schema: Schema,
  write: (scope: Scope, schema: Schema) => Layout[],
): Code {
  const { file, owner, isRecursive } = scope;
  const key = textOf(schema) + (isRecursive ? "R" : "");
  const known = file.helpers.get(key);
  if (known !== undefined) return known.name;
  const name = identifier(file.fileNames.claim(`is${owner.slice(0, MAX_OWNER)}`));
  // Registered before its body is written: a schema without a name may contain itself.
  const body: Layout[] = [];
  file.helpers.set(key, { name, body });
  for (const statement of write({ ...scope, locals: localNames() }, schema)) body.push(statement);
  return name;
}

/** A value that the file makes once, when it is loaded. */
export function constantOf({ file }: Scope, wanted: string, type: Code, value: Code): Code {
  const key = JSON.stringify([type.layout, value.layout]);
  const known = file.constants.get(key);
  if (known !== undefined) return known.name;
  const name = identifier(file.fileNames.claim(wanted));
  file.constants.set(key, { name, text: code`${name}: ${type} = ${value}` });
  return name;
}

const texts = new WeakMap<Schema, string>();

/** A schema as text: equal for schemas that differ only in their comments. */
export function textOf(schema: Schema): string {
  const known = texts.get(schema);
  if (known !== undefined) return known;
  const text = JSON.stringify(schema, (key, value: unknown) => (key === "doc" ? undefined : value));
  texts.set(schema, text);
  return text;
}
