// A process of the row `code`. It runs a program of code mode, or does nothing
// beside one that does, and tells how long its event loop was held meanwhile.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { makeCode } from "../../src/runtime/dist/code.js";

const content = [{ type: "text", text: "some text" }];
const tool = (name, isReadOnly, call) => ({ name, isReadOnly, call });
const tools = [
  tool("read", true, async () => ({ content })),
  tool("fail", true, async () => ({ isError: true, content })),
  tool("hang", true, () => new Promise(() => {})),
  tool("large", true, async () => ({
    content: [{ type: "text", text: "x".repeat(2_000_000) }],
  })),
  tool("write", false, async () => ({ content })),
];
const clients = {
  files: {
    tools: Object.fromEntries(tools.map(({ name, call }) => [name, call])),
  },
};
const server = {
  name: "files",
  summary: "",
  tools: tools.map(({ name, isReadOnly }) => ({
    name,
    text: "",
    line: "",
    isReadOnly,
  })),
};
const api = `declare const files: {
  ${tools.map(({ name }) => `${name}(args: { path?: string }): Promise<{ readonly text: string }>;`).join("\n")}
};`;

const delays = monitorEventLoopDelay({ resolution: 1 });
delays.enable();
/** The time on a processor of this thread; older versions do not tell it. */
const cpu = () => {
  const { user, system } = process.threadCpuUsage?.() ?? {};
  return (user + system) / 1000;
};
let [last, most] = [cpu(), 0];
setInterval(() => {
  const now = cpu();
  most = Math.max(most, now - last);
  last = now;
}, 1);
/** A hold is seen in the turn after it. */
const turns = () => new Promise((resolve) => setTimeout(resolve, 10));

const steps = {
  async begin() {
    await turns();
    delays.reset();
    most = 0;
  },
  async run({ program, limits, directory }) {
    const code = makeCode(clients, [server], api, {
      directory,
      limits,
      onWarning: () => {},
    });
    await code.run(program);
  },
  async end() {
    await turns();
    return { delay: delays.max / 1e6, cpu: most };
  },
};
process.on("message", async ({ step, job }) =>
  process.send((await steps[step](job)) ?? {}),
);
process.on("disconnect", () => process.exit());
