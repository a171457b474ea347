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

const sentences: Readonly<Record<CodeLimit, string>> = {
  time: "The program ran longer than # ms. Do less in one program.",
  memory: "The program needed more than # bytes of memory. Keep less at once.",
  calls: "The program called more than # tools. Call fewer in one program.",
  callsAtOnce: "The program started more than # calls at once.",
  text: "The program printed more than # bytes. Print less.",
  argument: "The arguments of a call have more than # bytes. Pass less.",
  result: "The result of a call has more than # bytes. Ask the tool for less.",
  value: "The value of the program has more than # bytes. Return less.",
};

/** What a model is told about a limit: what it exceeded, and what to do. */
export const limitMessage = (limit: CodeLimit, limits: CodeLimits): string =>
  sentences[limit].replace("#", limits[limit].toLocaleString("en"));

/** Why a program has no value. */
export interface Failure {
  readonly ok: false;
  /**
   * `types`: it does not compile, and nothing was called. `thrown`: it threw.
   * `limit`: it exceeded `limit`. `aborted`: by the signal.
   */
  readonly reason: "types" | "thrown" | "limit" | "aborted";
  readonly limit?: CodeLimit;
  /** Sentences that a model can act on. */
  readonly message: string;
}

/** The end of a program that exceeded a limit. */
export const exceeded = (limit: CodeLimit, limits: CodeLimits): Failure => ({
  ok: false,
  reason: "limit",
  limit,
  message: limitMessage(limit, limits),
});
