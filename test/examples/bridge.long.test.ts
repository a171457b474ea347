import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  memoryPair,
  serve,
  type ServerDefinition,
  type Transport,
} from "@mcpgen/runtime";
import { oauth } from "@mcpgen/auth";
import { createHttpHandler, http } from "@mcpgen/runtime/http";
import { createSseHandler, sse } from "@mcpgen/runtime/sse";
import { stdio } from "@mcpgen/runtime/stdio";
import { build, type Plugin } from "esbuild";
import { afterEach, describe, expect, it } from "vitest";
import { clientQuestions, connect } from "../../generated/index.js";
import { freePort } from "../free-port.js";
import { root } from "../repository.js";
import { setUp } from "../runtime/auth/kit/index.js";
import { bundle } from "../runtime/kit/bundle.js";
import { everythingServer } from "../runtime/kit/everything.js";
import {
  type AnyProtocol,
  byRevision,
  failure,
  makeClient,
  makeServer,
  modern,
  type Revision,
  revisions,
  text,
  textOf,
  turns,
} from "../runtime/kit/index.js";
import { lifecycleSuite } from "../runtime/lifecycle.suite.js";
import { programForNode } from "../sources.js";
import { until } from "../runtime/kit/watch.js";

/**
 * The function of the page. Its folder has no generated files: the
 * configuration of the tests finds those of the repository.
 */
const page = join(root, "test/examples/bridge/bridge.ts");
const { createBridge } = (await import(page)) as {
  createBridge(
    reach: () => Transport,
    onClose: () => void,
    isAlone?: boolean,
  ): Promise<readonly ServerDefinition[]>;
};

const program = bundle("everything-server");
const info = { name: "host", version: "1.0.0" };

/** A transport to a server in memory. */
function toServer(
  { protocol }: Revision,
  options = everythingServer,
): Transport {
  const [clientTransport, serverTransport] = memoryPair();
  void serve(serverTransport, makeServer(protocol, options));
  return clientTransport;
}

/** A transport to a bridge whose target `reach` reaches. */
async function toBridge(reach: () => Transport): Promise<Transport> {
  const [clientTransport, serverTransport] = memoryPair();
  await serve(serverTransport, await createBridge(reach, () => {}, true));
  return clientTransport;
}

/** Collects what `close`s at the end of a test, the last one first. */
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

/**
 * A transport to a server that runs as a process. The process ends with the
 * test, because a bridge closes no connection itself.
 */
function toProcess(command: string): Transport {
  const target = stdio(process.execPath, [command, "2025-11-25"]);
  open.push(target);
  return target;
}

for (const target of revisions.filter(
  ({ revision }) => revision >= "2025-11-25",
)) {
  lifecycleSuite(
    `a bridge to a server of ${target.revision}`,
    () => toBridge(() => toServer(target)),
    revisions,
    (revision) => revision > target.revision,
  );
}

/** The program of the page as one file. */
async function bridgeProgram(): Promise<string> {
  const outfile = join(
    mkdtempSync(join(tmpdir(), "mcpgen-bridge-")),
    "main.mjs",
  );
  const gen = join(root, "generated/index.ts");
  const generated: Plugin = {
    name: "the generated files",
    setup: (builder) =>
      builder.onResolve({ filter: /^\.\/gen\/index\.js$/ }, () => ({
        path: gen,
      })),
  };
  await build({
    ...programForNode,
    entryPoints: [join(root, "test/examples/bridge/main.ts")],
    outfile,
    plugins: [generated, ...(programForNode.plugins ?? [])],
  });
  return outfile;
}

describe("a bridge", () => {
  it("runs as a program: from stdio to HTTP, and from HTTP to a process", async () => {
    const [main, command, port] = await Promise.all([
      bridgeProgram(),
      program,
      freePort(),
    ]);
    const behind = spawn(process.execPath, [
      main,
      "--port",
      String(port),
      process.execPath,
      command,
      "2024-11-05",
    ]);
    open.push({
      close: async () => void (behind.kill() && (await once(behind, "exit"))),
    });
    const url = `http://127.0.0.1:${port}/mcp`;
    await until(() => fetch(url));
    const client = await connect(stdio(process.execPath, [main, url]), {
      info,
      mode: "2026-07-28",
    });
    open.push(client);
    const { name } = client.server.info ?? {};
    expect(name).toBe("everything");
    expect(
      textOf(
        await client.callTool({
          name: "echo",
          arguments: { value: "there and back" },
        }),
      ),
    ).toBe("there and back");
  });

  it("lets a host on stdio use a server that requires a sign-in, which a person makes once", async () => {
    const { options, person, server, world } = setUp();
    const auth = oauth(options());
    const reach = (): Transport =>
      http(server.url, { auth, fetch: world.fetch });
    const host = await connect(await toBridge(reach), { info });
    open.push(host);
    expect(textOf(await host.callTool({ name: "echo" }))).toBe("called");
    expect(person.count).toBe(1);
  });

  const transports = [
    [
      "Streamable HTTP",
      "2025-11-25",
      "http://localhost/mcp",
      createHttpHandler,
      http,
    ],
    [
      "Streamable HTTP without sessions",
      "2026-07-28",
      "http://localhost/mcp",
      createHttpHandler,
      http,
    ],
    ["HTTP+SSE", "2024-11-05", "http://localhost/sse", createSseHandler, sse],
  ] as const;
  it.each(transports)(
    "gives each client over %s the questions of its own calls",
    async (_name, revision, url, serveOver, reachBy) => {
      const command = await program;
      const targets: Transport[] = [];
      const bridge = await createBridge(
        () => {
          const target = toProcess(command);
          targets.push(target);
          return target;
        },
        () => {},
      );
      const handler = serveOver(bridge);
      open.push(handler);
      const ask = async (name: string): Promise<string> => {
        const client = await connect(
          reachBy(url, {
            fetch: (input, init) => handler(new Request(input, init)),
          }),
          {
            info,
            mode: revision,
            questions: clientQuestions,
            handlers: {
              "sampling/createMessage": () => ({
                role: "assistant",
                content: { type: "text", text: name },
                model: "none",
              }),
            },
          },
        );
        open.push(client);
        expect(client.revision).toBe(revision);
        return textOf(await client.callTool({ name: "sample" }));
      };
      const names = ["Ada", "Grace", "Edith"];
      expect(await Promise.all(names.map(ask))).toEqual(names);
      // One for what all clients share, and one for each of them.
      expect(targets).toHaveLength(1 + names.length);
    },
  );

  it.each(transports.filter(([name]) => !/without sessions/.test(name)))(
    "ends its connection with the server when a client over %s ends its session",
    async (_name, revision, url, serveOver, reachBy) => {
      const target = makeServer(byRevision["2025-11-25"] as AnyProtocol, {
        handlers: { "tools/list": () => ({ tools: [] }) },
      });
      const ends: Promise<void>[] = [];
      const bridge = await createBridge(
        () => {
          const [clientTransport, serverTransport] = memoryPair();
          ends.push(
            serve(serverTransport, target).then(({ closed }) => closed),
          );
          return clientTransport;
        },
        () => {},
      );
      const handler = serveOver(bridge);
      open.push(handler);
      const client = await connect(
        reachBy(url, {
          fetch: (input, init) => handler(new Request(input, init)),
        }),
        { info, mode: revision },
      );
      await client.listTools();
      expect(ends).toHaveLength(2);
      await client.close();
      await ends[1];
    },
  );

  const pairs = revisions.flatMap((front) =>
    ["2025-06-18", "2026-07-28"].map(
      (revision) => [front.revision, revision, front] as const,
    ),
  );
  it.each(pairs)(
    "tells a client of %s about a resource that it follows on a server of %s, and about changed lists",
    async (_name, revision, front) => {
      const target = makeServer(byRevision[revision] as AnyProtocol, {
        capabilities: {
          resources: { subscribe: true },
          tools: { listChanged: true },
        },
        handlers: {
          "resources/read": () => ({ contents: [] }),
          "tools/list": () => ({ tools: [] }),
        },
      });
      const reach = (): Transport => {
        const [clientTransport, serverTransport] = memoryPair();
        void serve(serverTransport, target);
        return clientTransport;
      };
      const seen: unknown[] = [];
      const client = await makeClient(front.protocol, await toBridge(reach), {
        handlers: {
          "notifications/resources/updated": ({ uri }) => void seen.push(uri),
          "notifications/tools/list_changed": () => void seen.push("tools"),
        },
      });
      open.push(client);
      const uri = "file:///story";
      if (client.subscribe) await client.subscribe({ uri });
      else {
        const notifications = {
          resourceSubscriptions: [uri],
          toolsListChanged: true,
        };
        await new Promise<void>((opened) => {
          client
            .subscriptionsListen?.(
              { notifications },
              { onNotice: () => opened() },
            )
            .catch(() => {});
        });
      }
      await turns();
      target.notify["resourceUpdated"]?.({ uri: "file:///other" });
      target.notify["resourceUpdated"]?.({ uri });
      target.notify["toolsListChanged"]?.();
      await turns();
      expect(seen).toEqual([uri, "tools"]);
    },
  );

  it("runs a call once on an old server whose question a new client answers in a second request", async () => {
    let runs = 0;
    const old = byRevision["2025-11-25"] as AnyProtocol;
    const target = makeServer(old, {
      handlers: {
        "tools/list": () => ({ tools: [] }),
        "tools/call": async (_params, { request }) => {
          runs++;
          const first = await request("roots/list");
          const second = await request("roots/list");
          return text(JSON.stringify([first, second]));
        },
      },
    });
    const reach = (): Transport => {
      const [clientTransport, serverTransport] = memoryPair();
      void serve(serverTransport, target);
      return clientTransport;
    };
    let asked = 0;
    const client = await makeClient(modern.protocol, await toBridge(reach), {
      handlers: {
        "roots/list": () => ({ roots: [{ uri: `file:///${++asked}` }] }),
      },
    });
    open.push(client);
    const answers = [1, 2].map((n) => ({ roots: [{ uri: `file:///${n}` }] }));
    expect(textOf(await client.callTool({ name: "any" }))).toBe(
      JSON.stringify(answers),
    );
    expect(runs).toBe(1);
  });

  it("answers with the error of its target, and goes on after its target has ended", async () => {
    const command = await program;
    const targets: Transport[] = [];
    const reach = (): Transport => {
      const target = toProcess(command);
      targets.push(target);
      return target;
    };
    const client = await connect(await toBridge(reach), { info });
    open.push(client);
    const echo = async (): Promise<string> =>
      textOf(
        await client.callTool({ name: "echo", arguments: { value: "here" } }),
      );
    expect(await echo()).toBe("here");
    const refused = await failure(client.callTool({ name: "roots" }));
    expect(refused.name).toBe("McpError");
    await targets.at(-1)?.close();
    expect(await echo()).toBe("here");
    expect(targets).toHaveLength(3);
  });
});
