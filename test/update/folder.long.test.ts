import { createHash } from "node:crypto";
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { directory, mcpgen } from "../cli/support.js";
import { filesIn, put } from "../files.js";
import { revisions, root } from "../repository.js";
import {
  changedSchema,
  firstSchemas,
  lockIn,
  lockName,
  schemaOf,
  sourceAndProject,
  update,
} from "./project.js";
import { archiveOf } from "./server.js";

const first = "2027-01-15";
const second = "2027-06-30";
const sha256 = (text: string): string =>
  createHash("sha256").update(text).digest("hex");

describe("mcpgen update --from <folder>", () => {
  it("pins every dated revision that is not known, and leaves the draft", async () => {
    const { source, project } = sourceAndProject();
    const { code, err } = await update(project, ["--from", source]);
    expect(err).toMatch(
      new RegExp(`new +${first} .*\\n(.*\\n)*.*new +${second}`),
    );
    expect(code).toBe(0);
    const { [lockName]: _, ...files } = filesIn(project);
    const { "schema/draft/schema.ts": _draft, ...dated } = firstSchemas;
    expect(files).toEqual(dated);
    const { format, revisions: pins, extensions } = lockIn(project);
    expect({ format, extensions }).toEqual({ format: 1, extensions: {} });
    expect(Object.keys(pins)).toEqual([first, second]);
    expect(pins[first]).toMatchObject({
      file: `schema/${first}/schema.ts`,
      sha256: sha256(firstSchemas[`schema/${first}/schema.ts`] ?? ""),
    });
    expect(existsSync(join(project, ".mcpgen"))).toBe(false);
  });

  it("does not pin a dated revision whose text is that of the bundled one", async () => {
    const name = revisions.at(-1) ?? "";
    const text = readFileSync(join(root, "schema", name, "schema.ts"), "utf8");
    const { source, project } = sourceAndProject({
      [`schema/${name}/schema.ts`]: text,
    });
    const { code, err } = await update(project, ["--from", source, "--check"]);
    expect({ code, err }).toMatchObject({
      code: 0,
      err: expect.stringContaining("nothing is newer"),
    });
    await update(project, ["--from", source]);
    expect(filesIn(project)).toEqual({});
  });

  it("does not pin a dated revision if only its comments differ from the bundled one, unless --revision names it", async () => {
    const name = revisions.at(-1) ?? "";
    const text = readFileSync(join(root, "schema", name, "schema.ts"), "utf8");
    const { source, project } = sourceAndProject({
      [`schema/${name}/schema.ts`]: `${text}\n// Other words.\n`,
    });
    const { code, err } = await update(project, ["--from", source, "--check"]);
    expect({ code, err }).toMatchObject({
      code: 0,
      err: expect.stringContaining("nothing is newer"),
    });
    expect(await update(project, ["--from", source])).toMatchObject({
      code: 0,
    });
    expect(filesIn(project)).toEqual({});
    expect(
      await update(project, ["--from", source, "--revision", name]),
    ).toMatchObject({ code: 0 });
    expect(Object.keys(lockIn(project).revisions)).toEqual([name]);
  });

  it("pins a dated revision whose text differs from the bundled one, which it then replaces", async () => {
    const name = revisions.at(-1) ?? "";
    const text = schemaOf(name, "export interface Extra { text: string }");
    const { source, project } = sourceAndProject({
      [`schema/${name}/schema.ts`]: text,
    });
    expect(await update(project, ["--from", source])).toMatchObject({
      code: 0,
      err: expect.stringMatching(new RegExp(`changed +${name}`)),
    });
    const { out } = await mcpgen(["ir", name], { directory: project });
    expect(out).toContain('"Extra"');
  });

  it("writes nothing in a second run, and loads no compiler", async () => {
    const { source, project } = sourceAndProject();
    await update(project, ["--from", source]);
    const before = filesIn(project);
    const profiles = directory();
    const run = await update(project, ["--from", source], {
      NODE_V8_COVERAGE: profiles,
    });
    expect(run).toMatchObject({
      code: 0,
      err: expect.stringContaining("nothing is newer"),
    });
    const scripts = Object.values(filesIn(profiles)).join("\n");
    expect(scripts).toContain("dist/cli.js");
    expect(scripts).not.toMatch(
      /node_modules\/(ts-morph|@ts-morph|typescript)\//,
    );
    expect(filesIn(project)).toEqual(before);
  });

  it("prints the changes of the protocol, and the sides that break", async () => {
    const { source, project } = sourceAndProject();
    await update(project, ["--from", source]);
    put(join(source, `schema/${first}/schema.ts`), changedSchema);
    const { code, err } = await update(project, ["--from", source]);
    expect(code).toBe(0);
    expect(err).toMatch(
      new RegExp(
        `changed +${first} .*\\n +compared with ${first}\\. .*1 breaking`,
      ),
    );
    expect(err).toMatch(
      /! breaks an old (client|server) that (sends|receives) this/,
    );
    expect(
      readFileSync(join(project, `schema/${first}/schema.ts`), "utf8"),
    ).toBe(changedSchema);
  });

  it("compares a new revision with the one before it", async () => {
    const { source, project } = sourceAndProject();
    const { out } = await update(project, ["--from", source, "--json"]);
    const { revisions: rows } = JSON.parse(out) as {
      readonly revisions: readonly {
        readonly name: string;
        readonly comparison: { from: { revision: string } };
      }[];
    };
    expect(
      rows.map(({ name, comparison }) => [name, comparison.from.revision]),
    ).toEqual([
      [first, revisions.at(-1)],
      [second, first],
    ]);
  });

  it("reports that only comments differ, if nothing else does", async () => {
    const { source, project } = sourceAndProject();
    await update(project, ["--from", source]);
    put(
      join(source, `schema/${first}/schema.ts`),
      `${firstSchemas[`schema/${first}/schema.ts`]}\n// A comment.\n`,
    );
    const { err } = await update(project, ["--from", source, "--dry-run"]);
    expect(err).toContain(`only comments differ from ${first}`);
  });

  it("writes nothing with --check, and exits with 1 only if something is newer", async () => {
    const { source, project } = sourceAndProject();
    const run = await update(project, ["--from", source, "--check"]);
    expect({ code: run.code, files: filesIn(project) }).toEqual({
      code: 1,
      files: {},
    });
    expect(run.err).toContain("run mcpgen update");
    await update(project, ["--from", source]);
    expect(await update(project, ["--from", source, "--check"])).toMatchObject({
      code: 0,
    });
  });

  it("writes nothing with --dry-run, and exits with 0", async () => {
    const { source, project } = sourceAndProject();
    const run = await update(project, ["--from", source, "--dry-run"]);
    expect({ code: run.code, files: filesIn(project) }).toEqual({
      code: 0,
      files: {},
    });
    expect(run.err).toContain("nothing was written: this was a dry run");
  });

  it("pins the draft with --revision draft, and follows it from then on", async () => {
    const { source, project } = sourceAndProject();
    await update(project, ["--from", source, "--revision", "draft"]);
    expect(Object.keys(lockIn(project).revisions)).toEqual(["draft"]);
    put(join(source, "schema/draft/schema.ts"), schemaOf("DRAFT-2028-v2"));
    expect(await update(project, ["--from", source, "--check"])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/changed +draft/),
    });
    await update(project, ["--from", source]);
    expect(Object.keys(lockIn(project).revisions)).toEqual([
      first,
      second,
      "draft",
    ]);
    expect(
      readFileSync(join(project, "schema/draft/schema.ts"), "utf8"),
    ).toContain("DRAFT-2028-v2");
  });

  it("pins what --revision names, latest and all included", async () => {
    const rows = [
      [first, [first]],
      [`${second},draft`, [second, "draft"]],
      ["latest", [second]],
      ["all", [first, second, "draft"]],
    ] as const;
    for (const [words, pinned] of rows) {
      const { source, project } = sourceAndProject();
      expect(
        await update(project, ["--from", source, "--revision", words]),
      ).toMatchObject({ code: 0 });
      expect(Object.keys(lockIn(project).revisions)).toEqual(pinned);
    }
  });

  it("suggests the nearest revision if the source does not have the requested one", async () => {
    const { source, project } = sourceAndProject();
    const { code, err } = await update(project, [
      "--from",
      source,
      "--revision",
      "draf",
    ]);
    expect(code).toBe(2);
    expect(err).toMatch(
      /^MG752 .* has no revision "draf"\n {4}hint: did you mean draft\?/,
    );
  });

  it("keeps the schemas that were replaced last, and at most 50 files in all", async () => {
    const { source, project } = sourceAndProject();
    await update(project, ["--from", source]);
    const cache = join(project, "node_modules/.cache/mcpgen");
    const old = Array.from({ length: 60 }, (_, i) =>
      join(cache, sha256(`old ${i}`)),
    );
    for (const file of old) {
      put(file, "old");
      utimesSync(file, 1, 1);
    }
    put(join(source, `schema/${first}/schema.ts`), changedSchema);
    expect(await update(project, ["--from", source])).toMatchObject({
      code: 0,
    });
    const kept = readdirSync(cache);
    expect(kept.length).toBe(50);
    expect(kept).toContain(
      `${sha256(firstSchemas[`schema/${first}/schema.ts`] ?? "")}.ts`,
    );
  });

  it("keeps a pinned revision that the source no longer has, with a warning", async () => {
    const { source, project } = sourceAndProject();
    await update(project, ["--from", source]);
    rmSync(join(source, "schema", first), { recursive: true });
    const before = filesIn(project);
    const run = await update(project, ["--from", source]);
    expect(run).toMatchObject({
      code: 0,
      err: expect.stringMatching(
        /MG755 warning: .* no longer has revision 2027-01-15, which stays pinned\n {4}hint: remove its entry from mcpgen\.lock\.json and its file if nothing uses it\n/,
      ),
    });
    expect(run.err).toMatch(/gone +2027-01-15/);
    expect(filesIn(project)).toEqual(before);
  });

  it("writes the schemas into the configured folder, and reads a source relative to the configuration", async () => {
    const project = directory();
    for (const [file, text] of Object.entries(firstSchemas))
      put(join(project, "vendor", file), text);
    put(join(project, "below/keep.txt"), "");
    put(
      join(project, "mcpgen.config.json"),
      JSON.stringify({ update: { from: "vendor", folder: "protocol/pinned" } }),
    );
    const run = await update(join(project, "below"), []);
    expect(run).toMatchObject({ code: 0 });
    expect(
      existsSync(join(project, `protocol/pinned/${first}/schema.ts`)),
    ).toBe(true);
    expect(lockIn(project).revisions[first]?.file).toBe(
      `protocol/pinned/${first}/schema.ts`,
    );
  });

  it("refuses a folder outside of the project", async () => {
    const { source, project } = sourceAndProject();
    put(
      join(project, "mcpgen.config.json"),
      JSON.stringify({ update: { from: source, folder: "../up" } }),
    );
    expect(await update(project, [])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^MG743 .*update\.folder/),
    });
  });

  it("does not overwrite a file that it did not write", async () => {
    const { source, project } = sourceAndProject();
    put(
      join(project, `schema/${first}/schema.ts`),
      "export type Mine = string;\n",
    );
    const before = filesIn(project);
    const run = await update(project, ["--from", source]);
    expect(run).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^MG756 .*exists already/),
    });
    expect(filesIn(project)).toEqual(before);
  });

  it("does not overwrite a file that it did not write if a pinned schema gets another ending", async () => {
    const { source, project } = sourceAndProject({
      [`schema/${first}/schema.ts`]: schemaOf(first),
    });
    expect(await update(project, ["--from", source])).toMatchObject({
      code: 0,
    });
    rmSync(join(source, `schema/${first}/schema.ts`));
    put(join(source, `schema/${first}/schema.json`), '{ "definitions": {} }');
    put(join(project, `schema/${first}/schema.json`), '{ "mine": true }');
    const before = filesIn(project);
    const run = await update(project, ["--from", source]);
    expect(run).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^MG756 .*schema\.json exists already/),
    });
    expect(filesIn(project)).toEqual(before);
  });

  it("does not overwrite a pinned schema that was edited, and restores one that was deleted", async () => {
    const { source, project } = sourceAndProject();
    await update(project, ["--from", source]);
    const file = join(project, `schema/${first}/schema.ts`);
    put(file, "export type Mine = string;\n");
    expect(await update(project, ["--from", source])).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /^MG754 the pinned schema schema\/2027-01-15\/schema\.ts was changed after it was pinned/,
      ),
    });
    rmSync(file);
    expect(await update(project, ["--from", source])).toMatchObject({
      code: 0,
    });
    expect(readFileSync(file, "utf8")).toBe(
      firstSchemas[`schema/${first}/schema.ts`],
    );
  });

  it("pins nothing if one of the schemas cannot be read, and prints all diagnostics of all of them", async () => {
    const { source, project } = sourceAndProject({
      ...firstSchemas,
      [`schema/${first}/schema.ts`]:
        "export interface A { a: Missing; b: keyof A }\n",
      [`schema/${second}/schema.ts`]: "export interface B extends Nothing {}\n",
    });
    const run = await update(project, ["--from", source]);
    expect(run.code).toBe(2);
    expect(run.err).toMatch(/2027-01-15\/schema\.ts:1:\d+ MG10\d/);
    expect(run.err).toMatch(/2027-06-30\/schema\.ts:1:\d+ MG10\d/);
    expect(filesIn(project)).toEqual({});
  });

  it("reports a source that does not exist or has no schemas", async () => {
    const project = directory({ "empty/x.txt": "" });
    expect(await update(project, ["--from", "./missing"])).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /^MG751 \.\/missing cannot be a source of schemas: there is no such file or folder/,
      ),
    });
    expect(await update(project, ["--from", "empty"])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^MG752 empty has no schemas/),
    });
  });
});

describe("a source whose schema.ts cannot be read", () => {
  const revision = "2027-01-15";
  const folder = `schema/${revision}`;
  const unreadable = schemaOf(revision, "export type Fresh = () => void;");
  const json = JSON.stringify({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $defs: {
      Greeting: { type: "object", properties: { text: { type: "string" } } },
    },
  });
  const both = {
    [`${folder}/schema.ts`]: unreadable,
    [`${folder}/schema.json`]: json,
  };
  const packed = async (): Promise<string> => {
    const path = join(directory(), "source.tar.gz");
    writeFileSync(path, await archiveOf(both));
    return path;
  };

  it.each(["folder", "archive"])(
    "is pinned as the schema.json beside it, with one note: %s",
    async (kind) => {
      const { source, project } = sourceAndProject(both);
      const from = kind === "folder" ? source : await packed();
      const args = ["--from", from];
      const { code, err } = await update(project, args);
      expect({ code, err }).toMatchObject({
        code: 0,
        err: expect.stringContaining("MG124 note: "),
      });
      expect(err.match(/MG124/g)).toHaveLength(1);
      const { [lockName]: _, ...files } = filesIn(project);
      expect(files).toEqual({ [`${folder}/schema.json`]: json });
      expect(lockIn(project).revisions[revision]).toMatchObject({
        file: `${folder}/schema.json`,
        sha256: sha256(json),
      });
      // The pinned file is read as it is, and the next update finds nothing.
      const made = await mcpgen(["ir", revision], {
        directory: project,
      });
      expect(made).toMatchObject({
        code: 0,
        err: expect.not.stringContaining("MG124"),
      });
      expect(await update(project, [...args, "--check"])).toMatchObject({
        code: 0,
      });
    },
  );

  it("is pinned as the schema.ts once that can be read", async () => {
    const { source, project } = sourceAndProject(both);
    await update(project, ["--from", source]);
    put(join(source, folder, "schema.ts"), schemaOf(revision));
    const { code, err } = await update(project, ["--from", source]);
    expect({ code, err }).toMatchObject({
      code: 0,
      err: expect.not.stringContaining("MG124"),
    });
    expect(lockIn(project).revisions[revision]?.file).toBe(
      `${folder}/schema.ts`,
    );
  });
});
