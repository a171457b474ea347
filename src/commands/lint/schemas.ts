import type { Scope } from "../../generator/diagnostics.js";
import type { JsonRecord } from "../../generator/ir/json.js";
import { isList, isRecord } from "../../generator/ir/json/value.js";
import type { Provider } from "./providers.js";
import { rulesOf } from "./rules.js";
import { namesIn, type Place, placesIn } from "./walk.js";

/**
 * Reports what providers refuse in the schema of a tool's arguments, each row
 * once for all providers that share it.
 */
export function checkSchema(
  schema: JsonRecord,
  providers: readonly Provider[],
  scope: Scope,
): void {
  if (isValidator(schema)) {
    scope
      .in("inputSchema")
      .error(
        "MG910",
        null,
        "an object of zod or of another library stands in place of a JSON Schema",
        "write its JSON Schema, for example with z.toJSONSchema",
      );
    return;
  }
  const rows = new Map<string, Row>();
  for (const provider of providers) {
    for (const row of rowsOf(schema, provider)) {
      const key = `${row.code} ${row.path} ${row.message}`;
      const titles = [...(rows.get(key)?.titles ?? []), provider.title];
      rows.set(key, { ...row, titles });
    }
  }
  for (const { code, path, message, hint, titles = [] } of rows.values()) {
    const place = path === "" ? "inputSchema" : `inputSchema.${path}`;
    scope
      .in(place)
      .error(code, null, `${titles.join(" and ")}: ${message}`, hint);
  }
}

/** True for what a validator of zod or of Standard Schema is as JSON. */
const isValidator = (schema: JsonRecord): boolean =>
  "~standard" in schema ||
  "_def" in schema ||
  (isRecord(schema["def"]) && "shape" in schema["def"]);

interface Row {
  readonly code: string;
  readonly path: string;
  readonly message: string;
  readonly hint: string;
  readonly titles?: readonly string[];
}

/** What one provider refuses in a schema. */
export function rowsOf(schema: JsonRecord, provider: Provider): Row[] {
  const rows: Row[] = [];
  const add = (
    code: string,
    path: string,
    message: string,
    hint: string,
  ): void => {
    rows.push({ code, path, message, hint });
  };
  if (schema["type"] !== "object")
    add(
      "MG912",
      "",
      "the schema of the arguments must be an object",
      'write "type": "object"',
    );
  const places = placesIn(schema);
  for (const { path, schema: own } of places) {
    for (const rule of rulesOf(provider, path === ""))
      if (rule.refuses(own)) add(rule.code, path, rule.message, rule.hint);
    for (const name of namesIn(own))
      if (
        provider.property !== null &&
        !new RegExp(provider.property).test(name)
      )
        add(
          "MG914",
          path,
          `the name ${JSON.stringify(name.slice(0, 80))} is refused`,
          `use names of ${provider.property}`,
        );
    if (provider.closed === true && isRecord(own["properties"]))
      checkClosed(own, path, provider.optional === true, add);
  }
  checkSizes(places, provider, add);
  return rows;
}

type Add = (code: string, path: string, message: string, hint: string) => void;

/** What `strict: true` needs of each object. */
function checkClosed(
  schema: JsonRecord,
  path: string,
  isOptional: boolean,
  add: Add,
): void {
  if (schema["additionalProperties"] !== false)
    add(
      "MG916",
      path,
      "an object must allow no other members",
      'write "additionalProperties": false',
    );
  if (isOptional) return;
  const required = new Set(
    isList(schema["required"]) ? schema["required"] : [],
  );
  const missing = namesIn(schema).filter((name) => !required.has(name));
  if (missing.length > 0)
    add(
      "MG916",
      path,
      `all members must be required, and ${missing.slice(0, 5).join(", ")} ${missing.length === 1 ? "is" : "are"} not`,
      "make them required, with null as another type of those that may be left out",
    );
}

function checkSizes(
  places: readonly Place[],
  { limits }: Provider,
  add: Add,
): void {
  const sum = (count: (schema: JsonRecord) => number): number =>
    places.reduce((total, { schema }) => total + count(schema), 0);
  const counts = {
    properties: sum((schema) => namesIn(schema).length),
    depth: places.reduce(
      (most, { depth, schema }) =>
        Math.max(most, depth + (isRecord(schema["properties"]) ? 1 : 0)),
      0,
    ),
    enumValues: sum(({ enum: values }) =>
      Array.isArray(values) ? values.length : 0,
    ),
  };
  const words = {
    properties: "properties",
    depth: "levels of objects",
    enumValues: "values of enumerations",
  };
  for (const [name, count] of Object.entries(counts) as [
    keyof typeof counts,
    number,
  ][]) {
    const limit = limits[name];
    if (limit === undefined || count <= limit) continue;
    add(
      "MG917",
      "",
      `the schema has ${count} ${words[name]}, and ${limit} are allowed`,
      "split the tool, or simplify its arguments",
    );
  }
}

/** Reports a list with more tools than a provider takes in one request. */
export function checkCounts(
  count: number,
  providers: readonly Provider[],
  scope: Scope,
): void {
  for (const { title, limits } of providers)
    if (limits.tools !== undefined && count > limits.tools)
      scope.error(
        "MG918",
        null,
        `${title}: ${count} tools, and ${limits.tools} are allowed`,
        "offer fewer tools at once",
      );
}
