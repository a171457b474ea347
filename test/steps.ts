import { Session, type Profiler } from "node:inspector/promises";
import { pathToFileURL } from "node:url";
import { root } from "./repository.js";

const sources = [
  `${root.replace(/\/$/, "")}/src/`,
  pathToFileURL(`${root.replace(/\/$/, "")}/src/`).href,
];

// Code that was compiled before V8 counts its blocks is not counted, so a test
// imports this module first, and has a process of its own.
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", {
  callCount: true,
  detailed: true,
});

/**
 * The steps that the code in `src` makes for some work: how often each function
 * and each block of it runs, as V8 counts them. It is the same on every machine;
 * a search inside a built-in function is one step.
 */
export async function stepsOf(work: () => unknown): Promise<number> {
  await session.post("Profiler.takePreciseCoverage");
  await work();
  const { result } = await session.post("Profiler.takePreciseCoverage");
  return result.reduce((sum, script) => sum + countOf(script), 0);
}

function countOf({ url, functions }: Profiler.ScriptCoverage): number {
  if (!sources.some((folder) => url.startsWith(folder))) return 0;
  return functions
    .flatMap(({ ranges }) => ranges)
    .reduce((sum, { count }) => sum + count, 0);
}
