import { describe, expect, it } from "vitest";
import { declining } from "../../src/cli/live/declining.js";

interface Provided {
  readonly handlers: Record<string, (params: unknown) => unknown>;
  readonly capabilities: object;
}

/** What a client that declines has for the methods of a revision. */
function provided(
  side: object,
  ...options: Parameters<typeof declining>
): Provided {
  const all: object = declining(...options);
  const [symbol = Symbol()] = Object.getOwnPropertySymbols(all);
  const { provide } = Reflect.get(all, symbol) as {
    provide(context: unknown, side: unknown): Provided;
  };
  const none = { outgoingNotifications: {}, incomingNotifications: {} };
  return provide({}, { incomingRequests: {}, ...none, ...side });
}
const refusal = new Error("no");
const refuse = (): Error => refusal;

describe("a client that declines every request", () => {
  it.each<[needs: readonly object[], capabilities: object]>([
    [[], {}],
    [[{ a: true }, { b: true }], { a: true, b: true }],
    [[{ a: true }, { a: { b: true } }], { a: { b: true } }],
    [[{ a: { b: true } }, { a: true }], { a: { b: true } }],
    [
      [{ a: { b: true } }, { a: { c: { d: true } } }, { a: { c: true } }],
      { a: { b: true, c: { d: true } } },
    ],
    [[{ a: true }, { a: true }], { a: true }],
  ])("declares what its requests need together: %j", (needs, capabilities) => {
    const rows = needs.map((one, i) => [`r${i}`, { needs: one }] as const);
    const incomingRequests = Object.fromEntries(rows);
    expect(provided({ incomingRequests }, refuse).capabilities).toEqual(
      capabilities,
    );
    const [[, first] = ["", { needs: {} }], ...others] = rows;
    const row = { ...first, conditions: others.map(([, other]) => other) };
    expect(
      provided({ incomingRequests: { row } }, refuse).capabilities,
    ).toEqual(capabilities);
  });

  it("declares what notifications need of the client, and not what they need of the server", () => {
    const side = {
      outgoingNotifications: {
        a: { needs: { a: true }, needsOf: "client" },
        b: { needs: { b: true }, needsOf: "server" },
      },
      incomingNotifications: {
        c: { needs: { c: true }, needsOf: "client" },
        d: {},
      },
    };
    expect(provided(side, refuse).capabilities).toEqual({ a: true, c: true });
  });

  it("has no handler for a request that needs nothing, such as ping", () => {
    const incomingRequests = { ping: {}, other: { needs: { a: true } } };
    const { handlers } = provided({ incomingRequests }, refuse);
    expect(Object.keys(handlers)).toEqual(["other"]);
  });

  it("answers with the result that declines, or else with the error, and tells each method", () => {
    const methods = ["roots/list", "elicitation/create", "other"];
    const incomingRequests = Object.fromEntries(
      methods.map((method) => [method, { needs: { a: true } }]),
    );
    const told: string[] = [];
    const { handlers } = provided({ incomingRequests }, refuse, (method) =>
      told.push(method),
    );
    expect(handlers["roots/list"]?.({})).toEqual({ roots: [] });
    expect(handlers["elicitation/create"]?.({})).toEqual({ action: "decline" });
    expect(() => handlers["other"]?.({})).toThrow(refusal);
    expect(told).toEqual(methods);
  });

  it("asks a person what can be declined with a result that has an action", async () => {
    const methods = ["roots/list", "elicitation/create"];
    const incomingRequests = Object.fromEntries(
      methods.map((method) => [method, { needs: { a: true } }]),
    );
    const told: string[] = [];
    const { handlers } = provided(
      { incomingRequests },
      refuse,
      (method) => told.push(method),
      async (params) => ({ asked: params }),
    );
    expect(await handlers["elicitation/create"]?.({ b: 1 })).toEqual({
      asked: { b: 1 },
    });
    expect(handlers["roots/list"]?.({})).toEqual({ roots: [] });
    expect(told).toEqual(["roots/list"]);
  });
});
