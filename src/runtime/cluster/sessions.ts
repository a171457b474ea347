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

/** An endpoint of this process, whose sessions all processes share. */
interface Endpoint {
  readonly own: OwnHttpSessions;
  readonly host: SessionHost;
  /** The servers that open sessions, the newest first. */
  readonly configs: readonly ServerSessionConfig[];
  /** The name of the server, for which an id is valid. */
  readonly name: string;
  /** The sessions that are being restored, each for one caller. */
  readonly restoring: Map<string, Promise<Full | undefined>>;
}

type Answer = (session: Session | undefined) => Promise<void> | void;

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
  const restoring: Endpoint["restoring"] = new Map();
  const name = String(configs[0]?.info["name"]);
  const endpoint: Endpoint = { own, host, configs, name, restoring };
  // Without a store, a process could not know which streams and which ends of
  // sessions another one has.
  const methods = host.shared ? own.methods : ["POST"];
  return {
    methods,
    knows: (request) => /^[sv]1\./.test(headerOf(request, own.header) ?? ""),
    post: (admitted, body, isInitialize) =>
      served(endpoint, admitted, (session) => {
        if (isInitialize && !session) return create(endpoint, admitted, body);
        // A notification does not count as use.
        if (!(isObject(body.message) && body.message["id"] === undefined))
          session?.used();
        session?.route(body.message);
        return own.post(admitted, body, isInitialize);
      }),
    get: (admitted) =>
      served(endpoint, admitted, (session) => {
        session?.used();
        return own.get(admitted);
      }),
    delete: (admitted) =>
      served(endpoint, admitted, async (session) => {
        await session?.end();
        await own.delete(admitted);
      }),
    keepAlive() {
      for (const open of own.sessions.values()) sessionOf(open);
      return own.keepAlive() || restoring.size > 0;
    },
  };
}

/** The session that is open here, unless its time is over: then it ends. */
function sessionOf(open: OpenHttpSession | undefined): Session | undefined {
  const session = open?.shared as Session | undefined;
  if (!session || Date.now() < session.expires) return session;
  void open?.close();
  return undefined;
}

/**
 * Answers a request: now if its session is open here, otherwise once it is
 * restored. A balancer may send each request of a client to another process.
 */
function restored(
  endpoint: Endpoint,
  admitted: AdmittedRequest,
  answer: Answer,
): Promise<void> | void {
  const { own, restoring } = endpoint;
  const { caller, request, response } = admitted;
  const id = headerOf(request, own.header);
  if (id === undefined) return answer(undefined);
  const find = (): Session | undefined =>
    sessionOf(own.sessions.use(id, caller));
  const key = `${id} ${caller}`;
  // A session that is being restored is open already, but may have ended.
  let work = restoring.get(key);
  const session = work ? undefined : find();
  if (session) return answer(session);
  work ??= restore(endpoint, id, admitted).finally(() => restoring.delete(key));
  restoring.set(key, work);
  return work.then((full) => {
    const session = find();
    return session || !full
      ? answer(session)
      : rejectOverLimit(response, full, 10);
  });
}

/** The same; answers 503 if the store does not answer. */
function served(
  endpoint: Endpoint,
  admitted: AdmittedRequest,
  answer: Answer,
): Promise<void> | void {
  const work = restored(endpoint, admitted, answer);
  if (work)
    return work.catch((error: unknown) => {
      const { response, caller } = admitted;
      if (error instanceof StoreError) {
        endpoint.host.report(error);
        return response.reply(503, { "retry-after": "1" });
      }
      if (!isMcpError(error)) throw error;
      const full = caller === undefined ? "all" : "caller";
      return rejectOverLimit(response, full, 10);
    });
}

const configOf = (
  { configs }: Endpoint,
  revision: unknown,
): ServerSessionConfig | undefined =>
  configs.find(({ side }) => side.revision.revision === revision);

/**
 * Opens a session (SESS-01). Its id says what the client has said, so that any
 * process can open it; what is too long for an id is in the store.
 */
async function create(
  endpoint: Endpoint,
  admitted: AdmittedRequest,
  body: Body,
): Promise<void> {
  const { own, host, name, configs } = endpoint;
  const { caller, response, auth } = admitted;
  const { id: requestId, params } = Object(body.message) as JsonObject;
  const {
    clientInfo,
    capabilities,
    protocolVersion: offered,
  } = Object(params) as JsonObject;
  const config = configOf(endpoint, offered) ?? configs[0];
  const protocolVersion = config?.side.revision.revision;
  const content: SessionContent = {
    params: { protocolVersion, clientInfo, capabilities },
    caller,
    key: crypto.randomUUID(),
    expires: Date.now() + host.time,
  };
  const full = own.sessions.makeRoom(caller);
  if (full) return rejectOverLimit(response, full, 10);
  const { sealed, stored: named } = idKinds;
  const text = host.isStored
    ? undefined
    : writeContent(content, sealed.maxContent);
  let id: string;
  let stored: StoredContent | undefined;
  if (text !== undefined)
    id = sealed.prefix + (await host.sealer.seal(text, sealed.prefix + name));
  else {
    const text = writeContent(content, named.maxContent);
    if (!host.shared || text === undefined) {
      const what = host.shared
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
    id = named.prefix + crypto.randomUUID();
    stored = await storedContent(endpoint, id, text, content);
    await stored.open();
  }
  await own.open(
    admitted,
    body,
    new Session(host, id, content, auth, false, stored),
  );
  if (!own.sessions.has(id)) stored?.drop();
}

/**
 * Makes a session that another process has opened one of this process, by what
 * its client said in `initialize`. Does nothing if there is no such session of
 * this caller (SESS-05, SESS-08). Resolves with the limit that the session
 * exceeds if it is not open then.
 */
async function restore(
  endpoint: Endpoint,
  id: string,
  { caller, auth }: AdmittedRequest,
): Promise<Full | undefined> {
  const { own, host } = endpoint;
  const text = await read(endpoint, id);
  if (text === undefined) return undefined;
  const content = readContent(text);
  if (content.caller !== caller || content.expires <= Date.now())
    return undefined;
  const { params } = content;
  const config = configOf(endpoint, params["protocolVersion"]);
  if (!config) return undefined;
  const full = own.sessions.makeRoom(caller);
  if (full) return full;
  const stored = id.startsWith(idKinds.stored.prefix)
    ? await storedContent(endpoint, id, text, content)
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
async function read(
  { host: { shared, sealer }, name }: Endpoint,
  id: string,
): Promise<string | undefined> {
  const { sealed, stored } = idKinds;
  const prefix = id.slice(0, sealed.prefix.length);
  return prefix === stored.prefix
    ? shared?.records.get<string>(await contentKey(name, id))
    : sealer.open(id.slice(prefix.length), prefix + name);
}

/**
 * The key in the store. The id gives access, so neither it nor the key of the
 * session shows it.
 */
const contentKey = (name: string, id: string): Promise<string> =>
  keyOf("opened/1", JSON.stringify([id, name]));

/**
 * The content of a session in the store. It makes room for others if its client
 * has only initialized, or the session is open nowhere here.
 */
async function storedContent(
  { host: { shared, kept, local }, name }: Endpoint,
  id: string,
  text: string,
  { caller, key, expires }: SessionContent,
): Promise<StoredContent> {
  const at = await contentKey(name, id);
  let written: string | undefined;
  const remove = async (version?: string): Promise<void> =>
    shared?.records.remove(at, version);
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
    await shared?.records.update<string>(
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
        void local.get(key)?.server?.connection.close();
      };
      await shared?.records.set(
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
