/**
 * A program of a user's own: a generated client against a generated server, in
 * memory. Prints what the tool said.
 */
export const talk = `
import { memoryPair, serve } from "@mcpgen/runtime";
import { Client, createServer } from "./gen/index.js";

const info = { name: "packed", version: "1.0.0" };
const server = createServer({
  info,
  handlers: {
    "tools/list": () => ({ tools: [{ name: "echo", inputSchema: { type: "object" } }] }),
    "tools/call": (params) => ({ content: [{ type: "text", text: String(params.arguments?.["text"]) }] }),
  },
});
const [left, right] = memoryPair();
await serve(right, server);
const client = await Client.connect(left, { info });
const { tools } = await client.listTools();
const { content } = await client.callTool({ name: tools[0]?.name ?? "", arguments: { text: "hello" } });
const [block] = content;
console.log(block?.type === "text" ? block.text : "no text");
await client.close();
`;

/** A configuration, and a program that uses the library with its types. */
export const library = `
import { defineConfig, diff, generate, readSchema, renderText, SchemaError, type Protocol } from "mcpgen";
import { index } from "mcpgen/ir";

export default defineConfig({ generate: [{ version: "latest", out: "gen", emit: ["types"] }] });

export async function compare(a: string, b: string): Promise<string> {
  try {
    const [old, fresh]: [Protocol, Protocol] = [await readSchema(a), await readSchema(b)];
    const { files } = await generate({ protocols: [fresh] });
    return [renderText(diff(old, fresh)), files.length, index(fresh.declarations).size].join();
  } catch (error) {
    return error instanceof SchemaError ? error.diagnostics.map(({ message }) => message).join() : "";
  }
}
`;

/**
 * A program of CommonJS, in TypeScript: the same two, and the library of
 * mcpgen.
 */
export const commonTalk = `
import { defineConfig, generate, readSchema } from "mcpgen";
import { index } from "mcpgen/ir";
${talk.replace(/^const \[left[^]*$/m, (body) => `async function main(): Promise<void> {\n${body}}`)}
async function library(): Promise<void> {
  const protocol = await readSchema("2025-03-26");
  const { files } = await generate({ protocols: [protocol], emit: ["types"] });
  console.log(files.length, index(protocol.declarations).size > 80, defineConfig({}) !== undefined);
}
void main().then(library);
`;

/**
 * A program of CommonJS that requires every entry which has code, and prints
 * whether it has exports.
 */
export const commonRequire = `
for (const name of ["mcpgen", "@mcpgen/runtime", "@mcpgen/auth"]) {
  const { exports } = require(name + "/package.json");
  for (const [entry, target] of Object.entries(exports)) {
    if (typeof target !== "object") continue;
    const path = name + entry.slice(1);
    console.log(path, Object.keys(require(path)).length > 0);
  }
}
`;

/** The same with `import`. */
export const everyImport = `
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
for (const name of ["mcpgen", "@mcpgen/runtime", "@mcpgen/auth"]) {
  const { exports } = require(name + "/package.json");
  for (const [entry, target] of Object.entries(exports)) {
    if (typeof target !== "object") continue;
    const path = name + entry.slice(1);
    console.log(path, Object.keys(await import(path)).length > 0);
  }
}
`;

/**
 * A program with a copied runtime: a protected server, and a client that cannot
 * sign in. Prints why, whether the copy takes the error for one of the
 * transport, and its status.
 */
export const copied = `
import { isAuthorizationError, oauth } from "@mcpgen/auth";
import { fileStore } from "@mcpgen/auth/login";
import { protect } from "@mcpgen/auth/protect";
import { Client, createServer } from "./gen/index.js";
import { createHttpHandler, http } from "./gen/runtime/http.js";
import { isTransportError } from "./gen/runtime/index.js";

const info = { name: "copied", version: "1.0.0" };
const protection = protect({ resource: "https://example.com/mcp", issuers: ["https://issuer.example.com"] });
const handler = createHttpHandler(createServer({ info, handlers: {} }), { protect: protection });
const auth = oauth({
  store: fileStore({ folder: "tokens" }),
  fetch: async (url) =>
    url.host === "example.com"
      ? handler(new Request(url))
      : Response.json({
          issuer: "https://issuer.example.com",
          authorization_endpoint: "https://issuer.example.com/authorize",
          token_endpoint: "https://issuer.example.com/token",
          response_types_supported: ["code"],
          code_challenge_methods_supported: ["S256"],
        }),
});
const transport = http("https://example.com/mcp", { auth, fetch: async (input, init) => handler(new Request(input, init)) });
try {
  await Client.connect(transport, { info });
} catch (error) {
  if (isAuthorizationError(error)) console.log(error.reason, isTransportError(error), error.status);
  else console.log(error);
}
`;

const compilerOptions = {
  target: "ES2022",
  lib: ["ES2022", "DOM"],
  module: "NodeNext",
  outDir: "built",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  isolatedModules: true,
  skipLibCheck: false,
  types: [],
};

/** As strict as a user may be. */
export const tsconfig = configFor(["talk.ts", "library.ts", "gen"], {
  verbatimModuleSyntax: true,
});

/** The same for the program with a copied runtime. */
export const copiedTsconfig = configFor(["copied.ts", "gen"], {
  verbatimModuleSyntax: true,
  lib: ["ES2022", "DOM", "DOM.Iterable"],
  types: ["node"],
});

/**
 * The same for a package of CommonJS, where `nodenext` compiles to `require`.
 */
export const commonTsconfig = configFor(["common.ts", "gen"]);

function configFor(include, options = {}) {
  return JSON.stringify({
    compilerOptions: { ...compilerOptions, ...options },
    include,
  });
}
