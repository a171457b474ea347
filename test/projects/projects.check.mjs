// Generated files in projects of other tools: webpack and Next.js build them,
// Jest runs them as CommonJS, ESLint accepts them.
import { execFile } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../..");
const installed = join(here, "node_modules");
const folders = [];
afterAll(() =>
  folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })),
);

/**
 * A project with these files, links to packages and the runtime, but without
 * Ajv 8, which is optional.
 */
function project(files, { at = tmpdir(), links = [] }) {
  const folder = realpathSync(mkdtempSync(join(at, "mcpgen-projects-")));
  folders.push(folder);
  const place = (name) => {
    mkdirSync(dirname(join(folder, "node_modules", name)), { recursive: true });
    return join(folder, "node_modules", name);
  };
  for (const name of links) symlinkSync(join(installed, name), place(name));
  for (const part of ["package.json", "dist"])
    cpSync(
      join(root, "src/runtime", part),
      join(place("@mcpgen/runtime"), part),
      { recursive: true },
    );
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(
      join(folder, path),
      typeof text === "string" ? text : JSON.stringify(text),
    );
  }
  return folder;
}

async function run(cwd, ...args) {
  const env = {
    ...process.env,
    NEXT_TELEMETRY_DISABLED: "1",
    NODE_ENV: undefined,
    NODE_OPTIONS: undefined,
  };
  const command = promisify(execFile)(process.execPath, args, {
    cwd,
    env,
    maxBuffer: 2 ** 26,
  });
  return await command.then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, output: stdout + stderr }),
  );
}
const mcpgen = async (cwd, ...args) => {
  const { code, output } = await run(cwd, join(root, "dist/cli.js"), ...args);
  expect(code, output).toBe(0);
  return output;
};
const built = (result) => expect(result.code, result.output).toBe(0);

const bundlerConfig = (more = {}) => ({
  compilerOptions: {
    target: "ES2022",
    lib: ["dom", "es2022"],
    strict: true,
    module: "esnext",
    moduleResolution: "bundler",
    skipLibCheck: true,
    ...more,
  },
});
const client = `import { http } from "@mcpgen/runtime/http";
import { connect } from "./gen";
export const call = () => connect(http("/mcp"), { info: { name: "page", version: "1.0.0" } });
`;
const server = `import { tools } from "@mcpgen/runtime/features";
import { createHttpHandler } from "@mcpgen/runtime/http";
import { createServers } from "./gen";
const ok = () => "ok";
const echo = { name: "echo", inputSchema: { type: "object" as const }, handler: ok };
export const handler = createHttpHandler(
  createServers({ info: { name: "server", version: "1.0.0" }, handlers: tools([echo]) }),
);
`;
const revisions = ["--version", "2025-11-25,2026-07-28"];

it.each(["web", "node"])(
  "webpack builds a client and a server for the target %s without Ajv",
  async (target) => {
    const config = `const path = require("node:path");
module.exports = {
  mode: "production",
  target: "${target}",
  context: __dirname,
  entry: "./${target === "web" ? "client" : "server"}.ts",
  resolve: { extensions: [".ts", ".js"] },
  module: { rules: [{ test: /\\.ts$/, loader: ${JSON.stringify(join(installed, "ts-loader"))}, options: { transpileOnly: true } }] },
  output: { path: path.join(__dirname, "built") },
};`;
    const files = {
      "client.ts": client,
      "server.ts": server,
      "tsconfig.json": bundlerConfig(),
    };
    const folder = project(
      { "package.json": "{}", "webpack.config.cjs": config, ...files },
      { links: ["typescript"] },
    );
    await mcpgen(folder, ...revisions, "--out", "gen");
    const script = `require(${JSON.stringify(join(installed, "webpack"))})(require("./webpack.config.cjs"), (error, stats) => {
    console.log(error ?? stats.toString({ all: false, errors: true }));
    process.exit(error || stats.hasErrors() ? 1 : 0);
  });`;
    writeFileSync(join(folder, "build.cjs"), script);
    built(await run(folder, "build.cjs"));
  },
);

it.each(["--webpack", "--turbopack"])(
  "Next.js builds a page and a route with %s",
  async (bundler) => {
    const files = {
      "package.json": { name: "project", private: true },
      "tsconfig.json": bundlerConfig({
        jsx: "react-jsx",
        noEmit: true,
        isolatedModules: true,
      }),
      // What is typed correctly is for the suite of the compilers.
      "next.config.mjs": `export default { typescript: { ignoreBuildErrors: true }, turbopack: { root: ${JSON.stringify(here)} } };\n`,
      "app/client.ts": client,
      "app/server.ts": server,
      "app/layout.tsx": `export default ({ children }: { children: unknown }) => <html><body>{children as never}</body></html>;\n`,
      "app/page.tsx": `"use client";\nimport { call } from "./client";\nexport default () => <button onClick={() => void call()}>call</button>;\n`,
      "app/mcp/route.ts": `import { handler } from "../server";\nexport { handler as DELETE, handler as GET, handler as POST };\n`,
    };
    // Turbopack follows no link that leads out of its root.
    const folder = project(files, { at: here });
    await mcpgen(folder, ...revisions, "--out", "app/gen");
    built(
      await run(
        folder,
        join(installed, "next/dist/bin/next"),
        "build",
        bundler,
      ),
    );
  },
);

describe("Jest as CommonJS", () => {
  it("runs a client and a server with a copied runtime, as the page says", async () => {
    const test = `import { memoryPair, serve } from "./gen/runtime";
import { tools } from "./gen/runtime/features";
import { Client, createServer } from "./gen";

test("calls a tool", async () => {
  const info = { name: "jest", version: "1.0.0" };
  const ok = () => "ok";
  const handlers = tools([{ name: "echo", inputSchema: { type: "object" }, handler: ok }]);
  const [clientTransport, serverTransport] = memoryPair();
  await serve(serverTransport, createServer({ info, handlers }));
  const client = await Client.connect(clientTransport, { info });
  expect((await client.listTools()).tools).toHaveLength(1);
  expect(await client.callTool({ name: "echo" })).toMatchObject({ content: [{ type: "text", text: "ok" }] });
  await client.close();
});
`;
    const files = {
      "package.json": { name: "project", private: true },
      "tsconfig.json": {
        compilerOptions: {
          target: "ES2022",
          module: "commonjs",
          strict: true,
          isolatedModules: true,
        },
      },
      "jest.config.js": `module.exports = { transform: { "^.+\\\\.ts$": ["ts-jest", { diagnostics: false }] } };\n`,
      "call.test.ts": test,
    };
    const folder = project(files, { links: ["ts-jest", "jest", "typescript"] });
    symlinkSync(
      join(root, "node_modules/ajv"),
      join(folder, "node_modules/ajv"),
    );
    const options = ["--runtime", "vendored", "--import-ext", "none"];
    await mcpgen(folder, "--version", "2025-11-25", ...options, "--out", "gen");
    built(await run(folder, join(installed, "jest/bin/jest.js"), "--no-cache"));
  });
});

it("ESLint accepts the project without a warning with the ignores of the page, which it warns of otherwise", async () => {
  const config = (ignores) => `import parser from "@typescript-eslint/parser";
export default [${ignores}{ files: ["**/*.ts"], languageOptions: { parser }, rules: { "no-var": "error" } }];\n`;
  const files = {
    "package.json": { type: "module" },
    "src/main.ts": 'export * from "./gen/index.js";\n',
  };
  const folder = project(files, { links: ["@typescript-eslint/parser"] });
  await mcpgen(
    folder,
    "--version",
    "2025-03-26",
    "--emit",
    "types",
    "--out",
    "src/gen",
  );
  const lint = async (ignores) => {
    writeFileSync(join(folder, "eslint.config.js"), config(ignores));
    return await run(
      folder,
      join(installed, "eslint/bin/eslint.js"),
      "src",
      "--max-warnings",
      "0",
    );
  };
  expect((await lint("")).output).toContain("Unused eslint-disable directive");
  built(await lint('{ ignores: ["src/gen/**"] }, '));
});
