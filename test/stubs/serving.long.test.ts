import { describe, expect, it } from "vitest";
import { compile } from "../view/compile.js";
import { load } from "../view/generated.js";
import { busyWeather, fixture, project, revision } from "./project.js";

interface Connected {
  readonly complete: {
    readonly prompts: Readonly<
      Record<
        string,
        (name: string, value: string, options?: unknown) => Promise<unknown>
      >
    >;
    readonly resources: Readonly<
      Record<string, (name: string, value: string) => Promise<unknown>>
    >;
  };
  readonly subscribe: Readonly<
    Record<
      string,
      (
        variables?: unknown,
      ) => Promise<{ readonly uri: string; close(): Promise<void> }>
    >
  >;
  readonly connection: {
    readonly server: { readonly capabilities: unknown };
    complete(params: unknown): Promise<unknown>;
    subscribe(params: unknown): Promise<unknown>;
  };
  close(): Promise<void>;
}

type Connect = (snapshot?: unknown, answers?: unknown) => Promise<Connected>;

async function busy(name: string): Promise<Connect> {
  const { files } = await project(busyWeather(), {
    protocol: await revision(name),
  });
  return ((await load(files, "mock.ts")) as { connectWeatherMock: Connect })
    .connectWeatherMock;
}

const old = ["2024-11-05", "2025-06-18", "2025-11-25"];

describe("the server of a project with functions for completion", () => {
  it.each([...old, "2026-07-28"])(
    "calls the function of the argument with the arguments that are already known: %s",
    async (name) => {
      const seen: unknown[] = [];
      const complete = {
        prompts: {
          packingList: {
            destination: (typed: string, settled: unknown) => {
              seen.push([typed, settled]);
              return ["Porto", "Portland"];
            },
          },
        },
        resources: {
          station: {
            id: () => ({ values: ["osl"], total: 7, hasMore: true }),
            from: () => Array.from({ length: 101 }, (_, i) => `${i}`),
          },
        },
      };
      const connected = await (await busy(name))(undefined, { complete });
      const settled = name === "2024-11-05" ? {} : { days: "2" };
      const options =
        name === "2024-11-05" ? [] : [{ otherArguments: settled }];
      const { prompts, resources } = connected.complete;
      expect(
        await prompts["packingList"]?.("destination", "Po", ...options),
      ).toEqual({
        values: ["Porto", "Portland"],
      });
      expect(seen).toEqual([["Po", settled]]);
      expect(await resources["station"]?.("id", "")).toEqual({
        values: ["osl"],
        total: 7,
        hasMore: true,
      });
      expect(await resources["station"]?.("from", "")).toMatchObject({
        total: 101,
        hasMore: true,
      });
      await connected.close();
    },
  );

  it("suggests nothing without a function", async () => {
    const connected = await (await busy("2025-11-25"))();
    expect(
      await connected.complete.prompts["packingList"]?.("days", ""),
    ).toEqual({ values: [] });
    await connected.close();
  });

  it("refuses to complete an unknown argument, prompt or template", async () => {
    const connected = await (await busy("2025-11-25"))();
    const ask = (ref: object, name: string): Promise<unknown> =>
      connected.connection.complete({ ref, argument: { name, value: "" } });
    const prompt = { type: "ref/prompt", name: "packing_list" };
    await expect(ask(prompt, "colour")).rejects.toMatchObject({
      code: -32602,
      message: 'There is no argument "colour" of "packing_list".',
    });
    await expect(ask(prompt, "constructor")).rejects.toMatchObject({
      code: -32602,
    });
    await expect(
      ask({ ...prompt, name: "__proto__" }, "days"),
    ).rejects.toMatchObject({ code: -32602 });
    await expect(
      ask({ type: "ref/resource", uri: "packing_list" }, "days"),
    ).rejects.toMatchObject({
      code: -32602,
    });
    await connected.close();
  });
});

describe("the server of a project with functions for subscriptions", () => {
  it.each(old)(
    "calls them for each subscription and its end, and refuses a subscription if one throws: %s",
    async (name) => {
      const seen: unknown[] = [];
      const record =
        (what: string) =>
        (variables: unknown): void =>
          void seen.push([what, variables]);
      const connected = await (
        await busy(name)
      )(undefined, {
        subscribe: {
          station: record("begins"),
          stations: () => {
            throw new Error("not this one");
          },
        },
        unsubscribe: { station: record("ends") },
      });
      const watching = await connected.subscribe["station"]?.({ id: "a b" });
      await watching?.close();
      expect(seen).toEqual([
        ["begins", { id: "a b" }],
        ["ends", { id: "a b" }],
      ]);
      await expect(connected.subscribe["stations"]?.()).rejects.toMatchObject({
        code: -32603,
      });
      expect(
        await connected.connection.subscribe({ uri: "weather://elsewhere" }),
      ).toEqual({});
      // RES-06
      await expect(
        connected.connection.subscribe({ uri: "weather://stations/..%2fx" }),
      ).rejects.toMatchObject({
        code: -32602,
      });
      expect(seen).toHaveLength(2);
      await connected.close();
    },
  );

  it("accepts every subscription to a resource without a function", async () => {
    const connected = await (await busy("2025-11-25"))();
    const watching = await connected.subscribe["stations"]?.();
    await watching?.close();
    expect(watching?.uri).toBe("weather://stations");
    await connected.close();
  });
});

describe("the capabilities of a project's server", () => {
  it.each([...old, "2026-07-28"])(
    "are those of the snapshot that the revision has, with or without functions (VERS-11): %s",
    async (name) => {
      const connect = await busy(name);
      const { capabilities } = JSON.parse(busyWeather()) as {
        capabilities: Record<string, unknown>;
      };
      // This revision completes arguments, but has no capability for it.
      const { completions: _, ...rest } = capabilities;
      const complete = { prompts: { packingList: { days: () => ["1"] } } };
      for (const answers of [{}, { complete }]) {
        const connected = await connect(undefined, answers);
        expect(connected.connection.server.capabilities).toEqual(
          name === "2024-11-05" ? rest : capabilities,
        );
        await connected.close();
      }
    },
  );

  it("give types to the functions by the names of arguments and variables", async () => {
    const { all } = await project(busyWeather());
    const use = `
import { createWeatherServer, type WeatherServerOptions } from "./server.js";
import { handlers } from "./handlers/index.js";

const complete: NonNullable<WeatherServerOptions["complete"]> = {
  prompts: {
    packingList: {
      destination: async (typed, { days }) => [typed, days ?? "1"],
      // @ts-expect-error there is no such argument
      colour: () => [],
    },
  },
  resources: {
    station: {
      // @ts-expect-error the template has no such variable
      id: (_typed, { colour }) => [colour],
      to: (_typed, { from }, context) => ({ values: [from ?? "", context.revision] }),
    },
  },
};
createWeatherServer({
  ...handlers,
  complete,
  subscribe: { station: ({ id }, { signal }) => void [id?.length, signal.aborted] },
  unsubscribe: { stations: async () => {} },
});
// @ts-expect-error there is no such resource
createWeatherServer({ ...handlers, subscribe: { rain: () => {} } });
`;
    expect(compile(new Map([...all, ["use.ts", use]]))).toEqual([]);
  });

  it("add no code for completion or subscriptions if the snapshot declares neither", async () => {
    const { files } = await project(fixture("weather"));
    expect(files.get("server.ts")).not.toMatch(/complet|subscri|Watch/);
  });
});
