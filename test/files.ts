import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./repository.js";

/** Writes a file, and makes the folders above it. */
export function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/**
 * Makes a folder inside the checkout, where a program finds the packages as in
 * a project that installed them. The caller removes it.
 */
export function folderInCheckout(name: string): string {
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  return mkdtempSync(join(cache, `${name}-`));
}

/** Every file below a folder by its relative path. */
export function filesIn(path: string): Record<string, string> {
  const results: Record<string, string> = {};
  for (const name of readdirSync(path, { recursive: true })
    .map(String)
    .sort()) {
    const full = join(path, name);
    if (statSync(full).isFile())
      results[name.replaceAll("\\", "/")] = readFileSync(full, "utf8");
  }
  return results;
}
