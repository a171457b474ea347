import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { convertSchema } from "../../src/commands/convert/schema.js";
import { takeBack } from "../../src/generator/copied/from-model.js";
import type { JsonRecord } from "../../src/generator/ir/json.js";
import { providers } from "../../src/commands/lint/providers.js";
import { rowsOf } from "../../src/commands/lint/schemas.js";
import { recordedSchemas } from "./recorded.js";
import {
  ajv,
  isAlike,
  isRecord,
  Unnamed,
  valuesFor,
  written,
} from "./values.js";

const recorded = recordedSchemas();

/**
 * Alternatives that are open: a value of one may have a member of another one
 * with any value. Nobody means that.
 */
const open: ReadonlySet<string> = new Set(["anyOf 5", "oneOf 6"]);

describe.each(providers.map((provider) => [provider.id, provider] as const))(
  "for %s",
  (_, provider) => {
    it(`each of the ${recorded.length} recorded schemas becomes one without what the provider refuses`, () => {
      expect(recorded.length).toBeGreaterThan(300);
      const faults = recorded.flatMap(({ name, schema }) => {
        const converted = convertSchema(schema as JsonRecord, provider).schema;
        const rows = rowsOf(converted, provider).map(
          ({ code, path }) => `${code} ${path}`,
        );
        const isBroken = ajv(converted) === null && ajv(schema) !== null;
        return rows.length === 0 && !isBroken
          ? []
          : [`${name}: ${rows.join(", ")} ${JSON.stringify(converted)}`];
      });
      expect(faults).toEqual([]);
    });

    it("accepts what each of them accepts, and takes the same arguments back", () => {
      let proven = 0;
      const faults = recorded.flatMap(({ name, schema, values }) => {
        const accepts = ajv(schema);
        // Ajv does not check a member named __proto__.
        if (
          accepts === null ||
          open.has(name.split(" of ")[0] ?? "") ||
          /"__proto__"/.test(JSON.stringify(schema))
        )
          return [];
        const { schema: converted, wayBack } = convertSchema(
          schema as JsonRecord,
          provider,
        );
        const random = fc.sample(valuesFor(schema, schema), {
          seed: 1,
          numRuns: 10,
        });
        const all = [...values, ...random].filter(
          (value) => isRecord(value) && accepts(value),
        );
        return all.flatMap((value) => {
          try {
            const text =
              provider.closed || wayBack !== null
                ? written(value, converted, wayBack ?? {})
                : value;
            const back = wayBack === null ? text : takeBack(text, wayBack);
            if (ajv(converted)?.(text) !== true || !isAlike(back, value))
              return [
                `${name}: ${JSON.stringify(value)} is ${JSON.stringify(text)}, and back ${JSON.stringify(back)}: ${JSON.stringify(schema)} => ${JSON.stringify(converted)} ${JSON.stringify(wayBack)}`,
              ];
            proven += 1;
          } catch (error) {
            if (!(error instanceof Unnamed)) throw error;
          }
          return [];
        });
      });
      expect(faults).toEqual([]);
      expect(proven).toBeGreaterThan(3000);
    });
  },
);
