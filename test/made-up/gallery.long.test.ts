import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { generate, readSchema } from "../../src/api.js";
import { diff } from "../../src/generator/ir/diff/index.js";
import type { Protocol } from "../../src/generator/ir/model.js";
import { renderText } from "../../src/generator/ir/report/render.js";
import { pageOf } from "../docs/making.js";
import { brokenInvariants } from "../ir/invariants.js";
import { root } from "../repository.js";
import { compile } from "../view/compile.js";
import { generated, type Generated, schemas, write } from "./made-up.js";

const revisions = ["2025-11-25", "2026-07-28"] as const;

describe.each(revisions)(
  "an extension of %s that adds members to objects inside a type",
  (revision) => {
    let gallery: Generated;
    let protocol: Protocol;
    beforeAll(async () => {
      gallery = await generated(
        join(root, "schema", revision),
        schemas.gallery,
      );
      protocol = await readSchema(revision, { extensions: [schemas.gallery] });
    });

    it("EXT-04 adds types for the new members, and keeps those of the revision", async () => {
      expect(await faultsOf(protocol, use)).toEqual([]);
    });

    const isTool = (_meta: unknown): boolean | undefined =>
      gallery["isTool"]?.({
        name: "a",
        inputSchema: { type: "object" },
        _meta,
      });
    it.each([{}, { other: 5 }, { frame: { pictureUri: "a:b" } }])(
      "has a guard that accepts tools with the metadata %j",
      (right) => {
        expect(isTool(right)).toBe(true);
      },
    );

    it.each([
      5,
      { frame: 5 },
      { frame: {} },
      { frame: { pictureUri: "a:b", visitors: ["cat"] } },
    ])("has a guard that rejects tools with the metadata %j", (wrong) => {
      expect(isTool(wrong)).toBe(false);
    });

    const isFrame = (more: object): boolean | undefined =>
      gallery["isFrame"]?.({ pictureUri: "a:b", ...more });
    it.each([
      { height: 1, width: 2 },
      { height: 1, maxWidth: 2 },
      { maxHeight: 1, width: 2 },
      {},
    ])("has a guard that accepts a frame of the size %j", (size) => {
      expect(isFrame({ size })).toBe(true);
    });

    it.each([5, { maxHeight: "1" }, { height: 1, maxWidth: "2" }])(
      "has a guard that rejects a frame of the size %j",
      (size) => {
        expect(isFrame({ size })).toBe(false);
      },
    );

    it("has a guard that checks the colours and the price of a frame", () => {
      expect(isFrame({ colours: { left: "red" } })).toBe(true);
      expect(isFrame({ colours: { left: 1 } })).toBe(false);
      for (const price of [1, null, {}, undefined])
        expect(isFrame({ price })).toBe(price === undefined);
    });

    it("has a guard that checks the new member of the capabilities beside those of the revision", () => {
      const isServer = (tools: unknown): boolean | undefined =>
        gallery["isServerCapabilities"]?.({ tools });
      expect(isServer({ listChanged: true, framed: true })).toBe(true);
      expect(isServer({ listChanged: true, framed: 1 })).toBe(false);
      expect(isServer({ listChanged: 1, framed: true })).toBe(false);
    });

    it("has a valid representation, which pages and differences show", async () => {
      expect(brokenInvariants(protocol)).toEqual([]);
      const base = await readSchema(revision);
      const lines = renderText(diff(base, protocol));
      expect(lines).toContain(
        "_meta.frame: optional member added: frame?: Frame",
      );
      const sold = JSON.parse(
        JSON.stringify(protocol).replace(
          '{"kind":"never"}',
          '{"kind":"type","types":["boolean"]}',
        ),
      ) as Protocol;
      expect(renderText(diff(protocol, sold))).toMatch(/price.*never.*boolean/);
      expect(pageOf({ kind: "revision", protocol }).markdown).toContain(
        "- `price`: `never`",
      );
    });

    it("adds to a member that the type inherits", () => {
      const isResult = (_meta: unknown): boolean | undefined =>
        gallery["isCallToolResult"]?.({
          content: [],
          resultType: "complete",
          _meta,
        });
      expect(isResult({ wall: 7 })).toBe(true);
      expect(isResult({ wall: "7" })).toBe(false);
      expect(
        gallery["isListToolsResult"]?.({
          tools: [],
          resultType: "complete",
          ttlMs: 0,
          cacheScope: "private",
          _meta: { wall: "7" },
        }),
      ).toBe(true);
    });
  },
);

describe("an extension that adds members to a type alias of the revision", () => {
  const id = 'export const EXTENSION_IDENTIFIER = "com.example/postcards";';
  const texts = {
    interface: `${id} export interface MetaObject { card?: Card } export interface Card { from: string }`,
    alias: `${id} export type MetaObject = Card; export interface Card { card?: { from: string } }`,
  };

  it.each(["interface", "alias"] as const)(
    "adds types and checks for members that are written as an %s",
    async (kind) => {
      const schema = write(`postcards-${kind}.ts`, texts[kind]);
      const { isTool, isListToolsResult } = await generated(
        join(root, "schema/2026-07-28"),
        schema,
      );
      const tool = (_meta: unknown): unknown => ({
        name: "a",
        inputSchema: { type: "object" },
        _meta,
      });
      for (const right of [{}, { other: 5 }, { card: { from: "b" }, other: 5 }])
        expect(isTool?.(tool(right))).toBe(true);
      for (const wrong of [5, { card: 5 }, { card: {} }])
        expect(isTool?.(tool(wrong))).toBe(false);
      // What extends the alias has its new members too.
      const list = {
        tools: [],
        resultType: "complete",
        ttlMs: 0,
        cacheScope: "private",
      };
      expect(
        isListToolsResult?.({ ...list, _meta: { card: { from: "b" } } }),
      ).toBe(true);
      expect(isListToolsResult?.({ ...list, _meta: { card: {} } })).toBe(false);
      expect(
        await faultsOf(
          await readSchema("2026-07-28", { extensions: [schema] }),
          useOfCards,
        ),
      ).toEqual([]);
    },
  );
});

const useOfCards = `
import type { MetaObject, Tool } from "./index.js";
export const sender = (tool: Tool): string | undefined => tool._meta?.card?.from;
export const meta: MetaObject = { card: { from: "b" }, other: 5 };
// @ts-expect-error a card has a sender
export const wrong: MetaObject = { card: {} };
`;

/** What a user of the generated files writes. Each line after \`@ts-expect-error\` must not compile. */
const use = `
import { HUNG } from "./index.js";
import type { CallToolResult, Client, Frame, ServerCapabilities, Tool } from "./index.js";
export async function pictures(client: Client): Promise<string[]> {
  const { tools } = await client.listTools();
  return tools.flatMap((tool) => tool._meta?.frame?.pictureUri ?? []);
}
export const frame: Frame = { pictureUri: "a:b", visitors: ["app"] };
export const sized: Frame = { ...frame, size: { height: 1, maxWidth: 2 }, colours: { left: "red" } };
// @ts-expect-error it has no price
export const sold: Frame = { ...frame, price: 5 };
// @ts-expect-error a width is a number
export const narrow: Frame = { ...frame, size: { height: 1, width: "2" } };
export const hung: "gallery/hung" = HUNG;
export const tool: Tool = { name: "a", inputSchema: { type: "object" }, _meta: { frame, other: 5 } };
// @ts-expect-error a picture has a URI
export const bare: Tool = { name: "a", inputSchema: { type: "object" }, _meta: { frame: {} } };
export const capabilities: ServerCapabilities = { tools: { listChanged: true, framed: true } };
// @ts-expect-error it is true or false
export const wrong: ServerCapabilities = { tools: { framed: 1 } };
export const wall = (result: CallToolResult): number | undefined => result._meta?.wall;
`;

/**
 * The compiler's errors for the generated files of a protocol, and for a file
 * that uses them.
 */
async function faultsOf(protocol: Protocol, text: string): Promise<string[]> {
  const { files } = await generate({ protocols: [protocol] });
  return compile(
    new Map([
      ...files.map((file) => [file.path, file.text] as const),
      ["use.ts", text],
    ]),
  );
}
