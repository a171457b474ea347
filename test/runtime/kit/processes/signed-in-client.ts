import { oauth, type TokenStore } from "@mcpgen/auth";
import { http } from "@mcpgen/runtime/http";
import { fileStore } from "@mcpgen/auth/login";
import { makeClient, modern } from "../index.js";

// Calls a server many times with the tokens of a folder, or of the store that
// the function `open` of a module returns. With `isKilled`, it calls until it
// is killed, while it holds the lock of its second refresh: another process may
// be the one that refreshes a token.
interface Task {
  readonly url: string;
  readonly folder: string;
  readonly module?: string;
  readonly calls: number;
  readonly pause: number;
  readonly isKilled?: boolean;
}

const {
  url,
  folder,
  module,
  calls,
  pause,
  isKilled = false,
} = JSON.parse(process.argv[2] ?? "") as Task;
const opened =
  module === undefined
    ? undefined
    : ((await import(module)) as { open(): Promise<TokenStore> });
const store = (await opened?.open()) ?? fileStore({ folder });
let locks = 0;
const mortal: TokenStore = {
  ...store,
  lock: (key, work) =>
    (store.lock as NonNullable<TokenStore["lock"]>)(key, () => {
      if (isKilled && ++locks === 2) process.kill(process.pid, "SIGKILL");
      return work();
    }),
};
const client = await makeClient(
  modern.protocol,
  http(url, { auth: oauth({ store: mortal }) }),
  {},
);
const most = isKilled ? Infinity : calls;
for (let call = 0; call < most; call++) {
  await client.listTools();
  await new Promise((resolve) => setTimeout(resolve, pause));
}
await client.close();
process.stdout.write("done\n");
