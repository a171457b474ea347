import type { JsonObject } from "../../shared/object.js";
import type { Sealer } from "../../shared/secrets.js";
import { jsonRpcCodes } from "../errors.js";
import { isId, type RequestId } from "../message.js";
import type { RateLimit } from "../quota.js";
import type { LegacyServer } from "../session/legacy-server.js";
import type { ResumedResponse, SharedSession } from "../transport/shared-session.js";
import type { Auth } from "../transport/transport.js";
import type { Bus } from "./bus.js";
import type { SharedRecords } from "../role/tasks/shared.js";
import { keyOf } from "./records.js";
import { retell } from "./retell.js";
import type { SessionContent } from "./session-ids.js";
import { shortJson } from "./short-json.js";

/** What a client has set, as the store has it: settings of `LegacyServer`, and `ended`. */
export type SessionRecord = JsonObject;

/** What the processes share by their store. */
export interface Shared {
  readonly records: SharedRecords;
  readonly bus: Bus;
}

/** What the sessions of a process share. */
export interface SessionHost {
  /** Encrypts the ids of sessions. */
  readonly sealer: Sealer;
  /** How long a session lasts, in milliseconds. */
  readonly time: number;
  /** True if ids only name the session, whose content is in the store. */
  readonly isStored: boolean;
  /** The name of this process, which no other one ever has. */
  self(): string;
  /** Absent without a store. */
  readonly shared: Shared | undefined;
  /** The sessions that are open in this process, by key. */
  readonly local: Map<string, Session>;
  /** Limits what is passed on to other processes within `answerTime`, because the store keeps it: by each session, and undefined for all. */
  readonly volume: RateLimit;
  /** Returns a name that no process has used, which begins with that of this one. */
  newName(): string;
  report(error: unknown): void;
}

/** How long an answer is stored for a process that missed it, in milliseconds: as long as a question may take. */
export const answerTime = 600_000;
/** What a message counts besides its text, in characters. */
const overhead = 4000;
/** How many times as much all sessions of a process may pass on as one of them. */
const sessionShare = 8;

/** How long it is known which session got a URL elicitation, in milliseconds: one day. */
const elicitationTime = 86_400_000;

/** Maximum number of streams that wait until it is certain whether their process runs. */
const maxResuming = 10;

const recordKey = (key: string): string => `session/${key}`;

/** A session of a cluster, as this process has it. A class, because a process may have very many. */
export class Session implements SharedSession {
  readonly id: string;
  readonly key: string;
  /** When its time is over, in milliseconds since 1970. */
  readonly expires: number;
  /** Set while the session is open here. */
  server: LegacyServer | undefined;
  readonly #host: SessionHost;
  readonly #auth: Auth | undefined;
  /** What the store has, as far as this process knows, without subscriptions for which it has no room. */
  #record: SessionRecord = {};
  /** Counts the changes that this process knows of, so that none is undone by what was read before it. */
  #changes = 0;
  #reading: Promise<boolean> | undefined;
  /** True until the client has heard what it may have missed elsewhere. */
  #isBehind: boolean;
  #resuming = 0;

  /** `isBehind` is true for a session that another process has opened. `auth` is the caller: what is stored has no claims. */
  constructor(
    host: SessionHost,
    id: string,
    { key, expires }: SessionContent,
    auth: Auth | undefined,
    isBehind: boolean,
  ) {
    this.id = id;
    this.key = key;
    this.expires = expires;
    this.#host = host;
    this.#auth = auth;
    this.#isBehind = isBehind;
  }

  get isAlone(): boolean {
    return !this.#host.shared;
  }

  streamName(ids?: readonly (RequestId | undefined)[]): string {
    return this.#host.newName() + (ids ? `.${textOf(ids)}` : "");
  }

  attach(attached: object): void {
    const server = attached as LegacyServer;
    this.server = server;
    this.#host.local.set(this.key, this);
    // The message that says so may arrive at any process.
    server.isInitialized = true;
    server.connection.nextId = this.#host.newName;
  }

  detach(): void {
    const { local } = this.#host;
    if (local.get(this.key) === this) local.delete(this.key);
    this.server = undefined;
  }

  elicited(id: string): void {
    const { shared, report } = this.#host;
    keyOf("elicitation", id)
      .then((key) => shared?.records.set(key, this.key, elicitationTime))
      .catch(report);
  }

  async changed(name: string, value: unknown): Promise<void> {
    const before = this.#record;
    this.#record = { ...before, [name]: value };
    const changes = ++this.#changes;
    let record = before;
    try {
      // The engine may have lost the record, or the session had none.
      record = await this.#update((stored = before) => ({ ...stored, [name]: value }));
    } finally {
      if (changes === this.#changes++) this.#use(record);
      // Replies come in any order, so the record may lack the other change.
      else this.refresh().catch(this.#host.report);
    }
  }

  /** Ends the session in all processes. Rejects if the store does not answer. The record stays for as long as the id would open a session. */
  async end(): Promise<void> {
    await this.#update(() => ({ ended: true }));
  }

  /**
   * Reads what another process may have changed. Retries until the store answers or this process closes the session. Resolves with true if
   * the session has ended.
   */
  refresh(): Promise<boolean> {
    this.#changes++;
    return (this.#reading ??= this.#read().finally(() => (this.#reading = undefined)));
  }

  async #read(): Promise<boolean> {
    const isOpen = (): boolean => this.server !== undefined;
    for (let changes = -1; changes !== this.#changes;) {
      changes = this.#changes;
      const record = await this.#host.shared?.records.fetch<SessionRecord>(recordKey(this.key), isOpen);
      if (record && changes === this.#changes) this.#use(record);
    }
    return this.#record["ended"] === true;
  }

  /** Passes on what a client sent to this process, but another one may wait for. */
  route(message: unknown): void {
    const { server } = this;
    if (!this.#host.shared || !server) return;
    const { batches, wellKnown } = server.config.side.revision;
    for (const one of batches && Array.isArray(message) ? (message as unknown[]) : [message]) {
      const received = Object(one) as JsonObject;
      const { id, method, params } = received;
      const { progressToken, requestId } = Object(params) as JsonObject;
      const isForOthers =
        method === undefined
          ? this.#isElsewhere(id)
          : method === wellKnown.progress
            ? this.#isElsewhere(progressToken)
            : method === wellKnown.cancelled && !server.dispatcher.open.get(requestId as RequestId);
      if (isForOthers) this.#forward(received);
    }
  }

  /** Receives what the client sent to another process. It is of this session, so it answers only questions of this session. */
  deliver(message: unknown): void {
    this.server?.connection.message(message);
  }

  /** Reads again what this process may have missed: what other processes have changed, and the answers that they have received. */
  async catchUp(): Promise<void> {
    await this.refresh();
    const calls = this.server?.connection.calls;
    for (const id of calls?.ids() ?? []) {
      const isOpen = (): boolean => calls?.get(id) !== undefined;
      const answer = await this.#host.shared?.records.fetch<JsonObject>(this.#answerKey(id), isOpen);
      if (answer) this.deliver(answer);
    }
  }

  listened(): void {
    if (this.#isBehind) this.retell();
    this.#isBehind = false;
  }

  resume(lastEventId: string, response: ResumedResponse, listen: () => void): boolean {
    const [, author, text] = /^([0-9a-f]{16})\/\d{1,15}(?:\.(.*))?-\d+$/.exec(lastEventId) ?? [];
    if (author === undefined) return false;
    if (text === undefined) {
      this.#isBehind = true;
      listen();
      return true;
    }
    const { shared, self } = this.#host;
    if (!shared || author === self()) return false;
    // Some clients resume only from an event of the last response.
    const isPrimed = this.server?.config.side.revision.primedStreams;
    const first = `retry: 1000\n${isPrimed ? `id: ${lastEventId}\ndata: \n` : ""}\n`;
    if (this.#resuming >= maxResuming) {
      response.reply(503, { "retry-after": "1" });
      return true;
    }
    this.#resuming++;
    void endStream(response, shared.bus, author, idIn(text), first).finally(() => this.#resuming--);
    return true;
  }

  retell(): void {
    if (this.server) retell(this.server.config, this.server);
  }

  /** Takes over what the store has. */
  #use(record: SessionRecord): void {
    const { server } = this;
    const before = this.#record;
    const applied: Record<string, unknown> = { ...record };
    this.#record = applied;
    if (record["ended"]) return void server?.connection.close();
    for (const name of Object.keys({ ...before, ...record }))
      try {
        if (record[name] !== before[name]) server?.set(name, record[name], this.#auth);
      } catch (error) {
        // There may be room for it later.
        applied[name] = before[name];
        this.#host.report(error);
      }
  }

  async #update(change: (record: SessionRecord | undefined) => SessionRecord): Promise<SessionRecord> {
    const { shared } = this.#host;
    const ttl = Math.max(1, this.expires - Date.now());
    const record = await shared?.records.update(recordKey(this.key), ttl, change);
    shared?.bus.publish({ kind: "session", key: this.key });
    return record ?? {};
  }

  /** The key of an answer, which no other session can overwrite. */
  #answerKey(id: unknown): string {
    return `answer/${this.key}/${id as string}`;
  }

  /** True for the id of a request of another process. */
  #isElsewhere(name: unknown): boolean {
    return (
      typeof name === "string" && /^[0-9a-f]{16}\/\d{1,15}$/.test(name) && !name.startsWith(this.#host.self())
    );
  }

  #forward(received: JsonObject): void {
    const { shared, volume } = this.#host;
    const { key } = this;
    const size = overhead + (shortJson(received, Infinity)?.length ?? 0);
    if (!volume.allows(key, size) || !volume.allows(undefined, size / sessionShare))
      return this.server?.config.warnOnce(
        "cluster: a client sends too much for other processes; some was dropped.",
      );
    const publish = (message: unknown): boolean =>
      shared?.bus.publish({ kind: "message", key, message }) === true;
    let message = received;
    const isSent = publish(message);
    if (received["method"] !== undefined) return;
    if (!isSent) publish((message = failure(received["id"], "The answer is too long for another process.")));
    shared?.records.set(this.#answerKey(received["id"]), message, answerTime).catch(() => {});
  }
}

/** An answer with an error. */
const failure = (id: unknown, message: string, data?: unknown): JsonObject => ({
  jsonrpc: "2.0",
  id,
  error: { code: jsonRpcCodes.INTERNAL_ERROR, message, data },
});

/**
 * The id of a request as a part of an event id; empty if it is too long, or there are several: of a batch, nobody knows later which of its
 * requests were answered.
 */
function textOf(ids: readonly (RequestId | undefined)[]): string {
  const text = encodeURIComponent(JSON.stringify(ids[0]));
  return ids.length === 1 && text.length <= 256 ? text : "";
}

/** The id in it, which the client may have changed; undefined if it is not known. */
function idIn(text: string): RequestId | undefined {
  try {
    const id: unknown = JSON.parse(decodeURIComponent(text));
    return isId(id) ? id : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Answers the client of a stream that another process has written. If that process has ended, the open request gets an error; without its
 * id, the client must open a new session. Else the stream ends after its first event, and the client tries again: behind a balancer that
 * chooses at random, it may reach the process then.
 */
async function endStream(
  response: ResumedResponse,
  bus: Bus,
  author: string,
  id: RequestId | undefined,
  first: string,
): Promise<void> {
  const text = "The process that ran this request has ended.";
  const isDead = (await bus.find(author)) === "dead";
  if (isDead && id === undefined) return response.reply(404, {}, text);
  const sink = response.stream({ "content-type": "text/event-stream", "cache-control": "no-cache" });
  const answer = failure(id, text, { reason: "process-lost", mayHaveRun: true });
  sink.write(isDead ? `${first}data: ${JSON.stringify(answer)}\n\n` : first);
  sink.end();
}
