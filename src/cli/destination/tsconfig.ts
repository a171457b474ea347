import { isRecord, parseOrUndefined } from "../../generator/ir/json/value.js";
import { createRequire } from "node:module";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { findUp, readText } from "./find.js";

/**
 * The maximum number of configurations in an `extends` chain, which may be
 * circular.
 */
const maxChain = 16;

/**
 * The extension of relative imports, by the nearest `tsconfig.json`: "ts" if it
 * allows that, "none" if a bundler resolves the imports, because webpack and
 * Next.js find no `x.ts` for `./x.js`.
 */
export async function importExtensionFor(
  out: string,
): Promise<"js" | "ts" | "none"> {
  const nearest = await findUp(out, "tsconfig.json");
  if (nearest === null) return "js";
  const option = (name: string): Promise<unknown> =>
    compilerOption(nearest.path, nearest.text, name, maxChain);
  for (const name of [
    "allowImportingTsExtensions",
    "rewriteRelativeImportExtensions",
  ])
    if ((await option(name)) === true) return "ts";
  const resolution =
    (await option("moduleResolution")) ?? (await option("module"));
  return /^(bundler|preserve)$/i.test(String(resolution)) ? "none" : "js";
}

/**
 * A compiler option, with `extends` resolved; undefined if no file sets it or
 * one cannot be read.
 */
async function compilerOption(
  path: string,
  text: string,
  name: string,
  maxDepth: number,
): Promise<unknown> {
  const config = parseOrUndefined(bareJson(text));
  if (!isRecord(config) || maxDepth === 0) return undefined;
  const options = config["compilerOptions"];
  if (isRecord(options) && Object.hasOwn(options, name)) return options[name];
  const bases = config["extends"];
  // A later base overrides an earlier one.
  for (const base of (Array.isArray(bases)
    ? [...(bases as unknown[])]
    : [bases]
  ).reverse()) {
    const file = typeof base === "string" ? await readBase(path, base) : null;
    if (file === null) continue;
    const value = await compilerOption(
      file.path,
      file.text,
      name,
      maxDepth - 1,
    );
    if (value !== undefined) return value;
  }
  return undefined;
}

async function readBase(
  from: string,
  base: string,
): Promise<{ path: string; text: string } | null> {
  for (const path of candidates(from, base)) {
    const text = await readText(path);
    if (text !== null) return { path, text };
  }
  return null;
}

function candidates(from: string, base: string): string[] {
  if (isAbsolute(base) || base.startsWith(".")) {
    const path = resolve(dirname(from), base);
    return [path, `${path}.json`];
  }
  const resolver = createRequire(from);
  const paths: string[] = [];
  for (const name of [base, `${base}.json`, join(base, "tsconfig.json")]) {
    try {
      paths.push(resolver.resolve(name));
    } catch {
      // The package is not installed or has no such file: try the next
      // candidate.
    }
  }
  return paths.filter((path) => path.endsWith(".json"));
}

/**
 * Replaces comments, trailing commas and a byte order mark with blanks, so that
 * the text is JSON and positions stay.
 */
export function bareJson(text: string): string {
  // Strings are matched too, so that text inside them is not taken for a
  // comment. What has no end is kept, up to the end of the text.
  return text
    .replace(/^\uFEFF/, " ")
    .replace(
      /\/\/[^\n\r]*|\/\*[^]*?\*\/|("(?:[^"\\]|\\.)*"?|\/\*[^]*)/gs,
      (match, kept: string | undefined) =>
        kept ?? match.replace(/[^\n\r]/g, " "),
    )
    .replace(
      /("(?:[^"\\]|\\.)*"?)|,(?=\s*[}\]])/gs,
      (_, string: string | undefined) => string ?? " ",
    );
}
