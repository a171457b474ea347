import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeOutput } from "../../src/cli/commands/call/output.js";
import type { Context } from "../../src/cli/command.js";
import { makeStyle } from "../../src/cli/terminal.js";
import { put } from "../files.js";
import { answering, type Answer, type Message } from "./answering.js";
import { directory, mcpgen, runHere } from "./support.js";

const tools = [{ name: "look", inputSchema: { type: "object" } }];

/** The URL of a server with one tool. */
const serving = async (
  answer: (params: Message) => Answer,
  received?: (message: Message) => void,
): Promise<string> =>
  await answering(
    (method, params) =>
      method === "tools/list"
        ? { result: { tools } }
        : method === "tools/call"
          ? answer(params)
          : {},
    received,
  );
const progressOf = (params: Message, more: object) => {
  const { progressToken } = params["_meta"] as Message;
  return {
    method: "notifications/progress",
    params: { progressToken, ...more },
  };
};

describe("mcpgen call", () => {
  it("prints a result of as many levels as the limit, and refuses one with more", async () => {
    const nested = (levels: number): unknown =>
      levels === 0 ? 1 : [nested(levels - 1)];
    const call = async (levels: number) => {
      const result = { content: [], structuredContent: { a: nested(levels) } };
      return await runHere(["call", await serving(() => ({ result })), "look"]);
    };
    expect(await call(398)).toMatchObject({ code: 0, err: "" });
    const { code, out, err } = await call(399);
    expect([code, out, err]).toEqual([
      3,
      "",
      "MG731 the server exceeds a limit: The result is nested more than 400 levels deep.\n",
    ]);
  });

  it("shows how far the call is, of how much and with which message, as far as the server says it", async () => {
    const steps = [
      [{ progress: 1 }, "1"],
      [{ progress: 2, total: 4 }, "2 of 4"],
      [{ progress: 3, message: "half" }, "3: half"],
      [{ progress: 4, total: 4, message: "é".repeat(501) }, "é".repeat(500)],
    ] as const;
    const url = await serving((params) => ({
      before: steps.map(([step]) => progressOf(params, step)),
      result: { content: [] },
    }));
    const { statuses } = await runHere(["call", url, "look"]);
    expect(statuses).toEqual([
      "tools: 1",
      "calling look",
      ...steps.map(([{ progress }, shown]) =>
        progress === 4 ? `4 of 4: ${shown}` : shown,
      ),
      null,
      null,
    ]);
  });

  it("declares each capability, answers each request of the server, and says once for a method that it declines it", async () => {
    const received: Message[] = [];
    const url = await serving(
      () => ({
        before: [
          { id: 1, method: "roots/list" },
          { id: 2, method: "roots/list" },
          {
            id: 3,
            method: "sampling/createMessage",
            params: { messages: [], maxTokens: 1 },
          },
          {
            id: 4,
            method: "elicitation/create",
            params: {
              message: "Who?",
              requestedSchema: { type: "object", properties: {} },
            },
          },
        ],
        result: { content: [] },
      }),
      (message) => void received.push(message),
    );
    const { code, err } = await runHere(["call", url, "look"]);
    expect([code, err]).toEqual([
      0,
      `the server sent roots/list, which mcpgen declines
the server sent sampling/createMessage, which mcpgen declines
the server sent elicitation/create, which mcpgen declines
`,
    ]);
    const answers = received.filter(({ method }) => method === undefined);
    expect(answers).toEqual([
      { jsonrpc: "2.0", id: 1, result: { roots: [] } },
      { jsonrpc: "2.0", id: 2, result: { roots: [] } },
      {
        jsonrpc: "2.0",
        id: 3,
        error: {
          code: -1,
          message: "mcpgen declines all requests of a server.",
        },
      },
      { jsonrpc: "2.0", id: 4, result: { action: "decline" } },
    ]);
    const declared = received
      .filter(({ method }) => /discover|initialize$/.test(String(method)))
      .map(({ params = {} }) => params as Message)
      .map(({ _meta: meta, capabilities }) =>
        meta === undefined
          ? capabilities
          : (meta as Message)["io.modelcontextprotocol/clientCapabilities"],
      );
    const common = {
      sampling: { tools: {}, context: {} },
      elicitation: { form: {}, url: {} },
    };
    expect(declared).toEqual([
      { ...common, roots: {} },
      {
        ...common,
        roots: { listChanged: true },
        tasks: {
          list: {},
          cancel: {},
          requests: {
            sampling: { createMessage: {} },
            elicitation: { create: {} },
          },
        },
      },
    ]);
  });

  it.each([
    [1, ""],
    [2, ", and 1 more like it"],
    [3, ", and 2 more like it"],
  ])(
    "warns once of %i messages that are not valid, and shows the first",
    async (count, more) => {
      const levels = ["no", "number", "neither"].slice(0, count);
      const before = levels.map((level) => ({
        method: "notifications/message",
        params: { level, data: "" },
      }));
      const url = await serving(() => ({ before, result: { content: [] } }));
      const { code, err } = await runHere(["call", url, "look"]);
      expect([code, err]).toEqual([
        0,
        `MG736 warning: the server sent an invalid message: notifications/message: params.level: expected "debug", "info", "notice", "warning", "error", "critical", "alert" or "emergency", got "no"${more}\n`,
      ]);
    },
  );
});

describe("a long name of a tool", () => {
  const [name, shown] = ["x".repeat(81), "x".repeat(80)];
  const long = async (): Promise<string> =>
    await answering((method) => ({
      result:
        method === "tools/list"
          ? { tools: [{ name, inputSchema: { type: "object" } }] }
          : { content: [], isError: true },
    }));

  it("is cut where the tool reports an error, and where another one is called", async () => {
    const failed = await runHere(["call", await long(), name]);
    expect([failed.code, failed.err]).toEqual([
      1,
      `MG759 the tool "${shown}" reports an error\n`,
    ]);
    const other = await runHere(["call", await long(), "y".repeat(81)]);
    expect([other.code, other.err]).toEqual([
      2,
      `MG744 the server offers no tool "${"y".repeat(80)}"\n    hint: it offers ${shown}\n`,
    ]);
  });
});

describe("mcpgen pull", () => {
  it("warns of the first hundred faults", async () => {
    const faulty = (_: unknown, i: number) => ({
      ...tools[0],
      name: `t${i}`,
      annotations: { title: 5 },
    });
    const url = await answering(() => ({
      result: { tools: Array.from({ length: 101 }, faulty) },
    }));
    const { code, err } = await runHere(["pull", url, "--check", "-o", "a"]);
    const warnings = err.match(/^MG736 warning: .*$/gm);
    expect([code, warnings?.length, warnings?.at(-1)]).toEqual([
      1,
      100,
      'MG736 warning: tools/list: tools[99] "t99" is read without annotations: annotations.title: expected a string, got 5.',
    ]);
  });
});

describe("mcpgen add", () => {
  it.each([
    ["gen.", "./gen."],
    [".gen", "./.gen"],
    ["../gen", "../gen"],
  ])(
    "prints a program that imports the client from the folder %s, also for a server of which only the snapshot is known",
    async (out, folder) => {
      const job = { snapshot: "desk.mcp.json", out };
      const place = join(directory(), "project");
      const snapshot = {
        format: 1,
        revision: "2025-11-25",
        server: { name: "desk", version: "1.0.0" },
        capabilities: { tools: {} },
        tools,
      };
      put(join(place, "desk.mcp.json"), JSON.stringify(snapshot));
      put(
        join(place, "mcpgen.config.json"),
        JSON.stringify({ servers: [job] }),
      );
      const { code, err } = await mcpgen(["add", "desk"], { directory: place });
      expect(code, err).toBe(0);
      expect(err).toContain(
        `import { connectDesk } from "${folder}/connect.js";\n`,
      );
    },
  );

  it("overwrites a file only if it is a snapshot", async () => {
    const url = await serving(() => ({}));
    const place = directory({ "desk.mcp.json": "{}" });
    const { code, out, err } = await runHere(
      ["add", url, "--save-only", "--name", "desk"],
      place,
    );
    expect([code, out, err]).toEqual([
      2,
      "",
      "MG802 desk.mcp.json is not a snapshot and would be overwritten\n    hint: choose another name with --name\n",
    ]);
    expect(readdirSync(place)).toEqual(["desk.mcp.json"]);
    expect(readFileSync(join(place, "desk.mcp.json"), "utf8")).toBe("{}");
  });
});

describe("the output of a call", () => {
  const image = { type: "image", data: "AAEC", mimeType: "image/png" };
  const audio = { type: "audio", data: "AQ==", mimeType: "audio/wav" };
  const blob = { uri: "a://b", blob: "AgI=" };
  const text = (value: unknown) => ({ type: "text", text: value });
  const written = (name: string, bytes: number): string =>
    `${name}: written, ${bytes} B\n`;

  /** The files that are written for a result, and what is printed. */
  async function writtenFor(json: object, place = directory(), exitCode = 0) {
    const report = { exitCode, diagnostics: [], json } as never;
    const context = { directory: place } as Context;
    const { text: told, data } = await writeOutput(report, "a.bin", context);
    const style = makeStyle(false);
    const names = readdirSync(place, { recursive: true }) as string[];
    const files = names
      .filter((name) => name.endsWith(".bin"))
      .sort()
      .map((name) => [
        name,
        readFileSync(join(place, name)).toString("latin1"),
      ]);
    return { files, told: told?.(style), data: data?.(style) };
  }

  it.each<[result: object, files: object, told: string, data: string]>([
    [{ content: [] }, { "a.bin": '{\n  "content": []\n}\n' }, "20", ""],
    [{}, { "a.bin": "{}\n" }, "3", ""],
    [
      { content: [], structuredContent: { a: 1 } },
      { "a.bin": '{\n  "a": 1\n}\n' },
      "13",
      "",
    ],
    [{ content: [text("a"), text("b")] }, { "a.bin": "a\nb" }, "3", ""],
    [{ content: [text("a"), text(1), 1, null] }, { "a.bin": "a" }, "1", ""],
    [
      { content: [text("a"), image, text("b")] },
      { "a.bin": "\0\u0001\u0002" },
      "3",
      "a\nb\n",
    ],
    [
      { content: [image, audio, { type: "resource", resource: blob }] },
      {
        "a-2.bin": "\u0001",
        "a-3.bin": "\u0002\u0002",
        "a.bin": "\0\u0001\u0002",
      },
      "3 1 2",
      "",
    ],
    [{ contents: [{ uri: "a://b", text: "a" }] }, { "a.bin": "a" }, "1", ""],
    [{ contents: [blob] }, { "a.bin": "\u0002\u0002" }, "2", ""],
    [
      {
        messages: [
          { role: "user", content: text("a") },
          {
            role: "user",
            content: { type: "resource", resource: { text: "b" } },
          },
        ],
      },
      { "a.bin": "a\nb" },
      "3",
      "",
    ],
    [
      {
        messages: [
          { role: "user", content: image },
          { role: "user", content: text("a") },
        ],
      },
      { "a.bin": "\0\u0001\u0002" },
      "3",
      "user: a\n",
    ],
  ])("is written for %j", async (result, files, sizes, data) => {
    const names = Object.keys(files).sort((a) => (a === "a.bin" ? -1 : 0));
    expect(await writtenFor(result)).toEqual({
      files: Object.entries(files),
      told: sizes
        .split(" ")
        .map((size, i) => written(names[i] ?? "", Number(size)))
        .join(""),
      data,
    });
  });

  it("is beside the first file up to 21 files, and in a folder if they are more", async () => {
    const last = async (count: number) => {
      const { files } = await writtenFor({
        content: Array.from({ length: count }, () => audio),
      });
      return [
        files.length,
        files.filter(([name]) => /2.\.bin/.test(name ?? "")).at(-1)?.[0],
      ];
    };
    expect(await last(21)).toEqual([21, "a-21.bin"]);
    expect(await last(22)).toEqual([22, "a-files/22.bin"]);
  });

  it("replaces only the first file, and writes nothing if another one exists", async () => {
    const place = directory({ "a.bin": "old" });
    const two = { content: [audio, image] };
    put(join(place, "a-2.bin"), "own");
    await expect(writtenFor(two, place)).rejects.toMatchObject({
      diagnostics: [
        {
          code: "MG802",
          message: "a-2.bin exists, and the result has 2 files",
          hint: "move it away, or name another file with --output",
        },
      ],
    });
    expect(readFileSync(join(place, "a.bin"), "utf8")).toBe("old");
    rmSync(join(place, "a-2.bin"));
    expect((await writtenFor(two, place)).files.map(([name]) => name)).toEqual([
      "a-2.bin",
      "a.bin",
    ]);
  });

  it("removes the further files if the first one cannot be written", async () => {
    const place = directory({ "a.bin/own.txt": "" });
    await expect(
      writtenFor({ content: [audio, image] }, place),
    ).rejects.toThrow(/EISDIR|is a directory/);
    expect(readdirSync(place)).toEqual(["a.bin"]);
  });

  it("is nothing if the tool reports an error", async () => {
    const { files } = await writtenFor({ content: [text("a")] }, undefined, 1);
    expect(files).toEqual([]);
  });
});
