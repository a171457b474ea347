import { readFileSync, writeFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import * as mcp from "../../generated/index.js";
import { codeFiles } from "../../src/commands/code/files.js";
import { templates } from "../view/generated.js";
import { importPath } from "../../src/generator/view/typescript/code.js";
import {
  type CatalogServer,
  makeCode,
  serveCode,
} from "../../src/runtime/code.js";
import { readText } from "../stubs/project.js";
import { load } from "../view/generated.js";

/**
 * The tokens that a model reads of recorded servers, as the guide on code mode
 * shows them. `MCPGEN_FIGURES=write` writes them into the page.
 */
const page = "test/examples/code/README.md";
const two = ["everything", "filesystem"].map(
  (name) => `test/examples/servers/${name}.mcp.json`,
);
const five = [
  ...two,
  ...["memory", "chart", "thinking"].map(
    (name) => `test/fixtures/snapshots/${name}.mcp.json`,
  ),
];

/** The tokens of a text, about, as `mcpgen lint` counts them. */
const tokensOf = (text: string): number => Math.ceil(text.length / 4);

/** What a model reads of some servers, and the number of their tools. */
async function costOf(paths: readonly string[]) {
  const servers = [];
  let schemas = 0;
  let tools = 0;
  for (const path of paths) {
    const text = readFileSync(path, "utf8");
    const { snapshot } = await readText(text);
    if (snapshot === null) throw new Error(`${path} is no snapshot`);
    const recorded = JSON.parse(text) as { readonly tools: readonly object[] };
    schemas += tokensOf(JSON.stringify(recorded.tools));
    tools += recorded.tools.length;
    servers.push({ name: snapshot.name, snapshot });
  }
  const files = codeFiles(servers, templates, importPath(".js"));
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const catalog = await load(texts, "catalog.ts");
  const api = catalog["api"] as string;
  const code = makeCode({}, catalog["servers"] as CatalogServer[], api);
  const found = code.search("read a text file");
  const [, best = ""] = /^(.*?)\(/.exec(found) ?? [];
  const [offered, searched, described] = [
    await offer(code),
    tokensOf(found),
    tokensOf(code.describe([best])),
  ];
  return {
    tools,
    figures: [
      schemas,
      tokensOf(code.index),
      offered,
      searched,
      described,
      offered + searched + described,
    ],
  };
}

/** What a host tells its model of a server over code mode. */
async function offer(code: Parameters<typeof serveCode>[0]): Promise<number> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const serving = serveCode(code, mcp, { input, output, console: false });
  const lines = output.setEncoding("utf8")[Symbol.asyncIterator]();
  const ask = async (method: string, params: object) => {
    const request = { jsonrpc: "2.0", id: 1, method, params };
    input.write(`${JSON.stringify(request)}\n`);
    const { value } = (await lines.next()) as { readonly value: string };
    return (JSON.parse(value) as { readonly result: object }).result;
  };
  const opened = await ask("initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "host", version: "1" },
  });
  const listed = await ask("tools/list", {});
  input.end();
  await serving;
  const { instructions } = opened as { readonly instructions: string };
  const { tools } = listed as { readonly tools: object };
  return tokensOf(instructions + JSON.stringify(tools));
}

/** The rows of a table as Prettier writes them. */
function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, i) =>
    Math.max(...rows.map((row) => row[i]?.length ?? 0)),
  );
  const lineOf = (row: readonly string[]): string => {
    const cells = row.map((cell, i) =>
      i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0),
    );
    return `| ${cells.join(" | ")} |\n`;
  };
  const [head = [], ...others] = rows;
  const rule = widths.map((width, i) =>
    i === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`,
  );
  return [head, rule, ...others].map(lineOf).join("");
}

const what = [
  "the schemas of all tools",
  "`code.index`",
  "the four tools of `serveCode`, with the index",
  "a search for “read a text file”",
  "the whole text of the best tool that it finds",
  "these three together",
];

it("the guide on code mode says how many tokens a model reads of two and of five servers", async () => {
  const costs = [await costOf(two), await costOf(five)];
  const head = costs.map(
    ({ tools }, i) => `${[two, five][i]?.length} servers, ${tools} tools`,
  );
  const table = tableOf([
    ["what a model reads, in tokens", ...head],
    ...what.map((name, row) => [
      name,
      ...costs.map(({ figures }) => (figures[row] ?? 0).toLocaleString("en")),
    ]),
  ]);
  const text = readFileSync(page, "utf8");
  if (process.env["MCPGEN_FIGURES"] === "write")
    writeFileSync(
      page,
      text.replace(/^\| what a model reads[^]*?\n(?=\n)/m, table),
    );
  else expect(text).toContain(table);
});
