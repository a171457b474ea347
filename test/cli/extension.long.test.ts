import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readSchema } from "../../src/api.js";
import type { Protocol } from "../../src/generator/ir/model.js";
import { put } from "../files.js";
import { revisions, root } from "../repository.js";
import { directory, mcpgen } from "./support.js";

const latest = revisions.at(-1) ?? "";
const errands = readFileSync(
  join(root, "test/made-up/schema/errands.ts"),
  "utf8",
);
const call = (id: number, method: string, params: object): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
const meta = {
  "io.modelcontextprotocol/protocolVersion": latest,
  "io.modelcontextprotocol/clientCapabilities": {},
};

describe("mcpgen --extension", () => {
  it("merges a bundled extension into the revisions that it fits, and does not change the others", async () => {
    const at = directory();
    const versions = `${revisions[0]},${latest}`;
    const flags = [
      "--version",
      versions,
      "--emit",
      "types",
      "--extension",
      "tasks",
    ];
    expect(
      await mcpgen([...flags, "--out", "with"], { directory: at }),
    ).toMatchObject({ code: 0 });
    expect(
      await mcpgen([...flags.slice(0, 4), "--out", "without"], {
        directory: at,
      }),
    ).toMatchObject({
      code: 0,
    });
    const types = (folder: string, revision = ""): string =>
      readFileSync(join(at, folder, revision, "types.ts"), "utf8");
    expect(types("with", revisions[0])).toBe(types("without", revisions[0]));
    expect(types("with", latest)).toContain("export type CreateTaskResult");
    expect(types("with", latest).slice(0, 300)).toContain(
      "schema/extensions/tasks/schema.ts",
    );
    expect(types("without", latest)).not.toContain("CreateTaskResult");
  });

  const staling = async () => {
    const at = directory({ "errands.ts": errands });
    const flags = ["--version", latest, "--out", "gen", "--emit", "types"];
    const run = async (...more: string[]): Promise<number | null> =>
      (await mcpgen([...flags, ...more], { directory: at })).code;
    expect(await run("--extension", "./errands.ts")).toBe(0);
    return { at, run };
  };

  it("reports output as stale if the extension changed", async () => {
    const { run } = await staling();
    expect(await run("--extension", "./errands.ts", "--check")).toBe(0);
    expect(await run("--check")).toBe(1);
    expect(await run("--extension", "./errands.ts,tasks", "--check")).toBe(1);
  });

  it("reports output as stale if the file of the extension changed", async () => {
    const { at, run } = await staling();
    put(
      join(at, "errands.ts"),
      errands.replace("HIGHEST_PRICE = 500", "HIGHEST_PRICE = 600"),
    );
    expect(await run("--extension", "./errands.ts", "--check")).toBe(1);
  });

  const nameless = errands.replace(
    /.*export const EXTENSION_IDENTIFIER.*\n/,
    "",
  );
  const given = "com.example/errands=./errands.ts";

  it("has the id that stands before its path, on the command line or in a configuration", async () => {
    const job = { version: latest, out: "gen", emit: ["types"] };
    const at = directory({
      "errands.ts": nameless,
      "mcpgen.config.json": JSON.stringify({
        generate: [{ ...job, extension: given }],
      }),
    });
    const flags = ["--version", latest, "--out", "gen", "--emit", "types"];
    const run = async (...args: string[]) =>
      await mcpgen(args, { directory: at });
    expect(await run(...flags, "--extension", "./errands.ts")).toMatchObject({
      code: 2,
      err: expect.stringContaining("--extension com.example/name=<path>"),
    });
    expect(await run()).toMatchObject({ code: 0 });
    expect(await run("--check")).toMatchObject({ code: 0 });
    expect(await run(...flags, "--extension", given, "--check")).toMatchObject({
      code: 0,
    });
    const other = given.replace("errands=", "others=");
    expect(await run(...flags, "--extension", other, "--check")).toMatchObject({
      code: 1,
    });
    const { out } = await run("ir", latest, "--extension", given);
    const { extensions } = JSON.parse(out) as Pick<Protocol, "extensions">;
    expect(extensions.map(({ id }) => id)).toEqual(["com.example/errands"]);
    const protocol = await readSchema(latest, {
      extensions: [given],
      directory: at,
    });
    expect(protocol.extensions.map(({ id }) => id)).toEqual([
      "com.example/errands",
    ]);
  });

  const constant = "export const EXTENSION_IDENTIFIER";
  const asIr = async () => {
    const at = directory({
      "errands.ts": errands.replace(
        constant,
        `/** @declaredBy server */\n${constant}`,
      ),
    });
    const both = ["--extension", "tasks", "--extension", "errands.ts"];
    const { code, out } = await mcpgen(["ir", latest, ...both], {
      directory: at,
    });
    expect(code).toBe(0);
    const { extensions } = JSON.parse(out) as Pick<Protocol, "extensions">;
    expect(extensions.map(({ id, declaredBy }) => [id, declaredBy])).toEqual([
      ["io.modelcontextprotocol/tasks", undefined],
      ["com.example/errands", "server"],
    ]);
    put(join(at, "both.ir.json"), out);
    return at;
  };

  it.each([
    [["diff", latest, "both.ir.json"]],
    [["--schema", "both.ir.json", "--out", "gen"]],
    [["validate", "both.ir.json"]],
    [["docs", "both.ir.json", "--out", "docs"]],
  ])("applies to ir, whose output is not a schema for %j", async (args) => {
    const at = await asIr();
    const { code, err } = await mcpgen(args, { directory: at });
    expect(code, args.join(" ")).toBe(2);
    expect(err).toMatch(
      /both\.ir\.json:1:1 MG601 .* output of `mcpgen ir`[^]*hint: pass the revision or the schema/,
    );
  });

  it("applies to both sides of diff", async () => {
    const at = directory();
    const twice = await mcpgen(
      ["diff", latest, latest, "--extension", "tasks"],
      { directory: at },
    );
    expect(twice).toMatchObject({ code: 0 });
    const other = await mcpgen(
      ["diff", revisions[0] ?? "", latest, "--extension", "tasks"],
      {
        directory: at,
      },
    );
    expect(other.out).toContain("method tasks/get");
  });

  it("makes validate check messages of the extension", async () => {
    const at = directory();
    const input = [
      call(1, "tasks/get", { taskId: "7", _meta: meta }),
      call(2, "tasks/get", { taskId: 7, _meta: meta }),
    ].join("");
    const run = await mcpgen(["validate", latest, "--extension", "tasks"], {
      directory: at,
      input,
    });
    expect(run).toMatchObject({
      code: 1,
      out: "line 2: tasks/get: params.taskId: expected a string, got 7\n",
    });
    const typed = await mcpgen(
      ["validate", latest, "--extension", "tasks", "--type", "TaskStatus"],
      {
        directory: at,
        input: '"working"\n',
      },
    );
    expect(typed).toMatchObject({ code: 0, out: "" });
  });

  it("takes the names that list shows beside the revisions that they fit", async () => {
    const { out } = await mcpgen(["list", "--json"], {
      directory: directory(),
    });
    const rows = JSON.parse(out) as readonly {
      revision: string;
      extensions: readonly string[];
    }[];
    expect(
      rows.filter(({ extensions }) => extensions.length > 0),
    ).toMatchObject([
      { revision: "2025-06-18", extensions: ["apps"] },
      { revision: "2025-11-25", extensions: ["apps", "skills"] },
      { revision: latest, extensions: ["apps", "skills", "tasks"] },
    ]);
  });

  it("reports an extension that cannot be used, exits with 2, and writes nothing", async () => {
    const id = "export const EXTENSION_IDENTIFIER";
    const at = directory({
      "nameless.ts": "export interface A {}",
      "prefixless.ts": `${id} = "notes";`,
      "foreign.ts": `import type { Nowhere } from "./x.js"; ${id} = "com.example/x"; export type A = Nowhere;`,
      "clash.ts": `${id} = "com.example/x"; export type Tool = string;`,
      "again.ts": `${id} = "io.modelcontextprotocol/tasks";`,
    });
    const rows: readonly (readonly [extension: string, message: RegExp])[] = [
      ["task", /MG712 unknown extension "task"\n.*did you mean tasks\?/],
      ["./missing.ts", /MG001/],
      [
        "./nameless.ts",
        /nameless\.ts:1:1 MG119 the file has no EXTENSION_IDENTIFIER/,
      ],
      [
        "./prefixless.ts",
        /prefixless\.ts:1:\d+ MG119 "notes" is not a valid extension id/,
      ],
      [
        "./foreign.ts",
        new RegExp(
          `MG120 .*"com.example/x" imports types that revision ${latest} does not have`,
        ),
      ],
      [
        "./clash.ts",
        /clash\.ts:1:\d+ MG122 the alias "Tool" is also declared by the revision/,
      ],
      [
        "tasks,./again.ts",
        /MG121 the extension "io.modelcontextprotocol\/tasks" is already included/,
      ],
    ];
    const commands = [
      ["--version", latest, "--out", "gen"],
      ["ir", latest],
      ["diff", latest, latest],
      ["validate", latest],
    ];
    for (const [i, [extension, message]] of rows.entries()) {
      // Every command is tried with the first fault, and one command with each
      // other fault.
      const [first = [], ...others] = commands;
      for (const command of i === 0 ? commands : [others[i - 1] ?? first]) {
        const { code, out, err } = await mcpgen(
          [...command, "--extension", extension],
          { directory: at },
        );
        expect({ command, code, out, err }).toMatchObject({
          code: 2,
          out: "",
          err: expect.stringMatching(message),
        });
      }
    }
    expect(() => readFileSync(join(at, "gen/types.ts"))).toThrow("ENOENT");
  });
});
