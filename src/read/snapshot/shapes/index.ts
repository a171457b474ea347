import type { Options } from "json-schema-to-typescript";
import type { Scope } from "../../../diagnostics.js";
import type { Json } from "../../../ir/surface/model.js";
import type { Definition, Shape } from "../../../ir/surface/schema.js";
import type { Untyped } from "../definitions.js";
import { parseShapes } from "./parse.js";
import { plain } from "./plain.js";
import { Tokens } from "./tokens.js";

/** Whatever could fetch, format or decide something by a title is switched off. */
const options: Partial<Options> = {
  additionalProperties: false,
  bannerComment: "",
  declareExternallyReferenced: true,
  enableConstEnums: false,
  format: false,
  ignoreMinAndMaxItems: true,
  strictIndexSignatures: false,
  unknownAny: true,
  unreachableDefinitions: false,
  $refOptions: { resolve: { external: false, file: false, http: false } },
};

type Compile = (schema: object, name: string, options: Partial<Options>) => Promise<string>;

/** How many definitions are printed at once: the library takes long to begin, and longer than that for a long list. */
const batch = 200;

/**
 * Gives every definition its type. Many are printed at once; where that fails, each tool's on its own, and the one at
 * fault becomes `unknown`.
 */
export async function withShapes(definitions: readonly Untyped[], scope: Scope): Promise<Definition[]> {
  if (definitions.length === 0) return [];
  const { compile } = await import("json-schema-to-typescript");
  const found: Definition[] = [];
  for (const groups of batches(definitions)) {
    const together = await shapesOf(groups.flat(), compile);
    if (together !== null) {
      for (const each of attach(groups.flat(), together)) found.push(each);
      continue;
    }
    for (const group of groups) {
      const shapes = await shapesOf(group, compile);
      if (shapes === null) {
        const owner = group[0]?.root.slice(0, 120) ?? "";
        scope.warn("MG310", null, `no type can be told for the ${owner}; it is unknown`, null);
      }
      for (const each of attach(group, shapes ?? new Map<string, Shape>())) found.push(each);
    }
  }
  return found;
}

/** Definitions that may refer to each other stay together. */
function batches(definitions: readonly Untyped[]): Untyped[][][] {
  const byRoot = new Map<string, Untyped[]>();
  for (const definition of definitions) {
    const group = byRoot.get(definition.root);
    if (group === undefined) byRoot.set(definition.root, [definition]);
    else group.push(definition);
  }
  const found: Untyped[][][] = [];
  let size = batch;
  for (const group of byRoot.values()) {
    if (size + group.length > batch) {
      found.push([]);
      size = 0;
    }
    found.at(-1)?.push(group);
    size += group.length;
  }
  return found;
}

function attach(definitions: readonly Untyped[], shapes: ReadonlyMap<string, Shape>): Definition[] {
  return definitions.map((definition) => ({
    ...definition,
    shape: shapes.get(definition.key) ?? { kind: "unknown" },
  }));
}

/** Types by key; null when the library cannot print them, or prints what it should not. */
async function shapesOf(
  definitions: readonly Untyped[],
  compile: Compile,
): Promise<ReadonlyMap<string, Shape> | null> {
  const tokens = new Tokens(definitions.map(({ key }) => key));
  const roots = definitions.map((_, index) => `r${index}`);
  const schema = {
    type: "object",
    additionalProperties: false,
    required: roots,
    properties: Object.fromEntries(
      definitions.map(({ key }, index) => [
        roots[index],
        { $ref: `#/definitions/${tokens.definition(key)}` },
      ]),
    ),
    definitions: Object.fromEntries(
      definitions.map(({ key, schema: own }): [string, Json] => [
        tokens.definition(key),
        plain(own, tokens) ?? {},
      ]),
    ),
  };
  try {
    const printed = parseShapes(await compile(schema, "Root", options), tokens);
    const root = printed.get("Root");
    if (root?.kind !== "object") return null;
    return new Map(
      root.members.map(({ name, shape }) => {
        const key = definitions[Number(name.slice(1))]?.key ?? "";
        const own = printed.get(tokens.definition(key));
        return [key, own ?? shape];
      }),
    );
  } catch {
    // Whatever it was, it is told where the one at fault is known.
    return null;
  }
}
