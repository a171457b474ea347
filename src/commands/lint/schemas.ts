import type { Code, Scope } from "../../generator/diagnostics.js";
import type { TypeName } from "../../generator/ir/constraint.js";
import type { Json, JsonRecord } from "../../generator/ir/json.js";
import { isList, isOf, isRecord } from "../../generator/ir/json/value.js";
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
  const scopeAt = (path: string): Scope =>
    scope.in(path === "" ? "inputSchema" : `inputSchema.${path}`);
  for (const { code, path, message, hint, titles = [] } of rows.values())
    scopeAt(path).error(
      code,
      null,
      `${titles.join(" and ")}: ${message}`,
      hint,
    );
  // Of a provider that refuses such names, the rows above say it.
  const isRule = providers.some((provider) =>
    rulesOf(provider, false).some(({ id }) => id === "required-members"),
  );
  for (const { schema: own, path } of placesIn(schema)) {
    noteDefault(own, scopeAt(path));
    if (!isRule) noteRequired(own, scopeAt(path));
  }
}

/** Notes a default that has another type than its schema. */
function noteDefault(schema: JsonRecord, scope: Scope): void {
  const { type, default: value, nullable } = schema;
  const types = [type ?? []].flat();
  if (
    value === undefined ||
    types.length === 0 ||
    (value === null && nullable === true) ||
    types.some((one) => isOf(one as TypeName, value))
  )
    return;
  scope.note(
    "MG926",
    null,
    `the default ${JSON.stringify(value).slice(0, 80)} is not of the type ${types.join(" or ").slice(0, 80)}`,
    "write a default that the schema accepts, or leave it out",
  );
}

/** Notes a name in `required` that no member has. */
function noteRequired(schema: JsonRecord, scope: Scope): void {
  const { required, properties } = schema;
  if (!isList(required) || !isRecord(properties)) return;
  const names = new Set<Json>(namesIn(schema));
  const missing = required.filter((name) => !names.has(name));
  if (missing.length === 0) return;
  scope.note(
    "MG927",
    null,
    `required names ${missing
      .slice(0, 5)
      .map((name) => JSON.stringify(name).slice(0, 80))
      .join(", ")}, which properties does not have`,
    "add the member, or remove its name from required",
  );
}

/** True for what a validator of zod or of Standard Schema is as JSON. */
const isValidator = (schema: JsonRecord): boolean =>
  "~standard" in schema ||
  "_def" in schema ||
  (isRecord(schema["def"]) && "shape" in schema["def"]);

interface Row {
  readonly code: Code;
  readonly path: string;
  readonly message: string;
  readonly hint: string;
  readonly titles?: readonly string[];
}

/** What one provider refuses in a schema. */
export function rowsOf(schema: JsonRecord, provider: Provider): Row[] {
  const rows: Row[] = [];
  const add = (
    code: Code,
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

type Add = (code: Code, path: string, message: string, hint: string) => void;

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
  let depth = 0;
  for (const { depth: around, schema } of places)
    depth = Math.max(depth, around + (isRecord(schema["properties"]) ? 1 : 0));
  const counts = {
    properties: places.flatMap(({ schema }) => namesIn(schema)).length,
    depth,
    enumValues: places.flatMap(({ schema }) =>
      isList(schema["enum"]) ? schema["enum"] : [],
    ).length,
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
