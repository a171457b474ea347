import { describe, expect, it } from "vitest";
import { diff } from "../../../src/generator/ir/diff/index.js";
import { changes } from "../../../src/generator/ir/change/kinds.js";
import { changeText } from "../../../src/generator/ir/report/render.js";
import { notes, protocolOf } from "../made.js";
import { between, lines } from "./between.js";

describe("the comparison of two protocols", () => {
  it("reports that another opening breaks every side", async () => {
    const was = await protocolOf(notes({}));
    const is = { ...was, opening: "per-request" as const };
    expect(lines(diff(was, is).differences)).toEqual([
      "opening-changed: breaking: client sends, client receives, server sends, server receives",
    ]);
  });

  it("reports that added batches break old receivers, and removed batches break old senders", async () => {
    const without = await protocolOf(notes({}));
    const batches = { ...without, batches: true };
    expect(lines(diff(without, batches).differences)).toEqual([
      "batches-added: breaking: client receives, server receives",
    ]);
    expect(lines(diff(batches, without).differences)).toEqual([
      "batches-removed: breaking: client sends, server sends",
    ]);
  });

  it("reports changed headers, well-known methods, keys and other facts", async () => {
    const was = { ...(await protocolOf(notes({}))), headers: {} };
    const is = {
      ...was,
      headers: { version: "V" },
      wellKnown: {},
      meta: { logLevel: "k" },
      levels: ["low"],
    };
    expect(lines(diff(was, is).differences)).toEqual([
      "headers.version header-added: compatible",
      "wellKnown.initialize well-known-method-removed: neither",
      "meta.logLevel meta-key-added: neither",
      "levels fact-changed: neither",
    ]);
  });

  it("reports that a changed error code breaks every side, even if only prose defines it", async () => {
    const was = await protocolOf(notes({}));
    const [old, fresh] = [-32002, -32602].map((code) => ({
      ...was,
      errors: { RESOURCE_NOT_FOUND: code },
    }));
    expect(lines(diff(old ?? was, fresh ?? was).differences)).toEqual([
      "errors.RESOURCE_NOT_FOUND error-code-changed: breaking: client sends, client receives, server sends, server receives",
    ]);
  });

  const facts: readonly (readonly [string, object, object])[] = [
    ["header", { headers: {} }, { headers: { name: "V" } }],
    ["error code", { errors: {} }, { errors: { RESOURCE_NOT_FOUND: -32602 } }],
    [
      "method with this role",
      { wellKnown: {} },
      { wellKnown: { readResource: "resources/read" } },
    ],
    ["key with this role", { meta: {} }, { meta: { logLevel: "k" } }],
    [
      "default from the session engine",
      { engineDefaults: [] },
      { engineDefaults: [{ object: "result", member: "ttlMs", value: 0 }] },
    ],
    ["fact", {}, { other: 7 }],
  ];

  it.each(facts)(
    "says that a fact of the protocol is added or removed: %s",
    async (phrase, without, having) => {
      const made = await protocolOf(notes({}));
      const [old, fresh] = [without, having].map((one) => ({
        ...made,
        ...one,
      }));
      const row = (from = made, to = made): string[] =>
        diff(from, to).differences.map(
          (one) => `${one.change}: ${changes[one.change][1]}`,
        );
      expect(row(old, fresh)).toEqual([
        expect.stringMatching(new RegExp(`-added: .*${phrase} added$`)),
      ]);
      expect(row(fresh, old)).toEqual([
        expect.stringMatching(new RegExp(`-removed: .*${phrase} removed$`)),
      ]);
    },
  );

  it("calls each kind of change in its report what kinds.txt says", async () => {
    const lines = Object.entries(changes).map(([change, [shift]]) => {
      const subject = { kind: "type", name: "A" };
      const row = { subject, path: "", change, before: null, after: null };
      return `${change} (${shift}): ${changeText(row as never, String)}\n`;
    });
    await expect(lines.join("")).toMatchFileSnapshot("kinds.txt");
  });

  it("reports that a changed error code breaks every side, and a changed label none", async () => {
    const got = await between(
      {
        beside:
          'export const CODE = -1; export const LABEL = "a"; export const GONE = 1;',
      },
      {
        beside:
          'export const CODE = -2; export const LABEL = "b"; export const COME = "c";',
      },
    );
    expect(got).toEqual([
      "GONE constant-removed: neither",
      "CODE constant-changed: breaking: client sends, client receives, server sends, server receives",
      "LABEL constant-changed: neither",
      "COME constant-added: neither",
    ]);
  });
});

describe("the basis of a comparison", () => {
  it("is the whole if both come from TypeScript, and the projection otherwise", async () => {
    const was = await protocolOf(notes({}));
    const printed = {
      ...was,
      source: { ...was.source, language: "json-schema" as const },
    };
    expect(diff(was, was).basis).toBe("whole");
    expect(diff(was, printed).basis).toBe("projection");
    expect(diff(printed, printed).basis).toBe("projection");
  });

  it("leaves out what a JSON Schema cannot express if it is the projection", async () => {
    const was = await protocolOf(
      notes({
        sent: 'a: "x" | string',
        beside: "export interface Base { a: string }",
      }),
    );
    const other = notes({
      sent: "/** @deprecated */ a: string",
      beside: "export type Base = { a: string };",
    });
    const is = await protocolOf(other);
    const printed = {
      ...is,
      source: { ...is.source, language: "json-schema" as const },
    };
    expect(lines(diff(was, is).differences)).not.toEqual([]);
    expect(lines(diff(was, printed).differences)).toEqual([]);
  });
});
