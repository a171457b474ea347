import { anything } from "../ir/constraint.js";
import type { Definitions } from "../ir/constraint/accepts.js";
import { definitionsOf } from "../ir/definitions.js";
import { index } from "../ir/lookup.js";
import type { Declaration, Protocol } from "../ir/model.js";
import type { Snapshot } from "../ir/snapshot/model.js";
import type { Naming } from "./naming.js";
import type { ProjectNaming } from "./project/naming.js";
import {
  fromLayout,
  type Code,
  code,
  identifier,
  nameList,
  signature,
} from "./typescript/code.js";
import { docComment } from "./typescript/doc.js";
import { type GuardFile, scopeOf } from "./typescript/guards/file.js";
import {
  importedNames,
  importedChecks,
  nearestName,
} from "./typescript/guards/names.js";
import {
  costlyKeys,
  recursiveKeys,
  repeatedSchemas,
} from "./typescript/guards/analysis.js";
import { guardBody } from "./typescript/guards/statements.js";
import {
  group,
  hardline,
  indent,
  line,
  type Layout,
} from "./typescript/layout.js";
import { Names } from "./typescript/names.js";
import { usedNames } from "./typescript/used-names.js";

/**
 * `validators.ts`: a guard and a schema object for every definition, and
 * helpers for schemas without a name.
 */
interface ValidatorsView {
  /** The imports from `validate.ts`: `fail, inside, isObject`. */
  readonly imports: Code;
  /** The imports from `checks.ts`; null without any. */
  readonly checks: Code | null;
  /** `pattern: RegExp = …` */
  readonly constants: readonly Code[];
  readonly validators: readonly ValidatorView[];
  readonly helpers: readonly HelperView[];
}

interface HelperView {
  /** `isX(value: unknown): boolean` */
  readonly signature: Code;
  readonly body: Code;
}

interface ValidatorView {
  readonly doc: Code | null;
  /** `isX(value: unknown): value is t.X` */
  readonly signature: Code;
  /** Statements, one below the other. */
  readonly body: Code;
  /** `XSchema: Schema<t.X> = …;`; null if only guards are used. */
  readonly schema: Code | null;
}

/**
 * The validators of a protocol. With `guards`, only the guards of these types
 * and no schema objects.
 */
export function validatorsView(
  protocol: Protocol,
  synthesized: readonly Declaration[],
  naming: Naming,
  guards?: ReadonlySet<string>,
): ValidatorsView {
  const declarations = index([...protocol.declarations, ...synthesized]);
  const definitions = definitionsOf(declarations);
  const { callTool } = protocol.wellKnown;
  const keys = [...declarations.values()]
    .filter(
      ({ kind, name }) => kind !== "constant" && (guards?.has(name) ?? true),
    )
    .map(({ name }) => name);
  return viewOf({
    definitions,
    keys,
    naming,
    word: (name) => name,
    recursive: recursiveKeys(definitions),
    frequentTags: new Set(callTool === undefined ? [] : [callTool]),
    isUntrusted: false,
    withSchemas: guards === undefined,
  });
}

/**
 * The validators of a project: for the input and output of a server's tools and
 * prompts.
 */
export function projectValidatorsView(
  snapshot: Snapshot,
  naming: ProjectNaming,
): ValidatorsView {
  const definitions = new Map(
    snapshot.definitions.map((definition) => [definition.key, definition]),
  );
  return viewOf({
    definitions,
    keys: [...definitions.keys()],
    naming,
    word: (key) => String(naming.type(key).layout),
    recursive: costlyKeys(definitions),
    frequentTags: new Set(),
    isUntrusted: true,
    withSchemas: true,
  });
}

interface Request extends Pick<
  GuardFile,
  "recursive" | "frequentTags" | "isUntrusted"
> {
  readonly definitions: Definitions;
  /** The definitions that get a guard. */
  readonly keys: readonly string[];
  readonly naming: Pick<
    Naming,
    "guard" | "schema" | "importedType" | "validatorNames"
  >;
  readonly word: (key: string) => string;
  readonly withSchemas: boolean;
}

function viewOf({
  keys,
  naming,
  word,
  withSchemas,
  ...request
}: Request): ValidatorsView {
  const file: GuardFile = {
    ...request,
    keys: new Set(keys),
    naming: { guard: (key) => naming.guard(key), word },
    repeated: repeatedSchemas(request.definitions),
    fileNames: new Names([
      ...importedNames,
      nearestName,
      ...importedChecks,
      ...naming.validatorNames,
    ]),
    helpers: new Map(),
    constants: new Map(),
  };
  const validators = keys.map((key) =>
    validatorView(file, key, word(key), naming, withSchemas),
  );
  const helpers = [...file.helpers.values()].map(({ name, body }) => ({
    signature: code`${name}(value: unknown): boolean`,
    body: lines(body),
  }));
  const bodies = [...helpers, ...validators].map(({ body }) => body);
  const names = usedNames(bodies, [
    ...importedNames,
    nearestName,
    ...importedChecks,
  ]);
  const imports = [...importedNames, nearestName].filter(
    (name) => names.has(name) && !/^(?:t|schema)$/i.test(name),
  );
  const checks = importedChecks
    .filter((name) => names.has(name))
    .map(identifier);
  return {
    imports: nameList([
      ...imports.map(identifier),
      ...(withSchemas ? [code`schema`, code`type Schema`] : []),
    ]),
    checks: checks.length === 0 ? null : nameList(checks),
    constants: [...file.constants.values()].map(({ text }) => text),
    validators,
    helpers,
  };
}

function validatorView(
  file: GuardFile,
  key: string,
  name: string,
  naming: Request["naming"],
  withSchema: boolean,
): ValidatorView {
  const guard = naming.guard(key);
  const type = naming.importedType(key);
  const schema = file.definitions.get(key)?.schema ?? anything;
  const doc = docComment([
    `Tests whether a value is ${/^[AEIOU]/.test(name) ? "an" : "a"} \`${name}\`.`,
  ]);
  return {
    doc,
    signature: signature(guard, [code`value: unknown`], code`value is ${type}`),
    body: lines(guardBody(scopeOf(file, key, name), schema)),
    schema: withSchema
      ? fromLayout([
          [naming.schema(key).layout, ": Schema<", type.layout, "> ="],
          group(indent([line, "/* @__PURE__ */ schema(", guard.layout, ");"])),
        ])
      : null,
  };
}

function lines(statements: readonly Layout[]): Code {
  return fromLayout(
    statements.map((statement, i) =>
      i === 0 ? statement : [hardline, statement],
    ),
  );
}
