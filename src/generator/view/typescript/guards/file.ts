import type { Schema } from "../../../ir/constraint.js";
import type { Definitions } from "../../../ir/constraint/accepts.js";
import { textOf } from "../../../ir/constraint/walk.js";
import { type Code, code, identifier } from "../code.js";
import type { Layout } from "../layout.js";
import type { Names } from "../names.js";
import { localName, localNames } from "./names.js";

/** The common state of the guards of one file. */
export interface GuardFile {
  readonly definitions: Definitions;
  /** The definitions that get a guard. */
  readonly keys: ReadonlySet<string>;
  readonly naming: GuardNaming;
  /**
   * Definitions whose guards call each other through `deep` or `attempt`, which
   * limit the depth of the stack.
   */
  readonly recursive: ReadonlySet<string>;
  /**
   * True for schemas of a server, which are not trusted. Their guards remember
   * the results of recursive calls, because a hostile schema could repeat these
   * endlessly, and report the closest alternative of a union.
   */
  readonly isUntrusted: boolean;
  /**
   * Unnamed objects and arrays that are checked in several places, as `textOf`
   * prints them.
   */
  readonly repeated: ReadonlySet<string>;
  /**
   * The tags of the most frequent messages, which a `switch` compares first.
   */
  readonly frequentTags: ReadonlySet<unknown>;
  /** Identifiers that are used at the top level of the file. */
  readonly fileNames: Names;
  /** Guards for unnamed schemas, by the schema's text. */
  readonly helpers: Map<string, GuardHelper>;
  /** Patterns and sets of values, by their text. */
  readonly constants: Map<string, GuardConstant>;
}

interface GuardNaming {
  /** The guard of a definition. */
  guard(key: string): Code;
  /** The name of a definition in messages. */
  word(key: string): string;
}

/** A guard that the file does not export. */
interface GuardHelper {
  readonly name: Code;
  readonly body: readonly Layout[];
}

interface GuardConstant {
  readonly name: Code;
  /** `pattern: RegExp = …` */
  readonly text: Code;
}

/** One guard function. */
export interface Scope {
  readonly file: GuardFile;
  /**
   * The stem of helper names: the definition, followed by the path of members.
   */
  readonly owner: string;
  /** True if a call from this guard can lead back to it. */
  readonly isRecursive: boolean;
  /** The variables of the function. */
  readonly locals: Names;
}

/** The scope of a definition's guard. */
export function scopeOf(file: GuardFile, key: string, owner: string): Scope {
  return {
    file,
    owner,
    isRecursive: file.recursive.has(key),
    locals: localNames(),
  };
}

/**
 * The same scope for a part of the value: its helpers have the part in their
 * names.
 */
export function inPart(scope: Scope, part: string): Scope {
  return { ...scope, owner: scope.owner + part };
}

/** A new variable, named after a member. */
export function local({ locals }: Scope, member: string): Code {
  return identifier(locals.claim(localName(member)));
}

/** A call of a definition's guard. */
export function guardCall(scope: Scope, key: string, value: Code): Code {
  const guard = scope.file.naming.guard(key);
  return scope.file.recursive.has(key)
    ? callFrom(scope, guard, value)
    : code`${guard}(${value})`;
}

/** A call of a guard that may lead back to the guard of this scope. */
export function callFrom(
  { file, isRecursive }: Scope,
  guard: Code,
  value: Code,
): Code {
  if (!isRecursive) return code`${guard}(${value})`;
  return file.isUntrusted
    ? code`attempt(${guard}, ${value})`
    : code`deep(${guard}, ${value})`;
}

/**
 * A condition for checks that reject a value because a guard accepts it. In a
 * recursive check, the acceptance is provisional until all deeper values are
 * checked.
 */
export function finalIn({ isRecursive }: Scope): Code[] {
  return isRecursive ? [code`!isProvisional()`] : [];
}

/**
 * The maximum length of the part of a helper's name that comes from the schema.
 */
const maxOwner = 50;

/**
 * The guard of an unnamed schema. Equal schemas share a guard: that of the
 * definition whose name the helper would get, or a helper.
 */
export function helperOf(
  scope: Scope,
  schema: Schema,
  write: (scope: Scope, schema: Schema) => Layout[],
): Code {
  const { file, owner, isRecursive } = scope;
  const namesake =
    file.keys.has(owner) && !isRecursive
      ? file.definitions.get(owner)
      : undefined;
  if (namesake !== undefined && textOf(namesake.schema) === textOf(schema))
    return file.naming.guard(owner);
  const key = textOf(schema) + (isRecursive ? "R" : "");
  const helper = file.helpers.get(key);
  if (helper !== undefined) return helper.name;
  const name = identifier(
    file.fileNames.claim(`is${owner.slice(0, maxOwner)}`),
  );
  // Registered before its body is generated, because an unnamed schema may
  // contain itself.
  const body: Layout[] = [];
  file.helpers.set(key, { name, body });
  for (const statement of write({ ...scope, locals: localNames() }, schema))
    body.push(statement);
  return name;
}

/** A constant of the file. */
export function constantOf(
  { file }: Scope,
  baseName: string,
  type: Code,
  value: Code,
): Code {
  const key = JSON.stringify([type.layout, value.layout]);
  const constant = file.constants.get(key);
  if (constant !== undefined) return constant.name;
  const name = identifier(file.fileNames.claim(baseName));
  file.constants.set(key, { name, text: code`${name}: ${type} = ${value}` });
  return name;
}
