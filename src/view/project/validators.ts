import type { Snapshot } from "../../ir/snapshot/model.js";
import type { Definition } from "../../ir/constraint.js";
import { referencesIn } from "../../ir/snapshot/walk.js";
import { arranged, type Code, code, identifier, nameList, signature } from "../typescript/code.js";
import { docComment } from "../typescript/doc.js";
import { IMPORTED, localNames, NEAREST } from "../guards/names.js";
import { hardline, group, indent, line, type Layout } from "../typescript/layout.js";
import { Names } from "../typescript/names.js";
import { usedNames, type HelperView, type ValidatorView } from "../validators.js";
import { body } from "./guards/array.js";
import { IMPORTED_CHECKS } from "./guards/names.js";
import { type GuardFile, newScope } from "./guards/scope.js";
import type { ProjectNaming } from "./naming.js";

/** `validators.ts` of a project. */
export interface ProjectValidatorsView {
  /** What of `validate.ts` is used. */
  readonly imports: Code;
  /** What of `checks.ts` is used; null when nothing is. */
  readonly checks: Code | null;
  /** Does a guard call `holdsAny`? */
  readonly nearest: boolean;
  /** `pattern: RegExp = …` */
  readonly constants: readonly Code[];
  readonly validators: readonly ValidatorView[];
  readonly helpers: readonly HelperView[];
}

export function projectValidatorsView(snapshot: Snapshot, naming: ProjectNaming): ProjectValidatorsView {
  const definitions = new Map(snapshot.definitions.map((definition) => [definition.key, definition]));
  const file: GuardFile = {
    naming,
    definitions,
    heavy: heavyKeys(definitions),
    fileNames: new Names([...IMPORTED, ...IMPORTED_CHECKS, NEAREST, ...naming.validatorNames]),
    helpers: new Map(),
    constants: new Map(),
  };
  const validators = snapshot.definitions.map((definition) => validatorView(file, definition));
  const helpers = [...file.helpers.values()].map(({ name, body }) => ({
    signature: code`${name}(value: unknown): boolean`,
    body: lines(body),
  }));
  const bodies = [...helpers, ...validators].map((entry) => entry.body);
  const used = usedNames(bodies, [...IMPORTED, NEAREST, ...IMPORTED_CHECKS]);
  const imports = [...IMPORTED, NEAREST].filter(
    (name) => used.has(name) && name !== "t" && name.toLowerCase() !== "schema",
  );
  const checks = IMPORTED_CHECKS.filter((name) => used.has(name)).map(identifier);
  return {
    imports: nameList([...imports.map(identifier), code`schema`, code`type Schema`]),
    checks: checks.length === 0 ? null : nameList(checks),
    nearest: used.has(NEAREST),
    constants: [...file.constants.values()].map(({ text }) => text),
    validators,
    helpers,
  };
}

function validatorView(file: GuardFile, { key, schema }: Definition): ValidatorView {
  const { naming } = file;
  const type = naming.imported(key);
  const guard = naming.guard(key);
  const owner = String(naming.type(key).layout);
  const scope = { ...newScope(file, owner, file.heavy.has(key)), locals: localNames() };
  return {
    doc: docComment([`Is the value ${/^[AEIOU]/.test(owner) ? "an" : "a"} \`${owner}\`?`]),
    signature: signature(guard, [code`value: unknown`], code`value is ${type}`),
    body: lines([...body(scope, schema), "return true;"]),
    schema: arranged([
      [naming.schema(key).layout, ": Schema<", type.layout, "> ="],
      group(indent([line, "/* @__PURE__ */ schema(", guard.layout, ");"])),
    ]),
  };
}

/** As many calls as one check may lead to before verdicts are remembered. */
const mostCalls = 1000;

/** Definitions that lead back to themselves, or whose parts are met so often that a small text could take for ever. */
function heavyKeys(definitions: ReadonlyMap<string, Definition>): ReadonlySet<string> {
  const costs = new Map<string, number>();
  const open = new Set<string>();
  const cost = (key: string): number => {
    const known = costs.get(key);
    if (known !== undefined) return known;
    if (open.has(key)) return Infinity;
    open.add(key);
    const definition = definitions.get(key);
    let total = 1;
    for (const inner of definition === undefined ? [] : referencesIn(definition.schema)) total += cost(inner);
    open.delete(key);
    costs.set(key, total);
    return total;
  };
  return new Set([...definitions.keys()].filter((key) => cost(key) > mostCalls));
}

function lines(statements: readonly Layout[]): Code {
  return arranged(statements.map((statement, i) => (i === 0 ? statement : [hardline, statement])));
}
