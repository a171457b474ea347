import { describe, expect, it } from "vitest";
import { diff } from "../../../src/generator/ir/diff/index.js";
import { notes, protocolOf } from "../made.js";

/** The same members, as each kind of declaration can have them. */
const forms = {
  interface: (member: string) => `export interface Held { ${member} }`,
  alias: (member: string) => `export type Held = { ${member} };`,
  union: (member: string) =>
    `export type Held = { ${member} } | { other: number };`,
};
type Form = keyof typeof forms;
const kinds = Object.keys(forms) as Form[];
const pairs = kinds.flatMap((from) => kinds.map((to) => [from, to] as const));

const made = async (form: Form, member: string) =>
  protocolOf(
    notes({ sent: "held?: Held", beside: forms[form](`value: ${member}`) }),
  );

const changesOf = async (
  [from, to]: readonly [Form, Form],
  [before, after]: readonly [string, string],
): Promise<string[]> => {
  const { differences } = diff(await made(from, before), await made(to, after));
  return differences.map(({ change, path }) => `${path}: ${change}`);
};

describe("a declaration that becomes another kind", () => {
  it.each(pairs.filter(([from, to]) => from !== to || from === "interface"))(
    "from %s to %s keeps what else differs among its differences",
    async (from, to) => {
      const same = await changesOf([from, to], ["number", "number"]);
      const other = await changesOf([from, to], ["number", "string"]);
      // What differs in the member is told beside what the kinds make.
      expect(other.length).toBeGreaterThan(same.length);
      const isSame = from === to;
      expect(same.length === 0).toBe(isSame);
    },
  );

  it("tells of an interface that becomes an alias nothing but that, if its members stay", async () => {
    const changes = await changesOf(
      ["interface", "alias"],
      ["number", "number"],
    );
    expect(
      changes.filter((change) => !change.endsWith("kind-changed")),
    ).toEqual([]);
    expect(changes.length).toBeGreaterThan(0);
  });

  it("tells of an interface that becomes an alias the member that differs", async () => {
    const changes = await changesOf(
      ["interface", "alias"],
      ["number", "string"],
    );
    expect(changes.some((change) => change.endsWith("kind-changed"))).toBe(
      true,
    );
    expect(changes.filter((change) => /value/.test(change))).not.toEqual([]);
  });
});
