import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { fixture, project } from "../stubs/project.js";
import { seed } from "../view/made.js";
import { runs } from "../whole.js";
import { files, temporary, tree, write } from "./write-support.js";

const { files: generated, once } = await project(fixture("weather"));
const paths = ["types.ts", "validators.ts", "client.ts", "server.ts"];
const texts: Readonly<Record<string, string>> = Object.fromEntries(
  paths.map((path) => [path, generated.get(path) ?? ""]),
);
const handlers = [...once].map(([path, text]) => ({ path, text }));
/** What the next run generates. */
const next = Object.fromEntries(
  paths.map((path) => [path, `${texts[path]}\nexport const next = 1;\n`]),
);

/** The places where the tokens of a module end, without comments. */
function endsOf(text: string): readonly number[] {
  const file = ts.createSourceFile("a.ts", text, ts.ScriptTarget.ES2022, true);
  const ends: number[] = [];
  const visit = (node: ts.Node): void => {
    const children = node.getChildren(file);
    if (children.length === 0 && node.getWidth(file) > 0)
      ends.push(node.getEnd());
    // A part of a template is a part of a text.
    if (!ts.isTemplateExpression(node)) children.forEach(visit);
  };
  visit(file);
  return ends;
}
const ends = new Map(paths.map((path) => [path, endsOf(texts[path] ?? "")]));

/** A text with something inserted after one of its tokens. */
const edited = (inserted: fc.Arbitrary<string>) =>
  fc
    .tuple(fc.constantFrom(...paths), fc.nat(), inserted)
    .map(([path, number, more]) => {
      const places = ends.get(path) ?? [];
      const at = places[number % places.length] ?? 0;
      const text = texts[path] ?? "";
      return { path, text: text.slice(0, at) + more + text.slice(at) };
    });

describe(`a generated file that the user edits at a random place (seed ${seed})`, () => {
  it("stays as it is, with all others, and is named, when it is generated again", async () => {
    const change = fc.constantFrom(
      " mine",
      " 7",
      '"mine"',
      " // mine\n",
      " /* mine */ ",
      " = ",
      "?.",
    );
    await fc.assert(
      fc.asyncProperty(edited(change), async ({ path, text }) => {
        const out = temporary();
        await write(out, texts, { once: handlers });
        writeFileSync(join(out, path), text);
        const before = tree(out);
        const { outcome, messages } = await write(out, next, {
          once: handlers,
        });
        expect(outcome).toBeNull();
        expect(messages.join()).toContain(`MG804 ${path} was edited`);
        expect(tree(out)).toEqual(before);
      }),
      { numRuns: runs(60), seed },
    );
  });

  it("is generated again if only its layout has changed", async () => {
    await fc.assert(
      fc.asyncProperty(
        edited(fc.constantFrom("  ", "\t ", " \n ")),
        async ({ path, text }) => {
          const out = temporary();
          await write(out, texts);
          writeFileSync(join(out, path), text);
          expect((await write(out, texts)).messages).toEqual([]);
          expect(readFileSync(join(out, path), "utf8")).toBe(text);
          expect((await write(out, next)).messages).toEqual([]);
          expect(files(out)).toEqual(next);
        },
      ),
      { numRuns: runs(60), seed },
    );
  });

  it("stays for good if it is written once, even when nothing uses it any more", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...handlers),
        fc.string({ unit: "binary" }),
        fc.boolean(),
        async ({ path, text }, more, isUsed) => {
          const out = temporary();
          await write(out, texts, { once: handlers });
          const mine = `${text}\n// ${more} mine`;
          writeFileSync(join(out, path), mine);
          const { messages } = await write(
            out,
            next,
            isUsed
              ? { once: handlers, clean: true }
              : {
                  once: handlers.filter((one) => one.path !== path),
                  unused: [path],
                  clean: true,
                },
          );
          expect(messages).toEqual([]);
          expect(readFileSync(join(out, path))).toEqual(Buffer.from(mine));
        },
      ),
      { numRuns: runs(30), seed },
    );
  });
});
