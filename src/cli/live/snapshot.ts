import type { ServerSource } from "../../config.js";
import {
  type Diagnostics,
  makeDiagnostic,
} from "../../generator/diagnostics.js";
import { pull } from "../../generator/read/live/pull.js";
import type { Context } from "../command.js";
import { CommandError, exitCodes } from "../command-error.js";
import type { ServerAddress } from "./address.js";
import { withClient, type ConnectionSettings } from "./connection.js";
import { addressOf } from "./find-address.js";
import { shortened } from "./read-error.js";
import {
  isCredential,
  redacted,
  secretsOf,
  withoutSecrets,
} from "./secrets.js";
import { readTimeout } from "../options.js";

/**
 * Takes a snapshot of the server that a source names, and reports unexpected
 * messages. A command starts in the folder of the context.
 *
 * @throws CommandError with exit code 3 if the server cannot be read. @throws
 *   Interruption
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
      const text = await pull(client, {
        signal,
        onPage: listProgress(context),
        onWarning: warn,
      });
      rejectSecrets(text, address);
      return text;
    },
  );
}

/** The progress of the lists, in one line. */
export function listProgress({
  status,
}: Context): (what: string, count: number) => void {
  const counts = new Map<string, number>();
  return (what, count) => {
    counts.set(what, count);
    status([...counts].map(([list, count]) => `${list}: ${count}`).join(", "));
  };
}

/**
 * A server may list a secret of its connection, and a snapshot is committed.
 */
function rejectSecrets(text: string, address: ServerAddress): void {
  const secrets = secretsOf(address);
  const { leak } = withoutSecrets(JSON.parse(text), secrets);
  if (leak === null) return;
  const { path, what, setting } = leak;
  const mayBeHarmless = setting !== undefined && !isCredential(setting);
  const hint = mayBeHarmless
    ? `change the server so that it does not list the value; if the value is not secret, run again with --not-secret ${setting}`
    : "change the server so that it does not list the value, because snapshots are committed";
  const found = redacted(`${path} contains the value of ${what}`, secrets);
  const message = `the server repeats a secret: ${shortened(found)}`;
  throw new CommandError(
    [makeDiagnostic("error", "MG737", message, hint)],
    exitCodes.unreachable,
  );
}

/** The settings of a source. */
export function readSettings({
  timeout,
  capabilities = "all",
}: ServerSource): ConnectionSettings {
  return { timeout: readTimeout(timeout), capabilities };
}
