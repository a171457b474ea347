import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  changedGreeter,
  configurationFor,
  startGreeter,
} from "../formats/project.js";
import { firstSchemas } from "../update/project.js";
import { directory, runHere } from "./support.js";

/** What a person has written into a file, with tabs. */
type Mine = Readonly<Record<string, unknown>>;
const textOf = (content: object): string =>
  `${JSON.stringify(content, null, "\t")}\n`;

const manifest = {
  name: "@example/greeter",
  version: "1.0.0",
  mcpName: "io.github.example/greeter",
  description: "Says hello.",
  bin: "main.js",
};

/** Runs a command line, whose exit code must be 0. */
async function succeed(line: string, project: string): Promise<string> {
  const { code, out, err } = await runHere(line.split(" "), project);
  expect([line, code, err]).toEqual([line, 0, expect.anything()]);
  return out + err;
}

/** Each command that writes into a JSON file of a person, and the file. */
const cases: readonly {
  readonly file: string;
  readonly mine: Mine;
  /** Runs the command twice, and changes something in between. */
  run(project: string): Promise<void>;
}[] = [
  {
    file: "mcpgen.accepted.json",
    mine: { $schema: "./accepted.schema.json", format: 1, servers: {} },
    run: async (project) => {
      await using greeter = await startGreeter();
      const config = configurationFor(greeter.url);
      writeFileSync(join(project, "mcpgen.config.json"), config);
      await succeed(`pull --url ${greeter.url} -o greeter.mcp.json`, project);
      await succeed("generate", project);
      greeter.change();
      await succeed("check --live --accept", project);
    },
  },
  {
    file: "mcpgen.lock.json",
    mine: { $comment: "Reviewed by Ada.", format: 1 },
    run: async (project) => {
      const spec = directory(firstSchemas);
      await succeed(`update --from ${spec} --version 2027-01-15`, project);
      await succeed(`update --from ${spec} --version 2027-06-30`, project);
    },
  },
  {
    file: "server.json",
    mine: {
      status: "deprecated",
      packages: [{ registryType: "pypi", identifier: "greeter" }],
    },
    run: async (project) => {
      await using greeter = await changedGreeter();
      writeFileSync(join(project, "package.json"), textOf(manifest));
      await succeed(`pull --url ${greeter.url} -o greeter.mcp.json`, project);
      await succeed("card greeter.mcp.json", project);
      await succeed("card greeter.mcp.json", project);
    },
  },
  {
    file: "package.json",
    mine: { name: "mine", scripts: { build: "make" }, private: true },
    run: async (project) => {
      await succeed("init --server greeter", project);
    },
  },
  {
    file: ".vscode/settings.json",
    mine: {
      "editor.tabSize": 8,
      "files.readonlyInclude": { "vendor/**": true },
    },
    run: async (project) => {
      await succeed("init --server greeter", project);
      expect(await succeed("init --server greeter", directory())).toContain(
        ".vscode/settings.json: written",
      );
    },
  },
];

describe("a JSON file that a person and mcpgen write", () => {
  it.each(cases)(
    "keeps in $file what the person wrote, and gets what mcpgen writes",
    async ({ file, mine, run }) => {
      const project = directory({ [file]: textOf(mine) });
      await run(project);
      const text = readFileSync(join(project, file), "utf8");
      expect(text).not.toBe(textOf(mine));
      const { packages, ...others } = mine;
      const after = JSON.parse(text) as Mine;
      expect(after).toMatchObject(others);
      if (packages !== undefined)
        expect(after["packages"]).toEqual(
          expect.arrayContaining(packages as unknown[]),
        );
    },
  );

  it.each(cases)(
    "keeps the indentation of $file",
    async ({ file, mine, run }) => {
      const project = directory({ [file]: textOf(mine) });
      await run(project);
      const text = readFileSync(join(project, file), "utf8");
      expect(text).toBe(textOf(JSON.parse(text) as object));
    },
  );

  it("is not changed if it has comments, and the lines to add are printed", async () => {
    const text = '{\n  // Mine.\n  "editor.tabSize": 8\n}\n';
    const project = directory({ ".vscode/settings.json": text });
    expect(await succeed("init --server greeter", project)).toContain(
      '.vscode/settings.json: exists, not changed; add "files.readonlyInclude":{"src/protocol/**":true}\n',
    );
    const path = join(project, ".vscode/settings.json");
    expect(readFileSync(path, "utf8")).toBe(text);
  });

  it.each([".gitattributes", "package.json", ".vscode/settings.json"])(
    "is not written through a link named %s that leads out of the project",
    async (name) => {
      const outside = directory({ "theirs.json": "{}\n" });
      const project = directory();
      mkdirSync(join(project, ".vscode"));
      symlinkSync(join(outside, "theirs.json"), join(project, name));
      const { code, err } = await runHere(
        ["init", "--server", "greeter"],
        project,
      );
      expect([code, err]).toEqual([2, expect.stringContaining("MG810")]);
      expect(readFileSync(join(outside, "theirs.json"), "utf8")).toBe("{}\n");
    },
  );
});
