import { chmodSync, existsSync, symlinkSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { packTar } from "modern-tar";
import { describe, expect, it } from "vitest";
import { isPinName } from "../../src/generator/inputs/lock.js";
import {
  checkedLookup,
  redirectProblem,
} from "../../src/commands/update/address.js";
import {
  ArchiveError,
  unpackSchemas,
} from "../../src/commands/update/archive.js";
import { directory, ended, mcpgen, start, type Ended } from "../cli/support.js";
import { filesIn, put } from "../files.js";
import {
  changedSchema,
  firstSchemas,
  lockIn,
  lockName,
  sourceAndProject,
  update,
} from "./project.js";
import {
  archiveOf,
  serve,
  serveRepository,
  type ArchiveHandler,
} from "./server.js";

const first = "2027-01-15";
const second = "2027-06-30";
const schemaFile = `schema/${first}/schema.ts`;

interface Pinned {
  readonly place: string;
  readonly files: Readonly<Record<string, string>>;
}
const pinned = new Map<string, Promise<Pinned>>();

/**
 * A project in which an update has pinned what a source has. All sources have
 * the first schemas, so the update runs once for each kind of source; in what
 * it wrote, the place of that source is replaced.
 */
async function pinnedProject(
  place: string,
  from: string,
  args: readonly string[] = [],
): Promise<string> {
  const run = async (): Promise<Pinned> => {
    const project = directory();
    expect(await update(project, ["--from", from, ...args])).toMatchObject({
      code: 0,
    });
    const files = filesIn(project);
    expect(files[lockName]).toContain(place);
    return { place, files };
  };
  const kind = [from.replace(place, ""), ...args].join(" ");
  const known = pinned.get(kind) ?? run();
  pinned.set(kind, known);
  const { place: old, files } = await known;
  const lock = files[lockName]?.replaceAll(old, place) ?? "";
  return directory({ ...files, [lockName]: lock });
}

/**
 * A folder with the first schemas, and a project in which the first of them is
 * pinned.
 */
async function sourceAndPinned(): Promise<{
  readonly source: string;
  readonly project: string;
}> {
  const { source } = sourceAndProject();
  return {
    source,
    project: await pinnedProject(basename(source), source, [
      "--revision",
      first,
    ]),
  };
}

/**
 * Updates a project with pinned schemas from a repository whose next archive a
 * handler sends.
 */
async function brokenUpdate(
  handler: ArchiveHandler,
  args: readonly string[] = [],
): Promise<Ended> {
  let isBroken = false;
  const repository = await serveRepository(
    firstSchemas,
    (response, archive) => {
      if (isBroken) handler(response, archive);
      else response.end(archive);
    },
  );
  const project = await pinnedProject(repository.url, repository.from);
  const before = filesIn(project);
  isBroken = true;
  repository.commit({
    ...firstSchemas,
    [`schema/${first}/schema.ts`]: changedSchema,
  });
  const run = await update(project, ["--from", repository.from, ...args]);
  expect(filesIn(project)).toEqual(before);
  expect(existsSync(join(project, ".mcpgen"))).toBe(false);
  return run;
}

/** The header of a file in a .tar with a size beyond the end of the archive. */
async function headOfBigFile(): Promise<Buffer> {
  const header = {
    name: "repository-abc/big.bin",
    size: 1024,
    type: "file",
  } as const;
  const tar = Buffer.from(
    await packTar([{ header, body: new Uint8Array(1024) }]),
  ).subarray(0, 512);
  // The size, and the sum of all bytes with spaces in its own place.
  tar.write("77777777777\0", 124, "latin1");
  tar.write("        ", 148, "latin1");
  const sum = tar.reduce((total, byte) => total + byte, 0);
  tar.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return tar;
}

/** Sends the same bytes again and again. */
function sendForever(response: ServerResponse, chunk: Uint8Array): void {
  const send = (): void => {
    while (!response.destroyed)
      if (!response.write(chunk)) return void response.once("drain", send);
  };
  send();
}

describe("mcpgen update changes no file, and exits with 3,", () => {
  it("if the server closes the connection during the archive", async () => {
    const run = await brokenUpdate((response, archive) => {
      response.writeHead(200, { "content-length": archive.length });
      response.write(archive.subarray(0, 200), () => response.destroy());
    });
    expect(run).toMatchObject({
      code: 3,
      err: expect.stringMatching(/^MG750 .*ECONNRESET/),
    });
  });

  it("if the archive is incomplete", async () => {
    const run = await brokenUpdate((response, archive) =>
      response.end(archive.subarray(0, 200)),
    );
    expect(run).toMatchObject({
      code: 3,
      err: expect.stringMatching(/^MG750 .*not a complete \.tar\.gz/),
    });
  });

  it.each([404, 403, 500, 503])(
    "if the server answers with the HTTP status %i",
    async (status) => {
      const run = await brokenUpdate((response) =>
        response.writeHead(status).end("sorry"),
      );
      expect(run.code).toBe(3);
      expect(run.err).toMatch(new RegExp(`^MG750 .*HTTP status ${status}`));
    },
  );

  it("if the archive has no end", async () => {
    const noise = gzipSync(
      Buffer.from(Array.from({ length: 60_000 }, () => Math.random() * 256)),
    );
    const head = gzipSync(await headOfBigFile());
    const run = await brokenUpdate((response) => {
      response.write(head);
      sendForever(response, noise);
    });
    expect(run).toMatchObject({
      code: 3,
      err: expect.stringMatching(/^MG750 .* sends more than 200 MB/m),
    });
  });

  it("if a small archive has a very large content", async () => {
    const zeros = gzipSync(Buffer.alloc(10_000_000));
    const head = gzipSync(await headOfBigFile());
    const run = await brokenUpdate((response) => {
      response.end(
        Buffer.concat([head, ...Array.from({ length: 110 }, () => zeros)]),
      );
    });
    expect(run).toMatchObject({
      code: 3,
      err: expect.stringMatching(/content is larger than 1000 MB/),
    });
  });

  it("if a schema in the archive is too large", async () => {
    const large = await archiveOf({
      "schema/2028-01-01/schema.ts": " ".repeat(20_000_001),
    });
    const run = await brokenUpdate((response) => response.end(large));
    expect(run).toMatchObject({
      code: 3,
      err: expect.stringMatching(/a schema in it is larger than 20 MB/),
    });
  });

  it("if the server stops sending", async () => {
    const run = await brokenUpdate(
      (response, archive) => response.write(archive.subarray(0, 100)),
      ["--timeout", "0.5"],
    );
    expect(run).toMatchObject({
      code: 3,
      err: expect.stringMatching(/^MG750 .*sent nothing for 0\.5 s/),
    });
  });

  it("if the server sends single bytes slowly", async () => {
    const run = await brokenUpdate(
      (response, archive) => {
        let at = 0;
        const timer = setInterval(
          () => void response.write(archive.subarray(at, ++at)),
          50,
        );
        response.once("close", () => clearInterval(timer));
      },
      ["--timeout", "0.6"],
    );
    expect(run).toMatchObject({
      code: 3,
      err: expect.stringMatching(/^MG750 .*took longer than 6 s/),
    });
  });

  it("if the content of the archive is compressed twice", async () => {
    const twice = gzipSync(gzipSync(Buffer.alloc(10_000)));
    const run = await brokenUpdate((response) => response.end(twice));
    expect(run).toMatchObject({
      code: 3,
      err: expect.stringMatching(/^MG750 .*not a complete \.tar\.gz/),
    });
  });

  const redirects: readonly (readonly [to: string, reason: RegExp])[] = [
    ["http://example.com/archive.tar.gz", /it is not an https URL/],
    [
      "https://10.0.0.1/archive.tar.gz",
      /it is an address of a private network/,
    ],
    [
      "https://169.254.169.254/latest/meta-data",
      /it is an address of a private network/,
    ],
    [
      "https://[fd00::1]/archive.tar.gz",
      /it is an address of a private network/,
    ],
    ["https://metadata.internal/x", /it is an address of a private network/],
    [
      "https://me:secret@example.com/x",
      /it contains a user name or a password/,
    ],
    ["file:///etc/passwd", /it is not an https URL/],
  ];
  it.each(redirects)(
    "if the server redirects to %s",
    async (location, reason) => {
      const run = await brokenUpdate((response) =>
        response.writeHead(302, { location }).end(),
      );
      expect(run.code).toBe(3);
      expect(run.err).toMatch(
        /^MG750 127\.0\.0\.1:\d+ redirects to .* which is not followed: .*\n {4}hint: check the URL, or use a copy in a folder: --from <folder>\n/,
      );
      expect(run.err).toMatch(reason);
      expect(run.err).not.toContain("secret");
    },
  );

  const redirectFrom = (server: string, target: string) =>
    redirectProblem(new URL(target), new URL(server));
  it.each([
    "http://127.0.0.1:8080",
    "https://localhost",
    "https://[::ffff:127.0.0.1]",
  ])(
    "if a server of a private network redirects to %s, this machine",
    (local) => {
      expect(redirectFrom("https://10.0.0.5", local)).toBe(
        "it is an address of a private network",
      );
    },
  );

  it("unless it is redirected within a private network or this machine", () => {
    expect(redirectFrom("https://10.0.0.5", "https://10.0.0.6")).toBe(null);
    expect(redirectFrom("https://localhost", "http://127.0.0.1")).toBe(null);
  });

  it("if the server redirects without end", async () => {
    const run = await brokenUpdate((response) =>
      response.writeHead(302, { location: response.req.url ?? "" }).end(),
    );
    expect(run).toMatchObject({
      code: 3,
      err: expect.stringMatching(/redirects more than 5 times/),
    });
  });

  it("if a host name resolves to a private address after a redirect", async () => {
    const from = async (server: string, host: string): Promise<unknown> =>
      await new Promise((resolve, reject) =>
        checkedLookup(new URL(server))(host, {}, (error, found) =>
          error ? reject(error) : resolve(found),
        ),
      );
    await expect(from("https://192.0.2.1", "localhost")).rejects.toThrow(
      "localhost cannot be reached: it is in a private network, and the server that leads to it is not\n    hint: check the connection, or use a copy in a folder: --from <folder>",
    );
    // The connection uses the addresses that were checked.
    const address = await from("https://localhost", "localhost");
    expect(address).toMatch(/^(127\.0\.0\.1|::1)$/);
  });

  it("if the server or its host name does not exist", async () => {
    const server = await serve(() => undefined);
    for (const [from, code] of [
      [server.url.replace(/\d+$/, "1"), "ECONNREFUSED"],
      ["https://nowhere.invalid/mcp", "(ENOTFOUND|EAI_AGAIN)"],
    ] as const) {
      const project = directory();
      const run = await update(project, ["--from", from]);
      expect(run.code).toBe(3);
      expect(run.err).toMatch(
        new RegExp(`^MG750 .* cannot be reached: .*${code}`),
      );
      expect(run.err).toMatch(
        /hint: check the connection, or use a copy in a folder: --from <folder>\n$/,
      );
      expect(filesIn(project)).toEqual({});
    }
  });

  const denied = "the URL; GITHUB_TOKEN gives access to a private repository";
  it.each(
    [
      "/schemas.tar.gz",
      "/a/repository",
      "/errands.ts",
      "/errands.json",
    ].flatMap((path) =>
      (
        [
          [401, " denies access (HTTP status 401)", denied],
          [403, " denies access (HTTP status 403)", denied],
          [404, " does not exist, or is not public (HTTP status 404)", denied],
          [304, "answers with HTTP status 304", "try again later"],
          [410, "answers with HTTP status 410", "try again later"],
          [500, "answers with HTTP status 500", "try again later"],
        ] as const
      ).map((row) => [path, ...row] as const),
    ),
  )(
    "if the server answers the first request, for %s, with the HTTP status %i, and does not repeat the query of its URL",
    async (path, status, message, hint) => {
      const server = await serve((_, response) =>
        response.writeHead(status).end(),
      );
      const flag = path.includes("errands") ? "--extension" : "--from";
      // A repository has no query.
      const query = path.includes("repository") ? "" : "?token=secret#secret";
      const args = [flag, `${server.url}${path}${query}`];
      const project = directory();
      const run = await update(project, args);
      expect(run.code).toBe(3);
      expect(run.err).toContain("MG750 ");
      expect(run.err).toContain(hint);
      expect(run.err).toContain(
        message.startsWith(" ")
          ? `${server.url}${path}${message}`
          : `${new URL(server.url).host} ${message}`,
      );
      expect(run.err).not.toContain("secret");
      expect(filesIn(project)).toEqual({});
    },
  );

  it("if the server is not a git server", async () => {
    const server = await serve((_, response) => {
      response.setHeader("content-type", "text/html");
      response.end("<p>Hello</p>");
    });
    const run = await update(directory(), ["--from", `${server.url}/mcp`]);
    expect(run).toMatchObject({
      code: 3,
      err: expect.stringMatching(
        /is not a git repository: its response has the type text\/html\n {4}hint: use the URL of a repository, or of a \.tar\.gz archive\n$/,
      ),
    });
  });
});

describe("mcpgen update changes no file, and exits with 2,", () => {
  const descriptions: readonly (readonly [what: string, text: string])[] = [
    ["has wrong lengths", "2x".repeat(400_000)],
    ["has wrong lengths before a space", `${"2x".repeat(400_000)} `],
    ["has lengths without a line", `${"1+".repeat(400_000)} `],
    ["has a length beyond its end", "99 path=schema\n"],
    ["is long", "9 a=bcde\n".repeat(200_000)],
  ];
  it.each(descriptions)(
    "at once for an archive whose description of a file %s",
    async (_, text) => {
      const header = {
        name: "a",
        size: text.length,
        type: "pax-header",
      } as const;
      const tar = gzipSync(await packTar([{ header, body: text }]));
      const run = await brokenUpdate((response) => response.end(tar));
      expect(run).toMatchObject({
        code: 2,
        err: expect.stringMatching(/^MG752 .* has no schemas/),
      });
    },
  );

  const rows: readonly (readonly [from: string, err: RegExp])[] = [
    [
      "http://example.com/mcp",
      /^MG751 http:\/\/example\.com\/mcp .*it is not an https URL/,
    ],
    [
      "https://me:secret@example.com/mcp",
      /^MG751 .*it contains a user name or a password/,
    ],
    [
      "https://me:p@secret@example.com/mcp",
      /^MG751 https:\/\/example\.com\/mcp .*a user name or a password/,
    ],
    [
      "https://me:secret/p@example.com/mcp",
      /^MG751 https:\/\/example\.com\/mcp .*it is not a valid URL/,
    ],
    ["ftp://example.com/mcp", /^MG751 .*it is not an https URL/],
    ["https://", /^MG751 .*it is not a valid URL/],
    ["git@github.com:a/b", /^MG751 .*there is no such file or folder/],
  ];
  it.each(rows)("for --from %s", async (from, err) => {
    const run = await update(directory(), ["--from", from]);
    expect(run.code).toBe(2);
    expect(run.err).toMatch(err);
    expect(run.err).not.toContain("secret");
  });

  it("if a schema has errors, and keeps the pinned one", async () => {
    const { source, project } = sourceAndProject();
    await update(project, ["--from", source]);
    const before = filesIn(project);
    put(
      join(source, `schema/${first}/schema.ts`),
      "export interface A { a: keyof A; b: Missing }\n",
    );
    const run = await update(project, ["--from", source]);
    expect(run.code).toBe(2);
    expect(run.err.match(/schema\.ts:1:\d+ MG1\d\d/g)?.length).toBeGreaterThan(
      1,
    );
    expect(filesIn(project)).toEqual(before);
  });
});

describe("an archive", () => {
  const schema = `schema/${first}/schema.ts`;

  it("with any wrong bytes has a schema, or is refused", async () => {
    const tar = gunzipSync(
      await archiveOf({
        [schema]: changedSchema,
        ["long/".repeat(60)]: "",
        "a.txt": "a",
      }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(tar.length - 1), fc.nat(255)), {
          minLength: 1,
          maxLength: 20,
        }),
        async (changes) => {
          const bytes = Buffer.from(tar);
          for (const [index, byte] of changes) bytes[index] = byte;
          const schemas = await unpackSchemas(
            Readable.from([gzipSync(bytes)]),
            "source",
          ).catch((error: unknown) => error);
          if (schemas instanceof Map)
            expect([...schemas.keys()].every(isPinName)).toBe(true);
          else expect(schemas).toBeInstanceOf(ArchiveError);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("has at most 100 MB of schemas, whatever the sizes in its headers are", async () => {
    const size = {
      name: schema,
      size: 0,
      type: "file",
      pax: { size: "much" },
    } as const;
    const large = Array.from({ length: 6 }, (_, i) => ({
      header: {
        name: `schema/2028-01-0${i + 1}/schema.ts`,
        size: 19_000_000,
        type: "file",
      } as const,
      body: new Uint8Array(19_000_000),
    }));
    const tar = gzipSync(
      await packTar([{ header: size, body: "" }, ...large]),
      { level: 1 },
    );
    await expect(unpackSchemas(Readable.from([tar]), "source")).rejects.toThrow(
      "its schemas are larger than 100 MB",
    );
  });
});

describe("mcpgen update on a disk that fails", () => {
  /**
   * Runs an update in which a function of the disk fails, or ends the process,
   * when it is called for the nth time.
   */
  async function withDisk(
    name: string,
    nth: number,
    what: string,
    project: string,
    source: string,
  ) {
    const hook = join(directory(), "hook.mjs");
    writeFileSync(
      hook,
      `import fs from "node:fs";
      import { syncBuiltinESMExports } from "node:module";
      const original = fs.${name};
      let calls = 0;
      fs.${name} = (...args) => {
        if (++calls === ${nth}) ${what};
        return original(...args);
      };
      syncBuiltinESMExports();`,
    );
    return await update(project, ["--from", source], {
      NODE_OPTIONS: `--import ${pathToFileURL(hook).href}`,
    });
  }
  const full = `throw Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" })`;
  const kill = `process.kill(process.pid, "SIGKILL")`;

  it.each([1, 2, 3, 4])(
    "changes nothing if the disk is full at file %i",
    async (nth) => {
      const { source, project } = await sourceAndPinned();
      const before = filesIn(project);
      put(join(source, `schema/${first}/schema.ts`), changedSchema);
      const run = await withDisk("writeFileSync", nth, full, project, source);
      expect(run).toMatchObject({
        code: 2,
        err: expect.stringMatching(/MG810 cannot .*: the disk is full/),
      });
      expect(run.err).not.toContain("--out");
      expect(filesIn(project)).toEqual(before);
      expect(existsSync(join(project, ".mcpgen"))).toBe(false);
    },
  );

  it.each([1, 2, 3])(
    "leaves whole files that the next update completes if rename %i fails",
    async (nth) => {
      const { source, project } = await sourceAndPinned();
      const before = filesIn(project);
      put(join(source, `schema/${first}/schema.ts`), changedSchema);
      expect(
        await withDisk("renameSync", nth, full, project, source),
      ).toMatchObject({ code: 2 });
      expect(filesIn(project)[lockName]).toBe(before[lockName]);
      expect([before[schemaFile], changedSchema]).toContain(
        filesIn(project)[schemaFile],
      );
      expect(await update(project, ["--from", source])).toMatchObject({
        code: 0,
      });
      expect(filesIn(project)[schemaFile]).toBe(changedSchema);
      expect(await mcpgen(["ir", first], { directory: project })).toMatchObject(
        { code: 0 },
      );
    },
  );

  it("completes the work of a process that was killed between two files", async () => {
    const { source, project } = await sourceAndPinned();
    put(join(source, `schema/${first}/schema.ts`), changedSchema);
    const run = await withDisk("renameSync", 2, kill, project, source);
    expect(run.signal).toBe("SIGKILL");
    expect(await mcpgen(["ir", first], { directory: project })).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /^MG754 .*\n {4}hint: an update was interrupted: run mcpgen update, which completes it\n$/,
      ),
    });
    expect(await update(project, ["--from", source])).toMatchObject({
      code: 0,
    });
    expect(Object.keys(lockIn(project).revisions)).toEqual([first, second]);
    expect(await mcpgen(["ir", first], { directory: project })).toMatchObject({
      code: 0,
    });
    expect(existsSync(join(project, ".mcpgen"))).toBe(false);
  });

  it("removes the temporary files of a process that was killed before the first file", async () => {
    const { source, project } = sourceAndProject();
    expect(
      (await withDisk("renameSync", 1, kill, project, source)).signal,
    ).toBe("SIGKILL");
    expect(await update(project, ["--from", source])).toMatchObject({
      code: 0,
    });
    const { [lockName]: _, ...files } = filesIn(project);
    expect(Object.keys(files)).toEqual([
      `schema/${first}/schema.ts`,
      `schema/${second}/schema.ts`,
    ]);
  });

  it("exits with 2 if a file is in the place of the folder", async () => {
    const { source, project } = sourceAndProject();
    put(join(project, "schema"), "mine");
    expect(await update(project, ["--from", source])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^MG806 schema is not a directory/),
    });
    expect(filesIn(project)).toEqual({ schema: "mine" });
  });

  it("exits with 2 if a symbolic link is in the place of the folder", async () => {
    const { source, project } = sourceAndProject();
    const outside = directory();
    symlinkSync(outside, join(project, "schema"), "junction");
    expect(await update(project, ["--from", source])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^MG805 schema is a symbolic link/),
    });
    expect(filesIn(outside)).toEqual({});
  });

  const nobody = process.getuid?.() === 0 ? 65534 : undefined;
  it.skipIf(process.platform === "win32")(
    "exits with 2 if writing is not permitted",
    async () => {
      const { source, project } = sourceAndProject();
      for (const path of [source, project]) chmodSync(path, 0o755);
      chmodSync(project, 0o555);
      const run = await mcpgen(["update", "--from", source], {
        directory: project,
        ...(nobody !== undefined && { uid: nobody }),
      });
      expect(run).toMatchObject({
        code: 2,
        err: expect.stringMatching(/^MG810 cannot .*permission was denied/m),
      });
      expect(run.err).not.toContain("--out");
      expect(filesIn(project)).toEqual({});
    },
  );
});

describe("mcpgen update", () => {
  it("leaves the complete result of one run if several run at the same time", async () => {
    const repository = await serveRepository(firstSchemas);
    const project = directory();
    const runs = await Promise.all(
      [1, 2, 3].map(() => update(project, ["--from", repository.from])),
    );
    for (const { code, err } of runs)
      if (code !== 0) expect(err).toMatch(/MG80[47]/);
    expect(runs.filter(({ code }) => code === 0).length).toBeGreaterThan(0);
    const { [lockName]: _, ...files } = filesIn(project);
    expect(Object.keys(files)).toEqual([
      `schema/${first}/schema.ts`,
      `schema/${second}/schema.ts`,
    ]);
    expect(await mcpgen(["list"], { directory: project })).toMatchObject({
      code: 0,
    });
    expect(existsSync(join(project, ".mcpgen"))).toBe(false);
  });

  it.skipIf(process.platform === "win32")(
    "writes nothing and exits with 130 after Ctrl-C",
    async () => {
      let child: ReturnType<typeof start> | null = null;
      const repository = await serveRepository(
        firstSchemas,
        (response, archive) => {
          response.write(archive.subarray(0, 100));
          child?.kill("SIGINT");
        },
      );
      const project = directory();
      child = start(["update", "--from", repository.from], {
        directory: project,
      });
      const run = await ended(child);
      expect(run).toMatchObject({
        code: 130,
        err: expect.stringContaining("interrupted; nothing was written"),
      });
      expect(filesIn(project)).toEqual({});
    },
  );
});
