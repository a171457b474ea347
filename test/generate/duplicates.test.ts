import { expect, it } from "vitest";
import { generate, readSchema } from "../../src/api.js";
import {
  formatDiagnostic,
  SchemaError,
} from "../../src/generator/diagnostics.js";

it("two schemas of one revision, which need the same folder, are refused by their names", async () => {
  const [one, two] = await Promise.all(
    ["2025-06-18", "2025-11-25"].map((name) => readSchema(name)),
  );
  if (one === undefined || two === undefined) throw new Error("not read");
  const source = { ...one.source, name: "notes/schema.ts" };
  const protocols = [one, two, { ...one, source }, one];
  const error: unknown = await generate({ protocols, emit: ["types"] }).catch(
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SchemaError);
  expect((error as SchemaError).diagnostics.map(formatDiagnostic)).toEqual(
    ["notes/schema.ts", one.source.name].map(
      (name) =>
        `MG451 ${name} and ${one.source.name} are both revision "2025-06-18"\n    hint: generate them into separate folders`,
    ),
  );
});
