import dns from "node:dns/promises";
import { syncBuiltinESMExports } from "node:module";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  checkedLookup,
  redirectProblem,
  urlProblem,
} from "../../src/commands/update/address.js";
import { statusError } from "../../src/commands/update/http.js";
import { openSource } from "../../src/commands/update/source.js";
import type { UpdateRequest } from "../../src/commands/update/pins.js";
import { SchemaError } from "../../src/generator/diagnostics.js";
import { FromFile } from "../../src/generator/inputs/from-file.js";
import { directory } from "../cli/support.js";
import { serve } from "./server.js";

const toldOf = (error: unknown): string => {
  if (!(error instanceof SchemaError)) throw error;
  const [one] = error.diagnostics;
  const text = `${one?.code} ${one?.message}; ${one?.hint}`;
  // A path is shown from the working directory of the tests.
  return text.replace(/(?<=^MG751 )(?:\.\.|\/)\S*\//, "");
};

/** The name of a source in the lock file, or why it is refused. */
async function sourceOf(
  from: string,
  content: "revisions" | "extension" = "revisions",
  place = directory({ "spec/schema/a/schema.ts": "" }),
): Promise<string> {
  const request = { from, directory: place, project: place, requests: {} };
  return await openSource(request as unknown as UpdateRequest, content).then(
    ({ name }) => name,
    toldOf,
  );
}

describe("a source that a file of a project names", () => {
  const named = async (text: string): Promise<unknown> => {
    const folder = directory({ ".git/HEAD": "", "a/b/schema.ts": "" });
    return await new FromFile(text)
      .place(`${folder}/a`)
      .then(
        (place) =>
          "url" in place ? place.url.href : place.path.replace(folder, "."),
        toldOf,
      );
  };
  const refused = (shown: string, reason: string): string =>
    `MG751 a file of the project names ${shown} as a source of schemas, and ${reason}; if you trust it, name it: mcpgen update --from <url|path>`;

  it.each([
    ["b/schema.ts", "./a/b/schema.ts"],
    ["../a/b", "./a/b"],
    ["../new", "./new"],
    ["../../x", refused("a path", "it is outside of the project")],
    ["/etc/passwd", refused("a path", "it is outside of the project")],
    ["https://1.2.3.4/a", "https://1.2.3.4/a"],
    ["HTTPS://1.2.3.4:8443", "https://1.2.3.4:8443/"],
    ["https://[2606:4700::1]/a", "https://[2606:4700::1]/a"],
    ["https://", refused("a URL", "it is not a valid URL")],
    ["https://[", refused("a URL", "it is not a valid URL")],
    ["http://1.2.3.4/a", refused("1.2.3.4", "it is not an https URL")],
    ["file:///etc/passwd", refused("", "it is not an https URL")],
    ["https://10.0.0.1/a", refused("10.0.0.1", "it is in a private network")],
    ["https://[::1]:1/a", refused("[::1]:1", "it is in a private network")],
    ["https://localhost", refused("localhost", "it is in a private network")],
    [
      "https://me@1.2.3.4/a",
      refused("1.2.3.4", "it contains a user name or a password"),
    ],
    [
      "https://:secret@1.2.3.4/a",
      refused("1.2.3.4", "it contains a user name or a password"),
    ],
  ])(
    "may lead to a public address or into the project: %s",
    async (text, to) => {
      expect(await named(text)).toBe(to);
    },
  );

  it.each([
    ["https://a", true],
    ["git+ssh://a", true],
    ["C:\\a", false],
    ["a/b://c", false],
    ["://a", false],
    ["mailto:a", false],
  ])("is an address or a path: %s", (text, isOne) => {
    const file = new FromFile(text);
    expect(file.isAddress).toBe(isOne);
    expect([file.is(text), file.is(`${text}/`)]).toEqual([true, false]);
    expect(JSON.stringify({ file })).toBe(JSON.stringify({ file: text }));
  });
});

describe("the URL of a source", () => {
  it.each([
    ["https://x.test/a", null],
    ["http://localhost:1/a", null],
    ["http://127.0.0.1/a", null],
    ["http://x.test/a", "it is not an https URL"],
    ["ftp://localhost/a", "it is not an https URL"],
    ["https://me@x.test/a", "it contains a user name or a password"],
    ["https://:secret@x.test/a", "it contains a user name or a password"],
  ])("may be requested or not: %s", (url, problem) => {
    expect(urlProblem(new URL(url))).toBe(problem);
  });

  const inside = "it is an address of a private network";
  it.each<[from: string | null, to: string, problem: string | null]>([
    ["https://x.test", "https://y.test", null],
    ["https://x.test", "http://y.test", "it is not an https URL"],
    ["https://x.test", "https://10.0.0.1", inside],
    ["https://x.test", "https://localhost", inside],
    ["https://10.0.0.1", "https://10.0.0.1/b", null],
    ["https://10.0.0.1", "https://10.0.0.2", null],
    ["https://10.0.0.1", "https://localhost", inside],
    ["http://localhost", "http://127.0.0.1", null],
    ["http://localhost", "https://10.0.0.1", inside],
    ["https://10.0.0.1", "https://x.test", null],
    [null, "https://x.test", null],
    [null, "https://10.0.0.1", inside],
    [null, "http://localhost", inside],
  ])("from %s may lead to %s or not", (from, to, problem) => {
    const server = from === null ? null : new URL(from);
    expect(redirectProblem(new URL(to), server)).toBe(problem);
  });

  it.each([
    [
      404,
      "https://x.test/a does not exist, or is not public (HTTP status 404); check the URL; GITHUB_TOKEN gives access to a private repository of GitHub",
    ],
    [
      401,
      "https://x.test/a denies access (HTTP status 401); check the URL; GITHUB_TOKEN gives access to a private repository of GitHub",
    ],
    [
      403,
      "https://x.test/a denies access (HTTP status 403); check the URL; GITHUB_TOKEN gives access to a private repository of GitHub",
    ],
    [400, "x.test answers with HTTP status 400; try again later"],
    [500, "x.test answers with HTTP status 500; try again later"],
  ])("that answers with %i is told without its query", (status, message) => {
    expect(
      toldOf(statusError(new URL("https://x.test/a?secret"), status)),
    ).toBe(`MG750 ${message}`);
  });
});

describe("a source of schemas", () => {
  const refused = (place: string, why: string): string =>
    `MG751 ${place} cannot be a source of schemas: ${why}; use an https URL without credentials`;

  it.each([
    ["https://x.test/a/b", "https://x.test/a/b"],
    ["https://x.test/a/b.git", "https://x.test/a/b"],
    ["https://x.test/a/b//", "https://x.test/a/b"],
    ["https://x.test/a/b?secret#c", "https://x.test/a/b"],
    ["https://x.test/", "https://x.test/"],
    ["https://x.test/b.tar.gz?secret", "https://x.test/b.tar.gz"],
    ["https://x.test/b.TGZ", "https://x.test/b.TGZ"],
    [
      "http://x.test/a?secret",
      refused("http://x.test/a", "it is not an https URL"),
    ],
    [
      "https://me:secret@x.test/a",
      refused("https://x.test/a", "it contains a user name or a password"),
    ],
    [
      "https://me:secret@x:y/a?b",
      refused("https://x:y/a", "it is not a valid URL"),
    ],
    [
      "https://me:se@cret@x:y//a",
      refused("https://x:y//a", "it is not a valid URL"),
    ],
    ["https://@x:y/a", refused("https://x:y/a", "it is not a valid URL")],
    ["https://[/a#b", refused("https://[/a", "it is not a valid URL")],
    ["spec", "spec"],
    [".", "."],
    ["./spec/", "spec"],
    [
      "nothing",
      "MG751 nothing cannot be a source of schemas: there is no such file or folder; use an https URL, a folder or a .tar.gz file",
    ],
  ])("is named without secrets, or refused: %s", async (from, name) => {
    expect(await sourceOf(from)).toBe(name);
  });

  it("may be one file for an extension", async () => {
    expect(await sourceOf("https://x.test/schema.ts?a", "extension")).toBe(
      "https://x.test/schema.ts",
    );
    expect(await sourceOf("spec/schema/a/schema.ts", "extension")).toBe(
      "spec/schema/a/schema.ts",
    );
  });

  it("has the schemas of a folder in the order of their names, and no other files", async () => {
    const place = directory({
      "spec/schema/b/schema.ts": "",
      "spec/schema/a/schema.json": "{}",
      "spec/schema/c/other.ts": "",
      "spec/schema/..d/schema.ts": "",
      "spec/schema/file.ts": "",
      "empty/README.md": "",
    });
    const namesIn = async (from: string) => {
      const request = { from, directory: place, project: place, requests: {} };
      const source = await openSource(
        request as unknown as UpdateRequest,
        "revisions",
      );
      const fetched = await source.fetch(null);
      return [fetched?.version, ...(fetched?.schemas.keys() ?? [])];
    };
    expect(await namesIn("spec")).toEqual([{}, "a", "b"]);
    expect(await namesIn("empty")).toEqual([{}]);
  });

  it("is a complete archive if it is a file", async () => {
    const place = directory({ "a.tar.gz": "no archive" });
    const request = { from: "a.tar.gz", directory: place, project: place };
    const source = await openSource(
      request as unknown as UpdateRequest,
      "revisions",
    );
    expect(await source.fetch(null).catch(toldOf)).toMatch(
      /^MG751 a\.tar\.gz cannot be a source of schemas: it is not a complete \.tar\.gz: .*; use an https URL, a folder or a \.tar\.gz file$/,
    );
  });
});

describe("the name of a host", () => {
  afterEach(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });

  const secret = "10.0.0.7";
  const inside =
    "MG750 other.test cannot be reached: it is in a private network, and the server that leads to it is not; check the connection, or use a copy in a folder: --from <folder>";
  it.each<
    [
      server: string | null,
      addresses: readonly string[],
      found: readonly string[] | string,
    ]
  >([
    [null, ["1.2.3.4", "5.6.7.8"], ["1.2.3.4", "5.6.7.8"]],
    [null, ["1.2.3.4", secret], inside],
    [null, [secret, "1.2.3.4"], inside],
    ["https://public.test", ["1.2.3.4", secret], inside],
    ["https://private.test", ["1.2.3.4", secret], ["1.2.3.4", secret]],
  ])(
    "leads from %s to %j only if each of its addresses may be asked",
    async (server, addresses, found) => {
      const known: Readonly<Record<string, readonly string[]>> = {
        "other.test": addresses,
        "public.test": ["1.2.3.4"],
        "private.test": ["10.0.0.1"],
      };
      vi.spyOn(dns, "lookup").mockImplementation(((name: string) =>
        Promise.resolve(
          known[name]?.map((address) => ({ address, family: 4 })),
        )) as never);
      syncBuiltinESMExports();
      const lookup = checkedLookup(server === null ? null : new URL(server));
      const asked = (all: boolean) =>
        new Promise((resolve) => {
          lookup("other.test", { all }, (error, list, family) =>
            resolve(error === null ? [list, family] : toldOf(error)),
          );
        });
      const list =
        typeof found === "string"
          ? found
          : [found.map((address) => ({ address, family: 4 })), undefined];
      expect(await asked(true)).toEqual(list);
      expect(await asked(false)).toEqual(
        typeof found === "string" ? found : [found[0], 4],
      );
    },
  );
});

describe("a server of schemas", () => {
  const fetched = async (from: string, content: "revisions" | "extension") => {
    const requests = {
      timeout: 10_000,
      signal: new AbortController().signal,
      token: null,
      userAgent: "test",
      environment: {},
      status: () => undefined,
    };
    const request = { from, directory: ".", project: ".", requests };
    const source = await openSource(
      request as unknown as UpdateRequest,
      content,
    );
    return await source.fetch(null).then(
      (found) => found?.version,
      (error: unknown) => toldOf(error),
    );
  };

  const commit = "0123456789abcdef0123456789abcdef01234567";
  const git = "application/x-git-upload-pack-advertisement";
  it.each([
    [
      `${git}; charset=utf-8`,
      "MG750 URL/a/archive/REF.tar.gz does not exist, or is not public (HTTP status 404); check the URL; GITHUB_TOKEN gives access to a private repository of GitHub",
    ],
    [
      "text/html",
      "MG750 URL/a is not a git repository: its response has the type text/html; use the URL of a repository, or of a .tar.gz archive",
    ],
    [
      `text/${git}`,
      `MG750 URL/a is not a git repository: its response has the type text/${git}; use the URL of a repository, or of a .tar.gz archive`,
    ],
    [
      `x/${"y".repeat(100)}`,
      `MG750 URL/a is not a git repository: its response has the type x/${"y".repeat(78)}; use the URL of a repository, or of a .tar.gz archive`,
    ],
  ])(
    "is a repository of git or not by the type that it sends: %s",
    async (type, words) => {
      const { url } = await serve(({ url: path = "" }, response) => {
        if (!path.includes("/info/refs")) response.writeHead(404).end();
        else
          response
            .writeHead(200, { "content-type": type })
            .end(`001e# service=git-upload-pack\n0000015b${commit} HEAD\0\n`);
      });
      const shown = String(await fetched(`${url}/a`, "revisions"));
      expect(shown.replaceAll(url, "URL").replaceAll(commit, "REF")).toBe(
        words,
      );
    },
  );

  it.each([undefined, "http://["])(
    "cannot redirect to %s",
    async (location) => {
      const { url } = await serve((_request, response) => {
        response
          .writeHead(302, location === undefined ? {} : { location })
          .end();
      });
      expect(await fetched(`${url}/a.ts`, "extension")).toBe(
        `MG750 ${new URL(url).host} redirects to an invalid URL; check the URL`,
      );
    },
  );

  it.each([
    [`"a"`, { etag: `"a"` }],
    [undefined, {}],
    ["no tag", {}],
  ])("has the version that its entity tag says: %s", async (etag, version) => {
    const schema = "export interface A { a: string }\n";
    const { url } = await serve((_request, response) => {
      response.writeHead(200, etag === undefined ? {} : { etag }).end(schema);
    });
    expect(await fetched(`${url}/a.ts`, "extension")).toEqual(version);
  });
});
