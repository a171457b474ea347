import { finished } from "../../finished.js";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readSchema } from "../../../src/api.js";
import {
  type Diagnostic,
  Diagnostics,
  formatDiagnostic,
} from "../../../src/generator/diagnostics.js";
import type { Schema } from "../../../src/generator/ir/constraint.js";
import {
  constantIn,
  propertiesIn,
} from "../../../src/generator/ir/constraint/form.js";
import { namesIn } from "../../../src/generator/ir/lookup.js";
import type { Declaration, Protocol } from "../../../src/generator/ir/model.js";
import {
  extend,
  type ExtensionSchema,
  fits,
  readExtension,
} from "../../../src/generator/read/index.js";
import {
  anyObject,
  bare,
  boolean,
  both,
  constant,
  literal,
  map,
  member,
  object,
  reference,
  text,
  union,
  unknown,
} from "../../ir/schemas.js";

const file = "notes/schema.ts";

describe("the schema of an extension", () => {
  it("EXT-04 adds a method and its result to the revision", async () => {
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
    const message = extended?.messages.find(
      ({ method }) => method === "notes/get",
    );
    expect(message).toMatchObject({
      kind: "request",
      sender: "client",
      results: ["GetNoteResult"],
    });
    expect(extended?.extensions).toMatchObject([{ id: "com.example/notes" }]);
    expect(extended?.messages.length).toBe(base.messages.length + 1);
  });

  it("XTASK-10 called tasks adds its methods, headers and results", async () => {
    const { messages, wellKnown, extensions } = await readSchema("2026-07-28", {
      extensions: ["tasks"],
    });
    expect(extensions.map(({ id }) => id)).toEqual([
      "io.modelcontextprotocol/tasks",
    ]);
    const header = messages.flatMap((one) =>
      one.kind === "request" ? [[one.method, one.headerMember]] : [],
    );
    expect(
      header
        .filter(([, member]) => member === "taskId")
        .map(([method]) => method),
    ).toEqual([wellKnown.getTask, wellKnown.updateTask, wellKnown.cancelTask]);
    expect(
      messages.find(({ method }) => method === wellKnown.taskStatus),
    ).toMatchObject({
      sender: "server",
      filter: "taskIds",
      subject: "taskId",
    });
    const call = messages.find(({ method }) => method === wellKnown.callTool);
    expect(call).toMatchObject({
      results: ["CallToolResult", "CreateTaskResult", "InputRequiredResult"],
    });
  });

  it("has a header for the member of a request's params with @mcpName, and for no other", async () => {
    const [tagged, plain] = [
      "/** @mcpName */ title: string; uri: string",
      "name: string; uri: string",
    ];
    expect(await found(tagged)).toEqual({ header: "title", problems: [] });
    expect(await found(plain)).toEqual({ header: null, problems: [] });
  });

  it.each([
    "/** @mcpName */ title?: string",
    "/** @mcpName */ title: number",
    "/** @mcpName */ title: string } | RequestParams & { uri: string",
  ])(
    "reports the member with @mcpName as an error if it is not a required string: %s",
    async (members) => {
      const problem =
        '"notes/find" has @mcpName on the member "title" of its params, which is not a required string';
      expect(await found(members)).toEqual({
        header: null,
        problems: [
          [
            "MG408",
            problem,
            "make the member a required string in all variants of the params, or remove the tag",
          ],
        ],
      });
    },
  );

  it("says with @declaredBy that only the server declares it, and is refused for any other side", async () => {
    const text = (side: string): string =>
      `/** @declaredBy ${side} */ export const EXTENSION_IDENTIFIER = "com.example/notes"; export interface A {}`;
    const diagnostics = new Diagnostics();
    const schema = await readExtension(
      text("server"),
      { file, name: file },
      diagnostics,
    );
    const protocol =
      schema && extend(await readSchema("2026-07-28"), schema, diagnostics);
    expect(protocol?.extensions).toMatchObject([
      { id: "com.example/notes", declaredBy: "server" },
    ]);
    expect(diagnostics.list).toEqual([]);
    expect(
      await readExtension(text("client"), { file, name: file }, diagnostics),
    ).toBeNull();
    expect(diagnostics.list).toMatchObject([
      {
        code: "MG112",
        message: 'the value "client" of @declaredBy is not valid',
        hint: "write `@declaredBy server` if only the server declares the extension; remove the tag if both sides do",
      },
    ]);
  });

  it("is refused for a revision that lacks an imported type", async () => {
    await expect(
      readSchema("2025-11-25", { extensions: ["tasks"] }),
    ).rejects.toMatchObject({
      diagnostics: [{ code: "MG120" }],
    });
  });

  it("EXT-01 is refused if its identifier has no prefix", async () => {
    const diagnostics = new Diagnostics();
    const text =
      'export const EXTENSION_IDENTIFIER = "notes"; export interface A {}';
    expect(
      await readExtension(text, { file, name: file }, diagnostics),
    ).toBeNull();
    expect(diagnostics.list.map(({ code }) => code)).toEqual(["MG119"]);
  });

  it("EXT-01 has the identifier of MCP Apps if it declares a type of it and no identifier", async () => {
    const diagnostics = new Diagnostics();
    const text =
      "export interface McpUiClientCapabilities { mimeTypes?: string[] }";
    expect(
      await readExtension(text, { file, name: file }, diagnostics),
    ).toMatchObject({
      id: "io.modelcontextprotocol/ui",
    });
    expect(diagnostics.list.map(({ code }) => code)).toEqual(["MG125"]);
  });

  it("EXT-01 has its own identifier although it declares a type of MCP Apps", async () => {
    const diagnostics = new Diagnostics();
    const other = `export const EXTENSION_IDENTIFIER = "com.example/ui"; export interface McpUiClientCapabilities {}`;
    expect(
      await readExtension(other, { file, name: file }, diagnostics),
    ).toMatchObject({
      id: "com.example/ui",
    });
    expect(diagnostics.list).toEqual([]);
  });

  describe("EXT-01 without an identifier in its declarations", () => {
    const body = "export interface Mine {}";

    it("has the one that is given with it", async () => {
      const { schema, reports } = await readGiven(body, "com.example/mine");
      expect(schema?.id).toBe("com.example/mine");
      expect(reports).toEqual([]);
    });

    it.each([
      ["/** Extension Identifier: com.example/mine */"],
      ["/**\n * A heading.\n *\n * Identifier: `com.example/mine`.\n */"],
      ['// The extension with the id "com.example/mine", version 2.'],
    ])("has the one that its first comment names: %j", async (comment) => {
      const { schema, reports } = await readGiven(
        `${comment}\nimport type { Tool } from "./schema.js";\n${body}`,
      );
      expect(schema?.id).toBe("com.example/mine");
      expect(reports).toMatchObject([
        {
          code: "MG119",
          severity: "note",
          message:
            'the file has no EXTENSION_IDENTIFIER; the id "com.example/mine" is that of its comment',
          hint: "nothing, or name it: --extension com.example/mine=<path>",
        },
      ]);
    });

    it.each([
      [
        "it is in a later comment",
        `${body}\n/** Identifier: com.example/mine */`,
      ],
      ["no word says that it is one", `/** See com.example/mine */ ${body}`],
      ["it is not valid", `/** Identifier: mine */ ${body}`],
      [
        "it is far down",
        `/* ${"x ".repeat(2000)}id: com.example/mine */ ${body}`,
      ],
    ])("is refused although a comment has one, if %s", async (_case, text) => {
      const { schema, reports } = await readGiven(text);
      expect(schema).toBeNull();
      expect(reports).toMatchObject([
        {
          code: "MG119",
          severity: "error",
          message: "the file has no EXTENSION_IDENTIFIER",
          hint: 'write export const EXTENSION_IDENTIFIER = "com.example/name", or name the id: --extension com.example/name=<path>',
        },
      ]);
    });

    it("has the given one before that of a type or a comment", async () => {
      const { schema, reports } = await readGiven(
        "/** Identifier: com.example/a */ export interface McpUiClientCapabilities {}",
        "com.example/b",
      );
      expect(schema?.id).toBe("com.example/b");
      expect(reports).toEqual([]);
    });
  });

  it("EXT-01 is refused if it declares another identifier than the given one", async () => {
    const { schema, reports } = await readGiven(
      'export const EXTENSION_IDENTIFIER = "com.example/a"; export interface A {}',
      "com.example/b",
    );
    expect(schema).toBeNull();
    expect(reports).toMatchObject([
      {
        code: "MG119",
        message:
          'the file declares the id "com.example/a", and "com.example/b" is given',
        hint: "leave the given id out, or correct one of the two",
      },
    ]);
  });

  describe("with the id of a bundled one", () => {
    const [schemaText, additions] = ["schema.ts", "additions.ts"].map((name) =>
      readFileSync(`schema/extensions/tasks/${name}`, "utf8"),
    ) as [string, string];

    it("is completed with what only the text of the extension says", async () => {
      expect(schemaText).not.toMatch(/ClientRequest|SubscriptionFilter/);
      const { schema } = await readGiven(schemaText);
      expect(schema?.declarations.map(({ name }) => name)).toEqual(
        expect.arrayContaining(["ClientRequest", "SubscriptionFilter"]),
      );
      expect(schema?.locationOf("Task")?.file).toBe(file);
      expect(schema?.locationOf("ClientRequest")?.file).toMatch(
        /extensions\/tasks\/additions\.ts$/,
      );
      const extended =
        schema &&
        extend(await readSchema("2026-07-28"), schema, new Diagnostics());
      expect(extended?.messages.map(({ method }) => method)).toEqual(
        (
          await readSchema("2026-07-28", { extensions: ["tasks"] })
        ).messages.map(({ method }) => method),
      );
    });

    it("keeps its own declaration of the same name", async () => {
      const { schema, reports } = await readGiven(
        `${schemaText}\nexport type ClientRequest = GetTaskRequest;`,
      );
      const unions = schema?.declarations.filter(
        ({ name }) => name === "ClientRequest",
      );
      expect(unions).toHaveLength(1);
      expect(unions && namesIn(unions[0] as Declaration)).toEqual([
        "GetTaskRequest",
      ]);
      expect(reports).toEqual([]);
    });

    it("is not completed with what names a type that it no longer has, and a note says so", async () => {
      const { schema, reports } = await readGiven(
        schemaText.replaceAll("UpdateTaskRequest", "AnswerTaskRequest"),
      );
      const names = schema?.declarations.map(({ name }) => name);
      expect(names).not.toContain("ClientRequest");
      expect(names).toContain("SubscriptionFilter");
      expect(reports).toMatchObject([
        {
          code: "MG125",
          severity: "note",
          message:
            "the schema of io.modelcontextprotocol/tasks has no UpdateTaskRequest, so what mcpgen knows about it is left out: ClientRequest",
          hint: "update mcpgen, or declare these types in the schema",
        },
      ]);
    });

    it("may be written whole in one file, as before", async () => {
      const whole = additions
        .replace(/import type [^;]*;/, "")
        .replace(/^/, `${schemaText}\n`);
      const [one, two] = await Promise.all(
        [whole, schemaText].map((text) => readGiven(text)),
      );
      expect(one?.reports).toEqual([]);
      expect(one?.schema?.declarations).toEqual(two?.schema?.declarations);
    });
  });

  it("EXT-01 is refused without an identifier and without a type of MCP Apps", async () => {
    const diagnostics = new Diagnostics();
    expect(
      await readExtension(
        "export interface Mine {}",
        { file, name: file },
        diagnostics,
      ),
    ).toBeNull();
    expect(diagnostics.list.map(({ code }) => code)).toEqual(["MG119"]);
  });

  it("is refused if it declares a type of the revision or of another extension in another way", async () => {
    const header = 'export const EXTENSION_IDENTIFIER = "com.example/';
    const source = (id: string): string => `${header}${id}";
export type Tool = string;
export interface Mine { a: 1 }
export type Yours = 1;`;
    const first = new Diagnostics();
    const own = source("a").replace(/export type Tool.*\n/, "");
    const [one, two] = await Promise.all(
      [own, source("b")].map((text) =>
        readExtension(text, { file, name: file }, first),
      ),
    );
    const base = one && extend(await readSchema("2026-07-28"), one, first);
    expect(first.list).toEqual([]);
    const diagnostics = new Diagnostics();
    expect(base && two && extend(base, two, diagnostics)).toBeNull();
    const hint =
      "only an interface can add to an interface or to another object, and a type alias to a type alias; otherwise choose another name";
    expect(diagnostics.list.map(formatDiagnostic)).toEqual(
      [
        '2:13 MG122 the alias "Tool" is also declared by the revision, as another kind of declaration',
        '3:18 MG122 the interface "Mine" is also declared by another extension',
        '4:13 MG122 the alias "Yours" is also declared by another extension',
      ].map(
        (line) =>
          `${file}:${line}\n    in extension com.example/b\n    hint: ${hint}`,
      ),
    );
    const again = new Diagnostics();
    expect(base && one && extend(base, one, again)).toBeNull();
    expect(again.list.map(formatDiagnostic)).toEqual([
      'MG121 the extension "com.example/a" is already included\n    in extension com.example/a\n    hint: name it once',
    ]);
  });

  it.each([
    'import Tool from "./schema.js";',
    'import * as all from "./schema.js";',
    'import "./schema.js";',
    'import all, { Tool } from "./schema.js";',
  ])("is refused if it imports other than names: %s", async (line) => {
    const { protocol, codes } = await extended(
      `${line}\nexport interface Mine { a: 1 }`,
    );
    expect([protocol, codes]).toEqual([null, ["MG115"]]);
  });

  it("is refused if the compiler cannot parse it", async () => {
    const text = `export type X = ${"[".repeat(20_000)}${"]".repeat(20_000)};`;
    expect(await extended(text)).toEqual({ protocol: null, codes: ["MG116"] });
  });

  it("adds bases and inherited members to an interface, with what is said of them", async () => {
    const result = async (doc: string): Promise<Schema> => {
      const { protocol, codes } = await extended(
        `export interface Base { b?: 1 }
export interface CompleteResult extends Result, Base { ${doc} _meta?: { a: 1 } }
import type { Result } from "./schema.js";`,
      );
      expect(codes).toEqual([]);
      const match = protocol?.declarations.find(
        ({ name }) => name === "CompleteResult",
      );
      expect(match?.bases.map(({ name }) => name)).toEqual(["Result", "Base"]);
      return memberOf(protocol, "CompleteResult", "_meta");
    };
    const { doc } = memberOf(await readSchema("2026-07-28"), "Result", "_meta");
    expect(await result("")).toMatchObject({ doc });
    expect((await result("/** Mine. */")).doc.text).toBe("Mine.");
    expect(bare(await result("/** @internal */"))).toEqual(
      both(reference("ResultMetaObject"), object([member("a", literal(1))])),
    );
  });

  it("has an object as an alternative to another one if it is a further kind of result", async () => {
    const { protocol } =
      await extended(`export interface TicketResult { resultType: "ticket" }
      export interface ListToolsResultResponse { result: TicketResult }`);
    expect(
      bare(memberOf(protocol, "ListToolsResultResponse", "result")),
    ).toEqual(union(reference("ListToolsResult"), reference("TicketResult")));
  });

  it("has an object as an alternative if no value can be both", async () => {
    const { protocol } =
      await extended(`export interface Scroll { type: "scroll" }
      export interface PromptMessage { content: Scroll }
      export interface Tool { inputSchema: { type: "array" } }`);
    expect(memberOf(protocol, "Tool", "inputSchema").checks).toMatchObject([
      { kind: "any" },
    ]);
    expect(memberOf(protocol, "PromptMessage", "content").checks).toMatchObject(
      [{ kind: "any" }],
    );
  });

  it("adds the members of an object to those of the revision, at any depth and only once", async () => {
    const added = `export interface ServerCapabilities { tools?: { listChanged?: { often: boolean }; more?: {} } }
      export interface Tool { _meta?: { a?: string } }`;
    const { protocol } = await extended(added);
    const tools = memberOf(protocol, "ServerCapabilities", "tools");
    expect(
      propertiesIn(tools).map(({ name, schema }) => [name, bare(schema)]),
    ).toEqual([
      ["listChanged", union(boolean, object([member("often", boolean)]))],
      ["more", anyObject],
    ]);
    const meta = memberOf(protocol, "Tool", "_meta");
    expect(bare(meta)).toEqual(
      both(reference("MetaObject"), object([member("a", text, true)])),
    );
    const { protocol: again } = await extended(
      added.replaceAll("{}", "{ }"),
      protocol,
      "com.example/other",
    );
    expect(memberOf(again, "Tool", "_meta")).toEqual(meta);
  });

  it.each([
    [
      "no members",
      "MetaObject",
      "export interface MetaObject {}",
      map(unknown),
    ],
    [
      "members of a base",
      "MetaObject",
      "export interface A { a: 1; b: 2 } export interface MetaObject extends Omit<A, 'b'> {}",
      object([member("a", literal(1))], unknown),
    ],
    [
      "another named type, which is an alternative",
      "EmptyResult",
      "export type EmptyResult = A; export interface A {}",
      union(reference("Result"), reference("A")),
    ],
  ])("adds %s to the type alias %s", async (_, name, given, want) => {
    const { protocol } = await extended(given);
    const match = protocol?.declarations.find((entry) => entry.name === name);
    expect(match?.kind).toBe("alias");
    expect(match && bare(match.schema)).toEqual(want);
  });

  it("keeps a constant of its own beside one of the revision with the same name, under another name", async () => {
    const text = `export const LATEST_PROTOCOL_VERSION = "7";
      export const JSONRPC_VERSION = "2.0";
      export interface Opening { version: typeof LATEST_PROTOCOL_VERSION; jsonrpc: typeof JSONRPC_VERSION }`;
    const { protocol, codes } = await extended(
      text,
      null,
      "com.example/3d-notes",
    );
    expect(codes).toEqual([]);
    const values = protocol?.declarations.flatMap((entry) =>
      entry.kind === "constant" && /PROTOCOL_VERSION|JSONRPC_V/.test(entry.name)
        ? [[entry.name, constantIn(entry.schema)]]
        : [],
    );
    expect(values).toEqual([
      ["LATEST_PROTOCOL_VERSION", "2026-07-28"],
      ["JSONRPC_VERSION", "2.0"],
      ["UNSUPPORTED_PROTOCOL_VERSION", -32022],
      ["_3D_NOTES_LATEST_PROTOCOL_VERSION", "7"],
    ]);
    expect(protocol?.extensions[0]?.adds).toEqual([
      "_3D_NOTES_LATEST_PROTOCOL_VERSION",
      "Opening",
    ]);
    const version = memberOf(protocol, "Opening", "version");
    expect(version).toEqual(constant("7", "_3D_NOTES_LATEST_PROTOCOL_VERSION"));
    expect(memberOf(protocol, "Opening", "jsonrpc")).toEqual(
      constant("2.0", "JSONRPC_VERSION"),
    );
    const { protocol: again } = await extended(
      'export const LATEST_PROTOCOL_VERSION = "8";',
      protocol,
    );
    expect(again?.extensions[1]?.adds).toContain(
      "NOTES_LATEST_PROTOCOL_VERSION",
    );
  });

  it("is refused if the other name of a constant is taken, at its own position", async () => {
    const text = `export const LATEST_PROTOCOL_VERSION = "7";
      export interface NOTES_LATEST_PROTOCOL_VERSION {}`;
    expect(await extended(text)).toEqual({ protocol: null, codes: ["MG122"] });
  });

  it("has no message of the protocol in a type with a method that no union has and that extends none", async () => {
    const { protocol, codes } =
      await extended(`export interface Clicked { method: "view/clicked"; params: {} }
      export interface Opened extends Clicked { method: "view/clicked" }
      export type Closed = { reason: string } & Opened;`);
    expect(codes).toEqual([]);
    expect(
      protocol?.messages.filter(({ method }) => method.startsWith("view/")),
    ).toEqual([]);
  });

  it("has a message in a type that a union has or that extends one, directly or through another type", async () => {
    const { protocol, codes } = await extended(`
      import type { JSONRPCRequest, Notification } from "./schema.js";
      export interface ClickRequest { method: "view/click" }
      export type ClientRequest = ClickRequest;
      export type Base = JSONRPCRequest & { a?: string };
      export type OpenRequest = Base & { method: "view/open" };
      export interface ShutNotification extends Notification { method: "notifications/view/shut" }
      export interface EmptyResult {}`);
    expect(
      codes.filter((code) => code !== "MG403" && code !== "MG407"),
    ).toEqual(["MG402", "MG402"]);
    const messages = protocol?.messages.filter(({ method }) =>
      method.includes("view/"),
    );
    expect(
      messages?.map(
        ({ method, kind, sender }) => `${kind} ${sender} ${method}`,
      ),
    ).toEqual([
      "request client view/click",
      "request client view/open",
      "notification server notifications/view/shut",
    ]);
  });

  it("is refused if an interface adds to a type alias that is not an object", async () => {
    const text = "export interface ContentBlock { a?: 1 }";
    expect(await extended(text)).toEqual({ protocol: null, codes: ["MG122"] });
  });

  it("is refused if an added member and one of the revision exclude each other", async () => {
    const text = `export interface Odd { "io.modelcontextprotocol/protocolVersion": number }
      export interface RequestParams { _meta: Odd }`;
    expect(await extended(text)).toMatchObject({
      protocol: null,
      codes: ["MG509"],
    });
  });

  it.each([
    [
      "interfaces",
      "export interface A extends B {} export interface B extends A {} export interface Tool { _meta?: A }",
    ],
    [
      "aliases",
      "export type A = B; export type B = A; export interface Tool { _meta?: A }",
    ],
  ])("is refused if its %s go round in a circle", async (_, text) => {
    expect(await extended(text)).toMatchObject({
      protocol: null,
      codes: ["MG503"],
    });
  });
});

/**
 * A revision with an extension of these declarations, and the codes of the
 * faults.
 */
async function extended(
  text: string,
  base?: Protocol | null,
  id = "com.example/notes",
): Promise<{ protocol: Protocol | null; codes: string[] }> {
  const diagnostics = new Diagnostics();
  const source = `export const EXTENSION_IDENTIFIER = "${id}";\n${text}`;
  const schema = await readExtension(source, { file, name: file }, diagnostics);
  const protocol =
    schema &&
    extend(base ?? (await readSchema("2026-07-28")), schema, diagnostics);
  return { protocol, codes: diagnostics.list.map(({ code }) => code) };
}

/**
 * The header member of a request of an extension whose params have these
 * members, and what is reported.
 */
async function found(
  members: string,
): Promise<{ header: unknown; problems: (string | null)[][] }> {
  const text = `import type { JSONRPCRequest, RequestParams, Result } from "./schema.js";
    export const EXTENSION_IDENTIFIER = "com.example/notes";
    export interface FindRequest extends JSONRPCRequest {
      method: "notes/find"; params: RequestParams & { ${members} } }
    export interface FindResult extends Result { found: boolean }
    export type ClientRequest = FindRequest;`;
  const diagnostics = new Diagnostics();
  const schema = await readExtension(text, { file, name: file }, diagnostics);
  const protocol =
    schema && extend(await readSchema("2026-07-28"), schema, diagnostics);
  const message = protocol?.messages.find(
    ({ method }) => method === "notes/find",
  );
  const header = message?.kind === "request" ? message.headerMember : undefined;
  return {
    header,
    problems: diagnostics.list.map(({ code, message: problem, hint }) => [
      code,
      problem,
      hint,
    ]),
  };
}

function memberOf(
  protocol: Protocol | null,
  name: string,
  member: string,
): Schema {
  const match = protocol?.declarations.find((entry) => entry.name === name);
  const property = propertiesIn(match?.schema ?? unknown).find(
    (entry) => entry.name === member,
  );
  if (property === undefined) throw new Error(`no ${name}.${member}`);
  return property.schema;
}

/** Reads an extension, for which the user may give an id. */
async function readGiven(
  text: string,
  id?: string,
): Promise<{
  readonly schema: ExtensionSchema | null;
  readonly reports: readonly Diagnostic[];
}> {
  const diagnostics = new Diagnostics();
  const schema = await readExtension(
    text,
    { file, name: file, id },
    diagnostics,
  );
  return { schema, reports: finished(diagnostics.list) };
}
