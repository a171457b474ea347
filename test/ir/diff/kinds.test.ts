import { describe, expect, it } from "vitest";
import { between } from "./between.js";

/** The same members, as each kind of declaration can have them. */
const forms = {
  interface: (type: string) => `export interface Held { value: ${type} }`,
  alias: (type: string) => `export type Held = { value: ${type} };`,
  union: (type: string) =>
    `export type Held = { value: ${type} } | { other: number };`,
  constant: (type: string) => `export const Held = "${type}";`,
};
type Form = keyof typeof forms;

/** What differs if a declaration becomes another kind, and a member changes. */
const changesOf = async (
  [from, to]: readonly [Form, Form],
  [before, after]: readonly [string, string],
): Promise<string[]> => {
  const sent = from === "constant" || to === "constant" ? "" : "held?: Held;";
  const beside = "export const CODE = -1;";
  const got = await between(
    { sent: `${sent} id: string`, beside: beside + forms[from](before) },
    { sent: `${sent} id: string`, beside: beside + forms[to](after) },
  );
  return got.map((line) => line.split(":")[0] ?? "");
};

const kind = "Held kind-changed";
const added = "Held alternative-added";
const removed = "Held alternative-removed";
const replaced = "Held value type-replaced";

/** What differs, besides the member that changes. */
const rows: readonly (readonly [Form, Form, readonly string[]])[] = [
  ["interface", "interface", []],
  ["interface", "alias", [kind]],
  ["interface", "union", [kind, added]],
  ["alias", "interface", [kind]],
  ["alias", "alias", []],
  ["alias", "union", [added]],
  ["union", "interface", [kind, removed]],
  ["union", "alias", [removed]],
  ["union", "union", []],
];

describe("a declaration that becomes another kind", () => {
  it.each(rows)(
    "from %s to %s keeps what else differs among its differences",
    async (from, to, want) => {
      expect(await changesOf([from, to], ["number", "number"])).toEqual(want);
      const got = await changesOf([from, to], ["number", "string"]);
      expect([...got].sort()).toEqual([...want, replaced].sort());
    },
  );

  it.each(rows.filter(([, , want]) => want.length > 0))(
    "from %s to %s hides what is only written in another way",
    async (from, to, want) => {
      expect(await changesOf([from, to], ["-1", "typeof CODE"])).toEqual(want);
    },
  );

  it.each(
    (["interface", "alias", "union"] as const).flatMap((form) => [
      [form, "constant"] as const,
      ["constant", form] as const,
    ]),
  )("from %s to %s tells only that", async (from, to) => {
    expect(await changesOf([from, to], ["number", "number"])).toEqual([kind]);
  });
});
