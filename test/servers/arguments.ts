import { join } from "node:path";

type Schema = Readonly<Record<string, unknown>>;

/**
 * Arguments that the schema of a tool accepts: only the required ones, and all.
 */
export function argumentsFor(
  schema: unknown,
  folder: string,
): readonly [few: unknown, all: unknown] {
  const make = (isAll: boolean): unknown =>
    valueOf(asSchema(schema), "", { isAll, folder, root: asSchema(schema) });
  return [make(false), make(true)];
}

interface Making {
  readonly isAll: boolean;
  readonly folder: string;
  readonly root: Schema;
}

function valueOf(subschema: Schema, name: string, making: Making): unknown {
  const schema = followed(subschema, making.root);
  if (schema["const"] !== undefined) return schema["const"];
  const [first] = list(schema["enum"]);
  if (first !== undefined) return first;
  const [branch] = [...list(schema["anyOf"]), ...list(schema["oneOf"])];
  if (branch !== undefined) return valueOf(asSchema(branch), name, making);
  switch ([schema["type"]].flat()[0]) {
    case "object":
      return objectOf(schema, making);
    case "array": {
      const min = numberOf(schema["minItems"]) ?? 0;
      const length = making.isAll ? Math.max(min, 1) : min;
      return Array.from({ length }, () =>
        valueOf(asSchema(schema["items"]), name, making),
      );
    }
    case "integer":
    case "number":
      return numberFor(schema);
    case "boolean":
      return making.isAll;
    case "null":
      return null;
    default:
      return textFor(schema, name, making);
  }
}

function objectOf(schema: Schema, making: Making): unknown {
  const properties = asSchema(schema["properties"]);
  const names = new Set([
    ...list(schema["required"]).map(String),
    ...(making.isAll ? Object.keys(properties) : []),
  ]);
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      valueOf(asSchema(properties[name]), name, making),
    ]),
  );
}

function numberFor(schema: Schema): number {
  const above = numberOf(schema["exclusiveMinimum"]);
  const below = numberOf(schema["exclusiveMaximum"]);
  const min =
    numberOf(schema["minimum"]) ??
    (above === undefined ? undefined : Math.floor(above) + 1);
  const max =
    numberOf(schema["maximum"]) ??
    (below === undefined ? undefined : Math.ceil(below) - 1);
  return Math.min(Math.max(1, min ?? 1), max ?? 1e9);
}

function textFor(schema: Schema, name: string, { folder }: Making): string {
  // A URL that needs no network.
  if (schema["format"] === "uri") return "data:text/plain,a";
  if (schema["format"] === "date-time") return "2026-01-02T03:04:05Z";
  if (/path|source|file|destination/i.test(name))
    return join(folder, "story.txt");
  return "a".repeat(Math.max(1, numberOf(schema["minLength"]) ?? 1));
}

function followed(schema: Schema, root: Schema): Schema {
  const { $ref } = schema;
  if (typeof $ref !== "string") return schema;
  let target: unknown = root;
  for (const step of $ref.split("/").slice(1))
    target = asSchema(target)[decodeURIComponent(step)];
  return asSchema(target);
}

const asSchema = (value: unknown): Schema =>
  typeof value === "object" && value !== null ? (value as Schema) : {};
const list = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : [];
const numberOf = (value: unknown): number | undefined =>
  typeof value === "number" ? value : undefined;
