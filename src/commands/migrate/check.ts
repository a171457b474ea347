import { dirname, join } from "node:path";
import {
  type Diagnostic,
  Diagnostics,
  makeDiagnostic,
} from "../../generator/diagnostics.js";
import { loadRuntimeSource } from "../../generator/inputs/package.js";
import type { Context } from "../../cli/command.js";
import { readTask } from "../../cli/commands/generate/task.js";
import { type Faults, faultsOf, posix } from "../../cli/compile/faults.js";
import { exists } from "../../cli/destination/find.js";
import {
  isInstalled,
  runtimePackage,
} from "../../cli/destination/installed.js";
import type { SourceText } from "./source.js";

/** The faults of a result, as errors or, if it is written, as warnings. */
export const diagnosticsOf = (
  faults: Faults["list"],
  isRefused: boolean,
  nameOf: (path: string) => string,
): readonly Diagnostic[] =>
  faults.map(({ location, message }) => ({
    ...makeDiagnostic(
      isRefused ? "error" : "warning",
      "MG955",
      `the result does not compile: ${message}`,
      compileHint,
    ),
    location: { ...location, file: nameOf(location.file) },
  }));

const compileHint =
  "change this before the move, or use --force and correct it afterwards";

/**
 * Compiles the converted files. The protocol and the runtime that they import
 * may not be there yet: then they are in memory.
 */
export async function compile(
  files: readonly SourceText[],
  converted: readonly SourceText[],
  protocol: string,
  context: Context,
): Promise<Faults> {
  const texts = new Map(converted.map(({ path, text }) => [path, text]));
  const folder = dirname(converted[0]?.path ?? context.directory);
  // Without the old packages nothing has a type, before and after.
  const names = files.flatMap(({ text }) =>
    [...text.matchAll(/["'](@modelcontextprotocol\/[\w-]+|fastmcp)/g)].map(
      ([, name = ""]) => name,
    ),
  );
  const isTyped = names.some((name) => isInstalled(name, folder));
  const hasRuntime = isInstalled(runtimePackage, folder);
  // The types of the runtime say nothing true without those of the protocol.
  if ((isTyped || hasRuntime) && !(await exists(protocol)))
    await addProtocol(texts, protocol, context);
  if (isTyped && !hasRuntime) await addRuntime(texts, protocol);
  return await faultsOf(
    folder,
    converted.map(({ path }) => path),
    (path) => texts.get(path),
    isTyped ? {} : { noImplicitAny: false },
  );
}

/** Adds the protocol that `mcpgen --version all --out <dir>` writes. */
async function addProtocol(
  texts: Map<string, string>,
  out: string,
  context: Context,
): Promise<void> {
  const { prepare } = await import("../../cli/commands/generate/prepare.js");
  const task = await readTask(
    { out, version: "all", mode: "write", force: false, clean: false },
    context.directory,
  );
  const { request } = await prepare(task, context, new Diagnostics());
  for (const { path, text } of request.files)
    texts.set(posix(join(out, path)), text);
}

/** Adds the sources of the runtime, as a package beside the protocol. */
async function addRuntime(
  texts: Map<string, string>,
  protocol: string,
): Promise<void> {
  const folder = posix(join(dirname(protocol), "node_modules", runtimePackage));
  const exported = { ".": "./index.ts", "./*": "./*.ts" };
  texts.set(
    `${folder}/package.json`,
    JSON.stringify({ name: runtimePackage, type: "module", exports: exported }),
  );
  for (const [path, text] of await loadRuntimeSource())
    texts.set(`${folder}/${path}`, text);
}
