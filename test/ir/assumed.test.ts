import { describe, expect, it } from "vitest";
import { generate } from "../../src/api.js";
import type { Diagnostic } from "../../src/generator/diagnostics.js";
import type { Message, RequestMessage } from "../../src/generator/ir/model.js";
import { read } from "../read/typescript/reading.js";
import { member, object } from "./schemas.js";

const base = `
  export type EmptyResult = { [key: string]: unknown };
`;

async function derive(
  text: string,
): Promise<{ messages: readonly Message[]; reports: readonly Diagnostic[] }> {
  const { protocol, reports } = await read(base + text);
  if (protocol === null) throw new Error(JSON.stringify(reports));
  return {
    messages: protocol.messages,
    reports: reports.filter(({ code }) => code.startsWith("MG40")),
  };
}

describe("a message that no union lists", () => {
  const rows = [
    {
      given: 'export interface ARequest { method: "a/b" }',
      want: "request client",
      because: "it sends most requests",
    },
    {
      given: 'export interface ANotification { method: "a/b" }',
      want: "notification server",
      because: "it sends most notifications",
    },
    {
      given: 'export interface A { method: "notifications/a" }',
      want: "notification server",
      because: "it sends most notifications",
    },
    {
      given:
        '/** Asked by the server. */ export interface ARequest { method: "a/b" }',
      want: "request server",
      because: "its description says so",
    },
    {
      given:
        '/** Sent from the client. */ export interface ANotification { method: "notifications/a" }',
      want: "notification client",
      because: "its description says so",
    },
    {
      given:
        'export interface ARequest { method: "a/b" } export interface BRequest { method: "a/c" } export type ServerRequest = BRequest;',
      want: "request server",
      because: 'it sends the other "a" methods',
    },
  ];

  it.each(rows)(
    "is assumed to be a $want: $given",
    async ({ given, want, because }) => {
      const { messages, reports } = await derive(given);
      expect(`${messages[0]?.kind} ${messages[0]?.sender}`).toBe(want);
      const note = reports.find(({ code }) => code === "MG402");
      expect(note).toMatchObject({ severity: "note" });
      expect(note?.message).toMatch(new RegExp(`, because ${because}$`));
    },
  );
});

describe("types with a method that are messages of another connection", () => {
  it.each([
    [8, "N0, N1, N2, N3, N4, N5, N6, N7"],
    [9, "N0, N1, N2, N3, N4, N5, N6, N7, 1 more"],
  ])("are named in a note: of %i types at most eight", async (count, shown) => {
    const names = Array.from(
      { length: count },
      (_, i) => `export interface N${i} { method: "n/${i}" }`,
    );
    const { messages, reports } = await derive(`
      export interface Request { method: string }
      export interface PingRequest extends Request { method: "ping" }
      export type ClientRequest = PingRequest;
      ${names.join("\n")}`);
    expect(messages.map(({ method }) => method)).toEqual(["ping"]);
    expect(
      reports.flatMap(({ code, message }) => (code === "MG402" ? message : [])),
    ).toEqual([
      `types in no union of messages that extend neither Request nor Notification are taken for messages of another connection: ${shown}`,
    ]);
  });
});

describe("a message that a union lists", () => {
  it("may be in a nested union, behind an alias, or an inline object", async () => {
    const { messages, reports } = await derive(`
      export interface ARequest { method: "a" }
      export interface BRequest { method: "b" }
      export interface CRequest { method: "c" }
      export type Synonym = BRequest;
      export type Some = ARequest | Synonym;
      export type ClientRequest = Some | { method: "c" };
    `);
    expect(messages.map(({ method, sender }) => `${method} ${sender}`)).toEqual(
      ["a client", "b client", "c client"],
    );
    expect(reports.filter(({ code }) => code === "MG402")).toEqual([]);
  });

  it("may be the only member of the union", async () => {
    const { messages } = await derive(
      'export interface ANotification { method: "notifications/a" }\nexport type ClientNotification = ANotification;',
    );
    expect(messages).toMatchObject([
      { kind: "notification", sender: "client", name: "ANotification" },
    ]);
  });

  it("may be an intersection of a base with its own members", async () => {
    const { messages } = await derive(`
      export interface Request { method: string; params?: { [key: string]: unknown } }
      export type ARequest = Request & { method: "a"; params: { taskId: string } };
      export type ClientRequest = ARequest;
    `);
    expect(messages).toMatchObject([
      {
        name: "ARequest",
        method: "a",
        sender: "client",
        params: { presence: "required", schema: object([member("taskId")]) },
      },
    ]);
  });
});

describe("a method of two declarations", () => {
  it("belongs to the declaration that does not inherit it", async () => {
    const { messages, reports } = await derive(`
      export interface ARequest { method: "a" }
      export interface LongARequest extends ARequest { extra?: string }
      export type ClientRequest = ARequest;
    `);
    expect(messages.map(({ name }) => name)).toEqual(["ARequest"]);
    expect(reports.filter(({ code }) => code === "MG401")).toEqual([]);
  });
});

describe("the result of a request", () => {
  const of = async (
    text: string,
  ): Promise<{ message: RequestMessage; codes: string[]; hints: unknown }> => {
    const { messages, reports } = await derive(
      `${text}\nexport type ClientRequest = ARequest;`,
    );
    const [message] = messages;
    if (message?.kind !== "request") throw new Error("no request");
    return {
      message,
      codes: reports.map(({ code }) => code),
      hints: reports.map(({ hint }) => hint),
    };
  };

  it("is the one in its response type, if there is one", async () => {
    const { message } = await of(`
      export interface ARequest { method: "a" }
      export interface AResult { a: string }
      export interface OtherResult { b: string }
      export interface AResultResponse { result: OtherResult | AResult }
    `);
    expect(message.results).toEqual(["OtherResult", "AResult"]);
  });

  it("has the same name as the request otherwise", async () => {
    const { message } = await of(
      'export interface ARequest { method: "a" }\nexport interface AResult { a: string }',
    );
    expect(message.results).toEqual(["AResult"]);
  });

  it("is EmptyResult if there is none with its name", async () => {
    const { message, codes } = await of(
      'export interface ARequest { method: "a" }',
    );
    expect(message.results).toEqual(["EmptyResult"]);
    expect(codes).not.toContain("MG403");
  });

  it("is unknown, with a diagnostic, if there is no EmptyResult either", async () => {
    const { protocol, reports } = await read(
      'export interface ARequest { method: "a" }\nexport type ClientRequest = ARequest;',
    );
    expect(protocol?.messages).toMatchObject([{ results: [] }]);
    expect(reports).toContainEqual(
      expect.objectContaining({
        code: "MG403",
        severity: "warning",
        message:
          'the result of "a" is unknown: the schema declares neither AResult nor EmptyResult',
      }),
    );
  });

  it("is a page only if there are both cursors and exactly one array of items", async () => {
    const paged = `
      export interface ARequest { method: "a"; params?: { cursor?: string } }
      export interface AResult { nextCursor?: string; as: string[]; ITEMS }
    `;
    expect((await of(paged.replace("ITEMS", ""))).message.items).toBe("as");
    const twofold = await of(paged.replace("ITEMS", "bs: string[]"));
    expect(twofold.message.items).toBeNull();
    expect(twofold.codes).toContain("MG404");
    expect(twofold.hints).toContain(
      "use exactly one array in a paginated result",
    );
    expect(
      (await of(paged.replace("nextCursor", "next").replace("ITEMS", "")))
        .message.items,
    ).toBeNull();
  });

  it("is a page if one of several kinds of params has the cursor", async () => {
    const { message } = await of(`
      export interface ARequest { method: "a"; params: { b: string } | { cursor?: string } }
      export interface AResult { nextCursor?: string; as: string[] }
    `);
    expect(message.items).toBe("as");
  });

  it("may be a task if one of several kinds of params has the data of a task", async () => {
    const { message } = await of(`
      export interface TaskMetadata { ttl?: number }
      export interface CreateTaskResult { task: string }
      export interface ARequest { method: "a"; params: { b: string } | { task?: TaskMetadata } }
      export interface AResult { a: string }
    `);
    expect(message.results).toEqual(["AResult", "CreateTaskResult"]);
  });

  it("is cacheable only if it has both ttlMs and cacheScope", async () => {
    const text =
      'export interface ARequest { method: "a" }\nexport interface AResult { ttlMs: number; SCOPE }';
    expect(
      (await of(text.replace("SCOPE", 'cacheScope: "public"'))).message
        .cacheable,
    ).toBe(true);
    expect((await of(text.replace("SCOPE", ""))).message.cacheable).toBe(false);
  });
});

describe("the capability that a method needs", () => {
  const of = async (
    method: string,
    capabilities: string,
  ): Promise<string | null> => {
    const { messages } = await derive(`
      export interface A { method: "${method}" }
      export interface ServerCapabilities { ${capabilities} }
      export type ClientRequest = A;
    `);
    const capability = messages[0]?.capability ?? null;
    return capability === null ? null : `${capability.side} ${capability.path}`;
  };

  it.each([
    ["notes/list", "notes?: object", "server notes"],
    ["notes/list", "notes?: { list?: boolean }", "server notes.list"],
    ["notes/pin_up/now", "notes?: { pinUp?: boolean }", "server notes.pinUp"],
    ["notes/list", "other?: object", null],
    ["notes", "notes?: object", null],
    // The facts name `completions`; without it the method needs no capability,
    // even if there is one with a similar name.
    ["completion/complete", "completions?: object", "server completions"],
    ["completion/complete", "completion?: object", null],
  ])(
    "for %s and the capabilities { %s } is %s",
    async (method, capabilities, want) => {
      expect(await of(method, capabilities)).toBe(want);
    },
  );
});

describe("a schema without an initialize request", () => {
  it("is assumed to have metadata on every request, with a diagnostic", async () => {
    const { protocol, reports } = await read(
      "export interface X { a: string }",
    );
    expect(protocol?.opening).toBe("per-request");
    expect(reports[0]).toMatchObject({
      code: "MG406",
      severity: "note",
      message:
        "the schema has neither an initialize request nor a protocol version in the metadata of requests; the revision is assumed to send metadata with every request",
      hint: 'declare one of the two, or write "opening" into a facts.json beside the schema',
    });
  });

  it("has metadata on every request without a diagnostic if its _meta has the protocol version with any prefix", async () => {
    const { protocol, reports } = await read(
      'export interface RequestParams { _meta: { "org.example/protocolVersion": string } }',
    );
    expect(protocol?.opening).toBe("per-request");
    expect(protocol?.meta).toEqual({
      protocolVersion: "org.example/protocolVersion",
    });
    expect(reports.map(({ code }) => code)).not.toContain("MG406");
  });
});

describe("the error code of an unknown resource", () => {
  it("exists only for a revision with resources/read", async () => {
    const errors = async (method: string): Promise<unknown> =>
      (await read(`export interface ARequest { method: "${method}" }`)).protocol
        ?.errors;
    expect(await errors("resources/read")).toEqual({
      RESOURCE_NOT_FOUND: -32602,
    });
    expect(await errors("notes/read")).toEqual({});
  });

  it("is the constant RESOURCE_NOT_FOUND of the schema, if there is one", async () => {
    const { protocol } = await read(
      'export const RESOURCE_NOT_FOUND = -7; export interface ARequest { method: "resources/read" }',
    );
    const { files } = await generate({
      protocols: protocol === null ? [] : [protocol],
      emit: ["dispatch"],
    });
    expect(files.find(({ path }) => path === "dispatch.ts")?.text).toContain(
      "  errors: { RESOURCE_NOT_FOUND: -7 },",
    );
  });
});

describe("the levels of log messages", () => {
  it("are sorted by severity if all are known, and keep the order of the schema otherwise", async () => {
    const levels = async (
      type: string,
    ): Promise<readonly string[] | undefined> =>
      (await read(`export type LoggingLevel = ${type};`)).protocol?.levels;
    expect(await levels('"alert" | "debug" | "error"')).toEqual([
      "debug",
      "error",
      "alert",
    ]);
    expect(await levels('"loud" | "debug"')).toEqual(["loud", "debug"]);
  });
});
