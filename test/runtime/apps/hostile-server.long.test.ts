import { isValidationError, serve, memoryPair } from "@mcpgen/runtime";
import {
  apps,
  appTools,
  modelTools,
  readView,
  uiMimeType,
  uiResource,
} from "@mcpgen/runtime/apps";
import { resources } from "@mcpgen/runtime/features";
import { describe, expect, it } from "vitest";
import {
  type AnyClient,
  type AnyHandlers,
  type AnyProtocol,
  byRevision,
  failure,
  info,
  type Json,
  makeServer,
  type Revision,
} from "../kit/index.js";
import { carriers, connect, createServers, withApps } from "./kit.js";

const uri = "ui://a/b.html";
const inputSchema = { type: "object" };
const handlers = apps() as object as AnyHandlers;
const warnings: string[] = [];

/**
 * A host that was generated with the extension, and one without, of a server
 * that checks nothing of the extension.
 */
async function hostsOf(
  revision: Revision,
  server: AnyHandlers,
): Promise<{ strict: AnyClient; loose: AnyClient }> {
  const plain = byRevision[revision.revision] as AnyProtocol;
  const open = async ({ Client }: AnyProtocol): Promise<AnyClient> => {
    const [clientTransport, serverTransport] = memoryPair();
    await serve(serverTransport, makeServer(plain, { handlers: server }));
    return Client.connect(clientTransport, {
      info,
      handlers,
      onWarning: (text) => void warnings.push(text),
    });
  };
  return { strict: await open(revision.protocol), loose: await open(plain) };
}

describe.each(withApps.map((one) => [one.revision, one] as const))(
  "a host of a hostile server in %s",
  (_, revision) => {
    it.each([
      [{ ui: 5 }, /ui/, false],
      [{ ui: { visibility: "app" } }, /visibility/, false],
      [{ ui: { visibility: [5] } }, /visibility/, false],
      // Another version of the extension may have other audiences.
      [{ ui: { visibility: ["app", "later"] } }, /visibility/, true],
    ])(
      "APPS-08 does not give its model a tool with the metadata %j, with guards of the extension or without",
      async (_meta, path, isForViews) => {
        const tool = { name: "a", inputSchema, _meta };
        const { strict, loose } = await hostsOf(revision, {
          "tools/list": () => ({ tools: [tool] }),
        });
        expect(await strict.listTools()).toMatchObject({ tools: [] });
        expect(warnings.splice(0)).toEqual([expect.stringMatching(path)]);
        const { tools } = (await loose.listTools()) as {
          tools: readonly Json[];
        };
        expect(tools).toEqual([tool]);
        expect(modelTools(tools)).toEqual([]);
        expect(appTools(tools)).toEqual(isForViews ? [tool] : []);
      },
    );

    it.each([
      [{ mimeType: "text/html" }, "expected contents of this URI", undefined],
      [{ uri: "ui://c" }, "expected contents of this URI", undefined],
      [
        { _meta: { ui: { csp: { frameDomains: ["a; script-src *"] } } } },
        "frameDomains[0]: expected an",
        undefined,
      ],
      [
        { _meta: { ui: { csp: { frameDomains: "a" } } } },
        "frameDomains: expected a list",
        "contents[0]: expected",
      ],
      [
        { _meta: { ui: { permissions: { camera: 1 } } } },
        "camera: expected an object",
        "contents[0]: expected",
      ],
    ])(
      "APPS-06 APPS-07 does not show the page %j, with guards of the extension or without",
      async (wrong, expected, byGuard = expected) => {
        const page = { uri, mimeType: uiMimeType, text: "<p>", ...wrong };
        const { strict, loose } = await hostsOf(revision, {
          "resources/read": () => ({ contents: [page] }),
        });
        for (const [client, message] of [
          [strict, byGuard],
          [loose, expected],
        ] as const) {
          const error = await failure(readView(client, uri));
          expect(isValidationError(error)).toBe(true);
          expect(error.message).toContain(message);
        }
      },
    );
  },
);

const rows = withApps.flatMap((one) =>
  carriers.map((carrier) => [one.revision, carrier, one] as const),
);

describe.each(rows)("a page of 10 MB in %s over %s", (_, carrier, revision) => {
  it("APPS-06 arrives whole", async () => {
    const html = "<p>é\u2028</p>".repeat(850_000);
    const servers = createServers(
      resources([uiResource({ uri, name: "a", read: () => html })]),
    );
    const view = await readView(await connect(revision, servers, carrier), uri);
    expect(view.html.length).toBe(html.length);
    expect(view.html === html).toBe(true);
  });
});
