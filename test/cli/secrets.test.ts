import { describe, expect, it } from "vitest";
import type {
  HttpAddress,
  ServerAddress,
  StdioAddress,
} from "../../src/cli/live/address.js";
import { readHeaders } from "../../src/cli/live/headers.js";
import { asCallError, asReadError } from "../../src/cli/live/read-error.js";
import {
  redacted,
  secretsOf,
  shownCommand,
  withoutSecrets,
} from "../../src/cli/live/secrets.js";
import { splitCommand } from "../../src/cli/live/split.js";
import { standardError } from "../../src/cli/live/standard-error.js";
import { PullError } from "../../src/generator/read/live/pull.js";
import type { SchemaError } from "../../src/generator/diagnostics.js";

const key = "abcdefgh12345678";

function started(more: Partial<StdioAddress> = {}): StdioAddress {
  const given = { command: "node", args: [], written: [], env: {}, cwd: null };
  return { kind: "stdio", expanded: [], ...given, ...more };
}

function at(url: string, more: Partial<HttpAddress> = {}): HttpAddress {
  const given = { isSse: false, headers: {}, expanded: [] };
  return { kind: "http", url: new URL(url), ...given, ...more };
}

/** What messages hide for an address, each with what it is called. */
const hidden = (address: ServerAddress): readonly string[] =>
  secretsOf(address).map(({ text, what, isCertain }) =>
    [text, what, isCertain ? "certain" : "maybe"].join(" | "),
  );

describe("the secrets of a server's address", () => {
  it.each<[what: string, ServerAddress, readonly string[]]>([
    ["a module", { kind: "module", module: "./server.js" }, []],
    [
      "an expanded variable, whatever its name",
      started({ expanded: [{ name: "PLACE", value: "north-1" }] }),
      ["north-1 | the environment variable PLACE | certain"],
    ],
    [
      "a variable of a file, certain by its name",
      started({ env: { PLACE: "north-1", MY_KEY: "opened" } }),
      [
        "north-1 | the environment variable PLACE | maybe",
        "opened | the environment variable MY_KEY | certain",
      ],
    ],
    [
      "no variable that every program gets, and none that is not secret",
      started({
        env: { HOME: "/home/me", Place: "north-1" },
        notSecret: ["PLACE"],
      }),
      [],
    ],
    [
      "the longest first, and no common word or short number",
      started({
        env: { A: "four", B: "longer", C: "abc", D: "12345", E: "localhost" },
      }),
      [
        "longer | the environment variable B | maybe",
        "four | the environment variable A | maybe",
      ],
    ],
    [
      "a number of six digits and a text of four characters",
      started({ env: { A: "123456", B: "abcd" } }),
      [
        "123456 | the environment variable A | maybe",
        "abcd | the environment variable B | maybe",
      ],
    ],
    [
      "each form of a value",
      started({ env: { A: 'a%20b"c' } }),
      [
        "a%2520b%22c | the environment variable A | maybe",
        'a%20b\\"c | the environment variable A | maybe',
        'a%20b"c | the environment variable A | maybe',
        'a b\\"c | the environment variable A | maybe',
        'a b"c | the environment variable A | maybe',
      ],
    ],
    [
      "a header, and what follows its scheme",
      at("https://x.test", { headers: { Authorization: "Bearer opened" } }),
      [
        "Bearer%20opened | the header Authorization | certain",
        "Bearer opened | the header Authorization | certain",
        "opened | the header Authorization | certain",
      ],
    ],
    [
      "the words of another header only if they are keys",
      at("https://x.test", { headers: { "X-Trace": `ref ${key} plain` } }),
      [
        `ref%20${key}%20plain | the header X-Trace | certain`,
        `ref ${key} plain | the header X-Trace | certain`,
        `${key} | the header X-Trace | certain`,
        "plain | the header X-Trace | maybe",
      ],
    ],
    [
      "no header that describes a message",
      at("https://x.test", { headers: { "Accept-Language": "swahili" } }),
      [],
    ],
    [
      "the values of cookies",
      at("https://x.test", { headers: { Cookie: "a=first; b=second" } }),
      [
        "a%3Dfirst%3B%20b%3Dsecond | the header Cookie | certain",
        "a=first; b=second | the header Cookie | certain",
        "b%3Dsecond | the header Cookie | certain",
        "b=second | the header Cookie | certain",
        "second | the header Cookie | certain",
        "first | the header Cookie | certain",
      ],
    ],
    [
      "the password of Basic, with a colon in it",
      at("https://x.test", {
        headers: {
          authorization: `basic ${Buffer.from("me:o:pened").toString("base64")}`,
        },
      }),
      [
        "basic%20bWU6bzpwZW5lZA%3D%3D | the header authorization | certain",
        "basic bWU6bzpwZW5lZA== | the header authorization | certain",
        "bWU6bzpwZW5lZA%3D%3D | the header authorization | certain",
        "bWU6bzpwZW5lZA== | the header authorization | certain",
        "o%3Apened | the header authorization | certain",
        "o:pened | the header authorization | certain",
      ],
    ],
    [
      "the tokens that were used",
      at("https://x.test", { tokens: new Set(["opened"]) }),
      ["opened | a token | certain"],
    ],
    [
      "the parts of a URL",
      at(
        `https://someone:opened@x.test/v1/${key}/mcp?team=plain&token=query1&x=${key}q#${key}h`,
      ),
      [
        `${Buffer.from("someone:opened").toString("base64")} | the password of the URL | certain`.replace(
          /=/g,
          "%3D",
        ),
        `${Buffer.from("someone:opened").toString("base64")} | the password of the URL | certain`,
        `${key}q | the query's x | certain`,
        `${key}h | a part of the path of the URL | certain`,
        `${key} | a part of the path of the URL | certain`,
        "someone | the user of the URL | maybe",
        "opened | the password of the URL | certain",
        "query1 | the query's token | certain",
        "plain | the query's team | maybe",
      ].filter((row, i, all) => all.indexOf(row) === i),
    ],
    [
      "a key only with letters and digits, and with sixteen characters",
      at("https://x.test/abcdefgh1234567/abcdefghabcdefgh/1234567812345678"),
      [],
    ],
    [
      "no part of a text that is not a URL, or of a URL without a host",
      started({ env: { A: `x:${key}`, B: "a b://c" }, notSecret: ["A", "B"] }),
      [],
    ],
    [
      "the URL in a value",
      started({ env: { DB: "db://who:opened@x.test/y" } }),
      [
        "db%3A%2F%2Fwho%3Aopened%40x.test%2Fy | the environment variable DB | maybe",
        "db://who:opened@x.test/y | the environment variable DB | maybe",
        "d2hvOm9wZW5lZA%3D%3D | the password of the environment variable DB | certain",
        "d2hvOm9wZW5lZA== | the password of the environment variable DB | certain",
        "opened | the password of the environment variable DB | certain",
      ],
    ],
  ])("are %s", (_, address, secrets) => {
    expect(hidden(address)).toEqual(secrets);
  });

  it.each<[args: readonly string[], secrets: readonly string[]]>([
    [["--token", "opened"], ["opened"]],
    [["--token=opened"], ["opened"]],
    [["--token", "--other"], []],
    [["--place", "opened"], []],
    [["--place=x", "opened"], []],
    [["--token=first", "opened"], ["first"]],
    [["-H", "X: opened"], ["opened"]],
    [["--header", "X: opened"], ["opened"]],
    [["--headers=X: opened"], ["opened"]],
    [["X-Api-Key: opened"], ["opened"]],
    [["X-Place: opened"], []],
    [
      ["-H", "A: Bearer opened"],
      ["Bearer%20opened", "Bearer opened", "opened"],
    ],
    [[`a,${key};b`], [key]],
    [
      ["db://who:opened@x.test"],
      ["d2hvOm9wZW5lZA%3D%3D", "d2hvOm9wZW5lZA==", "opened"],
    ],
  ])("are of the arguments %j: %j", (args, secrets) => {
    const found = secretsOf(started({ args }));
    expect(found.map(({ text }) => text)).toEqual(secrets);
    expect(new Set(found.map(({ what }) => what))).toEqual(
      new Set(
        found.map(({ what }) =>
          what.includes("password") ? what : "an argument of the command",
        ),
      ),
    );
  });

  it("are hidden in a command line that is shown, but for its program", () => {
    expect(shownCommand([key, "--token", "opened", "plain"])).toBe(
      `"${key}" "--token" "…" "plain"`,
    );
  });
});

describe("a message without secrets", () => {
  const secret = (text: string, isCertain = true) => ({
    what: "it",
    text,
    isCertain,
  });

  it.each<[text: string, ReturnType<typeof secret>[], shown: string]>([
    ["nothing is here", [], "nothing is here"],
    [
      'Unexpected token, "opened" is not valid JSON',
      [],
      'Unexpected token, "opened" is not valid JSON',
    ],
    [
      'Unexpected token, ..."opened"... is not valid JSON',
      [secret("other")],
      "Unexpected token",
    ],
    ["short shorter", [secret("short")], "… shorter"],
    ["eightlong eightlonger", [secret("eightlon")], "…g …ger"],
    ["a.b* axb*", [secret("a.b*")], "… axb*"],
    [
      "eight-long-and-more",
      [secret("eight-long-and-more", false), secret("eight-long", false)],
      "…",
    ],
    ["twelve-chars-and", [secret("twelve-chars-and-more")], "…"],
    ["twelve-chars-or.else x", [secret("twelve-chars-and-more")], "… x"],
    ["eleven-char-or", [secret("eleven-chars-and-more")], "eleven-char-or"],
    [
      "twelve-chars-or",
      [secret("twelve-chars-and-more", false)],
      "twelve-chars-or",
    ],
  ])("is made of %j", (text, secrets, shown) => {
    expect(redacted(text, secrets)).toBe(shown);
  });

  it("is a value that keeps its kind, with the place of the first certain one", () => {
    const secrets = [secret("opened"), secret("maybe", false), secret("1234")];
    const value = {
      a: ["maybe", { opened: 1234, b: true }],
      c: "say opened now",
      d: null,
    };
    const { value: shown, leak } = withoutSecrets(value, secrets);
    expect(shown).toEqual({
      a: ["maybe", { "…": "…", b: true }],
      c: "say … now",
      d: null,
    });
    expect(leak).toEqual({ ...secret("opened"), path: "a[1].opened" });
    expect(
      withoutSecrets("eight-long-and", [
        secret("eight-long-and"),
        secret("eight-long"),
      ]).value,
    ).toBe("…");
    expect(withoutSecrets([1, "x"], secrets)).toEqual({
      value: [1, "x"],
      leak: null,
    });
  });
});

describe("the standard error of a started server", () => {
  it("is printed line by line after a mark, without colours, and its end only when it ends", () => {
    const lines: string[] = [];
    const errors = standardError(
      [{ what: "it", text: "opened", isCertain: true }],
      (line) => void lines.push(line),
    );
    errors.write("one\r\ntw");
    expect(lines).toEqual(["| one\n"]);
    errors.write("o\tx opened\u001b[31m\u0007\nlast");
    expect(lines.slice(1)).toEqual(["| two\tx …\\u{7}\n"]);
    errors.end();
    errors.end();
    expect(lines.slice(2)).toEqual(["| last\n"]);
    expect(errors.firstOutput).toBe(
      "one\r\ntwo\tx opened\u001b[31m\u0007\nlast",
    );
  });

  it("is printed without its end once a line is longer than 65,536 characters", () => {
    const sizes: number[] = [];
    const errors = standardError([], ({ length }) => void sizes.push(length));
    errors.write("x".repeat(65_536));
    expect(sizes).toEqual([]);
    errors.write("y");
    errors.write("z\n");
    expect(sizes).toEqual([65_540, 4]);
    expect(errors.firstOutput).toBe("x".repeat(65_536));
  });
});

describe("a command line", () => {
  it.each<[line: string, words: readonly string[] | null]>([
    ["", []],
    ["  a \t b  ", ["a", "b"]],
    ["a''b c", ["ab", "c"]],
    ["'' \"\"", ["", ""]],
    ["'a b' \"c d\"", ["a b", "c d"]],
    ["'a\"b' \"c'd\"", ['a"b', "c'd"]],
    [String.raw`'a\b' "a\b" "a\\b" "a\"b"`, ["a\\b", "a\\b", "a\\b", 'a"b']],
    [String.raw`a\ b a\b a\\b \"a \'b`, ["a b", "a\\b", "a\\b", '"a', "'b"]],
    ["a\\", ["a\\"]],
    [String.raw`'a\"b\\c'`, [String.raw`a\"b\\c`]],
    ["'a", null],
    ['a "', null],
  ])("is split as by a shell: %j", (line, words) => {
    expect(splitCommand(line, false)).toEqual(words);
  });

  it("is split by the rules of this system", () => {
    const line = String.raw`a\ b "c\d"`;
    expect(splitCommand(line)).toEqual(
      splitCommand(line, process.platform === "win32"),
    );
    expect(splitCommand(line, true)).not.toEqual(splitCommand(line, false));
  });
});

describe("a header of the command line", () => {
  const faultOf = (text: string): string => {
    try {
      readHeaders([text]);
    } catch (error) {
      const [diagnostic] = (error as SchemaError).diagnostics;
      return `${diagnostic?.code} ${diagnostic?.message}; ${diagnostic?.hint}`;
    }
    return "none";
  };

  it("is a name, and a value without the space around it", () => {
    expect(
      readHeaders([" A-b:  c:d ", "E:\tf", "Authorization: Other x"]),
    ).toEqual({
      "A-b": "c:d",
      E: "f",
      Authorization: "Other x",
    });
  });

  it.each([
    ["a", "MG702 --header must be a name, a colon and a value; for example"],
    ["a b: c", "MG702 --header must be a name, a colon and a value"],
    [
      "Connection: x",
      "MG702 the header Connection cannot be set; leave it out",
    ],
    ["content-length: 1", "MG702 the header content-length cannot be set"],
    ["Transfer-Encoding: x", "MG702 the header Transfer-Encoding cannot"],
    ["upgrade: x", "MG702 the header upgrade cannot be set"],
    [
      "a: \u0001",
      "MG702 the value of the header a has invalid characters; remove",
    ],
    ["a: \u0100", "MG702 the value of the header a has invalid characters"],
    ["a:", "MG702 the header a has no value; check that its variable is set"],
    ["Authorization: Bearer", "MG702 the header Authorization has no value"],
    ["authorization: basic ", "MG702 the header authorization has no value"],
    ["authorization: TOKEN", "MG702 the header authorization has no value"],
    ["other: Bearer", "none"],
    ["authorization: Bearers", "none"],
  ])(
    "is refused, with a sentence that does not quote its value: %j",
    (text, fault) => {
      expect(faultOf(text)).toMatch(fault);
      expect(faultOf(text).startsWith(fault)).toBe(true);
    },
  );
});

/** An error with these members. */
const failure = (name: string, message: string, members: object = {}): Error =>
  Object.assign(new Error(message), { name }, members);

describe("an error while a server is read", () => {
  const plain = at("https://x.test/mcp");
  const header = { headers: { AUTHORIZATION: "Bearer opened" } };
  const shown = (error: unknown, address: ServerAddress): string => {
    const { exitCode, diagnostics } = asReadError(error, address);
    const [one] = diagnostics;
    return [exitCode, one?.code, one?.message, one?.hint].join(" | ");
  };
  const refused = (more: object) => failure("AuthorizationError", "no", more);
  const login = "run mcpgen login --url https://x.test/mcp";

  it.each<[what: string, error: unknown, ServerAddress, told: string]>([
    [
      "of a command, without what its standard error said",
      new Error("it ended. The end of its stderr:\nopened"),
      started(),
      "3 | MG730 | the server cannot be read: it ended. | check that the command starts a server, and read the error output of the server",
    ],
    [
      "that is not an Error",
      "why",
      plain,
      "3 | MG730 | the server cannot be read: why | check that the server is running and that the URL is correct; its path is often /mcp or /sse",
    ],
    [
      "of a module",
      new Error("why"),
      { kind: "module", module: "x" },
      "3 | MG730 | the server cannot be read: why | check that the module serves the revisions that it declares",
    ],
    [
      "of 500 characters",
      new Error("x".repeat(500)),
      { kind: "module", module: "x" },
      `3 | MG730 | the server cannot be read: ${"x".repeat(500)} | check that the module serves the revisions that it declares`,
    ],
    [
      "of 501 characters",
      new Error("x".repeat(501)),
      { kind: "module", module: "x" },
      `3 | MG730 | the server cannot be read: ${"x".repeat(500)}… | check that the module serves the revisions that it declares`,
    ],
    [
      "by time",
      failure("TimeoutError", "no answer"),
      plain,
      "3 | MG733 | the server takes too long: no answer | give it more time with --timeout <seconds>",
    ],
    [
      "of a limit",
      new PullError("too many tools"),
      plain,
      "3 | MG731 | the server exceeds a limit: too many tools | ",
    ],
    [
      "401",
      failure("HttpError", "no", { status: 401 }),
      plain,
      `3 | MG732 | the server requires authentication (401): no | ${login}, or pass --header "Authorization: Bearer $TOKEN"`,
    ],
    [
      "401 for a header",
      failure("HttpError", "no opened", { status: 401 }),
      { ...plain, ...header },
      "3 | MG732 | the server rejects the Authorization header (401): no … | check that the token is complete, not expired, and issued for this server",
    ],
    [
      "403",
      failure("HttpError", "no", { status: 403 }),
      plain,
      `3 | MG732 | the server denies access (403): no | ${login}, or pass --header "Authorization: Bearer $TOKEN"`,
    ],
    [
      "403 for a host",
      failure("HttpError", "Invalid Host: x", { status: 403 }),
      plain,
      "3 | MG732 | the server denies access (403): Invalid Host: x | the server does not allow this host, whoever you are: add it to its option allowedHosts",
    ],
    [
      "403 for an origin",
      failure("HttpError", "the origin x is not allowed", { status: 403 }),
      { ...plain, ...header },
      "3 | MG732 | the server denies access (403): the origin x is not allowed | the server does not allow this origin, whoever you are: add it to its option allowedOrigins",
    ],
    [
      "401 for a host",
      failure("HttpError", "Invalid Host", { status: 401 }),
      { ...plain, ...header },
      "3 | MG732 | the server rejects the Authorization header (401): Invalid Host | check that the token is complete, not expired, and issued for this server",
    ],
    [
      "401 of a command, which has no status",
      failure("HttpError", "no", { status: 401 }),
      started(),
      "3 | MG730 | the server cannot be read: no | check that the command starts a server, and read the error output of the server",
    ],
    [
      "of the network of an authorization server",
      refused({ reason: "network" }),
      plain,
      "3 | MG730 | the server cannot be read: no | try again later",
    ],
    [
      "without a sign-in",
      refused({ reason: "login-required" }),
      plain,
      `3 | MG732 | the server requires you to sign in: no | ${login}`,
    ],
    [
      "without a sign-in of an account, with scopes",
      refused({ reason: "login-required", scopes: ["a", "b:c"] }),
      { ...plain, auth: "account:work" },
      `3 | MG732 | the server requires you to sign in: no | ${login} --account work --scope a,b:c`,
    ],
    [
      "without a sign-in, with a scope that a shell would read",
      refused({ reason: "login-required", scopes: ["a", "$(b)"] }),
      plain,
      `3 | MG732 | the server requires you to sign in: no | ${login} with --scope and the scopes that the message names`,
    ],
    [
      "without a sign-in at a URL with a secret",
      refused({ reason: "login-required" }),
      at("https://x.test/mcp?token=opened"),
      "3 | MG732 | the server requires you to sign in: no | run mcpgen login with the same --url",
    ],
    [
      "of a person's authorization",
      refused({ reason: "other" }),
      plain,
      `3 | MG738 | the authorization failed: no | ${login}`,
    ],
    [
      "of a program's authorization",
      refused({ reason: "other" }),
      { ...plain, auth: "kubernetes" },
      "3 | MG738 | the authorization failed: no | check the value of --auth, and that the server accepts it",
    ],
    [
      "of an issuer with another name",
      refused({
        reason: "other",
        issuers: { "https://a.test": "https://b.test" },
      }),
      { ...plain, auth: "kubernetes" },
      "3 | MG738 | the authorization failed: no | if that is right, run the same command --issuer-alias https://a.test=https://b.test",
    ],
    [
      "of an issuer whose name a shell would read",
      refused({
        reason: "other",
        issuers: { "https://a.test": "https://b.test/$x" },
      }),
      plain,
      `3 | MG738 | the authorization failed: no | if that is right, ${login} with --issuer-alias and the issuers that the message names`,
    ],
    [
      "of an issuer that does not say PKCE, and whose name a shell would read",
      refused({
        reason: "other",
        issuers: { "https://a.test/$x": { pkce: "S256" } },
      }),
      plain,
      `3 | MG738 | the authorization failed: no | ${login}`,
    ],
    [
      "of an issuer that does not say PKCE",
      refused({
        reason: "other",
        issuers: { "https://a.test": { pkce: "S256" } },
      }),
      plain,
      `3 | MG738 | the authorization failed: no | if that is right, ${login} --assume-pkce https://a.test`,
    ],
    [
      "of a program's issuer that does not say PKCE",
      refused({
        reason: "other",
        issuers: { "https://a.test": { pkce: "S256" } },
      }),
      { ...plain, auth: "kubernetes" },
      "3 | MG738 | the authorization failed: no | check the value of --auth, and that the server accepts it",
    ],
    [
      "of an issuer without endpoints",
      refused({
        reason: "other",
        issuers: { "https://a.test": { endpoints: { one: "", two: "" } } },
      }),
      { ...plain, auth: "account:work" },
      `3 | MG738 | the authorization failed: no | if that is right, ${login} --account work --issuer https://a.test --endpoint one=<url> --endpoint two=<url>`,
    ],
    [
      "of an issuer of which nothing is known",
      refused({ reason: "other", issuers: { "https://a.test": {} } }),
      plain,
      `3 | MG738 | the authorization failed: no | ${login}`,
    ],
  ])("tells what happened and what to do: %s", (_, error, address, told) => {
    expect(shown(error, address)).toBe(told);
  });

  it("is the same if a command reports it already, also as a cause", () => {
    const known = asReadError(new Error("no"), plain);
    expect(asReadError(known, plain)).toBe(known);
    expect(asReadError(new Error("x", { cause: known }), plain)).toBe(known);
    expect(asReadError(new Error("x", { cause: "y" }), plain)).not.toBe(known);
  });
});

describe("an error of a call", () => {
  const address = at("https://x.test", { tokens: new Set(["opened"]) });

  it("is the server's answer, with its code and without secrets", () => {
    const error = asCallError(
      failure("McpError", "not with opened", { code: -32602 }),
      address,
    );
    expect(error).toMatchObject({
      exitCode: 3,
      diagnostics: [
        {
          code: "MG758",
          message: "the server rejects the call (-32602): not with …",
        },
      ],
    });
    expect(asCallError(failure("McpError", "no"), address)).toMatchObject({
      diagnostics: [{ message: "the server rejects the call: no" }],
    });
  });

  it.each([["a text"], [failure("TransportError", "no")]])(
    "is unchanged if it is not an answer: %s",
    (error) => {
      expect(asCallError(error, address)).toBe(error);
    },
  );
});
