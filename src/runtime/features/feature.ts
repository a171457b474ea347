import { missingScopes, rpcError } from "../core/errors.js";
import type { JsonObject } from "../../common/object.js";
import type {
  AskOptions,
  Handler,
  HandlerContext,
  Identity,
  ServerSide,
} from "../core/session/config.js";
import { checkResult } from "../core/session/check.js";
import { asSent, downgrade } from "../core/session/outgoing.js";
import type { Awaitable } from "../../common/timing.js";
import type { ServerContext } from "../core/session/server-context.js";
import { normalizeUri } from "../core/session/uri.js";
import type { SideTable } from "../core/tables.js";
import type { Feature, ForContext, Provided } from "../core/ports/feature.js";

/**
 * Handlers to spread into the handlers of a server:
 * `handlers: { ...tools([…]) }`.
 */
export interface Features {
  readonly [feature: symbol]: Feature;
}

/**
 * The type of `tools(…)`: inside `handlers` of a generated server, its
 * functions get the `Context` of that server. Elsewhere, name the type:
 * `const list: ServerHandlers = tools([…])`.
 */
export type FeaturesFor<Context> = Features & ForContext<Context>;

/**
 * The context of a request to a tool, resource or prompt in a list that is
 * declared apart from a server (`FeaturesFor`). To get the types of a revision
 * for one function, annotate its parameter with the `Context` of the generated
 * code.
 */
export interface FeatureContext extends HandlerContext {
  readonly client: Identity<object, object>;
  log(level: string, data: unknown, logger?: string): void;
  notify(method: string, params?: object): void;
  request(
    method: string,
    params?: object,
    options?: AskOptions,
  ): Promise<unknown>;
}

/**
 * A list of entries, or a function that returns them for a request, if they
 * change or depend on the caller. With a function the server declares
 * `listChanged`, and its author sends the notification when the list changes.
 */
export type Source<T, Context = FeatureContext> =
  readonly T[] | SourceFunction<T, Context>;
/**
 * Returns the entries of a list for one request. Like a handler, it may declare
 * the context of one revision.
 */
export type SourceFunction<T, Context = FeatureContext> = {
  source(context: Context): Awaitable<readonly T[]>;
}["source"];

/** Options of `tools`, `resources` and `prompts`. */
export interface FeatureOptions<Context = FeatureContext> {
  /** Maximum number of entries on one page of a list; 1,000 by default. */
  readonly pageSize?: number | undefined;
  /**
   * The entries of the list as they are sent, instead of those derived from the
   * tools, prompts or resources. An entry that is only here is listed but
   * cannot be used.
   */
  readonly listed?: readonly unknown[] | undefined;
  /**
   * "callable" to leave out of lists what has scopes that the caller lacks. By
   * default everything is listed: a client that calls it may then obtain the
   * scopes.
   */
  readonly list?: "all" | "callable" | undefined;
  /**
   * Called in place of each handler, after the scopes and arguments were
   * checked, to log, time, limit or deny calls. `next` runs the handler and
   * resolves with what it returns; what this function returns takes its place,
   * and what it throws is an error of the handler.
   */
  wrap?(next: () => Promise<unknown>, call: WrappedCall<Context>): unknown;
}

/** A call of the handler of a tool, resource or prompt. */
export interface WrappedCall<Context = FeatureContext> {
  /** The name of the tool or prompt, or the URI that is read. */
  readonly name: string;
  /** The arguments, or the variables of the URI. */
  readonly args: unknown;
  readonly context: Context;
}

/**
 * Does the work of a call: the handler, or the option `wrap` in place of it.
 */
export type Work = (
  name: string,
  args: never,
  context: FeatureContext,
) => unknown;

/** The members of a list entry that tools, resources and prompts share. */
export interface ListEntry<Context = FeatureContext> {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly icons?: readonly object[] | undefined;
  /**
   * The scopes that a caller with an access token needs for it, besides those
   * of the option `protect`. They are not listed.
   */
  readonly scopes?: readonly string[] | undefined;
  /**
   * Returns false to leave it out of a list for this caller, who may still use
   * it.
   */
  // A method, so that a list for any context fits a server of one revision.
  visible?(context: Context): Awaitable<boolean>;
  readonly _meta?: object | undefined;
}

declare const described: unique symbol;

/**
 * A JSON Schema. `T` is the type that it describes, if the author declares it.
 */
export interface JsonSchema<T = Readonly<Record<string, unknown>>> {
  readonly [keyword: string]: unknown;
  readonly [described]?: T;
}

/**
 * A schema that implements Standard Schema version 1, such as those of zod,
 * valibot, ArkType and generated code.
 */
export interface StandardSchema<Output = unknown, Input = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    validate(value: unknown): Awaitable<StandardResult<Output>>;
    readonly types?:
      { readonly input: Input; readonly output: Output } | undefined;
    /** Standard JSON Schema. */
    readonly jsonSchema?: {
      input(options: { readonly target: string }): object;
      output(options: { readonly target: string }): object;
    };
  };
}

type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?:
    readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/**
 * The entries of a list by key: known at once, known later, or made for each
 * request.
 */
type Entries<P> =
  | ReadonlyMap<string, P>
  | Promise<ReadonlyMap<string, P>>
  | ((context: FeatureContext) => Promise<ReadonlyMap<string, P>>);

/** The entries for one request. */
export function entriesFor<P>(
  entries: Entries<P>,
  context: FeatureContext,
): Awaitable<ReadonlyMap<string, P>> {
  return typeof entries === "function" ? entries(context) : entries;
}

/**
 * A tool, resource or prompt, ready for requests. `listed` is the list entry as
 * it is sent; undefined if it is not listed.
 */
export interface Ready {
  readonly work: Work;
  readonly listed: JsonObject | undefined;
  readonly scopes: ListEntry["scopes"];
  /**
   * Tests whether it is listed for a caller; undefined if it is listed for all.
   */
  readonly isListedFor:
    ((context: FeatureContext) => Promise<boolean>) | undefined;
}

/** The prepared entries of a feature. */
export interface FeatureSet<P> extends Feature {
  readonly entries: Entries<P>;
  readonly options: FeatureOptions;
}

/**
 * Prepares the entries of a source: those of a list at once, those of a
 * function when it first returns them, those of a promise when it is fulfilled.
 * Throws the errors of `prepare`.
 */
export function read<T extends object, P>(
  source: Source<T> | Promise<readonly T[]>,
  prepare: (entry: T) => readonly [key: string, prepared: P],
): Entries<P> {
  if (source instanceof Promise)
    return source.then((list) => byKey(list.map(prepare)));
  if (typeof source !== "function") return byKey(source.map(prepare));
  const prepareOnce = onceForEach(prepare);
  return async (context) => byKey((await source(context)).map(prepareOnce));
}

/** The function, which runs once for each object. */
export function onceForEach<T extends object, R extends object>(
  make: (one: T) => R,
): (one: T) => R {
  const made = new WeakMap<T, R>();
  return (one) => {
    const value = made.get(one) ?? make(one);
    made.set(one, value);
    return value;
  };
}

/**
 * Prepares what tools, resources and prompts share. `member` is the name of the
 * function of an entry, and `call` calls it.
 *
 * @throws TypeError if the entry has no such function; it names a function with
 *   another name.
 */
export function readyOf(
  entry: ListEntry,
  where: string,
  member: string,
  call: Work,
  { wrap, list = "all" }: FeatureOptions,
): Omit<Ready, "listed"> {
  expectFunction(entry, member, where);
  const { scopes = [], visible } = entry;
  const work: Work = wrap
    ? (name, args, context) =>
        wrap(async () => call(name, args, context), { name, args, context })
    : call;
  const required = list === "callable" ? scopes : [];
  if (required.length === 0 && !visible)
    return { scopes, work, isListedFor: undefined };
  const isListedFor = async (context: FeatureContext): Promise<boolean> =>
    hasScopes(required, context) &&
    (!visible || (await visible(context)) === true);
  return { scopes, work, isListedFor };
}

function expectFunction(entry: object, member: string, where: string): void {
  const { [member]: value, ...others } = entry as Readonly<
    Record<string, unknown>
  >;
  if (typeof value === "function") return;
  // The schemas of some libraries are functions.
  const isFunction = (name: string): boolean =>
    typeof others[name] === "function" && !name.endsWith("Schema");
  const other = Object.keys(others).find(isFunction);
  const advice = other === undefined ? "" : ` Rename ${other} to ${member}.`;
  throw new TypeError(
    `${where}: ${member}: expected a function, got ${typeof value}.${advice}`,
  );
}

/**
 * Throws a `ScopeError`, or a `TokenError` for a caller without a token, unless
 * the caller has the scopes of an entry. A caller without authorization has
 * none over a network. Over other transports, such as stdio, the caller needs
 * none.
 */
export function checkScopes(
  { scopes = [] }: Pick<ListEntry, "scopes">,
  context: FeatureContext,
): void {
  if (!hasScopes(scopes, context)) throw missingScopes(context.auth, scopes);
}

function hasScopes(
  scopes: readonly string[],
  context: FeatureContext,
): boolean {
  const { auth, session } = context as FeatureContext & ServerContext;
  const { carrier = "pipe" } = session.connection.transport;
  if (!auth && carrier === "pipe") return true;
  const callerScopes = Array.isArray(auth?.["scopes"])
    ? (auth["scopes"] as readonly unknown[])
    : [];
  return scopes.every((scope) => callerScopes.includes(scope));
}

/** The entries of all lists of tools, of resources or of prompts. */
interface EntryGroup<P> {
  /** In their order; a map if they do not change. */
  readonly entries: Exclude<Entries<P>, Promise<unknown>>;
  /**
   * The entries of the last request; before the first one, those that are known
   * at once.
   */
  last(): ReadonlyMap<string, P>;
  /**
   * Creates the handler of a list request. `show` returns an entry as it is
   * sent; undefined if it belongs to another list.
   */
  list(
    method: string,
    show: (listed: JsonObject) => JsonObject | undefined,
  ): Handler;
  /**
   * What the group adds to the configuration of a server: `listChanged` if the
   * entries can change, and what has scopes.
   */
  readonly provided: Pick<Provided, "capabilities" | "scoped">;
}

/**
 * Groups the features with this `provide` function. `method` is that of their
 * list request, `what` the word for one entry.
 */
export function groupEntries<P extends Ready>(
  what: string,
  features: readonly Feature[],
  provide: Feature["provide"],
  side: SideTable,
  method: string,
): EntryGroup<P> {
  const sets = features.filter(
    (feature): feature is FeatureSet<P> => feature.provide === provide,
  );
  const join = (
    all: readonly ReadonlyMap<string, P>[],
  ): ReadonlyMap<string, P> => byKey(all.flatMap((entries) => [...entries]));
  const known = sets.flatMap(({ entries }) =>
    entries instanceof Map ? entries : [],
  );
  let last = join(known);
  const entries: EntryGroup<P>["entries"] =
    known.length === sets.length
      ? last
      : async (context) =>
          (last = join(
            await Promise.all(
              sets.map((set) => entriesFor(set.entries, context)),
            ),
          ));
  const scoped = [...last].find(([, { scopes }]) => scopes?.length);
  const mayChange = sets.some((set) => typeof set.entries === "function");
  const [name = ""] = Object.keys(side.incomingRequests[method]?.needs ?? {});
  const isAnnounced = Object.values(side.outgoingNotifications).some(
    ({ needs }) => "listChanged" in (Object(needs?.[name]) as object),
  );
  return {
    entries,
    last: () => last,
    list(listing, show) {
      const rowsOf = onceForEach((all: ReadonlyMap<string, P>) => {
        const rows = new Map<string, JsonObject>();
        for (const [key, listed] of listedIn(sets, all)) {
          const entry = listed && show(listed);
          if (entry) rows.set(key, entry);
        }
        return rows;
      });
      for (const [key, entry] of rowsOf(last))
        checkEntry(side, listing, entry, `${what} ${key}`);
      return async (params: unknown, context: FeatureContext) => {
        const all = await entriesFor(entries, context);
        const isShown = (key: string): Promise<boolean> | undefined =>
          (all.get(key) ?? all.get(normalizeUri(key)))?.isListedFor?.(context);
        const [set] = sets;
        return pageOf(
          side,
          listing,
          rowsOf(all),
          params,
          set?.options,
          isShown,
        );
      };
    },
    provided: {
      capabilities:
        mayChange && isAnnounced ? { [name]: { listChanged: true } } : {},
      scoped: scoped && `the ${what} ${JSON.stringify(scoped[0])}`,
    },
  };
}

/** What is listed of these entries, and what the options of sets list. */
function* listedIn<P extends Ready>(
  sets: readonly FeatureSet<P>[],
  all: ReadonlyMap<string, P>,
): Generator<[key: string, listed: JsonObject | undefined]> {
  for (const [key, { listed }] of all) yield [key, listed];
  for (const { options } of sets)
    for (const row of listedBy(options)) yield row;
}

/**
 * Throws a `TypeError` for an entry that a list of the revision cannot have:
 * each request for the list would fail.
 */
function checkEntry(
  side: SideTable,
  method: string,
  entry: JsonObject,
  name: string,
): void {
  const row = side.incomingRequests[method];
  if (!row) return;
  const { items = "", engineDefaults } = row;
  const { downgrades } = side as ServerSide;
  const sent = downgrade(
    { ...engineDefaults, [items]: [asSent(entry)] },
    downgrades.results[method],
    downgrades,
    () => {},
  );
  try {
    checkResult(side, row, sent);
  } catch (cause) {
    throw new TypeError(
      `The ${name} does not fit revision ${side.revision.revision}: ${(cause as Error).message}`,
      { cause },
    );
  }
}

/** The entries of the option `listed`, by URI template, URI or name. */
export function listedBy({
  listed = [],
}: FeatureOptions): ReadonlyMap<string, JsonObject> {
  const entries = listed as readonly JsonObject[];
  return new Map(
    entries.map((entry) => [
      String(entry["uriTemplate"] ?? entry["uri"] ?? entry["name"]),
      entry,
    ]),
  );
}

function byKey<P>(
  entries: readonly (readonly [string, P])[],
): ReadonlyMap<string, P> {
  const map = new Map(entries);
  if (map.size === entries.length) return map;
  const duplicate = entries.find(
    ([key], i) => entries.findIndex(([other]) => other === key) < i,
  );
  throw new TypeError(
    `${JSON.stringify(duplicate?.[0])} is declared twice; names and URIs must be unique.`,
  );
}

/**
 * One page of a list, in its order (TOOL-14), of the entries that are shown:
 * all but those of which `isShown` resolves with false. A cursor contains how
 * many were shown up to it, the last key of the page, the key after it, and the
 * name of the list. The next page starts after the last key, or at the next key
 * if the last one was removed (PAGE-07). If both were removed, it starts one
 * before that number of entries: some may then be repeated, and if more earlier
 * entries were removed, some may be missing.
 *
 * @throws McpError for a cursor that is not of this form (PAGE-04).
 */
export async function pageOf(
  { incomingRequests }: SideTable,
  method: string,
  entries: ReadonlyMap<string, unknown>,
  params: unknown,
  { pageSize = 1000 }: Pick<FeatureOptions, "pageSize"> = {},
  isShown: (key: string) => Promise<boolean> | undefined = () => undefined,
): Promise<JsonObject> {
  const cursor = (params as JsonObject | undefined)?.["cursor"];
  const keys = [...entries.keys()];
  const items = incomingRequests[method]?.items ?? "";
  // With the number of the form of its cursors.
  const list = `${items}/1`;
  const start = cursor === undefined ? 0 : startOf(keys, list, String(cursor));
  // Not the place of an entry, which tells of entries that are not shown.
  const [before = 0] = itemsIn(String(cursor));
  const page: string[] = [];
  let nextCursor: string | undefined;
  for (const key of keys.slice(start)) {
    const answer = isShown(key);
    if (answer && !(await answer)) continue;
    if (page.length >= pageSize) {
      const shown = Number(before) + pageSize;
      nextCursor = JSON.stringify([shown, page.at(-1), key, list]);
      break;
    }
    page.push(key);
  }
  return { [items]: page.map((key) => entries.get(key)), nextCursor };
}

function startOf(
  keys: readonly string[],
  list: string,
  cursor: string,
): number {
  const [shown, lastKey, nextKey, name] = itemsIn(cursor);
  const isOwn = name === list && Number.isSafeInteger(shown);
  if (!isOwn || typeof lastKey !== "string" || typeof nextKey !== "string")
    throw rpcError(
      "INVALID_PARAMS",
      "params.cursor: expected a cursor of this list.",
    );
  const last = keys.indexOf(lastKey);
  if (last >= 0) return last + 1;
  const next = keys.indexOf(nextKey);
  return next >= 0 ? next : Math.max(0, Number(shown) - 1);
}

/** The items of a list in JSON; none for any other text. */
function itemsIn(text: string): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}
