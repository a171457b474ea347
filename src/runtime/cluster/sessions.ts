import { jsonRpcCodes } from "../errors.js";
import type { JsonObject } from "../../shared/object.js";
import type { Sealer } from "../../shared/secrets.js";
import type { HttpSessions, OwnSessions } from "../role/http-server/cluster.js";
import type { ReadBody } from "../role/http-server/body.js";
import { type AdmittedRequest, type HttpResponse, replyError } from "../role/http-server/exchange.js";
import type { Full } from "../role/http-server/load.js";
import type { ServerSessionConfig } from "../session/config.js";
import { keyOf } from "./records.js";
import { recordKey, type Session, type SessionHost, type SessionRecord, shareSession } from "./session.js";
import { openId, sealedPrefix, sealId, type SessionContent, shortened } from "./session-ids.js";

/** How the sessions of an endpoint are made. */
export interface SessionRules {
  readonly sealer: Sealer;
  /** The servers of the endpoint that open sessions, the newest first. */
  readonly configs: readonly ServerSessionConfig[];
  /** How long a session lasts, in milliseconds. */
  readonly time: number;
  /** True if ids only name the session, whose content is in the store. */
  readonly isStored: boolean;
  /** Called when the endpoint is closed. */
  closed(): Promise<void>;
}

/** The start of an id whose content is in the store. */
const storedPrefix = "s1.";
/** Maximum size of such a content, in bytes of its JSON. */
const maxStored = 65_536;

/** The sessions of an endpoint that all processes share. This process restores one when its client first sends a request here. */
export function shareSessions(own: OwnSessions, host: SessionHost, rules: SessionRules): HttpSessions {
  const { sessions, header } = own;
  const { records, report } = host;
  const { sealer, configs, time, isStored } = rules;
  const newest = configs[0] as ServerSessionConfig;
  /** The name of the server, for which an id is valid. */
  const name = String(newest.info["name"]);
  /** The ids that are being restored, each for one caller. */
  const restoring = new Map<string, Promise<Full | undefined>>();

  /** The key in the store. The id gives access, so neither it nor the key of the session shows it. */
  const contentKey = (id: string): Promise<string> => keyOf("opened", `${id} ${name}`);
  const idOf = ({ request }: Pick<AdmittedRequest, "request">): string | undefined =>
    request.header(header.toLowerCase());
  const configOf = (revision: unknown): ServerSessionConfig | undefined =>
    configs.find(({ side }) => side.revision.revision === revision);

  /** The session of an id that is open here, if it is of this caller. */
  function find(id: string, caller: string | undefined): Session | undefined {
    const transport = sessions.use(id, caller)?.transport;
    const session = transport?.shared as Session | undefined;
    if (!session || session.isCurrent()) return session;
    // Its time is over.
    sessions.delete(id);
    void transport?.close();
    return undefined;
  }

  /** Answers a request: now, or once its session is restored. */
  function restored(
    admitted: AdmittedRequest,
    answer: (session: Session | undefined) => Promise<void> | void,
  ): Promise<void> | void {
    const { caller, response } = admitted;
    const id = idOf(admitted);
    const session = id === undefined ? undefined : find(id, caller);
    if (id === undefined || session) return answer(session);
    const key = `${id} ${caller}`;
    const work = restoring.get(key) ?? restore(id, admitted).finally(() => restoring.delete(key));
    restoring.set(key, work);
    const answered = work.then((full) => {
      if (!full) return answer(find(id, caller));
      response.reply(full === "caller" ? 429 : 503, { "retry-after": "10" });
    });
    return withStore(response, answered);
  }

  /** Answers 503 if the store does not answer. */
  async function withStore(response: HttpResponse, work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      report(error);
      response.reply(503, { "retry-after": "1" });
    }
  }

  /** Opens a session (SESS-01). */
  async function create(admitted: AdmittedRequest, body: ReadBody): Promise<void> {
    const { caller, response, auth } = admitted;
    const { id: requestId, params } = Object(body.message) as JsonObject;
    const { clientInfo: info, capabilities, protocolVersion } = Object(params) as JsonObject;
    const { revision } = (configOf(protocolVersion) ?? newest).side.revision;
    const key = crypto.randomUUID();
    const content: SessionContent = { revision, info, capabilities, caller, key, expires: Date.now() + time };
    let id = isStored ? undefined : await sealId(sealer, name, content);
    if (id === undefined) {
      const short = shortened(content, maxStored);
      if (!records || !short) {
        const what = records ? "a session" : "an id: the server needs `store` of `cluster` for it";
        const text = `What the client says about itself is too long for ${what}.`;
        return replyError(response, 400, text, requestId, jsonRpcCodes.INVALID_PARAMS);
      }
      id = storedPrefix + crypto.randomUUID();
      await records.set(await contentKey(id), short, time);
    }
    return own.open(admitted, body, shareSession(host, id, content, auth));
  }

  /**
   * Makes a session that another process has opened one of this process, by what its client said in `initialize`. Does nothing if there is no
   * such session of this caller (SESS-05, SESS-08). Resolves with the limit that the session would exceed.
   */
  async function restore(id: string, { caller, auth }: AdmittedRequest): Promise<Full | undefined> {
    const content = id.startsWith(storedPrefix)
      ? await records?.get<SessionContent>(await contentKey(id))
      : await openId(sealer, name, id);
    if (!content || content.caller !== caller || content.expires <= Date.now()) return undefined;
    const { revision, info, capabilities, key } = content;
    const config = configOf(revision);
    if (!config) return undefined;
    const found = await records?.look<SessionRecord>(recordKey(key));
    if (found?.value?.["ended"]) return undefined;
    const full = sessions.makeRoom(caller);
    if (full) return full;
    const session = shareSession(host, id, content, auth, found?.value ?? {});
    const transport = await own.make(id, caller, session);
    const params = { protocolVersion: revision, clientInfo: info, capabilities };
    const method = config.side.revision.wellKnown.initialize;
    // Nobody waits for the answer.
    transport.receiver?.message({ jsonrpc: "2.0", id: 0, method, params }, { isRepeated: true });
    // The store did not answer: the session is served meanwhile.
    if (records && !found) session.refresh().catch(report);
    return undefined;
  }

  return {
    sessions,
    header,
    // Without a store, a process could not know which streams and which ends of sessions another one has.
    methods: records ? own.methods : ["POST"],
    knows(request) {
      const id = idOf({ request }) ?? "";
      return id.startsWith(sealedPrefix) || id.startsWith(storedPrefix) || own.knows(request);
    },
    post: (admitted, body, isInitialize) =>
      restored(admitted, (session) => {
        if (isInitialize && !session) return withStore(admitted.response, create(admitted, body));
        session?.route(body.message);
        return own.post(admitted, body, isInitialize);
      }),
    get: (admitted) => restored(admitted, () => own.get(admitted)),
    async delete(admitted) {
      const end = async (session: Session | undefined): Promise<void> => {
        await session?.end();
        await own.delete(admitted);
      };
      await restored(admitted, (session) => withStore(admitted.response, end(session)));
    },
    keepAlive: () => own.keepAlive(),
    async close() {
      await own.close();
      await rules.closed();
    },
  };
}
