import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesIn } from "../files.js";
import { root } from "../repository.js";
import { examples } from "./kit/pages.js";

const page = readFileSync(join(examples, "troubleshooting/README.md"), "utf8");
const [, own = ""] =
  /## Messages of clients and servers\n([^]*?)\n## /.exec(page) ?? [];
/** The texts of the first column, without the row for all codes. */
const texts = [...own.matchAll(/^\| `((?:[^`\\]|\\`)+)`/gm)]
  .map(([, text = ""]) => text.replaceAll("\\`", "`"))
  .filter((text) => !text.startsWith("MG"));

const sources = ["src/runtime", "src/auth", "src/common"].flatMap((folder) =>
  Object.entries(filesIn(join(root, folder)))
    .filter(([path]) => path.endsWith(".ts") && !path.startsWith("dist/"))
    // A word that the code puts in, such as the name of a header.
    .flatMap(([, text]) =>
      ["host", "origin"].map((kind) =>
        text.replaceAll("\\`", "`").replaceAll("${kind}", kind),
      ),
    ),
);

describe("the page on troubleshooting", () => {
  it("has rows for messages of clients and servers", () =>
    expect(texts.length).toBeGreaterThan(10));

  it.each(texts)(
    "quotes the message %s as a client or a server writes it",
    (text) => {
      const parts = text.split("…").map((part) => part.trim());
      const inOrder = (line: string): boolean =>
        parts.reduce(
          (from, part) => (from < 0 ? from : line.indexOf(part, from)),
          0,
        ) >= 0;
      expect(sources.some((source) => source.split("\n").some(inOrder))).toBe(
        true,
      );
    },
  );
});
