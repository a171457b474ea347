import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import {
  Client,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { App } from "@modelcontextprotocol/ext-apps";
import {
  AppBridge,
  buildAllowAttribute,
  getToolUiResourceUri,
  isToolVisibilityAppOnly,
} from "@modelcontextprotocol/ext-apps/app-bridge";
import {
  EXTENSION_ID,
  RESOURCE_MIME_TYPE,
} from "@modelcontextprotocol/ext-apps/server";
import {
  appTools,
  apps,
  modelTools,
  readView,
  uiResource,
  uiTool,
  uiUriOf,
} from "@mcpgen/runtime/apps";
import { resources, tools } from "@mcpgen/runtime/features";
import { createHttpHandler, http, serveHttp } from "@mcpgen/runtime/http";
import { stdio } from "@mcpgen/runtime/stdio";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { readSchema } from "../../src/api.ts";
import { program } from "../repository.ts";
import { createServers, id, withApps } from "../runtime/apps/kit.ts";
import { info, makeClient } from "../runtime/kit/index.ts";

const peer = fileURLToPath(new URL("apps-server.mjs", import.meta.url));
const published = fileURLToPath(
  new URL(
    "node_modules/@modelcontextprotocol/ext-apps/dist/src/spec.types.d.ts",
    import.meta.url,
  ),
);
const uri = "ui://weather/view.html";
const namesOf = (list) => list.map(({ name }) => name);
const text = ({ content }) => content[0].text;
const closing = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

describe.each(withApps.map(({ revision }) => revision))(
  "the published types of MCP Apps, in %s",
  (revision) => {
    const folder = mkdtempSync(join(tmpdir(), "mcpgen-published-"));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it("are read without a diagnostic", () => {
      const args = [
        program,
        "--version",
        revision,
        "--extension",
        published,
        "--out",
        join(folder, "gen"),
      ];
      const { status, stderr } = spawnSync(process.execPath, args, {
        encoding: "utf8",
      });
      expect([status, stderr]).toEqual([
        0,
        expect.stringContaining(`9 written from ${revision}`),
      ]);
      expect(stderr).not.toMatch(/MG\d/);
    });

    it("are equal to those of the bundled extension", async () => {
      const factsOf = async (extension) => {
        const { declarations, extensions } = await readSchema(revision, {
          extensions: [extension],
        });
        const adds = new Set(extensions.flatMap((one) => one.adds));
        return JSON.parse(
          JSON.stringify(declarations.filter(({ name }) => adds.has(name))),
          (key, value) => (key === "doc" ? undefined : value),
        );
      };
      const { extensions } = await readSchema(revision, {
        extensions: [published],
      });
      expect([id, ...extensions.map((one) => one.id)]).toEqual([
        EXTENSION_ID,
        EXTENSION_ID,
      ]);
      const own = await factsOf("apps");
      expect(own.length).toBeGreaterThan(50);
      expect(own).toEqual(await factsOf(published));
    });
  },
);

/** Starts the official server. */
async function started(carrier) {
  if (carrier === "stdio") return stdio(process.execPath, [peer, "stdio"]);
  const child = spawn(process.execPath, [peer, "http"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  closing.push(() => child.kill());
  const [url] = await once(createInterface(child.stdout), "line");
  return http(url);
}

const rows = withApps.flatMap((one) =>
  ["stdio", "Streamable HTTP"].map((carrier) => [one.revision, carrier, one]),
);

describe.each(rows)(
  "our host with an official server at %s over %s",
  (_, carrier, { protocol, isModern }) => {
    it("reads its tools, its view and the view under the deprecated key, and declares that it shows views", async () => {
      const client = await makeClient(protocol, await started(carrier), {
        handlers: apps(),
      });
      closing.push(() => client.close());
      const list = (await client.listTools()).tools;
      expect(namesOf(modelTools(list))).toEqual([
        "weather",
        "report",
        "old",
        "capability",
      ]);
      expect(namesOf(appTools(list))).toEqual([
        "weather",
        "refresh",
        "old",
        "capability",
      ]);
      expect(list.map(uiUriOf)).toEqual([uri, uri, undefined, uri, undefined]);
      const entries = (await client.listResources()).resources;
      const csp = {
        connectDomains: ["https://api.example.com"],
        resourceDomains: ["https://*.example.com"],
      };
      const view = { uri, html: "<p>Rain</p>", csp, prefersBorder: true };
      expect(await readView(client, uri, entries)).toEqual(view);
      expect(text(await client.callTool({ name: "refresh" }))).toBe("Sun");
      // In legacy revisions, this server keeps no session over HTTP.
      const isKnown = isModern || carrier === "stdio";
      expect(text(await client.callTool({ name: "capability" }))).toBe(
        isKnown ? JSON.stringify({ mimeTypes: [RESOURCE_MIME_TYPE] }) : "none",
      );
    });
  },
);

describe.each(withApps.map((one) => [one.revision, one]))(
  "an official host with our server at %s",
  (_, one) => {
    const meta = {
      csp: { frameDomains: ["https://a.example"] },
      permissions: { camera: {}, clipboardWrite: {} },
    };
    const servers = createServers({
      ...tools([
        uiTool(
          { name: "weather", handler: () => "Rain" },
          { resourceUri: uri },
        ),
        uiTool(
          { name: "refresh", handler: () => "Sun" },
          { resourceUri: uri, visibility: ["app"] },
        ),
      ]),
      ...resources([
        uiResource({ uri, name: "view", read: () => "<p>Rain</p>" }, meta),
      ]),
    });
    const open = async (capabilities) => {
      const serving = await serveHttp(createHttpHandler(servers), { port: 0 });
      closing.push(() => serving.close());
      const mode = one.isModern ? { pin: one.revision } : "legacy";
      const client = new Client(info, {
        capabilities,
        versionNegotiation: { mode },
      });
      await client.connect(
        new StreamableHTTPClientTransport(new URL(serving.url)),
      );
      closing.push(() => client.close());
      return client;
    };
    const shows = {
      extensions: { [EXTENSION_ID]: { mimeTypes: [RESOURCE_MIME_TYPE] } },
    };

    it("reads our tools and our view", async () => {
      const client = await open(shows);
      const list = (await client.listTools()).tools;
      expect(
        list.map((tool) => [
          tool.name,
          getToolUiResourceUri(tool),
          isToolVisibilityAppOnly(tool),
        ]),
      ).toEqual([
        ["weather", uri, false],
        ["refresh", uri, true],
      ]);
      const { contents } = await client.readResource({ uri });
      expect(contents).toMatchObject([
        {
          uri,
          mimeType: RESOURCE_MIME_TYPE,
          text: "<p>Rain</p>",
          _meta: { ui: meta },
        },
      ]);
      expect(buildAllowAttribute(contents[0]._meta.ui.permissions)).toBe(
        "camera; clipboard-write",
      );
    });

    it("gets a tool without a view unless it declares the extension", async () => {
      const { tools: list } = await (await open({})).listTools();
      expect(list).toHaveLength(1);
      expect(list[0]).toMatchObject({ name: "weather" });
      expect(list[0]).not.toHaveProperty("_meta");
    });

    it("shows a view that calls a tool, with messages that have a guard of the generated code", async () => {
      const client = await open(shows);
      const [clientTransport, serverTransport] =
        InMemoryTransport.createLinkedPair();
      const seen = [];
      for (const side of [clientTransport, serverTransport]) {
        const send = side.send.bind(side);
        side.send = (message, options) => (
          seen.push(message),
          send(message, options)
        );
      }
      const bridge = new AppBridge(client, info, {
        serverTools: {},
        serverResources: {},
      });
      const ready = new Promise((resolve) => (bridge.oninitialized = resolve));
      const view = new App(
        { name: "view", version: "1.0.0" },
        {},
        { autoResize: false },
      );
      const received = new Promise((resolve) => (view.ontoolresult = resolve));
      closing.push(() => bridge.close());
      await bridge.connect(clientTransport);
      await view.connect(serverTransport);
      await ready;
      await bridge.sendToolInput({ arguments: {} });
      await bridge.sendToolResult(await client.callTool({ name: "weather" }));
      expect(text(await received)).toBe("Rain");
      expect(text(await view.callServerTool({ name: "refresh" }))).toBe("Sun");
      const { contents } = await view.readServerResource({ uri });
      expect(contents[0].text).toBe("<p>Rain</p>");
      const guards = {
        "ui/initialize": one.protocol.isMcpUiInitializeRequest,
        "ui/notifications/initialized":
          one.protocol.isMcpUiInitializedNotification,
        "ui/notifications/tool-input":
          one.protocol.isMcpUiToolInputNotification,
        "ui/notifications/tool-result":
          one.protocol.isMcpUiToolResultNotification,
      };
      const messages = seen.filter(({ method }) => method?.startsWith("ui/"));
      expect(messages.map(({ method }) => method)).toEqual(Object.keys(guards));
      for (const { method, params } of messages) {
        // The official client removes the `resultType` of a result, which the
        // newest revision requires.
        const whole = method.endsWith("tool-result")
          ? { resultType: "complete", ...params }
          : params;
        expect([method, guards[method]({ method, params: whole })]).toEqual([
          method,
          true,
        ]);
      }
      const [{ result }] = seen.filter((message) => "result" in message);
      expect(one.protocol.isMcpUiInitializeResult(result)).toBe(true);
    });
  },
);
