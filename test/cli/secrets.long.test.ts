import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { filesIn } from "../files.js";
import { directory, type Ended, mcpgen } from "./support.js";

const jwt =
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbGljZSIsImlhdCI6MTUxNjIzOTAyMn0.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c";

/**
 * A server over stdio that repeats all its variables and arguments in the place
 * that its first argument names.
 */
const echo = `
  const secrets = [...Object.entries(process.env).filter(([name]) => name.startsWith("MY_")).map(([, value]) => value), ...process.argv.slice(3)];
  const answer = (id, result) => console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
  const where = process.argv[2];
  if (where === "output") console.log("got " + secrets.join(" "));
  if (where === "errors") { process.stderr.write("got " + secrets.join(" ").slice(0, 9)); process.stderr.write(secrets.join(" ").slice(9) + "\\nready\\n"); }
  if (where === "death") { console.error("cannot use " + secrets.join(" ")); process.exit(1); }
  const list = where === "list" ? secrets.join(" ") : "nothing";
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method } = JSON.parse(line);
    const message = where === "error" ? "cannot use " + secrets.join(" ") : "no";
    if (method === "initialize" && where !== "error") answer(id, { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "echo", version: "1" } });
    else if (method === "tools/list") answer(id, { tools: [{ name: "say", description: "Says:\\n" + list, inputSchema: { type: "object" } }] });
    else if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message } }));
  });`;

/**
 * Runs `mcpgen pull` on a server of `.mcp.json`, and returns everything that it
 * printed and wrote.
 */
async function pullEntry(
  entry: object,
  environment: Readonly<Record<string, string>> = {},
  files: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
): Promise<Ended & { readonly written: string }> {
  const place = directory({
    "server.cjs": echo,
    ".mcp.json": JSON.stringify({ mcpServers: { it: entry } }),
    ...files,
  });
  const ended = await mcpgen(
    [
      "pull",
      "--no-color",
      "--json",
      "--config",
      "it",
      "-o",
      "out/x.json",
      ...flags,
    ],
    {
      directory: place,
      environment,
    },
  );
  const written = readdirSync(place).includes("out")
    ? readFileSync(join(place, "out/x.json"), "utf8")
    : "";
  return { ...ended, written };
}

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/**
 * A server over HTTP that repeats a part of each request in its list of tools
 * or, with `fails`, in an error.
 */
async function httpEcho(
  repeated: (request: IncomingMessage) => string,
  fails = false,
): Promise<string> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      if (request.method !== "POST") return void response.writeHead(405).end();
      const { id, method } = JSON.parse(Buffer.concat(parts).toString()) as {
        id?: number;
        method: string;
      };
      if (id === undefined) return void response.writeHead(202).end();
      const answers: Record<string, object> = {
        initialize: {
          protocolVersion: "2025-06-18",
          capabilities: { tools: {} },
          serverInfo: { name: "echo", version: "1" },
        },
        "tools/list": {
          tools: [
            {
              name: "say",
              description: `Says ${repeated(request)}.`,
              inputSchema: { type: "object" },
            },
          ],
        },
      };
      const result = fails ? undefined : answers[method];
      const error = {
        code: -32601,
        message: `cannot use ${repeated(request)}`,
      };
      response.writeHead(200, { "content-type": "application/json" });
      response.end(
        JSON.stringify({
          jsonrpc: "2.0",
          id,
          ...(result === undefined ? { error } : { result }),
        }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/**
 * Values that do not look like secrets to a simple rule: without a digit, with
 * dots, or short.
 */
const values: [what: string, value: string][] = [
  ["a JSON Web Token", jwt],
  ["a short password", "pw0rd"],
  ["four letters", "hush"],
  ["a long word without a digit", "correcthorsebatterystaple"],
  ["a text with spaces and quotes", 'open "the" door'],
  ["an address with a password", "postgres://app:hunter2@db.test/main"],
];

describe("the value of a variable in .mcp.json", () => {
  it.each(values)(
    "is hidden wherever the server repeats it: %s",
    async (_, value) => {
      for (const where of ["output", "errors", "error", "death"]) {
        const { out, err, written } = await pullEntry(
          {
            command: "node",
            args: ["server.cjs", where],
            env: { MY_PLAIN: "${PLAIN}" },
          },
          { PLAIN: value },
        );
        expect(out + err + written, where).not.toContain(value);
        expect(out + err, where).not.toContain("hunter2");
        if (where !== "output")
          expect(err, where).toMatch(/^(?:\| got|.*cannot use) …/m);
      }
    },
  );

  it.each(values)(
    "ends the pull when the server lists it: %s",
    async (_, value) => {
      const place = await pullEntry(
        {
          command: "node",
          args: ["server.cjs", "list", "--plain", "${PLAIN}"],
        },
        { PLAIN: value },
      );
      expect([place.code, place.written]).toEqual([3, ""]);
      expect(place.err).toContain(
        "MG737 the server repeats a secret: tools[0].description contains the value of the environment variable PLAIN",
      );
      expect(place.out + place.err).not.toContain(value);
    },
  );

  it("is hidden if it is an address that the server prints in another form", async () => {
    const server = `
      const { username, password, host } = new URL(process.env.MY_DB);
      console.error("cannot reach db://" + username + ":" + password + "@" + host + ":5432/other");
      process.exit(1);`;
    const entry = {
      command: "node",
      args: ["other.cjs"],
      env: { MY_DB: "${DB}" },
    };
    const { err } = await pullEntry(
      entry,
      { DB: "db://app:hunter2@db.test/main" },
      { "other.cjs": server },
    );
    expect(err).toContain("cannot reach db://app:…@db.test:5432/other");
    expect(err).not.toContain("hunter2");
  });

  it("is hidden if a message quotes only its beginning", async () => {
    const server = `
      console.error("got " + process.env.MY_PLAIN.slice(0, 30) + " and more");
      process.exit(1);`;
    const entry = {
      command: "node",
      args: ["other.cjs"],
      env: { MY_PLAIN: "${PLAIN}" },
    };
    const { err } = await pullEntry(
      entry,
      { PLAIN: jwt },
      { "other.cjs": server },
    );
    expect(err).toContain("got … and more");
    expect(err).not.toContain(jwt.slice(0, 12));
  });

  it("is secret in an envFile and in a URL too", async () => {
    const { code, err } = await pullEntry(
      { command: "node", args: ["server.cjs", "list"], envFile: "my.env" },
      {},
      { "my.env": "MY_OWN=hush\n" },
    );
    expect([code, err]).toEqual([
      3,
      expect.stringContaining("the environment variable MY_OWN"),
    ]);
    const base = await httpEcho(({ url = "" }) => url);
    const place = await pullEntry(
      { url: `${base}/${"${PART}"}/mcp` },
      { PART: "hush" },
    );
    expect([place.code, place.err]).toEqual([
      3,
      expect.stringContaining(
        "MG737 the server repeats a secret: tools[0].description",
      ),
    ]);
    expect(place.err + place.out).not.toContain("hush");
  });

  it("ends the pull, and the diagnostic MG737 names the flag that allows a value that is not secret", async () => {
    const entry = {
      command: "node",
      args: ["server.cjs", "list", "${REGION}", "${OTHER}"],
    };
    const environment = { REGION: "us-east-1", OTHER: "eu-west-2" };
    const first = await pullEntry(entry, environment);
    expect([first.code, first.written]).toEqual([3, ""]);
    const [, name = ""] =
      /if the value is not secret, run again with --not-secret (\S+)/.exec(
        first.err,
      ) ?? [];
    expect(Object.keys(environment)).toContain(name);
    const second = await pullEntry(entry, environment, {}, [
      "--not-secret",
      name,
    ]);
    expect([second.code, second.written]).toEqual([3, ""]);
    const both = ["--not-secret", "REGION", "--not-secret", "OTHER"];
    const third = await pullEntry(entry, environment, {}, both);
    expect([third.code, third.written], third.err).toEqual([
      0,
      expect.stringContaining("us-east-1 eu-west-2"),
    ]);
  });

  it("stays secret despite --not-secret if its name or its form is that of a credential", async () => {
    const list = ["server.cjs", "list", "${PLAIN}"];
    const looks = await pullEntry(
      { command: "node", args: list },
      { PLAIN: jwt },
      {},
      ["--not-secret", "PLAIN"],
    );
    expect([looks.code, looks.written, looks.err.includes(jwt)]).toEqual([
      3,
      "",
      false,
    ]);
    const named = await pullEntry({ command: "node", args: list }, {}, {}, [
      "--not-secret",
      "MY_TOKEN",
    ]);
    expect([named.code, named.err]).toEqual([
      2,
      expect.stringContaining("has the name of a credential"),
    ]);
    const token = {
      command: "node",
      args: ["server.cjs", "list", "${MY_TOKEN}"],
    };
    const hinted = await pullEntry(token, { MY_TOKEN: "hush" });
    expect([hinted.code, hinted.err.includes("--not-secret")]).toEqual([
      3,
      false,
    ]);
  });

  it("is not secret if many texts contain it, such as 1, true or production", async () => {
    const common = ["1", "no", "true", "production", "8080", "INFO"];
    const { code, err, written } = await pullEntry(
      {
        command: "node",
        args: [
          "server.cjs",
          "list",
          ...common.map((_, i) => `\${SETTING_${i}}`),
        ],
      },
      Object.fromEntries(common.map((value, i) => [`SETTING_${i}`, value])),
    );
    expect([code, written], err).toEqual([
      0,
      expect.stringContaining(`Says:\\n${common.join(" ")}`),
    ]);
  });

  it("is hidden only as a whole word if it is short", async () => {
    const { err } = await pullEntry(
      {
        command: "node",
        args: ["server.cjs", "death", "nothing"],
        env: { MY_SHORT: "${SHORT}" },
      },
      { SHORT: "thin" },
    );
    expect(err).toContain("cannot use … nothing\n");
  });

  it("is not secret if the file contains it as a default or as a constant", async () => {
    const { code, err, written } = await pullEntry(
      {
        command: "node",
        args: ["server.cjs", "list", "${MODE:-slow}"],
        env: { MY_REGION: "eu-west" },
      },
      { MODE: "slow" },
    );
    expect([code, written], err).toEqual([
      0,
      expect.stringContaining("eu-west slow"),
    ]);
  });
});

describe("the list of the tools of a server", () => {
  it.each([
    ["hides a value of the environment", "${PLAIN}", "Says: …"],
    ["hides the value of a credential", "hush", "Says: …", "MY_TOKEN"],
    ["has a value that the file says, which may be the name of a tool", "say"],
  ])("%s", async (_, value, shown = "say()  Says: say", name = "MY_PLAIN") => {
    const server = echo.replace("Says:\\n", "Says: ");
    const entry = {
      command: "node",
      args: ["server.cjs", "list"],
      env: { [name]: value },
    };
    const place = directory({
      "server.cjs": server,
      ".mcp.json": JSON.stringify({ mcpServers: { it: entry } }),
    });
    const { code, out, err } = await mcpgen(
      ["call", "--config", "it", "--no-color"],
      { directory: place, environment: { PLAIN: "hush" } },
    );
    expect([code, out], err).toEqual([0, expect.stringContaining(shown)]);
    expect(out + err).not.toContain("hush");
    expect(err.includes("MG737")).toBe(value !== "say");
  });
});

describe("a variable that --env names", () => {
  it.each(values.slice(0, 2))(
    "is hidden, and ends the pull when the server lists it: %s",
    async (_, value) => {
      for (const where of ["list", "errors"]) {
        const place = directory({ "server.cjs": echo });
        const { code, err } = await mcpgen(
          [
            "pull",
            "--no-color",
            "--stdio",
            `node server.cjs ${where}`,
            "--env",
            "MY_PLAIN",
          ],
          { directory: place, environment: { MY_PLAIN: value } },
        );
        expect([code, err.includes(value)], err).toEqual([
          where === "list" ? 3 : 0,
          false,
        ]);
        if (where === "errors") expect(err).toContain("| got …\n| ready\n");
      }
    },
  );
});

describe("the value of a header", () => {
  it.each([
    ["X-Tenant", jwt],
    ["X-Tenant", "hush"],
    ["X-Pass", "open sesame please"],
    ["Cookie", "theme=dark; sid=c0ffee77"],
    ["Authorization", `Bearer ${jwt}`],
    ["Authorization", `Basic ${Buffer.from("app:hunter2").toString("base64")}`],
  ])("is secret, whatever its name and form: %s: %s", async (name, value) => {
    const valueOf = ({ headers }: IncomingMessage): string =>
      String(headers[name.toLowerCase()]);
    for (const fails of [false, true]) {
      const base = await httpEcho(valueOf, fails);
      const place = directory();
      const { code, out, err } = await mcpgen(
        [
          "pull",
          "--no-color",
          "--json",
          "--url",
          base,
          "--header",
          `${name}: ${value}`,
        ],
        { directory: place },
      );
      expect(code, err).toBe(3);
      expect(err).toContain(
        fails ? "cannot use …" : `contains the value of the header ${name}`,
      );
      expect(out + err + JSON.stringify(filesIn(place))).not.toContain(value);
    }
  });

  it("is allowed in a snapshot if --not-secret names the header", async () => {
    const base = await httpEcho(({ headers }) => String(headers["x-region"]));
    const args = [
      "pull",
      "--no-color",
      "--url",
      base,
      "--header",
      "X-Region: us-east-1",
    ];
    const refused = await mcpgen(args, { directory: directory() });
    expect([refused.code, refused.err]).toEqual([
      3,
      expect.stringContaining("--not-secret X-Region"),
    ]);
    const allowed = await mcpgen([...args, "--not-secret", "x-region"], {
      directory: directory(),
    });
    expect(allowed.code, allowed.err).toBe(0);
  });

  it("is not secret if the header only describes messages", async () => {
    const base = await httpEcho(({ headers }) =>
      String(headers["accept-language"]),
    );
    const place = directory();
    const args = [
      "pull",
      "--url",
      base,
      "--header",
      "Accept-Language: english",
    ];
    expect((await mcpgen(args, { directory: place })).code).toBe(0);
  });

  it("is recognised if the server decodes its password", async () => {
    const base = await httpEcho(({ headers }) =>
      Buffer.from(String(headers.authorization).slice(6), "base64").toString(),
    );
    const value = Buffer.from("app:hunter2").toString("base64");
    const { code, err } = await mcpgen(
      ["pull", "--url", base, "--header", `Authorization: Basic ${value}`],
      {
        directory: directory(),
      },
    );
    expect([code, err.includes("hunter2")]).toEqual([3, false]);
    expect(err).toContain("MG737");
  });
});

describe("a JSON Web Token", () => {
  it("in the path of a URL appears neither in messages nor in the snapshot", async () => {
    for (const fails of [false, true]) {
      const base = await httpEcho(({ url = "" }) => url, fails);
      const place = directory();
      const { code, out, err } = await mcpgen(
        ["pull", "--json", "--url", `${base}/s/${jwt}/mcp`],
        {
          directory: place,
        },
      );
      expect([code, readdirSync(place)], err).toEqual([3, []]);
      expect(err).toContain(
        fails ? "cannot use /s/…/mcp" : "a part of the path of the URL",
      );
      expect(out + err).not.toContain(jwt.slice(0, 20));
    }
  });

  it("or another secret in a command line is hidden when the command is printed", async () => {
    const args = [
      jwt,
      "--api-key",
      "abcd",
      "--header",
      "X-Any:hush",
      `https://x.test/s/${jwt}/mcp`,
      "plain",
    ];
    const place = directory({ "server.cjs": echo });
    const { err } = await mcpgen(
      [
        "pull",
        "--no-color",
        "--stdio",
        ["node server.cjs none", ...args].join(" "),
        "-o",
        "x.json",
      ],
      { directory: place },
    );
    expect(err).toMatch(
      /^starting "node" "server.cjs" "none" "…" "--api-key" "…" "--header" "X-Any:…" "https:\/\/x.test\/s\/…\/mcp" "plain"\n/,
    );
  });
});
