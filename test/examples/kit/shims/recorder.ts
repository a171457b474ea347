import type { ServerDefinition, Transport } from "@mcpgen/runtime";

/** The program that runs now. */
interface Run {
  /** The only revision that servers of the program have; undefined for all. */
  readonly revision: string | undefined;
  /** True if servers run in processes of their own, as in a user's project. */
  readonly inProcesses: boolean;
  /** The folder with the built programs of the guide. */
  readonly folder: string;
  /** Distinguishes the modules of this run from those of others. */
  readonly id: number;
  /** What went over the wire, as text. */
  readonly wire: string[];
  /** Ends what the program started. */
  readonly cleanups: (() => Promise<void>)[];
}

const state: { run?: Run } = {};

/** The run of this process; undefined in a process that a program started. */
export const currentRun = (): Run | undefined => state.run;
export const startRun = (run: Run): void => void (state.run = run);

/** The servers that may answer in this run. */
export function chosen(
  servers: ServerDefinition | readonly ServerDefinition[],
): ServerDefinition | readonly ServerDefinition[] {
  const revision = currentRun()?.revision;
  const own = [servers].flat().filter((server) => server.revision === revision);
  return own.length === 0 ? servers : own;
}

/** The transport of a client, which records the messages of both directions. */
export function recorded(transport: Transport): Transport {
  const wire = currentRun()?.wire;
  if (!wire) return transport;
  const record = (message: unknown): void =>
    void wire.push(JSON.stringify(message));
  const { start, send } = transport;
  transport.send = (message, options) => {
    record(message);
    return send.call(transport, message, options);
  };
  transport.start = (receiver) =>
    start.call(
      transport,
      new Proxy(receiver, {
        get(target, key) {
          const member: unknown = Reflect.get(target, key, target);
          if (typeof member !== "function") return member;
          return (...args: unknown[]): unknown => {
            if (key === "message") record(args[0]);
            return Reflect.apply(member, target, args);
          };
        },
      }),
    );
  return transport;
}
