import { isMcpError, jsonRpcCodes, StoreError } from "../core/errors.js";
import { isObject, type JsonObject } from "../../common/object.js";
import { withTimeout } from "../../common/timing.js";
import type {
  HttpSessions,
  OpenHttpSession,
  OwnHttpSessions,
} from "../core/ports/http-cluster.js";
import type { Full } from "../core/quota.js";
import {
  type AdmittedRequest,
  headerOf,
  rejectOverLimit,
  replyError,
} from "../core/role/http-server/exchange.js";
import type { Body } from "../core/role/http-server/open-work.js";
import type { ServerSessionConfig } from "../core/session/config.js";
import { type Admit, keyOf, type Written } from "./records.js";
import { Session, type SessionHost, type StoredContent } from "./session.js";
import {
  idKinds,
  readContent,
  type SessionContent,
  writeContent,
} from "./session-ids.js";

/** How long a request waits for what a client has set, in milliseconds. */
const readTime = 1000;
/**
 * How long the store keeps what a client says in `initialize` if it sends no
 * further request, in milliseconds.
 */
const openingTime = 600_000;

/**
 * The sessions of an endpoint that all processes share. This process restores
 * one when its client first sends a request here. `configs` are the servers of
 * the endpoint that open sessions, the newest first.
 */
export function shareSessions(
  own: OwnHttpSessions,
  host: SessionHost,
  configs: readonly ServerSessionConfig[],
): HttpSessions {
  const { sessions, header } = own;
  const { shared, report, sealer, time, isStored, kept, local } = host;
  const records = shared?.records;
  const { prefix: sealedPrefix } = idKinds.sealed;
  const { prefix: storedPrefix } = idKinds.stored;
  const newest = configs[0] as ServerSessionConfig;
  /** The name of the server, for which an id is valid. */
  const name = String(newest.info["name"]);
  /** The ids that are being restored, each for one caller. */
  const restoring = new Map<string, Promise<Full | undefined>>();

  /**
   * The key in the store. The id gives access, so neither it nor the key of the
   * session shows it.
   */
  const contentKey = (id: string): Promise<string> =>
    keyOf("opened/1", JSON.stringify([id, name]));
  const configOf = (revision: unknown): ServerSessionConfig | undefined =>
    configs.find(({ side }) => side.revision.revision === revision);

  /** The session that is open here, unless its time is over: then it ends. */
  function sessionOf(open: OpenHttpSession | undefined): Session | undefined {
    const session = open?.shared as Session | undefined;
    if (!session || Date.now() < session.expires) return session;
    void open?.close();
    return undefined;
  }

  /** The session of an id that is open here, if it is of this caller. */
  const find = (id: string, caller: string | undefined): Session | undefined =>
    sessionOf(sessions.use(id, caller));

  /** Answers a request: now, or once its session is restored. */
  function restored(
    admitted: AdmittedRequest,
    answer: (session: Session | undefined) => Promise<void> | void,
  ): Promise<void> | void {
    const { caller, request, response } = admitted;
    const id = headerOf(request, header);
    if (id === undefined) return answer(undefined);
    const key = `${id} ${caller}`;
    // A session that is being restored is open already, but may have ended.
    let work = restoring.get(key);
    const session = work ? undefined : find(id, caller);
    if (session) return answer(session);
    work ??= restore(id, admitted).finally(() => restoring.delete(key));
    restoring.set(key, work);
    return work.then((full) => {
      const session = find(id, caller);
      return session || !full
        ? answer(session)
        : rejectOverLimit(response, full, 10);
    });
  }

  /** The same; answers 503 if the store does not answer. */
  function served(
    admitted: AdmittedRequest,
    answer: (session: Session | undefined) => Promise<void> | void,
  ): Promise<void> | void {
    const work = restored(admitted, answer);
    if (work)
      return work.catch((error: unknown) => {
        const { response, caller } = admitted;
        if (error instanceof StoreError) {
          report(error);
          return response.reply(503, { "retry-after": "1" });
        }
        if (!isMcpError(error)) throw error;
        const full = caller === undefined ? "all" : "caller";
        return rejectOverLimit(response, full, 10);
      });
  }

  /**
   * The content of a session in the store. It makes room for others if its
   * client has only initialized, or the session is open nowhere here.
   */
  function contentAt(
    at: string,
    text: string,
    { caller, key, expires }: SessionContent,
  ): StoredContent {
    let written: string | undefined;
    const remove = async (version?: string): Promise<void> =>
      records?.remove(at, version);
    const drop = (version = written): void =>
      void (version !== undefined && remove(version));
    const admit = (limits: Omit<Written, "caller">): Admit => {
      const count = kept.admit(at, { caller, ...limits });
      return (length, version) => {
        count(length, version);
        written = version;
      };
    };
    const update = async (
      change: (stored?: string) => string | undefined,
    ): Promise<void> => {
      const ttl = Math.max(1, expires - Date.now());
      const isInUse = (): boolean => local.has(key);
      await records?.update<string>(
        at,
        ttl,
        change,
        admit({ ttl, isInUse, remove: drop }),
      );
    };
    return {
      async open() {
        const end = (version: string): void => {
          drop(version);
          local.get(key)?.server?.connection.close();
        };
        await records?.set(
          at,
          text,
          openingTime,
          admit({ ttl: openingTime, isMinor: true, remove: end }),
        );
      },
      // The engine may have lost it.
      keep: () => update((stored = text) => stored),
      restore: () =>
        update((stored) => (stored === undefined ? text : undefined)),
      drop,
      remove,
    };
  }

  /** Opens a session (SESS-01). */
  async function create(admitted: AdmittedRequest, body: Body): Promise<void> {
    const { caller, response, auth } = admitted;
    const { id: requestId, params } = Object(body.message) as JsonObject;
    const {
      clientInfo,
      capabilities,
      protocolVersion: offered,
    } = Object(params) as JsonObject;
    const { revision: protocolVersion } = (configOf(offered) ?? newest).side
      .revision;
    const content: SessionContent = {
      params: { protocolVersion, clientInfo, capabilities },
      caller,
      key: crypto.randomUUID(),
      expires: Date.now() + time,
    };
    const full = sessions.makeRoom(caller);
    if (full) return rejectOverLimit(response, full, 10);
    const sealed = isStored
      ? undefined
      : writeContent(content, idKinds.sealed.maxContent);
    let id: string;
    let stored: StoredContent | undefined;
    if (sealed !== undefined)
      id = sealedPrefix + (await sealer.seal(sealed, sealedPrefix + name));
    else {
      const text = writeContent(content, idKinds.stored.maxContent);
      if (!records || text === undefined) {
        const what = records
          ? "a session"
          : "an id without `store` of `cluster`";
        const reason = `What the client says about itself is too long for ${what}.`;
        return replyError(
          response,
          400,
          reason,
          requestId,
          jsonRpcCodes.INVALID_PARAMS,
        );
      }
      id = storedPrefix + crypto.randomUUID();
      stored = contentAt(await contentKey(id), text, content);
      await stored.open();
    }
    await own.open(
      admitted,
      body,
      new Session(host, id, content, auth, false, stored),
    );
    if (!sessions.has(id)) stored?.drop();
  }

  /**
   * Makes a session that another process has opened one of this process, by
   * what its client said in `initialize`. Does nothing if there is no such
   * session of this caller (SESS-05, SESS-08). Resolves with the limit that the
   * session exceeds if it is not open then.
   */
  async function restore(
    id: string,
    { caller, auth }: AdmittedRequest,
  ): Promise<Full | undefined> {
    const text = await read(id);
    if (text === undefined) return undefined;
    const content = readContent(text);
    if (content.caller !== caller || content.expires <= Date.now())
      return undefined;
    const { params } = content;
    const config = configOf(params["protocolVersion"]);
    if (!config) return undefined;
    const full = sessions.makeRoom(caller);
    if (full) return full;
    const stored = id.startsWith(storedPrefix)
      ? contentAt(await contentKey(id), text, content)
      : undefined;
    const session = new Session(host, id, content, auth, true, stored);
    const transport = await own.make(id, caller, session);
    const method = config.side.revision.wellKnown.initialize;
    // Nobody waits for the answer.
    transport.receiver?.message(
      { jsonrpc: "2.0", id: 0, method, params },
      { isRepeated: true },
    );
    // If the store does not answer, the session is served meanwhile.
    const hasEnded = await withTimeout(readTime, session.refresh());
    // Others may need its room before the request is answered.
    return hasEnded ? undefined : "all";
  }

  /**
   * The content of a session as a text. Resolves with undefined for any id that
   * is not of a server with this name.
   */
  async function read(id: string): Promise<string | undefined> {
    const prefix = id.slice(0, sealedPrefix.length);
    return prefix === storedPrefix
      ? records?.get<string>(await contentKey(id))
      : sealer.open(id.slice(prefix.length), prefix + name);
  }

  return {
    // Without a store, a process could not know which streams and which ends of
    // sessions another one has.
    methods: records ? own.methods : ["POST"],
    knows: (request) => /^[sv]1\./.test(headerOf(request, header) ?? ""),
    post: (admitted, body, isInitialize) =>
      served(admitted, (session) => {
        if (isInitialize && !session) return create(admitted, body);
        // A notification does not count as use.
        if (!(isObject(body.message) && body.message["id"] === undefined))
          session?.used();
        session?.route(body.message);
        return own.post(admitted, body, isInitialize);
      }),
    get: (admitted) =>
      served(admitted, (session) => {
        session?.used();
        return own.get(admitted);
      }),
    delete: (admitted) =>
      served(admitted, async (session) => {
        await session?.end();
        await own.delete(admitted);
      }),
    keepAlive() {
      for (const open of sessions.values()) sessionOf(open);
      return own.keepAlive() || restoring.size > 0;
    },
  };
}
