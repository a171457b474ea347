import type { Check } from "../../src/generator/ir/constraint.js";
import { constantNote } from "../../src/generator/ir/constraint/form.js";
import type { Protocol } from "../../src/generator/ir/model.js";
import { replaceAt, type Steps } from "../vectors/places.js";

/**
 * One string of a protocol that the author of a schema chooses: at one path, or
 * the name of a declaration wherever it is used.
 */
export interface Slot {
  /** The path without indexes: `declarations.schema.doc.text`. */
  readonly what: string;
  readonly steps: Steps | null;
  /** The declaration; null if the slot is at a path. */
  readonly name: string | null;
}

/**
 * Members whose values are constants of the representation, or repeat the names
 * of an object's members.
 */
const fixed =
  /(?:^|\.)(kind|sender|presence|opening|carriage|language|side|types|of|keyword|names)$/;
/** Members that contain the name of a declaration. */
const referring = [
  /^declarations\.(name|bases\.name)$/,
  /^messages\.(name|results|params\.declaredBy)$/,
];

/**
 * Every slot: the first and the last string at each path, and the name of each
 * declaration.
 */
export function slotsOf(protocol: Protocol): Slot[] {
  const slots = new Map<string, Slot>();
  const open: [value: unknown, steps: Steps, holder: unknown][] = [
    [protocol, [], null],
  ];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const [value, steps, holder] = next;
    if (typeof value === "object" && value !== null) {
      const isArray = Array.isArray(value);
      for (const [key, member] of Object.entries(value)) {
        open.push([member, [...steps, isArray ? Number(key) : key], value]);
      }
      continue;
    }
    const what = wayOf(steps);
    if (typeof value !== "string" || refers(what, holder) || fixed.test(what))
      continue;
    const isFirst = !slots.has(what);
    slots.set(isFirst ? what : `the last ${what}`, { what, steps, name: null });
  }
  const names = protocol.declarations.map(({ name, kind }) => ({
    what: `the ${kind} ${name}`,
    steps: null,
    name,
  }));
  return [...slots.values(), ...names];
}

/** The protocol with these texts in its slots. */
export function filled(
  protocol: Protocol,
  texts: readonly (readonly [slot: Slot, text: string])[],
): Protocol {
  const names = new Map<string, string>();
  let changed = protocol;
  for (const [{ steps, name }, text] of texts) {
    if (name !== null) names.set(name, text);
    if (steps !== null) changed = replaced(changed, steps, text);
  }
  return renamed(changed, names);
}

/** The protocol with other names of declarations, also where they are used. */
export function renamed(
  protocol: Protocol,
  names: ReadonlyMap<string, string>,
): Protocol {
  const visit = (value: unknown, what: string, holder: unknown): unknown => {
    if (typeof value === "string")
      return refers(what, holder) ? (names.get(value) ?? value) : value;
    if (Array.isArray(value))
      return value.map((entry) => visit(entry, what, holder));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        key,
        visit(member, what === "" ? key : `${what}.${key}`, value),
      ]),
    );
  };
  return visit(protocol, "", null) as Protocol;
}

function wayOf(steps: Steps): string {
  return steps.filter((step) => typeof step === "string").join(".");
}

function refers(what: string, holder: unknown): boolean {
  const { kind, keyword } = (holder ?? {}) as {
    readonly kind?: unknown;
    readonly keyword?: unknown;
  };
  const isReference = kind === "reference" || keyword === constantNote;
  return isReference || referring.some((pattern) => pattern.test(what));
}

function replaced(protocol: Protocol, steps: Steps, text: string): Protocol {
  let before: unknown;
  const changed = replaceAt(protocol, steps, (original) => {
    before = original;
    return text;
  });
  if (!wayOf(steps).endsWith(".checks.properties.name"))
    return changed as Protocol;
  const withName = (check: Check): Check => {
    if (check.kind !== "required") return check;
    return {
      ...check,
      names: check.names.map((name) => (name === before ? text : name)),
    };
  };
  // The list of required members repeats the name.
  return replaceAt(changed, steps.slice(0, -4), (checks) =>
    (checks as Check[]).map(withName),
  ) as Protocol;
}
