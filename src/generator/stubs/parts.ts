import { isSide } from "../emit/vendor.js";
import type { Side } from "../ir/model.js";

const sides: readonly Side[] = ["client", "server"];

/**
 * The files that only some projects need, `<part>.ts`, each with the sides that
 * it imports.
 */
const needs = {
  tools: ["client"],
  adapters: ["client"],
  mock: ["client", "server"],
  "json-schemas": [],
} as const satisfies Readonly<Record<string, readonly Side[]>>;

/**
 * A part of a project that can be generated alone: a side, or a file that only
 * some projects need.
 */
export type StubPart = Side | keyof typeof needs;

/** All parts. */
export const stubParts = Object.freeze([
  ...sides,
  ...Object.keys(needs),
]) as readonly StubPart[];

/**
 * The sides to generate: those that are asked for, and those that the other
 * parts import.
 */
export function sidesOf(emit: readonly StubPart[]): Side[] {
  const needed = new Set(
    emit.flatMap((part): readonly Side[] =>
      isSide(part) ? [part] : needs[part],
    ),
  );
  return sides.filter((side) => needed.has(side));
}

/** The parts of `files`, which a project has already. */
export function partsOf(files: ReadonlyMap<string, unknown>): StubPart[] {
  return stubParts.filter((part) => files.has(`${part}.ts`));
}

/**
 * The parts of a new project: those of a server that a person designs, or only
 * the client of a server that exists.
 */
export const newParts = (isDesigned: boolean): readonly StubPart[] =>
  isDesigned ? sides : ["client"];
