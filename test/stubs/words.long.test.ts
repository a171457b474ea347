import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import type { Protocol } from "../../src/generator/ir/model.js";
import { readSchema } from "../../src/api.js";
import { schemas } from "../made-up/made-up.js";
import { compile } from "../view/compile.js";
import { generated } from "../view/generated.js";
import { project, snapshotOf } from "./project.js";

/**
 * All words that the compiler knows, names with a meaning although they are no
 * keywords, and members of every object.
 */
const words = [
  ...new Set([
    ...Array.from(
      { length: ts.SyntaxKind.LastKeyword - ts.SyntaxKind.FirstKeyword + 1 },
      (_, i) => ts.tokenToString(ts.SyntaxKind.FirstKeyword + i) ?? "",
    ),
    ..."arguments caller eval length name prototype then toJSON Infinity NaN".split(
      " ",
    ),
    ...Object.getOwnPropertyNames(Object.prototype),
  ]),
];
const text = { type: "string" };
const object = { type: "object", properties: { a: text } };
const recordOf = (value: object): Record<string, object> =>
  // Not assigned, so that `__proto__` is a member like the others.
  Object.fromEntries(words.map((word) => [word, value]));

describe("words of JavaScript and TypeScript", () => {
  it("include those of both languages", () => {
    expect(words).toEqual(
      expect.arrayContaining([
        "new",
        "class",
        "yield",
        "satisfies",
        "accessor",
        "__proto__",
      ]),
    );
  });

  describe.each(["2025-11-25", "2026-07-28"])(
    "in a project of %s that compiles",
    (revision) => {
      const capabilities = {
        completions: {},
        prompts: {},
        resources: { subscribe: true },
        tools: {},
      };
      const compiled = async (lists: object): Promise<string[]> =>
        compile(
          (await project(snapshotOf({ revision, capabilities, ...lists }))).all,
        );

      it("are names of tools", async () => {
        const tools = words.map((name, i) => ({
          name,
          inputSchema: object,
          ...(i % 2 && { outputSchema: object }),
        }));
        expect(await compiled({ tools })).toEqual([]);
      });

      it("are names of prompts", async () => {
        expect(
          await compiled({
            prompts: words.map((name) => ({ name, arguments: [{ name }] })),
          }),
        ).toEqual([]);
      });

      it("are names of resources", async () => {
        const resources = words.map((name, i) => ({
          name,
          uri: `file:///${i}`,
        }));
        expect(await compiled({ resources })).toEqual([]);
      });

      it("are names of templates", async () => {
        const resourceTemplates = words.map((name, i) => ({
          name,
          uriTemplate: `file:///${i}/{${name}}{?x${name}}`,
        }));
        expect(await compiled({ resourceTemplates })).toEqual([]);
      });

      it("are names of arguments, of members of results, and of definitions", async () => {
        const every = (remainder: number): string[] =>
          words.filter((_, i) => i % 2 === remainder);
        const references = words.map(
          (word, i) => [`p${i}`, { $ref: `#/$defs/${word}` }] as const,
        );
        const tools = [
          {
            name: "members",
            inputSchema: {
              type: "object",
              properties: recordOf(text),
              required: every(0),
            },
            outputSchema: {
              type: "object",
              properties: recordOf(object),
              required: every(1),
            },
          },
          {
            name: "definitions",
            inputSchema: {
              type: "object",
              properties: Object.fromEntries(references),
              $defs: recordOf(object),
            },
          },
        ];
        const prompts = [
          {
            name: "members",
            arguments: words.map((name, i) => ({
              name,
              required: i % 2 === 0,
            })),
          },
        ];
        expect(await compiled({ tools, prompts })).toEqual([]);
      });
    },
  );

  it("are names of types, requests and notifications in a revision that compiles", async () => {
    const kinds = ["Request", "Notification"];
    const typeNames = words.map((word) =>
      word.replace(/^[a-z]/, (letter) => letter.toUpperCase()),
    );
    const declarations = words.map((word, i) => {
      const name = typeNames[i];
      const params = `params: { "${word}": ${name}Type; "${word}2"?: string }`;
      return [
        `export interface ${name}Type { "${word}"?: string }`,
        `export interface ${name}Request extends Request { method: "ask/${i}"; ${params} }`,
        `export interface ${name}Result extends Result { "${word}": string }`,
        `export interface ${name}Notification extends Notification { method: "notifications/${i}"; ${params} }`,
      ].join("\n");
    });
    const withWords = (union: string, kind: string): string =>
      `export type ${union}${kind} = ${typeNames.map((name) => name + kind).join(" | ")}`;
    const unions = kinds.flatMap((kind) => [
      withWords("Client", kind),
      withWords("Server", kind),
    ]);
    const outline = readFileSync(schemas.outline, "utf8")
      // The unions of the file get more members.
      .replace(
        /^export type (\w+) = (InitializeRequest|InitializedNotification|ProgressNotification)/gm,
        (_, name, first) => {
          const line = unions.find((union) =>
            union.startsWith(`export type ${name} =`),
          );
          return `${line} | ${first}`;
        },
      );
    const protocol = await readSource(
      `${outline}\n${unions[1]};\n${declarations.join("\n")}\n`,
    );
    const { files } = generated([protocol]);
    expect(files.get("client.ts")).toContain("new_(");
    expect(compile(files)).toEqual([]);
  });
});

/** Reads the text of a `schema.ts`. */
async function readSource(source: string): Promise<Protocol> {
  const folder = mkdtempSync(join(tmpdir(), "mcpgen-words-"));
  try {
    writeFileSync(join(folder, "schema.ts"), source);
    return await readSchema(join(folder, "schema.ts"), { revision: "words" });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
