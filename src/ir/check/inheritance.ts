import type { Scope } from "../../diagnostics.js";
import { assignable } from "../assignable.js";
import { flatten, flattenType, type Conflict } from "../flatten.js";
import type { Index } from "../lookup.js";
import type { Declaration, InterfaceDeclaration, Type } from "../model.js";
import type { LocationOf } from "./location.js";
import { eachType, typesOf } from "../walk.js";

/** Checks that every interface may extend its bases. TypeScript would reject the generated output otherwise. */
export function checkInheritance(declarations: Index, locationOf: LocationOf, scope: Scope): void {
  for (const declaration of declarations.values()) {
    const inside = scope.in(`${declaration.kind} ${declaration.name}`);
    checkConflicts(declarations, declaration, locationOf, inside);
    if (declaration.kind !== "interface") continue;
    for (const base of declaration.bases) checkBase(declarations, declaration, base, locationOf, inside);
    checkRest(declarations, declaration, locationOf, inside);
  }
}

function checkBase(
  declarations: Index,
  { name, properties }: InterfaceDeclaration,
  base: InterfaceDeclaration["bases"][number],
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
  const inherited = new Map(flat.properties.map((property) => [property.name, property]));
  for (const omitted of base.omit) {
    if (inherited.has(omitted)) continue;
    inside.warn(
      "MG511",
      locationOf(name),
      `"${omitted}" is omitted from ${base.name}, which has no such member`,
    );
  }
  for (const property of properties) {
    const overridden = base.omit.includes(property.name) ? undefined : inherited.get(property.name);
    if (overridden === undefined) continue;
    const loosened = property.optional && !overridden.optional;
    if (!loosened && assignable(declarations, property.type, overridden.type) !== false) continue;
    inside
      .in(`member ${property.name}`)
      .error(
        "MG510",
        locationOf(name, property.name),
        loosened
          ? `"${property.name}" is optional here, but ${base.name} requires it`
          : `the type of "${property.name}" is not one of those that ${base.name} allows it`,
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
      `the member "${member}" comes from ${sides}, which give it different types`,
      "redeclare the member, or leave it out of one side with Omit",
    );
  };
  if (declaration.kind === "interface") {
    const below = declaration.bases.flatMap(({ name }) => flatten(declarations, name)?.conflicts ?? []);
    const reported = new Set(below.map(({ member }) => member));
    const conflicts = flatten(declarations, declaration.name)?.conflicts ?? [];
    conflicts.filter(({ member }) => !reported.has(member)).forEach(report);
  }
  for (const type of typesOf(declaration)) {
    eachType(type, (inner) => {
      if (inner.kind === "intersection")
        checkIntersection(declarations, inner.members, locationOf(declaration.name), inside, report);
    });
  }
}

function checkIntersection(
  declarations: Index,
  members: readonly Type[],
  location: ReturnType<LocationOf>,
  inside: Scope,
  report: (conflict: Conflict) => void,
): void {
  for (const member of members) {
    if (member.kind !== "reference" || !declarations.has(member.name)) continue;
    if (flatten(declarations, member.name) !== null) continue;
    inside.error(
      "MG508",
      location,
      `cannot join "${member.name}" with \`&\`: it is not an object`,
      "join interfaces",
    );
  }
  flattenType(declarations, { kind: "intersection", members })?.conflicts.forEach(report);
}

/** Checks that every member has a type that the index signature allows. */
function checkRest(
  declarations: Index,
  { name, rest }: InterfaceDeclaration,
  locationOf: LocationOf,
  inside: Scope,
): void {
  const flat = flatten(declarations, name);
  const over = rest ?? flat?.rest ?? null;
  if (flat === null || over === null) return;
  for (const property of flat.properties) {
    if (rest === null && property.declaredBy !== name) continue;
    if (assignable(declarations, property.type, over) !== false) continue;
    inside
      .in(`member ${property.name}`)
      .error(
        "MG512",
        locationOf(name, property.name),
        `the type of "${property.name}" is not one of those that the index signature allows`,
        "widen the index signature",
      );
  }
}
