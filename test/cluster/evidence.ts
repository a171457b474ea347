import type { Json } from "../runtime/kit/index.js";
import type { RawClient } from "./raw.js";

/** What a tool has done, as it says itself. */
export interface ToolRecord {
  /** The call. */
  readonly id: string;
  /** "begin", "end", or a step of the work. */
  readonly at: string;
  readonly pid: number;
  readonly principal: string;
}

/**
 * What became of one call, as its client sees it. All times are those of
 * `Date.now()`.
 */
export interface CallRecord {
  readonly id: string;
  readonly kind: string;
  readonly tool: string;
  readonly principal: string;
  readonly sent: number;
  readonly ended: number;
  readonly text?: string;
  readonly error?: string;
}

export interface StreamEventRecord {
  readonly id: string | undefined;
  /** The params of the notification; undefined for an answer. */
  readonly params: Json | undefined;
}

/**
 * A call whose progress a client has received on a stream, which it resumed
 * after each break.
 */
export interface StreamRecord {
  readonly id: string;
  readonly session: string;
  readonly sent: number;
  readonly ended: number;
  readonly events: readonly StreamEventRecord[];
  /** "hung" if there was none in time. */
  readonly outcome: "result" | "error" | "broken" | "hung";
}

/** A task, from its creation to its end. */
export interface TaskRecord {
  readonly id: string;
  readonly tool: string;
  readonly era: string;
  /** The client that started it. */
  readonly client: RawClient;
  readonly sent: number;
  readonly ended: number;
  /** Undefined if the task was not created. */
  readonly taskId?: string;
  /** "hung" if the task did not end in time. */
  readonly status: string;
  /** After the end: the status that each process tells. */
  readonly told: string[];
}

/** A listener after a fault, when nobody changes the resource. */
export interface ListenerRecord {
  readonly name: string;
  readonly at: number;
  /**
   * The version of the resource that the listener has read after its last
   * notification.
   */
  readonly known: number;
  readonly truth: number;
}

/** The last answer of one process to a request with the id of a session. */
export interface SessionRecord {
  readonly at: number;
  /**
   * "live", "ended" just now, "ended" before an earlier fault, or "foreign": of
   * another principal.
   */
  readonly is: "live" | "ended" | "ended before" | "foreign";
  readonly revision: string;
  readonly status: number;
}

/** A proof, with the number of processes that accepted it. */
export interface ProofRecord {
  readonly at: number;
  readonly accepted: number;
}

/** A process that could not answer for a time. */
export interface Harm {
  readonly pid: number;
  readonly from: number;
  readonly until: number;
  /** The process was asked to end, and answers what it has begun. */
  readonly isAsked?: boolean;
}

/** A fault, and the time after it in which nothing else was done. */
export interface Episode {
  readonly fault: string;
  /** The end of the episode before. */
  readonly begin: number;
  readonly from: number;
  readonly until: number;
  readonly end: number;
}

/** Everything that clients, tools and faults leave behind. */
export interface Evidence {
  readonly calls: CallRecord[];
  readonly streams: StreamRecord[];
  readonly tasks: TaskRecord[];
  readonly listeners: ListenerRecord[];
  readonly sessions: SessionRecord[];
  readonly proofs: ProofRecord[];
  readonly harms: Harm[];
  readonly episodes: Episode[];
}
