import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { responseCache } from "@mcpgen/runtime";
import { stdio, type StdioOptions } from "@mcpgen/runtime/stdio";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { bundle } from "../kit/bundle.js";
import {
  type AnyClient,
  type ClientOptions,
  failure,
  type Json,
  legacy,
  makeClient,
  modern,
  textOf,
} from "../kit/index.js";

const mortal = bundle("mortal-server");
const folder = mkdtempSync(join(tmpdir(), "mcpgen-restart-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const clients: AnyClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

async function open(
  { protocol, revision } = modern,
  options: StdioOptions = {},
  settings: ClientOptions = {},
  args: readonly string[] = [],
): Promise<AnyClient> {
  const transport = stdio(process.execPath, [await mortal, revision, ...args], {
    restart: { restartTime: 1 },
    stderr: "ignore",
    ...options,
  });
  const client = await makeClient(protocol, transport, {
    listening: { reconnectTime: 1 },
    ...settings,
  });
  clients.push(client);
  return client;
}
const call = (client: AnyClient, name: string): Promise<Json> =>
  client.callTool({ name }, { timeout: 30_000 });
const pidOf = async (client: AnyClient): Promise<string> =>
  textOf(await call(client, "pid"));

/**
 * A stream of notifications, with a function that waits for the next one of a
 * method.
 */
function listening(client: AnyClient): {
  until(method: string): Promise<void>;
  ended: Promise<unknown>;
} {
  const messages: string[] = [];
  let wake = (): void => {};
  const onNotice = (method: string): void => {
    messages.push(method);
    wake();
  };
  const ended = client.subscriptionsListen?.(
    { notifications: { toolsListChanged: true } },
    { onNotice },
  );
  const until = async (method: string): Promise<void> => {
    while (!messages.includes(method))
      await new Promise<void>((resolve) => (wake = resolve));
    messages.length = 0;
  };
  return { until, ended: failure(ended) };
}
const acknowledged = String(modern.facts.wellKnown.acknowledged);
const changed = "notifications/tools/list_changed";

describe("a server on stdio that ends unexpectedly", () => {
  it("STDIO-11 starts an ended server again, and rejects pending requests as retryable", async () => {
    const [losses, faults]: [unknown[], Error[]] = [[], []];
    const client = await open(
      modern,
      {},
      {
        onClose: (error) => losses.push(error),
        onError: (error) => faults.push(error),
      },
    );
    const first = await pidOf(client);
    const waiting = failure(call(client, "wait"));
    const error = await failure(call(client, "die"));
    for (const one of [error, await waiting]) {
      expect(one.name).toBe("TransportError");
      expect(one["isRetryable"]).toBe(true);
      expect(one.message).toMatch(
        /^The server is restarted, and .* repeated: node(\.exe)? (ended with code 7|closed its output)\./,
      );
    }
    // Messages that are sent while there is no server wait for the next one.
    const second = await pidOf(client);
    expect(second).not.toBe(first);
    expect(losses).toEqual([]);
    expect(faults.map(({ name }) => name)).toEqual(["TransportError"]);
  });

  it("STDIO-11 stops restarting a server after the maximum number of starts in a row", async () => {
    const losses: (Error | undefined)[] = [];
    const client = await open(
      modern,
      { restart: { maxRestarts: 2, restartTime: 1 } },
      { onClose: (error) => losses.push(error) },
    );
    const isRetryable: unknown[] = [];
    for (let i = 0; i < 3; i++)
      isRetryable.push((await failure(call(client, "die")))["isRetryable"]);
    expect(isRetryable).toEqual([true, true, false]);
    expect((await failure(call(client, "pid"))).name).toBe("TransportError");
    expect(losses.map((error) => error?.name)).toEqual(["TransportError"]);
  });

  it("STDIO-11 stops restarting a server that cannot be started", async () => {
    const cwd = mkdtempSync(join(folder, "cwd-"));
    const lost = new Promise<Error | undefined>((resolve) => {
      void open(
        modern,
        { cwd, restart: { restartTime: 300 } },
        { onClose: resolve },
      ).then((client) => {
        const dying = failure(call(client, "die"));
        return dying.then(() => rmSync(cwd, { recursive: true }));
      });
    });
    expect((await lost)?.message).toMatch(/could not be started/);
    expect(existsSync(cwd)).toBe(false);
  });

  it("STDIO-11 is not restarted if restart is false, or if the client closes before", async () => {
    const plain = await open(modern, { restart: false });
    const error = await failure(call(plain, "die"));
    expect(error).toMatchObject({ name: "TransportError", isRetryable: false });
    const client = await open(modern, { restart: { restartTime: 3_600_000 } });
    await failure(call(client, "die"));
    const late = failure(call(client, "pid"));
    await client.close();
    expect((await late).message).toBe("The connection is closed.");
  });

  it("STDIO-12 does not restart the server of a session, whose state is lost", async () => {
    const losses: (Error | undefined)[] = [];
    const client = await open(
      legacy,
      {},
      { onClose: (error) => losses.push(error) },
    );
    const error = await failure(call(client, "die"));
    expect(error).toMatchObject({ name: "TransportError", isRetryable: false });
    expect((await failure(call(client, "pid"))).name).toBe("TransportError");
    expect(losses).toHaveLength(1);
  });

  it("SUBS-10 SUBS-09 gets a new listen request with another id, and cached results are dropped", async () => {
    const client = await open(modern, {}, { cache: responseCache() });
    const { until, ended } = listening(client);
    await until(acknowledged);
    const before = await client.listTools();
    expect(await client.listTools()).toEqual(before);
    await failure(call(client, "die"));
    await until(acknowledged);
    expect((await client.listTools())["tools"]).not.toEqual(before["tools"]);
    await call(client, "change");
    await until(changed);
    await client.close();
    expect(((await ended) as Error).message).toBe("The connection is closed.");
  });
});
