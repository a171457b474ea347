import { filledFile } from "./files.js";

export type Runtime = "node" | "tsx" | "bun" | "deno";

/** How to start and test programs in TypeScript. */
export interface Runner {
  readonly runtime: Runtime;
  /** The words before the path of a program, in a script of a package. */
  readonly start: string;
  readonly test: string;
}

/** What starts programs whose imports have an extension. */
export async function runnerFor(extension: string): Promise<Runner> {
  const runtime = runtimeFor(extension);
  const runtimes = JSON.parse(
    await filledFile("runtimes.json", {}),
  ) as Readonly<Record<Runtime, Omit<Runner, "runtime">>>;
  return { runtime, ...runtimes[runtime] };
}

/**
 * What starts TypeScript: the runtime of this process, or tsx if that one runs
 * only JavaScript, or needs the extension `.ts` in imports that have another.
 */
function runtimeFor(extension: string): Runtime {
  if (process.versions["bun"] !== undefined) return "bun";
  if (extension !== "ts") return "tsx";
  if (process.versions["deno"] !== undefined) return "deno";
  // Node.js before 22.18 has no such feature, or it is off.
  const { typescript } = process.features as { readonly typescript?: unknown };
  return typescript ? "node" : "tsx";
}
