import { rpcError } from "../errors.js";
import { fromBase64Url, toBase64Url } from "../../shared/base64.js";
import { isObject, type JsonObject } from "../../shared/object.js";
import { isId, type RequestId } from "../message.js";
import type { RateLimit } from "../quota.js";
import type { LegacyServer } from "../session/legacy-server.js";
import type { ResumedResponse, SharedSession } from "../transport/shared-session.js";
import type { Auth } from "../transport/transport.js";
import { type Bus, maxEntry } from "./bus.js";
import type { Records } from "./records.js";
import { retell } from "./retell.js";
import type { SessionContent } from "./session-ids.js";

/** What a client has set, in the store. */
export interface SessionRecord {
  readonly ended?: true;
  /** The least severe level of log messages; all levels by default. */
  readonly level?: string | undefined;
  readonly subscriptions?: readonly string[];
}

/** What the sessions of a process share. */
export interface SessionHost {
  /** The name of this process, which no other one ever has. */
  readonly self: string;
  /** Absent without a store. */
  readonly records?: Records | undefined;
  readonly bus?: Bus | undefined;
  /** The sessions that are open in this process, by key. */
  readonly local: Map<string, Session>;
  /** Limits what each session makes other processes do. */
  readonly rate: RateLimit;
  /** Returns a number that this process has not used before. */
  count(): number;
}

/** How long an answer is stored for a process that missed it, in milliseconds: as long as a question may take. */
const answerTime = 600_000;

export const recordKey = (key: string): string => `session/${key}`;

/** A session of a cluster, as this process has it. */
export class Session implements SharedSession {
  readonly id: string;
  readonly key: string;
  /** Set while the session is open here. */
  server: LegacyServer | undefined;
  readonly #host: SessionHost;
  readonly #expires: number;
  /** The caller of the request that opened or restored it. What is stored has no claims. */
  readonly #auth: Auth | undefined;
  /** What the store has, as far as this process knows. */
  #record: SessionRecord = {};
  /** Counts the changes that this process knows of, so that none is undone by what was read before it. */
  #changes = 0;
  /** True until the client has heard what it may have missed elsewhere. */
  #isBehind: boolean;

  /** `restored` is what the store has of a session that another process has opened. */
  constructor(
    host: SessionHost,
    id: string,
    { key, expires }: SessionContent,
    auth: Auth | undefined,
    restored?: SessionRecord,
  ) {
    this.#host = host;
    this.id = id;
    this.key = key;
    this.#expires = expires;
    this.#auth = auth;
    this.#record = restored ?? {};
    this.#isBehind = restored !== undefined;
  }

  get isAlone(): boolean {
    return !this.#host.records;
  }

  /** True until its time is over. */
  get isCurrent(): boolean {
    return Date.now() < this.#expires;
  }

  /** A name that no process has used, which begins with that of this one. */
  #newName = (): string => `${this.#host.self}/${this.#host.count()}`;

  streamName(ids?: readonly (RequestId | undefined)[]): string {
    return ids ? `${this.#newName()}.${textOf(ids)}` : this.#newName();
  }

  attach(server: LegacyServer): void {
    this.server = server;
    this.#host.local.set(this.key, this);
    // The message that says so may arrive at any process.
    server.isInitialized = true;
    server.connection.nextId = this.#newName;
    this.#use(this.#record);
  }

  detach(): void {
    const { local } = this.#host;
    if (local.get(this.key) === this) local.delete(this.key);
    this.server = undefined;
  }

  async changed(): Promise<void> {
    const { server } = this;
    if (!server) return;
    const before = this.#record;
    const after = stateOf(server);
    this.#record = after;
    this.#changes++;
    const level = after.level === before.level ? undefined : after.level;
    const removed = before.subscriptions?.filter((one) => !after.subscriptions.includes(one)) ?? [];
    const added = after.subscriptions.filter((one) => !before.subscriptions?.includes(one));
    const change = (stored: SessionRecord | undefined): SessionRecord => {
      // The engine has lost the record, or the session had none.
      if (!stored) return after;
      const others = (stored.subscriptions ?? []).filter((one) => !removed.includes(one));
      const subscriptions = [...new Set([...others, ...added])];
      return { ...stored, level: level ?? stored.level, subscriptions };
    };
    let record = before;
    try {
      record = await this.#update(change);
    } finally {
      this.#changes++;
      this.#use(record);
    }
  }

  /** Ends the session in all processes. Resolves with false if the store does not answer. */
  async end(): Promise<boolean> {
    try {
      await this.#update((record) => ({ ...record, ended: true }));
      return true;
    } catch (error) {
      this.server?.connection.report(error);
      return false;
    }
  }

  /** Reads again what another process may have changed: asks until the store answers, or the session is no longer open here. */
  async refresh(): Promise<void> {
    const isOpen = (): boolean => this.server !== undefined;
    for (let changes = -1; changes !== this.#changes;) {
      changes = this.#changes;
      const record = await this.#host.records?.fetch<SessionRecord>(recordKey(this.key), isOpen);
      if (record?.ended) return this.server?.connection.close();
      if (record && changes === this.#changes) this.#use(record);
    }
  }

  /** Passes on what a client sent to this process, but another one may wait for. */
  route(message: unknown): void {
    if (!this.#host.bus || !this.server) return;
    const { batches, wellKnown } = this.server.config.side.revision;
    const { cancelled, progress } = wellKnown;
    for (const one of batches && Array.isArray(message) ? (message as unknown[]) : [message]) {
      const { id, method, params } = isObject(one) ? one : ({} as JsonObject);
      const token = isObject(params) ? params["progressToken"] : undefined;
      const isForOthers =
        method === undefined
          ? this.#isElsewhere(id)
          : method === cancelled || (method === progress && !this.#isHere(token));
      if (isForOthers) this.#forward(one as JsonObject);
    }
  }

  /** Receives what the client sent to another process. It is of this session, so it answers only questions of this session. */
  deliver(message: unknown): void {
    this.server?.connection.message(message);
  }

  /** Reads again what this process may have missed: what other processes have changed, and the answers that they have received. */
  async catchUp(): Promise<void> {
    await this.refresh();
    for (const id of this.server?.connection.calls?.ids() ?? []) {
      const isOpen = (): boolean => this.server?.connection.calls?.get(id) !== undefined;
      const answer = await this.#host.records?.fetch<JsonObject>(this.#answerKey(id), isOpen);
      if (answer) this.deliver(answer);
    }
  }

  listened(): void {
    if (this.#isBehind) this.retell();
    this.#isBehind = false;
  }

  resume(lastEventId: string, response: ResumedResponse, listen: () => void): boolean {
    const [, author = "", ids] = /^([0-9a-f]{16})\/\d{1,15}(?:\.([\w-]*))?-\d{1,15}$/.exec(lastEventId) ?? [];
    if (author === "") return false;
    if (ids === undefined) {
      this.#isBehind = true;
      listen();
      return true;
    }
    const { bus, self } = this.#host;
    if (author === self || !bus) return false;
    // Some clients resume only from an event of the last response.
    const isPrimed = this.server?.config.side.revision.primedStreams;
    const first = `retry: ${retryTime}\n${isPrimed ? `id: ${lastEventId}\ndata: \n` : ""}\n`;
    void endStream(response, bus, author, idsIn(ids), first);
    return true;
  }

  retell(): void {
    if (this.server) retell(this.server.config, this.server);
  }

  /** Takes over what the store has. */
  #use(record: SessionRecord): void {
    const { server } = this;
    this.#record = record;
    if (!server) return;
    const { level, subscriptions = [] } = record;
    server.threshold = Math.max(0, server.config.side.levels.indexOf(level ?? ""));
    const before = stateOf(server).subscriptions;
    try {
      for (const one of before) if (!subscriptions.includes(one)) server.subscribe(one, false, undefined);
      for (const one of subscriptions) if (!before.includes(one)) server.subscribe(one, true, this.#auth);
    } catch (error) {
      server.connection.report(error);
    }
  }

  async #update(change: (record: SessionRecord | undefined) => SessionRecord): Promise<SessionRecord> {
    const { records, bus } = this.#host;
    const ttl = Math.max(1, this.#expires - Date.now());
    const key = recordKey(this.key);
    const record = await records?.update<SessionRecord>(key, ttl, change);
    bus?.publish({ kind: "session", key: this.key });
    return record ?? {};
  }

  /** The key of an answer, which no other session can overwrite. */
  #answerKey(id: unknown): string {
    return `answer/${this.key}/${String(id)}`;
  }

  #isHere(id: unknown): boolean {
    return String(id).startsWith(`${this.#host.self}/`);
  }

  /** True for the id of a request that another process has sent. */
  #isElsewhere(id: unknown): boolean {
    return typeof id === "string" && /^[0-9a-f]{16}\/\d{1,15}$/.test(id) && !this.#isHere(id);
  }

  #forward(received: JsonObject): void {
    const { bus, records, rate } = this.#host;
    const isLong = new TextEncoder().encode(JSON.stringify(received)).length > maxEntry - 1000;
    const isAnswer = received["method"] === undefined;
    if (isLong && !isAnswer) return;
    if (!rate.allows(this.key))
      return this.server?.config.warnOnce(
        "cluster: a client sends more for other processes than a session may, and some of it was dropped.",
      );
    const { code, message: text } = rpcError("INTERNAL_ERROR", "The answer is too long for another process.");
    const message = isLong
      ? { jsonrpc: "2.0", id: received["id"], error: { code, message: text } }
      : received;
    bus?.publish({ kind: "message", key: this.key, message });
    if (isAnswer) records?.set(this.#answerKey(received["id"]), message, answerTime).catch(() => {});
  }
}

/** What the client of a session has set, as this process applies it. */
function stateOf({ threshold, subscriptions, config }: LegacyServer) {
  const level = threshold > 0 ? config.side.levels[threshold] : undefined;
  return { level, subscriptions: [...(subscriptions?.keys() ?? [])].map(String) };
}

/**
 * The ids of requests as a part of an event id; empty if they are too long, or several: of a batch, nobody knows later which of its requests
 * were answered.
 */
function textOf(ids: readonly (RequestId | undefined)[]): string {
  const text = toBase64Url(new TextEncoder().encode(JSON.stringify(ids)));
  return ids.length === 1 && text.length <= 256 ? text : "";
}

/** The ids in it, which the client may have changed; undefined if they are not known. */
function idsIn(text: string): readonly RequestId[] | undefined {
  try {
    const ids = JSON.parse(new TextDecoder().decode(fromBase64Url(text))) as unknown;
    return Array.isArray(ids) ? ids.filter(isId) : undefined;
  } catch {
    return undefined;
  }
}

/** How long a client waits before it tries another process, in milliseconds. */
const retryTime = 1000;

/**
 * Answers the client of a stream that another process has written. If that process has ended, the open requests get an error; without their
 * ids, the client must open a new session. Else the stream ends after its first event, and the client tries again: behind a balancer that
 * chooses at random, it may reach the process then.
 */
async function endStream(
  response: ResumedResponse,
  bus: Bus,
  author: string,
  ids: readonly RequestId[] | undefined,
  first: string,
): Promise<void> {
  const text = "The process that ran this request has ended.";
  const judgement = bus.judge(author);
  if (!ids && judgement === "dead")
    return response.reply(404, { "content-type": "text/plain; charset=utf-8" }, text);
  const sink = response.stream({ "content-type": "text/event-stream", "cache-control": "no-cache" });
  sink.write(first);
  const isDead = (judgement === "unknown" ? await bus.find(author) : judgement) === "dead";
  const { code, message, data } = rpcError("INTERNAL_ERROR", text, {
    reason: "process-lost",
    mayHaveRun: true,
  });
  for (const id of (isDead && ids) || [])
    sink.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id, error: { code, message, data } })}\n\n`);
  sink.end();
}
