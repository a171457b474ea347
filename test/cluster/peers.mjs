import * as v2 from "@modelcontextprotocol/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const info = { name: "peer", version: "1.0.0" };
const capabilities = { elicitation: {} };
const headersOf = (principal) => ({
  requestInit: { headers: { authorization: `Bearer ${principal}` } },
});
const textOf = ({ content, isError }) => {
  if (isError) throw new Error(content[0].text);
  return content[0].text;
};
const answered = ({ params }) => ({
  action: "accept",
  content: { answer: params.message },
});

/**
 * @type {import("./clients.ts").Kind} The official client of the revisions that
 *   open a session.
 */
export const sdk1 = {
  name: "SDK v1",
  async open(url, principal) {
    const client = new Client1(info, { capabilities });
    client.setRequestHandler(ElicitRequestSchema, answered);
    await client.connect(new Http1(new URL(url), headersOf(principal)));
    return {
      call: async (name, args) =>
        textOf(await client.callTool({ name, arguments: args })),
      close: () => client.close(),
    };
  },
};

/** @returns {import("./clients.ts").Kind} */
const sdk2 = (mode) => ({
  name: `SDK v2, ${mode === "legacy" ? mode : mode.pin}`,
  async open(url, principal) {
    const client = new v2.Client(info, {
      capabilities,
      versionNegotiation: { mode },
    });
    client.setRequestHandler("elicitation/create", answered);
    await client.connect(
      new v2.StreamableHTTPClientTransport(new URL(url), headersOf(principal)),
    );
    return {
      call: async (name, args) =>
        textOf(await client.callTool({ name, arguments: args })),
      close: () => client.close(),
    };
  },
});

export const sdk2Legacy = sdk2("legacy");
export const sdk2Modern = sdk2({ pin: "2026-07-28" });
