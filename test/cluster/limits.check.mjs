import { Agent, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { principals, revisionOf } from "./actors.ts";
import { secrets } from "./faults.ts";
import { eventsOf, RawClient } from "./raw.ts";
import { startServer } from "./server.ts";
import { Stage } from "./stage.ts";
import { command, startBalancer, startEngine, until } from "./topology.ts";

let stage;
beforeEach(() => void (stage = new Stage()));
afterEach(() => stage.end());

const latest = revisionOf("2025-11-25");

async function start(options = {}) {
  const engine = await startEngine(stage);
  const own = {
    secrets: [secrets[0]],
    engine: { port: engine.port, library: "redis" },
    ...options,
  };
  const server = await startServer(stage, 3, own);
  const balancer = await startBalancer(stage, server.ports);
  return {
    engine,
    server,
    url: balancer.turns,
    urls: server.ports.map((port) => `http://127.0.0.1:${port}/mcp`),
  };
}

/**
 * The URIs of the notifications that a client receives at a process, as they
 * come.
 */
async function listen(client, url) {
  const response = await client.send(url, "GET");
  expect(response.status).toBe(200);
  const uris = [];
  const read = async () => {
    for await (const { message } of eventsOf(response))
      if (message?.params?.uri) uris.push(message.params.uri);
  };
  read().catch(() => {});
  return uris;
}

const usedBy = async (engine) =>
  Number(
    /used_memory_dataset:(\d+)/.exec(
      await command(engine.port, "INFO memory"),
    )?.[1],
  ) / 1_048_576;

describe("three processes behind a balancer", () => {
  it("create tasks in place of ended ones, beyond the limit of a principal, while one of them is killed", async () => {
    const { server, urls, url } = await start({ requesterTasks: 6 });
    const client = await RawClient.open(url, latest, principals[0]);
    const create = async (at) => {
      const params = {
        name: "steps",
        arguments: { id: "planted-limit" },
        task: { ttl: 600_000 },
      };
      const { result, error } = await client.ask(at, "tools/call", params);
      expect(error).toBeUndefined();
      return result.task.taskId;
    };
    const end = (taskId) =>
      until("the end of a task", async () => {
        const { result } = await client.ask(url, "tasks/get", { taskId });
        return result?.status === "completed";
      });
    for (let round = 0; round < 6; round++) {
      const ids = await Promise.all(urls.map(create));
      if (round === 3) await server.replace(0, "SIGKILL");
      for (const id of ids) await end(id);
      const { result } = await client.ask(url, "tasks/list", {});
      expect(result.tasks.map(({ taskId }) => taskId)).toEqual(
        expect.arrayContaining(ids),
      );
      expect(result.tasks.length).toBeLessThanOrEqual(6);
    }
  });

  it("know 200 subscriptions that a client makes at once, also after all of them have been replaced", async () => {
    const { server, url, urls } = await start();
    const client = await RawClient.open(url, latest, principals[0]);
    const uris = Array.from({ length: 200 }, (_, i) => `planted://${i}`);
    const answers = await Promise.all(
      uris.map((uri, i) =>
        client.ask(urls[i % 3], "resources/subscribe", { uri }),
      ),
    );
    expect(answers.filter(({ error }) => error)).toEqual([]);
    for (const place of [0, 1, 2]) await server.replace(place, "SIGTERM");
    const heard = await listen(client, urls[2]);
    await until("a notification about each", () =>
      uris.every((uri) => heard.includes(uri)),
    );
  });

  it("tell a client of a change that happens once, right after its subscription was confirmed at another process", async () => {
    const { url, urls } = await start();
    const missed = [];
    for (let i = 0; i < 40; i++) {
      const client = await RawClient.open(url, latest, principals[0]);
      const heard = await listen(client, urls[0]);
      const uri = `planted://once/${i}`;
      const { error } = await client.ask(urls[1], "resources/subscribe", {
        uri,
      });
      expect(error).toBeUndefined();
      // By a client that has nothing to do with it.
      await client.ask(urls[2], "tools/call", {
        name: "change",
        arguments: { id: uri },
      });
      await until("a notification", () => heard.includes(uri)).catch(() =>
        missed.push(uri),
      );
    }
    expect(missed).toEqual([]);
  });

  it("lose no request over a kept connection whose response did not say that it closes, while they are replaced", async () => {
    const { server } = await start();
    const client = await RawClient.open(
      `http://127.0.0.1:${server.ports[0]}/mcp`,
      latest,
      principals[0],
    );
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    const fates = { answered: 0, closing: 0 };
    const stop = new AbortController();
    const send = () =>
      new Promise((resolve) => {
        const body = JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "bump", arguments: { id: "planted" } },
        });
        const headers = {
          accept: "application/json, text/event-stream",
          authorization: `Bearer ${principals[0]}`,
          "content-type": "application/json",
          "mcp-session-id": client.session,
          "mcp-protocol-version": latest.revision,
        };
        const sent = request(
          {
            port: server.ports[0],
            path: "/mcp",
            method: "POST",
            agent,
            headers,
          },
          (response) => {
            fates.answered++;
            if (response.headers.connection === "close") fates.closing++;
            response.resume().on("end", resolve);
          },
        );
        sent.on("error", () => void pause(50).then(resolve));
        sent.end(body);
      });
    const work = [1, 2, 3, 4].map(async () => {
      while (!stop.signal.aborted) await send();
    });
    for (let i = 0; i < 3; i++) {
      await pause(300);
      await server.replace(0, "SIGTERM");
    }
    stop.abort();
    await Promise.all(work);
    agent.destroy();
    expect(fates.answered).toBeGreaterThan(10);
    // Each replaced process has answered its open calls so.
    expect(fates.closing).toBeGreaterThan(0);
  });

  it("let one anonymous client fill no more than its room in the engine", async () => {
    const { engine, urls } = await start();
    const [url] = urls;
    const before = await usedBy(engine);
    const long = "x".repeat(45_000);
    const post = async (at, message, session) => {
      const headers = {
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        ...(session && {
          "mcp-session-id": session,
          "mcp-protocol-version": latest.revision,
        }),
      };
      const response = await fetch(at, {
        method: "POST",
        headers,
        body: JSON.stringify({ jsonrpc: "2.0", ...message }),
      });
      await response.text();
      return response;
    };
    const clientInfo = { name: "anonymous", version: "1" };
    const open = async (capabilities = {}) => {
      const params = {
        protocolVersion: latest.revision,
        clientInfo,
        capabilities,
      };
      const response = await post(url, { id: 1, method: "initialize", params });
      return response.headers.get("mcp-session-id") ?? undefined;
    };
    for (let i = 0; i < 200; i++) {
      const session = await open({ experimental: { x: { long } } });
      if (session && i % 2 === 0)
        await post(url, { id: 2, method: "ping" }, session);
    }
    for (let i = 0; i < 20; i++) {
      const session = await open();
      const uri = `a://${long.repeat(10)}`;
      await post(
        url,
        { id: 2, method: "resources/subscribe", params: { uri } },
        session,
      );
    }
    const session = await open();
    const tool = { name: "ask", arguments: { id: "planted-room" } };
    const asked = await RawClient.open(urls[1], latest, principals[0], {
      elicitation: { form: {} },
    });
    let other;
    for await (const { message } of eventsOf(
      await asked.request(urls[1], "tools/call", tool),
    )) {
      other = message?.id.split("/")[0];
      if (other) break;
    }
    for (let i = 0; i < 30; i++)
      await post(
        url,
        { id: `${other}/${1000 + i}`, result: { text: long.repeat(13) } },
        session,
      );
    // Eight megabytes of sessions and eight of answers, and what the engine
    // needs for them.
    await until(
      "the room to be kept",
      async () => (await usedBy(engine)) - before < 16 * 1.5,
    );
    // A client that is known is served as before.
    const ada = await RawClient.open(url, latest, principals[0], {
      experimental: { x: { long } },
    });
    expect(
      (await ada.ask(url, "resources/subscribe", { uri: "planted://1" }))
        .result,
    ).toEqual({});
  });
});
