import { createRequire } from "node:module";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { findUp, readText } from "./find.js";
import { parseJsonc } from "./jsonc.js";

/** The maximum number of configurations in an `extends` chain, which may be circular. */
const maxChain = 16;

/** True if the nearest `tsconfig.json` allows imports such as `./x.ts`. */
export async function allowsTsImports(out: string): Promise<boolean> {
  const nearest = await findUp(out, "tsconfig.json");
  if (nearest === null) return false;
  const allowing = await compilerOption(nearest.path, nearest.text, "allowImportingTsExtensions", maxChain);
  const rewriting = await compilerOption(
    nearest.path,
    nearest.text,
    "rewriteRelativeImportExtensions",
    maxChain,
  );
  return allowing === true || rewriting === true;
}

/** A compiler option, with `extends` resolved; undefined if no file sets it or one cannot be read. */
async function compilerOption(path: string, text: string, name: string, maxDepth: number): Promise<unknown> {
  const config = parseJsonc(text);
  if (!isRecord(config) || maxDepth === 0) return undefined;
  const options = config["compilerOptions"];
  if (isRecord(options) && Object.hasOwn(options, name)) return options[name];
  const bases = config["extends"];
  // A later base overrides an earlier one.
  for (const base of (Array.isArray(bases) ? [...(bases as unknown[])] : [bases]).reverse()) {
    const file = typeof base === "string" ? await readBase(path, base) : null;
    if (file === null) continue;
    const value = await compilerOption(file.path, file.text, name, maxDepth - 1);
    if (value !== undefined) return value;
  }
  return undefined;
}

async function readBase(from: string, base: string): Promise<{ path: string; text: string } | null> {
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
      // The package is not installed or has no such file: try the next candidate.
    }
  }
  return paths.filter((path) => path.endsWith(".json"));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
