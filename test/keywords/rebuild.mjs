/**
 * Writes the data of this folder anew: `node test/keywords/rebuild.mjs
 * <checkout of JSON-Schema-Test-Suite>`. Kept are the schemas, the values and
 * the verdicts, without the sentences around them.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [, , checkout] = process.argv;
if (checkout === undefined)
  throw new Error(
    "Pass the path of a checkout of the official JSON Schema test suite.",
  );

/** Our name of a dialect, and its folder in the suite. */
const dialects = { "draft-07": "draft7", "2020-12": "draft2020-12" };

/**
 * Files of the suite that we leave out: annotations as conditions, and a
 * keyword that the dialect no longer has.
 */
const unclaimed = ["content", "dependencies-compatibility", "format-assertion"];

for (const [dialect, folder] of Object.entries(dialects)) {
  const tests = join(checkout, "tests", folder);
  const files = ["", "optional"].flatMap((inner) =>
    readdirSync(join(tests, inner))
      .filter((name) => name.endsWith(".json"))
      .map((name) => `${inner === "" ? "" : "optional/"}${name}`)
      .filter(
        (name) =>
          !unclaimed.some((keyword) => name === `optional/${keyword}.json`),
      ),
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
  // One line per schema, so that a change of the suite changes few lines.
  const rows = keywords.map(([keyword, groups]) => {
    const lines = groups
      .map((group) => `    ${JSON.stringify(group)}`)
      .join(",\n");
    return `  ${JSON.stringify(keyword)}: [\n${lines}\n  ]`;
  });
  writeFileSync(
    new URL(`${dialect}.json`, import.meta.url),
    `{\n${rows.join(",\n")}\n}\n`,
  );
}

/**
 * The schema without comments. A member `$comment` whose value is not a text is
 * a schema, and is kept.
 */
function withoutComments(schema) {
  if (Array.isArray(schema)) return schema.map(withoutComments);
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(
        ([name, value]) => name !== "$comment" || typeof value !== "string",
      )
      .map(([name, value]) => [name, withoutComments(value)]),
  );
}
