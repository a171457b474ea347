import type { Definition, Schema } from "../../../ir/constraint.js";
import { type Code, code, identifier } from "../../typescript/code.js";
import { localNames } from "../../guards/names.js";
import type { Layout } from "../../typescript/layout.js";
import type { Names } from "../../typescript/names.js";
import type { ProjectNaming } from "../naming.js";

/** What writing the guards of one project needs to know. */
export interface GuardFile {
  readonly naming: ProjectNaming;
  readonly definitions: ReadonlyMap<string, Definition>;
  /** Definitions whose verdicts are remembered: they contain themselves, or are met again and again. */
  readonly heavy: ReadonlySet<string>;
  /** Identifiers taken at the top of the file. */
  readonly fileNames: Names;
  /** Guards for schemas without a name, by the schema's text. */
  readonly helpers: Map<string, GuardHelper>;
  /** Patterns and sets of values, by their text. */
  readonly constants: Map<string, GuardConstant>;
}

export interface GuardHelper {
  readonly name: Code;
  readonly body: Layout[];
}

export interface GuardConstant {
  readonly name: Code;
  /** `pattern: RegExp = …` */
  readonly text: Code;
}

/** One guard function: whose it is, and the variables it has named so far. */
export interface GuardScope {
  readonly file: GuardFile;
  /** What a helper is named after: the definition, then the members that lead to it. */
  readonly owner: string;
  /** Is what it calls remembered? */
  readonly isHeavy: boolean;
  readonly locals: Names;
}

export function newScope(file: GuardFile, owner: string, isHeavy: boolean): GuardScope {
  return { file, owner, isHeavy, locals: localNames() };
}

/** A call of a definition's guard. */
export function callOf({ file }: GuardScope, key: string, value: Code): Code {
  const guard = file.naming.guard(key);
  return file.heavy.has(key) ? code`attempt(${guard}, ${value})` : code`${guard}(${value})`;
}

/** A call of a helper. */
export function helperCall({ isHeavy }: GuardScope, helper: Code, value: Code): Code {
  return isHeavy ? code`attempt(${helper}, ${value})` : code`${helper}(${value})`;
}

/** What must be true for a yes to count as one: of a value that is judged in parts, not all may be known. */
export function sureIn({ isHeavy }: GuardScope): Code[] {
  return isHeavy ? [code`!isUnsure()`] : [];
}

/** A guard for a schema without a name; the same schema gets the same guard. */
export function helperOf(
  scope: GuardScope,
  schema: Schema,
  write: (scope: GuardScope, schema: Schema) => Layout[],
): Code {
  const { file, owner, isHeavy } = scope;
  const key = JSON.stringify([isHeavy, schema], withoutDocs);
  const known = file.helpers.get(key);
  if (known !== undefined) return known.name;
  const name = identifier(file.fileNames.claim(`is${owner.slice(0, 50)}`));
  const body: Layout[] = [];
  file.helpers.set(key, { name, body });
  for (const statement of write(newScope(file, owner, isHeavy), schema)) body.push(statement);
  body.push("return true;");
  return name;
}

const withoutDocs = (key: string, value: unknown): unknown => (key === "doc" ? undefined : value);

/** A value that is made once, when the file is loaded and the first guard needs it. */
export function constantOf(scope: GuardScope, wanted: string, type: Code, value: Code): Code {
  const { constants, fileNames } = scope.file;
  const key = JSON.stringify([type.layout, value.layout]);
  const known = constants.get(key);
  if (known !== undefined) return known.name;
  const name = identifier(fileNames.claim(wanted));
  const text = code`${name}: ${type} = ${value}`;
  constants.set(key, { name, text });
  return name;
}
