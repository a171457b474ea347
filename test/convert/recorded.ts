import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../repository.js";
import { samples } from "../stubs/schemas.js";

type Schema = Readonly<Record<string, unknown>>;

/**
 * A schema that is recorded in the repository, as the arguments of a tool, and
 * values that it is known to accept.
 */
export interface Recorded {
  readonly name: string;
  readonly schema: Schema;
  readonly values: readonly unknown[];
}

interface Group {
  readonly schema: unknown;
  readonly valid: readonly unknown[];
}

const read = (path: string): unknown =>
  JSON.parse(readFileSync(join(root, path), "utf8"));
const isRecord = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The tools of recorded servers. */
function tools(): Recorded[] {
  const folders = [
    "test/examples/servers",
    "test/fixtures/snapshots",
    "test/golden/stubs",
    "templates/init",
  ];
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith(".mcp.json"))
      .map((name) => `${folder}/${name}`),
  );
  return files.flatMap(
    (file) =>
      (
        read(file) as { tools?: { name: string; inputSchema: Schema }[] }
      ).tools?.map((tool) => ({
        name: `${tool.name} of ${file}`,
        schema: tool.inputSchema,
        values: [],
      })) ?? [],
  );
}

/**
 * The official suite of JSON Schema: each schema as the arguments, and as one
 * argument where it refers to nothing.
 */
function suite(dialect: string, uri: string): Recorded[] {
  return Object.entries(
    read(`test/keywords/${dialect}.json`) as Record<string, Group[]>,
  ).flatMap(([keyword, groups]) =>
    groups.flatMap(({ schema, valid }, i) => {
      const text = JSON.stringify(schema);
      if (
        !isRecord(schema) ||
        /"\$(?:dynamicRef|recursiveRef|id)"|:\/\/localhost/.test(text)
      )
        return [];
      const name = `${keyword} ${i} of ${dialect}`;
      const { $schema = uri, ...own } = schema;
      const whole = { name, schema: { $schema, ...own }, values: valid };
      if (
        dialect === "draft-07" ||
        /"\$(?:ref|schema|anchor)"/.test(JSON.stringify(own))
      )
        return [whole];
      const inside = {
        name: `${name}, as an argument`,
        schema: { $schema, type: "object", properties: { value: own } },
        values: valid.map((value) => ({ value })),
      };
      return [whole, inside];
    }),
  );
}

/** All of them, each schema once. */
export function recordedSchemas(): Recorded[] {
  const all = [
    ...tools(),
    ...samples.flatMap(({ name, schema }) =>
      isRecord(schema) ? [{ name, schema, values: [] }] : [],
    ),
    ...suite("2020-12", "https://json-schema.org/draft/2020-12/schema"),
    ...suite("draft-07", "http://json-schema.org/draft-07/schema#"),
  ];
  return [
    ...new Map(all.map((one) => [JSON.stringify(one.schema), one])).values(),
  ];
}
