import { describe, expect, it } from "vitest";
import type { Context } from "../../src/cli/command.js";
import { askerOn } from "../../src/cli/commands/call/ask.js";
import type { Terminal } from "../../src/cli/terminal.js";
import { keys, streams } from "./keyboard.js";

/**
 * What is answered to a question when these keys are pressed, one after another
 * when the screen is still, and what the screen showed.
 */
async function asked(
  params: object,
  pressed: readonly string[],
): Promise<{ readonly answer: unknown; readonly shown: string }> {
  const { input, screen, dialogue } = streams();
  let shown = "";
  screen.setEncoding("utf8").on("data", (part: string) => (shown += part));
  const { signal } = new AbortController();
  const ask = askerOn(
    { dialogue, signal } as unknown as Terminal,
    { status: () => {} } as unknown as Context,
  );
  const answer = ask(params);
  const left = [...pressed];
  let [before, last] = ["", ""];
  // The next key follows once the one before was shown, and nothing more is drawn.
  const timer = setInterval(() => {
    if (shown === before && shown !== last) {
      input.write(left.shift() ?? "");
      last = shown;
    }
    before = shown;
  }, 20);
  try {
    return { answer: await answer, shown };
  } finally {
    clearInterval(timer);
  }
}

const { enter, down, space, escape } = keys;
const titled = [{ const: "a", title: "Apple" }, { const: "b" }];

describe("a question of a server", () => {
  it.each<
    [
      what: string,
      schema: object,
      isRequired: boolean,
      pressed: readonly string[],
      content: unknown,
      shown: readonly string[],
    ]
  >([
    [
      "a text",
      { type: "string", title: "Name", description: "of a person" },
      true,
      ["Ada", enter],
      "Ada",
      ["Name (of a person)\n"],
    ],
    ["an empty text", {}, false, [enter], undefined, ["it, optional\n"]],
    [
      "a text that is needed",
      { type: "string" },
      true,
      [enter, "x", enter],
      "x",
      ["it\n", "Enter a value."],
    ],
    [
      "a default text",
      { type: "string", default: "Ada" },
      false,
      [enter],
      "Ada",
      [],
    ],
    [
      "a number",
      { type: "number" },
      true,
      ["x", enter, keys.clear, "1.5", enter],
      1.5,
      ["Enter a number."],
    ],
    ["a default number", { type: "number", default: 2 }, true, [enter], 2, []],
    ["no number", { type: "number" }, false, [enter], undefined, []],
    [
      "an integer",
      { type: "integer" },
      true,
      ["1.5", enter, keys.clear, "2", enter],
      2,
      ["Enter an integer."],
    ],
    [
      "a default of another type",
      { default: true },
      false,
      [enter],
      undefined,
      [],
    ],
    [
      "yes or no",
      { type: "boolean" },
      false,
      [enter],
      false,
      ["it, optional\n"],
    ],
    ["yes", { type: "boolean", default: true }, true, [enter], true, ["it\n"]],
    [
      "no, as a default of another type",
      { type: "boolean", default: "true" },
      true,
      [enter],
      false,
      [],
    ],
    [
      "a value of a list",
      { enum: ["a", "b"], enumNames: ["Apple"] },
      true,
      [down, enter],
      "b",
      ["Apple", "b"],
    ],
    [
      "no value of a list",
      { enum: ["a", "b"] },
      false,
      [down, down, enter],
      undefined,
      ["a", "(no answer)"],
    ],
    ["a titled value", { oneOf: titled }, true, [enter], "a", ["Apple", "b"]],
    ["another titled value", { anyOf: titled }, true, [down, enter], "b", []],
    [
      "several values",
      { type: "array", items: { anyOf: titled } },
      true,
      [enter, space, down + space, enter],
      ["a", "b"],
      ["Apple", "select at least one"],
    ],
    [
      "none of several values",
      { type: "array", items: { enum: ["a"] } },
      false,
      [enter],
      [],
      ["it, optional\n"],
    ],
  ])(
    "is answered by %s",
    async (_, schema, isRequired, pressed, content, words) => {
      const requestedSchema = {
        properties: { it: schema },
        ...(isRequired && { required: ["it"] }),
      };
      const { answer, shown } = await asked(
        { message: "Which?", requestedSchema },
        [enter, ...pressed],
      );
      expect(answer).toEqual({
        action: "accept",
        content: content === undefined ? {} : { it: content },
      });
      expect(shown).toContain("The server asks: Which?");
      for (const word of words) expect(shown).toContain(word);
    },
  );

  it.each<[what: string, schema: object]>([
    ["a text", {}],
    ["a number", { type: "number" }],
    ["yes or no", { type: "boolean" }],
    ["a value of a list", { enum: ["a"] }],
    ["several values", { type: "array", items: { enum: ["a"] } }],
  ])("is cancelled by Escape in the field of %s", async (_, schema) => {
    const properties = { first: {}, it: schema, last: {} };
    const { answer, shown } = await asked(
      { message: "Which?", requestedSchema: { properties } },
      [enter, enter, escape],
    );
    expect(answer).toEqual({ action: "cancel" });
    expect(shown).not.toContain("last");
  });

  it("is shown up to two thousand characters", async () => {
    const message = `${"y".repeat(1999)}①②`;
    const { shown } = await asked({ message }, [enter]);
    expect([shown.includes("①"), shown.includes("②")]).toEqual([true, false]);
  });

  it("is a form without fields if its schema is none", async () => {
    for (const requestedSchema of [undefined, null, [], {}])
      expect(await asked({ requestedSchema }, [enter])).toMatchObject({
        answer: { action: "accept", content: {} },
      });
  });

  it("waits for the answer to the one before", async () => {
    const { input, screen, dialogue } = streams();
    let shown = "";
    screen.setEncoding("utf8").on("data", (part: string) => {
      const before = shown.split("Decline").length;
      shown += part;
      if (shown.split("Decline").length > before) input.write(escape);
    });
    const { signal } = new AbortController();
    let cleared = 0;
    const ask = askerOn(
      { dialogue, signal } as unknown as Terminal,
      { status: () => void cleared++ } as unknown as Context,
    );
    const answers = await Promise.all([
      ask({ message: "One?" }),
      ask({ message: "Two?" }),
    ]);
    expect(answers).toEqual([{ action: "cancel" }, { action: "cancel" }]);
    expect(shown.indexOf("One?")).toBeLessThan(shown.indexOf("Two?"));
    expect(cleared).toBe(2);
  });
});
