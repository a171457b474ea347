import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  formatDiagnostic,
  SchemaError,
} from "../../src/generator/diagnostics.js";
import {
  writeFiles,
  type Provenance,
  type WriteRequest,
  type WrittenFile,
} from "../../src/generator/emit/write.js";

export const provenance: Provenance = {
  generator: "1.2.3",
  sources: [{ revision: "first", name: "schema.ts", sha256: "0".repeat(64) }],
  options: {
    emit: ["types"],
    runtime: "package",
    importExtension: "js",
    templates: null,
  },
};

/** A fresh empty directory, removed after the test. */
export function temporary(): string {
  const path = mkdtempSync(join(tmpdir(), "mcpgen-test-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/**
 * Every file below a directory, by relative path; directories end in a slash.
 */
export function tree(directory: string): Record<string, string> {
  const results: Record<string, string> = {};
  const walk = (path: string, prefix: string): void => {
    for (const name of readdirSync(path).sort()) {
      const full = join(path, name);
      if (statSync(full).isDirectory()) {
        results[`${prefix}${name}/`] = "";
        walk(full, `${prefix}${name}/`);
      } else {
        results[prefix + name] = readFileSync(full, "utf8");
      }
    }
  };
  walk(directory, "");
  return results;
}

/** The same without the manifest, which other tests check. */
export function files(directory: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tree(directory)).filter(([path]) => path !== ".mcpgen.json"),
  );
}

export interface WriteResult {
  /** Null after an error. */
  readonly outcome: {
    readonly files: readonly WrittenFile[];
    readonly interrupted: boolean;
  } | null;
  readonly messages: readonly string[];
}

/**
 * Writes texts by path, and returns the outcome and every diagnostic as text.
 */
export async function write(
  out: string,
  texts: Readonly<Record<string, string>>,
  rest: Partial<WriteRequest> = {},
): Promise<WriteResult> {
  const expected = Object.entries(texts).map(([path, text]) => ({
    path,
    text,
  }));
  try {
    const files = await writeFiles({
      out,
      files: expected,
      provenance,
      ...rest,
    });
    return { outcome: { files, interrupted: false }, messages: [] };
  } catch (error) {
    if (rest.signal?.aborted === true && error === rest.signal.reason)
      return { outcome: { files: [], interrupted: true }, messages: [] };
    if (!(error instanceof SchemaError)) throw error;
    return { outcome: null, messages: error.diagnostics.map(formatDiagnostic) };
  }
}
