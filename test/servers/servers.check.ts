import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ProjectNaming } from "../../src/generator/view/project/naming.js";
import { mcpgen } from "../cli/support.js";
import { freePort } from "../free-port.js";
import { runtimeSources } from "../sources.js";
import { readText, type Read } from "../stubs/project.js";
import { compilers, optionsOf } from "../types/matrix.js";
import { root } from "../repository.js";
import { faultsOf, makeProject, type Project } from "../types/project.js";
import { mutant } from "../vectors/mutate.js";
import { Random } from "../vectors/random.js";
import { load } from "../view/generated.js";
import { argumentsFor } from "./arguments.js";
import { callsOf, type Known, session } from "./calls.js";
import { ajvFor, schemasOf, wordsOf } from "./schemas.js";
import { fresh, launch, servers } from "./servers.js";

/** The number of mutated values for the schemas of all tools together. */
const values = 100_000;

/** A server with its snapshot and diagnostics. */
interface Pulled extends Known {
  readonly reports: Read["reports"];
}

const isSnapshot = new Ajv2020({ allowUnionTypes: true }).compile(
  JSON.parse(
    readFileSync("src/generator/ir/snapshot/snapshot.schema.json", "utf8"),
  ) as object,
);
let project: Project;
const pulled = new Map<string, Pulled>();

/** The servers that could be pulled; another test reports the others. */
const all = (): readonly Pulled[] => [...pulled.values()];
const pathOf = (name: string): string => `${name}.mcp.json`;
const textIn = (path: string): string =>
  readFileSync(join(project.folder, path), "utf8");

beforeAll(async () => {
  project = await makeProject();
  const entries = servers.map((server) => {
    const folder = join(project.folder, "folders", server.name);
    fresh(folder);
    return [
      server.name,
      { command: process.execPath, ...launch(server, folder), cwd: folder },
    ];
  });
  project.write(
    ".mcp.json",
    JSON.stringify({ mcpServers: Object.fromEntries(entries) as object }),
  );
});

afterAll(() => project.remove());

describe.each(servers)("the third-party server $name", (server) => {
  it("can be pulled, and its snapshot gives stubs", async () => {
    const { name } = server;
    const { code, err } = await mcpgen(
      ["pull", "--config", name, "-o", pathOf(name), "--no-color"],
      {
        directory: project.folder,
      },
    );
    expect(code, err).toBe(0);
    const text = textIn(pathOf(name));
    expect([isSnapshot(JSON.parse(text)), isSnapshot.errors]).toEqual([
      true,
      null,
    ]);
    const { snapshot, reports } = await readText(text);
    if (snapshot === null) throw new Error("the snapshot cannot be read");
    expect(snapshot.tools.length).toBeGreaterThan(0);
    const folder = join(project.folder, "folders", name);
    // The snapshot may contain the folder of a server, but nothing else of its
    // command line.
    expect(text).not.toContain(process.execPath);
    const entry: Pulled = {
      ...server,
      folder,
      snapshot,
      reports,
      naming: new ProjectNaming(snapshot),
    };
    await project.generate(
      `stubs/${name}`,
      "stubs",
      pathOf(name),
      "--emit",
      "client,server",
    );
    await project.generate(`code/${name}`, "code", pathOf(name));
    project.write(
      `calls/${name}.ts`,
      callsOf(entry, textIn(`stubs/${name}/client.ts`)),
    );
    pulled.set(name, entry);
  });

  it("gives the same results for typed methods and for raw calls of every tool", async () => {
    const match = pulled.get(server.name);
    if (match === undefined) throw new Error("it was not pulled");
    const { tools } = match.snapshot;
    const typed = await session(match, async (caller) => {
      const { calls } = (await load(
        filesOf(match.name),
        `calls/${match.name}.ts`,
      )) as {
        calls(caller: unknown): (() => Promise<unknown>)[];
      };
      return calls(caller);
    });
    const raw = await session(match, (caller) =>
      tools.flatMap(({ name, raw: { inputSchema } }) =>
        argumentsFor(inputSchema, match.folder).map(
          (args) => () =>
            caller.callTool({
              name,
              arguments: args as Record<string, unknown>,
            }),
        ),
      ),
    );
    expect(raw.length).toBe(tools.length * 2);
    expect(typed).toEqual(raw);
  });

  it("has stubs whose server gives the same snapshot byte for byte", async () => {
    const { name } = server;
    const outfile = join(project.folder, `${name}.mjs`);
    await build({
      entryPoints: [join(project.folder, `stubs/${name}/main.ts`)],
      outfile,
      bundle: true,
      format: "esm",
      platform: "node",
      plugins: [runtimeSources],
    });
    const args = [
      "pull",
      "--stdio",
      `node ${name}.mjs`,
      "-o",
      `again/${pathOf(name)}`,
    ];
    const { code, err } = await mcpgen(args, { directory: project.folder });
    expect(code, err).toBe(0);
    expect(textIn(`again/${pathOf(name)}`)).toBe(textIn(pathOf(name)));
  });
});

describe("a third-party server whose tools depend on the client's capabilities", () => {
  it("lists all tools for mcpgen pull, and fewer with --capabilities none", async () => {
    const toolsIn = (path: string): string[] =>
      (JSON.parse(textIn(path)) as { tools: { name: string }[] }).tools.map(
        ({ name }) => name,
      );
    const args = [
      "pull",
      "--config",
      "everything",
      "-o",
      "none.mcp.json",
      "--capabilities",
      "none",
    ];
    const { code, err } = await mcpgen(args, { directory: project.folder });
    expect(code, err).toBe(0);
    const [all, none] = [
      toolsIn(pathOf("everything")),
      toolsIn("none.mcp.json"),
    ];
    expect(all.filter((name) => !none.includes(name)).sort()).toEqual([
      "get-roots-list",
      "trigger-elicitation-request",
      "trigger-elicitation-request-async",
      "trigger-sampling-request",
      "trigger-sampling-request-async",
      "trigger-url-elicitation",
    ]);
    expect([all.length, none.length]).toEqual([19, 13]);
  });
});

describe.each(["streamableHttp", "sse"])(
  "a third-party server at a URL over %s",
  (mode) => {
    it("gives the same snapshot as over stdio", async () => {
      const port = await freePort();
      const server = {
        name: "everything",
        package: "@modelcontextprotocol/server-everything",
        args: [mode],
      };
      const child = spawn(process.execPath, launch(server, "").args, {
        env: { PATH: process.env["PATH"], PORT: String(port) },
        stdio: ["ignore", "ignore", "pipe"],
      });
      try {
        // Over sse it prints a line before it listens; the one that names the
        // port comes afterwards.
        let printed = "";
        child.stderr?.on("data", (chunk) => (printed += String(chunk)));
        await expect.poll(() => printed).toContain(String(port));
        const url = `http://127.0.0.1:${port}/${mode === "sse" ? "sse" : "mcp"}`;
        const out = `${mode}.mcp.json`;
        const { code, err } = await mcpgen(["pull", "--url", url, "-o", out], {
          directory: project.folder,
        });
        expect(code, err).toBe(0);
        expect(textIn(out)).toBe(textIn(pathOf("everything")));
      } finally {
        child.kill("SIGKILL");
      }
    });
  },
);

describe("the stubs of all third-party servers", () => {
  const strict = (version: number, ...include: readonly string[]) => {
    const setting = {
      extension: "js",
      resolution: "NodeNext",
      around: "node",
    } as const;
    const typeRoots = [join(root, "node_modules/@types")];
    const compilerOptions = { ...optionsOf(setting, version), typeRoots };
    return { compilerOptions, include };
  };
  const newest = compilers.filter(({ version }) => version >= 5.9);

  it.each(newest)(
    "compile with TypeScript $version and its strictest options, together with a call of every tool",
    async ({ name, version }) => {
      expect(pulled.size).toBe(servers.length);
      const config = strict(version, "stubs", "calls");
      expect(await faultsOf(project, name, config)).toEqual([]);
    },
  );

  it.each(newest)(
    "have signatures for code mode that compile with TypeScript $version, with an api.d.ts for each server and with one for all",
    async ({ name, version }) => {
      const config = strict(version, "code");
      expect(await faultsOf(project, name, config)).toEqual([]);
      const paths = all().map((server) => pathOf(server.name));
      await project.generate("agent", "code", ...paths);
      const together = strict(version, "agent");
      expect(await faultsOf(project, name, together)).toEqual([]);
      expect(textIn("agent/api.d.ts").match(/^declare const /gm)).toHaveLength(
        servers.length,
      );
    },
  );

  it(`have validators that agree with Ajv on ${values} mutated arguments, except where a diagnostic says that they are looser`, async () => {
    const rows = all().flatMap((server) =>
      schemasOf(server.snapshot).map((row) => ({ ...row, server })),
    );
    const each = Math.ceil(values / rows.length);
    let tried = 0;
    let count = 0;
    const wrong: unknown[] = [];
    for (const server of all()) {
      const guards = (await load(
        filesOf(server.name),
        `stubs/${server.name}/validators.ts`,
      )) as Readonly<Record<string, (value: unknown) => boolean>>;
      for (const { key, tool, schema, member } of rows.filter(
        (row) => row.server === server,
      )) {
        const guard = guards[String(server.naming.guard(key).layout)];
        if (guard === undefined) throw new Error(`no guard for ${key}`);
        const isLoose = server.reports.some(
          ({ within }) =>
            within[0] === `tool ${JSON.stringify(tool)}` &&
            within[1] === member,
        );
        const theirs = ajvFor(schema);
        const samples = argumentsFor(schema, server.folder);
        for (const sample of samples)
          expect([guard(sample), theirs(sample), key]).toEqual([
            true,
            true,
            key,
          ]);
        const random = new Random(tried + 1);
        const words = wordsOf(schema);
        for (let i = 0; i < each; i++) {
          // As in a message, which has no infinite number.
          const text =
            JSON.stringify(mutant(random.pick(samples), random, words)) ??
            "null";
          const value: unknown = JSON.parse(text);
          const [ours, ajv] = [guard(value), theirs(value)];
          tried += 1;
          if (ours) count += 1;
          // If a keyword is not checked, the guard may accept more values, but
          // never fewer.
          if (isLoose ? !ours && ajv : ours !== ajv)
            wrong.push([server.name, key, ours, ajv, value]);
        }
      }
    }
    expect(wrong.slice(0, 5)).toEqual([]);
    expect([tried >= values, count > tried / 20, count < tried]).toEqual([
      true,
      true,
      true,
    ]);
  });
});

/** The stubs of a server and the program that calls its tools, by path. */
function filesOf(name: string): ReadonlyMap<string, string> {
  const paths = readdirSync(join(project.folder, "stubs", name), {
    recursive: true,
  })
    .map((path) => `stubs/${name}/${String(path).replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".ts"));
  return new Map(
    [...paths, `calls/${name}.ts`].map((path) => [path, textIn(path)]),
  );
}
