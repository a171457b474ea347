// The stubs of 100 tools: their time compared with a library that only makes
// the types, the type instantiations of the client, and their growth.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { compile } from "json-schema-to-typescript";
import { above, inScratch, median, revision, root, table } from "./shared.mjs";
import { growth } from "./growth.mjs";
import { instantiations, project } from "./tsc.mjs";

const runs = 7;
/**
 * Budgets: the ratio to the time of compile(), and the instantiations of a
 * client.
 */
const budgets = { time: 2, instantiations: 2_500 };

/**
 * Typical tools: several members, a nested object, an array and an enumeration;
 * every other tool has an output schema.
 */
const tools = Array.from({ length: 100 }, (_, i) => ({
  name: `tool_${i}`,
  description: `Does the thing number ${i}, and says how it went.`,
  ...(i % 3 === 0 ? { annotations: { readOnlyHint: true } } : {}),
  inputSchema: {
    type: "object",
    properties: {
      path: { type: "string", description: "Where it is.", minLength: 1 },
      limit: {
        type: "integer",
        minimum: 1,
        maximum: 100,
        description: "How many at most.",
      },
      mode: { enum: ["fast", "safe", `own-${i}`] },
      tags: { type: "array", items: { type: "string" }, maxItems: 10 },
      filter: {
        type: "object",
        properties: {
          field: { type: "string" },
          value: { type: ["string", "number", "null"] },
        },
        required: ["field"],
        additionalProperties: false,
      },
    },
    required: ["path"],
    additionalProperties: false,
  },
  ...(i % 2 === 0
    ? {
        outputSchema: {
          type: "object",
          properties: {
            items: {
              type: "array",
              items: {
                type: "object",
                properties: {
                  id: { type: "string" },
                  score: { type: "number" },
                },
              },
            },
            total: { type: "integer" },
          },
          required: ["items"],
        },
      }
    : {}),
}));
const text = JSON.stringify({
  format: 1,
  revision,
  server: { name: "bench", version: "1.0.0" },
  capabilities: { tools: {} },
  tools,
});

/** The pipeline from a snapshot to files, built from its sources. */
async function pipeline() {
  // Inside the repository, so that packages and schemas are found.
  const outfile = join(
    root,
    "node_modules",
    ".cache",
    `bench-stubs-${process.pid}.mjs`,
  );
  await build({
    stdin: {
      contents: [
        'export { generateStubs } from "./stubs.ts";',
        'export { parseSnapshot } from "./inputs/snapshots.ts";',
        'export { readSchema } from "./api.ts";',
        'export { builtInTemplates } from "./inputs/templates.ts";',
        'export { Diagnostics } from "./diagnostics.ts";',
      ].join("\n"),
      resolveDir: join(root, "src"),
      loader: "ts",
    },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    logLevel: "error",
  });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile);
  }
}

/** The median time of the runs in seconds, after a warm-up run. */
async function timed(run) {
  const seconds = [];
  for (let i = 0; i <= runs; i++) {
    const begin = performance.now();
    await run();
    if (i > 0) seconds.push((performance.now() - begin) / 1000);
  }
  return median(seconds);
}

const {
  builtInTemplates,
  generateStubs,
  parseSnapshot,
  readSchema,
  Diagnostics,
} = await pipeline();
const protocol = await readSchema(revision);
const templates = await builtInTemplates();

async function stubs() {
  const diagnostics = new Diagnostics();
  const snapshot = await parseSnapshot(
    { text, file: "bench.json", name: "bench.json" },
    diagnostics,
  );
  return generateStubs(
    {
      snapshot,
      protocols: [protocol],
      templates,
      emit: ["client", "server", "mock", "adapters"],
    },
    diagnostics,
  ).files;
}

async function compiled() {
  for (const { name, inputSchema, outputSchema } of tools) {
    await compile(structuredClone(inputSchema), `${name}_input`);
    if (outputSchema)
      await compile(structuredClone(outputSchema), `${name}_output`);
  }
}

const [theirs, ours] = [await timed(compiled), await timed(stubs)];
console.log(
  `Stubs for ${tools.length} tools, in one process, the protocol's schema read beforehand\n`,
);
table(
  ["what", "time", "of compile()", ""],
  [
    [
      "json-schema-to-typescript, compile() of each schema",
      `${(theirs * 1000).toFixed(0)} ms`,
      "1.00 ×",
      "",
    ],
    [
      "stubs: types, validators, client, server, mock, adapters",
      `${(ours * 1000).toFixed(0)} ms`,
      `${(ours / theirs).toFixed(2)} ×`,
      above(ours / theirs, budgets.time),
    ],
  ],
);

const use = `
import { type Caller, createBenchClient } from "./gen/client.js";
export async function use(caller: Caller): Promise<unknown> {
  const { tools, readOnly } = createBenchClient(caller);
  const result = await tools.tool0({ path: "x", mode: "fast" });
  await readOnly.tools.tool3({ path: "x" });
  return result.isError === true ? result.content : result.structuredContent.items[0]?.id;
}
`;

await inScratch(async (scratch) => {
  project(
    scratch,
    { "use.ts": use, "empty.ts": 'console.log("hello");\n' },
    {
      "@types/node": join(root, "node_modules/@types/node"),
      "undici-types": join(root, "node_modules/undici-types"),
      "@mcpgen/runtime": join(root, "src/runtime"),
    },
  );
  for (const { path, text } of await stubs()) {
    const file = join(scratch, "gen", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const base = instantiations(scratch, ["empty.ts"]);
  const row = (name, files, most = Infinity) => {
    const [count, types, seconds] = instantiations(scratch, files);
    return [
      name,
      count,
      count - base[0],
      types,
      `${seconds.toFixed(2)} s`,
      above(count, most, ""),
    ];
  };
  console.log("");
  table(
    [
      "program",
      "instantiations",
      "beyond an empty one",
      "types",
      "check time",
      "",
    ],
    [
      ["an empty program", base[0], 0, base[1], `${base[2].toFixed(2)} s`, ""],
      row("a client of 100 tools", ["use.ts"], budgets.instantiations),
      row("the same and its connection", ["use.ts", "gen/connect.ts"]),
      row("the whole project", [
        "use.ts",
        "gen/index.ts",
        "gen/mock.ts",
        "gen/adapters.ts",
      ]),
    ],
  );
});

await growth();
