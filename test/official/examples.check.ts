import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { bundled } from "../../src/generator/read/index.js";
import { revision as read } from "../read/typescript/reading.js";
import { validator, validators } from "../view/generated.js";
import { oracleOf } from "../vectors/oracle.js";

// `npm run test:official -- <folder>`: `<revision>/examples/<type>/*.json`
// below it must be messages of that type.
const official = inject("official");

const revisions = (await bundled())
  .map(({ revision }) => ({
    revision,
    folder: join(official, revision, "examples"),
  }))
  .filter(({ folder }) => existsSync(folder));

it("the folder has official examples of at least one revision", () => {
  expect(revisions.length).toBeGreaterThan(0);
});

describe.each(revisions)(
  "the validators of $revision",
  async ({ revision, folder }) => {
    const protocol = await read(revision);
    const ours = await validators(protocol);
    const oracle = oracleOf(protocol);
    const examples = readdirSync(folder).flatMap((type) =>
      readdirSync(join(folder, type))
        .filter((file) => file.endsWith(".json"))
        .map((file) => ({ type, file })),
    );

    it("are tested with at least one official example", () => {
      expect(examples.length).toBeGreaterThan(0);
      console.info(`${revision}: ${examples.length} examples`);
    });

    it.each(examples)(
      "accept the official example $type/$file",
      ({ type, file }) => {
        const value: unknown = JSON.parse(
          readFileSync(join(folder, type, file), "utf8"),
        );
        const { guard, schema } = validator(ours, type);
        expect(guard(value)).toBe(true);
        expect(schema.parse(value)).toBe(value);
        expect(oracle.get(type)?.(value)).toBe(true);
      },
    );
  },
);
