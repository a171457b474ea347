import { rpcError } from "../../errors.js";
import type { JsonObject } from "../../message.js";
import type { AskOptions, Handler, HandlerContext, Identity, Settings } from "../../session/config.js";
import type { Awaitable } from "../../timing.js";
import type { SideTable } from "../../tables.js";
import type { Feature } from "../config.js";

/** Goes into a server's handlers with three dots before it: `handlers: { ...tools([…]) }`. */
export interface Features {
  readonly [feature: symbol]: Feature;
}

/**
 * What a tool, resource or prompt knows of the request it answers. Whoever annotates the parameter with the `Context` of
 * generated code gets that revision's types.
 */
export interface FeatureContext extends HandlerContext {
  readonly client: Identity<object, object>;
  log(level: string, data: unknown, logger?: string): void;
  notify(method: string, params?: object): void;
  request(method: string, params?: object, options?: AskOptions): Promise<unknown>;
}

/**
 * What there is: a list, or, for a set that changes or depends on who asks, a function that tells it for a request. With a
 * function the server declares `listChanged`; announcing a change is up to its author.
 */
export type Source<T> = readonly T[] | SourceFunction<T>;
export type SourceFunction<T> = (context: FeatureContext) => Awaitable<readonly T[]>;

export interface FeatureOptions {
  /** Most entries on one page of a list; 1,000 by default. */
  readonly pageSize?: number | undefined;
  /**
   * What the list answers, entry by entry, in place of what a list of tools, prompts or resources says of itself. What is only
   * here is listed and cannot be used.
   */
  readonly listed?: readonly unknown[] | undefined;
}

/** What a list tells of whatever stands in it. */
export interface Listed {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly icons?: readonly object[] | undefined;
  readonly _meta?: object | undefined;
}

declare const described: unique symbol;

/** A JSON Schema; `T`, when its author states it, is the type that it describes. */
export interface JsonSchema<T = Readonly<Record<string, unknown>>> {
  readonly [keyword: string]: unknown;
  readonly [described]?: T;
}

/** Anything that keeps to Standard Schema, version 1, as zod, valibot, ArkType and generated schemas do. */
export interface StandardSchema<Output = unknown, Input = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    validate(value: unknown): Awaitable<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** Standard JSON Schema. */
    readonly jsonSchema?: {
      input(options: { readonly target: string }): object;
      output(options: { readonly target: string }): object;
    };
  };
}

export type StandardResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Everything of one kind by its name, for one request. */
export type Lookup<P> = (context: FeatureContext) => Awaitable<ReadonlyMap<string, P>>;

/** What a list knows of an entry: as it stands in the list, undefined for one that does not. */
export interface Listable {
  readonly listed: JsonObject | undefined;
}

/** What a feature was given, made ready. */
export interface FeatureSet<P> extends Feature {
  readonly look: Lookup<P>;
  /** All there is, where that does not change. */
  readonly fixed: ReadonlyMap<string, P> | undefined;
  readonly options: FeatureOptions;
}

/** A tool, for whoever runs calls as tasks. */
export interface Taskable extends Listable {
  /** TASK-03: `forbidden`, `optional` or `required`. */
  readonly taskSupport: unknown;
  /** Does what it has left for later, and makes a whole result of it as of any other. */
  finish(work: () => unknown, context: FeatureContext, side: SideTable, settings: Settings): Promise<unknown>;
}

/** Tools that may, or must, run as tasks. */
export interface ToolSet<P extends Taskable = Taskable> extends FeatureSet<P> {
  readonly mayBeTasks: true;
}

/**
 * Reads a source. What is fixed is prepared, and its faults are thrown, at once; what a function tells is prepared when it
 * first comes up.
 */
export function read<T extends object, P>(
  source: Source<T>,
  prepare: (entry: T) => readonly [key: string, prepared: P],
): Pick<FeatureSet<P>, "look" | "fixed"> {
  if (typeof source !== "function") {
    const fixed = byKey(source.map(prepare));
    return { fixed, look: () => fixed };
  }
  const known = new WeakMap<T, readonly [string, P]>();
  const ready = (entry: T): readonly [string, P] => {
    const prepared = known.get(entry) ?? prepare(entry);
    known.set(entry, prepared);
    return prepared;
  };
  return { fixed: undefined, look: async (context) => byKey((await source(context)).map(ready)) };
}

/** All features of one kind, as one. */
export interface Kind<P> {
  /** All that they have, in their order. */
  readonly look: Lookup<P>;
  /** What there was when somebody last looked; at first, what is fixed. */
  last(): ReadonlyMap<string, P>;
  /** Answers a request for a list; `show` returns an entry as it is sent, undefined for one of another list. */
  list(method: string, show: (listed: JsonObject) => JsonObject | undefined): Handler;
  /** The capability `listChanged` of a kind whose set can change, under the name that the kind's own capability has. */
  readonly capabilities: JsonObject;
}

/** Puts the features that have this very function together, for a side whose requests for a list have this method. */
export function kindOf<P extends Listable>(
  features: readonly Feature[],
  provide: Feature["provide"],
  side: SideTable,
  method: string,
): Kind<P> {
  const sets = features.filter((feature): feature is FeatureSet<P> => feature.provide === provide);
  const isFixed = sets.every(({ fixed }) => fixed);
  const join = (all: readonly ReadonlyMap<string, P>[]): ReadonlyMap<string, P> =>
    byKey(all.flatMap((entries) => [...entries]));
  let last = join(sets.flatMap(({ fixed }) => fixed ?? []));
  const lookAgain = async (context: FeatureContext): Promise<typeof last> =>
    (last = join(await Promise.all(sets.map((set) => set.look(context)))));
  const look: Lookup<P> = (context) => (isFixed ? last : lookAgain(context));
  return {
    look,
    last: () => last,
    list: (listing, show) => async (params: unknown, context: FeatureContext) => {
      const own = [...(await look(context))].map(([key, { listed }]) => [key, listed] as const);
      const entries = [...own, ...sets.flatMap(({ options }) => [...listedBy(options)])];
      const shown = entries.map(([key, listed]) => [key, listed && show(listed)] as const);
      return pageOf(side, listing, new Map(shown.filter(([, entry]) => entry)), params, sets[0]?.options);
    },
    capabilities: isFixed ? {} : changing(side, method),
  };
}

/** The entries of the option `listed`, by what names them. */
export function listedBy({ listed = [] }: FeatureOptions): ReadonlyMap<string, JsonObject> {
  const entries = listed as readonly JsonObject[];
  return new Map(
    entries.map((entry) => [String(entry["uriTemplate"] ?? entry["uri"] ?? entry["name"]), entry]),
  );
}

function byKey<P>(entries: readonly (readonly [string, P])[]): ReadonlyMap<string, P> {
  const map = new Map(entries);
  if (map.size === entries.length) return map;
  const twice = entries.find(([key], i) => entries.findIndex(([other]) => other === key) < i);
  throw new TypeError(`${JSON.stringify(twice?.[0])} is there twice; a server has each once.`);
}

function changing({ outgoingNotifications, incomingRequests }: SideTable, method: string): JsonObject {
  const [name = ""] = Object.keys(incomingRequests[method]?.facts.needs ?? {});
  const isAnnounced = Object.values(outgoingNotifications).some(({ facts }) => {
    const needs = facts.needs?.[name];
    return typeof needs === "object" && "listChanged" in needs;
  });
  return isAnnounced ? { [name]: { listChanged: true } } : {};
}

/**
 * One page of a list, in its order (TOOL-14). A cursor holds the key before the cut, the key behind it and the place of the
 * cut. The next page goes on behind the first of these keys that is still in the list (PAGE-07). When both are gone it begins
 * one place before the cut: then an entry may come twice, and where more of the earlier entries are gone, some may be left out.
 *
 * @throws McpError for a cursor that is not of this form (PAGE-04).
 */
export function pageOf(
  { incomingRequests }: SideTable,
  method: string,
  entries: ReadonlyMap<string, unknown>,
  params: unknown,
  { pageSize = 1000 }: FeatureOptions = {},
): JsonObject {
  const cursor = (params as JsonObject | undefined)?.["cursor"];
  const keys = [...entries.keys()];
  const start = cursor === undefined ? 0 : startOf(keys, String(cursor));
  const end = start + pageSize;
  const items = incomingRequests[method]?.facts.items ?? "";
  const nextCursor = end < keys.length ? JSON.stringify([end, keys[end - 1], keys[end]]) : undefined;
  return { [items]: [...entries.values()].slice(start, end), nextCursor };
}

function startOf(keys: readonly string[], cursor: string): number {
  const [place, before, behind] = readCursor(cursor);
  const last = keys.indexOf(before);
  if (last >= 0) return last + 1;
  const next = keys.indexOf(behind);
  return next >= 0 ? next : Math.max(0, place - 1);
}

function readCursor(cursor: string): readonly [place: number, before: string, behind: string] {
  try {
    const [place, before, behind] = JSON.parse(cursor) as readonly unknown[];
    if (Number.isSafeInteger(place) && typeof before === "string" && typeof behind === "string") {
      return [Number(place), before, behind];
    }
  } catch {
    // Text that is not JSON is not a cursor of this server either: the error below is for both.
  }
  throw rpcError("INVALID_PARAMS", "params.cursor: expected a cursor that this server gave out.");
}
