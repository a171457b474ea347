import { execFile } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transform } from "esbuild";
import { afterAll, describe, expect, it } from "vitest";
import { program as cli, revisions, root } from "../repository.js";

const folders: string[] = [];
afterAll(() => {
  for (const path of folders.splice(0))
    rmSync(path, { recursive: true, force: true });
});

/** Whether this version of Node.js strips types from TypeScript. */
const strips =
  "typescript" in process.features && process.features.typescript !== false;

const forms = ["package", "vendored"].flatMap((runtime) =>
  ["js", "ts"].map((extension) => ({ runtime, extension })),
);

/**
 * A program with a client and a server of every revision, in memory, as two
 * processes and over HTTP; prints the results of its calls.
 */
const program = (from: {
  runtime: string;
  http: string;
  stdio: string;
  page: string;
}): string => `
import { memoryPair, serve, type Transport } from "${from.runtime}";
import { createHttpHandler, http, serveHttp } from "${from.http}";
import { serveStdio, stdio } from "${from.stdio}";
import { clientQuestions, connect, createServers, protocols, serverQuestions, type Revision } from "${from.page}";

const info = { name: "node", version: "1.0.0" };
const servers = createServers({
  info,
  questions: serverQuestions,
  handlers: {
    "tools/list": () => ({ tools: [{ name: "echo", inputSchema: { type: "object" } }] }),
    "tools/call": async ({ name }, context) => {
      const { roots } = await context.request("roots/list");
      return { content: [{ type: "text", text: \`\${name} \${roots[0]?.uri} \${context.revision}\` }] };
    },
  },
});

async function call(transport: Transport, mode: Revision): Promise<unknown> {
  const handlers = { "roots/list": () => ({ roots: [{ uri: "file:///root" }] }) };
  const client = await connect(transport, { info, questions: clientQuestions, handlers, mode });
  try {
    const names: string[] = [];
    for await (const tool of client.tools()) names.push(tool.name);
    const { content } = await client.callTool({ name: names.join() });
    return content;
  } finally {
    await client.close();
  }
}

if (process.argv[2] === "serve") {
  await serveStdio(servers);
} else {
  const results: Record<string, unknown> = {};
  const { url, close } = await serveHttp(createHttpHandler(servers), { port: 0 });
  for (const revision of Object.keys(protocols) as Revision[]) {
    const [clientTransport, serverTransport] = memoryPair();
    await serve(serverTransport, servers);
    const self = stdio(process.execPath, [process.argv[1] ?? "", "serve"]);
    results[revision] = [
      await call(clientTransport, revision),
      await call(self, revision),
      await call(http(url), revision),
    ];
  }
  await close();
  console.log(JSON.stringify(results));
}
`;

async function project(runtime: string, extension: string): Promise<string> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "mcpgen-node-")));
  folders.push(folder);
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  const options = [
    "--version",
    "all",
    "--runtime",
    runtime,
    "--import-ext",
    extension,
  ];
  await run([cli, ...options, "--out", "gen", "--quiet"], folder);
  const copied = `./gen/runtime`;
  const text = program({
    runtime:
      runtime === "package"
        ? "@mcpgen/runtime"
        : `${copied}/index.${extension}`,
    http:
      runtime === "package"
        ? "@mcpgen/runtime/http"
        : `${copied}/http.${extension}`,
    stdio:
      runtime === "package"
        ? "@mcpgen/runtime/stdio"
        : `${copied}/stdio.${extension}`,
    page: `./gen/index.${extension}`,
  });
  writeFileSync(join(folder, "main.ts"), text);
  if (runtime === "package") {
    const installed = join(folder, "node_modules/@mcpgen/runtime");
    mkdirSync(installed, { recursive: true });
    for (const part of ["package.json", "dist"]) {
      cpSync(join(root, "src/runtime", part), join(installed, part), {
        recursive: true,
      });
    }
  }
  if (extension === "js") await stripAll(folder);
  return folder;
}

/** Removes the types, as a build does. */
async function stripAll(folder: string): Promise<void> {
  const paths = readdirSync(folder, { recursive: true }).map(String);
  for (const path of paths.filter(
    (name) => name.endsWith(".ts") && !name.startsWith("node_modules"),
  )) {
    const { code } = await transform(readFileSync(join(folder, path), "utf8"), {
      loader: "ts",
      target: "esnext",
      tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    });
    writeFileSync(join(folder, path.replace(/\.ts$/, ".js")), code);
    rmSync(join(folder, path));
  }
}

function run(args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { cwd }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else
        reject(
          new Error(
            `node ${args.join(" ")}: ${String(error.code ?? error.signal)}\n${stderr}`,
          ),
        );
    });
  });
}

describe(`Node.js ${process.versions.node}`, () => {
  it.each(forms.filter(({ extension }) => extension === "js" || strips))(
    "connects a client with a server of every revision, as .$extension files and with --runtime $runtime",
    async ({ runtime, extension }) => {
      const folder = await project(runtime, extension);
      const results: unknown = JSON.parse(
        await run([join(folder, `main.${extension}`)], folder),
      );
      const answer = (revision: string): unknown => [
        { type: "text", text: `echo file:///root ${revision}` },
      ];
      expect(results).toEqual(
        Object.fromEntries(
          revisions.map((name) => [
            name,
            [answer(name), answer(name), answer(name)],
          ]),
        ),
      );
    },
  );

  it("runs the command line", async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "mcpgen-node-")));
    folders.push(folder);
    const printed = await run([cli, "list", "--json"], folder);
    for (const revision of revisions) expect(printed).toContain(revision);
  });
});
