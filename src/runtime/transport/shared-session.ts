import type { RequestId } from "../message.js";

/** The part of an HTTP response with which a session answers by itself. */
export interface ResumedResponse {
  reply(status: number, headers?: Readonly<Record<string, string>>, body?: string): void;
  stream(headers: Readonly<Record<string, string>>): { write(text: string): unknown; end(): void };
}

/** A session that several processes share, as one of them has it. */
export interface SharedSession {
  /** The id that the client has. */
  readonly id: string;
  /** Identifies the session in all processes. Knowing it gives no access. */
  readonly key: string;
  /** True if the processes have no store: an answer of the client may arrive at a process that did not ask. */
  readonly isAlone: boolean;
  /** Called when the server in this process has accepted the session. */
  attach(server: object): void;
  /** Called when the session closes in this process. */
  detach(): void;
  /** Called when the session makes room for others although its client has sent nothing but `initialize`. */
  dropped(): void;
  /** Called when the client got a URL elicitation with this id. */
  elicited(elicitationId: string): void;
  /** Returns a name that no process has used for a stream: of the responses to these requests, or of notifications without them. */
  streamName(ids?: readonly (RequestId | undefined)[]): string;
  /** Called when the client has changed a setting: see `LegacyServer.set`. Resolves once all processes can know. */
  changed(name: string, value: unknown): Promise<void>;
  /** Called when the client listens to notifications here. `release` of the stream closes its connection. */
  listened(stream: { release(): void }): void;
  /**
   * Answers a client that resumes a stream after this event, which this process does not have. `listen` opens a stream of notifications.
   * Returns false, and answers nothing, if there was no such stream.
   */
  resume(lastEventId: string, response: ResumedResponse, listen: () => void): boolean;
  /** Sends each notification that the client may have missed. */
  retell(): void;
}
