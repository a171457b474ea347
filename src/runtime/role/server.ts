import { isObject, type JsonObject } from "../jsonrpc/message.js";
import { RateLimit } from "../jsonrpc/rate.js";
import { mayTell, members, own } from "../session/check.js";
import type { ServerHost, ServerLink, ServerSettings, ServerSide } from "../session/host.js";
import { checkHandlers, makeHost, type SideOptions } from "./host.js";

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
  readonly host: ServerHost;
  /** The sessions that are open at the moment. */
  readonly links: Set<ServerLink>;
}

/** Members of a result that a revision does not have, as a tree; arrays are walked through. */
export interface Omits {
  readonly [member: string]: true | Omits;
}

/** Wire methods by the names of the functions that send them. */
export type Announcements = Readonly<Record<string, string>>;

/** Makes a server of one revision, of the type that its generated code declares. */
export function defineServer<S extends ServerDefinition>(
  side: ServerSide,
  options: SideOptions & ServerSettings,
  announcements: Announcements,
): S {
  const [server] = defineServers([{ side, omits: {} }], options, announcements);
  return server as unknown as S;
}

/** Makes one server per revision over one set of handlers; `omits` says what a revision lacks, by method. */
export function defineServers<S extends readonly ServerDefinition[]>(
  revisions: readonly { readonly side: ServerSide; readonly omits: Readonly<Record<string, Omits>> }[],
  options: SideOptions & ServerSettings,
  announcements: Announcements,
): S {
  checkHandlers(
    revisions.map(({ side }) => side),
    options.handlers,
  );
  const rates = ratesOf(
    revisions.map(({ side }) => side),
    options,
  );
  const cores = revisions.map(({ side, omits }) => makeCore(side, options, omits, rates));
  const notify = announcers(cores, announcements);
  const servers = cores.map((core) => ({ revision: core.side.revision.revision, notify, core }));
  return Object.assign(servers, { notify }) as unknown as S;
}

function makeCore(
  side: ServerSide,
  options: SideOptions & ServerSettings,
  omits: Readonly<Record<string, Omits>>,
  rates: ReadonlyMap<string, RateLimit>,
): ServerCore {
  const trim =
    Object.keys(omits).length > 0
      ? (method: string, result: unknown) => without(result, own(omits, method))
      : undefined;
  const links = new Set<ServerLink>();
  const [host, provided] = makeHost<ServerSide, ServerSettings>(side, options);
  const mirrors = provided.find((one) => one.mirrors)?.mirrors;
  const mayHear: ServerHost["mayHear"] = (...asked) =>
    provided.every((one) => one.mayHear?.(...asked) ?? true);
  return { side, host: { ...host, mirrors, mayHear, trim, rates, links }, links };
}

/** What bounds some requests, by their methods in each revision: a caller cannot get more by speaking several. */
function ratesOf(sides: readonly ServerSide[], { limits = {} }: ServerSettings): Map<string, RateLimit> {
  const { toolCallsPerSecond: calls, completionsPerSecond: completions } = limits;
  const [callRate, completionRate] = [calls, completions].map(
    (most) => most !== undefined && new RateLimit(most),
  );
  const rates = new Map<string, RateLimit>();
  for (const { revision } of sides) {
    const { callTool, complete } = revision.jobs;
    if (callTool !== undefined && callRate) rates.set(callTool, callRate);
    if (complete !== undefined && completionRate) rates.set(complete, completionRate);
  }
  return rates;
}

/** A copy of the value without the members; the value itself when it has none of them. */
export function without(value: unknown, omits: Omits | undefined): unknown {
  if (!omits) return value;
  if (Array.isArray(value)) return value.map((one) => without(one, omits));
  if (!isObject(value)) return value;
  let copy: Record<string, unknown> | undefined;
  for (const [member, inner] of Object.entries(omits)) {
    if (!Object.hasOwn(value, member)) continue;
    copy ??= { ...value };
    if (inner === true) delete copy[member];
    else copy[member] = without(value[member], inner);
  }
  return copy ?? value;
}

function announcers(cores: readonly ServerCore[], announcements: Announcements): object {
  return Object.fromEntries(
    Object.entries(announcements).map(([name, method]) => [
      name,
      (params?: JsonObject | string): void => cores.forEach((core) => announce(core, method, params)),
    ]),
  );
}

function announce({ side, host, links }: ServerCore, method: string, given?: JsonObject | string): void {
  const facts = own(side.announces, method)?.facts;
  if (!facts) return;
  const params = typeof given === "string" ? members([facts.subject, given]) : given;
  if (!mayTell(host, facts)) return;
  for (const link of links) link.announce(facts, params);
}
