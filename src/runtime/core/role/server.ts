import { getOwn, type JsonObject } from "../../../common/object.js";
import type { Provided } from "../ports/feature.js";
import { Quota, RateLimit } from "../quota.js";
import { checkRemoved } from "../jsonrpc/limits.js";
import { newTexts, warn } from "../report.js";
import { members } from "../session/check.js";
import { maySend } from "../session/server-context.js";
import type {
  ServerSessionConfig,
  ServerSettings,
  ServerSide,
} from "../session/config.js";
import {
  checkHandlers,
  makeConfig,
  type SideOptions,
  withQuestions,
} from "./config.js";

/**
 * The length of all subscribed values of all sessions, in bytes, of which one
 * caller has a tenth: they stay as long as their sessions.
 */
const maxSubscribed = 16_777_216;

/**
 * A server of one revision, for `serve` and the functions of each transport.
 */
export interface ServerDefinition {
  readonly revision: string;
  /** Functions that send notifications. */
  readonly notify: object;
  /** Internal: for the transports of this package. */
  readonly core: ServerSessionConfig;
}

/** Methods of notifications by the names of the functions that send them. */
export type Announcements = Readonly<Record<string, string>>;

/**
 * Creates a server of one revision, of the type that its generated code
 * declares. Throws as `defineServers` does.
 */
export function defineServer<S extends ServerDefinition>(
  side: ServerSide,
  options: SideOptions & ServerSettings,
  announcements: Announcements,
): S {
  const [server] = defineServers([side], options, announcements);
  return server as unknown as S;
}

/**
 * Creates one server per revision with the same handlers.
 *
 * @throws TypeError for a handler whose method no revision has, and for a row
 *   that a list of a revision cannot have.
 */
export function defineServers<S extends readonly ServerDefinition[]>(
  tables: readonly ServerSide[],
  options: SideOptions & ServerSettings,
  announcements: Announcements,
): S {
  const sides = tables.map((side) => withQuestions(side, options.questions));
  checkHandlers(sides, options.handlers);
  checkRemoved(options.limits);
  const shared = {
    rates: ratesOf(sides, options),
    subscribed: new Quota(maxSubscribed, 10),
  };
  const cores = sides.map((side) => makeCore(side, options, shared));
  const notify = announcers(cores, announcements);
  const servers = cores.map((core) => ({
    revision: core.side.revision.revision,
    notify,
    core,
  }));
  return Object.assign(servers, { notify }) as unknown as S;
}

function makeCore(
  side: ServerSide,
  options: SideOptions & ServerSettings,
  shared: Pick<ServerSessionConfig, "rates" | "subscribed">,
): ServerSessionConfig {
  const isNew = newTexts();
  // Each warning once per server, because every call would repeat it.
  const warnOnce = (text: string): void => {
    if (isNew(text)) warn(options, text);
  };
  const [config, additions] = makeConfig<ServerSide, ServerSettings>(
    side,
    options,
  );
  const added = <Name extends keyof Provided>(
    name: Name,
  ): Provided[Name] | undefined =>
    additions.find((feature) => feature[name])?.[name];
  const { serverInfo } = side.revision.meta;
  const core: ServerSessionConfig = {
    ...config,
    signature:
      serverInfo === undefined ? undefined : { [serverInfo]: config.info },
    paramHeaders: added("paramHeaders"),
    scopes: added("scopes"),
    scoped: added("scoped"),
    mayListen: added("mayListen"),
    warnOnce,
    sessions: new Set(),
    elicitations: new Map(),
    ...shared,
  };
  return options.cluster?.join(core, announce) ?? core;
}

/**
 * The rate limits by method. All revisions share them, so that a caller cannot
 * exceed them by using several.
 */
function ratesOf(
  sides: readonly ServerSide[],
  { limits = {} }: ServerSettings,
): Map<string, RateLimit> {
  const rates = new Map<string, RateLimit>();
  const { toolCallsPerSecond: max } = limits;
  if (max === undefined) return rates;
  const [calls, completions] = [new RateLimit(max), new RateLimit(max)];
  for (const { revision } of sides) {
    const { callTool, complete } = revision.wellKnown;
    if (callTool !== undefined) rates.set(callTool, calls);
    if (complete !== undefined) rates.set(complete, completions);
  }
  return rates;
}

function announcers(
  cores: readonly ServerSessionConfig[],
  announcements: Announcements,
): object {
  return Object.fromEntries(
    Object.entries(announcements).map(([name, method]) => [
      name,
      (params?: JsonObject | string): void =>
        cores.forEach((core) => announce(core, method, params)),
    ]),
  );
}

/**
 * Sends a notification to the sessions of a server that may receive it. `input`
 * may be only the subject.
 */
function announce(
  core: ServerSessionConfig,
  method: string,
  input?: JsonObject | string,
): void {
  const facts = getOwn(core.side.outgoingNotifications, method);
  if (!facts) return;
  const isSubject = typeof input === "string" && facts.subject !== undefined;
  const params = isSubject
    ? members([facts.subject, input])
    : (input as JsonObject | undefined);
  if (!maySend(core, facts, params)) return;
  for (const session of core.sessions)
    session.coalesce(
      `all ${method}`,
      params,
      () => session.announce(facts, params),
      setTimeout,
    );
  core.publish?.(method, params);
}
