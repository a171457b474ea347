import { memoryPair, serve, type Transport } from "@mcpgen/runtime";
import { stdio } from "@mcpgen/runtime/stdio";
import { expect, it } from "vitest";
import { bundle } from "./kit/bundle.js";
import { everythingServer } from "./kit/everything.js";
import {
  type AnyProtocol,
  byRevision,
  legacy,
  makeClient,
  makeServer,
  modern,
  revisions,
  textOf,
} from "./kit/index.js";
import { lifecycleSuite } from "./lifecycle.suite.js";

const program = bundle("everything-server");

lifecycleSuite("memory", async (revision) => {
  const [clientTransport, serverTransport] = memoryPair();
  await serve(serverTransport, makeServer(byRevision[revision] as AnyProtocol, everythingServer));
  return clientTransport;
});

// The newest revision of each era; `lifecycle-stdio.long.test.ts` runs the others.
lifecycleSuite("stdio", async (revision) => stdio(process.execPath, [await program, revision]), [
  legacy,
  modern,
]);

it.each(revisions)(
  "the same client code calls a server of $revision in memory and over stdio (STDIO-17)",
  async (one) => {
    const echo = async (transport: Transport): Promise<string> => {
      const client = await makeClient(one.protocol, transport);
      const result = await client.callTool({ name: "echo", arguments: { value: "hello" } });
      await client.close();
      return textOf(result);
    };
    const [clientTransport, serverTransport] = memoryPair();
    await serve(serverTransport, makeServer(one.protocol, everythingServer));
    expect(await echo(clientTransport)).toBe("hello");
    expect(await echo(stdio(process.execPath, [await program, one.revision]))).toBe("hello");
  },
);
