/** What one run of a program may use. */
export interface CodeLimits {
  /**
   * The time of a run with all its calls, in ms. The default is 30,000. While
   * somebody decides on a call, it stands still, for ten minutes at most.
   */
  readonly time: number;
  /** The memory of the program, in bytes. The default is 64 MiB. */
  readonly memory: number;
  /** The calls of tools in a run. The default is 200. */
  readonly calls: number;
  /** The calls that run at once; others wait. The default is 20. */
  readonly callsAtOnce: number;
  /** The bytes of text that a program prints. The default is 64 KiB. */
  readonly text: number;
  /** The bytes of the arguments of one call. The default is 1 MiB. */
  readonly argument: number;
  /** The bytes of the result of one call. The default is 1 MiB. */
  readonly result: number;
  /** The bytes of the value that a program returns. The default is 1 MiB. */
  readonly value: number;
}

/** The name of a limit that a program exceeded. */
export type CodeLimit = keyof CodeLimits;

export const defaultLimits: CodeLimits = {
  time: 30_000,
  memory: 67_108_864,
  calls: 200,
  callsAtOnce: 20,
  text: 65_536,
  argument: 1_048_576,
  result: 1_048_576,
  value: 1_048_576,
};

/** What a model is told about a limit: what it exceeded, and what to do. */
export function limitMessage(limit: CodeLimit, limits: CodeLimits): string {
  const most = limits[limit].toLocaleString("en");
  switch (limit) {
    case "time":
      return `The program ran longer than ${most} ms. Do less in one program.`;
    case "memory":
      return `The program needed more than ${most} bytes of memory. Keep less at once.`;
    case "calls":
      return `The program called more than ${most} tools. Call fewer in one program.`;
    case "callsAtOnce":
      return `The program started more than ${most} calls at once.`;
    case "text":
      return `The program printed more than ${most} bytes. Print less.`;
    case "argument":
      return `The arguments of a call have more than ${most} bytes. Pass less.`;
    case "result":
      return `The result of a call has more than ${most} bytes. Ask the tool for less.`;
    case "value":
      return `The value of the program has more than ${most} bytes. Return less.`;
    default:
      return limit satisfies never;
  }
}
