import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import ts from "typescript";
import { afterAll, describe, expect, it } from "vitest";
import { readGuides } from "../examples/kit/pages.js";
import { freePort } from "../free-port.js";
import { sendNode } from "../runtime/http/kit/exchange.js";
import { call, modernPost } from "../runtime/http/kit/messages.js";
import { type Json, modern, resultOf, textOf } from "../runtime/kit/index.js";
import { root } from "../repository.js";
import { bundle } from "./bundle.js";
import { until } from "../runtime/kit/watch.js";

const here = fileURLToPath(new URL(".", import.meta.url));
// Below the packages of this folder, so that programs find them.
const folder = mkdtempSync(join(here, "node_modules/.guides-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const bin = (name: string): string => join(here, "node_modules/.bin", name);
/** The servers of the guide on code mode are generated: `npm run test:code`. */
const guides = readGuides().filter(
  ({ name, needsPackages }) => needsPackages && name !== "code",
);
const programs = guides.flatMap(({ name, programs }) =>
  programs.map((program) => ({ name, ...program })),
);
/**
 * Programs whose platform is a global that Node does not have; they run on that
 * platform (`adapters.check.ts`).
 */
const foreign = /\b(Bun|Deno)\./;

describe("the guides that need packages of others", () => {
  it("are those on frameworks, platforms and zod", () => {
    expect(guides.map(({ name }) => name)).toEqual([
      "frameworks",
      "serverless",
      "zod",
    ]);
  });

  it("have programs that compile with those packages", () => {
    const files = programs
      .filter(({ text }) => !foreign.test(text))
      .map(({ name, file, text }) => {
        const path = join(folder, `${name}-${file}`);
        writeFileSync(
          path,
          text
            .replaceAll("./gen/", "../../../../generated/")
            .replaceAll(/"\.\/(\w+)\.js"/g, `"./${name}-$1.js"`),
        );
        return path;
      });
    const program = ts.createProgram(files, {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      types: ["node"],
      typeRoots: [join(root, "node_modules/@types")],
      strict: true,
      skipLibCheck: true,
      noEmit: true,
      paths: {
        "@mcpgen/runtime": [join(root, "src/runtime/index.ts")],
        "@mcpgen/runtime/*": [join(root, "src/runtime/*.ts")],
      },
    });
    const own = program
      .getSourceFiles()
      .filter(({ fileName }) => files.includes(fileName));
    expect(own.length).toBe(files.length);
    const errors = own.flatMap((file) => program.getSemanticDiagnostics(file));
    expect(
      errors.map(({ messageText }) =>
        ts.flattenDiagnosticMessageText(messageText, " "),
      ),
    ).toEqual([]);
  });

  it.each(
    programs.flatMap((program) =>
      program.output === undefined ? [] : [[program.name, program]],
    ),
  )(
    "%s has a program that prints what the page says",
    async (name, { file, output }) => {
      const outfile = join(folder, `${name}-${file}.mjs`);
      await bundle(name, file, outfile);
      const { stdout, stderr } = spawnSync(process.execPath, [outfile], {
        encoding: "utf8",
      });
      expect(stderr).toBe("");
      expect(stdout).toBe(output);
    },
  );

  const zod3 =
    /inputSchema: (z3\.object.*\))(,\s+inputJsonSchema: \{[^]*?\n {8}\}),/;
  it.each<[string, (text: string) => string]>([
    [
      "a union",
      (text) =>
        text.replace("inputSchema: z.object({ shape })", "inputSchema: shape"),
    ],
    [
      "a date",
      (text) =>
        text.replace(/z\.iso\.date\(\)\.transform\(.*?\)\),/, "z.date(),"),
    ],
    ["zod 3", (text) => text.replace(zod3, "inputSchema: $1,")],
    [
      "a raw shape",
      (text) => text.replace(zod3, "inputSchema: { city: z.string() },"),
    ],
  ])("zod quotes the error of %s", async (what, change) => {
    const outfile = join(folder, `zod-${what.replaceAll(" ", "-")}.mjs`);
    await bundle("zod", "schemas.ts", outfile, change);
    const { stderr } = spawnSync(process.execPath, [outfile], {
      encoding: "utf8",
    });
    const [, error = ""] = /TypeError: (The tool .*)/.exec(stderr) ?? [];
    expect(error).not.toBe("");
    expect(guides.find(({ name }) => name === "zod")?.text).toContain(
      `> ${error}\n`,
    );
  });
});

describe("the functions of serverless platforms", () => {
  const post = modernPost(modern, call(1, "greet"));
  const headers = {
    ...post.headers,
    host: "localhost",
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };

  it.each([
    ["frameworks", "route.ts"],
    ["serverless", "vercel.ts"],
  ])(
    "%s/%s answers a request by the names of the methods",
    async (name, file) => {
      const { POST, OPTIONS } = (await load(name, file)) as Record<
        string,
        (one: Request) => Promise<Response>
      >;
      const request = (): Request =>
        new Request("http://localhost/mcp", {
          method: "POST",
          headers,
          body: JSON.stringify(post.body),
        });
      const response = await POST?.(request());
      expect([
        response?.status,
        textOf(resultOf((await response?.json()) as Json)),
      ]).toEqual([200, "Hello!"]);
      const preflight = new Request("http://localhost/mcp", {
        method: "OPTIONS",
        headers: { origin: "https://evil.example.com", host: "localhost" },
      });
      expect((await OPTIONS?.(preflight))?.status).toBe(403);
    },
  );

  it.each([
    [
      "Deno",
      (port: number) => [
        bin("deno"),
        "serve",
        "--port",
        String(port),
        "--allow-env",
      ],
    ],
    ["Bun", () => [bin("bun")]],
  ])("serverless/worker.ts serves on %s", async (platform, command) => {
    const port = await freePort();
    const outfile = join(folder, `worker-${platform}.mjs`);
    await bundle("serverless", "worker.ts", outfile);
    const [program = "", ...words] = command(port);
    const env = { ...process.env, PORT: String(port) };
    const child = spawn(program, [...words, outfile], { env, stdio: "ignore" });
    try {
      const answer = await until(() => sendNode(port, post));
      expect([answer.status, textOf(resultOf(await answer.json()))]).toEqual([
        200,
        "Hello!",
      ]);
    } finally {
      child.kill("SIGKILL");
    }
  });

  it("serverless/lambda.ts answers an event of API Gateway", async () => {
    const { handler } = (await load("serverless", "lambda.ts")) as {
      handler(
        event: object,
        context: object,
      ): Promise<{ statusCode: number; body: string }>;
    };
    const event = {
      version: "2.0",
      rawPath: "/mcp",
      rawQueryString: "",
      headers,
      requestContext: {
        domainName: "localhost",
        http: { method: "POST", path: "/mcp" },
      },
      body: JSON.stringify(post.body),
      isBase64Encoded: false,
    };
    const { statusCode, body } = await handler(event, {});
    expect([statusCode, textOf(resultOf(JSON.parse(body)))]).toEqual([
      200,
      "Hello!",
    ]);
  });
});

async function load(name: string, file: string): Promise<unknown> {
  const outfile = join(folder, `${name}-${file}.mjs`);
  await bundle(name, file, outfile);
  return import(pathToFileURL(outfile).href);
}
