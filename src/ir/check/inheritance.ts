import type { Scope } from "../../diagnostics.js";
import { assignable, isTooLarge } from "../assignable.js";
import type { Schema } from "../constraint.js";
import { onlyOf, propertiesIn, referenceIn, restIn, schemaOf } from "../constraint/form.js";
import { eachSchema } from "../constraint/walk.js";
import { flatten, flattenSchema, type Conflict } from "../flatten.js";
import type { Index, LocationOf } from "../lookup.js";
import type { Base, Declaration } from "../model.js";

/** Checks that every interface may extend its bases. TypeScript would reject the generated output otherwise. */
export function checkInheritance(declarations: Index, locationOf: LocationOf, scope: Scope): void {
  for (const declaration of declarations.values()) {
    const inside = scope.in(`${declaration.kind} ${declaration.name}`);
    checkConflicts(declarations, declaration, locationOf, inside);
    if (declaration.kind === "interface") {
      for (const base of declaration.bases) checkBase(declarations, declaration, base, locationOf, inside);
      checkRest(declarations, declaration, locationOf, inside);
    }
    if (!isTooLarge(declarations)) continue;
    inside.error(
      "MG504",
      locationOf(declaration.name),
      "the types of its members have too many alternatives to be compared",
      "give the members types with fewer alternatives",
    );
    return;
  }
}

function checkBase(
  declarations: Index,
  { name, schema }: Declaration,
  base: Base,
  locationOf: LocationOf,
  inside: Scope,
): void {
  if (!declarations.has(base.name)) return; // reported where names are looked up
  const flat = flatten(declarations, base.name);
  if (flat === null) {
    inside.error(
      "MG508",
      locationOf(name),
      `cannot extend "${base.name}", which is not an object`,
      "extend an interface",
    );
    return;
  }
  const baseMembers = new Map(flat.properties.map((property) => [property.name, property]));
  for (const member of base.omit) {
    if (baseMembers.has(member)) continue;
    inside.warn(
      "MG511",
      locationOf(name),
      `"${member}" is omitted from ${base.name}, which has no such member`,
      "correct or remove the name",
    );
  }
  for (const property of propertiesIn(schema)) {
    const baseMember = base.omit.includes(property.name) ? undefined : baseMembers.get(property.name);
    if (baseMember === undefined) continue;
    const isLooser = property.optional && !baseMember.optional;
    if (!isLooser && assignable(declarations, property.schema, baseMember.schema) !== false) continue;
    inside
      .in(`member ${property.name}`)
      .error(
        "MG510",
        locationOf(name, property.name),
        isLooser
          ? `"${property.name}" is optional here, but ${base.name} requires it`
          : `the type of "${property.name}" is not assignable to its type in ${base.name}`,
        `narrow the member, or extend Omit<${base.name}, "${property.name}">`,
      );
  }
}

/** Reports members that two bases, or two sides of an intersection, declare differently, at the type that joins them. */
function checkConflicts(
  declarations: Index,
  declaration: Declaration,
  locationOf: LocationOf,
  inside: Scope,
): void {
  const report = ({ member, first, second }: Conflict): void => {
    const sides = [first, second].map((side) => side ?? "an object literal").join(" and ");
    inside.error(
      "MG509",
      locationOf(declaration.name),
      `${sides} declare the member "${member}" with different types`,
      "redeclare the member, or leave it out of one side with Omit",
    );
  };
  const { kind, name, bases, schema } = declaration;
  if (kind === "interface") {
    const baseConflicts = bases.flatMap((base) => flatten(declarations, base.name)?.conflicts ?? []);
    const baseNames = new Set(baseConflicts.map(({ member }) => member));
    const conflicts = flatten(declarations, name)?.conflicts ?? [];
    conflicts.filter(({ member }) => !baseNames.has(member)).forEach(report);
  }
  eachSchema(schema, (part) => {
    const schemas = onlyOf(part.checks, "all")?.schemas;
    if (schemas !== undefined) checkIntersection(declarations, schemas, locationOf(name), inside, report);
  });
}

function checkIntersection(
  declarations: Index,
  schemas: readonly Schema[],
  location: ReturnType<LocationOf>,
  inside: Scope,
  report: (conflict: Conflict) => void,
): void {
  for (const part of schemas) {
    const key = referenceIn(part);
    if (key === null || !declarations.has(key) || flatten(declarations, key) !== null) continue;
    inside.error(
      "MG508",
      location,
      `cannot join "${key}" with \`&\`: it is not an object`,
      "join interfaces",
    );
  }
  flattenSchema(declarations, schemaOf([{ kind: "all", schemas }]))?.conflicts.forEach(report);
}

/** Checks that every member has a type that the index signature allows. */
function checkRest(
  declarations: Index,
  { name, schema }: Declaration,
  locationOf: LocationOf,
  inside: Scope,
): void {
  const flat = flatten(declarations, name);
  const rest = restIn(schema);
  const signature = rest ?? flat?.rest ?? null;
  if (flat === null || signature === null) return;
  for (const property of flat.properties) {
    if (rest === null && property.declaredBy !== name) continue;
    if (assignable(declarations, property.schema, signature) !== false) continue;
    inside
      .in(`member ${property.name}`)
      .error(
        "MG512",
        locationOf(name, property.name),
        `the type of "${property.name}" is not assignable to the type of the index signature`,
        "widen the index signature",
      );
  }
}
