import { stdio } from "@mcpgen/runtime/stdio";
import { bundle } from "./kit/bundle.js";
import { lifecycleSuite } from "./lifecycle.suite.js";

const program = bundle("everything-server");

// Each test starts a process.
lifecycleSuite("stdio", async (revision) =>
  stdio(process.execPath, [await program, revision]),
);
