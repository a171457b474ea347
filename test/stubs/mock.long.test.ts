import { describe, expect, it } from "vitest";
import { compile } from "../view/compile.js";
import { load } from "../view/generated.js";
import { fixture, project, snapshotOf } from "./project.js";

interface Result {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: unknown;
}

interface Mocked {
  readonly tools: Readonly<Record<string, (args: unknown) => Promise<Result>>>;
  readonly prompts: {
    packingList(
      args: unknown,
    ): Promise<{ messages: readonly { content: unknown }[] }>;
  };
  readonly resources: Readonly<
    Record<string, (variables: unknown) => Promise<{ contents: unknown }>>
  >;
  readonly connection: {
    readonly server: {
      readonly info: unknown;
      readonly capabilities: unknown;
      readonly instructions?: string;
    };
    listTools(): Promise<{
      readonly tools: readonly { readonly name: string }[];
    }>;
    listResources(): Promise<{ readonly resources: unknown }>;
    callTool(params: unknown): Promise<Result>;
  };
  close(): Promise<void>;
}

type Connect = (snapshot?: unknown, answers?: unknown) => Promise<Mocked>;

describe("the mock of a server", () => {
  it("answers every tool, prompt and resource, and validates arguments as the server does", async () => {
    const { files } = await project(fixture("weather"));
    const { connectWeatherMock } = (await load(files, "mock.ts")) as {
      connectWeatherMock: Connect;
    };
    const mock = await connectWeatherMock();
    expect(await mock.tools["getWeather"]?.({ location: "Lisbon" })).toEqual({
      content: [
        {
          type: "text",
          text: '{"conditions":["condition"],"humidity":1,"temperature":1}',
        },
      ],
      structuredContent: {
        conditions: ["condition"],
        humidity: 1,
        temperature: 1,
      },
    });
    const warned = await mock.tools["warn"]?.({
      level: 1,
      region: { code: "PT-11" },
    });
    expect(warned?.content[0]?.text).toBe("A result of warn.");
    const { messages } = await mock.prompts.packingList({
      destination: "Porto",
    });
    expect(messages[0]?.content).toEqual({
      type: "text",
      text: "The text of packing_list.",
    });
    expect(await mock.resources["station"]?.({ id: "7" })).toEqual({
      contents: [
        {
          uri: "weather://stations/7",
          text: "The text of weather://stations/{id}{?from,to}.",
        },
      ],
    });
    await expect(mock.tools["getWeather"]?.({})).rejects.toThrow(
      "expected a string",
    );
    await mock.close();
  });

  it("has the lists and the description of the snapshot that is passed to it, and answers every tool of it", async () => {
    const text = fixture("weather");
    const { files } = await project(text);
    const { connectWeatherMock } = (await load(files, "mock.ts")) as {
      connectWeatherMock: Connect;
    };
    const whole = JSON.parse(text) as {
      tools: { name: string }[];
      resources: unknown;
      capabilities: object;
    };
    const renewed = {
      ...whole,
      server: { name: "weather", version: "9.9.9" },
      instructions: "Ask again tomorrow.",
      tools: whole.tools
        .map((tool) => ({ ...tool, description: `New words on ${tool.name}.` }))
        .reverse(),
    };
    for (const snapshot of [whole, renewed]) {
      const mock = await connectWeatherMock(snapshot);
      const { connection } = mock;
      expect((await connection.listTools()).tools).toEqual(snapshot.tools);
      expect((await connection.listResources()).resources).toEqual(
        snapshot.resources,
      );
      const { info, capabilities, instructions } = connection.server;
      expect({ info, capabilities, instructions }).toMatchObject({
        info: "server" in snapshot ? snapshot.server : {},
        capabilities: whole.capabilities,
        instructions:
          "instructions" in snapshot ? snapshot.instructions : undefined,
      });
      const args = {
        get_weather: { location: "x" },
        warn: { level: 1, region: { code: "PT-11" } },
      };
      for (const [name, value] of Object.entries(args)) {
        const { isError, content } = await connection.callTool({
          name,
          arguments: value,
        });
        expect([isError ?? false, content.length]).toEqual([false, 1]);
      }
      await mock.close();
    }
  });

  it("lists nothing for a snapshot without tools that is passed to it", async () => {
    const { files } = await project(fixture("weather"));
    const { connectWeatherMock } = (await load(files, "mock.ts")) as {
      connectWeatherMock: Connect;
    };
    const bare = await connectWeatherMock({
      server: { name: "bare", version: "1" },
      capabilities: { tools: {} },
    });
    expect((await bare.connection.listTools()).tools).toEqual([]);
    await bare.close();
  });

  it("accepts in its types a snapshot that a program imports as JSON", async () => {
    const { all } = await project(fixture("weather"));
    const use = `
import { connectWeatherMock, createWeatherMock } from "./mock.js";

const snapshot = ${fixture("weather")};

createWeatherMock();
createWeatherMock(snapshot);
createWeatherMock(snapshot, { prompts: { packingList: () => "Nothing." } });
createWeatherMock(undefined, { tools: { warn: () => "Warned." } });
void connectWeatherMock(JSON.parse("{}"));
// @ts-expect-error answers are the second argument
createWeatherMock({ tools: { warn: () => "Warned." } });
// @ts-expect-error no such tool
createWeatherMock(snapshot, { tools: { cold: () => "Cold." } });
`;
    expect(compile(new Map([...all, ["use.ts", use]]))).toEqual([]);
  });

  it("validates the results of handlers that are passed to it", async () => {
    const { files } = await project(fixture("weather"));
    const { connectWeatherMock } = (await load(files, "mock.ts")) as {
      connectWeatherMock: Connect;
    };
    const results = [
      { temperature: 30, conditions: ["sunny"] },
      { temperature: "hot" },
    ];
    const mock = await connectWeatherMock(undefined, {
      tools: { getWeather: () => results.shift() },
    });
    const result = await mock.tools["getWeather"]?.({ location: "x" });
    expect(result?.structuredContent).toEqual({
      temperature: 30,
      conditions: ["sunny"],
    });
    expect(await mock.tools["getWeather"]?.({ location: "x" })).toMatchObject({
      isError: true,
    });
    await mock.close();
  });

  it("fails a call of a tool whose output schema accepts nothing, and the generator reports it with MG313", async () => {
    const tool = {
      name: "odd",
      inputSchema: { type: "object" },
      outputSchema: { type: "object", not: {} },
    };
    const { all, files, reports } = await project(
      snapshotOf({ tools: [tool] }),
    );
    expect(reports.map(({ code, within }) => [code, within])).toEqual([
      ["MG313", ['tool "odd"']],
    ]);
    expect(compile(all)).toEqual([]);
    const { connectMadeMock } = (await load(files, "mock.ts")) as {
      connectMadeMock: Connect;
    };
    const mock = await connectMadeMock();
    const result = await mock.tools["odd"]?.({});
    expect([result?.isError, result?.content[0]?.text]).toEqual([
      true,
      "The mock has no example result for odd. Pass a handler for it.",
    ]);
    await mock.close();
  });
});
