/** What may be asked for: one file each; `validate.ts` and `index.ts` follow from them. */
export type Part = "types" | "validators" | "dispatch" | "client" | "server";

export const PARTS: readonly Part[] = ["types", "validators", "dispatch", "client", "server"];

/** What a part cannot do without. */
const NEEDS: Readonly<Record<Part, readonly Part[]>> = {
  types: [],
  validators: ["types"],
  dispatch: ["types", "validators"],
  client: ["types", "validators", "dispatch"],
  server: ["types", "validators", "dispatch"],
};

/** The parts asked for, with those they import. */
export function withNeeds(parts: readonly Part[]): ReadonlySet<Part> {
  return new Set(
    PARTS.filter((part) => parts.some((asked) => asked === part || NEEDS[asked].includes(part))),
  );
}
