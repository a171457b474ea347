import type { Protocol } from "../../src/ir/model.js";

type Steps = readonly (string | number)[];

/** One string of a protocol that a schema's author chooses: a place, or a declaration's name wherever it is used. */
export interface Slot {
  /** The way to it, without positions: `declarations.properties.name`. */
  readonly what: string;
  readonly steps: Steps | null;
  /** The declaration; null when the slot is a place. */
  readonly name: string | null;
}

/** Members whose values the representation itself fixes. */
const fixed = new Set(["kind", "sender", "presence", "opening", "carriage", "language", "side", "place"]);
/** Members that stand for a declaration. */
const referring = [
  /^declarations\.(name|bases\.name)$/,
  /\.constant$/,
  /^messages\.(name|results|params\.declaredBy)$/,
];

/** Every slot: the first and the last place of each way that leads to a string, and each declaration's name. */
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

/** The protocol with other texts in its slots, all at once. */
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

/** Names of declarations changed, and every mention of them. */
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
  const visit = (value: unknown, left: Steps): unknown => {
    const [step, ...rest] = left;
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
