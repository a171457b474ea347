import fc from "fast-check";
import { expect, it } from "vitest";
import { namesInCycles } from "../../src/generator/ir/cycles.js";
import { reachableFrom } from "../../src/generator/ir/lookup.js";

it("the names in cycles are those that can be reached from themselves", () => {
  const name = fc.constantFrom(..."abcdefg");
  const graphs = fc.uniqueArray(
    fc.tuple(name, fc.array(name, { maxLength: 3 })),
    { selector: ([one]) => one, maxLength: 7 },
  );
  fc.assert(
    fc.property(graphs, (rows) => {
      const graph = new Map(rows);
      const next = (one: string): readonly string[] => graph.get(one) ?? [];
      expect([...namesInCycles(graph)].sort()).toEqual(
        [...graph.keys()]
          .filter((one) => reachableFrom(one, next).has(one))
          .sort(),
      );
    }),
    { numRuns: 1000 },
  );
});

it("a chain of 100,000 names is followed to its end", () => {
  const graph = new Map(
    Array.from({ length: 100_000 }, (_, i) => [`n${i}`, [`n${i + 1}`]]),
  );
  expect(namesInCycles(graph).size).toBe(0);
  expect(namesInCycles(graph.set("n100000", ["n0"])).size).toBe(100_001);
});
