import type * as OpenTelemetry from "@opentelemetry/api";
import type {
  Attributes,
  AttributeValue,
  Context,
  Histogram,
} from "@opentelemetry/api";
import { jsonRpcCodes } from "../core/errors.js";
import type {
  Observe,
  ObservedRequest,
  RequestOutcome,
} from "../core/ports/observe.js";
import { jsonText, printable } from "../core/report.js";
import { getOwn, type JsonObject } from "../../common/object.js";

/** Options of `telemetry`. */
export interface TelemetryOptions {
  /**
   * Records the arguments and the results of tools, which are data of users, on
   * their spans; false by default.
   */
  readonly content?: boolean | undefined;
}

/**
 * Loads the API, an optional dependency. Bundlers accept an import that they
 * cannot resolve only inside `try`.
 */
async function load(): Promise<typeof OpenTelemetry> {
  try {
    return await import("@opentelemetry/api");
  } catch (cause) {
    const text =
      "telemetry: it needs the package @opentelemetry/api, which could not be loaded. Install @opentelemetry/api@1.9.";
    throw new TypeError(text, { cause });
  }
}

/** The name under which spans and metrics are reported. */
const scope = "@mcpgen/runtime";
/** The bounds of the conventions for durations, in seconds. */
const explicitBucketBoundaries = [
  0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300,
];
/**
 * The attribute for the name in the params, by the first part of the method.
 */
const nameAttributes: Readonly<Record<string, string>> = {
  tools: "gen_ai.tool.name",
  prompts: "gen_ai.prompt.name",
  resources: "mcp.resource.uri",
};
/**
 * The members of `_meta` that carry a context (SEP-414), with the lengths that
 * their specifications guarantee, in characters.
 */
const contextMembers: Readonly<Record<string, number>> = {
  traceparent: 512,
  tracestate: 512,
  baggage: 8192,
};
/** The maximum length of recorded arguments and results, in characters. */
const maxContent = 10_000;
/**
 * How many names of tools and prompts metrics and spans have at most, because
 * clients choose names.
 */
const maxNames = 1000;
/**
 * How many codes of errors metrics have at most, because servers choose codes.
 */
const maxCodes = 100;
const otherCode = {
  "error.type": "_OTHER",
  "rpc.response.status_code": undefined,
};

/**
 * Makes a span for each request and measures its duration, by the OpenTelemetry
 * conventions for MCP: `{ observe: observer(await telemetry()) }`. The context
 * of a trace is sent and received in `_meta`. Spans and metrics go to the
 * providers that the program has registered with `@opentelemetry/api`, in the
 * context that it has activated.
 *
 * @throws TypeError if `@opentelemetry/api` is not installed.
 */
export async function telemetry({
  content = false,
}: TelemetryOptions = {}): Promise<Observe> {
  const api = await load();
  const { context, metrics, propagation, SpanKind, SpanStatusCode, trace } =
    api;
  const tracer = trace.getTracer(scope);
  const known = makeKnown();
  const durations = makeDurations(metrics);

  return (request) => {
    const { direction, method, taskId } = request;
    const isSent = direction === "sent";
    const isTask = taskId !== undefined;
    const { ambient, parent, links } = placeInTrace(api, request);
    const kind = isSent ? SpanKind.CLIENT : SpanKind.SERVER;
    const { target, named, common, hasContent, attributes } = describe(
      request,
      content,
    );
    // A client may invent names, so that a span gets the name only if it is
    // known.
    const isKnown = isSent || isTask || known.has(target);
    const fullName = printable(
      target === undefined ? method : `${method} ${target}`,
    );
    const span = tracer.startSpan(
      isKnown ? fullName : printable(method),
      {
        kind: isTask ? SpanKind.INTERNAL : kind,
        root: isTask,
        links,
        attributes,
      },
      parent,
    );
    const active = trace.setSpan(parent, span);

    const end = (outcome: RequestOutcome): void => {
      const { revision, result, error, code, milliseconds } = outcome;
      const ending = endingOf(outcome);
      const output = hasContent ? contentOf(result) : undefined;
      span.setAttributes(
        defined({ ...ending, "gen_ai.tool.call.result": output }),
      );
      const isOther = revision === undefined && result === undefined;
      if (isOther && !isSent) span.updateName("_OTHER");
      else if (!isKnown && known.mayName(target, code))
        span.updateName(fullName);
      if (ending["error.type"] !== undefined) {
        const message =
          error instanceof Error ? printable(error.message, 1000) : "";
        span.setStatus({ code: SpanStatusCode.ERROR, message });
      }
      span.end();
      if (isTask) return;
      known.learn(target, outcome);
      const labels = {
        ...common,
        ...ending,
        ...(known.hasCode(code) ? undefined : otherCode),
        ...named(known.has(target) ? target : undefined),
        "mcp.method.name": isOther ? "_OTHER" : method,
      };
      const start = performance.now() - milliseconds;
      durations.record(direction, "operation", start, labels, active);
      durations.follow(request, outcome, start, ambient);
    };

    const carrier: Record<string, unknown> = {};
    if (isSent) propagation.inject(active, carrier);
    return {
      meta: contextIn(carrier),
      run: (work) => context.with(active, work),
      end,
    };
  };
}

/**
 * The parent of the span of a request. The context in `_meta` is the parent of
 * one that is received, because one HTTP request may carry several messages,
 * and one message go through several; its span links to the outer one then.
 */
function placeInTrace(
  { context, propagation, trace }: typeof OpenTelemetry,
  { direction, meta, taskId }: ObservedRequest,
) {
  const ambient = context.active();
  const outer = trace.getSpanContext(ambient);
  const isTask = taskId !== undefined;
  const parent =
    direction === "sent" || isTask
      ? ambient
      : propagation.extract(ambient, contextIn(meta) ?? {});
  const hasLink =
    isTask || trace.getSpanContext(parent)?.spanId !== outer?.spanId;
  const links = outer && hasLink ? [{ context: outer }] : [];
  return { ambient, parent, links };
}

/**
 * The names and codes that spans and metrics may have. A client can invent any
 * number of names, so only those that the server seems to have count.
 */
function makeKnown() {
  /** The names that a request with a result had. */
  const names = new Set<string>();
  const codes = new Set<number>();
  /** The names that spans have. */
  const spanNames = new Set<string>();
  const has = (name: string | undefined): boolean =>
    name !== undefined && names.has(name);
  return {
    has,
    hasCode: (code: number | undefined): boolean =>
      code === undefined || codes.has(code),
    /** True if a span may have the name of a request that ended with a code. */
    mayName(name: string | undefined, code: number | undefined): boolean {
      if (name === undefined) return false;
      if (names.has(name) || spanNames.has(name)) return true;
      if (code === jsonRpcCodes.INVALID_PARAMS || spanNames.size >= maxNames)
        return false;
      return spanNames.add(name).has(name);
    },
    learn(name: string | undefined, { result, code }: RequestOutcome): void {
      if (name !== undefined && result !== undefined && names.size < maxNames)
        names.add(name);
      if (code !== undefined && codes.size < maxCodes) codes.add(code);
    },
  };
}

/** Measures how long requests and sessions last. */
function makeDurations(metrics: OpenTelemetry.MetricsAPI) {
  /** The sessions whose end is waited for. */
  const sessions = new WeakSet<AbortSignal>();
  const histograms = new Map<string, Histogram>();

  function record(
    direction: ObservedRequest["direction"],
    what: "operation" | "session",
    start: number,
    labels: Labels,
    active: Context,
  ): void {
    const name = `mcp.${direction === "sent" ? "client" : "server"}.${what}.duration`;
    const options = { unit: "s", advice: { explicitBucketBoundaries } };
    // Only now, because the program may start the SDK after this.
    const histogram =
      histograms.get(name) ??
      metrics.getMeter(scope).createHistogram(name, options);
    histograms.set(name, histogram);
    const seconds = (performance.now() - start) / 1000;
    histogram.record(seconds, defined(labels), active);
  }

  return {
    record,
    /** Measures the session of a request when it ends, once. */
    follow(
      request: ObservedRequest,
      { revision, sessionEnd }: RequestOutcome,
      start: number,
      ambient: Context,
    ): void {
      if (!sessionEnd || sessions.has(sessionEnd)) return;
      sessions.add(sessionEnd);
      const labels = { ...placeOf(request), "mcp.protocol.version": revision };
      const onEnd = (): void =>
        record(request.direction, "session", start, labels, ambient);
      sessionEnd.addEventListener("abort", onEnd, { once: true });
    },
  };
}

/** What spans and metrics say of a request. */
function describe(request: ObservedRequest, content: boolean) {
  const { method, name, id, session, params } = request;
  const [area = ""] = method.split("/");
  const attribute = getOwn(nameAttributes, area);
  const text =
    attribute === undefined || name === undefined ? undefined : printable(name);
  const named = (value: string | undefined): Labels => ({
    [String(attribute)]: value,
  });
  const isTool = area === "tools" && text !== undefined;
  const hasContent = content && isTool;
  const common = {
    ...placeOf(request),
    "gen_ai.operation.name": isTool ? "execute_tool" : undefined,
  };
  const attributes = defined({
    ...common,
    ...named(text),
    "mcp.method.name": printable(method),
    "jsonrpc.request.id": id === undefined ? undefined : printable(String(id)),
    "mcp.session.id": session,
    "gen_ai.tool.call.arguments": hasContent
      ? contentOf(params?.["arguments"])
      : undefined,
  });
  const target = attribute === nameAttributes["resources"] ? undefined : text;
  return { target, named, common, hasContent, attributes };
}

/** What spans and metrics say of the end of a request. */
const endingOf = (outcome: RequestOutcome) => ({
  "mcp.protocol.version": outcome.revision,
  "error.type": errorTypeOf(outcome),
  "rpc.response.status_code":
    outcome.code === undefined ? undefined : String(outcome.code),
});

/**
 * The context of a trace among these members, which may be anything; undefined
 * if there is none.
 */
function contextIn(members: JsonObject): Record<string, string> | undefined {
  const entries = Object.entries(contextMembers).flatMap(([key, length]) => {
    const value = members[key];
    const isValid =
      typeof value === "string" &&
      value.length <= length &&
      /^[\t -~]+$/.test(value);
    return isValid ? [[key, value] as const] : [];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** What carries the request, and the server that it is sent to. */
function placeOf({ carrier, address }: ObservedRequest): Attributes {
  const {
    hostname = undefined,
    port = "",
    protocol = "",
  } = address === undefined ? {} : new URL(address);
  return {
    "network.transport":
      carrier === undefined || carrier === "pipe" ? carrier : "tcp",
    "network.protocol.name": carrier === "pipe" ? undefined : carrier,
    "server.address": hostname,
    "server.port":
      hostname === undefined
        ? undefined
        : Number(port) || (protocol === "https:" ? 443 : 80),
  };
}

function errorTypeOf({
  kind,
  code,
  error,
}: RequestOutcome): string | undefined {
  if (kind === "ok") return undefined;
  if (kind !== "error") return kind;
  return code === undefined
    ? (error instanceof Error && error.name) || "_OTHER"
    : String(code);
}

type Labels = Readonly<Record<string, AttributeValue | undefined>>;

function defined(attributes: Labels): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).filter(([, value]) => value !== undefined),
  );
}

/** The JSON of arguments or of a result, cut. */
const contentOf = (value: unknown): string | undefined =>
  jsonText(value)?.slice(0, maxContent);
