import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { directory, mcpgen } from "../cli/support.js";
import { filesIn, put } from "../files.js";
import { revisions, root } from "../repository.js";
import { errands } from "./errands.js";
import {
  changedSchema,
  firstSchemas,
  lockIn,
  lockName,
  update,
} from "./project.js";
import { publicUrl, startProxy } from "./proxy.js";
import { commitOf, serve, serveRepository } from "./server.js";
import { tls, trust } from "./tls.js";

const newest = revisions.at(-1) ?? "";
const dearer = errands.replace("HIGHEST_PRICE = 500", "HIGHEST_PRICE = 600");
const file = "schema/extensions/errands/schema.ts";

describe("mcpgen update --extension", () => {
  const pinned = async () => {
    const project = directory();
    const source = directory({ "errands.ts": errands });
    const run = await update(project, [
      "--extension",
      join(source, "errands.ts"),
    ]);
    return { project, source, run };
  };
  const pinnedArgs = [
    "--version",
    newest,
    "--extension",
    "errands",
    "--out",
    "gen",
    "--emit",
    "types",
  ];

  it("pins the schema under the last part of its id", async () => {
    const { project, run } = await pinned();
    expect(run).toMatchObject({
      code: 0,
      err: expect.stringMatching(/new +errands +schema\/extensions/),
    });
    expect(readFileSync(join(project, file), "utf8")).toBe(errands);
    expect(lockIn(project).extensions["errands"]).toMatchObject({ file });
  });

  it("is found by --extension, and listed", async () => {
    const { project } = await pinned();
    const args = pinnedArgs;
    expect(await mcpgen(args, { directory: project })).toMatchObject({
      code: 0,
    });
    expect(
      readFileSync(join(project, "gen/types.ts"), "utf8").slice(0, 300),
    ).toContain(file);
    expect(
      await mcpgen([...args, "--check"], { directory: project }),
    ).toMatchObject({ code: 0 });
    const list = await mcpgen(["list"], { directory: project });
    expect(list.out).toMatch(new RegExp(`^${newest} .*extension errands`, "m"));
  });

  it("changes nothing if its source is as before", async () => {
    const { project, source } = await pinned();
    const before = filesIn(project);
    const again = await update(project, [
      "--extension",
      join(source, "errands.ts"),
    ]);
    expect(again).toMatchObject({
      code: 0,
      err: expect.stringContaining("nothing is newer"),
    });
    expect(filesIn(project)).toEqual(before);
  });

  it("is pinned again if its source has changed, so that generated files are stale", async () => {
    const { project, source } = await pinned();
    expect(await mcpgen(pinnedArgs, { directory: project })).toMatchObject({
      code: 0,
    });
    const before = filesIn(project);
    put(join(source, "errands.ts"), dearer);
    const flags = ["--extension", join(source, "errands.ts")];
    expect(await update(project, [...flags, "--check"])).toMatchObject({
      code: 1,
    });
    expect(filesIn(project)).toEqual(before);
    expect(await update(project, flags)).toMatchObject({ code: 0 });
    expect(
      await mcpgen([...pinnedArgs, "--check"], { directory: project }),
    ).toMatchObject({ code: 1 });
  });

  it("has the id that stands before its place, and keeps it", async () => {
    const [nameless, later] = [errands, dearer].map((text) =>
      text.replace(/.*export const EXTENSION_IDENTIFIER.*\n/, ""),
    ) as [string, string];
    const source = directory({ "errands.ts": nameless });
    const project = directory();
    const path = join(source, "errands.ts");
    expect(await update(project, ["--extension", path])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^MG119|\bMG119 /),
    });
    const flags = ["--extension", `com.example/errands=${path}`];
    expect(await update(project, flags)).toMatchObject({ code: 0 });
    expect(lockIn(project).extensions["errands"]).toMatchObject({
      id: "com.example/errands",
    });
    expect(await mcpgen(pinnedArgs, { directory: project })).toMatchObject({
      code: 0,
    });
    put(path, later);
    expect(await update(project, ["--extension", path])).toMatchObject({
      code: 0,
      err: expect.stringMatching(/changed +errands/),
    });
    expect(lockIn(project).extensions["errands"]).toMatchObject({
      id: "com.example/errands",
    });
  });

  it("is not used if the lock file has an id that is none", async () => {
    const { project } = await pinned();
    const lock = readFileSync(join(project, lockName), "utf8");
    put(
      join(project, lockName),
      lock.replace('"sha256"', '"id": "../errands", "sha256"'),
    );
    expect(await mcpgen(pinnedArgs, { directory: project })).toMatchObject({
      code: 2,
      err: expect.stringContaining("is not that of an extension"),
    });
  });

  it("takes precedence over a bundled extension of the same name, and stays when revisions are updated", async () => {
    const project = directory();
    const bundled = readFileSync(
      join(root, "schema/extensions/tasks/schema.ts"),
      "utf8",
    );
    const source = directory({
      "schema.ts": `${bundled}\nexport interface TaskNote { text: string }\n`,
    });
    expect(await update(project, ["--extension", source])).toMatchObject({
      code: 0,
      err: expect.stringMatching(/changed +tasks/),
    });
    const run = await mcpgen(["ir", newest, "--extension", "tasks"], {
      directory: project,
    });
    expect(run.out).toContain("TaskNote");
    const schema = readFileSync(
      join(root, "schema", newest, "schema.ts"),
      "utf8",
    );
    const other = directory({
      [`schema/${newest}/schema.ts`]: `${schema}\nexport interface Extra { text: string }\n`,
    });
    expect(await update(project, ["--from", other])).toMatchObject({ code: 0 });
    expect(Object.keys(lockIn(project).extensions)).toEqual(["tasks"]);
    expect(Object.keys(lockIn(project).revisions)).toEqual([newest]);
  });

  it("fetches a URL, again only if its ETag changed", async () => {
    let text = errands;
    const server = await serve((request, response) => {
      const etag = `"${commitOf({ text }).slice(0, 8)}"`;
      response.setHeader("etag", etag);
      if (request.headers["if-none-match"] === etag)
        response.writeHead(304).end();
      else response.end(text);
    });
    const project = directory();
    const flags = ["--extension", `${server.url}/errands.ts`];
    expect(await update(project, flags)).toMatchObject({ code: 0 });
    const before = filesIn(project);
    expect(await update(project, flags)).toMatchObject({ code: 0 });
    expect(server.received[1]?.headers["if-none-match"]).toBe(
      lockIn(project).extensions["errands"]?.etag,
    );
    expect(filesIn(project)).toEqual(before);
    text = dearer;
    expect(await update(project, flags)).toMatchObject({
      code: 0,
      err: expect.stringMatching(/changed +errands/),
    });
    expect(readFileSync(join(project, file), "utf8")).toBe(dearer);
  });

  it("pins the newest schema of a repository, or the one that --revision names", async () => {
    const repository = await serveRepository({
      "schema/2026-01-01/schema.ts": dearer,
      "schema/2026-02-02/schema.ts": errands,
      "schema/draft/schema.ts": `${errands}\n// Draft.\n`,
    });
    const project = directory();
    const flags = ["--extension", repository.from];
    expect(await update(project, flags)).toMatchObject({ code: 0 });
    expect(readFileSync(join(project, file), "utf8")).toBe(errands);
    const fetched = repository.archives();
    expect(await update(project, flags)).toMatchObject({ code: 0 });
    expect(repository.archives()).toBe(fetched);
    const other = directory();
    expect(
      await update(other, [...flags, "--revision", "draft"]),
    ).toMatchObject({ code: 0 });
    expect(readFileSync(join(other, file), "utf8")).toContain("// Draft.");
  });

  it("is updated with the revisions if it is pinned from a URL, and keeps the requested revision", async () => {
    const proxy = await startProxy();
    onTestFinished(proxy.close);
    const environment = { ...trust, HTTPS_PROXY: proxy.url };
    const protocol = await serveRepository(firstSchemas, undefined, tls);
    const draft = `${errands}\n// Draft.\n`;
    const schemas = {
      "schema/2026-01-01/schema.ts": errands,
      "schema/draft/schema.ts": draft,
    };
    const extension = await serveRepository(schemas, undefined, tls);
    const project = directory({
      "mcpgen.config.json": JSON.stringify({
        update: { from: publicUrl(protocol.from) },
      }),
    });
    const flags = [
      "--extension",
      publicUrl(extension.from),
      "--revision",
      "draft",
    ];
    expect(await update(project, flags, environment)).toMatchObject({
      code: 0,
    });
    expect(lockIn(project).extensions["errands"]).toMatchObject({
      revision: "draft",
    });
    expect(await update(project, [], environment)).toMatchObject({ code: 0 });
    const fetched = extension.archives();
    expect(await update(project, ["--check"], environment)).toMatchObject({
      code: 0,
    });
    expect(extension.archives()).toBe(fetched);
    extension.commit({ ...schemas, "README.md": "new" });
    expect(await update(project, ["--check"], environment)).toMatchObject({
      code: 0,
    });
    expect(extension.archives()).toBe(fetched + 1);

    extension.commit({
      ...schemas,
      "schema/draft/schema.ts": `${dearer}\n// Draft.\n`,
    });
    protocol.commit({
      ...firstSchemas,
      "schema/2027-01-15/schema.ts": changedSchema,
    });
    const before = filesIn(project);
    expect(await update(project, ["--check"], environment)).toMatchObject({
      code: 1,
    });
    expect(filesIn(project)).toEqual(before);
    expect(await update(project, [], environment)).toMatchObject({
      code: 0,
      err: expect.stringMatching(/changed +2027-01-15[^]*changed +errands/),
    });
    expect(readFileSync(join(project, file), "utf8")).toBe(
      `${dearer}\n// Draft.\n`,
    );
    expect(
      readFileSync(join(project, "schema/2027-01-15/schema.ts"), "utf8"),
    ).toBe(changedSchema);

    // Nothing is written if one of them cannot be read.
    extension.commit({
      ...schemas,
      "schema/draft/schema.ts": "export interface {",
    });
    protocol.commit(firstSchemas);
    const good = filesIn(project);
    expect(await update(project, [], environment)).toMatchObject({ code: 2 });
    expect(filesIn(project)).toEqual(good);
  });

  it.each([
    [["--from", "."], "--extension and --from exclude each other"],
    [
      ["--revision", "draft,2026-01-15"],
      "an extension has one pinned revision, and several are given",
    ],
  ])("rejects %j", async (flags, problem) => {
    const run = await update(directory(), [
      "--extension",
      "errands.ts",
      ...flags,
    ]);
    expect(run).toMatchObject({
      code: 2,
      err: expect.stringContaining(`MG705 ${problem}`),
    });
  });

  it("is written only with flags that go together", async () => {
    const both = await update(directory(), [
      "--extension",
      "a.ts",
      "--from",
      "b",
    ]);
    expect(both).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^MG705/),
    });
  });

  it("writes nothing if the schema cannot be used or fetched", async () => {
    const server = await serve((_, response) => response.writeHead(500).end());
    const source = directory({
      "nameless.ts": "export interface A { a: string }\n",
    });
    const rows = [
      [
        join(source, "nameless.ts"),
        2,
        /nameless\.ts:1:1 MG119 the file has no EXTENSION_IDENTIFIER/,
      ],
      [
        join(source, "missing.ts"),
        2,
        /^MG751 .*there is no such file or folder/,
      ],
      ["http://example.com/errands.ts", 2, /^MG751 .*it is not an https URL/],
      [`${server.url}/errands.ts`, 3, /^MG750 .*HTTP status 500/],
    ] as const;
    for (const [extension, code, err] of rows) {
      const project = directory();
      const run = await update(project, ["--extension", extension]);
      expect(run).toMatchObject({ code, err: expect.stringMatching(err) });
      expect(filesIn(project)).toEqual({});
    }
  });

  const threeSources = async () => {
    const id = "com.example/errands";
    expect(errands).toContain(id);
    const project = directory();
    const source = directory({
      "a.ts": errands,
      "b.ts": dearer,
      "c.ts": errands.replace(id, "org.example/errands"),
    });
    expect(
      await update(project, ["--extension", join(source, "a.ts")]),
    ).toMatchObject({ code: 0 });
    return { project, source, before: filesIn(project) };
  };

  it("does not replace another extension whose id has the same last part", async () => {
    const { project, source, before } = await threeSources();
    expect(
      await update(project, ["--extension", join(source, "c.ts")]),
    ).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /^MG756 the extension org\.example\/errands would replace com\.example\/errands/,
      ),
    });
    expect(filesIn(project)).toEqual(before);
  });

  it("follows an extension to another source", async () => {
    const { project, source } = await threeSources();
    expect(
      await update(project, ["--extension", join(source, "b.ts")]),
    ).toMatchObject({ code: 0 });
    expect(lockIn(project).extensions["errands"]?.source).toMatch(/b\.ts$/);
  });

  it("reports a pinned extension that was changed", async () => {
    const project = directory();
    const source = directory({ "errands.ts": errands });
    await update(project, ["--extension", join(source, "errands.ts")]);
    put(join(project, file), dearer);
    for (const args of [
      ["ir", newest, "--extension", "errands"],
      ["update", "--extension", join(source, "errands.ts")],
    ]) {
      if (args[0] === "update")
        put(join(source, "errands.ts"), `${errands}\n// New.\n`);
      expect(await mcpgen(args, { directory: project })).toMatchObject({
        code: 2,
        err: expect.stringMatching(
          /^MG754 the pinned schema .*errands\/schema\.ts was changed after it was pinned/,
        ),
      });
    }
    expect(Object.keys(filesIn(project))).toEqual([lockName, file]);
  });
});
