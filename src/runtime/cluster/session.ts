import type { JsonObject } from "../../shared/object.js";
import { rpcError } from "../errors.js";
import { isId, type RequestId } from "../message.js";
import type { RateLimit } from "../quota.js";
import type { LegacyServer } from "../session/legacy-server.js";
import type { ResumedResponse, SharedSession } from "../transport/shared-session.js";
import type { Auth } from "../transport/transport.js";
import type { Bus } from "./bus.js";
import type { Records } from "./records.js";
import { retell } from "./retell.js";
import type { SessionContent } from "./session-ids.js";

/** What a client has set, in the store: `level`, the least severe one of log messages, each subscription behind a "+", and `ended`. */
export type SessionRecord = JsonObject;

/** What the sessions of a process share. */
export interface SessionHost {
  /** The name of this process, which no other one ever has. */
  readonly self: string;
  /** Absent without a store. */
  readonly records: Records | undefined;
  readonly bus: Bus | undefined;
  /** The sessions that are open in this process, by key. */
  readonly local: Map<string, Session>;
  /** Limits what each session makes other processes do. */
  readonly rate: RateLimit;
  /** Returns a name that no process has used, which begins with that of this one. */
  newName(): string;
  report(error: unknown): void;
}

/** A session of a cluster, as this process has it. */
export interface Session extends SharedSession {
  /** True until its time is over. */
  isCurrent(): boolean;
  /** The session is open here. */
  attach(server: LegacyServer): void;
  /** The session is no longer open here. */
  detach(): void;
  /** Sends a notification, if the session is open here. */
  emit(method: string, params: JsonObject | undefined): void;
  /** Ends the session in all processes. Rejects if the store does not answer. */
  end(): Promise<unknown>;
  /** Passes on what a client sent to this process, but another one may wait for. */
  route(message: unknown): void;
  /** Receives what the client sent to another process. It is of this session, so it answers only questions of this session. */
  deliver(message: unknown): void;
  /** Reads again what another process may have changed: asks until the store answers, or the session is no longer open here. */
  refresh(): Promise<void>;
  /** Reads again what this process may have missed: what other processes have changed, and the answers that they have received. */
  catchUp(): Promise<void>;
}

/** How long an answer is stored for a process that missed it, in milliseconds: as long as a question may take. */
const answerTime = 600_000;

export const recordKey = (key: string): string => `session/${key}`;

/** `restored` is what the store has of a session that another process has opened. `auth` is the caller: what is stored has no claims. */
export function shareSession(
  host: SessionHost,
  id: string,
  { key, expires }: SessionContent,
  auth: Auth | undefined,
  restored?: SessionRecord,
): Session {
  const { self, records, bus, local, rate, newName } = host;
  /** Set while the session is open here. */
  let server: LegacyServer | undefined;
  /** What the store has, as far as this process knows. */
  let known: SessionRecord = restored ?? {};
  /** Counts the changes that this process knows of, so that none is undone by what was read before it. */
  let changes = 0;
  /** True until the client has heard what it may have missed elsewhere. */
  let isBehind = restored !== undefined;

  /** The key of an answer, which no other session can overwrite. */
  const answerKey = (one: unknown): string => `answer/${key}/${String(one)}`;

  /** True for the id of a request that another process has sent. */
  const isElsewhere = (one: unknown): boolean =>
    typeof one === "string" && /^[0-9a-f]{16}\/\d{1,15}$/.test(one) && !one.startsWith(self);

  async function update(
    change: (record: SessionRecord | undefined) => SessionRecord,
  ): Promise<SessionRecord> {
    const record = await records?.update(recordKey(key), Math.max(1, expires - Date.now()), change);
    bus?.publish({ kind: "session", key });
    return record ?? {};
  }

  /** Takes over what the store has. */
  function use(record: SessionRecord): void {
    known = record;
    if (!server) return;
    if (record["ended"]) return void server.connection.close();
    server.threshold = Math.max(0, server.config.side.levels.indexOf(String(record["level"])));
    try {
      for (const name of differences(stateOf(server), record))
        if (name.startsWith("+")) server.subscribe(name.slice(1), record[name] === true, auth);
    } catch (error) {
      host.report(error);
    }
  }

  function forward(received: JsonObject): void {
    if (!rate.allows(key))
      return server?.config.warnOnce(
        "cluster: a client sends too much for other processes; some was dropped.",
      );
    const publish = (message: unknown): boolean => bus?.publish({ kind: "message", key, message }) === true;
    let message = received;
    const isSent = publish(message);
    if (received["method"] !== undefined) return;
    if (!isSent) publish((message = failure(received["id"], "The answer is too long for another process.")));
    records?.set(answerKey(received["id"]), message, answerTime).catch(() => {});
  }

  const session: Session = {
    id,
    key,
    isAlone: !records,
    isCurrent: () => Date.now() < expires,
    streamName: (ids) => newName() + (ids ? `.${textOf(ids)}` : ""),
    attach(opened) {
      server = opened;
      local.set(key, session);
      // The message that says so may arrive at any process.
      server.isInitialized = true;
      server.connection.nextId = newName;
      use(known);
    },
    detach() {
      if (local.get(key) === session) local.delete(key);
      server = undefined;
    },
    emit: (method, params) => server?.emit(method, params),
    async changed() {
      if (!server) return;
      const before = known;
      const after = stateOf(server);
      const change = Object.fromEntries(differences(before, after).map((name) => [name, after[name]]));
      known = after;
      changes++;
      let record = before;
      try {
        // The engine may have lost the record, or the session had none.
        record = await update((stored = before) => ({ ...stored, ...change }));
      } finally {
        changes++;
        use(record);
      }
    },
    end: () => update((record) => ({ ...record, ended: true })),
    async refresh() {
      for (let last = -1; last !== changes;) {
        last = changes;
        const record = await records?.fetch<SessionRecord>(recordKey(key), () => server !== undefined);
        if (record && last === changes) use(record);
      }
    },
    route(message) {
      if (!bus || !server) return;
      const { batches, wellKnown } = server.config.side.revision;
      for (const one of batches && Array.isArray(message) ? (message as unknown[]) : [message]) {
        const received = Object(one) as JsonObject;
        const { id: answered, method, params } = received;
        const { progressToken, requestId } = Object(params) as JsonObject;
        const isForOthers =
          method === undefined
            ? isElsewhere(answered)
            : method === wellKnown.progress
              ? isElsewhere(progressToken)
              : method === wellKnown.cancelled && !server.dispatcher.open.get(requestId as RequestId);
        if (isForOthers) forward(received);
      }
    },
    deliver: (message) => server?.connection.message(message),
    async catchUp() {
      await session.refresh();
      const calls = server?.connection.calls;
      for (const asked of calls?.ids() ?? []) {
        const isOpen = (): boolean => calls?.get(asked) !== undefined;
        const answer = await records?.fetch<JsonObject>(answerKey(asked), isOpen);
        if (answer) session.deliver(answer);
      }
    },
    listened() {
      if (isBehind) session.retell();
      isBehind = false;
    },
    resume(lastEventId, response, listen) {
      const [, author, text] = /^([0-9a-f]{16})\/\d{1,15}(?:\.(.*))?-\d{1,15}$/.exec(lastEventId) ?? [];
      if (author === undefined) return false;
      if (text === undefined) {
        isBehind = true;
        listen();
        return true;
      }
      if (author === self || !bus) return false;
      // Some clients resume only from an event of the last response.
      const isPrimed = server?.config.side.revision.primedStreams;
      const first = `retry: 1000\n${isPrimed ? `id: ${lastEventId}\ndata: \n` : ""}\n`;
      void endStream(response, bus, author, idIn(text), first);
      return true;
    },
    retell() {
      if (server) retell(server.config, server);
    },
  };
  return session;
}

/** An answer with an error. */
function failure(id: unknown, text: string, details?: unknown): JsonObject {
  const { code, message, data } = rpcError("INTERNAL_ERROR", text, details);
  return { jsonrpc: "2.0", id, error: { code, message, data } };
}

/** What the client of a session has set, as this process applies it. */
function stateOf({ threshold, subscriptions, config }: LegacyServer): SessionRecord {
  const subscribed = [...(subscriptions?.keys() ?? [])].map((one) => [`+${String(one)}`, true] as const);
  return {
    ...Object.fromEntries(subscribed),
    level: threshold > 0 ? config.side.levels[threshold] : undefined,
  };
}

/** The names of the members that differ, first those of the first record. */
const differences = (one: SessionRecord, other: SessionRecord): string[] =>
  Object.keys({ ...one, ...other }).filter((name) => one[name] !== other[name]);

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
  if (id === undefined && bus.judge(author) === "dead") return response.reply(404, {}, text);
  const sink = response.stream({ "content-type": "text/event-stream", "cache-control": "no-cache" });
  sink.write(first);
  const isDead = (await bus.find(author)) === "dead";
  const answer = failure(id, text, { reason: "process-lost", mayHaveRun: true });
  if (isDead && id !== undefined) sink.write(`data: ${JSON.stringify(answer)}\n\n`);
  sink.end();
}
