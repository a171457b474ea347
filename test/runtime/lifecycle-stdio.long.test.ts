import { stdio } from "@mcpgen/runtime/stdio";
import { bundle } from "./kit/bundle.js";
import { legacy, modern, revisions } from "./kit/index.js";
import { lifecycleSuite } from "./lifecycle.suite.js";

const program = bundle("everything-server");

// Each test starts a process; `lifecycle.test.ts` runs the newest revision of each era.
lifecycleSuite(
  "stdio",
  async (revision) => stdio(process.execPath, [await program, revision]),
  revisions.filter((one) => one !== legacy && one !== modern),
);
