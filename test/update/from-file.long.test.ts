import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, expectTypeOf, it, onTestFinished } from "vitest";
import { loadConfig, type LoadedConfig } from "../../src/cli/config/load.js";
import { FromFile } from "../../src/generator/inputs/from-file.js";
import { readLock, type Pin } from "../../src/generator/inputs/lock.js";
import { directory } from "../cli/support.js";
import { filesIn, put } from "../files.js";
import { errands } from "./errands.js";
import { firstSchemas, lockIn, lockName, update } from "./project.js";
import { behind, publicUrl, startProxy } from "./proxy.js";
import { serve, serveRepository } from "./server.js";
import { tls, trust } from "./tls.js";

/** A project whose extension was pinned from an address of a person. */
async function pinnedProject(): Promise<string> {
  const server = await serve((_request, response) => response.end(errands));
  const project = directory();
  const flags = ["--extension", `${server.url}/errands.ts`];
  expect(await update(project, flags)).toMatchObject({ code: 0 });
  return project;
}

/** The project as a stranger changed it: its extension is from elsewhere. */
function move(project: string, source: string): void {
  const lock = lockIn(project);
  const { errands: pin } = lock.extensions;
  const extensions = { errands: { ...pin, source } };
  put(join(project, lockName), JSON.stringify({ ...lock, extensions }));
  put(
    join(project, "mcpgen.config.json"),
    JSON.stringify({ update: { from: "vendor" } }),
  );
  for (const [file, text] of Object.entries(firstSchemas))
    put(join(project, "vendor", file), text);
}

const configured = (from: string): string =>
  directory({ "mcpgen.config.json": JSON.stringify({ update: { from } }) });

const secret = "TOKEN=of-the-private-network";

/** The environment of a process whose names lead to these addresses in turn. */
function resolving(...addresses: readonly string[]): Record<string, string> {
  const hook = join(directory(), "hook.mjs");
  writeFileSync(
    hook,
    `import dns from "node:dns/promises";
    import { syncBuiltinESMExports } from "node:module";
    const addresses = ${JSON.stringify(addresses)};
    dns.lookup = async () => [
      { address: addresses.length > 1 ? addresses.shift() : addresses[0], family: 4 },
    ];
    syncBuiltinESMExports();`,
  );
  return { ...trust, NODE_OPTIONS: `--import ${pathToFileURL(hook).href}` };
}

describe("an address in a file of the project", () => {
  it("of a lock file is not asked if it is of this machine, and the extension stays pinned", async () => {
    const project = await pinnedProject();
    for (const isSecure of [false, true]) {
      const server = await serve(
        (_request, response) => response.end(secret),
        isSecure ? tls : undefined,
      );
      move(project, `${server.url}/errands.ts`);
      const before = lockIn(project).extensions;
      const run = await update(project, [], trust);
      expect(run).toMatchObject({
        code: 0,
        err: expect.stringMatching(
          /MG751 warning: the extension errands stays as it is: .* 127\.0\.0\.1.*\n {4}hint: if you trust the source, name it: mcpgen update --extension <url>\n/,
        ),
      });
      expect(server.received).toEqual([]);
      expect(lockIn(project).extensions).toEqual(before);
    }
  });

  it.each([
    "http://127.0.0.1/mcp",
    "https://localhost/mcp",
    "https://10.0.0.1/mcp",
    "https://0x7f000001/mcp",
    "https://169.254.169.254/latest/meta-data.tar.gz",
    "https://[::1]/mcp",
    "https://[::ffff:7f00:1]/mcp",
    "https://[64:ff9b::7f00:1]/mcp",
    "https://metadata.internal/mcp",
    "http://example.com/mcp",
    "https://me:secret@example.com/mcp",
    "file:///etc/mcp",
  ])("of a configuration is refused before any request: %s", async (from) => {
    const run = await update(configured(from), []);
    expect(run.code).toBe(2);
    expect(run.err).toMatch(/^MG751 a file of the project names /);
    expect(run.err).not.toContain("secret");
  });

  it("is refused if its name leads into a private network", async () => {
    const server = await serve((_, response) => response.end(secret), tls);
    const project = configured(publicUrl(`${server.url}/mcp`));
    const run = await update(project, [], resolving("127.0.0.1"));
    expect(run).toMatchObject({
      code: 2,
      err: expect.stringContaining("its name leads into a private network"),
    });
    expect(server.received).toEqual([]);
  });

  it("is refused if its name leads into a private network once it was checked", async () => {
    const server = await serve((_, response) => response.end(secret), tls);
    const project = configured(publicUrl(`${server.url}/mcp`));
    const run = await update(
      project,
      [],
      resolving("93.184.215.14", "127.0.0.1"),
    );
    expect(run).toMatchObject({
      code: 3,
      err: expect.stringContaining("it is in a private network"),
    });
    expect(server.received).toEqual([]);
  });

  it.each(["127.0.0.1", "localhost"])(
    "does not redirect to this machine: %s",
    async (host) => {
      const target = await serve((_, response) => response.end(secret), tls);
      const location = `${target.url.replace("127.0.0.1", host)}/archive.tar.gz`;
      const server = await serve(
        (_request, response) => response.writeHead(302, { location }).end(),
        tls,
      );
      const proxy = await startProxy();
      onTestFinished(proxy.close);
      const project = configured(publicUrl(`${server.url}/mcp.tar.gz`));
      const environment = { ...trust, HTTPS_PROXY: proxy.url };
      const run = await update(project, [], environment);
      expect(run).toMatchObject({
        code: 3,
        err: expect.stringMatching(/redirects to .* which is not followed/),
      });
      expect(server.received).toHaveLength(1);
      expect(target.received).toEqual([]);
    },
  );

  it("is used if it is public", async () => {
    const repository = await serveRepository(firstSchemas, undefined, tls);
    const proxy = await startProxy();
    onTestFinished(proxy.close);
    const project = configured(publicUrl(repository.from));
    const environment = { ...trust, HTTPS_PROXY: proxy.url };
    expect(await update(project, [], environment)).toMatchObject({ code: 0 });
    expect(proxy.targets[0]).toContain(behind);
  });
});

describe("a path in a file of the project", () => {
  it.each([
    ["above it", "../elsewhere"],
    ["anywhere else", directory(firstSchemas)],
    ["behind a link", "linked"],
  ])("is refused %s", async (_, from) => {
    const project = configured(from);
    symlinkSync(directory(firstSchemas), join(project, "linked"));
    const before = filesIn(project);
    const run = await update(project, []);
    expect(run).toMatchObject({
      code: 2,
      err: expect.stringContaining("a path as a source of schemas, and it is"),
    });
    expect(filesIn(project)).toEqual(before);
  });

  it("may be anywhere in its repository", async () => {
    const repository = directory({ ".git/HEAD": "", ...firstSchemas });
    const project = join(repository, "packages/a");
    put(
      join(project, "mcpgen.config.json"),
      JSON.stringify({ update: { from: "../.." } }),
    );
    expect(await update(project, [])).toMatchObject({ code: 0 });
  });
});

describe("an answer that is no schema", () => {
  it.each(["TOKEN=1\n", "<html><script>const token = 1</script>\n", "{}"])(
    "is not quoted: %j",
    async (text) => {
      const server = await serve((_, response) => response.end(text));
      const flags = ["--extension", `${server.url}/errands.ts`];
      const run = await update(directory(), flags);
      expect(run).toMatchObject({ code: 2 });
      expect(run.err).toContain("it declares no interface and no type");
      expect(run.err).not.toContain(text.trim());
    },
  );
});

describe("the type of what a file names", () => {
  it("is no text for what requests, opens, writes or imports", () => {
    expectTypeOf<Pin["source"]>().toEqualTypeOf<FromFile>();
    type Update = NonNullable<LoadedConfig["config"]["update"]>;
    expectTypeOf<Update["from"]>().toExtend<FromFile | undefined>();
    expectTypeOf<FromFile>().not.toExtend<Parameters<typeof fetch>[0]>();
    expectTypeOf<FromFile>().not.toExtend<Parameters<typeof readFileSync>[0]>();
    expectTypeOf<FromFile>().not.toExtend<
      Parameters<typeof writeFileSync>[0]
    >();
  });

  it("is what reads a lock file and a configuration", async () => {
    const project = await pinnedProject();
    move(project, "http://127.0.0.1/x.ts");
    const lock = await readLock(project);
    const { config } = await loadConfig(join(project, "mcpgen.config.json"));
    expect(lock.extensions.get("errands")?.source).toBeInstanceOf(FromFile);
    expect(config.update?.from).toBeInstanceOf(FromFile);
    // Neither a template nor a function of Node finds the text: `URL` takes any
    // object.
    const from = new FromFile("/etc/passwd");
    expect(`${from as unknown as string}`).not.toContain("passwd");
    expect(() => readFileSync(from as unknown as string)).toThrow(/string/);
    expect(URL.canParse(new FromFile("http://a.b") as unknown as string)).toBe(
      false,
    );
  });
});
