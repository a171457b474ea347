/**
 * The parts that can be selected: a file each, and for `stubs` the files that
 * the projects of several servers share. `validate.ts`, `tables.ts` and
 * `index.ts` follow from them.
 */
export type Part =
  "types" | "validators" | "dispatch" | "client" | "server" | "stubs";

export const allParts: readonly Part[] = [
  "types",
  "validators",
  "dispatch",
  "client",
  "server",
  "stubs",
];

/** The parts of a run that names none. */
export const defaultParts: readonly Part[] = allParts.filter(
  (part) => part !== "stubs",
);

/** The parts that each part imports. */
const neededParts: Readonly<Record<Part, readonly Part[]>> = {
  types: [],
  validators: ["types"],
  dispatch: ["types", "validators"],
  client: ["types", "validators", "dispatch"],
  server: ["types", "validators", "dispatch"],
  stubs: ["types", "validators", "dispatch"],
};

/** The selected parts and the parts that they import. */
export function withNeeds(parts: readonly Part[]): ReadonlySet<Part> {
  return new Set(
    allParts.filter((part) =>
      parts.some(
        (selected) => selected === part || neededParts[selected].includes(part),
      ),
    ),
  );
}
