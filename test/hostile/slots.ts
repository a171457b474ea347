import type { Protocol } from "../../src/ir/model.js";

type Steps = readonly (string | number)[];

/** One string of a protocol that the author of a schema chooses: at one path, or the name of a declaration wherever it is used. */
export interface Slot {
  /** The path without indexes: `declarations.properties.name`. */
  readonly what: string;
  readonly steps: Steps | null;
  /** The declaration; null if the slot is at a path. */
  readonly name: string | null;
}

/** Members whose values are constants of the representation. */
const fixed = new Set(["kind", "sender", "presence", "opening", "carriage", "language", "side", "place"]);
/** Members that contain the name of a declaration. */
const referring = [
  /^declarations\.(name|bases\.name)$/,
  /\.constant$/,
  /^messages\.(name|results|params\.declaredBy)$/,
];

/** Every slot: the first and the last string at each path, and the name of each declaration. */
export function slotsOf(protocol: Protocol): Slot[] {
  const slots = new Map<string, Slot>();
  const open: [value: unknown, steps: Steps, holder: unknown][] = [[protocol, [], null]];
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
    if (typeof value !== "string" || refers(what, holder) || fixed.has(String(steps.at(-1)))) continue;
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
export function renamed(protocol: Protocol, names: ReadonlyMap<string, string>): Protocol {
  const visit = (value: unknown, what: string, holder: unknown): unknown => {
    if (typeof value === "string") return refers(what, holder) ? (names.get(value) ?? value) : value;
    if (Array.isArray(value)) return value.map((entry) => visit(entry, what, holder));
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
  const isReference =
    what.endsWith(".name") &&
    typeof holder === "object" &&
    holder !== null &&
    "kind" in holder &&
    holder.kind === "reference";
  return isReference || referring.some((pattern) => pattern.test(what));
}

function replaced(protocol: Protocol, steps: Steps, text: string): Protocol {
  const visit = (value: unknown, steps: Steps): unknown => {
    const [step, ...rest] = steps;
    if (step === undefined) return text;
    if (Array.isArray(value)) return value.map((entry, i) => (i === step ? visit(entry, rest) : entry));
    return Object.fromEntries(
      Object.entries(value as object).map(([key, member]) => [
        key,
        key === step ? visit(member, rest) : member,
      ]),
    );
  };
  return visit(protocol, steps) as Protocol;
}
