import { build } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import { IMPORTED } from "../../src/view/typescript/guards/names.js";
import { runtimeSources } from "../sources.js";
import { revisions } from "../repository.js";
import { folder, mcpgen } from "./running.js";

const [old = "", newest = ""] = [revisions[0], revisions.at(-1)];
let out: string;

beforeAll(async () => {
  out = folder();
  for (const version of [old, newest, `${old},${newest}`]) {
    await mcpgen(["--version", version, "--out", version, "--quiet"], { cwd: out });
  }
});

/** Bundles what a program uses. Returns the functions, constants and classes in it, and the files that any of it is from. */
async function bundled(text: string): Promise<{ names: string[]; files: string[]; text: string }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: text, resolveDir: out, loader: "ts" },
    bundle: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    write: false,
    metafile: true,
    logLevel: "silent",
    plugins: [runtimeSources],
  });
  const [output] = Object.values(metafile.outputs);
  const code = outputFiles[0]?.text ?? "";
  const declared = [...code.matchAll(/^(?:var|let|const|(?:async )?function\*?|class) ([\w$]+)/gm)];
  return {
    text: code,
    names: declared.map(([, name = ""]) => name),
    files: Object.entries(output?.inputs ?? {}).flatMap(([path, { bytesInOutput }]) =>
      bytesInOutput === 0 || path === "<stdin>" ? [] : [path.replace(/^.*\//, "")],
    ),
  };
}

/** The guards of types; `isObject` and its like are of the core. */
const guardsIn = (names: readonly string[]): string[] =>
  names.filter((name) => /^is[A-Z]/.test(name) && !IMPORTED.includes(name));

/** What a call of a tool has no use for. */
const strangers = [
  "Client",
  "clientSide",
  "createServer",
  "serverSide",
  "protocol",
  "classify",
  "callTool",
  "revision",
  "isTool",
  "isListToolsRequest",
  "isListToolsResult",
  "isCallToolResult",
  "isPrompt",
  "isResource",
  "isServerCapabilities",
  "isCompleteRequest",
  "isJSONRPCMessage",
  "isClientRequest",
  "isServerResult",
];

describe.each([old, newest])("of the page of revision %s", (revision) => {
  it("one guard brings what it calls, and neither client nor server nor table", async () => {
    const { names, files, text } = await bundled(
      `import { isCallToolRequest } from "./${revision}/index.js";\nconsole.log(isCallToolRequest({}));`,
    );
    expect(names).toContain("isCallToolRequest");
    expect(new Set(files)).toEqual(new Set(["validate.ts", "validators.ts"]));
    if (revision === old) expect(guardsIn(names)).toEqual(["isCallToolRequest"]);
    // Later requests carry answers to questions, and so all that an answer may hold: content, roots, what was elicited.
    for (const stranger of strangers) expect(names).not.toContain(stranger);
    expect(names.filter((name) => name.endsWith("Schema"))).toEqual([]);
    expect(text).not.toContain("tools/list");
    expect(text).not.toContain("class ");
  });

  it("one constant brings nothing else", async () => {
    const { names, files } = await bundled(
      `import { LATEST_PROTOCOL_VERSION } from "./${revision}/index.js";\nconsole.log(LATEST_PROTOCOL_VERSION);`,
    );
    expect(names).toEqual(["LATEST_PROTOCOL_VERSION"]);
    expect(files).toEqual(["types.ts"]);
  });

  it("a type brings nothing at all", async () => {
    const { names } = await bundled(
      `import type { Tool } from "./${revision}/index.js";\nexport const name = (tool: Tool): string => tool.name;`,
    );
    expect(names).toEqual(["name"]);
  });

  it("one schema brings its guard and what tells a fault", async () => {
    const { names, files } = await bundled(
      `import { ToolSchema } from "./${revision}/index.js";\nconsole.log(ToolSchema.safeParse({}));`,
    );
    expect(names).toEqual(expect.arrayContaining(["ToolSchema", "isTool", "schema", "ValidationError"]));
    expect(names.filter((name) => name.endsWith("Schema"))).toEqual(["ToolSchema"]);
    expect(new Set(files)).toEqual(new Set(["validate.ts", "validators.ts"]));
  });

  it("a client brings one engine, and no server", async () => {
    const { names, files, text } = await bundled(
      `import { Client } from "./${revision}/index.js";\nconsole.log(Client);`,
    );
    expect(text).toContain("static async connect(");
    expect(files).not.toContain("server.ts");
    expect(names).not.toContain("createServer");
    const [own, other] = revision === old ? ["legacy", "modern"] : ["modern", "legacy"];
    expect(files).toContain(`${own}-client.ts`);
    expect(files.filter((name) => name.startsWith(`${other}-`) || name.startsWith(`${own}-server`))).toEqual(
      [],
    );
  });
});

it("one revision of the page of several brings nothing of the others", async () => {
  const { names, text } = await bundled(
    `import { isTool } from "./${old},${newest}/${old}/index.js";\nconsole.log(isTool({}));`,
  );
  expect(names).toContain("isTool");
  expect(text).not.toContain("ttlMs");
});
