import { describe, expect, it } from "vitest";
import {
  givenExtension,
  idInComment,
} from "../../src/generator/read/extension-id.js";

const longest = `com.example/${"a".repeat(188)}`;

describe("an extension that the user names", () => {
  it.each<[word: string, id: string | undefined, place: string]>([
    ["com.example/a=b.ts", "com.example/a", "b.ts"],
    ["com.example/a=b=c.ts", "com.example/a", "b=c.ts"],
    ["https://a.example/b?c=d", undefined, "https://a.example/b?c=d"],
    ["com.example/a", undefined, "com.example/a"],
    ["=b.ts", undefined, "=b.ts"],
    [`${longest}=b.ts`, longest, "b.ts"],
    [`${longest}a=b.ts`, undefined, `${longest}a=b.ts`],
  ])(
    "is its place, after its identifier if the word begins with one: %s",
    (word, id, place) => {
      expect(givenExtension(word)).toEqual({ id, place });
    },
  );
});

describe("the identifier that a comment names", () => {
  it.each([
    ["The identifier `com.example/a`.", "com.example/a"],
    ["Its ID: com.example/a, for now.", "com.example/a"],
    ["No id of com.example/a", null],
    ["com.example/a identifier", null],
    ["id none, id com.example/a, id com.example/b", "com.example/a"],
    [`${" ".repeat(1984)}id com.example/a`, "com.example/a"],
    [`${" ".repeat(1985)}id com.example/a`, null],
  ])("is the one after the word: %s", (comment, id) => {
    expect(idInComment(comment)).toBe(id);
  });
});
