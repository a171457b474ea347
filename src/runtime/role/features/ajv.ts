import type { JsonObject } from "../../message.js";
import { canonical } from "../../session/digest.js";
import { dialectOf } from "./document.js";
import type { StandardIssue } from "./feature.js";

/** What of Ajv is used here; its types stay out of ours. */
interface Ajv {
  removeKeyword(name: string): unknown;
  addKeyword(definition: Keyword): unknown;
  compile(schema: object): Validate;
  removeSchema(schema: object): unknown;
}
interface Keyword {
  readonly keyword: string;
  readonly type: "array";
  readonly schemaType: "boolean";
  readonly error: { readonly message: string };
  validate(schema: boolean, items: readonly unknown[]): boolean;
}
interface Validate {
  (value: unknown): unknown;
  readonly errors?: readonly Fault[] | null;
}
interface Fault {
  readonly instancePath: string;
  readonly message?: string;
  readonly params: JsonObject;
}

/** Ajv is there for those who need it, and loaded when the first value is checked. A bundler may well not find it. */
const load: Readonly<Record<"2020-12" | "draft-07", () => Promise<Ajv>>> = {
  "2020-12": () =>
    import("ajv/dist/2020.js").catch(missing).then(({ Ajv2020 }) => linear(new Ajv2020(options))),
  "draft-07": () => import("ajv").catch(missing).then(({ Ajv }) => linear(new Ajv(options))),
};

const advice =
  " plain JSON Schema is checked by the package ajv, which could not be loaded: install it, or use a Standard Schema.";

function missing(cause: unknown): never {
  throw new Error(`A${advice}`, { cause });
}

/**
 * Throws when a schema is declared and Ajv is not installed. Where this cannot be known at once, as in a bundle or a browser,
 * the first call fails by the same words.
 */
export function checkAjv(where: string): void {
  const { resolve } = import.meta as { readonly resolve?: (name: string) => string };
  // A bundler that has put Ajv into the program has also rewritten the import above.
  if (!resolve || !/import\(["']ajv["']\)/.test(String(load["draft-07"]))) return;
  try {
    resolve("ajv");
  } catch (cause) {
    throw new Error(`${where}: a${advice}`, { cause });
  }
}

const options = {
  // SCHEMA-05: unknown keywords are no fault, and a format only describes.
  strict: false,
  validateFormats: false,
  // A reference costs no copy of what it leads to (SCHEMA-04).
  inlineRefs: false,
  logger: false,
} as const;

/** Ajv compares every item with every other, which takes seconds for thousands of objects: here each is looked up once. */
function linear(ajv: Ajv): Ajv {
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    validate: (isWanted: boolean, items: readonly unknown[]) =>
      !isWanted || new Set(items.map(canonical)).size === items.length,
    error: { message: "must NOT have duplicate items" },
  });
  return ajv;
}

const loaded = new Map<keyof typeof load, Promise<Ajv>>();

/** A function that tells a value's faults, undefined for a good one. SCHEMA-03: nothing is fetched. */
export async function compile(
  schema: JsonObject,
  where: string,
): Promise<(value: unknown) => readonly StandardIssue[] | undefined> {
  const dialect = dialectOf(schema) ?? "2020-12";
  const ajv = await (loaded.get(dialect) ?? begin(dialect));
  const { $schema: _, ...rest } = schema;
  let validate: Validate;
  try {
    validate = ajv.compile(rest);
    // One tool's `$id` is no business of another's.
    ajv.removeSchema(rest);
  } catch (cause) {
    // What it left behind goes with it.
    loaded.delete(dialect);
    throw new TypeError(`${where}: ${(cause as Error).message}`, { cause });
  }
  return (value) => {
    try {
      return validate(value) ? undefined : (validate.errors ?? []).map(issueOf);
    } catch (error) {
      // A recursive schema goes as deep as the value does.
      if (error instanceof RangeError) return [{ message: "it is nested too deeply" }];
      throw error;
    }
  };
}

function begin(dialect: keyof typeof load): Promise<Ajv> {
  const loading = load[dialect]();
  loaded.set(dialect, loading);
  loading.catch(() => loaded.delete(dialect));
  return loading;
}

function issueOf({ instancePath, message = "is not valid", params }: Fault): StandardIssue {
  const steps = instancePath.split("/").slice(1);
  const { additionalProperty, unevaluatedProperty, allowedValues, allowedValue } = params;
  const detail = additionalProperty ?? unevaluatedProperty ?? allowedValues ?? allowedValue;
  return {
    message: detail === undefined ? message : `${message} (${JSON.stringify(detail).slice(0, 200)})`,
    path: steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~")),
  };
}
