import { elicitationIdOf, type Params } from "../core/message.js";
import type { ServerSessionConfig } from "../core/session/config.js";
import type { LegacyServer } from "../core/session/legacy-server.js";
import { warn } from "../core/report.js";
import { keyOf } from "./records.js";
import type { SessionHost, Shared } from "./session.js";

/**
 * How long repetitions of an announcement are gathered into one entry, in
 * milliseconds.
 */
const gatherTime = 50;

/**
 * The function that passes announcements of a server to the sessions in other
 * processes.
 */
export function publisher(
  { info, settings, elicitations }: ServerSessionConfig,
  { bus, records }: Shared,
  { clock, local, waiting, report }: SessionHost,
): (method: string, params: Params) => void {
  /**
   * Only the client that got a URL elicitation is notified when it completes
   * (ELIC-11). It may listen at any process.
   */
  async function complete(
    method: string,
    params: Params,
    id: string,
  ): Promise<void> {
    const asking = elicitations.get(id)?.session.deref() as
      LegacyServer | undefined;
    const key = asking
      ? asking.connection.transport.shared?.key
      : await records.get<string>(await keyOf("elicitation/1", id));
    // A server that has asked has sent it already.
    if (!asking) local.get(String(key))?.server?.emit(method, params);
    if (key !== undefined) bus.publish({ kind: "notice", key, method, params });
    else if (!asking)
      warn(
        settings,
        `${method} was not sent: no client got an elicitation with this elicitationId.`,
      );
  }

  return (method, params) => {
    const elicitation = elicitationIdOf(params);
    if (elicitation !== undefined)
      return void complete(method, params, elicitation).catch(report);
    const entry = {
      kind: "announcement",
      server: info["name"],
      method,
      params,
    };
    const key = JSON.stringify(entry);
    if (waiting.has(key)) return;
    const send = (): void => {
      if (waiting.delete(key) && !bus.publish(entry))
        report(new Error(`${method} is too long for another process.`));
    };
    waiting.set(key, send);
    clock.after(gatherTime, send);
  };
}
