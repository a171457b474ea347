import { describe, expect, it } from "vitest";
import {
  limitWords,
  placeOf,
  sentenceOf,
} from "../../src/commands/update/impact/sentences.js";
import type { Difference } from "../../src/generator/ir/change/model.js";

const difference = (more: Partial<Difference>): Difference =>
  ({
    subject: { kind: "type", name: "Tool" },
    path: "",
    change: "bound-tightened",
    before: null,
    after: null,
    ...more,
  }) as Difference;

describe("a change in a sentence", () => {
  it.each([
    ["maximum 100", "at most 100"],
    ["minimum 0", "at least 0"],
    ["maxItems 1", "at most 1 item long"],
    ["minItems 2", "at least 2 items long"],
    ["maxLength 64", "at most 64 characters long"],
    ["minLength 1", "at least 1 character long"],
    ["minLength 10", "at least 10 characters long"],
    ["integer >= 1", "`integer >= 1`"],
    ["uniqueItems", "`uniqueItems`"],
    ["a\nb`c", "`a\\u{a}b'c`"],
  ])("has the limit %j as: %s", (limit, words) => {
    expect(limitWords(limit)).toBe(words);
  });

  it.each([
    ["protocol", "2025-11-25", "", "the protocol"],
    ["protocol", "2025-11-25", "errors.PARSE", "`PARSE`"],
    ["protocol", "2025-11-25", "batches", "`batches`"],
    ["type", "Tool", "", "`Tool`"],
    ["type", "Tool", "title", "`Tool.title`"],
    ["type", "Tool", "[].title", "`Tool[].title`"],
    ["type", "Tool", "{}", "`Tool{}`"],
    ["method", "tools/call", "", "`tools/call`"],
    ["method", "tools/call", "params.name", "`params.name` of `tools/call`"],
  ])("says where: %s %s %j is %s", (kind, name, path, words) => {
    const subject = { kind, name } as Difference["subject"];
    expect(placeOf(difference({ subject, path }))).toBe(words);
  });

  const method = { kind: "method", name: "a/b" } as const;
  it.each<[more: Partial<Difference>, words: string]>([
    [
      { change: "bound-tightened", after: "maxItems 3" },
      "`Tool` must now be at most 3 items long",
    ],
    [
      { change: "required-member-added", path: "a", after: "a: string" },
      "`Tool.a` is now required",
    ],
    [
      { change: "optional-member-removed", path: "a", before: "string" },
      "`Tool.a` is removed",
    ],
    [
      { change: "type-renamed", before: "Old", after: "Tool" },
      "`Old` is renamed to `Tool`",
    ],
    [
      {
        change: "method-renamed",
        subject: method,
        before: "a/a",
        after: "a/b",
      },
      '`"a/a"` is renamed to `"a/b"`',
    ],
    [
      { change: "value-added", path: "a", after: '"x"' },
      '`Tool.a` can now be `"x"`',
    ],
    [
      { change: "value-removed", path: "a", before: '"x"' },
      '`Tool.a` can no longer be `"x"`',
    ],
    [
      { change: "constant-changed", before: "1", after: "2" },
      "`Tool` changes from `1` to `2`",
    ],
    [
      {
        change: "type-changed",
        path: "a",
        before: "string",
        after: "number",
      } as never,
      "`Tool.a` changes from `string` to `number`",
    ],
  ])("is for %j: %s", (more, words) => {
    expect(sentenceOf(difference(more))).toBe(words);
  });
});
