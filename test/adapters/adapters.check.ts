import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { freePort } from "../free-port.js";
import { sendNode } from "../runtime/http/kit/exchange.js";
import { call, modernPost, tell } from "../runtime/http/kit/messages.js";
import type { Open } from "../runtime/http/kit/server.js";
import { Session } from "../runtime/http/kit/session.js";
import { legacy, modern, resultOf, textOf } from "../runtime/kit/index.js";
import { bundle } from "./bundle.js";
import { until } from "../runtime/kit/watch.js";

const here = fileURLToPath(new URL(".", import.meta.url));
const bin = (name: string): string => join(here, "node_modules/.bin", name);

const node = [process.execPath];
const platforms = [
  { name: "Node alone", file: "node.ts", command: node },
  { name: "Hono", file: "hono.ts", command: node },
  { name: "Express", file: "express.ts", command: node },
  { name: "Fastify", file: "fastify.ts", command: node },
  { name: "Bun", file: "bun.ts", command: [bin("bun")] },
  {
    name: "Deno",
    file: "deno.ts",
    command: [bin("deno"), "run", "--allow-net", "--allow-env"],
  },
];

// Below the packages of this folder, so that a program finds them.
const folder = mkdtempSync(join(here, "node_modules/.programs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(platforms)(
  "the page's program for $name",
  ({ name, file, command }) => {
    let child: ChildProcess | undefined;
    afterEach(() => child?.kill("SIGKILL"));

    it("serves legacy and modern clients, with streams and sessions, and refuses a foreign Host header", async () => {
      const port = await freePort();
      const outfile = join(folder, `${name.replace(" ", "-")}.mjs`);
      await bundle("frameworks", file, outfile, (text) =>
        text.replaceAll(/\b3000\b/g, String(port)),
      );
      const [program = "", ...words] = command;
      child = spawn(program, [...words, outfile], {
        stdio: ["ignore", "inherit", "inherit"],
      });
      const ended = new Promise<never>((_, reject) =>
        child?.once("exit", (code) =>
          reject(new Error(`${name} ended with code ${code}.`)),
        ),
      );
      const open: Open = {
        port,
        send: (sent) => Promise.race([sendNode(port, sent), ended]),
        close: async () => {},
      };
      const answer = await until(() =>
        open.send(modernPost(modern, call(1, "greet"))),
      );
      expect([answer.status, textOf(resultOf(await answer.json()))]).toEqual([
        200,
        "Hello!",
      ]);

      const session = await Session.start(open, legacy);
      expect(resultOf(await session.opening.json())["protocolVersion"]).toBe(
        legacy.revision,
      );
      const stream = await session.listen();
      expect([stream.status, stream.header("content-type")]).toEqual([
        200,
        "text/event-stream",
      ]);
      expect((await stream.next())?.data).toBe("");
      expect(textOf(resultOf(await session.ask(call(2, "greet"))))).toBe(
        "Hello!",
      );
      expect(
        (await session.post(tell("notifications/initialized"))).status,
      ).toBe(202);
      const foreign = await open.send({
        body: call(3, "greet"),
        headers: { host: "evil.example.com" },
      });
      expect(foreign.status).toBe(403);
      expect((await session.post("{")).status).toBe(400);
      expect((await session.send({ method: "DELETE" })).status).toBe(204);
      // SSE-05: the time until the client may reconnect, then the end.
      expect((await stream.next())?.retry).toBe("1000");
      expect(await stream.next()).toBeUndefined();
      expect((await session.post(call(4, "greet"))).status).toBe(404);
    });
  },
);

describe.each(platforms.filter(({ name }) => !/Bun|Deno/.test(name)))(
  "authenticate in the page's program for $name",
  ({ name, file, command }) => {
    let child: ChildProcess | undefined;
    const introspection = createServer(({ headers }, response) => {
      response.writeHead(headers.authorization === "Bearer t" ? 200 : 401, {
        "www-authenticate": "Bearer",
      });
      response.end("{}");
    });
    afterEach(() => {
      child?.kill("SIGKILL");
      introspection.close();
    });

    it("refuses a request with a Response of fetch, even if the framework replaces that class", async () => {
      const port = await freePort();
      await new Promise<void>((resolve) =>
        introspection.listen(0, "127.0.0.1", resolve),
      );
      const { port: introspectionPort } =
        introspection.address() as AddressInfo;
      const authenticate = `authenticate: async (request) => {
        const authorization = request.headers.get("authorization") ?? "";
        const answer = await fetch("http://127.0.0.1:${introspectionPort}", { headers: { authorization } });
        return answer.ok ? { principal: "ada" } : answer;
      }, allowedHosts:`;
      const outfile = join(
        folder,
        `authenticate-${name.replace(" ", "-")}.mjs`,
      );
      await bundle("frameworks", file, outfile, (text) =>
        text
          .replaceAll(/\b3000\b/g, String(port))
          .replace("allowedHosts:", () => authenticate),
      );
      const [program = "", ...words] = command;
      child = spawn(program, [...words, outfile], {
        stdio: ["ignore", "inherit", "inherit"],
      });
      const sent = modernPost(modern, call(1, "greet"));
      const refused = await until(() => sendNode(port, sent));
      expect([refused.status, refused.header("www-authenticate")]).toEqual([
        401,
        "Bearer",
      ]);
      const authorization = "Bearer t";
      const answer = await sendNode(port, {
        ...sent,
        headers: { ...sent.headers, authorization },
      });
      expect([answer.status, textOf(resultOf(await answer.json()))]).toEqual([
        200,
        "Hello!",
      ]);
    });
  },
);
