import { memoryPair, serve } from "@mcpgen/runtime";
import { stdio } from "@mcpgen/runtime/stdio";
import { bundle } from "./kit/bundle.js";
import { everythingServer } from "./kit/everything.js";
import { type AnyProtocol, byRevision, makeServer } from "./kit/index.js";
import { lifecycleSuite } from "./lifecycle.suite.js";

const program = bundle("everything-server");

lifecycleSuite("memory", async (revision) => {
  const [near, far] = memoryPair();
  await serve(far, makeServer(byRevision[revision] as AnyProtocol, everythingServer));
  return near;
});

lifecycleSuite("stdio", async (revision) => stdio(process.execPath, [await program, revision]));
