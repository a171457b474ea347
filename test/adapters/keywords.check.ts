import { type StandardSchema, tools } from "@mcpgen/runtime/features";
import { describe, expect, it } from "vitest";
import { dialects, inDialect, more, suiteOf } from "../keywords/suite.js";
import { join, type Json, modern } from "../runtime/kit/index.js";
import { project, snapshotOf } from "../stubs/project.js";
import { load } from "../view/generated.js";

// A package of this folder, which the check of the repository's types does not
// have.
const { z } = (await import("zod" as string)) as {
  readonly z: { fromJSONSchema(schema: unknown): StandardSchema };
};

/**
 * Why a schema of zod decides otherwise than the JSON Schema that zod makes of
 * it, as a test of the schema.
 */
const reasons: Readonly<Record<string, RegExp>> = {
  "zod compares objects by identity": /"(const|enum)":.*\{/,
  "zod closes an object with patterns by other rules":
    /"patternProperties".*false/,
  "zod compiles a pattern without the flag u": /\\\\p\{/,
};

describe.each(dialects)(
  "tools() with schemas of zod, made from the official suite in %s",
  (dialect, uri) => {
    it("accept no more and no less than the guards generated from the list of tools", async () => {
      let value: unknown;
      const groups = Object.entries({ ...suiteOf(dialect), more })
        .flatMap(([, list]) => list)
        .flatMap(({ schema, valid, invalid }, i) => {
          try {
            const outputSchema = z.fromJSONSchema(
              inDialect(schema, uri) as never,
            );
            const handler = (): unknown => ({ structuredContent: value });
            const tool = { name: `t${i}`, outputSchema, handler };
            tools([tool]);
            return [{ schema, tool, values: [...valid, ...invalid] }];
          } catch {
            return [];
          }
        });
      const { client } = await join(modern.protocol, {
        server: {
          handlers: { ...tools(groups.map(({ tool }) => tool)) },
          onError: () => {},
        },
      });
      const listed = (await client.listTools())["tools"] as readonly Json[];
      const { files } = await project(
        snapshotOf({ tools: listed, revision: modern.revision }),
        { emit: ["client"] },
      );
      const guards = (await load(files, "validators.ts")) as Readonly<
        Record<string, (value: unknown) => boolean>
      >;
      const different: string[] = [];
      for (const { schema, tool, values } of groups) {
        const guard = guards[`is${tool.name.toUpperCase()}Output`];
        for (value of values) {
          const { isError } = await client.callTool({ name: tool.name });
          if ((isError !== true) !== guard?.(value))
            different.push(JSON.stringify([schema, value]));
        }
      }
      expect(groups.length).toBeGreaterThan(100);
      const others = different.filter(
        (row) => !Object.values(reasons).some((reason) => reason.test(row)),
      );
      expect(others).toEqual([]);
      for (const reason of Object.values(reasons))
        expect(different.some((row) => reason.test(row))).toBe(true);
    });
  },
);
