import { flattenType } from "../ir/flatten.js";
import { index, type Index } from "../ir/lookup.js";
import type { Declaration, Protocol, Type } from "../ir/model.js";
import { arranged, type Code, code, identifier, nameList, signature } from "./typescript/code.js";
import { docComment } from "./typescript/doc.js";
import type { Context, Scope } from "./guards/context.js";
import { IMPORTED, localNames } from "./guards/names.js";
import { checks, memberChecks, objectTest, restChecks } from "./guards/statements.js";
import { repeatedTypes } from "./guards/repeated.js";
import { recursiveNames } from "./guards/union.js";
import { unionBody } from "./guards/union-body.js";
import { group, hardline, indent, isList, line, type Layout } from "./typescript/layout.js";
import { Names } from "./typescript/names.js";
import type { Naming } from "./naming.js";
import type { Synthesized } from "./plan/params.js";

/** `validators.ts`: a guard and a schema for every named type, and guards for unions without a name. */
export interface ValidatorsView {
  /** What of `validate.ts` is used: `fail, inside, isObject`. */
  readonly imports: Code;
  readonly helpers: readonly HelperView[];
  readonly validators: readonly ValidatorView[];
}

export interface HelperView {
  /** `isX(value: unknown): boolean` */
  readonly signature: Code;
  readonly body: Code;
}

export interface ValidatorView {
  readonly doc: Code | null;
  /** `isX(value: unknown): value is t.X` */
  readonly signature: Code;
  /** Statements, one below the other. */
  readonly body: Code;
  /** `XSchema: Schema<t.X> = …;`; null where guards are all that is used. */
  readonly schema: Code | null;
}

/** With `guards`, only the guards of these types and no schemas. */
export function validatorsView(
  protocol: Protocol,
  synthesized: readonly Synthesized[],
  naming: Naming,
  guards?: ReadonlySet<string>,
): ValidatorsView {
  const declarations = withSynthesized(index(protocol), synthesized);
  const context: Context = {
    declarations,
    naming,
    recursive: recursiveNames(declarations),
    repeated: repeatedTypes(declarations),
    fileNames: new Names([...IMPORTED, ...naming.validatorNames]),
    helpers: new Map(),
  };
  const types = [...declarations.values()].filter(
    ({ kind, name }) => kind !== "constant" && (guards?.has(name) ?? true),
  );
  const validators = types.map((entry) => validatorView(context, entry, guards === undefined));
  const helpers = [...context.helpers.values()].map(({ name, body }) => ({
    signature: code`${name}(value: unknown): boolean`,
    body: lines(body),
  }));
  const bodies = [...helpers, ...validators].map(({ body }) => body);
  const schemaNames = guards === undefined ? ["Schema", "schema"] : [];
  return { imports: usedImports(bodies, schemaNames), helpers, validators };
}

/** A named import list of what the bodies call; unused imports would fail a strict compiler. */
function usedImports(bodies: readonly Code[], others: readonly string[]): Code {
  const used = new Set([...others, ...usedNames(bodies, IMPORTED)]);
  const names = IMPORTED.filter((name) => used.has(name) && name !== "t");
  return nameList(names.map((name) => (name === "Schema" ? code`type Schema` : identifier(name))));
}

const LITERAL = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;

/** Those of the names that some code uses outside of its literals. */
export function usedNames(bodies: readonly Code[], names: readonly string[]): ReadonlySet<string> {
  let missing = names;
  let word = wordOf(missing);
  for (const { layout } of bodies) {
    const bare = textOf(layout).replace(LITERAL, "");
    if (!word.test(bare)) continue;
    missing = missing.filter((name) => !wordOf([name]).test(bare));
    if (missing.length === 0) break;
    word = wordOf(missing);
  }
  return new Set(names.filter((name) => !missing.includes(name)));
}

/** All text of a layout, in whatever order. */
function textOf(layout: Layout): string {
  const texts: string[] = [];
  const open: Layout[] = [layout];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next === "string") texts.push(next);
    else if (isList(next)) {
      for (const part of next) {
        if (typeof part === "string") texts.push(part);
        else open.push(part);
      }
    } else if (next.kind === "ifBreak") open.push(next.broken, next.flat);
    else if (next.kind !== "line") open.push(next.of);
  }
  return texts.join("\n");
}

function wordOf(names: readonly string[]): RegExp {
  return new RegExp(`\\b(?:${names.join("|")})\\b`);
}

function withSynthesized(declarations: Index, synthesized: readonly Synthesized[]): Index {
  const all = new Map(declarations);
  for (const { name, doc, properties, rest } of synthesized) {
    const declaration = {
      kind: "interface" as const,
      name,
      doc: { text: doc, tags: [] },
      bases: [],
      properties,
      rest,
    };
    all.set(name, declaration);
  }
  return all;
}

function validatorView(context: Context, declaration: Declaration, withSchema: boolean): ValidatorView {
  const { name } = declaration;
  const guard = context.naming.guard(name);
  const type = context.naming.imported(name);
  const schema = context.naming.schema(name);
  return {
    doc: docComment([`Is the value ${article(name)} \`${name}\`?`]),
    signature: signature(guard, [code`value: unknown`], code`value is ${type}`),
    body: lines(bodyOf(context, declaration)),
    schema: withSchema
      ? arranged([
          [schema.layout, ": Schema<", type.layout, "> ="],
          group(indent([line, "/* @__PURE__ */ schema(", guard.layout, ");"])),
        ])
      : null,
  };
}

function article(name: string): string {
  return /^[AEIOU]/.test(name) ? "an" : "a";
}

function bodyOf(context: Context, declaration: Declaration): Layout[] {
  const { name } = declaration;
  const scope: Scope = {
    context,
    owner: name,
    isRecursive: context.recursive.has(name),
    locals: localNames(),
  };
  const value = code`value`;
  const flat = flattenType(context.declarations, { kind: "reference", name });
  const isReference = declaration.kind === "alias" && declaration.type.kind === "reference";
  if (flat !== null && !isReference) {
    const members = memberChecks(scope, flat.properties, value, []);
    return [
      ...objectTest(value, []),
      ...members,
      ...restChecks(scope, flat.rest, flat.properties, value, []),
      "return true;",
    ];
  }
  return aliasBody(scope, declaration.kind === "alias" ? declaration.type : { kind: "unknown" }, value);
}

function aliasBody(scope: Scope, type: Type, value: Code): Layout[] {
  if (type.kind === "union") return unionBody(scope, type.members, value);
  if (type.kind === "reference")
    return [code`return ${scope.context.naming.guard(type.name)}(${value});`.layout];
  return [...checks(scope, type, value, []), "return true;"];
}

function lines(statements: readonly Layout[]): Code {
  return arranged(statements.map((statement, i) => (i === 0 ? statement : [hardline, statement])));
}
