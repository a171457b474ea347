import { toBase64Url } from "../../shared/base64.js";
import { jsonRpcCodes } from "../errors.js";
import type { JsonObject } from "../../shared/object.js";
import type { HttpSessions, OwnSessions } from "../role/http-server/cluster.js";
import type { ReadBody } from "../role/http-server/body.js";
import type { AdmittedRequest, HttpRequest } from "../role/http-server/exchange.js";
import type { Full } from "../role/http-server/load.js";
import type { Sessions } from "../role/http-server/sessions.js";
import type { ServerSessionConfig } from "../session/config.js";
import { report } from "../report.js";
import type { Sealer } from "./keys.js";
import { keyOf } from "./records.js";
import { recordKey, Session, type SessionHost, type SessionRecord } from "./session.js";
import { openId, sealedPrefix, sealId, type SessionContent, shorter } from "./session-ids.js";

/** How the sessions of an endpoint are made. */
export interface SessionRules {
  readonly host: SessionHost;
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
/** The id gives access, so neither its key in the store nor the key of the session shows it. */
const contentKey = (name: string): Promise<string> => keyOf("opened", name);
/** Maximum length of such a content, in characters. */
const maxStored = 65_536;
const newName = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(16)));

/** What the store has of a session whose id does not say it. */
interface StoredContent extends SessionContent {
  readonly name: string;
}

/** The sessions of an endpoint that all processes share. This process restores one when its client first sends a request here. */
export class SharedSessions implements HttpSessions {
  readonly methods: readonly string[];
  readonly sessions: Sessions;
  readonly header: string;
  readonly #own: OwnSessions;
  readonly #rules: SessionRules;
  /** The name of the server, for which an id is valid. */
  readonly #name: string;
  /** The ids that are being restored, each for one caller. */
  readonly #restoring = new Map<string, Promise<Full | undefined>>();

  constructor(own: OwnSessions, rules: SessionRules) {
    this.#own = own;
    this.#rules = rules;
    this.#name = String(rules.configs[0]?.info["name"]);
    this.sessions = own.sessions;
    this.header = own.header;
    // Without a store, a process could not know which streams and which ends of sessions another one has.
    this.methods = rules.host.records ? own.methods : ["POST"];
  }

  knows(request: HttpRequest): boolean {
    const id = this.#idOf(request) ?? "";
    return id.startsWith(sealedPrefix) || id.startsWith(storedPrefix) || this.#own.knows(request);
  }

  post(admitted: AdmittedRequest, body: ReadBody, isInitialize: boolean): Promise<void> | void {
    return this.#restored(admitted, (session) => {
      if (isInitialize && !session) return this.#create(admitted, body);
      session?.route(body.message);
      return this.#own.post(admitted, body, isInitialize);
    });
  }

  get(admitted: AdmittedRequest): Promise<void> | void {
    return this.#restored(admitted, () => this.#own.get(admitted));
  }

  async delete(admitted: AdmittedRequest): Promise<void> {
    await this.#restored(admitted, async (session) => {
      if (session && !(await session.end())) return admitted.response.reply(503, { "retry-after": "1" });
      return this.#own.delete(admitted);
    });
  }

  keepAlive(): void {
    this.#own.keepAlive();
  }

  async close(): Promise<void> {
    await this.#own.close();
    await this.#rules.closed();
  }

  #idOf(request: HttpRequest): string | undefined {
    return request.header(this.header.toLowerCase());
  }

  /** The session of an id that is open here, if it is of this caller. */
  #find(id: string, caller: string | undefined): Session | undefined {
    const session = this.sessions.use(id, caller)?.transport;
    const shared = session?.shared as Session | undefined;
    if (!shared || shared.isCurrent) return shared;
    // Its time is over.
    this.sessions.delete(id);
    void session?.close();
    return undefined;
  }

  /** Answers a request: now, or once its session is restored. */
  #restored(
    { request, response, caller, auth }: AdmittedRequest,
    answer: (session: Session | undefined) => Promise<void> | void,
  ): Promise<void> | void {
    const id = this.#idOf(request);
    const session = id === undefined ? undefined : this.#find(id, caller);
    if (id === undefined || session) return answer(session);
    const key = `${id} ${caller}`;
    let restoring = this.#restoring.get(key);
    if (!restoring) {
      restoring = this.#restore(id, caller, auth).finally(() => this.#restoring.delete(key));
      this.#restoring.set(key, restoring);
    }
    return restoring.then((full) => {
      if (!full) return answer(this.#find(id, caller));
      response.reply(full === "caller" ? 429 : 503, { "retry-after": "10" });
    });
  }

  /** Opens a session (SESS-01). */
  async #create(admitted: AdmittedRequest, body: ReadBody): Promise<void> {
    const { host, sealer, time, configs, isStored } = this.#rules;
    const { id: requestId, params } = Object(body.message) as JsonObject;
    const { clientInfo: info, capabilities, protocolVersion } = Object(params) as JsonObject;
    const { revision } = (this.#configOf(protocolVersion) ?? (configs[0] as ServerSessionConfig)).side
      .revision;
    const { caller, response, auth } = admitted;
    const expires = Date.now() + time;
    const content: SessionContent = { revision, info, capabilities, caller, key: newName(), expires };
    let id = isStored ? undefined : await sealId(sealer, this.#name, content);
    const short = shorter(content).find((one) => JSON.stringify(one).length <= maxStored);
    if (id === undefined && !(host.records && short)) {
      const message = `What the client says about itself is too long for ${host.records ? "a session" : "the id of a session. The server needs the option `store` of `cluster` for it"}.`;
      const error = { code: jsonRpcCodes.INVALID_PARAMS, message };
      const text = JSON.stringify({ jsonrpc: "2.0", id: requestId, error });
      return response.reply(400, { "content-type": "application/json" }, text);
    }
    if (id === undefined) {
      const name = newName();
      id = storedPrefix + name;
      try {
        await host.records?.set(await contentKey(name), { ...short, name: this.#name }, time);
      } catch (error) {
        this.#report(error);
        return response.reply(503, { "retry-after": "1" });
      }
    }
    return this.#own.open(admitted, body, new Session(host, id, content, auth));
  }

  /**
   * Makes a session that another process has opened one of this process, by what its client said in `initialize`. Does nothing if there is no
   * such session of this caller (SESS-05, SESS-08). Resolves with the limit that the session would exceed.
   */
  async #restore(
    id: string,
    caller: string | undefined,
    auth: AdmittedRequest["auth"],
  ): Promise<Full | undefined> {
    const { host } = this.#rules;
    let content: SessionContent | undefined;
    try {
      content = await this.#read(id);
    } catch (error) {
      this.#report(error);
      return "all";
    }
    if (!content || content.caller !== caller || content.expires <= Date.now()) return undefined;
    const { revision, info, capabilities, key } = content;
    const config = this.#configOf(revision);
    if (!config) return undefined;
    const found = await host.records?.look<SessionRecord>(recordKey(key));
    if (found?.value?.ended) return undefined;
    const full = this.sessions.makeRoom(caller);
    if (full) return full;
    const session = new Session(host, id, content, auth, found?.value ?? {});
    const transport = await this.#own.make(id, caller, session);
    const params = { protocolVersion: revision, clientInfo: info, capabilities };
    const method = config.side.revision.wellKnown.initialize;
    // Nobody waits for the answer.
    transport.receiver?.message({ jsonrpc: "2.0", id: 0, method, params }, { isRepeated: true });
    // The store did not answer: the session is served meanwhile.
    if (host.records && !found) session.refresh().catch((error: unknown) => this.#report(error));
    return undefined;
  }

  async #read(id: string): Promise<SessionContent | undefined> {
    if (!id.startsWith(storedPrefix)) return openId(this.#rules.sealer, this.#name, id);
    const name = id.slice(storedPrefix.length);
    if (!/^[\w-]{22}$/.test(name)) return undefined;
    const stored = await this.#rules.host.records?.get<StoredContent>(await contentKey(name));
    return stored?.name === this.#name ? stored : undefined;
  }

  #report(error: unknown): void {
    report(this.#rules.configs[0]?.settings ?? {}, error, "cluster");
  }

  #configOf(revision: unknown): ServerSessionConfig | undefined {
    return this.#rules.configs.find(({ side }) => side.revision.revision === revision);
  }
}
