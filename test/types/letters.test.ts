import { createRequire } from "node:module";
import type TypeScript from "typescript";
import { expect, it } from "vitest";
import { camelCase, safeIdentifier } from "../../src/generator/view/typescript/names.js";
import { compilers } from "./matrix.js";

const load = createRequire(import.meta.url);

// The program of TypeScript 7 has no functions that say what a letter is.
it.each(compilers.filter(({ version }) => version < 7))(
  "the letters of a generated name are letters for $name, whatever letters Node.js knows",
  ({ name: compiler }) => {
    const ts = load(compiler) as typeof TypeScript;
    const unknown = new Set<string>();
    for (let unit = 0x80; unit < 0x11_0000; unit++) {
      const letter = String.fromCodePoint(unit);
      if (!/[\p{L}\p{N}\p{M}]/u.test(letter)) continue;
      for (const name of [safeIdentifier(letter), camelCase(`a${letter}b`)]) {
        const [first = 0, ...others] = [...name].map((one) => one.codePointAt(0) ?? 0);
        const isKnown =
          ts.isIdentifierStart(first, ts.ScriptTarget.ES2022) &&
          others.every((one) => ts.isIdentifierPart(one, ts.ScriptTarget.ES2022));
        if (!isKnown) unknown.add(unit.toString(16));
      }
    }
    expect([...unknown]).toEqual([]);
  },
);
