import { getOwn, type JsonObject } from "../message.js";
import { Quota, RateLimit } from "../quota.js";
import { newTexts, warn } from "../report.js";
import { adviceOn } from "../session/advice.js";
import { maySend, members } from "../session/check.js";
import { fit } from "../session/fit.js";
import { asSent } from "../session/plain.js";
import type {
  ServerEngineSession,
  ServerSessionConfig,
  ServerSettings,
  ServerSide,
} from "../session/config.js";
import { checkHandlers, makeConfig, type SideOptions } from "./config.js";

/** A server of one revision: what transports serve. */
export interface ServerDefinition {
  readonly revision: string;
  /** Announcements, one function each. */
  readonly notify: object;
  /** For the transports of this package. */
  readonly core: ServerCore;
}

/** A server as the transports see it. */
export interface ServerCore {
  readonly side: ServerSide;
  readonly config: ServerSessionConfig;
  /** The sessions that are open at the moment. */
  readonly sessions: Set<ServerEngineSession>;
}

/** Wire methods by the names of the functions that send them. */
export type Announcements = Readonly<Record<string, string>>;

/** Makes a server of one revision, of the type that its generated code declares. */
export function defineServer<S extends ServerDefinition>(
  side: ServerSide,
  options: SideOptions & ServerSettings,
  announcements: Announcements,
): S {
  const [server] = defineServers([side], options, announcements);
  return server as unknown as S;
}

/** Makes one server per revision over one set of handlers. */
export function defineServers<S extends readonly ServerDefinition[]>(
  sides: readonly ServerSide[],
  options: SideOptions & ServerSettings,
  announcements: Announcements,
): S {
  checkHandlers(sides, options.handlers);
  const { subscriptionBytes = 16_777_216 } = options.limits ?? {};
  const shared = {
    rates: ratesOf(sides, options),
    subscribed: new Quota(subscriptionBytes, subscriptionBytes / 10),
  };
  const cores = sides.map((side) => makeCore(side, options, shared));
  const notify = announcers(cores, announcements);
  const servers = cores.map((core) => ({ revision: core.side.revision.revision, notify, core }));
  return Object.assign(servers, { notify }) as unknown as S;
}

function makeCore(
  side: ServerSide,
  options: SideOptions & ServerSettings,
  shared: Pick<ServerSessionConfig, "rates" | "subscribed">,
): ServerCore {
  const { revision } = side.revision;
  const isNew = newTexts();
  // Only once for each server, since every call would repeat it; at most a thousand, since peers choose some of the words.
  const warnOnce = (text: string): void => {
    if (isNew(text)) warn(options, text);
  };
  const fitIn: ServerSessionConfig["fit"] = (part, method, given) => {
    const value = asSent(given);
    const advice = adviceOn(method, value, side, config.capabilities);
    if (advice) warnOnce(`${method}: ${advice}.`);
    return fit(value, getOwn(side.fitting[part], method), side.fitting.tag, (change) =>
      warnOnce(`${method}: ${change}, since revision ${revision} does not have it.`),
    );
  };
  const sessions = new Set<ServerEngineSession>();
  const [config, provided] = makeConfig<ServerSide, ServerSettings>(side, options);
  const mirrors = provided.find((one) => one.mirrors)?.mirrors;
  const mayListen: ServerSessionConfig["mayListen"] = (...asked) =>
    provided.every((one) => one.mayListen?.(...asked) ?? true);
  return {
    side,
    config: { ...config, mirrors, mayListen, fit: fitIn, sessions, elicitations: new Map(), ...shared },
    sessions,
  };
}

/** What bounds some requests, by their methods in each revision: a caller cannot get more by speaking several. */
function ratesOf(sides: readonly ServerSide[], { limits = {} }: ServerSettings): Map<string, RateLimit> {
  const { toolCallsPerSecond: calls, completionsPerSecond: completions } = limits;
  const [callRate, completionRate] = [calls, completions].map(
    (most) => most !== undefined && new RateLimit(most),
  );
  const rates = new Map<string, RateLimit>();
  for (const { revision } of sides) {
    const { callTool, complete } = revision.wellKnown;
    if (callTool !== undefined && callRate) rates.set(callTool, callRate);
    if (complete !== undefined && completionRate) rates.set(complete, completionRate);
  }
  return rates;
}

function announcers(cores: readonly ServerCore[], announcements: Announcements): object {
  return Object.fromEntries(
    Object.entries(announcements).map(([name, method]) => [
      name,
      (params?: JsonObject | string): void => cores.forEach((core) => announce(core, method, params)),
    ]),
  );
}

function announce({ side, config, sessions }: ServerCore, method: string, given?: JsonObject | string): void {
  const facts = getOwn(side.outgoingNotifications, method)?.facts;
  if (!facts) return;
  const isSubject = typeof given === "string" && facts.subject !== undefined;
  const params = isSubject ? members([facts.subject, given]) : (given as JsonObject | undefined);
  if (!maySend(config, facts, params)) return;
  for (const session of sessions) session.announce(facts, params);
}
