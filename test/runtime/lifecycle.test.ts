import { memoryPair, serve, type Transport } from "@mcpgen/runtime";
import { stdio } from "@mcpgen/runtime/stdio";
import { expect, it } from "vitest";
import { bundle } from "./kit/bundle.js";
import { everythingServer } from "./kit/everything.js";
import {
  type AnyProtocol,
  byRevision,
  makeClient,
  makeServer,
  revisions,
  textOf,
} from "./kit/index.js";
import { lifecycleSuite } from "./lifecycle.suite.js";

const program = bundle("everything-server");

// `lifecycle-stdio.long.test.ts` does the same with a process for each test.
lifecycleSuite("memory", async (revision) => {
  const [clientTransport, serverTransport] = memoryPair();
  await serve(
    serverTransport,
    makeServer(byRevision[revision] as AnyProtocol, everythingServer),
  );
  return clientTransport;
});

it.each(revisions)(
  "the same client code calls a server of $revision in memory and over stdio (STDIO-17)",
  async (one) => {
    const echo = async (transport: Transport): Promise<string> => {
      const client = await makeClient(one.protocol, transport);
      const result = await client.callTool({
        name: "echo",
        arguments: { value: "hello" },
      });
      await client.close();
      return textOf(result);
    };
    const [clientTransport, serverTransport] = memoryPair();
    await serve(serverTransport, makeServer(one.protocol, everythingServer));
    expect(await echo(clientTransport)).toBe("hello");
    expect(
      await echo(stdio(process.execPath, [await program, one.revision])),
    ).toBe("hello");
  },
);
