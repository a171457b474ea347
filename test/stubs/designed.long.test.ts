import { describe, expect, it } from "vitest";
import {
  clientQuestions,
  connect,
  type Revision,
} from "../../generated/index.js";
import { loadRuntimeSource } from "../../src/generator/inputs/package.js";
import { revisions } from "../repository.js";
import { compile } from "../view/compile.js";
import { load } from "../view/generated.js";
import { project, type Project, readText } from "./project.js";

/** A file that a person wrote, with what a server can have. */
const designed = (members: object = {}): string =>
  JSON.stringify({
    server: { name: "desk", version: "1.0.0" },
    capabilities: {
      tools: {},
      prompts: {},
      resources: { subscribe: true },
      completions: {},
      logging: {},
    },
    tools: [
      {
        name: "echo",
        title: "Echo",
        inputSchema: {
          type: "object",
          properties: { text: { type: "string" } },
        },
      },
      {
        name: "count",
        inputSchema: { type: "object" },
        outputSchema: {
          type: "object",
          properties: { count: { type: "integer" } },
          required: ["count"],
        },
      },
      { name: "book", inputSchema: { type: "object" } },
    ],
    prompts: [
      { name: "sum_up", arguments: [{ name: "topic", required: true }] },
    ],
    resources: [{ uri: "desk://notes", name: "notes" }],
    resourceTemplates: [{ uriTemplate: "desk://notes/{id}", name: "note" }],
    ...members,
  });

/** Handlers of that server, one of which asks the user. */
const program = `
import { memoryPair, serve } from "@mcpgen/runtime";
import { createDeskServer } from "./server.js";

const server = createDeskServer({
  tools: {
    echo: ({ text = "" }) => [{ type: "text", text }],
    count: () => ({ count: 2 }),
    book: async (_args, context) => {
      const answer = await context.request("elicitation/create", {
        message: "Which day?",
        requestedSchema: { type: "object", properties: { day: { type: "string" } }, required: ["day"] },
      });
      return answer.action === "accept" ? \`Booked \${String(answer.content?.["day"])}\` : "Not booked";
    },
  },
  prompts: { sumUp: ({ topic }, { revision }) => \`\${topic} in \${revision}\` },
  resources: { notes: () => "all", note: ({ id = "" }) => id },
  complete: { prompts: { sumUp: { topic: () => ["tea"] } } },
});

export async function open(): Promise<unknown> {
  const [own, other] = memoryPair();
  await serve(other, server);
  return own;
}
`;

const withProgram = ({ all }: Project): Map<string, string> =>
  new Map([...all, ["program.ts", program]]);
const asks = (name: string): boolean => name >= "2025-06-18";
const server = { emit: ["server"] } as const;

describe("a server that a person designs in a file", () => {
  it.each(revisions)(
    "answers a client of %s with the handlers for all revisions, and asks its user if the revision can",
    async (name) => {
      const files = withProgram(await project(designed({ revisions }), server));
      const { open } = (await load(files, "program.ts")) as {
        open: () => Promise<never>;
      };
      const client = await connect(await open(), {
        info: { name: "caller", version: "1.0.0" },
        capabilities: { elicitation: {} },
        revisions: [name as Revision],
        questions: clientQuestions,
        handlers: {
          "elicitation/create": () => ({
            action: "accept",
            content: { day: "Monday" },
          }),
        },
      });
      expect(client.revision).toBe(name);
      const call = async (tool: string, args = {}): Promise<unknown> =>
        await client.callTool({ name: tool, arguments: args });
      expect(await call("echo", { text: "é" })).toMatchObject({
        content: [{ text: "é" }],
      });
      expect(await call("count")).toMatchObject({
        content: [{ text: '{"count":2}' }],
      });
      expect(await call("echo", { text: 5 })).toMatchObject({ isError: true });
      expect(
        await client.getPrompt({ name: "sum_up", arguments: { topic: "tea" } }),
      ).toMatchObject({
        messages: [{ content: { text: `tea in ${name}` } }],
      });
      expect(
        await client.readResource({ uri: "desk://notes/7" }),
      ).toMatchObject({
        contents: [{ text: "7" }],
      });
      if (asks(name))
        expect(await call("book")).toMatchObject({
          content: [{ text: "Booked Monday" }],
        });
      await client.close();
    },
  );

  it("compiles with the strictest options for all revisions, with all parts", async () => {
    expect(
      compile(withProgram(await project(designed({ revisions })))),
    ).toEqual([]);
  });

  it.each(revisions.filter(asks))(
    "types every question that %s can ask, if the file names this one",
    async (name) => {
      const files = withProgram(
        await project(designed({ revision: name }), server),
      );
      expect(compile(files)).toEqual([]);
      const { open } = (await load(files, "program.ts")) as {
        open: () => Promise<never>;
      };
      const client = await connect(await open(), {
        info: { name: "caller", version: "1.0.0" },
        capabilities: { elicitation: {} },
        questions: clientQuestions,
        handlers: {
          "elicitation/create": () => ({
            action: "accept",
            content: { day: "Monday" },
          }),
        },
      });
      expect(await client.callTool({ name: "book" })).toMatchObject({
        content: [{ text: "Booked Monday" }],
      });
      await client.close();
    },
  );

  it.each(revisions)(
    "has the files of a snapshot of %s if the file names this one, apart from questions",
    async (name) => {
      const one = await project(designed({ revision: name }));
      const taken = await project(designed({ revision: name, format: 1 }));
      const isOwn = (path: string): boolean =>
        !path.startsWith("protocol/") || name === revisions.at(-1);
      const ownIn = ({ all }: Project): [string, string][] =>
        [...all].filter(([path]) => isOwn(path));
      expect(ownIn(one)).toEqual(ownIn(taken));
      expect([...one.all.keys()]).toEqual([...taken.all.keys()]);
      expect(await project(designed({ revisions: [name] }))).toEqual(one);
    },
  );

  it("imports a copy of the runtime from the folder of each revision", async () => {
    const options = {
      ...server,
      runtime: "vendored",
      runtimeSource: await loadRuntimeSource(),
    } as const;
    const { files } = await project(designed({ revisions }), options);
    const bundled = (await load(files, "server.ts")) as {
      createDeskServer: (handlers: object) => unknown[];
    };
    expect(
      bundled.createDeskServer({ tools: {}, prompts: {}, resources: {} }),
    ).toHaveLength(revisions.length);
  });

  it("has a client of one revision, the newest one", async () => {
    const [newest, older] = [revisions.at(-1) ?? "", revisions[0] ?? ""];
    const { files } = await project(designed({ revisions: [older, newest] }), {
      emit: ["client", "server"],
    });
    const clients = [...files.keys()].filter((path) =>
      path.endsWith("/client.ts"),
    );
    expect(clients).toEqual([`protocol/${newest}/client.ts`]);
    expect(files.get("connect.ts")).toContain(
      `from "./protocol/${newest}/client.js"`,
    );
  });
});

describe("the file of such a server", () => {
  it.each([
    [{}, "all"],
    [{ revision: "2025-11-25" }, ["2025-11-25"]],
    [
      { revisions: ["2025-06-18", "2026-07-28", "2025-06-18"] },
      ["2026-07-28", "2025-06-18"],
    ],
    [{ format: 1 }, null],
    [{ format: 1, revision: "2025-11-25" }, null],
  ])(
    "with %j has the revisions %j; with a format, it is a snapshot",
    async (members, expected) => {
      const { snapshot, reports } = await readText(designed(members));
      expect([snapshot?.revisions, reports]).toEqual([expected, []]);
    },
  );

  it.each([
    [
      { revisions: [] },
      '"revisions" is [], expected a list with at least one revision',
    ],
    [
      { revisions: "2025-11-25" },
      '"revisions" is "2025-11-25", expected a list with at least one revision',
    ],
    [
      { revisions: [5] },
      '"revisions" is [5], expected a list with at least one revision',
    ],
    [
      { revisions: ["2025-11-25"], revision: "2025-11-25" },
      '"revision" and "revisions" exclude each other',
    ],
    [
      { revisions: ["2025-11-25"], format: 1 },
      '"revisions" is for the file of a server that you design, and a file with "format" is a snapshot of `mcpgen pull`',
    ],
  ])("reports %j", async (members, message) => {
    const { snapshot, reports } = await readText(designed(members));
    expect(snapshot).toBeNull();
    expect(reports.map(({ code, message }) => [code, message])).toEqual([
      ["MG302", message],
    ]);
  });
});
