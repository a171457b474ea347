import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stdio } from "@mcpgen/runtime/stdio";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../../generated/index.js";
import type { Surface } from "../../src/ir/surface/model.js";
import { SurfaceNaming } from "../../src/view/surface/naming.js";
import { mcpgen } from "../cli/support.js";
import { readText, type Read } from "../stubs/project.js";
import { compilers, optionsOf } from "../types/matrix.js";
import { faultsOf, makeProject, type Project, root } from "../types/project.js";
import { mutant } from "../vectors/mutate.js";
import { Random } from "../vectors/random.js";
import { load } from "../view/generated.js";
import { argumentsFor } from "./arguments.js";
import { fresh, launch, servers, type RealServer } from "./servers.js";

/** Mutated values in all, shared among the schemas of all tools. */
const values = 100_000;

/** A server after it was pulled. */
interface Pulled extends RealServer {
  readonly folder: string;
  readonly text: string;
  readonly surface: Surface;
  readonly reports: Read["reports"];
  readonly naming: SurfaceNaming;
}

const isSnapshot = new Ajv2020({ allowUnionTypes: true }).compile(
  JSON.parse(readFileSync("src/ir/surface/snapshot.schema.json", "utf8")) as object,
);
const runtime = fileURLToPath(new URL("../../src/runtime/", import.meta.url));
let project: Project;
const pulled = new Map<string, Pulled>();

/** The servers as far as they could be pulled; a test of its own says which could not. */
const all = (): readonly Pulled[] => [...pulled.values()];
const pathOf = (name: string): string => `${name}.mcp.json`;
const textIn = (path: string): string => readFileSync(join(project.folder, path), "utf8");

beforeAll(async () => {
  project = await makeProject();
  const entries = servers.map((server) => {
    const folder = join(project.folder, "folders", server.name);
    fresh(folder);
    return [server.name, { command: process.execPath, ...launch(server, folder), cwd: folder }];
  });
  project.write(".mcp.json", JSON.stringify({ mcpServers: Object.fromEntries(entries) as object }));
});

afterAll(() => project.remove());

describe.each(servers)("$name", (server) => {
  it("is pulled live, and gives stubs", async () => {
    const { name } = server;
    const { code, err } = await mcpgen(["pull", "--config", name, "-o", pathOf(name), "--no-color"], {
      directory: project.folder,
    });
    expect(code, err).toBe(0);
    const text = textIn(pathOf(name));
    expect([isSnapshot(JSON.parse(text)), isSnapshot.errors]).toEqual([true, null]);
    const { surface, reports } = await readText(text);
    if (surface === null) throw new Error("the snapshot cannot be read");
    expect(surface.tools.length).toBeGreaterThan(0);
    const folder = join(project.folder, "folders", name);
    // A folder that a server lists as its own is no secret, and nothing else of its command line stands there.
    expect(text).not.toContain(process.execPath);
    const found: Pulled = { ...server, folder, text, surface, reports, naming: new SurfaceNaming(surface) };
    await project.generate(`stubs/${name}`, "stubs", pathOf(name));
    project.write(`calls/${name}.ts`, callsOf(found));
    pulled.set(name, found);
  });

  it("has every tool called through its typed method as it would be called without it", async () => {
    const found = pulled.get(server.name);
    if (found === undefined) throw new Error("it was not pulled");
    const { tools } = found.surface;
    const typed = await session(found, async (caller) => {
      const { calls } = (await load(filesOf(found.name), `calls/${found.name}.ts`)) as {
        calls(caller: unknown): (() => Promise<unknown>)[];
      };
      return calls(caller);
    });
    const raw = await session(found, (caller) =>
      tools.flatMap(({ name, raw: { inputSchema } }) =>
        argumentsFor(inputSchema, found.folder).map(
          (given) => () => caller.callTool({ name, arguments: given as Record<string, unknown> }),
        ),
      ),
    );
    expect(raw.length).toBe(tools.length * 2);
    expect(typed).toEqual(raw);
  });

  it("comes back byte for byte: snapshot, stubs, server, snapshot", async () => {
    const { name } = server;
    const outfile = join(project.folder, `${name}.mjs`);
    await build({
      entryPoints: [join(project.folder, `stubs/${name}/main.ts`)],
      outfile,
      bundle: true,
      format: "esm",
      platform: "node",
      alias: { "@mcpgen/runtime": join(runtime, "index.ts"), ...runtimeEntries() },
    });
    const { code, err } = await mcpgen(
      ["pull", "--stdio", `node ${name}.mjs`, "-o", `again/${pathOf(name)}`],
      {
        directory: project.folder,
      },
    );
    expect(code, err).toBe(0);
    expect(textIn(`again/${pathOf(name)}`)).toBe(textIn(pathOf(name)));
  });
});

describe.each(["streamableHttp", "sse"])("a server of others' at a URL: %s", (mode) => {
  it("gives the snapshot that it gives over stdio", async () => {
    const port = await freePort();
    const server = { name: "everything", package: "@modelcontextprotocol/server-everything", args: [mode] };
    const child = spawn(process.execPath, launch(server, "").args, {
      env: { PATH: process.env["PATH"], PORT: String(port) },
      stdio: ["ignore", "ignore", "pipe"],
    });
    try {
      // It says so once it listens.
      await once(child.stderr as NodeJS.ReadableStream, "data");
      const url = `http://127.0.0.1:${port}/${mode === "sse" ? "sse" : "mcp"}`;
      const out = `${mode}.mcp.json`;
      const { code, err } = await mcpgen(["pull", "--url", url, "-o", out], { directory: project.folder });
      expect(code, err).toBe(0);
      expect(textIn(out)).toBe(textIn(pathOf("everything")));
    } finally {
      child.kill("SIGKILL");
    }
  });
});

describe("the stubs of all of them", () => {
  it.each(compilers.filter(({ version }) => version >= 5.9))(
    "pass TypeScript $version with every strictness it knows, the calls of every tool among them",
    async ({ name, version }) => {
      expect(pulled.size).toBe(servers.length);
      const setting = { extension: "js", resolution: "NodeNext", around: "node" } as const;
      const typeRoots = [join(root, "node_modules/@types")];
      const config = {
        compilerOptions: { ...optionsOf(setting, version), typeRoots },
        include: ["stubs", "calls"],
      };
      expect(await faultsOf(project, name, config)).toEqual([]);
    },
  );

  it(`have validators that agree with Ajv on ${values} mutated arguments, where no diagnostic says otherwise`, async () => {
    const rows = all().flatMap((found) => schemasOf(found).map((row) => ({ ...row, found })));
    const each = Math.ceil(values / rows.length);
    let tried = 0;
    let taken = 0;
    const wrong: unknown[] = [];
    for (const found of all()) {
      const guards = (await load(filesOf(found.name), `stubs/${found.name}/validators.ts`)) as Readonly<
        Record<string, (value: unknown) => boolean>
      >;
      for (const { key, tool, schema, member } of rows.filter((row) => row.found === found)) {
        const guard = guards[String(found.naming.guard(key).layout)];
        if (guard === undefined) throw new Error(`no guard for ${key}`);
        const isLoose = found.reports.some(
          ({ within }) => within[0] === `tool ${JSON.stringify(tool)}` && within[1] === member,
        );
        const theirs = ajvFor(schema);
        const samples = argumentsFor(schema, found.folder);
        for (const sample of samples) expect([guard(sample), theirs(sample), key]).toEqual([true, true, key]);
        const random = new Random(tried + 1);
        const words = wordsOf(schema);
        for (let i = 0; i < each; i++) {
          // As it would come over a wire, which carries no infinite number.
          const text = JSON.stringify(mutant(random.pick(samples), random, words)) ?? "null";
          const value: unknown = JSON.parse(text);
          const [ours, ajv] = [guard(value), theirs(value)];
          tried += 1;
          if (ours) taken += 1;
          // What is left unchecked may let more through, and never less.
          if (isLoose ? !ours && ajv : ours !== ajv) wrong.push([found.name, key, ours, ajv, value]);
        }
      }
    }
    expect(wrong.slice(0, 5)).toEqual([]);
    expect([tried >= values, taken > tried / 20, taken < tried]).toEqual([true, true, true]);
  });
});

interface Caller {
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
}

/** Starts the server anew, in a folder as new, makes the calls one after the other, and tells how each ended. */
async function session(
  server: Pulled,
  make: (caller: Caller) => Promise<(() => Promise<unknown>)[]> | (() => Promise<unknown>)[],
): Promise<unknown[]> {
  fresh(server.folder);
  const { args, env } = launch(server, server.folder);
  const carrier = stdio(process.execPath, args, { env, cwd: server.folder, stderr: "ignore" });
  const client = await connect(carrier, { info: { name: "servers", version: "1.0.0" } });
  try {
    const told: unknown[] = [];
    for (const call of await make(client as unknown as Caller)) {
      told.push(
        await call().then(
          (result) => ({ result: settled(result) }),
          (error: Error) => ({ error: settled(error.message) }),
        ),
      );
    }
    return told;
  } finally {
    await client.close();
  }
}

/** Without the hour, which no two calls share. */
function settled(value: unknown): unknown {
  const text = JSON.stringify(value)
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "<time>")
    .replaceAll(/\w{3} \w{3} \d\d \d{4} \d\d:\d\d:\d\d GMT[^"\\]*/g, "<time>")
    .replaceAll(/\d{1,2}:\d\d:\d\d( [AP]M)?/g, "<time>");
  return JSON.parse(text) as unknown;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A program that calls every tool by its typed method, as a person would write it. */
function callsOf({ name, surface, naming, folder }: Pulled): string {
  const create = /export function (create\w+Client)\(/.exec(textIn(`stubs/${name}/client.ts`))?.[1] ?? "";
  const calls = surface.tools.flatMap(({ raw: { inputSchema } }, i) =>
    argumentsFor(inputSchema, folder).map(
      (given) => `    () => client.tools[${JSON.stringify(naming.tools[i])}](${JSON.stringify(given)}),`,
    ),
  );
  return `import { type Caller, ${create} } from "../stubs/${name}/index.js";

export function calls(caller: Caller): (() => Promise<unknown>)[] {
  const client = ${create}(caller);
  return [
${calls.join("\n")}
  ];
}
`;
}

function filesOf(name: string): ReadonlyMap<string, string> {
  const paths = readdirSync(join(project.folder, "stubs", name), { recursive: true })
    .map((path) => `stubs/${name}/${String(path).replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".ts"));
  return new Map([...paths, `calls/${name}.ts`].map((path) => [path, textIn(path)]));
}

interface SchemaRow {
  readonly key: string;
  readonly tool: string;
  readonly member: "inputSchema" | "outputSchema";
  readonly schema: unknown;
}

function schemasOf({ surface }: Pulled): SchemaRow[] {
  return surface.tools.flatMap(({ name, input, output, raw }) => {
    const rows: SchemaRow[] = [{ key: input, tool: name, member: "inputSchema", schema: raw["inputSchema"] }];
    if (output !== null)
      rows.push({ key: output, tool: name, member: "outputSchema", schema: raw["outputSchema"] });
    return rows;
  });
}

function ajvFor(schema: unknown): (value: unknown) => boolean {
  const options = {
    strict: false,
    strictNumbers: true,
    validateFormats: false,
    ownProperties: true,
  } as const;
  const isOld = JSON.stringify(schema).includes("json-schema.org/draft-07");
  const validate = (isOld ? new Ajv(options) : new Ajv2020(options)).compile(schema as object);
  return (value) => validate(value) === true;
}

/** The names and values that a schema speaks of. */
function wordsOf(schema: unknown): string[] {
  const found = new Set<string>();
  JSON.stringify(schema, (key, value: unknown) => {
    found.add(key);
    if (typeof value === "string") found.add(value);
    return value;
  });
  return [...found];
}

function runtimeEntries(): Record<string, string> {
  const { exports } = JSON.parse(readFileSync(join(runtime, "package.json"), "utf8")) as { exports: object };
  const names = Object.keys(exports).filter((name) => /^\.\/[\w-]+$/.test(name));
  return Object.fromEntries(
    names.map((name) => [`@mcpgen/runtime/${name.slice(2)}`, join(runtime, `${name.slice(2)}.ts`)]),
  );
}
