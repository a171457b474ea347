import { compile, type Options } from "json-schema-to-typescript";
import type { JsonRecord } from "../../../ir/snapshot/model.js";
import { checkText, type CheckedText, typeWords } from "../../../ir/snapshot/type-text.js";

/** Options that disable all fetching, formatting and naming. */
const options: Partial<Options> = {
  additionalProperties: false,
  bannerComment: "",
  enableConstEnums: false,
  format: false,
  ignoreMinAndMaxItems: true,
  $refOptions: { resolve: { external: false, file: false, http: false } },
};

/**
 * The number of types that the library prints at once: each call has a fixed cost, and a long list takes more time
 * for each schema.
 */
const batchSize = 200;

/** A schema for the library, and all types that it is printed for. */
export interface PrintTask {
  readonly schema: JsonRecord;
  text: CheckedText | null;
}

/** Prints all types in batches. If a batch fails, its types are printed one by one. */
export async function print(all: readonly PrintTask[]): Promise<void> {
  for (let start = 0; start < all.length; start += batchSize) {
    const batch = all.slice(start, start + batchSize);
    if (await printBatch(batch)) continue;
    for (const one of batch) await printBatch([one]);
  }
}

/** Prints types as the members of one interface. Returns false if the library fails or prints unexpected text. */
async function printBatch(batch: readonly PrintTask[]): Promise<boolean> {
  const roots = batch.map((_, index) => `k${index}`);
  const root = {
    type: "object" as const,
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
