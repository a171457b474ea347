import { describe, expect, it } from "vitest";
import { read } from "./reading.js";

describe("the text of schema.ts", () => {
  const text =
    "/** Doc. */\nexport interface X {\n  /** Of a. */\n  a: string;\n}\n";

  it.each([
    ["CRLF line ends", text.replaceAll("\n", "\r\n")],
    ["CR line ends", text.replaceAll("\n", "\r")],
    ["a byte order mark", `\uFEFF${text}`],
    ["a shebang and a pragma", `#!/usr/bin/env node\n// @ts-nocheck\n${text}`],
    ["an empty export", `${text}export {};`],
    ["stray semicolons", `;\n${text};;`],
  ])("gives the same declarations with %s", async (_, given) => {
    const plain = await read(text);
    const { protocol, reports } = await read(given);
    expect(reports).toEqual(plain.reports);
    expect(protocol?.declarations).toEqual(plain.protocol?.declarations);
  });

  it("has the same line numbers with CRLF line ends", async () => {
    const { reports } = await read(
      "export interface X {\r\n  a: string;\r\n  b: Y;\r\n}",
    );
    expect(reports[0]?.location).toEqual({
      file: "notes/schema.ts",
      line: 3,
      column: 6,
    });
  });
});
