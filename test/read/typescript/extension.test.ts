import { describe, expect, it } from "vitest";
import { readSchema } from "../../../src/api.js";
import { Diagnostics } from "../../../src/diagnostics.js";
import { extend, fits, readExtension } from "../../../src/read/index.js";

const file = "notes/schema.ts";

describe("an extension's schema", () => {
  it("EXT-04 adds a method, a kind of result and a filter to the revision without a change in the program", async () => {
    const text = `import type { Request as Asked, RequestParams, Result } from "./schema.js";
      export const EXTENSION_IDENTIFIER = "com.example/notes";
      export interface GetNoteRequest extends Asked {
        method: "notes/get"; params: NoteParams }
      export interface NoteParams extends RequestParams { noteId: string }
      export interface GetNoteResult extends Result { text: string }
      export type ClientRequest = GetNoteRequest;`;
    const diagnostics = new Diagnostics();
    const schema = await readExtension(text, { file, name: file }, diagnostics);
    const base = await readSchema("2026-07-28");
    expect(diagnostics.list).toEqual([]);
    expect(schema && fits(base, schema)).toBe(true);
    const extended = schema && extend(base, schema, diagnostics);
    const message = extended?.messages.find(({ method }) => method === "notes/get");
    expect(message).toMatchObject({ kind: "request", sender: "client", results: ["GetNoteResult"] });
    expect(extended?.extensions).toMatchObject([{ id: "com.example/notes" }]);
    expect(extended?.messages.length).toBe(base.messages.length + 1);
  });

  it("XTASK-10 the tasks extension has its methods, headers and answers", async () => {
    const { messages, jobs, extensions } = await readSchema("2026-07-28", { extensions: ["tasks"] });
    expect(extensions.map(({ id }) => id)).toEqual(["io.modelcontextprotocol/tasks"]);
    const header = messages.flatMap((one) =>
      one.kind === "request" ? [[one.method, one.headerMember]] : [],
    );
    expect(header.filter(([, member]) => member === "taskId").map(([method]) => method)).toEqual([
      jobs.getTask,
      jobs.updateTask,
      jobs.cancelTask,
    ]);
    expect(messages.find(({ method }) => method === jobs.taskStatus)).toMatchObject({
      sender: "server",
      filter: "taskIds",
      subject: "taskId",
    });
    const call = messages.find(({ method }) => method === jobs.callTool);
    expect(call).toMatchObject({ results: ["CallToolResult", "CreateTaskResult", "InputRequiredResult"] });
  });

  it("is refused by a revision that lacks what it imports", async () => {
    await expect(readSchema("2025-11-25", { extensions: ["tasks"] })).rejects.toMatchObject({
      diagnostics: [{ code: "MG120" }],
    });
  });

  it("EXT-01 is refused without a name that has a prefix", async () => {
    const diagnostics = new Diagnostics();
    const text = 'export const EXTENSION_IDENTIFIER = "notes"; export interface A {}';
    expect(await readExtension(text, { file, name: file }, diagnostics)).toBeNull();
    expect(diagnostics.list.map(({ code }) => code)).toEqual(["MG119"]);
  });

  it("is refused when it declares a name of the revision's as something else", async () => {
    const text = 'export const EXTENSION_IDENTIFIER = "com.example/notes"; export type Tool = string;';
    const diagnostics = new Diagnostics();
    const schema = await readExtension(text, { file, name: file }, diagnostics);
    expect(schema && extend(await readSchema("2026-07-28"), schema, diagnostics)).toBeNull();
    expect(diagnostics.list.map(({ code }) => code)).toEqual(["MG122"]);
  });
});
