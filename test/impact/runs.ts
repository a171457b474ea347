import { join } from "node:path";
import type { ServerDefinition, Transport } from "@mcpgen/runtime";
import { expect } from "vitest";
import { filesIn } from "../files.js";
import { load } from "../view/generated.js";
import type { Project } from "./kit.js";

type Json = Readonly<Record<string, unknown>>;

/** A generated client without its types. */
interface AnyClient {
  callTool(params: Json): Promise<Json>;
  close(): Promise<void>;
}

/**
 * What the modules of the gateway export, and the parts of the runtime that
 * join them.
 */
interface Program {
  readonly open: (transport: Transport) => Promise<AnyClient>;
  readonly tryTool: (client: AnyClient, name: string) => Promise<string>;
  readonly libraryHandlers: () => Json;
  readonly createGateway: (
    clients: Readonly<Record<string, AnyClient>>,
  ) => Promise<ServerDefinition>;
  readonly summaryOf: (text: string) => Json;
  readonly isCreateMessageRequestParams: (value: unknown) => boolean;
  readonly clientQuestions: unknown;
  readonly serverQuestions: unknown;
  readonly Client: {
    connect(transport: Transport, options: Json): Promise<AnyClient>;
  };
  readonly createServer: (options: Json) => ServerDefinition;
  readonly protocol: { readonly requests: Json };
  readonly memoryPair: () => [Transport, Transport];
  readonly serve: (
    transport: Transport,
    server: ServerDefinition,
  ) => Promise<unknown>;
}

/**
 * The program before a move and after it; the routing is loaded only where it
 * can be.
 */
export interface Versions {
  readonly before: Program;
  readonly after: Program;
  readonly routing: (
    which: "before" | "after",
  ) => Promise<{ hasFailed(answer: unknown): boolean }>;
}

/**
 * Loads the modules of a gateway as they are now, whether or not they compile.
 */
export async function loaded({ folder }: Project): Promise<Program> {
  const files = new Map(Object.entries(filesIn(join(folder, "src"))));
  const entries = [
    "./client.js",
    "./library.js",
    "./gateway.js",
    "./mcp/index.js",
  ];
  const text = entries.map((entry) => `export * from "${entry}";\n`).join("");
  const all = `${text}export { memoryPair, serve } from "@mcpgen/runtime";\n`;
  return (await load(files.set("all.ts", all), "all.ts")) as unknown as Program;
}

export async function loadedRouting({
  folder,
}: Project): Promise<{ hasFailed(answer: unknown): boolean }> {
  const files = new Map(Object.entries(filesIn(join(folder, "src"))));
  return (await load(files, "routing.ts")) as unknown as {
    hasFailed(answer: unknown): boolean;
  };
}

const info = { name: "test", version: "1.0.0" };

/** A client of one version that is connected to a server of another one. */
async function joined(
  program: Program,
  server: ServerDefinition,
  connect: (transport: Transport) => Promise<AnyClient> = program.open,
): Promise<AnyClient> {
  const [clientTransport, serverTransport] = program.memoryPair();
  await program.serve(serverTransport, server);
  return await connect(clientTransport);
}

const plain =
  ({ Client, clientQuestions }: Program, handlers: Json = {}) =>
  (transport: Transport): Promise<AnyClient> =>
    Client.connect(transport, {
      info,
      questions: clientQuestions,
      handlers,
      capabilities: {},
    });

/**
 * The library, without handlers of methods that the revision does not have:
 * those are errors of the compiler.
 */
function libraryOf({
  createServer,
  serverQuestions,
  libraryHandlers,
  protocol,
}: Program): ServerDefinition {
  const handlers = Object.fromEntries(
    Object.entries(libraryHandlers()).filter(([method]) =>
      Object.hasOwn(protocol.requests, method),
    ),
  );
  return createServer({ info, questions: serverQuestions, handlers });
}

/** A client of a gateway in front of the library. */
async function throughGateway(program: Program): Promise<AnyClient> {
  const behind = await joined(program, libraryOf(program), plain(program));
  return await joined(
    program,
    await program.createGateway({ library: behind }),
    plain(program),
  );
}

const lendNothing = {
  name: "library.lend",
  arguments: { uri: "book:///none" },
};
const noResource = {
  content: [{ type: "text", text: "The server has no such resource." }],
  isError: true,
};

/**
 * A line that the report calls breaking although it compiles, and a run that
 * shows that it fails.
 */
export interface Run {
  readonly move: string;
  readonly file: string;
  /** A part of what the report says about the line. */
  readonly change: string;
  /** A sentence that ends the title of the test. */
  readonly title: string;
  readonly show: (versions: Versions) => Promise<void>;
}

const opening = {
  move: "2025-11-25 to 2026-07-28",
  change: "a connection now opens",
};
const renamed = {
  move: "made-up-0 to made-up-1",
  change: "isError` is renamed",
};

export const runs: readonly Run[] = [
  {
    ...opening,
    file: "src/client.ts",
    title: "the moved client cannot talk with a server that was not moved",
    show: async ({ before, after }) => {
      await expect(joined(before, libraryOf(before))).resolves.toBeDefined();
      await expect(joined(after, libraryOf(before))).rejects.toThrow(
        "the session is not initialized",
      );
    },
  },
  {
    ...opening,
    file: "src/library.ts",
    title: "a client that was not moved cannot talk with the moved library",
    show: async ({ before, after }) => {
      await expect(joined(before, libraryOf(after))).rejects.toThrow(
        "protocolVersion",
      );
    },
  },
  {
    ...opening,
    file: "src/gateway.ts",
    title: "a client that was not moved cannot talk with the moved gateway",
    show: async ({ before, after }) => {
      await expect(
        joined(before, await before.createGateway({})),
      ).resolves.toBeDefined();
      await expect(
        joined(before, await after.createGateway({})),
      ).rejects.toThrow("protocolVersion");
    },
  },
  {
    ...opening,
    change: "RESOURCE_NOT_FOUND",
    file: "src/gateway.ts",
    title:
      "the moved gateway does not recognise a missing resource by its old code",
    show: async ({ before, after }) => {
      expect(
        await (await throughGateway(before)).callTool(lendNothing),
      ).toMatchObject(noResource);
      const failed = (await throughGateway(after)).callTool(lendNothing);
      await expect(failed).rejects.toMatchObject({ code: -32602 });
    },
  },
  {
    move: "made-up-0 to made-up-1",
    change: "must now be at most 100",
    file: "src/library.ts",
    title: "the params with the old limit are not valid any more",
    show: async ({ before, after }) => {
      const params = after.summaryOf("a text");
      expect(params["maxTokens"]).toBe(400);
      expect(before.isCreateMessageRequestParams(params)).toBe(true);
      expect(after.isCreateMessageRequestParams(params)).toBe(false);
      expect(
        after.isCreateMessageRequestParams({ ...params, maxTokens: 100 }),
      ).toBe(true);
    },
  },
  {
    ...renamed,
    file: "src/client.ts",
    title: "the moved client takes a failed call for a good one",
    show: async ({ before, after }) => {
      const tried = async (
        program: Program,
        member: string,
      ): Promise<string> => {
        const call = (): Json => ({ content: [], [member]: true });
        const server = program.createServer({
          info,
          handlers: { "tools/call": call },
        });
        return await program.tryTool(
          await joined(program, server, plain(program)),
          "any",
        );
      };
      expect(await tried(before, "isError")).toBe("failed: ");
      expect(await tried(after, "hasFailed")).toBe("done: ");
    },
  },
  {
    ...renamed,
    file: "src/gateway.ts",
    title:
      "the answer of the moved gateway has the failure under a name that nobody reads",
    show: async ({ before, after }) => {
      expect(
        await (await throughGateway(before)).callTool(lendNothing),
      ).toHaveProperty("isError", true);
      const result = await (await throughGateway(after)).callTool(lendNothing);
      expect(result).not.toHaveProperty("hasFailed");
    },
  },
  {
    ...renamed,
    file: "src/library.ts",
    title:
      "the answer of the moved library has the failure under a name that nobody reads",
    show: async ({ after }) => {
      const decline = {
        "elicitation/create": (): Json => ({ action: "decline" }),
      };
      const client = await joined(
        after,
        libraryOf(after),
        plain(after, decline),
      );
      const result = await client.callTool({
        name: "lend",
        arguments: { uri: "book:///kim" },
      });
      expect(result).toMatchObject({ content: [{ text: "Not lent." }] });
      expect(result).not.toHaveProperty("hasFailed");
    },
  },
  {
    ...renamed,
    file: "src/routing.ts",
    title: "the moved routing takes a failed answer for a good one",
    show: async ({ routing }) => {
      const [before, after] = [await routing("before"), await routing("after")];
      expect(before.hasFailed({ content: [], isError: true })).toBe(true);
      expect(after.hasFailed({ content: [], hasFailed: true })).toBe(false);
    },
  },
  {
    move: "made-up-1 to made-up-2",
    change: "METHOD_NOT_FOUND",
    file: "src/client.ts",
    title: "the moved client does not recognise a missing tool by the old code",
    show: async ({ before, after }) => {
      const tried = async (program: Program): Promise<string> => {
        const gateway = await program.createGateway({});
        return await program.tryTool(
          await joined(program, gateway, plain(program)),
          "any",
        );
      };
      expect(await tried(before)).toBe("There is no tool any.");
      await expect(tried(after)).rejects.toMatchObject({ code: -32051 });
    },
  },
];
