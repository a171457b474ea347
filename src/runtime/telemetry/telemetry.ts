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
  const { context, metrics, propagation, SpanKind, SpanStatusCode, trace } =
    await load();
  const tracer = trace.getTracer(scope);
  /** The names that a request with a result had. */
  const names = new Set<string>();
  const codes = new Set<number>();
  /** The names that spans have. */
  const spanNames = new Set<string>();
  /**
   * True for a name that the server seems to have; of others, a client could
   * send any number.
   */
  const isNamed = (name: string, code: number | undefined): boolean => {
    if (names.has(name) || spanNames.has(name)) return true;
    if (code === jsonRpcCodes.INVALID_PARAMS || spanNames.size >= maxNames)
      return false;
    return spanNames.add(name).has(name);
  };
  /** The sessions whose end is waited for. */
  const sessions = new WeakSet<AbortSignal>();
  const histograms = new Map<string, Histogram>();
  const record = (
    direction: ObservedRequest["direction"],
    what: "operation" | "session",
    start: number,
    labels: Attributes,
    active: Context,
  ): void => {
    const name = `mcp.${direction === "sent" ? "client" : "server"}.${what}.duration`;
    const options = { unit: "s", advice: { explicitBucketBoundaries } };
    // Only now, because the program may start the SDK after this.
    const histogram =
      histograms.get(name) ??
      metrics.getMeter(scope).createHistogram(name, options);
    histograms.set(name, histogram);
    histogram.record((performance.now() - start) / 1000, labels, active);
  };

  return (request) => {
    const { direction, method, name, id, params, meta, session, taskId } =
      request;
    const isSent = direction === "sent";
    const isTask = taskId !== undefined;
    const ambient = context.active();
    const outer = trace.getSpanContext(ambient);
    // The context in `_meta` is the parent, because one HTTP request may carry
    // several messages, and one message go through several.
    const parent =
      isSent || isTask
        ? ambient
        : propagation.extract(ambient, contextIn(meta) ?? {});
    const hasLink =
      isTask || trace.getSpanContext(parent)?.spanId !== outer?.spanId;

    const [area = ""] = method.split("/");
    const attribute = getOwn(nameAttributes, area);
    const text =
      attribute === undefined || name === undefined
        ? undefined
        : printable(name);
    const target = attribute === nameAttributes["resources"] ? undefined : text;
    const named = (value: string | undefined): Partial<Attributes> => ({
      [String(attribute)]: value,
    });
    const isTool = area === "tools" && text !== undefined;
    const common = {
      ...placeOf(request),
      "gen_ai.operation.name": isTool ? "execute_tool" : undefined,
    };
    // A client may invent names, so that a span gets the name only if it is
    // known.
    const isKnown =
      isSent || isTask || (target !== undefined && names.has(target));
    const fullName = printable(
      target === undefined ? method : `${method} ${target}`,
    );
    const span = tracer.startSpan(
      isKnown ? fullName : printable(method),
      {
        kind: isTask
          ? SpanKind.INTERNAL
          : isSent
            ? SpanKind.CLIENT
            : SpanKind.SERVER,
        root: isTask,
        links: outer && hasLink ? [{ context: outer }] : [],
        attributes: defined({
          ...common,
          ...named(text),
          "mcp.method.name": printable(method),
          "jsonrpc.request.id":
            id === undefined ? undefined : printable(String(id)),
          "mcp.session.id": session,
          "gen_ai.tool.call.arguments":
            content && isTool ? contentOf(params?.["arguments"]) : undefined,
        }),
      },
      parent,
    );
    const active = trace.setSpan(parent, span);

    const end = (outcome: RequestOutcome): void => {
      const { revision, result, error, code, milliseconds, sessionEnd } =
        outcome;
      const errorType = errorTypeOf(outcome);
      const ending = {
        "mcp.protocol.version": revision,
        "error.type": errorType,
        "rpc.response.status_code":
          code === undefined ? undefined : String(code),
      };
      const output = content && isTool ? contentOf(result) : undefined;
      span.setAttributes(
        defined({ ...ending, "gen_ai.tool.call.result": output }),
      );
      const isOther = revision === undefined && result === undefined;
      if (isOther && !isSent) span.updateName("_OTHER");
      else if (!isKnown && target !== undefined && isNamed(target, code))
        span.updateName(fullName);
      if (errorType !== undefined) {
        const message =
          error instanceof Error ? printable(error.message, 1000) : "";
        span.setStatus({ code: SpanStatusCode.ERROR, message });
      }
      span.end();
      if (isTask) return;
      if (target !== undefined && result !== undefined && names.size < maxNames)
        names.add(target);
      if (code !== undefined && codes.size < maxCodes) codes.add(code);
      const labels = {
        ...common,
        ...ending,
        ...(code !== undefined && !codes.has(code) && otherCode),
        ...named(
          target !== undefined && names.has(target) ? target : undefined,
        ),
        "mcp.method.name": isOther ? "_OTHER" : method,
      };
      const start = performance.now() - milliseconds;
      record(direction, "operation", start, defined(labels), active);
      if (!sessionEnd || sessions.has(sessionEnd)) return;
      sessions.add(sessionEnd);
      const sessionLabels = defined({
        ...placeOf(request),
        "mcp.protocol.version": revision,
      });
      const onEnd = (): void =>
        record(direction, "session", start, sessionLabels, ambient);
      sessionEnd.addEventListener("abort", onEnd, { once: true });
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

function defined(
  attributes: Readonly<Record<string, AttributeValue | undefined>>,
): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).filter(([, value]) => value !== undefined),
  );
}

/** The JSON of arguments or of a result, cut. */
const contentOf = (value: unknown): string | undefined =>
  jsonText(value)?.slice(0, maxContent);
