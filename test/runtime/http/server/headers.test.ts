import { type AnyTool, tools } from "@mcpgen/runtime/features";
import { describe, expect, it } from "vitest";
import {
  errorOf,
  type Json,
  makeServer,
  modern,
  resultOf,
  text,
  textOf,
} from "../../kit/index.js";
import { ask, call, tell } from "../kit/messages.js";
import {
  serverSets,
  codeOf,
  HEADER_MISMATCH,
  methodHeader,
  nameHeader,
  param,
  post,
  UNSUPPORTED_PROTOCOL_VERSION,
  version,
} from "../kit/modern.js";
import type { Answer, Sent } from "../kit/exchange.js";
import { endpoints, type Open, opener, serving } from "../kit/server.js";

/** Tools behind handlers that the author of a server writes. */
function ownHandlers(list: readonly AnyTool[]): object {
  return {
    "tools/list": () => ({
      tools: list.map(({ name, inputSchema }) => ({ name, inputSchema })),
    }),
    "tools/call": () => text("done"),
  };
}

describe.each(endpoints)("the modern shape behind $name", (endpoint) => {
  const open = opener(endpoint, [modern]);
  const serve = serving(endpoint);

  describe.each(serverSets)("of $who", ({ served, sessions }) => {
    const openAll = (): Promise<Open> => open({ sessions }, {}, {}, served);

    it("META-05 applies a capability only to the request that declares it", async () => {
      const up = await openAll();
      const declared = await up.send(
        post(call(1, "elicit"), {}, { elicitation: { form: {} } }),
      );
      expect(resultOf(await declared.json())["resultType"]).toBe(
        "input_required",
      );
      const { MISSING_REQUIRED_CLIENT_CAPABILITY: code } = modern.facts.errors;
      expect(await codeOf(await up.send(post(call(2, "elicit"))))).toEqual([
        400,
        code,
      ]);
    });

    it("VERS-07 rejects an unknown revision with 400 and the list of supported ones", async () => {
      const up = await openAll();
      const { protocolVersion = "" } = modern.facts.meta;
      const sent = post(
        call(1, "echo", {}, { [protocolVersion]: "2099-01-01" }),
        {
          [version]: "2099-01-01",
        },
      );
      const answer = await up.send(sent);
      expect(answer.status).toBe(400);
      expect(errorOf(await answer.json())).toMatchObject({
        code: UNSUPPORTED_PROTOCOL_VERSION,
        data: {
          requested: "2099-01-01",
          supported: served.map(({ revision }) => revision),
        },
      });
    });

    it("HDR-01 requires the same revision in the header and the body, also for a notification", async () => {
      const up = await openAll();
      for (const message of [
        call(1, "echo"),
        tell("notifications/cancelled", { requestId: 1 }),
      ]) {
        for (const stated of [undefined, "", "2025-11-25", "2099-01-01"]) {
          const answer = await up.send(post(message, { [version]: stated }));
          expect([stated, ...(await codeOf(answer))]).toEqual([
            stated,
            400,
            HEADER_MISMATCH,
          ]);
        }
      }
    });

    const echo = call(1, "echo", { value: "x" });
    const read = ask(1, "resources/read", { uri: "file:///Ä b" });
    const encoded = `=?base64?${Buffer.from("file:///Ä b").toString("base64")}?=`;
    const repeated = ["tools/call", "tools/call"];
    it.each([
      [
        echo,
        {
          [methodHeader]: undefined,
          [methodHeader.toUpperCase()]: "tools/call",
        },
        200,
      ],
      [echo, { [methodHeader]: repeated }, 400],
      [read, { [nameHeader]: encoded }, 200],
      [read, { [nameHeader]: "=?base64?ZWNobw==?=" }, 400],
      [ask(1, "tools/list"), { [nameHeader]: "nobody asks" }, 200],
    ] as const)(
      "HDR-02 HDR-03 HDR-04 HDR-05 requires headers with the method and the name, in any case of the header names: %j with %j gets %i",
      async (message, headers, status) => {
        const answer = await (await openAll()).send(post(message, headers));
        expect(answer.status).toBe(status);
        if (status === 400)
          expect(await answer.json()).toMatchObject({
            id: 1,
            error: { code: HEADER_MISMATCH },
          });
      },
    );
  });

  const deploying = async () => {
    const inputSchema = {
      type: "object",
      properties: {
        region: { type: "string", "x-mcp-header": "Region" },
        count: { type: "integer", "x-mcp-header": "Count" },
        dry: { type: "boolean", "x-mcp-header": "Dry" },
      },
    };
    const handlers = {
      ...tools([{ name: "deploy", inputSchema, handler: () => "done" }]),
    };
    const up = await serve(makeServer(modern.protocol, { handlers }));
    const args = { region: "us ", count: 42, dry: false };
    const right = {
      [`${param}Region`]: "=?base64?dXMg?=",
      [`${param}Count`]: "42",
      [`${param}Dry`]: "false",
    };
    const deploy = (values: Json, headers: Sent["headers"]): Promise<Answer> =>
      up.send(post(call(1, "deploy", values), headers));
    return { up, deploy, args, right };
  };

  it.each([
    [{}, 200],
    [{ [`${param}Count`]: "42.0" }, 200],
    [{ [`${param}Count`]: "43" }, 400],
    [{ [`${param}Count`]: "0x2A" }, 400],
    [{ [`${param}Count`]: "0b101010" }, 400],
    [{ [`${param}Count`]: "4.2e1" }, 400],
    [{ [`${param}Count`]: "+42" }, 400],
    [{ [`${param}Count`]: "" }, 400],
    [{ [`${param}Region`]: "us" }, 400],
    [{ [`${param}Region`]: "=?base64?dXMg" }, 400],
    [{ [`${param}Dry`]: "FALSE" }, 400],
    [{ [`${param}Dry`]: undefined }, 400],
  ] as const)(
    "HDR-06 HDR-07 HDR-09 HDR-10 compares arguments that a tool requires in headers, integers in decimal notation only: with %j the status is %i",
    async (headers, status) => {
      const { deploy, args, right } = await deploying();
      expect((await deploy(args, { ...right, ...headers })).status).toBe(
        status,
      );
    },
  );

  it("HDR-07 requires no header for an argument that is null or absent, and takes none without a value", async () => {
    const { deploy } = await deploying();
    expect((await deploy({ region: null }, {})).status).toBe(200);
    expect((await deploy({}, { [`${param}Region`]: "eu" })).status).toBe(400);
  });

  it("HDR-06 rejects a name that is not a string before it looks for headers of arguments", async () => {
    const { up } = await deploying();
    const strange = await up.send(
      post(ask(1, "tools/call", { name: { toString: 0, valueOf: 0 } }), {}),
    );
    expect(errorOf(await strange.json())["message"]).toBe(
      "tools/call: params.name: expected a string, got an object",
    );
  });

  it.each([
    ["a list", (list: readonly AnyTool[]) => tools(list as never)],
    ["handlers of its author", ownHandlers],
  ] as const)(
    "HDR-09 HDR-10 compares integers of any size exactly, and rejects those that JSON changes, of tools from %s",
    async (_source, provide) => {
      const inputSchema = {
        type: "object",
        properties: { count: { type: "integer", "x-mcp-header": "Count" } },
      };
      const handlers = {
        ...provide([{ name: "deploy", inputSchema, handler: () => "done" }]),
      };
      const up = await serve(makeServer(modern.protocol, { handlers }));
      await (await up.send(post(ask(1, "tools/list")))).json();
      for (const [body, header, status] of [
        ["9007199254740991", "9007199254740991", 200],
        ["9007199254740991", "9007199254740991.00", 200],
        ["9007199254740991", "9007199254740992", 400],
        ["9007199254740991", "9007199254740991.5", 400],
        ["-9007199254740991", "-9007199254740991", 200],
        ["9007199254740993", "9007199254740993", 400],
        ["9007199254740993", "9007199254740992", 400],
        ["1e21", "1e+21", 400],
        ["0", "-0", 200],
        ["7", "7".padStart(8000, "0"), 200],
      ] as const) {
        const sent = post(call(1, "deploy", { count: "the number" }), {
          [`${param}Count`]: header,
        });
        const text = JSON.stringify(sent.body).replace('"the number"', body);
        const answer = await up.send({ ...sent, body: text });
        expect([body, header, answer.status]).toEqual([body, header, status]);
        if (status === 400)
          expect(errorOf(await answer.json())["code"]).toBe(HEADER_MISMATCH);
      }
    },
  );

  it("HDR-10 HDR-18 learns the headers of arguments from each list that a handler of the author sends", async () => {
    const warnings: string[] = [];
    let named = "Region";
    const listed = (): Json => ({
      type: "object",
      properties: { region: { type: "string", "x-mcp-header": named } },
    });
    const handlers = {
      "tools/list": () =>
        Promise.resolve({
          tools: [
            null,
            { name: "other" },
            { name: "deploy", inputSchema: listed() },
          ],
        }),
      "tools/call": () => text("done"),
    };
    const onWarning = (warning: string): void => void warnings.push(warning);
    const up = await serve(
      makeServer(modern.protocol, { handlers, onWarning, onError: () => {} }),
    );
    const statusOf = async (headers: Json): Promise<number> =>
      (
        await up.send(
          post(call(1, "deploy", { region: "eu" }), headers as Sent["headers"]),
        )
      ).status;
    const list = async (): Promise<unknown> =>
      (await up.send(post(ask(1, "tools/list")))).json();
    await list();
    for (const [headers, status] of [
      [{}, 400],
      [{ [`${param}Region`]: "us" }, 400],
      [{ [`${param}Region`]: "eu" }, 200],
      [{ [`${param}Region`]: "=?base64?ZXU=?=" }, 200],
    ] as const)
      expect([headers, await statusOf(headers)]).toEqual([headers, status]);
    named = "Zone";
    await list();
    expect(await statusOf({ [`${param}Region`]: "eu" })).toBe(400);
    expect(await statusOf({ [`${param}Zone`]: "eu" })).toBe(200);
    named = "not a name";
    await list();
    expect(await statusOf({})).toBe(200);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^tools\/list: x-mcp-header "not a name" .*deploy\.$/,
      ),
    ]);
  });

  it("HDR-17 rejects a header with a character that is not ASCII, and runs no handler", async () => {
    const ran: string[] = [];
    const inputSchema = {
      type: "object",
      properties: { region: { type: "string", "x-mcp-header": "Region" } },
    };
    const handler = (name: string) => (): string => {
      ran.push(name);
      return "done";
    };
    const handlers = {
      ...tools(
        ["caf\u00e9", "deploy"].map((name) => ({
          name,
          inputSchema,
          handler: handler(name),
        })),
      ),
    };
    const up = await serve(
      makeServer(modern.protocol, { handlers, onWarning: () => {} }),
    );
    for (const [name, region, headers] of [
      [
        "caf\u00e9",
        "eu",
        { [nameHeader]: "caf\u00e9", [`${param}Region`]: "eu" },
      ],
      ["deploy", "caf\u00e9", { [`${param}Region`]: "caf\u00e9" }],
      ["deploy", "a\u0080", { [`${param}Region`]: "a\u0080" }],
    ] as const) {
      const answer = await up.send(post(call(1, name, { region }), headers));
      expect(await codeOf(answer)).toEqual([400, HEADER_MISMATCH]);
    }
    expect(ran).toEqual([]);
    const encoded = {
      [nameHeader]: "=?base64?Y2Fmw6k=?=",
      [`${param}Region`]: "=?base64?Y2Fmw6k=?=",
    };
    expect(
      (
        await up.send(
          post(call(1, "caf\u00e9", { region: "caf\u00e9" }), encoded),
        )
      ).status,
    ).toBe(200);
    expect(ran).toEqual(["caf\u00e9"]);
  });

  it("VERS-09 COMPAT-15 lists the supported revisions in every error to a client that sends initialize", async () => {
    const up = await open();
    const params = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "c", version: "1" },
    };
    for (const headers of [
      {},
      { [version]: "2025-06-18" },
      { [version]: modern.revision },
    ]) {
      const answer = await up.send({
        body: ask(1, "initialize", params),
        headers,
      });
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({
        id: 1,
        error: { data: { supported: [modern.revision] } },
      });
    }
    const bare = await (
      await up.send({ body: ask(1, "initialize", params) })
    ).json();
    expect(bare).toMatchObject({
      error: {
        code: HEADER_MISMATCH,
        message: expect.stringContaining(modern.revision) as string,
      },
    });
  });

  it("META-09 accepts any values at undefined reserved keys and passes them to the handler", async () => {
    const key = "io.modelcontextprotocol/unheard-of";
    const handlers = {
      "tools/call": ({ _meta }: Json) =>
        text(JSON.stringify((_meta as Json)[key])),
    };
    const up = await open({}, {}, { handlers });
    for (const value of ["x", 5, [], null, {}, true]) {
      const answer = await up.send(post(call(1, "meta", {}, { [key]: value })));
      expect(textOf(resultOf(await answer.json()))).toBe(JSON.stringify(value));
    }
  });

  it("CACHE-10 rejects each request of an unauthorized caller, for any scope of a cached result", async () => {
    const authenticate = (request: Request) =>
      request.headers.get("authorization") === "Bearer t"
        ? { principal: "ada" }
        : new Response(null, { status: 401 });
    const up = await open({ authenticate });
    const uri = "file:///notes";
    for (const message of [
      ask(1, "tools/list"),
      ask(2, "resources/read", { uri }),
      call(3, "echo", { value: "x" }),
    ]) {
      const known = await up.send(post(message, { authorization: "Bearer t" }));
      expect(known.status).not.toBe(401);
      expect((await up.send(post(message))).status).toBe(401);
    }
  });

  it("HDR-15 HDR-16 rejects foreign origins and unauthorized callers before it checks the headers", async () => {
    const up = await open({
      authenticate: (request) =>
        request.headers.has("authorization")
          ? { principal: "ada" }
          : new Response(null, { status: 401 }),
    });
    const evil = { origin: "http://evil.example.com" };
    expect((await up.send({ body: "{", headers: evil })).status).toBe(403);
    expect(
      (await up.send({ body: "{", headers: { [methodHeader]: "x" } })).status,
    ).toBe(401);
    expect(
      (await up.send({ body: "{", headers: { authorization: "x" } })).status,
    ).toBe(400);
  });
});
