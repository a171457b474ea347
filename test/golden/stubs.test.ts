import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { converterFor } from "../../src/commands/convert/tools.js";
import { root } from "../repository.js";
import { project } from "../stubs/project.js";
import { compile } from "../view/compile.js";

/*
 * The whole project that `mcpgen stubs` generates from a small snapshot, to be reviewed like code. The command in
 * golden.test.ts rewrites it too. What other folders of the repository show already is not repeated here: files that are copied are in
 * src/generator/copied, and a declaration of the protocol that is the same in generated/ is one line of protocol.txt.
 */
const folder = fileURLToPath(new URL("stubs/", import.meta.url));
const out = join(folder, "out");
const snapshot = readFileSync(join(folder, "notes.mcp.json"), "utf8");
const notes = await project(snapshot);
const all = [...notes.all];

const head = "// Copied by mcpgen. Do not edit.\n/* eslint-disable */\n\n";
const copied = all.filter(([, text]) => text.startsWith(head));
/** Files of the protocol whose declarations are mostly those of generated/. */
const shortened = ["types.ts", "validators.ts", "dispatch.ts"];
const whole = all.filter(
  (file) =>
    !copied.includes(file) &&
    !shortened.some((name) => file[0] === `protocol/${name}`),
);

/** The declarations of a file of the protocol: those that the file of the whole revision has too as one line each. */
function differing(path: string): string {
  const declarations = (text: string): string[] =>
    text.split(/\n\n(?=\S)/).map((part) => part.trim());
  const known = new Set(
    declarations(
      readFileSync(join(root, "generated/2025-11-25", path), "utf8"),
    ),
  );
  return declarations(notes.all.get(`protocol/${path}`) ?? "")
    .map((part) => {
      // The comment at the top has no such line.
      const line = known.has(part) ? /^[a-z].*/m.exec(part)?.[0] : undefined;
      return line === undefined ? `\n${part}\n` : `As in generated/: ${line}`;
    })
    .join("\n");
}

describe("the project of a snapshot", () => {
  it.each(whole)("has exactly the expected %s", async (path, text) => {
    await expect(text).toMatchFileSnapshot(join(out, path));
  });

  it("has copies of five files of src/generator/copied", () => {
    const files = [
      "adapters.ts",
      "calls.ts",
      "checks.ts",
      "uri.ts",
      "validate.ts",
    ];
    const expected = files.map((path) => [
      path,
      head + readFileSync(join(root, "src/generator/copied", path), "utf8"),
    ]);
    expect(copied.sort()).toEqual(expected);
  });

  it("has exactly the expected declarations of the protocol", async () => {
    const texts = shortened.map((path) => `${path}\n${differing(path)}\n`);
    await expect(texts.join("\n")).toMatchFileSnapshot(
      join(folder, "protocol.txt"),
    );
  });

  it("has exactly the expected tools for strict mode of OpenAI", async () => {
    const convert = converterFor("openai-strict");
    if (convert === undefined) throw new Error("there is no such provider");
    const { files } = await project(snapshot, { emit: ["tools"], convert });
    expect(compile(files)).toEqual([]);
    await expect(files.get("tools.ts")).toMatchFileSnapshot(
      join(folder, "tools-strict.txt"),
    );
  });

  it("has exactly the files of the golden folder besides", () => {
    const entries = existsSync(out)
      ? readdirSync(out, { recursive: true, withFileTypes: true })
      : [];
    const files = entries.flatMap((entry) =>
      entry.isFile()
        ? [join(entry.parentPath, entry.name).slice(out.length + 1)]
        : [],
    );
    expect(files.sort()).toEqual(whole.map(([path]) => path).sort());
  });

  it("is the same when it is generated again", async () => {
    expect([...(await project(snapshot)).all]).toEqual(all);
  });

  it("compiles with the strictest options, and is generated without a diagnostic", () => {
    expect(notes.reports).toEqual([]);
    expect(compile(notes.all)).toEqual([]);
  });
});
