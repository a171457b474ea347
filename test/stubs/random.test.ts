import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { load } from "../view/generated.js";
import { project, snapshotOf } from "./project.js";
import { names, schema, schemaWith, value } from "./random.js";
import { runs } from "../whole.js";
import { timeLimit } from "../time-limit.js";

/** The number of random tools; `npm run test:vectors` checks 100,000. */
const tools = Number(process.env["MCPGEN_TOOLS"] ?? runs(100));
const seed = Number(process.env["MCPGEN_SEED"] ?? 1);
const toolsPerServer = Math.min(tools, 200);

async function guardsOf(
  schemas: readonly object[],
): Promise<readonly ((value: unknown) => boolean)[]> {
  const snapshot = snapshotOf({
    tools: schemas.map((inputSchema, i) => ({ name: `n${i}`, inputSchema })),
  });
  const { files } = await project(snapshot, { emit: ["client"] });
  const guards = await load(files, "validators.ts");
  return schemas.map(
    (_, i) => guards[`isN${i}Input`] as (value: unknown) => boolean,
  );
}

describe("the validators of random tools", () => {
  it(
    `accept exactly the values that Ajv accepts, whatever their unions and references are (seed ${seed})`,
    { timeout: timeLimit(300_000 + 200 * tools) },
    async () => {
      const values = fc.sample(value, { numRuns: 200, seed });
      const disagreements: string[] = [];
      for (
        let first = 0;
        first < tools && disagreements.length < 5;
        first += toolsPerServer
      ) {
        const schemas = fc.sample(schema, {
          numRuns: toolsPerServer,
          seed: seed + first,
        });
        const guards = await guardsOf(schemas);
        for (const [i, each] of schemas.entries()) {
          const validate = new Ajv2020({
            strict: false,
            meta: false,
            validateSchema: false,
          }).compile(each);
          const failing = values.find(
            (candidate) => guards[i]?.(candidate) !== validate(candidate),
          );
          if (failing !== undefined)
            disagreements.push(
              JSON.stringify({ schema: each, value: failing }),
            );
        }
      }
      expect(disagreements.sort((a, b) => a.length - b.length)).toEqual([]);
    },
  );

  it(`never throw for definitions that contain themselves (seed ${seed})`, async () => {
    const schemas = fc.sample(
      schemaWith(() => names),
      { numRuns: 40, seed },
    );
    const guards = await guardsOf(schemas);
    for (const candidate of fc.sample(value, { numRuns: 100, seed }))
      for (const guard of guards)
        expect(typeof guard(candidate)).toBe("boolean");
  });
});
