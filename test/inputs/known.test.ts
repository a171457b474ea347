import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { SchemaError } from "../../src/generator/diagnostics.js";
import { supportFile, supportNames } from "../../src/generator/emit/support.js";
import { TemplateError } from "../../src/generator/emit/template-error.js";
import { namedExtensions } from "../../src/generator/inputs/extensions.js";
import { toolVersion } from "../../src/generator/inputs/package.js";
import {
  bundledSource,
  knownRevisions,
} from "../../src/generator/inputs/schemas.js";
import { supportIn } from "../../src/generator/inputs/support.js";
import {
  supportTexts,
  withTemplateErrors,
} from "../../src/generator/inputs/templates.js";
import { digestOf } from "../../src/generator/emit/manifest.js";
import { revisions } from "../repository.js";

/** A folder with these files, removed after the test. */
function folderOf(files: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "mcpgen-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(folder, name), text);
  return folder;
}

/** What an error of a user's input says, and its hint. */
async function refusal(work: () => unknown): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    return error.diagnostics.map(({ message, hint }) => [message, hint]);
  }
}

const pin = { file: "schema/own.ts", source: "./own", sha256: "0".repeat(64) };
const locked = JSON.stringify({
  format: 1,
  revisions: { "2025-01-01": pin, draft: pin },
  extensions: { aaa: pin, zzz: pin },
});

describe("what a project knows by name", () => {
  it("are the bundled, the pinned and the new revisions, the oldest first", async () => {
    const folder = folderOf({ "mcpgen.lock.json": locked });
    const [first = ""] = revisions;
    const source = await bundledSource(first);
    expect(
      await knownRevisions(folder, new Map([["2020-01-01", source]])),
    ).toEqual(["2020-01-01", "2025-01-01", "draft", ...revisions].sort());
  });

  it("are the bundled and the pinned extensions, sorted in the hint for an unknown one", async () => {
    const folder = folderOf({ "mcpgen.lock.json": locked });
    expect(await refusal(() => namedExtensions(["elsewhere"], folder))).toEqual(
      [
        [
          'unknown extension "elsewhere"',
          "the extensions are aaa, apps, skills, tasks, zzz; a path contains a dot or a slash",
        ],
      ],
    );
  });

  it("is the version of mcpgen", () => {
    expect(toolVersion()).toMatch(/^\d+\.\d+\.\d+/);
  });
});

describe("an error in a template", () => {
  const overrides = {
    folder: "mine",
    texts: new Map([["client.hbs", ""]]),
  };
  const failing = (error: Error) => (): never => {
    throw error;
  };
  const fault = (...files: string[]): TemplateError =>
    new TemplateError(files, "no", { line: 2, column: 3 });

  it("names the user's template, and the built-in one that includes it", async () => {
    const run = (error: Error) => (): never =>
      withTemplateErrors(overrides, failing(error));
    expect(await refusal(run(fault("index.hbs", "client.hbs")))).toEqual([
      ["no", "fix the template, or start again from the built-in one"],
    ]);
    expect(
      await refusal(run(new TemplateError(["client.hbs"], "no", null))),
    ).toEqual([
      [
        `${join("mine", "client.hbs")}: no`,
        "fix the template, or start again from the built-in one",
      ],
    ]);
  });

  it.each([
    ["no template of the user", null, fault("client.hbs")],
    ["another template", overrides, fault("index.hbs")],
    ["no template at all", overrides, new RangeError("no")],
  ])("is a bug if it comes from %s", (_, given, error) => {
    expect(() => withTemplateErrors(given, failing(error))).toThrow(error);
  });
});

describe("the support files of a folder", () => {
  it("are listed in their order, with those that were edited or removed", async () => {
    const texts = await supportTexts();
    const [one = "", other = "", third = ""] = supportNames(texts);
    const text = supportFile(texts, one, ".ts").text;
    const folder = folderOf({ [one]: text, [third]: `${text}// mine\n` });
    const manifest = {
      files: new Map(
        [third, "types.ts", other, one].map((name) => [
          name,
          digestOf(name, text),
        ]),
      ),
      options: { importExtension: "ts" },
    } as unknown as Parameters<typeof supportIn>[1];
    expect(await supportIn(folder, manifest)).toEqual({
      names: [one, other, third],
      outdated: [other, third],
    });
  });
});
