import { beforeAll, describe, expect, it } from "vitest";
import { carelessly } from "../runtime/kit/careless.js";
import { failure, type Json } from "../runtime/kit/messages.js";
import { serveWire } from "../runtime/kit/wire.js";
import {
  all,
  generated,
  type Generated,
  type Handlers,
  info,
  joined as join,
  read,
  refusal,
  schemas,
  write,
} from "./made-up.js";

const days = [{ date: "tomorrow", sky: "rain", degrees: null }];
const handlers: Handlers = {
  "weather/forecast": ({ place }) => ({ days, heardOf: place }),
  "weather/places/list": (params) =>
    params?.["cursor"] === undefined
      ? { places: [{ name: "Here" }], nextCursor: "2" }
      : { places: [{ name: "There" }] },
  "tools/list": () => ({
    tools: [{ name: "project", inputSchema: { type: "object" } }],
  }),
  "tools/call": async (_, { request }) => {
    const { seen } = await request("window/lookOut", { for: "rain" });
    const looks = seen === true ? "solid" : "transparent";
    return {
      content: [{ type: "hologram", data: "aGk=", opacity: 0.5, looks }],
    };
  },
};
/**
 * The runtime declares the capabilities of handlers; the user declares those of
 * notifications.
 */
const announcing = { weather: { listChanged: true } };
const window: Handlers = {
  "window/lookOut": (params) => ({ seen: params["for"] === "rain" }),
};

let aurora: Generated;
beforeAll(async () => {
  aurora = await generated(schemas.aurora);
});

describe("a made-up revision that opens with initialize", () => {
  it("negotiates its name, and the client gets the info and the capabilities of the server", async () => {
    const { client } = await join(aurora, handlers);
    expect(client.revision).toBe("aurora-7");
    expect(client.server.info).toEqual(info);
    expect(client.server.capabilities).toEqual({
      tools: {},
      weather: { forecast: {} },
    });
  });

  it("answers a method that no other revision has", async () => {
    const { client } = await join(aurora, handlers);
    expect(
      await client["weatherForecast"]?.({ place: "Here", days: 1 }),
    ).toEqual({ days, heardOf: "Here" });
  });

  it("reads its own kind of list page by page", async () => {
    const { client } = await join(aurora, handlers);
    const places = client["places"]?.() as AsyncIterable<Json>;
    expect(await all(places)).toEqual([{ name: "Here" }, { name: "There" }]);
  });

  it("sends its own kind of request to the client, and its own content block in a result", async () => {
    const { client } = await join(aurora, handlers, { client: window });
    const result = await client["callTool"]?.({ name: "project" });
    expect(result).toEqual({
      content: [
        { type: "hologram", data: "aGk=", opacity: 0.5, looks: "solid" },
      ],
    });
  });

  it("does not send its own kind of request to a client that did not declare the capability", async () => {
    const { client } = await join(aurora, handlers);
    const { code, message } = await refusal(
      client["callTool"]?.({ name: "project" }),
    );
    expect({ code, message }).toEqual({
      code: -32603,
      message: `window/lookOut needs {"window":{}} among the client's capabilities.`,
    });
  });

  it("rejects its method in the client and in the server if the server did not declare the capability", async () => {
    const { "tools/list": list = () => ({}) } = handlers;
    const { client, server } = await join(aurora, { "tools/list": list });
    expect(
      String(
        await failure(client["weatherForecast"]?.({ place: "Here", days: 1 })),
      ),
    ).toContain('weather/forecast needs {"weather":{"forecast":{}}}');
    const wire = await serveWire(server);
    await shakeHands(wire, "aurora-7");
    wire.send({
      jsonrpc: "2.0",
      id: 2,
      method: "weather/forecast",
      params: { place: "Here", days: 1 },
    });
    expect(await wire.next()).toMatchObject({ id: 2, error: { code: -32601 } });
  });

  it("sends its own kind of notification to a client that handles it", async () => {
    const notifications: unknown[] = [];
    const listening: Handlers = {
      "notifications/weather/list_changed": (params) =>
        notifications.push(params ?? "no params"),
    };
    const { client, server } = await join(aurora, handlers, {
      client: listening,
      serverCapabilities: announcing,
    });
    server.notify["weatherListChanged"]?.();
    server.notify["weatherListChanged"]?.({ _meta: { why: "wind" } });
    await client["ping"]?.();
    expect(notifications).toEqual(["no params", { _meta: { why: "wind" } }]);
  });

  it("sends no notification without its capability, and warns with the name of the capability", async () => {
    const warnings: string[] = [];
    const { server } = await join(aurora, handlers, {
      onWarning: (text) => void warnings.push(text),
    });
    server.notify["weatherListChanged"]?.();
    expect(warnings).toEqual([
      'notifications/weather/list_changed was not sent: it needs {"weather":{"listChanged":true}} among the server\'s capabilities.',
    ]);
  });

  it("JRPC-11 answers invalid params with -32602 and the path", async () => {
    const { client } = await join(aurora, handlers);
    const call = (): Promise<unknown> =>
      refusal(client["weatherForecast"]?.({ place: "Here", days: 1.5 }));
    expect(await carelessly(aurora["clientSide"], call)).toEqual({
      code: -32602,
      message: "weather/forecast: params.days: expected an integer, got 1.5",
      data: {
        issues: [
          {
            message: "params.days: expected an integer, got 1.5",
            path: ["params", "days"],
          },
        ],
      },
    });
  });

  it("rejects a result in the client that the revision does not allow", async () => {
    const wrong: Handlers = {
      "tools/call": () => ({
        content: [{ type: "hologram", data: "", looks: "solid", opacity: 2 }],
      }),
    };
    const { client } = await join(aurora, { ...handlers, ...wrong });
    const call = (): Promise<Error> =>
      failure(client["callTool"]?.({ name: "project" }));
    const error = await carelessly(aurora["serverSide"], call);
    expect(error.name).toBe("ValidationError");
    expect(error.message).toMatch(
      /^tools\/call result: content\[0\]\.opacity: expected .*, got 2$/,
    );
  });

  it("has validators for its own types, also for a union with a tag", () => {
    expect(aurora["isBlock"]?.({ type: "text", text: "" })).toBe(true);
    expect(
      aurora["isBlock"]?.({ type: "hologram", data: "", looks: "new" }),
    ).toBe(true);
    expect(aurora["isBlock"]?.({ type: "image", data: "", mimeType: "" })).toBe(
      false,
    );
    expect(Object.keys(aurora)).not.toContain("isContentBlock");
  });
});

interface Wire {
  send(message: unknown): void;
  next(): Promise<unknown>;
}

async function shakeHands(wire: Wire, revision: string): Promise<unknown> {
  wire.send({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: revision, capabilities: {}, clientInfo: info },
  });
  const answer = await wire.next();
  wire.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  return answer;
}

describe("the made-up revision aurora with batches", () => {
  const batches = read(schemas.aurora)
    .replace(
      /JSONRPCMessage =\s+JSONRPCRequest \| JSONRPCNotification \| JSONRPCResponse/,
      "JSONRPCMessage = JSONRPCRequest | JSONRPCNotification | JSONRPCResponse | JSONRPCBatch",
    )
    .replace('"aurora-7"', '"aurora-8"')
    .concat(
      "\nexport type JSONRPCBatch = (JSONRPCRequest | JSONRPCNotification)[];\n",
    );

  const asks = [
    {
      jsonrpc: "2.0",
      id: "a",
      method: "weather/forecast",
      params: { place: "Here", days: 1 },
    },
    { jsonrpc: "2.0", method: "notifications/weather/unheard_of" },
    { jsonrpc: "2.0", id: "b", method: "ping" },
  ];

  it("BATCH-01 BATCH-02 answers every request of a batch", async () => {
    const page = await generated(write("aurora-8/schema.ts", batches));
    const wire = await serveWire(
      page.createServer({ info, questions: page.serverQuestions, handlers }),
    );
    expect(await shakeHands(wire, "aurora-8")).toMatchObject({
      result: { protocolVersion: "aurora-8" },
    });
    wire.send(asks);
    // A server may answer a batch with one array or with several messages.
    const answers: unknown[] = [];
    while (answers.length < 2) answers.push(...[await wire.next()].flat());
    expect(answers).toHaveLength(2);
    expect(answers).toContainEqual({
      jsonrpc: "2.0",
      id: "a",
      result: { days, heardOf: "Here" },
    });
    expect(answers).toContainEqual({ jsonrpc: "2.0", id: "b", result: {} });
    const { client } = await join(page, handlers);
    expect(
      await client["weatherForecast"]?.({ place: "Here", days: 1 }),
    ).toMatchObject({ days });
  });

  it("BATCH-05 answers an array with -32600 in the revision without batches", async () => {
    const wire = await serveWire(
      aurora.createServer({
        info,
        questions: aurora.serverQuestions,
        handlers,
      }),
    );
    await shakeHands(wire, "aurora-7");
    wire.send(asks);
    expect(await wire.next()).toMatchObject({ error: { code: -32600 } });
  });
});

describe("a client and a server with different made-up revisions", () => {
  it("VERS-01 fail to connect with an error that names both revisions", async () => {
    const other = await generated(
      write(
        "aurora-9/schema.ts",
        read(schemas.aurora).replace('"aurora-7"', '"aurora-9"'),
      ),
    );
    const error = await failure(
      join(
        { ...other, createServer: aurora.createServer } as unknown as Generated,
        handlers,
      ),
    );
    expect(error.message).toContain("aurora-7");
    expect(error.message).toContain("aurora-9");
    const { client } = await join(other, handlers);
    expect(client.revision).toBe("aurora-9");
  });
});
