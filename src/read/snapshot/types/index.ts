import type { Options } from "json-schema-to-typescript";
import type { Scope } from "../../../diagnostics.js";
import type { JsonRecord } from "../../../ir/surface/model.js";
import type { Definition } from "../../../ir/surface/schema.js";
import {
  checkText,
  type CheckedText,
  type TypeText,
  typeWords,
  unknownType,
} from "../../../ir/surface/type-text.js";
import type { Untyped } from "../definitions.js";
import { Placeholders } from "./placeholders.js";
import { plain } from "./plain.js";

/** Everything that would fetch, format or name something is off. */
const options: Partial<Options> = {
  additionalProperties: false,
  bannerComment: "",
  enableConstEnums: false,
  format: false,
  ignoreMinAndMaxItems: true,
  $refOptions: { resolve: { external: false, file: false, http: false } },
};

type Compile = (schema: object, name: string, options: Partial<Options>) => Promise<string>;

/** How many types the library prints at once: it takes long to start, and longer for each schema of a long list. */
const batchSize = 200;

/** A schema in the library's words, and all types that it is printed for. */
interface Printed {
  readonly schema: JsonRecord;
  text: CheckedText | null;
}

/** Gives every definition its type. A schema that the library fails on becomes `unknown`. */
export async function withTypes(definitions: readonly Untyped[], scope: Scope): Promise<Definition[]> {
  if (definitions.length === 0) return [];
  const printed = new Map<string, Printed>();
  const typed = definitions.map((definition) => {
    const names = new Placeholders();
    const schema = plain(definition.schema, names) ?? {};
    const id = JSON.stringify(schema);
    const known = printed.get(id) ?? { schema, text: null };
    printed.set(id, known);
    return { definition, names, printed: known };
  });
  await print([...printed.values()]);
  return typed.map(({ definition, names, printed: { text } }): Definition => {
    if (text === null) {
      const owner = definition.root.slice(0, 120);
      scope.warn("MG310", null, `the type of the ${owner} cannot be printed; it is unknown`, null);
      return { ...definition, type: unknownType };
    }
    const { members, strings, references } = names;
    return { ...definition, type: { text, members, strings, references } satisfies TypeText };
  });
}

/** Prints all types, many at once; those of a batch that fails one by one. */
async function print(all: readonly Printed[]): Promise<void> {
  const { compile } = await import("json-schema-to-typescript");
  for (let start = 0; start < all.length; start += batchSize) {
    const batch = all.slice(start, start + batchSize);
    if (await printBatch(batch, compile)) continue;
    for (const one of batch) await printBatch([one], compile);
  }
}

/** Prints types as the members of one interface. False when the library fails, or prints anything unexpected. */
async function printBatch(batch: readonly Printed[], compile: Compile): Promise<boolean> {
  const roots = batch.map((_, index) => `k${index}`);
  const root = {
    type: "object",
    additionalProperties: false,
    required: roots,
    properties: Object.fromEntries(batch.map(({ schema }, index) => [roots[index], schema])),
  };
  try {
    const text = await compile(root, "Root", options);
    const head = "export interface Root {\n";
    const words = text.startsWith(head) ? typeWords(text.slice(head.length - 2)) : null;
    const types = words === null ? [] : membersOf(words);
    if (types.length !== batch.length) return false;
    batch.forEach((one, index) => {
      one.text = checkText(types[index] ?? "");
    });
    return true;
  } catch {
    // The library throws on a schema that it cannot read, or that is nested too deep for it.
    return false;
  }
}

/** The types of an object's members: `{ k0 : string k1 : number }`. */
function membersOf(words: readonly string[]): string[] {
  const types: string[] = [];
  let depth = 0;
  let start = 0;
  words.forEach((word, index) => {
    const isNext = depth === 1 && words[index + 1] === ":" && /^k\d/.test(word);
    if ("{([".includes(word)) depth += 1;
    else if ("})]".includes(word)) depth -= 1;
    if (!isNext && depth > 0) return;
    if (start > 0) types.push(words.slice(start, index).join(" "));
    start = index + 2;
  });
  return types;
}
