// Writes `formats.json`: the pattern that each library of schemas writes for
// each of its formats. Run it after an update of these libraries:
// `node test/install.mjs bench keywords && node test/keywords/formats.mjs`.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as typebox from "@sinclair/typebox";
import { toJsonSchema } from "@valibot/to-json-schema";
import { ark, type } from "arktype";
import * as valibot from "valibot";
import * as zod from "zod";

/** The functions of a library that make a schema without an argument. */
const makersOf = (library) =>
  Object.entries(library).filter(([, make]) => typeof make === "function");

/** Each library: the names of its formats, and their JSON Schema. */
const libraries = {
  zod: [...makersOf(zod), ...makersOf(zod.iso)].map(([name, make]) => [
    name,
    () => zod.toJSONSchema(make()),
  ]),
  valibot: makersOf(valibot).map(([name, make]) => [
    name,
    () => toJsonSchema(valibot.pipe(valibot.string(), make())),
  ]),
  arktype: namesIn(ark.internal.resolutions).map((name) => [
    name,
    () => type(name).toJsonSchema({ fallback: ({ base }) => base }),
  ]),
  "@sinclair/typebox": [
    ...makersOf(typebox.Type).map(([name, make]) => [name, () => make()]),
    ["TemplateLiteral", () => typebox.Type.TemplateLiteral("a-${number}")],
  ],
};

/** The names of types of texts: `string.date.iso`. */
function namesIn(resolutions) {
  return Object.keys(resolutions)
    .filter((name) => name.startsWith("string"))
    .map((name) => name.replace(/\.root$/, ""));
}

/** All patterns in a value. */
function patternsIn(value) {
  if (typeof value !== "object" || value === null) return [];
  const own = typeof value.pattern === "string" ? [value.pattern] : [];
  return [...own, ...Object.values(value).flatMap(patternsIn)];
}

const require = createRequire(import.meta.url);
const versions = {};
const formats = {};
for (const [library, makers] of Object.entries(libraries)) {
  const main = require.resolve(library);
  const end = main.indexOf(library) + library.length;
  const manifest = readFileSync(`${main.slice(0, end)}/package.json`, "utf8");
  versions[library] = JSON.parse(manifest).version;
  for (const [name, make] of makers) {
    // Most functions need an argument, or make no schema.
    let schema = null;
    try {
      schema = make();
    } catch {
      continue;
    }
    for (const pattern of new Set(patternsIn(schema)))
      (formats[pattern] ??= []).push(`${library} ${name}`);
  }
}
const rows = Object.entries(formats).map(([pattern, names]) => ({
  names: [...new Set(names)],
  pattern,
}));
writeFileSync(
  new URL("formats.json", import.meta.url),
  `${JSON.stringify({ versions, rows }, null, 2)}\n`,
);
process.exit();
