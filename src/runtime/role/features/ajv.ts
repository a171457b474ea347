import type { JsonObject } from "../../index.js";
import { dialectOf } from "./document.js";
import type { StandardIssue } from "./feature.js";

/** What of Ajv is used here; its types stay out of ours. */
interface Ajv {
  compile(schema: object): Validate;
  removeSchema(schema: object): unknown;
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
  "2020-12": () => import("ajv/dist/2020.js").catch(missing).then(({ Ajv2020 }): Ajv => new Ajv2020(options)),
  "draft-07": () => import("ajv").catch(missing).then(({ Ajv }): Ajv => new Ajv(options)),
};

function missing(cause: unknown): never {
  throw new Error(
    "A plain JSON Schema is checked by the package ajv, which could not be loaded: install it, or use a Standard Schema.",
    { cause },
  );
}

const options = {
  // SCHEMA-05: unknown keywords are no fault, and a format only describes.
  strict: false,
  validateFormats: false,
  // A reference costs no copy of what it leads to (SCHEMA-04).
  inlineRefs: false,
  logger: false,
} as const;

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
