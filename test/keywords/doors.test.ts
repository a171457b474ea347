import { tools } from "@mcpgen/runtime/features";
import { beforeAll, describe, expect, it } from "vitest";
import {
  legacy,
  clientWire,
  join,
  type Json,
  modern,
} from "../runtime/kit/index.js";
import {
  dialects,
  type Group,
  inDialect,
  more,
  read,
  suiteOf,
} from "./suite.js";

/**
 * Why a server decides otherwise than the suite and the generated guards, with
 * the schemas by dialect and keyword. The list only shrinks.
 */
const differences = read("differences") as Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, number[]>>>>>
>;

describe.each(dialects)(
  "tools() with the schemas of the official suite in %s",
  (dialect, uri) => {
    const groups = Object.entries({ ...suiteOf(dialect), more }).flatMap(
      ([keyword, list]) =>
        list.map((group, i) => ({
          ...group,
          keyword,
          i,
          name: `${keyword}${i}`,
        })),
    );
    const different = new Map<string, string>();

    beforeAll(async () => {
      let value: unknown;
      const declared = groups.flatMap(({ name, schema }) => {
        const outputSchema = inDialect(schema, uri) as Json;
        const handler = (): unknown => ({ structuredContent: value });
        const tool = { name: name.replaceAll("/", "."), outputSchema, handler };
        try {
          tools([tool]);
          return [tool];
        } catch (error) {
          different.set(name, `refused: ${String(error)}`);
          return [];
        }
      });
      const { client } = await join(modern.protocol, {
        server: { handlers: { ...tools(declared) }, onError: () => {} },
      });
      for (const group of groups) {
        if (different.has(group.name)) continue;
        const call = async (structured: unknown): Promise<boolean | string> => {
          value = structured;
          const name = group.name.replaceAll("/", ".");
          return await client.callTool({ name }).then(
            ({ isError }) => isError !== true,
            (error: Error) => `fails: ${error.message}`,
          );
        };
        for (const [expected, list] of [
          [true, group.valid],
          [false, group.invalid],
        ] as const) {
          for (const one of list) {
            const verdict = await call(one);
            if (verdict !== expected)
              different.set(
                group.name,
                `${verdict} for ${JSON.stringify(one)}`,
              );
          }
        }
      }
    });

    it("check a structured result as the suite and the generated guards do, but for a list of reasons", () => {
      const listed = Object.values(differences).flatMap((reason) =>
        Object.entries(reason[dialect] ?? {}).flatMap(([keyword, numbers]) =>
          numbers.map((i) => `${keyword}${i}`),
        ),
      );
      const unlisted = [...different].filter(
        ([name]) => !listed.includes(name),
      );
      expect(unlisted).toEqual([]);
      expect(listed.filter((name) => !different.has(name))).toEqual([]);
    });
  },
);

/** The keywords that a field of a form may have, by the type of the field. */
const formKeywords: Readonly<Record<string, readonly string[]>> = {
  string: ["minLength", "maxLength", "enum"],
  number: ["minimum", "maximum", "enum"],
  integer: ["minimum", "maximum", "enum"],
  boolean: ["enum"],
};

const typesOf = (value: unknown): readonly string[] =>
  Number.isInteger(value) ? ["number", "integer"] : [typeof value];

describe("a form whose field has a schema of the official suite", () => {
  // Both dialects have the same keywords of forms.
  const groups = Object.entries({ ...suiteOf("2020-12"), more }).flatMap(
    ([keyword, list]) =>
      list.map((group, i): [string, Group] => [`${keyword}${i}`, group]),
  );
  const rows = groups.flatMap(([name, { schema, valid, invalid }]) => {
    const { $schema: _, ...field } = Object(schema) as Json;
    const values = [
      ...valid.map((value) => ({ value, isValid: true })),
      ...invalid.map((value) => ({ value, isValid: false })),
    ];
    return values.flatMap(({ value, isValid }) =>
      typesOf(value).flatMap((type) => {
        const known = formKeywords[type];
        const keywords = Object.keys(field);
        const isForm =
          keywords.length > 0 && keywords.every((key) => known?.includes(key));
        return isForm
          ? [{ name, field: { type, ...field }, value, isValid }]
          : [];
      }),
    );
  });

  it("is checked by a client as the suite and the generated guards do", async () => {
    let content: Json = {};
    const { client, wire } = await clientWire(legacy, {
      onError: () => {},
      handlers: {
        "elicitation/create": () => ({ action: "accept", content }),
      },
    });
    const different: unknown[] = [];
    for (const { name, field, value, isValid } of rows) {
      content = { field: value };
      const requestedSchema = { type: "object", properties: { field } };
      const params = { message: "?", requestedSchema };
      const { result } = await wire.ask("q", "elicitation/create", params);
      if ((result !== undefined) !== isValid)
        different.push({ name, field, value });
    }
    await client.close();
    expect(rows.length).toBeGreaterThan(30);
    expect(different).toEqual([]);
  });
});
