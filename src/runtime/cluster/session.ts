import type { JsonObject } from "../../common/object.js";
import type { Sealer } from "../../common/secrets.js";
import { pause } from "../../common/timing.js";
import { isMcpError, StoreError } from "../core/errors.js";
import type { RequestId } from "../core/message.js";
import type { RateLimit } from "../core/quota.js";
import type { LegacyServer } from "../core/session/legacy-server.js";
import type {
  HttpSharedSession,
  OpenHttpSession,
} from "../core/ports/http-cluster.js";
import type { HttpResponse } from "../core/role/http-server/exchange.js";
import type { Auth } from "../core/ports/transport.js";
import type { Bus } from "./bus.js";
import type { Clock } from "./clock.js";
import {
  type Admit,
  keyOf,
  type Records,
  retryTime,
  type Room,
} from "./records.js";
import { resendNotifications, resendSubject } from "./resend-notifications.js";
import type { SessionContent } from "./session-ids.js";
import {
  endStream,
  idIn,
  shortAnswer,
  shortNotification,
  textOf,
} from "./streams.js";

/**
 * What a client has set, as the store has it: settings of `LegacyServer`, and
 * `ended`.
 */
type SessionRecord = JsonObject;

/** What the processes share by their store. */
export interface Shared {
  readonly records: Records;
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
  /** Limits what the store keeps of sessions. */
  readonly kept: Room;
  /** Limits the answers that the store keeps for other processes. */
  readonly answers: Room;
  /** Limits the notifications that are passed on to other processes. */
  readonly rate: RateLimit;
  readonly clock: Clock;
  /**
   * The functions that send the announcements that are still being gathered.
   */
  readonly waiting: Map<string, () => void>;
  /**
   * Returns a name that no process has used, which begins with that of this
   * one.
   */
  newName(): string;
  report(error: unknown): void;
}

/**
 * How long an answer is stored for a process that missed it, in milliseconds:
 * as long as a question may take.
 */
const answerTime = 600_000;

/**
 * How long it is known which session got a URL elicitation, in milliseconds:
 * one day.
 */
const elicitationTime = 86_400_000;

/**
 * Maximum number of streams that wait until it is certain whether their process
 * runs.
 */
const maxResuming = 10;

const recordKey = (key: string): string => `session/1/${key}`;

/** The content of a session in the store. */
export interface StoredContent {
  /** Stores it for minutes. Rejects with an `McpError` if there is no room. */
  open(): Promise<void>;
  /** Keeps it until the session is over. */
  keep(): Promise<void>;
  /** Stores it again if the engine has lost it. */
  restore(): Promise<void>;
  /**
   * Removes what this process has written, unless another one has done so
   * since.
   */
  drop(): void;
  /** Removes it. Never rejects. */
  remove(): Promise<void>;
}

/**
 * A session of a cluster, as this process has it. A class, because a process
 * may have very many.
 */
export class Session implements HttpSharedSession {
  readonly id: string;
  readonly key: string;
  /** When its time is over, in milliseconds since 1970. */
  readonly expires: number;
  /** Set while the session is open here. */
  server: LegacyServer | undefined;
  /** Undefined for a session whose id says its content. */
  readonly #content: StoredContent | undefined;
  #isKept = false;
  /** The key of the caller. */
  readonly #caller: string | undefined;
  readonly #host: SessionHost;
  readonly #auth: Auth | undefined;
  /**
   * What the store has, as far as this process knows, without subscriptions for
   * which it has no room.
   */
  #record: SessionRecord = {};
  /**
   * Counts the changes that this process knows of, so that none is undone by
   * what was read before it.
   */
  #changes = 0;
  #reading: Promise<boolean> | undefined;
  /** True until the client has heard what it may have missed elsewhere. */
  #isBehind: boolean;
  #resuming = 0;
  /**
   * The number of streams of notifications that the client has opened here, and
   * of which the log has not told yet.
   */
  #opening = 0;

  /**
   * `isBehind` is true for a session that another process has opened. `auth` is
   * the caller: what is stored has no claims.
   */
  constructor(
    host: SessionHost,
    id: string,
    { key, caller, expires }: SessionContent,
    auth: Auth | undefined,
    isBehind: boolean,
    stored?: StoredContent,
  ) {
    this.id = id;
    this.key = key;
    this.expires = expires;
    this.#caller = caller;
    this.#content = stored;
    this.#host = host;
    this.#auth = auth;
    this.#isBehind = isBehind;
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

  dropped(): void {
    this.#content?.drop();
  }

  elicited(id: string): void {
    const { shared, report } = this.#host;
    const store = async (): Promise<void> => {
      const key = await keyOf("elicitation/1", id);
      await shared?.records.set(
        key,
        this.key,
        elicitationTime,
        this.#minor(key, elicitationTime),
      );
    };
    store().catch((error: unknown) => this.#isNoRoom(error) || report(error));
  }

  /** Called with each request but `initialize`. */
  used(): void {
    if (this.#isKept || !this.#content) return;
    this.#isKept = true;
    this.#content.keep().catch(() => (this.#isKept = false));
  }

  async changed(name: string, value: unknown): Promise<void> {
    const before = this.#record;
    this.#record = { ...before, [name]: value };
    const changes = ++this.#changes;
    let record = before;
    try {
      // The engine may have lost the record, or the session had none.
      record = await this.#update((stored = before) => ({
        ...stored,
        [name]: value,
      }));
      // The others have the entry by then, too.
      await this.#host.shared?.bus.read();
    } finally {
      if (changes === this.#changes++) this.#use(record);
      // Replies come in any order, so the record may lack the other change.
      else this.refresh().catch(this.#host.report);
    }
  }

  /**
   * Ends the session in all processes. Rejects if the store does not answer.
   * The record stays for as long as the id would open a session.
   */
  async end(): Promise<void> {
    await this.#update(() => ({ ended: true }));
    await this.#content?.remove();
  }

  /**
   * Reads what another process may have changed. Retries until the store
   * answers or this process closes the session. Resolves with true if the
   * session has ended.
   */
  refresh(): Promise<boolean> {
    this.#changes++;
    return (this.#reading ??= this.#read().finally(
      () => (this.#reading = undefined),
    ));
  }

  async #read(): Promise<boolean> {
    const isOpen = (): boolean => this.server !== undefined;
    let isLost = false;
    for (let changes = -1; changes !== this.#changes;) {
      changes = this.#changes;
      const record = await this.#host.shared?.records
        .fetch<SessionRecord>(recordKey(this.key), isOpen)
        .catch((error: unknown) => {
          // Another process may have ended the session.
          void this.server?.connection.close();
          throw error;
        });
      if (record && changes === this.#changes) this.#use(record);
      isLost = !record;
    }
    // The engine has lost what this process knows.
    if (isLost && isOpen() && Object.keys(this.#record).length > 0)
      await this.#update((stored = this.#record) => stored).catch(
        this.#host.report,
      );
    return this.#record["ended"] === true;
  }

  /**
   * Passes on what a client sent to this process, but another one may wait for.
   */
  route(message: unknown): void {
    const { server } = this;
    if (!this.#host.shared || !server) return;
    const { batches, wellKnown } = server.config.side.revision;
    for (const one of batches && Array.isArray(message)
      ? (message as unknown[])
      : [message]) {
      const received = Object(one) as JsonObject;
      const { id, method, params } = received;
      const { progressToken, requestId } = Object(params) as JsonObject;
      const isForOthers =
        method === undefined
          ? this.#isElsewhere(id)
          : method === wellKnown.progress
            ? this.#isElsewhere(progressToken)
            : method === wellKnown.cancelled &&
              !server.dispatcher.open.get(requestId as RequestId);
      if (isForOthers) this.#forward(received);
    }
  }

  /**
   * Receives what the client sent to another process. It is of this session, so
   * it answers only questions of this session.
   */
  deliver(message: unknown): void {
    this.server?.connection.message(message);
  }

  /**
   * Reads an answer that another process has received, if this one waits for
   * it.
   */
  async receive(id: RequestId): Promise<void> {
    const isOpen = (): boolean =>
      this.server?.connection.calls?.get(id) !== undefined;
    const answer = await this.#host.shared?.records.fetch<JsonObject>(
      this.#answerKey(id),
      isOpen,
    );
    if (answer) this.deliver(answer);
  }

  /**
   * Reads again what this process may have missed: what other processes have
   * changed, and the answers that they have received.
   */
  async catchUp(): Promise<void> {
    this.#opening = 0;
    if (this.#isKept) await this.#content?.restore();
    await this.refresh();
    for (const id of this.server?.connection.calls?.ids() ?? [])
      await this.receive(id);
  }

  listened(hasGap: boolean): void {
    const { server } = this;
    const { shared, rate } = this.#host;
    if (server && (this.#isBehind || hasGap))
      resendNotifications(server.config, server);
    this.#isBehind = false;
    if (!shared || !rate.allows(this.#caller)) return;
    this.#opening++;
    shared.bus.publish({ kind: "listens", key: this.key });
  }

  /**
   * The client listens at a process. A message goes over one stream only
   * (HTTP-17): that which was opened last in the order of the log.
   */
  listens(author: string): void {
    if (author === this.#host.self())
      this.#opening = Math.max(0, this.#opening - 1);
    else if (this.#opening === 0) this.#transport?.hangUp();
  }

  resume(lastEventId: string, response: HttpResponse): boolean {
    const [, author, text] =
      /^([0-9a-f]{16})\/\d{1,15}(?:\.(.*))?-\d+$/.exec(lastEventId) ?? [];
    if (author === undefined) return false;
    if (text === undefined) {
      this.#isBehind = true;
      this.#transport?.listen(response);
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
    void endStream(response, shared.bus, author, idIn(text), first).finally(
      () => this.#resuming--,
    );
    return true;
  }

  get #transport(): OpenHttpSession | undefined {
    return this.server?.connection.transport as OpenHttpSession | undefined;
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
        if (record[name] === before[name]) continue;
        server?.set(name, record[name], this.#auth);
        // A change before this process knew of the subscription was not sent. A
        // client that is behind hears of everything once it listens.
        if (server && name.startsWith("+") && record[name] && !this.#isBehind)
          resendSubject(server.config, server, name.slice(1));
      } catch (error) {
        // There may be room for it later.
        applied[name] = before[name];
        this.#host.report(error);
      }
  }

  async #update(
    change: (record: SessionRecord | undefined) => SessionRecord,
  ): Promise<SessionRecord> {
    const { shared, kept, local } = this.#host;
    const { key } = this;
    const at = recordKey(key);
    const ttl = Math.max(1, this.expires - Date.now());
    const isInUse = (): boolean => local.has(key);
    const remove = (version: string): void =>
      void this.#makeRoom(at, version, ttl);
    const admit = kept.admit(at, {
      caller: this.#caller,
      ttl,
      isInUse,
      remove,
    });
    const record = await shared?.records.update(at, ttl, change, admit);
    shared?.bus.publish({ kind: "session", key });
    return record ?? {};
  }

  /**
   * Ends a session to make room for others: without its record, a client would
   * miss what it has set. Never rejects.
   */
  async #makeRoom(at: string, version: string, ttl: number): Promise<void> {
    const { shared } = this.#host;
    try {
      await shared?.records.replace(
        at,
        version,
        { ended: true },
        ttl,
        this.#minor(at, ttl),
      );
      shared?.bus.publish({ kind: "session", key: this.key });
    } catch {
      await shared?.records.remove(at, version);
    }
  }

  /** Counts a record that any other may replace. */
  #minor(key: string, ttl: number): Admit {
    const { shared, kept } = this.#host;
    const remove = (version: string): void =>
      void shared?.records.remove(key, version);
    return kept.admit(key, {
      caller: this.#caller,
      ttl,
      isMinor: true,
      remove,
    });
  }

  /** Warns once if a store keeps as much for the client as it may. */
  #isNoRoom(error: unknown): boolean {
    if (!isMcpError(error) || error instanceof StoreError) return false;
    this.server?.config.warnOnce(
      "cluster: a client sends too much for the store or for other processes; some was dropped.",
    );
    return true;
  }

  /** The key of an answer, which no other session can overwrite. */
  #answerKey(id: unknown): string {
    return `answer/1/${this.key}/${id as string}`;
  }

  /**
   * True for the id of a request of another process that may still wait for it.
   */
  #isElsewhere(name: unknown): boolean {
    const { shared, self } = this.#host;
    const [, author = self()] =
      /^([0-9a-f]{16})\/\d{1,15}$/.exec(String(name)) ?? [];
    return author !== self() && shared?.bus.isRunning(author) !== false;
  }

  #forward(received: JsonObject): void {
    const { shared, rate } = this.#host;
    if (received["method"] === undefined) return void this.#passOn(received);
    const message = shortNotification(received);
    if (message && rate.allows(this.#caller))
      shared?.bus.publish({ kind: "message", key: this.key, message });
  }

  /**
   * Stores an answer for the process that waits for it. Tries again until the
   * store answers, or the answer makes room for others. Never rejects.
   */
  async #passOn(received: JsonObject): Promise<void> {
    const { shared, answers } = this.#host;
    const { id } = received;
    const key = this.#answerKey(id);
    const answer = shortAnswer(received);
    const remove = (version: string): void =>
      void shared?.records.remove(key, version);
    const admit = answers.admit(key, {
      caller: this.#caller,
      ttl: answerTime,
      remove,
    });
    for (;;) {
      try {
        // Of several answers to a question, the first one counts.
        await shared?.records.replace(key, "", answer, answerTime, admit);
        return void shared?.bus.publish({ kind: "answer", key: this.key, id });
      } catch (error) {
        if (this.#isNoRoom(error) || !answers.has(key, this.#caller)) return;
        await pause(retryTime);
      }
    }
  }
}
