import type { ServerSource } from "../../config.js";
import type { Diagnostics } from "../../diagnostics.js";
import { pull } from "../../read/live/pull.js";
import type { Context } from "../command.js";
import type { ServerAddress } from "./address.js";
import { withClient, type ConnectionSettings } from "./connection.js";
import { addressOf } from "./find-address.js";
import { SecretLeakError } from "./read-error.js";
import { secretsOf, withoutSecrets } from "./secrets.js";
import { readTimeout } from "../options.js";

/**
 * Takes a snapshot of the server that a source names, and reports unexpected messages. A command starts in the folder of the context.
 *
 * @throws CommandError with exit code 3 if the server cannot be read. @throws Interruption
 */
export async function pullSource(
  source: ServerSource,
  context: Context,
  diagnostics: Diagnostics,
): Promise<string> {
  const settings = {
    ...readSettings(source),
    timeoutText: "it did not list everything",
    interruptText: "interrupted; nothing was written",
  };
  const server = await addressOf(source, context.directory);
  return await withClient(
    server,
    settings,
    context,
    diagnostics,
    async (client, { signal, address, warn }) => {
      const text = await pull(client, { signal, onPage: listProgress(context), onWarning: warn });
      rejectSecrets(text, address);
      return text;
    },
  );
}

/** The progress of the lists, in one line. */
export function listProgress({ status }: Context): (what: string, count: number) => void {
  const counts = new Map<string, number>();
  return (what, count) => {
    counts.set(what, count);
    status([...counts].map(([list, count]) => `${list}: ${count}`).join(", "));
  };
}

/** A server may list a secret of its connection, and a snapshot is committed. */
function rejectSecrets(text: string, address: ServerAddress): void {
  const { leak } = withoutSecrets(JSON.parse(text), secretsOf(address));
  if (leak !== null) throw new SecretLeakError(leak.path, leak);
}

/** The settings of a source. */
export function readSettings({ timeout, capabilities = "all" }: ServerSource): ConnectionSettings {
  return { timeout: readTimeout(timeout), capabilities };
}
