import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Message } from "../../src/generator/ir/model.js";
import type { Snapshot } from "../../src/generator/ir/snapshot/model.js";
import { declares } from "../../src/generator/view/project/protocol.js";
import { read } from "../read/typescript/reading.js";
import { root } from "../repository.js";
import { compile } from "../view/compile.js";
import {
  busyWeather,
  fixture,
  project,
  revision,
  sharingProject,
  snapshotOf,
} from "./project.js";

const legacy = await revision("2025-11-25");
const tool = (name: string): object => ({
  name,
  inputSchema: {
    type: "object",
    properties: { text: { type: "string" } },
    required: ["text"],
  },
});
const twoTools = snapshotOf({
  capabilities: { tools: {} },
  tools: [tool("count_words"), tool("shorten")],
});

/** The lines of the files that are not the same in every project. */
const linesOf = (files: ReadonlyMap<string, string>): number =>
  [...files.values()]
    .filter((text) => !text.startsWith("// Copied by mcpgen."))
    .reduce((sum, text) => sum + text.split("\n").length - 1, 0);

/** The wire methods of the rows in a generated table, sorted. */
const methodsIn = (text: string): string[] =>
  [...text.matchAll(/^ {2}method: "([^"]+)",$/gm)]
    .map(([, method]) => method ?? "")
    .sort();

describe("the protocol folder of a project", () => {
  it("is so small that a project of two tools has fewer than 2,500 lines of its own", async () => {
    const { all } = await project(twoTools);
    expect(linesOf(all)).toBeLessThan(2500);
    expect(compile(all)).toEqual([]);
  });

  it("has the messages of the session and of the declared capabilities, and no others", async () => {
    const { files } = await project(twoTools);
    expect(methodsIn(files.get("protocol/dispatch.ts") ?? "")).toEqual([
      "initialize",
      "notifications/cancelled",
      "notifications/initialized",
      "notifications/progress",
      "ping",
      "tools/call",
      "tools/list",
    ]);
    const busy = await project(busyWeather());
    expect(methodsIn(busy.files.get("protocol/dispatch.ts") ?? "")).toContain(
      "completion/complete",
    );
  });

  it("has a log function for handlers only if the server declares logging", async () => {
    const logging = await project(
      snapshotOf({ capabilities: { logging: {}, tools: {} } }),
    );
    expect(logging.files.get("protocol/server.ts")).toMatch(/^ {2}log\(/m);
    const silent = await project(twoTools);
    expect(silent.files.get("protocol/server.ts")).not.toMatch(/^ {2}log\(/m);
  });

  const ofResources = [
    "resources/list",
    "resources/read",
    "resources/templates/list",
  ];
  it.each([
    [{ tools: [tool("x")] }, ["tools/call", "tools/list"]],
    [{ prompts: [{ name: "x" }] }, ["prompts/get", "prompts/list"]],
    [{ resources: [{ name: "x", uri: "a://b" }] }, ofResources],
    [
      { resourceTemplates: [{ name: "x", uriTemplate: "a://{b}" }] },
      ofResources,
    ],
  ])(
    "has the methods of what the snapshot lists, even if it declares no capability for them: %j",
    async (entries, methods) => {
      const { files } = await project(snapshotOf(entries));
      const bare = await project(snapshotOf({}));
      const own = methodsIn(bare.files.get("protocol/dispatch.ts") ?? "");
      expect(methodsIn(files.get("protocol/dispatch.ts") ?? "")).toEqual(
        [...own, ...methods].sort(),
      );
    },
  );

  it("has the requests that a modern result carries to the client", async () => {
    const { files } = await project(twoTools, {
      protocol: await revision("2026-07-28"),
    });
    expect(methodsIn(files.get("protocol/dispatch.ts") ?? "")).toContain(
      "elicitation/create",
    );
  });

  it("exports a constant that a type names as a value", async () => {
    const schema = readFileSync(
      join(root, "schema/2025-11-25/schema.ts"),
      "utf8",
    );
    const { protocol } = await read(
      schema.replace(
        "  isError?: boolean;",
        "  isError?: boolean;\n  code?: typeof PARSE_ERROR;",
      ),
      { revision: "2025-11-25" },
    );
    if (protocol === null) throw new Error("not read");
    const { all } = await project(twoTools, { protocol });
    const lists = [
      ...(all.get("protocol/index.ts") ?? "").matchAll(
        /export (type )?\{([^}]*)\} from "\.\/types/g,
      ),
    ].map(([, type, names = ""]) => [type, names.includes("PARSE_ERROR")]);
    expect(lists).toEqual([
      ["type ", false],
      [undefined, true],
    ]);
    expect(compile(all)).toEqual([]);
  });

  it("declares types with the same text as the folder of the whole revision", async () => {
    const [part, whole] = await Promise.all([
      project(twoTools),
      sharingProject(twoTools),
    ]);
    const declared = (text: string): string[] =>
      text.split(/\n(?=\/\*\*|export )/).slice(1);
    const all = new Set(
      declared(whole.all.get("protocol/types.ts") ?? "").map((entry) =>
        entry.trim(),
      ),
    );
    const own = declared(part.all.get("protocol/types.ts") ?? "").map((entry) =>
      entry.trim(),
    );
    expect(own.filter((entry) => !all.has(entry))).toEqual([]);
    expect(own.length).toBeGreaterThan(20);
  });
});

describe("a server that declares capabilities", () => {
  it.each<[capabilities: unknown, isDeclared: boolean]>([
    [{ tools: { listChanged: true } }, true],
    [{ tools: { listChanged: {} } }, true],
    [{ tools: { listChanged: false } }, false],
    [{ tools: { listChanged: null } }, false],
    [{ tools: { toString: true } }, false],
    [{ tools: "listChanged" }, false],
    [{ tools: null }, false],
    [{}, false],
  ])(
    "has the messages of those that are on: %j",
    (capabilities, isDeclared) => {
      const declared = { capabilities } as Snapshot;
      const message = (path: string | null): Message =>
        ({ capability: path && { path } }) as Message;
      expect(declares(declared, message("tools.listChanged"))).toBe(isDeclared);
      expect(declares(declared, message(null))).toBe(true);
    },
  );
});

describe("a project that shares a protocol folder", () => {
  it("has no protocol file of its own and compiles with the strictest options", async () => {
    const { files, all } = await sharingProject(fixture("weather"), {
      protocol: legacy,
    });
    expect(
      [...files.keys()].filter((path) => path.startsWith("protocol/")),
    ).toEqual([]);
    expect(compile(all)).toEqual([]);
  });

  it("imports from the folders in its options", async () => {
    const sharedProtocol = {
      files: "../shared/2025-11-25",
      all: "../shared",
      runtime: "../shared/runtime",
    };
    const { all } = await project(fixture("weather"), {
      sharedProtocol,
      runtime: "vendored",
    });
    expect(all.get("connect.ts")).toContain(
      'from "../shared/2025-11-25/client.js"',
    );
    expect(all.get("connect.ts")).toContain(
      'from "../shared/runtime/index.js"',
    );
    expect(all.get("main.ts")).toContain('from "../shared/runtime/stdio.js"');
    expect([...all.values()].join("\n")).not.toContain('"./protocol');
  });
});
