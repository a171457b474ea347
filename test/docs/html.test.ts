import { describe, expect, it } from "vitest";
import { literal } from "../../src/view/typescript/code.js";
import { Anchors } from "../../src/view/docs/anchors.js";
import { attribute, nameText, markup, text } from "../../src/view/docs/html.js";
import { jsonHtml } from "../../src/view/docs/json.js";
import { proseOf } from "../../src/view/docs/prose.js";
import { printFile } from "../../src/emit/print.js";
import { hostile } from "../hostile/corpus.js";
import { invisible } from "../hostile/syntax.js";
import type { Code } from "../../src/view/typescript/code.js";
import { plainText } from "./making.js";

const printed = ({ layout }: Code): string => printFile([layout]);

describe("an HTML value of a page", () => {
  it.each([
    [text("a < b && 'c' > \"d\" `e`"), "a &#60; b &#38;&#38; &#39;c&#39; &#62; &#34;d&#34; &#96;e&#96;"],
    [text("a\u202eb\u0000c\u{e0041}"), "a\\u{202e}b\\u{0}c\\u{e0041}"],
    [attribute('"\n onclick="x'), "&#34; onclick=&#34;x"],
    [nameText("tools/call"), "tools/<wbr>call"],
    [nameText("ListToolsResult"), "List<wbr>Tools<wbr>Result"],
    [nameText(" "), "<em>without a name</em>"],
    [markup`<b>${text("<i>")}</b>`, "<b>&#60;i&#62;</b>"],
  ])("is printed with escaped text: row %#", (value, expected) => {
    expect(printed(value)).toBe(expected);
  });

  it.each(hostile.map((words) => [words]))(
    "of hostile text has no tag, no end of an attribute and no invisible character: %j",
    (words) => {
      for (const value of [text(words), attribute(words)]) {
        expect(printed(value)).not.toMatch(/[<>"'`]/);
        expect(invisible.exec(printed(value))).toBeNull();
      }
    },
  );

  it("rejects code of another kind, which is not escaped for HTML", () => {
    expect(() => markup`<p>${literal("</p>")}</p>`).toThrow("only emit values of HTML belong there");
  });

  it.each([[{ a: [1, null, "x"], __proto__: 5, b: {} }], [[]], ["\u2028<"], [[[{}]]]])(
    "of JSON gives the same JSON if a reader copies its text: %j",
    (value) => {
      expect(JSON.parse(plainText(printed(jsonHtml(value))))).toEqual(value);
    },
  );
});

describe("an anchor", () => {
  it("is the same for the same name, and different for different names", () => {
    const anchors = new Anchors();
    const names = [
      "get_weather",
      "Get_Weather",
      "get weather",
      "get-weather",
      "",
      " ",
      "日本",
      "x".repeat(200),
    ];
    const ids = names.map((name) => anchors.claim("tool", name));
    expect(ids.slice(0, 5)).toEqual([
      "tool-get_weather",
      "tool-Get_Weather-2",
      "tool-get-weather",
      "tool-get-weather-2",
      "tool-x",
    ]);
    expect(new Set(ids.map((anchor) => anchor.toLowerCase())).size).toBe(names.length);
    expect(ids.every((anchor) => /^[\w.$-]{1,70}$/.test(anchor))).toBe(true);
    expect(names.map((name) => anchors.claim("tool", name))).toEqual(ids);
  });

  it("is linked from code in prose that names an entry", () => {
    const anchors = new Anchors();
    anchors.claim("method", "tools/call");
    const [first, second] = proseOf("See `tools/call` and `<b>`.\n\nMore.", anchors);
    expect(first && printed(first)).toBe(
      'See <code><a href="#method-tools-call">tools/<wbr>call</a></code> and <code>&#60;b&#62;</code>.',
    );
    expect(second && printed(second)).toBe("More.");
  });
});
