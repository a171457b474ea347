import { format } from "prettier";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { compile } from "../view/compile.js";
import { load } from "../view/generated.js";
import { fixture, project } from "./project.js";

const weather = await project(fixture("weather"));
const own = [...weather.all].filter(([path]) => !path.startsWith("protocol/"));

describe("the stubs of a server", () => {
  it("compile with the strictest options", () => {
    expect(weather.reports).toEqual([]);
    expect(compile(weather.all)).toEqual([]);
  });

  it.each(own)(
    "are formatted as Prettier formats them: %s",
    async (_, text) => {
      expect(await format(text, { parser: "typescript" })).toBe(text);
    },
  );

  it("do not compile if a handler is missing", () => {
    const broken = new Map(weather.all);
    const index = weather.files.get("handlers/index.ts") ?? "";
    broken.set(
      "handlers/index.ts",
      index.replace("tools: { getWeather, warn }", "tools: { getWeather }"),
    );
    expect(compile(broken).join("\n")).toContain("Property 'warn' is missing");
  });
});

interface Tools {
  getWeather(args: unknown): Promise<{
    isError?: boolean;
    content: { text: string }[];
    structuredContent?: unknown;
  }>;
  warn(
    args: unknown,
  ): Promise<{ isError?: boolean; content: { text: string }[] }>;
}

interface Weather {
  readonly tools: Tools;
  readonly readOnly: { readonly tools: Partial<Tools> };
  readonly prompts: {
    packingList(args: unknown): Promise<{ messages: unknown }>;
  };
  readonly resources: {
    stations(): Promise<{ contents: unknown }>;
    station(variables: unknown): Promise<{ contents: unknown }>;
  };
}

interface Connected {
  readonly client: Weather;
  readonly raw: {
    listTools(): Promise<{ tools: unknown }>;
    callTool(params: unknown): Promise<unknown>;
    readResource(params: unknown): Promise<unknown>;
    readonly server: { readonly info: unknown; readonly instructions?: string };
    close(): Promise<void>;
  };
  readonly seen: unknown[];
  readonly errors: Error[];
  readonly reads: unknown[];
}

/** A program that connects the generated client with the generated server. */
const program = `
import { McpError, memoryPair, serve } from "@mcpgen/runtime";
import { Client } from "./protocol/client.js";
import { createWeatherClient, createWeatherServer, Reply, ToolError } from "./index.js";

export async function connect(settings = {}) {
  const seen = [];
  const errors = [];
  const reads = [];
  const server = createWeatherServer({
    ...settings,
    onError: (error) => void errors.push(error),
    tools: {
      getWeather: async (args) => {
        seen.push(args);
        if (args.location === "Atlantis") throw new ToolError("There is no such place any more.");
        if (args.location === "Babel") throw new Error("a secret of ours");
        if (args.location === "Utopia") throw new McpError(-31000, "Not today", { until: "tomorrow" });
        if (args.location === "Oz") return { temperature: "hot", conditions: [] };
        if (args.location === "Eden") return new Reply({ temperature: 25, conditions: [] }, [{ type: "text", text: "Perfect." }]);
        return { temperature: 21.5, conditions: ["sunny"] };
      },
      warn: ({ level, region }) => \`warned \${region.code} of \${level}\`,
    },
    prompts: { packingList: ({ destination, days = "7" }) => \`Pack for \${days} days in \${destination}.\` },
    resources: {
      stations: () => "[]",
      station: ({ id, from, to }) => {
        reads.push(id);
        return JSON.stringify([id, from, to]);
      },
    },
  });
  const [ours, theirs] = memoryPair();
  await serve(theirs, server);
  const raw = await Client.connect(ours, { info: { name: "test", version: "0" } });
  return { client: createWeatherClient(raw), raw, seen, errors, reads };
}
`;

describe("a typed client and a server generated from the same snapshot", () => {
  let connected: Connected;
  let connect: (settings?: object) => Promise<Connected>;
  beforeAll(async () => {
    const files = new Map([...weather.all, ["program.ts", program]]);
    ({ connect } = (await load(files, "program.ts")) as {
      connect: typeof connect;
    });
  });
  beforeEach(async () => {
    connected = await connect();
  });
  afterEach(() => connected.raw.close());

  it("call a tool by its name and return its structured content", async () => {
    const result = await connected.client.tools.getWeather({
      location: "Lisbon",
      units: "metric",
    });
    expect(result.structuredContent).toEqual({
      temperature: 21.5,
      conditions: ["sunny"],
    });
    // TOOL-08: the same as text, for clients that read only text.
    expect(JSON.parse(result.content[0]?.text ?? "")).toEqual(
      result.structuredContent,
    );
    expect(connected.seen).toEqual([{ location: "Lisbon", units: "metric" }]);
  });

  it("return the content blocks of a handler instead of JSON", async () => {
    const { content, structuredContent } =
      await connected.client.tools.getWeather({ location: "Eden" });
    expect([content[0]?.text, structuredContent]).toEqual([
      "Perfect.",
      { temperature: 25, conditions: [] },
    ]);
  });

  it.each([
    [{}, "get_weather: arguments: location: expected a string, got nothing"],
    [
      { location: "" },
      'get_weather: arguments: location: expected at least 1 character, got ""',
    ],
    [
      { location: "x", units: "kelvin" },
      'get_weather: arguments: units: expected "metric" or "imperial", got "kelvin"',
    ],
    [
      { location: "x", unit: "metric" },
      'get_weather: arguments: unit: expected no member of this name, got "metric"',
    ],
  ] as const)(
    "reject the invalid arguments %j before they are sent, and name the path",
    async (args, message) => {
      await expect(connected.client.tools.getWeather(args)).rejects.toThrow(
        message,
      );
      expect(connected.seen).toEqual([]);
    },
  );

  it("TOOL-03 answer invalid arguments of any client with an isError result", async () => {
    const result = await connected.raw.callTool({
      name: "warn",
      arguments: { level: 9, region: { code: "PT-1" } },
    });
    expect(result).toEqual({
      isError: true,
      content: [
        {
          type: "text",
          text: "Invalid arguments for the tool warn: level: expected an integer from 1 to 5, got 9.",
        },
      ],
    });
    expect(connected.seen).toEqual([]);
  });

  it("TOOL-02 answer a call of an unknown tool with a JSON-RPC error", async () => {
    await expect(
      connected.raw.callTool({ name: "toString" }),
    ).rejects.toMatchObject({ code: -32602 });
  });

  it.each([
    ["Atlantis", "There is no such place any more."],
    ["Babel", "a secret of ours"],
  ])(
    "answer for %s the error of a handler with an isError result that has its message, and call onError (TOOL-05)",
    async (location, message) => {
      const result = await connected.client.tools.getWeather({ location });
      expect(result).toEqual({
        content: [{ type: "text", text: message }],
        isError: true,
      });
      expect(connected.errors.map((error) => error.message)).toContain(message);
    },
  );

  it.each([
    "weather://stations/..%2f..%2fetc%2fpasswd",
    "weather://stations/a%2f..%2f..%2fb",
    "weather://stations/..%5cx",
    "weather://stations/%00",
    "weather://stations/%2fetc%2fpasswd",
    "weather://stations/%5c%5cserver%5cshare",
    "weather://stations/C:%5cx",
    "weather://stations/7?from=..%2fx",
    "weather://stations/..",
    "weather://stations/a|b",
  ])(
    "RES-06 reject a URI that leads out of its template, and run no handler: %s",
    async (uri) => {
      await expect(connected.raw.readResource({ uri })).rejects.toMatchObject({
        code: -32602,
        data: { uri },
      });
      expect(connected.reads).toEqual([]);
    },
  );

  it("answer an McpError of a handler with that JSON-RPC error", async () => {
    await expect(
      connected.client.tools.getWeather({ location: "Utopia" }),
    ).rejects.toMatchObject({
      code: -31000,
      data: { until: "tomorrow" },
    });
  });

  it("hide the messages of all errors but ToolError with maskErrors (TOOL-20)", async () => {
    const masked = await connect({ maskErrors: true });
    const textOf = async (location: string): Promise<unknown> =>
      (await masked.client.tools.getWeather({ location })).content[0]?.text;
    expect(await textOf("Atlantis")).toBe("There is no such place any more.");
    expect(await textOf("Babel")).toBe("The tool failed.");
    expect(masked.errors.map(({ message }) => message)).toContain(
      "a secret of ours",
    );
    await masked.raw.close();
  });

  it("TOOL-06 send an isError result instead of one that the output schema rejects", async () => {
    const result = await connected.client.tools.getWeather({ location: "Oz" });
    expect(result).toEqual({
      content: [{ type: "text", text: expect.any(String) }],
      isError: true,
    });
    const messages = connected.errors.map(({ message }) => message).join();
    expect(messages).toContain(
      'The result of the tool get_weather does not match its outputSchema: temperature: expected a number, got "hot"',
    );
  });

  it("answer a tool without an output schema with content blocks", async () => {
    const result = await connected.client.tools.warn({
      level: 2,
      region: { code: "PT-11", parts: [{ code: "PT-1" }] },
    });
    expect(result.content).toEqual([
      { type: "text", text: "warned PT-11 of 2" },
    ]);
  });

  it("get prompts, read resources, and read resources by template", async () => {
    expect(
      await connected.client.prompts.packingList({ destination: "Porto" }),
    ).toMatchObject({
      messages: [
        {
          role: "user",
          content: { type: "text", text: "Pack for 7 days in Porto." },
        },
      ],
    });
    expect(await connected.client.resources.stations()).toEqual({
      contents: [
        { uri: "weather://stations", mimeType: "application/json", text: "[]" },
      ],
    });
    expect(
      await connected.client.resources.station({ id: "a b/c", from: "1" }),
    ).toEqual({
      contents: [
        {
          uri: "weather://stations/a%20b%2Fc?from=1",
          text: '["a b/c","1",null]',
        },
      ],
    });
  });

  it("RES-02 answer a read of an unknown resource with its error code", async () => {
    await expect(
      connected.raw.readResource({ uri: "weather://nowhere" }),
    ).rejects.toMatchObject({
      code: -32002,
    });
  });

  it("list the tools with the same bytes as the snapshot", async () => {
    const { tools } = await connected.raw.listTools();
    const {
      tools: expected,
      server,
      instructions,
    } = JSON.parse(fixture("weather")) as Record<string, unknown>;
    expect(JSON.stringify(tools)).toBe(JSON.stringify(expected));
    expect(connected.raw.server.info).toEqual(server);
    expect(connected.raw.server.instructions).toBe(instructions);
  });

  it("have a read-only view with only the tools that change nothing", () => {
    // The type has only `getWeather`; the object must not have more.
    expect(Object.keys(connected.client.readOnly.tools)).toEqual([
      "getWeather",
    ]);
  });
});
