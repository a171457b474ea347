import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { directory } from "../cli/support.js";
import { filesIn } from "../files.js";
import {
  changedSchema,
  firstSchemas,
  lockIn,
  lockName,
  schemaOf,
  update,
} from "./project.js";
import { archiveOf, commitOf, serve, serveRepository } from "./server.js";
import { behind, type Proxy, startProxy as start } from "./proxy.js";
import { tls, trust } from "./tls.js";

const first = "2027-01-15";
describe("mcpgen update from a repository", () => {
  it("requests the commit, fetches one archive, and pins its schemas", async () => {
    const repository = await serveRepository(firstSchemas);
    const project = directory();
    const run = await update(project, ["--from", repository.from]);
    expect({ code: run.code, err: run.err }).toMatchObject({
      code: 0,
      err: expect.stringMatching(/2 new/),
    });
    const { sources, revisions } = lockIn(project);
    const commit = commitOf(firstSchemas);
    expect(sources).toEqual({ [repository.from]: { commit } });
    expect(revisions[first]).toMatchObject({ source: repository.from, commit });
    expect(
      readFileSync(join(project, `schema/${first}/schema.ts`), "utf8"),
    ).toBe(firstSchemas[`schema/${first}/schema.ts`]);
    expect(repository.received.map(({ path }) => path)).toEqual([
      "/mcp/info/refs?service=git-upload-pack",
      `/mcp/archive/${commit}.tar.gz`,
    ]);
    expect(repository.received[0]?.headers["authorization"]).toBeUndefined();
  });

  it("fetches no archive and writes nothing while the commit is the pinned one", async () => {
    const repository = await serveRepository(firstSchemas);
    const project = directory();
    await update(project, ["--from", repository.from]);
    await update(project, ["--from", repository.from, "--revision", "draft"]);
    const before = filesIn(project);
    const fetched = repository.archives();
    for (const args of [[], ["--check"], ["--revision", "draft"]]) {
      const run = await update(project, ["--from", repository.from, ...args]);
      expect(run).toMatchObject({
        code: 0,
        err: expect.stringContaining("nothing is newer"),
      });
    }
    expect(repository.archives()).toBe(fetched);
    expect(filesIn(project)).toEqual(before);
  });

  it("fetches the archive of another commit, and leaves the lock file alone if no schema changed", async () => {
    const repository = await serveRepository(firstSchemas);
    const project = directory();
    await update(project, ["--from", repository.from]);
    const before = filesIn(project);
    repository.commit({ ...firstSchemas, "README.md": "new" });
    expect(await update(project, ["--from", repository.from])).toMatchObject({
      code: 0,
    });
    expect(filesIn(project)).toEqual(before);
    const commit = repository.commit({
      ...firstSchemas,
      [`schema/${first}/schema.ts`]: changedSchema,
    });
    expect(
      await update(project, ["--from", repository.from, "--check"]),
    ).toMatchObject({ code: 1 });
    expect(await update(project, ["--from", repository.from])).toMatchObject({
      code: 0,
    });
    expect(lockIn(project).revisions[first]).toMatchObject({ commit });
    expect(lockIn(project).sources).toEqual({ [repository.from]: { commit } });
  });

  it("knows the commit of all revisions, and not of a single one, for later updates", async () => {
    const repository = await serveRepository(firstSchemas);
    const [single, whole] = [directory(), directory()];
    const flags = ["--from", repository.from];
    expect(
      await update(single, [...flags, "--revision", "draft"]),
    ).toMatchObject({ code: 0 });
    expect(lockIn(single).sources).toEqual({});
    expect((await update(single, flags)).err).toContain("2 new");
    expect(Object.keys(lockIn(single).revisions).sort()).toEqual([
      first,
      "2027-06-30",
      "draft",
    ]);
    expect(await update(whole, [...flags, "--revision", "all"])).toMatchObject({
      code: 0,
    });
    const fetched = repository.archives();
    expect((await update(whole, flags)).err).toContain("nothing is newer");
    expect(repository.archives()).toBe(fetched);
  });

  it("fetches a schema again that is missing in the project, although the commit is the same, and does not call it changed", async () => {
    const repository = await serveRepository(firstSchemas);
    const project = directory();
    await update(project, ["--from", repository.from]);
    const whole = filesIn(project);
    rmSync(join(project, `schema/${first}`), { recursive: true });
    const run = await update(project, ["--from", repository.from, "--json"]);
    expect(run.code).toBe(0);
    expect(JSON.parse(run.out)).toMatchObject({
      revisions: [
        { name: first, state: "unchanged" },
        { name: "2027-06-30", state: "unchanged" },
      ],
      diagnostics: expect.arrayContaining([
        expect.objectContaining({
          severity: "note",
          message: `the pinned schema schema/${first}/schema.ts is missing; mcpgen update writes it again`,
        }),
      ]),
    });
    expect(filesIn(project)).toEqual(whole);
  });

  it("takes a URL with .git or a slash at its end as the same source", async () => {
    const repository = await serveRepository(firstSchemas);
    const project = directory();
    await update(project, ["--from", `${repository.from}.git`]);
    expect(
      await update(project, ["--from", `${repository.from}/`]),
    ).toMatchObject({ code: 0 });
    expect(repository.archives()).toBe(1);
  });

  it("follows redirects, and sends GITHUB_TOKEN only to the server that it is for", async () => {
    const elsewhere = await serve((_, response) => {
      void archiveOf(firstSchemas).then((archive) => response.end(archive));
    });
    const repository = await serveRepository(firstSchemas, (response) => {
      response.writeHead(302, { location: `${elsewhere.url}/codeload` }).end();
    });
    const token = {
      GITHUB_TOKEN: "ghs_secret",
      GITHUB_SERVER_URL: repository.url,
    };
    const project = directory();
    const run = await update(project, ["--from", repository.from], token);
    expect(run).toMatchObject({ code: 0 });
    const basic = `Basic ${Buffer.from("x-access-token:ghs_secret").toString("base64")}`;
    expect(
      repository.received.map(({ headers }) => headers.authorization),
    ).toEqual([basic, basic]);
    expect(
      elsewhere.received.map(({ headers }) => headers.authorization),
    ).toEqual([undefined]);
    expect(
      run.err + run.out + Object.values(filesIn(project)).join(""),
    ).not.toContain("ghs_secret");
    const other = await serveRepository(firstSchemas);
    await update(directory(), ["--from", other.from], token);
    await update(directory(), ["--from", other.from], {
      GITHUB_TOKEN: "ghs_secret",
    });
    expect(
      other.received.some(({ headers }) => headers.authorization !== undefined),
    ).toBe(false);
  });

  it("speaks TLS, and refuses a server with an unknown certificate", async () => {
    const repository = await serveRepository(firstSchemas, undefined, tls);
    expect(
      await update(directory(), ["--from", repository.from], trust),
    ).toMatchObject({ code: 0 });
    const project = directory();
    expect(await update(project, ["--from", repository.from])).toMatchObject({
      code: 3,
      err: expect.stringMatching(
        /^MG750 127\.0\.0\.1:\d+ cannot be reached: .*SELF_SIGNED/,
      ),
    });
    expect(filesIn(project)).toEqual({});
  });
});

describe("mcpgen update from an archive", () => {
  it("reads a file", async () => {
    const project = directory();
    writeFileSync(join(project, "source.tgz"), await archiveOf(firstSchemas));
    expect(await update(project, ["--from", "source.tgz"])).toMatchObject({
      code: 0,
    });
    expect(lockIn(project).revisions[first]?.source).toBe("source.tgz");
    expect(lockIn(project).sources).toEqual({});
  });

  it("fetches a URL only if its ETag changed, and stores no query of the URL", async () => {
    let files = firstSchemas;
    const server = await serve((request, response) => {
      const etag = `"${commitOf(files).slice(0, 8)}"`;
      response.setHeader("etag", etag);
      if (request.headers["if-none-match"] === etag)
        response.writeHead(304).end();
      else void archiveOf(files, "").then((archive) => response.end(archive));
    });
    const project = directory();
    const from = `${server.url}/mirror/schemas.tar.gz?token=secret`;
    expect(await update(project, ["--from", from])).toMatchObject({ code: 0 });
    expect(lockIn(project).revisions[first]).toMatchObject({
      source: `${server.url}/mirror/schemas.tar.gz`,
      etag: expect.stringMatching(/^"[0-9a-f]{8}"$/),
    });
    expect(readFileSync(join(project, lockName), "utf8")).not.toContain(
      "secret",
    );
    const before = filesIn(project);
    expect(await update(project, ["--from", from])).toMatchObject({ code: 0 });
    expect(server.received.at(-1)?.headers["if-none-match"]).toMatch(
      /^"[0-9a-f]{8}"$/,
    );
    expect(filesIn(project)).toEqual(before);
    files = {
      ...firstSchemas,
      "schema/2027-12-01/schema.ts": schemaOf("2027-12-01"),
    };
    expect(await update(project, ["--from", from])).toMatchObject({
      code: 0,
      err: expect.stringMatching(/new +2027-12-01/),
    });
  });

  it("extracts only schemas: no link, and no path outside of the folder", async () => {
    const project = directory();
    const archive = await archiveOf(
      {
        "top/schema/2027-01-15/schema.ts": schemaOf("2027-01-15"),
        "top/schema/2028-01-01/schema.ts": { link: "/etc/passwd" },
        "top/schema/../../2028-02-02/schema.ts": schemaOf("2028-02-02"),
        "../schema/2028-03-03/schema.ts": schemaOf("2028-03-03"),
        "/schema/2028-04-04/schema.ts": schemaOf("2028-04-04"),
        "top/schema/.../schema.ts": schemaOf("x"),
        "top/schema/__proto__/schema.ts": schemaOf("x"),
        "top/schema/latest/schema.ts": schemaOf("x"),
        "top/schema/con/schema.ts": schemaOf("x"),
        "top/deep/schema/2028-05-05/schema.ts": schemaOf("2028-05-05"),
        "top/schema/2028-06-06/schema.js": "process.exit(7)",
      },
      "",
    );
    const folder = directory({ "keep.txt": "" });
    writeFileSync(join(folder, "evil.tar.gz"), archive);
    const run = await update(project, [
      "--from",
      join(folder, "evil.tar.gz"),
      "--revision",
      "all",
    ]);
    expect(run).toMatchObject({ code: 0 });
    expect(Object.keys(filesIn(project))).toEqual([
      lockName,
      "schema/2027-01-15/schema.ts",
    ]);
    expect(Object.keys(lockIn(project).revisions)).toEqual(["2027-01-15"]);
  });

  it("refuses two revisions that would be one file on a case-insensitive disk", async () => {
    const project = directory();
    const files = {
      "schema/Draft/schema.ts": schemaOf("D-1"),
      "schema/draft/schema.ts": schemaOf("D-2"),
    };
    writeFileSync(join(project, "source.tgz"), await archiveOf(files));
    const run = await update(project, [
      "--from",
      "source.tgz",
      "--revision",
      "all",
    ]);
    expect(run).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^MG756 .*would be the same file/m),
    });
    expect(Object.keys(filesIn(project))).toEqual(["source.tgz"]);
  });

  it("reads long paths, as pax has them", async () => {
    const project = directory();
    const text = schemaOf("2027-01-15");
    const path = `${"long".repeat(70)}/schema/2027-01-15/schema.ts`;
    writeFileSync(
      join(project, "source.tgz"),
      await archiveOf({ [path]: text }, ""),
    );
    expect(await update(project, ["--from", "source.tgz"])).toMatchObject({
      code: 0,
    });
    expect(
      readFileSync(join(project, "schema/2027-01-15/schema.ts"), "utf8"),
    ).toBe(text);
  });

  it("refuses a file that is not a complete .tar.gz", async () => {
    const archive = await archiveOf(firstSchemas);
    for (const bytes of [
      Buffer.from("text"),
      Buffer.alloc(0),
      archive.subarray(0, archive.length / 2),
    ]) {
      const project = directory();
      writeFileSync(join(project, "source.tgz"), bytes);
      expect(await update(project, ["--from", "source.tgz"])).toMatchObject({
        code: 2,
        err: expect.stringMatching(
          /^MG751 source\.tgz cannot be a source of schemas: it is not a complete/,
        ),
      });
      expect(Object.keys(filesIn(project))).toEqual(["source.tgz"]);
    }
  });
});

describe("mcpgen update behind a proxy", () => {
  const proxies: Proxy[] = [];
  afterEach(() => proxies.splice(0).forEach((proxy) => proxy.close()));

  async function startProxy(
    ...options: Parameters<typeof start>
  ): Promise<Proxy> {
    const proxy = await start(...options);
    proxies.push(proxy);
    return proxy;
  }

  /** A repository that speaks TLS, behind the proxy. */
  async function serveBehind() {
    const repository = await serveRepository(firstSchemas, undefined, tls);
    return {
      ...repository,
      from: repository.from.replace("127.0.0.1", behind),
    };
  }

  it("uses HTTPS_PROXY with end-to-end TLS and the credentials of the proxy", async () => {
    const repository = await serveBehind();
    const proxy = await startProxy();
    const environment = {
      ...trust,
      HTTPS_PROXY: `http://me:p%40ss@${proxy.url}`,
    };
    const run = await update(
      directory(),
      ["--from", repository.from],
      environment,
    );
    expect({ code: run.code, err: run.err }).toMatchObject({ code: 0 });
    const { host } = new URL(repository.from);
    expect(proxy.targets).toEqual([host, host]);
    expect(proxy.headers[0]).toBe(
      `Basic ${Buffer.from("me:p@ss").toString("base64")}`,
    );
  });

  it("speaks TLS with a proxy whose URL has https, and with the server behind it", async () => {
    const repository = await serveBehind();
    const proxy = await startProxy("connects", true);
    const environment = {
      ...trust,
      HTTPS_PROXY: `https://me:secret@${proxy.url}`,
    };
    const run = await update(
      directory(),
      ["--from", repository.from],
      environment,
    );
    expect({ code: run.code, err: run.err }).toMatchObject({ code: 0 });
    expect(proxy.headers[0]).toBe(
      `Basic ${Buffer.from("me:secret").toString("base64")}`,
    );
    const untrusted = await update(directory(), ["--from", repository.from], {
      HTTPS_PROXY: environment.HTTPS_PROXY,
    });
    expect(untrusted).toMatchObject({
      code: 3,
      err: expect.stringMatching(/^MG750 .*SELF_SIGNED/),
    });
    expect(untrusted.err).not.toContain("secret");
    expect(proxy.targets.length).toBe(2);
  });

  it("does not use the proxy for hosts of NO_PROXY", async () => {
    const repository = await serveBehind();
    const proxy = await startProxy();
    const environment = {
      ...trust,
      https_proxy: `http://${proxy.url}`,
      NO_PROXY: `example.com,${behind}`,
    };
    expect(
      await update(directory(), ["--from", repository.from], environment),
    ).toMatchObject({
      code: 3,
      err: expect.stringMatching(
        /there is no host of this name|its name cannot be resolved/,
      ),
    });
    expect(proxy.targets).toEqual([]);
  });

  it("never uses the proxy for this machine", async () => {
    const repository = await serveRepository(firstSchemas, undefined, tls);
    const proxy = await startProxy();
    const environment = { ...trust, HTTPS_PROXY: `http://${proxy.url}` };
    expect(
      await update(directory(), ["--from", repository.from], environment),
    ).toMatchObject({ code: 0 });
    expect(proxy.targets).toEqual([]);
  });

  it("connects by http to a proxy without a scheme, and sends a bare % in its password unchanged", async () => {
    const repository = await serveBehind();
    const proxy = await startProxy();
    for (const [name, value, credentials] of [
      ["HTTPS_PROXY", proxy.url, undefined],
      ["all_proxy", `http://me:50%@${proxy.url}`, "me:50%"],
    ] as const) {
      const run = await update(directory(), ["--from", repository.from], {
        ...trust,
        [name]: value,
      });
      expect({ code: run.code, err: run.err }).toMatchObject({ code: 0 });
      const expected =
        credentials && `Basic ${Buffer.from(credentials).toString("base64")}`;
      expect(proxy.headers.at(-1)).toBe(expected);
    }
    expect(proxy.targets.length).toBe(4);
  });

  it.each([
    "socks5://me:secret@127.0.0.1:1080",
    "http://me:secret@[bad:80",
    "ftp://127.0.0.1",
  ])(
    "does not connect without the proxy if it cannot use %s",
    async (proxy) => {
      const repository = await serveBehind();
      const run = await update(directory(), ["--from", repository.from], {
        HTTPS_PROXY: proxy,
      });
      expect(run).toMatchObject({
        code: 3,
        err: expect.stringMatching(
          /^MG750 .*the proxy that .*HTTP_PROXY.* names is not an http or https URL/,
        ),
      });
      expect(run.err).not.toContain("secret");
      expect(repository.received).toEqual([]);
    },
  );

  it.each(["is silent", "connects and is silent"] as const)(
    "ends, and exits with 3, behind a proxy that %s",
    async (does) => {
      const proxy = await startProxy(does);
      const run = await update(
        directory(),
        ["--from", "https://example.com/mcp", "--timeout", "1"],
        {
          HTTPS_PROXY: `http://${proxy.url}`,
        },
      );
      expect(run).toMatchObject({
        code: 3,
        err: expect.stringMatching(/^MG750 .*sent nothing for 1 s/),
      });
    },
  );

  it("reports a proxy that rejects the connection, and exits with 3", async () => {
    const proxy = await startProxy("refuses");
    const run = await update(
      directory(),
      ["--from", "https://example.com/mcp"],
      {
        HTTPS_PROXY: `http://${proxy.url}`,
      },
    );
    expect(run).toMatchObject({
      code: 3,
      err: expect.stringMatching(
        /^MG750 example\.com cannot be reached: the proxy .* refused .* status 407/,
      ),
    });
  });
});
