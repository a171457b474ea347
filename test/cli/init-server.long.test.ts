import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, describe, expect, it } from "vitest";
import { stdio } from "@mcpgen/runtime/stdio";
import { connect, type Revision } from "../../generated/index.js";
import { filesIn } from "../files.js";
import { freePort } from "../free-port.js";
import { Issuer } from "../runtime/protect/issuer.js";
import { revisions } from "../repository.js";
import { programForNode } from "../sources.js";
import { compile } from "../view/compile.js";
import { directory, mcpgen, type Ended } from "./support.js";

const running: ChildProcess[] = [];
afterAll(() => {
  for (const child of running) child.kill();
});

const run = (place: string, ...args: string[]): Promise<Ended> =>
  mcpgen([...args, "--no-color"], { directory: place });

const listTools = (
  url: string,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "whoami",
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {
        name: "whoami",
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {},
          "io.modelcontextprotocol/clientInfo": {
            name: "caller",
            version: "1.0.0",
          },
        },
      },
    }),
  });

describe("mcpgen init --protect", () => {
  it("writes a server that compiles, rejects requests without a token, and answers those with one", async () => {
    const issuer = await Issuer.start();
    const port = await freePort();
    const place = directory();
    const { code, err } = await run(place, "init", "--protect", issuer.issuer);
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(
        /^install what is missing: +npm install @mcpgen\/runtime @mcpgen\/auth && npm install --save-dev mcpgen\nmcpgen\.config\.ts: written\nsrc\/server\.ts: written\ngenerate it: npx mcpgen\n$/,
      ),
    ]);
    expect((await run(place)).code).toBe(0);
    const sources = Object.entries(filesIn(join(place, "src"))).filter(
      ([path]) => path.endsWith(".ts"),
    );
    // In a project these types come with @types/node.
    const node =
      "declare const process: { readonly env: { readonly [name: string]: string | undefined } };";
    expect(compile(new Map([...sources, ["node.d.ts", node]]))).toEqual([]);

    const outfile = join(place, "server.mjs");
    await build({
      entryPoints: [join(place, "src/server.ts")],
      outfile,
      ...programForNode,
    });
    const env = {
      PATH: process.env["PATH"],
      PORT: String(port),
      MCP_SCOPES: "mcp",
    };
    const child = spawn(process.execPath, [outfile], {
      env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    running.push(child);
    const url = `http://127.0.0.1:${port}/mcp`;
    for await (const text of child.stderr) {
      expect(String(text)).toBe(`Listening on ${url}\n`);
      break;
    }

    const rejected = await listTools(url);
    const metadata = `http://127.0.0.1:${port}/.well-known/oauth-protected-resource/mcp`;
    expect([rejected.status, rejected.headers.get("www-authenticate")]).toEqual(
      [401, `Bearer scope="mcp", resource_metadata="${metadata}"`],
    );
    expect(await (await fetch(metadata)).json()).toMatchObject({
      resource: url,
      authorization_servers: [issuer.issuer],
      scopes_supported: ["mcp"],
    });
    const token = (scope: string): Promise<string> =>
      issuer.token({ aud: url, scope });
    const poor = await listTools(url, {
      authorization: `Bearer ${await token("other")}`,
    });
    expect(poor.status).toBe(403);
    const answered = await listTools(url, {
      authorization: `Bearer ${await token("mcp")}`,
    });
    expect(await answered.text()).toContain('"text":"ada"');
    await issuer.stop();
  });

  it("imports with the extension that the nearest tsconfig.json allows", async () => {
    const place = directory({
      "tsconfig.json":
        '{ "compilerOptions": { "allowImportingTsExtensions": true, "noEmit": true } }',
    });
    expect(
      (await run(place, "init", "--protect", "https://auth.example.com/")).code,
    ).toBe(0);
    const text = readFileSync(join(place, "src/server.ts"), "utf8");
    expect(text).toContain('from "./protocol/index.ts"');
    // An issuer is compared as it is written.
    expect(text).toContain('"https://auth.example.com/"');
  });

  it("includes the servers in the files of MCP clients, and does not change an existing server", async () => {
    const place = directory({
      ".mcp.json":
        '{ "mcpServers": { "desk": { "command": "node", "args": ["desk.mjs"] } } }',
      "src/server.ts": "export {};\n",
    });
    const args = [
      "init",
      "--yes",
      "--protect",
      "https://auth.example.com",
      "--config",
      "mcpgen.config.json",
    ];
    const { code, err } = await run(place, ...args);
    expect([code, err]).toEqual([
      0,
      expect.stringContaining("src/server.ts: exists, not changed\n"),
    ]);
    expect(readFileSync(join(place, "src/server.ts"), "utf8")).toBe(
      "export {};\n",
    );
    expect(
      JSON.parse(readFileSync(join(place, "mcpgen.config.json"), "utf8")),
    ).toMatchObject({
      generate: [{ version: "all", out: "src/protocol" }],
      servers: [{ snapshot: "desk.mcp.json", out: "src/mcp/desk" }],
    });
  });

  it.each([
    "auth",
    "http://auth.example.com",
    "http://localhost.example.com",
    "https://me:secret-word@auth.example.com",
    "https://auth.example.com/?a=b",
    "https://auth.example.com/#a",
  ])(
    "refuses %s, which is not an issuer, writes nothing and does not repeat it",
    async (text) => {
      const place = directory();
      const { code, err } = await run(place, "init", "--protect", text);
      expect([code, err]).toEqual([
        2,
        expect.stringMatching(/^MG702 --protect is not the issuer/),
      ]);
      expect(err).toContain(
        "hint: An issuer is an https URL without user, query and fragment",
      );
      expect(err).not.toContain("secret-word");
      expect(filesIn(place)).toEqual({});
    },
  );
});

describe("mcpgen init --server-from-file", () => {
  /** Changes the file of the server `notes`. */
  const edit = (
    place: string,
    change: (file: Record<string, unknown>) => void,
  ): void => {
    const path = join(place, "notes.mcp.json");
    const file = JSON.parse(readFileSync(path, "utf8")) as Record<
      string,
      unknown
    >;
    change(file);
    writeFileSync(path, JSON.stringify(file));
  };

  it("writes a file of tools, a configuration, main.ts and handlers, and says what to do next", async () => {
    const place = directory();
    const { code, err } = await run(
      place,
      "init",
      "--server-from-file",
      "notes",
    );
    expect([code, err.slice(err.indexOf("src/mcp/notes: "))]).toEqual([
      0,
      `src/mcp/notes: 38 written from ${[...revisions].reverse().join(", ")}
mcpgen.config.ts: written
notes.mcp.json: written
install the runtime:           npm install @mcpgen/runtime
write what the server does in  src/mcp/notes/handlers
start it:                      npx tsx src/mcp/notes/main.ts
after a change of its file:    npx mcpgen
`,
    ]);
    const files = Object.keys(filesIn(place));
    expect(files).toEqual(
      expect.arrayContaining(["mcpgen.config.ts", "notes.mcp.json"]),
    );
    expect(
      files.filter((path) => /handlers\/\w+\/|main/.test(path)).sort(),
    ).toEqual([
      "src/mcp/notes/handlers/prompts/introduce.ts",
      "src/mcp/notes/handlers/resources/about.ts",
      "src/mcp/notes/handlers/tools/greet.ts",
      "src/mcp/notes/main.ts",
    ]);
    const sources = Object.entries(filesIn(join(place, "src"))).filter(
      ([path]) => path.endsWith(".ts"),
    );
    expect(compile(new Map(sources))).toEqual([]);
    expect((await run(place, "check")).code).toBe(0);
  });

  it("writes a file without format, revision and capabilities, which follow from the rest", async () => {
    const place = directory();
    await run(place, "init", "--server-from-file", "notes");
    edit(place, (file) => {
      expect(Object.keys(file)).toEqual([
        "$schema",
        "server",
        "tools",
        "prompts",
        "resources",
      ]);
      delete file["prompts"];
    });
    expect((await run(place)).code).toBe(0);
    const text = readFileSync(join(place, "src/mcp/notes/snapshot.ts"), "utf8");
    expect(text).toMatch(
      /capabilities.* = \{\s+tools: \{\},\s+resources: \{\},\s+\}/,
    );
  });

  it("serves the written tools to a client, which the schema of each protects", async () => {
    const place = directory();
    await run(place, "init", "--server-from-file", "notes");
    const handler = join(place, "src/mcp/notes/handlers/tools/greet.ts");
    const text = readFileSync(handler, "utf8");
    writeFileSync(
      handler,
      text.replace(
        /= \(\) => \{[^]*\};/,
        '= ({ name, language = "en" }) => `${language} ${name}`;',
      ),
    );
    const outfile = join(place, "server.mjs");
    await build({
      entryPoints: [join(place, "src/mcp/notes/main.ts")],
      outfile,
      ...programForNode,
    });
    const call = (...args: string[]): Promise<Ended> =>
      run(place, "call", "--stdio", `node ${outfile}`, ...args);
    expect((await call()).out).toContain("greet");
    expect((await call("greet", "--arg", "name=Ada")).out).toBe("en Ada\n");
    const refused = await call("greet", "--arg", "name=");
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining("name: expected"),
    ]);
  });

  it("removes the handlers of what was removed at the next run, and names and keeps those that were edited", async () => {
    const place = directory();
    await run(place, "init", "--server-from-file", "notes");
    const greet = join(place, "src/mcp/notes/handlers/tools/greet.ts");
    writeFileSync(
      greet,
      readFileSync(greet, "utf8").replace("=> {", "=> {\n  // Mine.\n"),
    );
    edit(place, (file) => {
      file["tools"] = [{ name: "add_note", inputSchema: { type: "object" } }];
      delete file["resources"];
    });
    const { code, err } = await run(place);
    expect([code, err.match(/MG812.*/g)]).toEqual([
      0,
      [
        "MG812 warning: handlers/tools/greet.ts handles what the server no longer has",
      ],
    ]);
    expect(err).toMatch(/^ {2}removed {4}handlers\/resources\/about.ts$/m);
    const files = Object.keys(filesIn(join(place, "src/mcp/notes/handlers")));
    expect(files.filter((path) => !path.startsWith("prompts/")).sort()).toEqual(
      ["index.ts", "tools/add-note.ts", "tools/greet.ts"],
    );
    expect(await run(place, "check")).toMatchObject({ code: 0 });
  });

  it("keeps a configuration and a file of tools that exist, and prints the job to add", async () => {
    const own =
      '{ "server": { "name": "Notes", "version": "2.0.0" }, "tools": [] }';
    const config = "export default { generate: [] };\n";
    const place = directory({
      "mcpgen.config.mjs": config,
      "notes.mcp.json": own,
    });
    const { code, err } = await run(
      place,
      "init",
      "--server-from-file",
      "notes",
    );
    expect([code, err]).toEqual([
      0,
      expect.stringContaining("notes.mcp.json: exists, not changed\n"),
    ]);
    expect(err).toContain(
      'mcpgen.config.mjs: exists; add to its "servers":\n  { "snapshot": "notes.mcp.json", "out": "src/mcp/notes", "emit": [ "server" ] }\n',
    );
    const files = filesIn(place);
    expect([files["mcpgen.config.mjs"], files["notes.mcp.json"]]).toEqual([
      config,
      own,
    ]);
    expect(files["src/mcp/notes/server.ts"]).toContain("createNotesServer");
  });

  it.each(['"quoted"', "../../up", "日本", "9"])(
    "writes valid files for a server named %s",
    async (name) => {
      const place = directory();
      expect((await run(place, "init", "--server-from-file", name)).code).toBe(
        0,
      );
      expect(
        Object.keys(filesIn(place)).filter((path) => !/^[\w/.-]+$/.test(path)),
      ).toEqual([]);
      expect((await run(place, "check")).code).toBe(0);
    },
  );

  it("names the files of a server by the letters of its name, without their accents", async () => {
    const place = directory();
    expect(
      (await run(place, "init", "--server-from-file", "Éclair au café")).code,
    ).toBe(0);
    expect(Object.keys(filesIn(place))).toContain("eclair-au-cafe.mcp.json");
  });

  it("answers clients of all revisions, and of the one that the file names", async () => {
    const place = directory();
    await run(place, "init", "--server-from-file", "notes");
    const main = "src/mcp/notes/main.ts";
    for (const name of revisions)
      expect(await toolsOf(place, main, name)).toContain("greet");
    edit(place, (file) => (file["revision"] = "2025-11-25"));
    expect((await run(place)).code).toBe(0);
    expect(await toolsOf(place, main, "2025-11-25")).toContain("greet");
    expect(
      Object.keys(filesIn(join(place, "src/mcp/notes/protocol"))),
    ).toContain("server.ts");
  });
});

/**
 * Starts a bundle of a program with a client of a revision. Returns the names
 * of the tools.
 */
async function toolsOf(
  place: string,
  main: string,
  name: string,
): Promise<string[]> {
  const outfile = join(place, "server.mjs");
  await build({ entryPoints: [join(place, main)], outfile, ...programForNode });
  const client = await connect(stdio(process.execPath, [outfile]), {
    info: { name: "caller", version: "1.0.0" },
    revisions: [name as Revision],
  });
  try {
    return (await client.listTools()).tools.map((tool) => tool.name);
  } finally {
    await client.close();
  }
}

describe("mcpgen init --server", () => {
  const files = [
    ".dockerignore",
    ".gitattributes",
    ".gitignore",
    ".vscode/settings.json",
    "Dockerfile",
    "README.md",
    "mcpgen.config.ts",
    "package.json",
    "src/http.ts",
    "src/main.ts",
    "src/server.test.ts",
    "src/server.ts",
    "tsconfig.json",
  ];

  it("writes a server in code for all revisions, its test, what starts, compiles and contains it, and says what to do next", async () => {
    const place = directory();
    const { code, err } = await run(place, "init", "--server", "Notes & Co");
    const args = [join(place, "dist/main.js")];
    const entry = JSON.stringify({ command: "node", args }, null, 1);
    const shown = entry.replace(/\n */g, " ");
    expect([code, err]).toEqual([
      0,
      `src/protocol: 34 written from ${revisions.join(", ")}
mcpgen.config.ts: written
tsconfig.json: written
src/server.ts: written
src/main.ts: written
src/http.ts: written
src/server.test.ts: written
Dockerfile: written
.dockerignore: written
.gitignore: written
README.md: written
.gitattributes: written
.vscode/settings.json: written
package.json: written
install what is missing:   npm install @mcpgen/runtime zod && npm install --save-dev mcpgen typescript @types/node tsx
write what the server does in  src/server.ts
test it:                       npm test
serve it over HTTP:            npm run start:http
serve it over stdio:           npm start   (prints nothing, and waits for a host; Ctrl-C ends it)
compile it for hosts:          npm run build
add it to Claude Desktop, in claude_desktop_config.json:
  { "mcpServers": { "notes-co": ${shown} } }
add it to VS Code, in .vscode/mcp.json:
  { "servers": { "notes-co": ${shown.replace("{", '{ "type": "stdio",')} } }
`,
    ]);
    const written = Object.keys(filesIn(place)).filter(
      (path) => !path.startsWith("src/protocol/"),
    );
    expect(written.sort()).toEqual(files);
    expect(
      JSON.parse(readFileSync(join(place, "package.json"), "utf8")),
    ).toMatchObject({
      name: "notes-co",
      type: "module",
      scripts: { build: "tsc", start: "tsx src/main.ts" },
    });
    expect((await run(place, "check")).code).toBe(0);
  });

  it("makes a package.json without a type, as npm install writes it, one of ES modules", async () => {
    const place = directory({ "package.json": '{ "devDependencies": {} }' });
    const { err } = await run(place, "init", "--server", "notes");
    expect(err).toContain("package.json: type module and scripts build,");
    const text = readFileSync(join(place, "package.json"), "utf8");
    expect(JSON.parse(text)).toMatchObject({ type: "module" });
  });

  it("leaves a package of CommonJS as it is, and says what to change", async () => {
    const place = directory({ "package.json": '{ "type": "commonjs" }' });
    const { err } = await run(place, "init", "--server", "notes");
    expect(err).toContain(
      "make its modules ES modules:   npm pkg set type=module\n",
    );
    const text = readFileSync(join(place, "package.json"), "utf8");
    expect(JSON.parse(text)).toMatchObject({ type: "commonjs" });
  });

  it("adds the generated folder to a file .gitattributes that exists, once", async () => {
    const place = directory({ ".gitattributes": "*.png binary" });
    await run(place, "init", "--server", "notes");
    await run(place, "init", "--server", "notes");
    expect(readFileSync(join(place, ".gitattributes"), "utf8")).toBe(
      "*.png binary\nsrc/protocol/** linguist-generated\n",
    );
  });

  it("keeps the files of a project, and adds the scripts that it lacks", async () => {
    const scripts = {
      start: "node own.js",
      test: 'echo "Error: no test specified" && exit 1',
    };
    const own = {
      "package.json": `${JSON.stringify({ name: "own", type: "module", scripts }, null, 4)}\n`,
      "src/server.ts": "export const servers = [];\n",
      "tsconfig.json": "{}\n",
      "notes.mcp.json":
        '{ "server": { "name": "notes", "version": "0.1.0" }, "tools": [] }',
      "mcpgen.config.json": '{ "generate": [] }',
    };
    const place = directory(own);
    const { code, err } = await run(place, "init", "--server", "notes");
    expect(code).toBe(0);
    for (const line of [
      "src/server.ts: exists, not changed",
      "package.json: scripts start:http, test added",
      'mcpgen.config.json: exists; add to its "generate":\n  { "version": "all", "out": "src/protocol" }',
      "notes.mcp.json: exists; mcpgen init --server-from-file notes continues the server that it describes",
      "serve it over stdio:           npx tsx src/main.ts ",
      "test it:                       npm test",
      `"command": "npx", "args": [ "--prefix", ${JSON.stringify(place)}, "tsx", `,
    ])
      expect(err).toContain(line);
    const { "package.json": manifest = "", ...after } = filesIn(place);
    const { "package.json": _, ...others } = own;
    expect(after).toMatchObject(others);
    expect(manifest).toMatch(/^\{\n {4}"name": "own",/);
    expect(JSON.parse(manifest)).toMatchObject({
      scripts: {
        start: "node own.js",
        test: expect.stringContaining("tsx --test"),
      },
    });
  });

  it.each([
    ["--server", "--protect"],
    ["--server", "--server-from-file"],
    ["--server-from-file", "--protect"],
  ])(
    "is one of the flags that exclude each other: %s and %s",
    async (first, second) => {
      const place = directory();
      const { code, err } = await run(
        place,
        "init",
        first,
        "a",
        second,
        "https://auth.example.com",
      );
      expect([code, err]).toEqual([
        2,
        expect.stringContaining(
          `MG705 ${first} and ${second} exclude each other`,
        ),
      ]);
      expect(filesIn(place)).toEqual({});
    },
  );
});
