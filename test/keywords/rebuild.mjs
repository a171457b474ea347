/**
 * Writes the data of this folder anew: `node test/keywords/rebuild.mjs <checkout of JSON-Schema-Test-Suite>`. Kept are the
 * schemas, the values and the verdicts, without the sentences around them.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [, , checkout] = process.argv;
if (checkout === undefined) throw new Error("Say where the official suite is checked out.");

/** Our name of a dialect, and the folder of the suite that speaks of it. */
const dialects = { "draft-07": "draft7", "2020-12": "draft2020-12" };

/** What we do not claim: annotations taken for conditions, and a keyword of a dialect that no longer has it. */
const unclaimed = ["content", "dependencies-compatibility", "format-assertion"];

for (const [dialect, folder] of Object.entries(dialects)) {
  const tests = join(checkout, "tests", folder);
  const files = ["", "optional"].flatMap((inner) =>
    readdirSync(join(tests, inner))
      .filter((name) => name.endsWith(".json"))
      .map((name) => `${inner === "" ? "" : "optional/"}${name}`)
      .filter((name) => !unclaimed.some((keyword) => name === `optional/${keyword}.json`)),
  );
  const keywords = files.sort().map((file) => {
    const groups = JSON.parse(readFileSync(join(tests, file), "utf8"));
    return [
      file.replace(/\.json$/, ""),
      groups.map(({ schema, tests: cases }) => ({
        schema: withoutComments(schema),
        valid: cases.filter(({ valid }) => valid).map(({ data }) => data),
        invalid: cases.filter(({ valid }) => !valid).map(({ data }) => data),
      })),
    ];
  });
  // A line to a schema, so that a change of the suite is a change of few lines.
  const rows = keywords.map(([keyword, groups]) => {
    const lines = groups.map((group) => `    ${JSON.stringify(group)}`).join(",\n");
    return `  ${JSON.stringify(keyword)}: [\n${lines}\n  ]`;
  });
  writeFileSync(new URL(`${dialect}.json`, import.meta.url), `{\n${rows.join(",\n")}\n}\n`);
}

/** Remarks are sentences; a member of this name that is a schema is none. */
function withoutComments(schema) {
  if (Array.isArray(schema)) return schema.map(withoutComments);
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([name, value]) => name !== "$comment" || typeof value !== "string")
      .map(([name, value]) => [name, withoutComments(value)]),
  );
}
