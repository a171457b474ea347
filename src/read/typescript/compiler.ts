import type { ts } from "ts-morph";

/** The namespace of the TypeScript compiler in ts-morph. */
export type Compiler = typeof ts;

/** Loads the compiler on first use, because only a `schema.ts` needs it. */
export async function loadCompiler(): Promise<Compiler> {
  const module = await import("ts-morph");
  return module.ts;
}
