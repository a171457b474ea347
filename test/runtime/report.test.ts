import { spawn } from "node:child_process";
import { SessionError, TransportError } from "@mcpgen/runtime";
import { createHttpHandler } from "@mcpgen/runtime/http";
import { afterEach, describe, expect, it, vi } from "vitest";
import { messageOf, report } from "../../src/runtime/core/report.js";
import { bundle } from "./kit/bundle.js";
import {
  errorOf,
  info,
  type Json,
  legacy,
  makeServer,
  serveWire,
  shakeHands,
} from "./kit/index.js";

const failing = bundle("failing-server");

/**
 * The responses of a program to these requests by id, and its standard error.
 */
async function run(
  args: readonly string[],
  requests: readonly Json[],
): Promise<{ answers: Json[]; errors: string }> {
  const child = spawn(process.execPath, [await failing, ...args]);
  const texts = { out: "", errors: "" };
  child.stdout
    .setEncoding("utf8")
    .on("data", (chunk) => (texts.out += String(chunk)));
  child.stderr
    .setEncoding("utf8")
    .on("data", (chunk) => (texts.errors += String(chunk)));
  // A server that ends may leave what it was sent unread.
  child.stdin.on("error", () => {});
  child.stdin.end(
    requests
      .map((request) => `${JSON.stringify({ jsonrpc: "2.0", ...request })}\n`)
      .join(""),
  );
  await new Promise((resolve) => child.on("close", resolve));
  return {
    answers: texts.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Json),
    errors: texts.errors,
  };
}

const requests: readonly Json[] = [
  {
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: legacy.revision,
      capabilities: {},
      clientInfo: info,
    },
  },
  { id: 2, method: "prompts/get", params: { name: "any" } },
  { id: 3, method: "tools/call", params: { name: "a name with spaces" } },
];

describe("a stdio server without onError", () => {
  it("writes the method, the message and the stack of a bug to the standard error", async () => {
    const { answers, errors } = await run([], requests);
    expect(answers.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(errorOf(answers[1] as Json)).toEqual({
      code: -32603,
      message: "Internal error",
    });
    expect(errors).toMatch(
      /^\[mcpgen\] prompts\/get: TypeError: raw bug\n\s+at .*brokenHandler/m,
    );
    expect(errors).toMatch(
      /^\[mcpgen\] tools\/call a name with spaces: RangeError: tool bug.*\n\s+at .*brokenTool/m,
    );
  });

  it("writes warnings to the standard error too", async () => {
    const { errors } = await run([], requests);
    expect(errors).toContain(
      "[mcpgen] Warning: Some clients reject the name of the tool a name with spaces.",
    );
  });

  it("lets no control character of a message reach the terminal", async () => {
    const { errors } = await run([], requests);
    expect(errors).toContain("tool bug\ufffd[31m\ufffd");
  });

  it("prints nothing if onError and onWarning do nothing", async () => {
    const { answers, errors } = await run(["silent"], requests);
    expect(answers).toHaveLength(3);
    expect(errors).toBe("");
  });
});

describe("reports", () => {
  afterEach(() => void vi.useRealTimers().restoreAllMocks());
  let seconds = 0;
  const listen = (): string[] => {
    // A second of its own: the errors that are printed per second are limited,
    // and another test may have reached the limit.
    vi.useFakeTimers({
      toFake: ["Date"],
      now: Date.now() + (seconds += 10_000),
    });
    const lines: string[] = [];
    vi.spyOn(console, "error").mockImplementation(
      (text: unknown) => void lines.push(String(text)),
    );
    return lines;
  };

  /** The same, once the errors of earlier tests are counted. */
  const listenAnew = (): string[] => {
    const lines = listen();
    report({}, new TransportError("first"));
    vi.setSystemTime(Date.now() + 1000);
    lines.length = 0;
    return lines;
  };

  it("have no stack if a handler fails with an error of this package", async () => {
    const lines = listen();
    const reasons = [
      new SessionError("capability", "no roots"),
      new TransportError("no disk"),
    ];
    const handlers = {
      "tools/call": () => {
        throw reasons.shift();
      },
    };
    const wire = await serveWire(makeServer(legacy.protocol, { handlers }));
    await shakeHands(wire, legacy.revision);
    for (const id of [1, 2]) await wire.ask(id, "tools/call", { name: "x" });
    expect(lines.filter((line) => line.includes("tools/call"))).toEqual([
      "[mcpgen] tools/call: SessionError: no roots",
      "[mcpgen] tools/call: TransportError: no disk",
    ]);
  });

  it("are limited per second for a peer that sends invalid messages", async () => {
    const lines = listen();
    const wire = await serveWire(makeServer(legacy.protocol));
    for (let i = 0; i < 5000; i++)
      wire.send({ jsonrpc: "2.0", method: 7, params: "x".repeat(100) });
    await wire.rest();
    expect(lines.length).toBeGreaterThan(0);
    // A new second may begin while they are sent.
    expect(lines.length).toBeLessThan(1000);
  });

  it("print at most 100 errors about messages in a second, then how many were left out, and all errors of handlers", () => {
    const lines = listenAnew();
    for (let i = 1; i <= 102; i++) report({}, new TransportError(`${i}`));
    report({}, new Error("bug"));
    expect(lines).toHaveLength(101);
    expect(lines[99]).toBe("[mcpgen] TransportError: 100");
    expect(lines[100]).toMatch(/^\[mcpgen\] Error: bug\n/);
    vi.setSystemTime(Date.now() + 1000);
    for (let i = 1; i <= 100; i++) report({}, new TransportError("later"));
    vi.setSystemTime(Date.now() + 1000);
    report({}, new TransportError("last"), "x/y");
    expect(lines.slice(101, 103)).toEqual([
      "[mcpgen] 2 more errors were not printed.",
      "[mcpgen] TransportError: later",
    ]);
    expect(lines.slice(202)).toEqual(["[mcpgen] x/y: TransportError: last"]);
  });

  it("are cut, and have the causes of an error", () => {
    const lines = listenAnew();
    const cause = new SessionError("place", "inner");
    report({}, new TransportError("outer", { cause }));
    report({}, new TransportError("x".repeat(20_000)));
    expect(lines).toEqual([
      "[mcpgen] TransportError: outer\nCaused by SessionError: inner",
      `[mcpgen] TransportError: ${"x".repeat(9984)}`,
    ]);
  });

  const failed = (properties: object): Error =>
    Object.assign(new Error(""), properties);
  it.each([
    [undefined, "No reason was given."],
    [null, "No reason was given."],
    ["", "The thrown value is not an error."],
    [{}, "The thrown value is not an error."],
    [Object.create(null), "The thrown value is not an error."],
    [7, "7"],
    [Symbol("s"), "Symbol(s)"],
    [{ code: 7 }, '{"code":7}'],
    [["a"], '["a"]'],
    [{ message: "m", code: 1 }, "m"],
    [{ message: 7 }, '{"message":7}'],
    [failed({}), "Error"],
    [failed({ code: "E" }), "E"],
    [failed({ errors: [new Error("a"), "x", new Error("b")] }), "a; b"],
    [failed({ errors: [failed({})], code: "E" }), "E"],
    [failed({ errors: [new Error("e".repeat(2000))] }), "e".repeat(1000)],
    ["t".repeat(2000), "t".repeat(1000)],
  ] as const)("have a text for any thrown value: %o", (reason, message) => {
    expect(messageOf(reason)).toBe(message);
  });

  it("pass the method to onError, and are printed if onError itself throws", async () => {
    const lines = listen();
    const seen: unknown[] = [];
    const onError = (error: Error, where?: string): void => {
      seen.push([error.message, where]);
      throw new Error("onError is broken");
    };
    const handlers = {
      "tools/call": () => {
        throw new Error("bug");
      },
    };
    const wire = await serveWire(
      makeServer(legacy.protocol, { handlers, onError }),
    );
    await shakeHands(wire, legacy.revision);
    expect(
      errorOf(await wire.ask(1, "tools/call", { name: "x" }))["code"],
    ).toBe(-32603);
    expect(seen).toEqual([["bug", "tools/call"]]);
    expect(lines.join("\n")).toContain("onError is broken");
    expect(lines.join("\n")).toContain("tools/call: Error: bug");
  });

  it("work for a thrown value that cannot be converted to text", async () => {
    const lines = listen();
    const handlers = {
      "tools/call": () => {
        throw Object.create(null);
      },
    };
    const wire = await serveWire(makeServer(legacy.protocol, { handlers }));
    await shakeHands(wire, legacy.revision);
    expect(
      errorOf(await wire.ask(1, "tools/call", { name: "x" }))["code"],
    ).toBe(-32603);
    expect(lines.join("\n")).toContain(
      "tools/call: Error: The thrown value is not an error.",
    );
  });

  it("contain the error of an HTTP endpoint's authenticate", async () => {
    const lines = listen();
    const handler = createHttpHandler(makeServer(legacy.protocol), {
      authenticate: () => {
        throw new Error("the key store is away");
      },
    });
    const answer = await handler(
      new Request("http://localhost/mcp", { method: "POST", body: "{}" }),
    );
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain("key store");
    expect(lines.join("\n")).toContain("the key store is away");
  });
});
