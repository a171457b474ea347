import type { ts } from "ts-morph";

/** The compiler's namespace, as ts-morph carries it. */
export type Compiler = typeof ts;

/** Loads the compiler on first use: reading anything but a `schema.ts` never pays for it. */
export async function loadCompiler(): Promise<Compiler> {
  const module = await import("ts-morph");
  return module.ts;
}
