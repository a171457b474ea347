import type { Code, Scope } from "../../diagnostics.js";
import { assignable, isTooLarge } from "../assignable.js";
import {
  onlyOf,
  propertiesIn,
  referenceIn,
  restIn,
  schemaOf,
} from "../constraint/form.js";
import { eachSchema } from "../constraint/walk.js";
import { flatten, flattenSchema, type Conflict } from "../flatten.js";
import type { Index, LocationOf } from "../lookup.js";
import type { Base, Declaration } from "../model.js";

/** Reports an issue of a declaration, or of one of its members. */
type Report = (
  code: Code,
  message: string,
  hint: string,
  member?: string,
) => void;

/**
 * Checks that every interface may extend its bases. TypeScript would reject the
 * generated output otherwise.
 */
export function checkInheritance(
  declarations: Index,
  locationOf: LocationOf,
  scope: Scope,
): void {
  for (const declaration of declarations.values()) {
    const { kind, name } = declaration;
    const scopeOf = (member?: string): Scope => {
      const inside = scope.in(`${kind} ${name}`);
      return member === undefined ? inside : inside.in(`member ${member}`);
    };
    const report: Report = (code, message, hint, member) => {
      scopeOf(member).error(code, locationOf(name, member), message, hint);
    };
    const warn: Report = (code, message, hint) =>
      scopeOf().warn(code, locationOf(name), message, hint);
    checkConflicts(declarations, declaration, report);
    if (kind === "interface") {
      for (const base of declaration.bases)
        checkBase(declarations, declaration, base, report, warn);
      checkRest(declarations, declaration, report);
    }
    if (!isTooLarge(declarations)) continue;
    const hint = "give the members types with fewer alternatives";
    report(
      "MG504",
      "the types of its members have too many alternatives to be compared",
      hint,
    );
    return;
  }
}

function checkBase(
  declarations: Index,
  { schema }: Declaration,
  base: Base,
  report: Report,
  warn: Report,
): void {
  if (!declarations.has(base.name)) return; // reported where names are looked up
  const flat = flatten(declarations, base.name);
  if (flat === null) {
    report(
      "MG508",
      `cannot extend "${base.name}", which is not an object`,
      "extend an interface",
    );
    return;
  }
  const members = new Map(
    flat.properties.map((member) => [member.name, member]),
  );
  for (const member of base.omit) {
    if (members.has(member)) continue;
    const message = `"${member}" is omitted from ${base.name}, which has no such member`;
    warn("MG511", message, "correct or remove the name");
  }
  for (const { name, optional, schema: own } of propertiesIn(schema)) {
    const inherited = base.omit.includes(name) ? undefined : members.get(name);
    if (inherited === undefined) continue;
    const isLooser = optional && !inherited.optional;
    if (!isLooser && assignable(declarations, own, inherited.schema) !== false)
      continue;
    const message = isLooser
      ? `"${name}" is optional here, but ${base.name} requires it`
      : `the type of "${name}" is not assignable to its type in ${base.name}`;
    report(
      "MG510",
      message,
      `narrow the member, or extend Omit<${base.name}, "${name}">`,
      name,
    );
  }
}

/**
 * Reports members that two bases, or two sides of an intersection, declare
 * differently, at the type that joins them.
 */
function checkConflicts(
  declarations: Index,
  { kind, name, bases, schema }: Declaration,
  report: Report,
): void {
  const reportConflict = ({ member, first, second }: Conflict): void => {
    const sides = [first, second]
      .map((side) => side ?? "an object literal")
      .join(" and ");
    const message = `${sides} declare the member "${member}" with different types`;
    report(
      "MG509",
      message,
      "redeclare the member, or leave it out of one side with Omit",
    );
  };
  if (kind === "interface") {
    const baseConflicts = bases.flatMap(
      (base) => flatten(declarations, base.name)?.conflicts ?? [],
    );
    const baseNames = new Set(baseConflicts.map(({ member }) => member));
    const conflicts = flatten(declarations, name)?.conflicts ?? [];
    conflicts
      .filter(({ member }) => !baseNames.has(member))
      .forEach(reportConflict);
  }
  eachSchema(schema, (part) => {
    const schemas = onlyOf(part.checks, "all")?.schemas ?? [];
    for (const side of schemas) {
      const key = referenceIn(side);
      if (
        key === null ||
        !declarations.has(key) ||
        flatten(declarations, key) !== null
      )
        continue;
      report(
        "MG508",
        `cannot join "${key}" with \`&\`: it is not an object`,
        "join interfaces",
      );
    }
    if (schemas.length > 0)
      flattenSchema(declarations, schemaOf(part.checks))?.conflicts.forEach(
        reportConflict,
      );
  });
}

/** Checks that every member has a type that the index signature allows. */
function checkRest(
  declarations: Index,
  { name, schema }: Declaration,
  report: Report,
): void {
  const flat = flatten(declarations, name);
  const rest = restIn(schema);
  const signature = rest ?? flat?.rest ?? null;
  if (flat === null || signature === null) return;
  for (const property of flat.properties) {
    if (rest === null && property.declaredBy !== name) continue;
    if (assignable(declarations, property.schema, signature) !== false)
      continue;
    const message = `the type of "${property.name}" is not assignable to the type of the index signature`;
    report("MG512", message, "widen the index signature", property.name);
  }
}
