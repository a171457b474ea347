import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { compile } from "../view/compile.js";
import { load, type Loaded } from "../view/generated.js";
import { project } from "./project.js";

/*
 * Programs as people wrote them for the stubs of version 1.0.0-rc.1. They must compile and run unchanged with the stubs of each
 * later version.
 */

const client = `
import {
  type CallOptions, type Caller, type CompleteOptions, type Completion, createNotesClient, type Failed, type NotesClient,
  type NotesComplete, type NotesPrompts, type NotesReadOnly, type NotesResources, type NotesSubscribe, type NotesTools,
  type Structured, type Subscription, type Unstructured,
} from "./client.js";
import { type FindNotesOutput, isValidationError, type ValidationError } from "./index.js";

const shared: CallOptions = { timeout: 5_000, meta: { "example.com/trace": 1 }, onProgress: ({ progress }) => void progress };

export class Recorder implements Caller {
  readonly seen: unknown[] = [];

  async callTool(params: { name: string; arguments?: { [key: string]: unknown } }, options?: CallOptions): Promise<unknown> {
    this.seen.push(["callTool", params, options?.timeout]);
    return { content: [], structuredContent: params.name === "find_notes" ? { notes: [{ id: "1", text: "x" }] } : undefined };
  }
  async getPrompt(params: { name: string; arguments?: { [key: string]: string } }): Promise<unknown> {
    this.seen.push(["getPrompt", params]);
    return { messages: [] };
  }
  async readResource({ uri }: { uri: string }): Promise<unknown> {
    this.seen.push(["readResource", uri]);
    return { contents: [] };
  }
  complete = async (params: Parameters<Caller["complete"]>[0]): Promise<unknown> => {
    this.seen.push(["complete", params]);
    return { completion: { values: ["work"] } };
  };
  async subscribe(params: { uri: string }): Promise<unknown> {
    this.seen.push(["subscribe", params]);
    return {};
  }
  async unsubscribe(params: { uri: string }): Promise<unknown> {
    this.seen.push(["unsubscribe", params]);
    return {};
  }
}

function countOf(result: Structured<FindNotesOutput> | Failed): number {
  return result.isError === true ? result.content.length : result.structuredContent.notes.length;
}

export async function use(): Promise<unknown[]> {
  const recorder = new Recorder();
  const notes: NotesClient = createNotesClient(recorder);
  const tools: NotesTools = notes.tools;
  const readOnly: NotesReadOnly = notes.readOnly;
  const prompts: NotesPrompts = readOnly.prompts;
  const resources: NotesResources = notes.resources;
  const complete: NotesComplete = notes.complete;
  const subscribe: NotesSubscribe = notes.subscribe;
  const changed: Unstructured | Failed = await tools.changeNote({ id: "1", change: { kind: "delete" } });
  const { findNotes } = readOnly.tools;
  const count = countOf(await findNotes({ text: "x" }, { ...shared, checkResult: false }));
  const { messages } = await prompts.summary({ topic: "x" }, shared);
  const [{ contents }] = await Promise.all([resources.all(), resources.tagged({ tag: "a b", limit: 3 }, shared)]);
  const more: CompleteOptions = { otherArguments: { style: "short" } };
  const { values }: Completion = await complete.prompts.summary("topic", "w", more);
  await complete.resources.tagged("tag", "w");
  const watching: Subscription = await subscribe.tagged({ tag: "work" });
  await watching.close();
  await (await subscribe.all({ timeout: 1 })).close();
  return [...recorder.seen, changed, count, messages, contents, values];
}

export async function mistake(): Promise<ValidationError> {
  const { tools } = createNotesClient(new Recorder());
  try {
    // @ts-expect-error the text is missing
    await tools.findNotes({});
  } catch (error) {
    if (isValidationError(error)) return error;
  }
  throw new Error("There was no mistake.");
}

// @ts-expect-error a client of this server calls tools
createNotesClient({ async getPrompt() {}, async readResource() {}, async complete() {}, async subscribe() {}, async unsubscribe() {} });
`;

const server = `
import { memoryPair, serve } from "@mcpgen/runtime";
import {
  type Completer, type Completers, type Context, createNotesServer, type NotesHandlers, type NotesServerOptions, type NotesWatchers,
  type PromptAnswer, Reply, type ResourceAnswer, type ToolAnswer, ToolError,
} from "./server.js";
import type { FindNotesOutput } from "./types.js";
import { connectNotes } from "./connect.js";

const seen: unknown[] = [];
const topics: Completer<"topic" | "style"> = (text, { style }) => [text + "!", style ?? "none"];
const completers: Completers<"topic" | "style"> = { topic: topics };
const watchers: NotesWatchers = { tagged: ({ tag }, context: Context) => void seen.push(["watch", tag, context.revision]) };

class Tools {
  readonly #found = "found";
  changeNote(args: Parameters<NotesHandlers["tools"]["changeNote"]>[0]): ToolAnswer {
    if (args.change.kind === "delete") throw new ToolError("Nothing is deleted.");
    return [{ type: "text", text: args.change.text }];
  }
  async findNotes({ text }: { text: string }): Promise<FindNotesOutput | Reply<FindNotesOutput>> {
    const notes = [{ id: "1", text: this.#found + text }];
    return text === "own" ? new Reply({ notes }, [{ type: "text", text: "Mine." }]) : { notes };
  }
}

const handlers: NotesHandlers = {
  tools: new Tools(),
  prompts: { summary: ({ topic, style }): PromptAnswer => topic + " " + style },
  resources: {
    all: (): ResourceAnswer => "everything",
    tagged: ({ tag, limit }, { revision }) => JSON.stringify([tag, limit, revision]),
  },
  complete: { prompts: { summary: completers }, resources: { tagged: { limit: () => ({ values: ["9"], total: 1 }) } } },
  subscribe: watchers,
  unsubscribe: { tagged: () => void seen.push("unwatch") },
};

const { name, version } = { name: "replaced", version: "2" };
const options: NotesServerOptions = { ...handlers, maskErrors: true };
const snapshot: NonNullable<NotesServerOptions["snapshot"]> = { server: { name, version }, capabilities: { tools: {} } };

export async function use(): Promise<unknown[]> {
  const [ours, theirs] = memoryPair();
  await serve(theirs, createNotesServer(options));
  const { tools, prompts, resources, complete, subscribe, close } = await connectNotes(ours, { info: { name: "test", version: "0" } });
  const answers = [
    await tools.changeNote({ id: "1", change: { kind: "append", text: "more" } }),
    await tools.changeNote({ id: "1", change: { kind: "delete" } }),
    await tools.findNotes({ text: "x" }),
    await tools.findNotes({ text: "own" }),
    (await prompts.summary({ topic: "Notes" })).messages,
    (await resources.all()).contents,
    (await resources.tagged({ tag: "a", limit: 2 })).contents,
    (await complete.prompts.summary("topic", "w", { otherArguments: { style: "s" } })).values,
    (await complete.prompts.summary("style", "w")).values,
    (await complete.resources.tagged("limit", "")).values,
  ];
  await (await subscribe.tagged({ tag: "work" })).close();
  await close();
  return [...answers, ...seen, createNotesServer({ ...handlers, snapshot }).revision];
}
`;

const connected = `
import { isMcpError } from "@mcpgen/runtime";
import type { NotesConnected } from "./connect.js";
import { connectNotes } from "./connect.js";
import { connectNotesMock, createNotesMock, type NotesMockAnswers } from "./mock.js";
import { createNotesClient } from "./index.js";
import { memoryPair, serve } from "@mcpgen/runtime";
import { createModelTools, signatures } from "./tools.js";

const answers: NotesMockAnswers = { tools: { findNotes: () => ({ notes: [] }) }, resources: { all: () => "mine" } };

export async function use(): Promise<unknown[]> {
  const [ours, theirs] = memoryPair();
  await serve(theirs, createNotesMock(undefined, answers));
  await using notes: NotesConnected = await connectNotes(ours, {
    info: { name: "test", version: "0" },
    handlers: { "notifications/resources/updated": ({ uri }) => void uri.length },
  });
  const { server } = notes.connection;
  const names: string[] = [];
  for await (const { name } of notes.connection.tools()) names.push(name);
  const model = createModelTools(notes);
  const { structuredContent } = await model.findNotes.execute({ text: "x" });
  const again = createNotesClient(notes.connection);
  const mock = await connectNotesMock();
  const first = await mock.tools.findNotes({ text: "x" });
  const text = await mock.tools.changeNote({ id: "1", change: { kind: "delete" } });
  await mock.close();
  let code = 0;
  try {
    await notes.connection.callTool({ name: "no such tool" });
  } catch (error) {
    if (isMcpError(error)) ({ code } = error);
  }
  return [
    server.info?.name, names, structuredContent, (await again.resources.all()).contents, first, text, code, signatures.length,
  ];
}
`;

const programs = {
  "client.use.ts": client,
  "server.use.ts": server,
  "connected.use.ts": connected,
};
const snapshot = readFileSync(
  new URL("../golden/stubs/notes.mcp.json", import.meta.url),
  "utf8",
);

describe("a program of an earlier version", () => {
  let files: ReadonlyMap<string, string>;
  beforeAll(async () => {
    files = new Map([
      ...(await project(snapshot)).all,
      ...Object.entries(programs),
    ]);
  });
  const use = async (
    name: keyof typeof programs,
  ): Promise<{ loaded: Loaded; answers: unknown[] }> => {
    const loaded = await load(files, name);
    return {
      loaded,
      answers: await (loaded["use"] as () => Promise<unknown[]>)(),
    };
  };

  it("compiles unchanged with the strictest options", () => {
    expect(compile(files)).toEqual([]);
  });

  it("sends the same requests with the functions of a client", async () => {
    const { answers } = await use("client.use.ts");
    const tagged = {
      type: "ref/resource",
      uri: "notes://by-tag/{tag}{?limit}",
    };
    expect(answers).toEqual([
      [
        "callTool",
        {
          name: "change_note",
          arguments: { id: "1", change: { kind: "delete" } },
        },
        undefined,
      ],
      ["callTool", { name: "find_notes", arguments: { text: "x" } }, 5_000],
      ["getPrompt", { name: "summary", arguments: { topic: "x" } }],
      ["readResource", "notes://all"],
      ["readResource", "notes://by-tag/a%20b?limit=3"],
      [
        "complete",
        {
          ref: { type: "ref/prompt", name: "summary" },
          argument: { name: "topic", value: "w" },
          context: { arguments: { style: "short" } },
        },
      ],
      ["complete", { ref: tagged, argument: { name: "tag", value: "w" } }],
      ["subscribe", { uri: "notes://by-tag/work" }],
      ["unsubscribe", { uri: "notes://by-tag/work" }],
      ["subscribe", { uri: "notes://all" }],
      ["unsubscribe", { uri: "notes://all" }],
      { content: [], structuredContent: undefined },
      1,
      [],
      [],
      ["work"],
    ]);
  });

  it("gets an error for wrong arguments whose text and stack name the tool", async () => {
    const { loaded } = await use("client.use.ts");
    const error = await (
      loaded["mistake"] as () => Promise<Error & { issues: unknown }>
    )();
    expect(error.message).toBe(
      "find_notes: arguments: text: expected a string, got nothing",
    );
    expect(error.issues).toEqual([
      { message: error.message, path: ["arguments", "text"] },
    ]);
    expect(error.stack).toMatch(/ findNotes |\.findNotes /);
  });

  it("answers the same with the handlers of a server", async () => {
    const { answers } = await use("server.use.ts");
    const found = (text: string) => ({
      notes: [{ id: "1", text: `found${text}` }],
    });
    const text = (words: string) => [{ type: "text", text: words }];
    expect(answers).toEqual([
      { content: text("more") },
      { content: text("Nothing is deleted."), isError: true },
      {
        content: text(JSON.stringify(found("x"))),
        structuredContent: found("x"),
      },
      { content: text("Mine."), structuredContent: found("own") },
      [{ role: "user", content: { type: "text", text: "Notes undefined" } }],
      [{ uri: "notes://all", mimeType: "text/plain", text: "everything" }],
      [{ uri: "notes://by-tag/a?limit=2", text: '["a","2","2025-11-25"]' }],
      ["w!", "s"],
      [],
      ["9"],
      ["watch", "work", "2025-11-25"],
      "unwatch",
      "2025-11-25",
    ]);
  });

  it("gets the same from a connection and from a mock", async () => {
    const { answers } = await use("connected.use.ts");
    const notes = { notes: [{ id: "id", text: "text" }] };
    expect(answers).toEqual([
      "notes",
      ["change_note", "find_notes"],
      { notes: [] },
      [{ uri: "notes://all", mimeType: "text/plain", text: "mine" }],
      {
        content: [{ type: "text", text: JSON.stringify(notes) }],
        structuredContent: notes,
      },
      { content: [{ type: "text", text: "A result of change_note." }] },
      -32602,
      2,
    ]);
  });
});
