// The first, because it counts what is loaded after it.
import { stepsOf } from "./steps.js";
import { memoryStore, oauth } from "@mcpgen/auth";
import { jwt, protect } from "@mcpgen/auth/protect";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { cardFiles } from "../src/commands/card/card.js";
import { converterFor } from "../src/commands/convert/tools.js";
import { lint } from "../src/commands/lint/lint.js";
import { profiles } from "../src/commands/lint/providers.js";
import { migrate } from "../src/commands/migrate/migrate.js";
import { loadConfig } from "../src/cli/config/load.js";
import { Diagnostics } from "../src/generator/diagnostics.js";
import { diff } from "../src/generator/ir/diff/index.js";
import type { Protocol } from "../src/generator/ir/model.js";
import type { Snapshot } from "../src/generator/ir/snapshot/model.js";
import { compareSnapshots } from "../src/generator/ir/snapshot/diff/index.js";
import { directory } from "./cli/support.js";
import { pageOf, parseSnapshot } from "./docs/making.js";
import { protocolOf, preamble } from "./ir/made.js";
import { type Setup, setUp } from "./runtime/auth/kit/index.js";
import { rows as ofRuntime } from "./runtime/growth.js";
import { project, snapshotOf } from "./stubs/project.js";
import { generated } from "./view/generated.js";
import { sampled } from "./whole.js";

const each = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const named = (count: number, value: (i: number) => unknown): object =>
  Object.fromEntries(each(count, (i) => [`n${1000 + i}`, value(i)]));

const text = { type: "string", description: "A text." };

/** What a schema has n of. */
const schemas: Readonly<Record<string, (n: number) => object>> = {
  members: (n) => ({
    type: "object",
    properties: named(n, () => text),
    required: each(n, (i) => `n${1000 + i}`),
  }),
  alternatives: (n) => ({
    type: "object",
    properties: {
      a: {
        anyOf: each(n, (i) => ({
          type: "object",
          properties: { kind: { const: `k${i}` }, [`n${i}`]: text },
          required: ["kind"],
        })),
      },
    },
  }),
  values: (n) => ({
    type: "object",
    properties: { a: { enum: each(n, (i) => `v${i}`) } },
  }),
  definitions: (n) => ({
    type: "object",
    properties: named(n, (i) => ({ $ref: `#/$defs/d${i}` })),
    $defs: Object.fromEntries(
      each(n, (i) => [
        `d${i}`,
        {
          type: "object",
          properties: { a: text, next: { $ref: `#/$defs/d${(i + 1) % n}` } },
        },
      ]),
    ),
  }),
};

/** The text of a server with n of something. */
const servers: Readonly<Record<string, (n: number) => string>> = {
  ...Object.fromEntries(
    Object.entries(schemas).map(([what, make]) => [
      what,
      (n: number) =>
        snapshotOf({ tools: [{ name: "a", inputSchema: make(n) }] }),
    ]),
  ),
  tools: (n) =>
    snapshotOf({
      tools: each(n, (i) => ({
        name: `tool_${i}`,
        description: `Does the thing ${i}.`,
        inputSchema: { type: "object", properties: { a: text } },
      })),
    }),
  "names that become the same": (n) =>
    snapshotOf({
      tools: each(n, (i) => ({
        name: `a${"-_./"[i % 4]}${"-".repeat(i)}b`.slice(0, 120),
        inputSchema: { type: "object" },
      })).filter(
        ({ name }, i, all) => all.findIndex((one) => one.name === name) === i,
      ),
    }),
  prompts: (n) =>
    snapshotOf({
      capabilities: { prompts: {} },
      prompts: each(n, (i) => ({ name: `p${i}`, arguments: [{ name: "a" }] })),
    }),
  resources: (n) =>
    snapshotOf({
      capabilities: { resources: {} },
      resources: each(n, (i) => ({ name: `r${i}`, uri: `file:///${i}` })),
    }),
};

/** The text of a schema.ts with n of something. */
const protocols: Readonly<Record<string, (n: number) => string>> = {
  interfaces: (n) =>
    each(
      n,
      (i) =>
        `export interface T${i} { a: string; b?: T${(i + 1) % n}; c: T${i}[] }\n`,
    ).join(""),
  "members of an interface": (n) =>
    `export interface A { ${each(n, (i) => `m${i}: string`).join("; ")} }`,
  "alternatives with a tag": (n) =>
    `${each(n, (i) => `export interface T${i} { kind: "k${i}"; a: string }\n`).join("")}export type U = ${each(n, (i) => `T${i}`).join(" | ")};`,
  "values of a union": (n) =>
    `export type V = ${each(n, (i) => `"v${i}"`).join(" | ")};`,
  requests: (n) =>
    `${preamble}${each(n, (i) => `export interface R${i}Request extends Request { method: "r/${i}"; params: { a: string } }\nexport interface R${i}Result extends Result { a: string }\n`).join("")}export type ClientRequest = InitializeRequest | ${each(n, (i) => `R${i}Request`).join(" | ")};\nexport type ServerResult = EmptyResult | ${each(n, (i) => `R${i}Result`).join(" | ")};`,
};

type Work = () => unknown;
/** A row: what works on what, and how it is prepared and done for a size. */
type Row = readonly [
  what: string,
  prepare: (n: number) => Promise<Work> | Work,
];

const ofServers = (
  what: string,
  work: (snapshot: Snapshot, text: string) => unknown,
): Row[] =>
  Object.entries(servers).map(([of, make]): Row => [
    `${what}: ${of}`,
    async (n) => {
      const text = make(n);
      const snapshot = await parseSnapshot(text);
      return () => work(snapshot, text);
    },
  ]);
const ofProtocols = (
  what: string,
  work: (protocol: Protocol, text: string) => unknown,
): Row[] =>
  Object.entries(protocols).map(([of, make]): Row => [
    `${what}: ${of}`,
    async (n) => {
      const text = make(n);
      const protocol = await protocolOf(text);
      return () => work(protocol, text);
    },
  ]);

/** What n of makes the servers of a sign-in large; returns options of it. */
const signIns: Readonly<Record<string, (setup: Setup, n: number) => object>> = {
  scopes: ({ server, as }, n) => {
    const scopes = each(n, (i) => `scope:${i}`);
    server.challenge += `, scope="${scopes.join(" ")}"`;
    server.metadata["scopes_supported"] = scopes;
    as.metadata["scopes_supported"] = scopes;
    return {};
  },
  challenges: ({ server }, n) => {
    const others = each(n, (i) => `Other realm="${i}", a="b"`);
    server.challenge = [...others, server.challenge].join(", ");
    return {};
  },
  "characters of a challenge": ({ server }, n) => {
    server.challenge += `, a="${"\\x".repeat(n)}"`;
    return {};
  },
  "authorization servers": ({ server, as }, n) => {
    const others = each(n, (i) => `https://as${i}.example.com`);
    server.metadata["authorization_servers"] = [as.issuer, ...others];
    return {};
  },
  "members of metadata": ({ as }, n) => {
    Object.assign(
      as.metadata,
      named(n, () => "x"),
    );
    return {};
  },
  "issuers that a person knows": (_, n) => ({
    issuers: Object.fromEntries(
      each(n, (i) => [
        `https://as${i}.example.com`,
        `https://b${i}.example.com/`,
      ]),
    ),
  }),
};

const resource = "https://mcp.example.com/mcp";
const issuer = "https://as.example.com";

/** Keys, and a token that the last one has signed. */
async function signed(n: number, claims: object) {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  // The keys have no ids, so that each may be the one.
  const other = await exportJWK((await generateKeyPair("ES256")).publicKey);
  const own = await exportJWK(publicKey);
  const exp = Math.floor(Date.now() / 1000) + 300;
  const token = await new SignJWT({
    iss: issuer,
    sub: "ada",
    aud: resource,
    exp,
    ...claims,
  })
    .setProtectedHeader({ alg: "ES256" })
    .sign(privateKey);
  return { token, keys: [...each(n, () => other), own] };
}

/** What a token, or who accepts it, has n of. */
const tokens: Readonly<
  Record<
    string,
    (n: number) => { claims?: object; keys?: number; options?: object }
  >
> = {
  keys: (n) => ({ keys: n }),
  scopes: (n) => ({
    claims: { scope: each(n, (i) => `scope:${i}`).join(" ") },
  }),
  audiences: (n) => ({
    claims: { aud: [...each(n, (i) => `https://a${i}.example.com`), resource] },
    options: { audience: each(n, (i) => `https://b${i}.example.com`) },
  }),
  "claims in each other": (n) => ({
    claims: {
      deep: each(n, () => 0).reduce<object>((inner) => ({ inner }), {}),
    },
  }),
  "implied scopes": (n) => ({
    claims: { scope: "scope:0" },
    options: {
      scopes: {
        implies: Object.fromEntries(
          each(n, (i) => [`scope:${i}`, [`scope:${i + 1}`]]),
        ),
      },
    },
  }),
  issuers: (n) => ({
    options: {
      issuers: [...each(n, (i) => `https://as${i}.example.com`), issuer],
    },
  }),
};

const server = (rows: string): string => `
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
const server = new McpServer({ name: "a", version: "1.0.0" });
${rows}`;

const rows: readonly Row[] = [
  ...ofServers("ir/read of a snapshot", (_, text) => parseSnapshot(text)),
  ...ofServers("ir/snapshot/diff", (snapshot) =>
    compareSnapshots(snapshot, { ...snapshot, tools: [] }),
  ),
  ...ofServers("stubs, view and emit of a project", (_, text) => project(text)),
  ...ofServers("convert", (snapshot) =>
    converterFor("openai-strict")?.(snapshot.tools, new Diagnostics()),
  ),
  ...ofServers("lint", (snapshot) =>
    lint([snapshot], { providers: profiles, budget: null }, new Diagnostics()),
  ),
  ...ofServers("docs", (snapshot) =>
    pageOf({ kind: "server", snapshot, protocol: null }),
  ),
  ...ofServers("card", (snapshot) =>
    cardFiles(
      snapshot,
      { name: "a", version: "1.0.0" },
      new Diagnostics().root,
    ),
  ),
  ...ofProtocols("ir/read and ir/check", (_, text) => protocolOf(text)),
  ...ofProtocols("ir/diff", (protocol) =>
    diff(protocol, {
      ...protocol,
      declarations: protocol.declarations.map((one) => ({
        ...one,
        schema: { ...one.schema, checks: [] },
      })),
    }),
  ),
  ...ofProtocols("view and emit of a revision", (protocol) =>
    generated([protocol]),
  ),
  ...Object.entries({
    tools: (n: number) =>
      server(
        each(
          n,
          (i) =>
            `server.registerTool("t${i}", { inputSchema: { a: z.string() } }, async ({ a }) => ({ content: [{ type: "text", text: a }] }));\n`,
        ).join(""),
      ),
    statements: (n: number) =>
      server(
        `server.registerTool("t", {}, async () => {\n${each(n, (i) => `  const v${i} = ${i};\n`).join("")}  return { content: [] };\n});`,
      ),
    errors: (n: number) =>
      server(
        `import { McpError, ErrorCode } from "@modelcontextprotocol/sdk/types.js";\n${each(n, (i) => `export function f${i}() { throw new McpError(ErrorCode.InvalidParams, "No."); }\n`).join("")}server.registerTool("t", {}, async () => ({ content: [] }));`,
      ),
  }).map(([of, make]): Row => [
    `migrate: ${of}`,
    (n) => {
      const source = make(n);
      return () =>
        migrate(
          [{ path: "server.ts", text: source }],
          {
            methods: new Map(),
            codes: new Map([["invalidparams", -32602]]),
            zodOf: () => 4,
            protocolOf: () => "./gen/index.js",
          },
          new Diagnostics(),
        );
    },
  ]),
  ...Object.entries(signIns).map(([of, make]): Row => [
    `auth: a sign-in with ${of}`,
    (n) => {
      const setup = setUp();
      const auth = oauth(
        setup.options({ store: memoryStore(), ...make(setup, n) }),
      );
      return () => setup.connect(auth);
    },
  ]),
  ...Object.entries(tokens).map(([of, make]): Row => [
    `auth/protect: a token with ${of}`,
    async (n) => {
      const { claims = {}, keys: count = 0, options } = make(n);
      const { token, keys } = await signed(count, claims);
      const answers: Readonly<Record<string, object>> = {
        "/jwks": { keys },
        "/.well-known/oauth-authorization-server": {
          issuer,
          jwks_uri: `${issuer}/jwks`,
        },
      };
      const fetch: typeof globalThis.fetch = async (url) =>
        Response.json(answers[new URL(String(url)).pathname]);
      const header = (name: string): string | undefined =>
        name === "authorization" ? `Bearer ${token}` : undefined;
      return async () => {
        const protection = protect({
          resource,
          issuers: [issuer],
          verify: jwt({ fetch }),
          ...options,
        });
        const request = { method: "POST", url: resource, header };
        const answer = await protection.admit(request);
        if (!("auth" in answer)) throw new Error(answer.text);
      };
    },
  ]),
  [
    "cli/config: jobs",
    (n) => {
      const path = `${directory({
        "mcpgen.config.json": JSON.stringify({
          generate: each(n, (i) => ({ version: "latest", out: `gen/${i}` })),
        }),
      })}/mcpgen.config.json`;
      return () => loadConfig(path);
    },
  ],
  ...ofRuntime,
];

/** Sizes, each twice the one before. */
const sizes = [60, 120, 240] as const;

/**
 * Twice the steps is linear, four times is quadratic; longer names break more
 * lines.
 */
const limit = 2.5;

/** The first row of each part of the program: `npm test` runs these. */
const first = new Map<string | undefined, Row>();
for (const row of [...rows].reverse()) first.set(row[0].split(":")[0], row);
const sample = new Set(first.values());

describe("the steps of", () => {
  it.each(sampled(rows, (row) => sample.has(row)))(
    "%s grow no faster than their number",
    async (_, prepare) => {
      // What is loaded or compiled once.
      await (
        await prepare(sizes[0])
      )();
      // V8 may count differently while it compiles a part anew. What grows too
      // fast does so in each round.
      let excess = Infinity;
      for (let round = 0; round < 3 && excess > 0; round++) {
        const steps: number[] = [];
        for (const size of sizes)
          steps.push(await stepsOf(await prepare(size)));
        const [one = 0, two = 0, four = 0] = steps;
        expect(one).toBeGreaterThan(0);
        // What each run does once is in no difference.
        excess = Math.min(excess, four - two - limit * (two - one));
      }
      expect(excess).toBeLessThanOrEqual(0);
    },
  );
});
