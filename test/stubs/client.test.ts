import { formatDiagnostic } from "../../src/generator/diagnostics.js";
import { beforeAll, describe, expect, it } from "vitest";
import { compile } from "../view/compile.js";
import { load } from "../view/generated.js";
import {
  busyWeather,
  fixture,
  project,
  revision,
  sharingProject,
  snapshotOf,
} from "./project.js";
import { sampled } from "../whole.js";

const warned = "export interface Warned {\n  sent: number;\n}\n";

/** Calls that must compile, and calls that must not. */
const program = (handlers: string, subscription: string): string => `
import type { Caller } from "./client.js";
import { createWeatherClient } from "./client.js";
import { connectWeather } from "./connect.js";

declare const caller: Caller;
declare const transport: Parameters<typeof connectWeather>[0];

export async function use(): Promise<void> {
  const { tools, readOnly, complete, subscribe, prompts } = createWeatherClient(caller);
  const { values } = await complete.prompts.packingList("destination", "Po");
  const first: string | undefined = values[0];
  await complete.resources.station("id", first ?? "");
  // @ts-expect-error there is no such argument
  await complete.prompts.packingList("colour", "");
  // @ts-expect-error there is no such variable
  await complete.resources.station("colour", "");
  const { uri, close } = await subscribe.station({ id: uri_() });
  await close();
  await subscribe.stations();
  ${subscription}
  // @ts-expect-error a station has an identifier
  await subscribe.station({});
  const result = await tools.warn({ level: 1, region: { code: uri } }, { checkResult: true });
  if (result.isError !== true) {
    const sent: number = result.structuredContent.sent;
    // @ts-expect-error the project has stated another type
    const none: string = result.structuredContent.sent;
    void [sent, none];
  }
  await readOnly.tools.getWeather({ location: "x" }, { meta: { "example.com/trace": 1 } });
  // @ts-expect-error it may change something
  void readOnly.tools.warn;
  await prompts.packingList({ destination: "x" });
  const connected = await connectWeather(transport, { info: { name: "x", version: "1" }, handlers: {
    ${handlers}
    "notifications/resources/updated": ({ uri }) => void uri.length,
  } });
  await connected.close();
}

function uri_(): string {
  return "x";
}
`;

const sampling = `"sampling/createMessage": ({ messages, maxTokens }) => ({
      model: String(messages.length + maxTokens), role: "assistant", content: { type: "text", text: "x" },
    }),`;
const elicitation = `"elicitation/create": ({ message }) => ({ action: "accept", content: { name: message } }),`;
const wrong = `// @ts-expect-error there is no such action
    "elicitation/create": () => ({ action: "perhaps" }),`;

const limitedRequest = "await subscribe.stations({ timeout: 5_000 });";
const limitedStream = `// @ts-expect-error a stream has no response to wait for
  ${limitedRequest}`;

describe("the types of a project's client", () => {
  const revisions: readonly (readonly [
    name: string,
    handlers: string,
    subscription: string,
  ])[] = [
    ["2024-11-05", sampling, limitedRequest],
    ["2025-11-25", sampling + elicitation, limitedRequest],
    ["2025-11-25", wrong, limitedRequest],
    ["2026-07-28", elicitation, limitedStream],
  ];
  it.each(sampled(revisions, ([name]) => name > "2026"))(
    "have the arguments to complete, the resources to subscribe to, the handlers and the declared outputs of revision %s",
    async (name, handlers, subscription) => {
      const outputTypes = { warn: "./warned.js#Warned" };
      const { all } = await sharingProject(busyWeather(), {
        protocol: await revision(name),
        outputTypes,
      });
      const files = new Map([
        ...all,
        ["warned.ts", warned],
        ["use.ts", program(handlers, subscription)],
      ]);
      expect(compile(files)).toEqual([]);
    },
  );

  it("have no completion and no subscription if the server supports neither", async () => {
    const { files } = await project(fixture("weather"));
    expect(files.get("client.ts")).not.toMatch(/complete|subscri/i);
  });
});

type Answer = (
  params: never,
  options?: { signal?: AbortSignal },
) => Promise<unknown>;
type Functions = Readonly<
  Record<string, (...args: unknown[]) => Promise<unknown>>
>;
interface Client {
  readonly tools: Functions;
  readonly complete: {
    readonly prompts: Functions;
    readonly resources: Functions;
  };
  readonly subscribe: Functions;
}
type Create = (caller: Readonly<Record<string, Answer>>) => Client;

async function created(name: string): Promise<Create> {
  const outputTypes = { warn: "./warned.js#Warned" };
  const { files } = await project(busyWeather(), {
    protocol: await revision(name),
    outputTypes,
  });
  return ((await load(files, "client.ts")) as { createWeatherClient: Create })
    .createWeatherClient;
}

describe("a project's client", () => {
  let legacy: Create;
  let modern: Create;
  beforeAll(async () => {
    [legacy, modern] = await Promise.all([
      created("2025-11-25"),
      created("2026-07-28"),
    ]);
  });

  it("requests completions by wire names, with the arguments that are already known", async () => {
    const seen: unknown[] = [];
    const { complete } = legacy({
      complete: async (params) => {
        seen.push(params);
        return { completion: { values: ["Porto"], total: 1 } };
      },
    });
    const completion = await complete.prompts["packingList"]?.(
      "destination",
      "Po",
      {
        otherArguments: { days: "2" },
      },
    );
    expect(completion).toEqual({ values: ["Porto"], total: 1 });
    await complete.resources["station"]?.("id", "");
    expect(seen).toEqual([
      {
        ref: { type: "ref/prompt", name: "packing_list" },
        argument: { name: "destination", value: "Po" },
        context: { arguments: { days: "2" } },
      },
      {
        ref: { type: "ref/resource", uri: "weather://stations/{id}{?from,to}" },
        argument: { name: "id", value: "" },
      },
    ]);
  });

  it("subscribes to a resource by its expanded URI, and unsubscribes on close", async () => {
    const seen: unknown[] = [];
    const record =
      (name: string): Answer =>
      async (params) =>
        void seen.push([name, params]);
    const { subscribe } = legacy({
      subscribe: record("subscribe"),
      unsubscribe: record("unsubscribe"),
    });
    const watching = (await subscribe["station"]?.({ id: "a b" })) as {
      uri: string;
      close(): Promise<void>;
    };
    await watching.close();
    const params = { uri: "weather://stations/a%20b" };
    expect(seen).toEqual([
      ["subscribe", params],
      ["unsubscribe", params],
    ]);
  });

  interface Stream {
    readonly ended: Promise<void>;
    close(): Promise<void>;
  }

  it("subscribes with a stream in a modern revision, and ends it without an error on close", async () => {
    const requests: unknown[] = [];
    const { subscribe } = modern({
      subscriptionsListen: (params, { signal } = {}) => {
        requests.push(params);
        return new Promise((_, reject) => {
          signal?.addEventListener("abort", () => reject(new Error("aborted")));
        });
      },
    });
    const watching = (await subscribe["stations"]?.()) as Stream;
    await watching.close();
    await watching.ended;
    expect(requests).toEqual([
      { notifications: { resourceSubscriptions: ["weather://stations"] } },
    ]);
  });

  it("rejects `ended` if the stream is refused, and resolves it if the caller aborts", async () => {
    const { subscribe } = modern({
      subscriptionsListen: () => Promise.reject(new Error("refused")),
    });
    const watching = (await subscribe["stations"]?.()) as Stream;
    await expect(watching.ended).rejects.toThrow("refused");
    const stop = new AbortController();
    const { subscribe: patient } = modern({
      subscriptionsListen: (_, { signal } = {}) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener("abort", () => reject(new Error("aborted")));
        }),
    });
    const stream = (await patient["stations"]?.({
      signal: stop.signal,
    })) as Stream;
    stop.abort();
    await stream.ended;
  });

  it("keeps a result that does not match the output schema in the error, or returns it if it is not to be checked", async () => {
    const broken = {
      content: [{ type: "text", text: "hot" }],
      structuredContent: { temperature: "hot" },
    };
    const { tools } = legacy({ callTool: async () => broken });
    const error = await tools["getWeather"]?.({ location: "x" }).catch(
      (error: unknown) => error,
    );
    expect(error).toMatchObject({ name: "ValidationError", result: broken });
    const unchecked = await tools["getWeather"]?.(
      { location: "x" },
      { checkResult: false },
    );
    expect(unchecked).toBe(broken);
    const { tools: declared } = legacy({
      callTool: async () => ({ content: [] }),
    });
    const args = { level: 1, region: { code: "PT-11" } };
    const missing = await declared["warn"]?.(args).catch(
      (error: unknown) => error,
    );
    expect(missing).toMatchObject({
      name: "ValidationError",
      result: { content: [] },
    });
    expect(await declared["warn"]?.(args, { checkResult: false })).toEqual({
      content: [],
    });
  });

  it("reads the declared output of a tool from structuredContent or from one text block with JSON", async () => {
    const answers: unknown[] = [
      { content: [], structuredContent: { sent: 1 } },
      { content: [{ type: "text", text: '{"sent":2}' }] },
      { content: [{ type: "text", text: "sent" }] },
      { content: [{ type: "text", text: "no" }], isError: true },
    ];
    const { tools } = legacy({ callTool: async () => answers.shift() });
    const call = (): Promise<unknown> | undefined =>
      tools["warn"]?.({ level: 1, region: { code: "PT-11" } });
    expect(await call()).toMatchObject({ structuredContent: { sent: 1 } });
    expect(await call()).toMatchObject({ structuredContent: { sent: 2 } });
    await expect(call()).rejects.toThrow(
      "warn: structuredContent: expected structured content, or one text block that is JSON",
    );
    expect(await call()).toMatchObject({ isError: true });
  });
});

describe("the type that a configuration declares for the output of a tool", () => {
  const tool = { name: "t", inputSchema: { type: "object" } };
  it.each([
    [
      { other: "./x.js#X" },
      tool,
      'MG312 warning: the configuration has an output type for the tool "other", but the server has no such tool\n    hint: correct the name, or remove the entry of outputTypes',
    ],
    [
      { t: "./x.js#X" },
      { ...tool, outputSchema: { type: "object" } },
      'MG312 warning: the configuration has an output type for the tool "t", but the tool has an output schema, which is used instead\n    hint: remove the entry of outputTypes',
    ],
    [
      { t: "./x.js" },
      tool,
      'MG312 the output type of the tool "t" is "./x.js"; expected a module and a name\n    hint: write it as "./forecast.js#Forecast"',
    ],
    [
      { t: './x.js#X");alert(1)//' },
      tool,
      'MG312 the output type of the tool "t" is "./x.js#X\\");alert(1)//"; expected a module and a name\n    hint: write it as "./forecast.js#Forecast"',
    ],
  ] as const)(
    "is reported if it has no effect or is not a path and a name: %j",
    async (outputTypes, own, said) => {
      const { reports } = await project(snapshotOf({ tools: [own] }), {
        outputTypes,
      });
      expect(reports.map(formatDiagnostic)).toEqual([said]);
    },
  );

  it("is reported with at most 80 characters of the name and of the type", async () => {
    const name = "n".repeat(81);
    const shown = `"${"n".repeat(80)}"`;
    const reported = async (own: object, type: string): Promise<unknown> =>
      (
        await project(snapshotOf({ tools: [{ ...tool, ...own }] }), {
          outputTypes: { [name]: type },
        })
      ).reports.map(({ message }) => message);
    expect(await reported({}, "./x.js#X")).toEqual([
      `the configuration has an output type for the tool ${shown}, but the server has no such tool`,
    ]);
    expect(await reported({ name }, "x".repeat(81))).toEqual([
      `the output type of the tool ${shown} is "${"x".repeat(80)}"; expected a module and a name`,
    ]);
  });

  it("is written as a literal, whatever characters its path has", async () => {
    const outputTypes = { t: './"); alert(1); ("#X' };
    const { files } = await project(snapshotOf({ tools: [tool] }), {
      outputTypes,
    });
    expect(files.get("client.ts")).toContain(`import('./"); alert(1); ("').X`);
  });
});

describe("the generated file json-schemas.ts", () => {
  it("has the schema of each tool and prompt as the server writes it", async () => {
    const { files } = await project(fixture("weather"));
    const module = await load(files, "json-schemas.ts");
    const { tools } = JSON.parse(fixture("weather")) as {
      tools: Record<string, unknown>[];
    };
    expect(module["GetWeatherInputJsonSchema"]).toEqual(
      tools[0]?.["inputSchema"],
    );
    expect(module["GetWeatherOutputJsonSchema"]).toEqual(
      tools[0]?.["outputSchema"],
    );
    expect(module["PackingListArgumentsJsonSchema"]).toMatchObject({
      type: "object",
      properties: { destination: { type: "string" }, days: { type: "string" } },
      required: ["destination"],
    });
  });
});

describe("the schema of a tool in json-schemas.ts", () => {
  const wide = (values: number): object => ({
    default: Array.from({ length: values - 2 }, () => null),
  });

  it.each([
    [true, true],
    [false, false],
    [{}, {}],
    [wide(10_000), wide(10_000)],
    // Schemas that are not read accept everything.
    [wide(10_001), true],
    [3, true],
    [[], true],
    [null, true],
  ])("is as the server lists it, if it is one: %#", async (schema, shown) => {
    const tool = { name: "x", inputSchema: {}, outputSchema: schema };
    const { files } = await project(snapshotOf({ tools: [tool] }));
    const module = await load(files, "json-schemas.ts");
    expect(module["XOutputJsonSchema"]).toEqual(shown);
  });
});

describe("the comments of a project", () => {
  it("say that an entry is deprecated, and its title if that says more", async () => {
    const { files } = await project(
      snapshotOf({
        capabilities: { tools: {}, prompts: {} },
        tools: [
          { name: "a", deprecated: true, inputSchema: {} },
          {
            name: "b",
            description: "B.",
            inputSchema: { type: "object", deprecated: true },
          },
          { name: "c", deprecated: "no", title: "C", inputSchema: {} },
        ],
        prompts: [
          { name: "p", title: "P", description: "P" },
          { name: "q", title: "Q", description: "Text." },
          { name: "r", deprecated: true },
        ],
      }),
      { emit: ["client"] },
    );
    const comments = [
      ...(files.get("client.ts") ?? "").matchAll(
        /\/\*\*((?:(?!\*\/)[^])*)\*\/\n {2}([a-cp-r])\(/g,
      ),
    ].map(([, text = "", name]) => [
      name,
      text.replaceAll(/[\s*]+/g, " ").trim(),
    ]);
    expect(comments).toEqual([
      ["a", "`a` @deprecated"],
      ["b", "B. @deprecated"],
      ["c", "C"],
      ["p", "P"],
      ["q", "Q Text."],
      ["r", "`r` @deprecated"],
    ]);
  });

  it("keep the lists in descriptions of tools and of their arguments", async () => {
    const inputSchema = {
      type: "object",
      properties: { unit: { description: "One of:\n- C\n- F" } },
    };
    const description = "Reports:\n1. now\n2. later\n   on";
    const { files } = await project(
      snapshotOf({ tools: [{ name: "get", description, inputSchema }] }),
    );
    expect(files.get("client.ts")).toContain(
      "   * Reports:\n   * 1. now\n   * 2. later on\n   */\n  get(",
    );
    expect(files.get("types.ts")).toContain(
      "  /**\n   * One of:\n   * - C\n   * - F\n   */\n  unit",
    );
  });
});
