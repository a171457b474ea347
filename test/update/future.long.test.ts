import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ServerDefinition, Transport } from "@mcpgen/runtime";
import { mcpgen, type Ended } from "../cli/support.js";
import { filesIn, put } from "../files.js";
import {
  type Edit,
  errorsOf,
  gatewayCopy,
  revisedText,
} from "../impact/kit.js";
import { deprecated, first as changes } from "../impact/revisions.js";
import { load } from "../view/generated.js";
import { update } from "./project.js";
import { serveRepository } from "./server.js";
import { tls, trust } from "./tls.js";

/**
 * The revision of the program, and the one that its repository publishes while
 * the program runs.
 */
const [now, future] = ["2027-03-01", "2027-09-01"];
const schema = (
  name: string,
  edits: readonly Edit[],
): Record<string, string> => ({
  [`schema/${name}/schema.ts`]: revisedText("2025-06-18", name, edits),
});

interface Line {
  readonly file: string;
  readonly line: number;
  readonly change: string;
  readonly advice: string | null;
  readonly code: string | null;
}

let project = "";
const program = (): { folder: string; tsconfig: string } => ({
  folder: project,
  tsconfig: join(project, "tsconfig.json"),
});
const run = async (...args: string[]): Promise<Ended> =>
  await mcpgen(args, { directory: project });

/**
 * Makes the program, publishes the future revision, and updates and generates.
 * Returns the lines of the report.
 */
async function updated(): Promise<readonly Line[]> {
  project = gatewayCopy().folder;
  rmSync(join(project, "mcpgen.config.ts"));
  const repository = await serveRepository(
    schema(now, deprecated),
    undefined,
    tls,
  );
  const from = ["--from", repository.from];
  const config = {
    generate: [{ version: "latest", out: "src/mcp" }],
  };
  put(join(project, "mcpgen.config.json"), JSON.stringify(config));
  expect(await update(project, from, trust)).toMatchObject({ code: 0 });
  expect(await run()).toMatchObject({ code: 0 });
  expect(errorsOf(program())).toEqual([]);

  repository.commit({
    ...schema(now, deprecated),
    ...schema(future, [...deprecated, ...changes]),
  });
  expect(await update(project, [...from, "--check"], trust)).toMatchObject({
    code: 1,
  });
  const { code, out } = await update(project, [...from, "--json"], trust);
  expect(code).toBe(0);
  const { impacts } = JSON.parse(out) as {
    impacts: readonly { impact: { lines: readonly Line[] } }[];
  };
  expect(await run()).toMatchObject({ code: 0 });
  const again = await update(project, from, trust);
  expect(again).toMatchObject({
    code: 0,
    err: expect.stringContaining("nothing is newer"),
  });
  return impacts.flatMap(({ impact }) => impact.lines);
}

it("a program runs with an unknown new revision after each reported line is changed as the report says", async () => {
  const lines = await updated();
  const reported = new Set(
    lines.map(({ file, line, code }) => `${file}:${line} ${code ?? ""}`),
  );
  const errors = errorsOf(program());
  expect(errors.length).toBeGreaterThan(0);
  expect(errors.filter((error) => !reported.has(error))).toEqual([]);

  for (const line of lines) follow(line);
  expect(errorsOf(program())).toEqual([]);
  expect(await run("check")).toMatchObject({ code: 0 });

  const { open, createLibrary, visit, memoryPair, serve } = await loaded();
  const [clientTransport, serverTransport] = memoryPair();
  const methods: string[] = [];
  await serve(serverTransport, createLibrary());
  const client = await open(recording(clientTransport, methods));
  expect(await visit(client)).toContain("A book of at most 100 tokens.");
  expect(methods).toContain("logging/configure");
  expect(methods).not.toContain("logging/setLevel");
  const failed = await client
    .callTool({ name: "lend", arguments: { uri: "book:///none" } })
    .catch(String);
  expect(failed).toContain("There is no such book.");
  await client.close();
});

/** Changes a line by what the report says about it, and by nothing else. */
function follow({ file, line, change, advice }: Line): void {
  const path = join(project, file);
  const text = readFileSync(path, "utf8").split("\n");
  const at = (
    from: number,
    old: string | RegExp,
    replacement: string,
  ): void => {
    const index = text.findIndex(
      (each, i) => i >= from && each.search(old) >= 0,
    );
    expect(index, `${file}:${line} ${change}`).toBeGreaterThanOrEqual(from);
    text[index] = (text[index] ?? "").replaceAll(old, replacement);
  };
  const start = line - 1;
  const renamed = /\b(\w+)` is renamed to `(\w+)`/.exec(change);
  if (renamed !== null) {
    const [, from = ""] = renamed;
    const [, instead = ""] = /^write `([^`]+)`$/.exec(advice ?? "") ?? [];
    expect(instead).not.toBe("");
    at(start, new RegExp(`\\b${from}\\b`, "g"), instead);
  } else if (advice === "add `provider: string`") {
    // The object of the handler begins at the line, and any place in it is
    // right.
    at(start, 'model: "small",', 'model: "small", provider: "local",');
  } else if (advice === "write a value that is at most 100") {
    at(start, "maxTokens: 400", "maxTokens: 100");
  } else {
    expect(advice ?? `${file}:${line} ${change}`).toMatch(
      /^the schema says: .*logging\/configure/,
    );
    // Two errors are on one line.
    const written = text[start] ?? "";
    text[start] = written
      .replace("logging/setLevel", "logging/configure")
      .replace("setLevel(", "configureLog(");
  }
  put(path, text.join("\n"));
}

/** Adds the method of each message that is sent. */
function recording(transport: Transport, methods: string[]): Transport {
  const send = transport.send.bind(transport);
  const recorded: Transport["send"] = (message, options) => {
    methods.push(String((message as { readonly method?: string }).method));
    return send(message, options);
  };
  return Object.assign(transport, { send: recorded });
}

interface Client {
  callTool(params: object): Promise<object>;
  close(): Promise<void>;
}

interface Program {
  readonly open: (transport: Transport) => Promise<Client>;
  readonly createLibrary: () => ServerDefinition;
  readonly visit: (client: Client) => Promise<string[]>;
  readonly memoryPair: () => [Transport, Transport];
  readonly serve: (
    transport: Transport,
    server: ServerDefinition,
  ) => Promise<unknown>;
}

async function loaded(): Promise<Program> {
  const files = new Map(Object.entries(filesIn(join(project, "src"))));
  const all = `export * from "./client.js";
export * from "./library.js";
export { memoryPair, serve } from "@mcpgen/runtime";
`;
  return (await load(files.set("all.ts", all), "all.ts")) as unknown as Program;
}
