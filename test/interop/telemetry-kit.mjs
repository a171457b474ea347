import { context, metrics, propagation, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  CompositePropagator,
  W3CBaggagePropagator,
  W3CTraceContextPropagator,
} from "@opentelemetry/core";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { McpError, observer } from "@mcpgen/runtime";
import { telemetry } from "@mcpgen/runtime/telemetry";

/**
 * Registers the OpenTelemetry SDK for this process, as a program does when it
 * starts, and returns what it has exported.
 */
export function startSdk() {
  const spanExporter = new InMemorySpanExporter();
  const metricExporter = new InMemoryMetricExporter(
    AggregationTemporality.DELTA,
  );
  const reader = new PeriodicExportingMetricReader({
    exporter: metricExporter,
    exportIntervalMillis: 3_600_000,
  });
  context.setGlobalContextManager(
    new AsyncLocalStorageContextManager().enable(),
  );
  propagation.setGlobalPropagator(
    new CompositePropagator({
      propagators: [
        new W3CTraceContextPropagator(),
        new W3CBaggagePropagator(),
      ],
    }),
  );
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({
      spanProcessors: [new SimpleSpanProcessor(spanExporter)],
    }),
  );
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  return {
    /** The spans that have ended since the last call, as JSON. */
    spans() {
      const spans = spanExporter.getFinishedSpans().map(spanOf);
      spanExporter.reset();
      return spans;
    },
    /**
     * The durations since the last call: what was measured, and the attributes
     * of each series.
     */
    async durations() {
      metricExporter.reset();
      await reader.forceFlush();
      return metricExporter
        .getMetrics()
        .flatMap(({ scopeMetrics }) => scopeMetrics)
        .flatMap((scope) => scope.metrics)
        .map(({ descriptor, dataPoints }) => ({
          ...descriptor,
          points: dataPoints.map(({ attributes, value }) => ({
            attributes,
            value,
          })),
        }));
    },
  };
}

function spanOf(span) {
  const { name, kind, attributes, status, links, parentSpanContext } = span;
  const { traceId, spanId } = span.spanContext();
  return {
    name,
    kind: ["internal", "server", "client"][kind],
    traceId,
    spanId,
    parent: parentSpanContext?.spanId,
    links: links.map((link) => link.context.spanId),
    attributes,
    status,
  };
}

/**
 * The options of a server whose tools do what a trace has to show. `spans`
 * returns those of its process.
 */
export async function observedServer(sdk, options) {
  const text = (value) => ({ content: [{ type: "text", text: value }] });
  const tools = {
    ask: async (_, { request }) => {
      const requestedSchema = { type: "object", properties: {} };
      const { action } = await request("elicitation/create", {
        message: "Who?",
        requestedSchema,
      });
      return trace.getTracer("app").startActiveSpan("work", (span) => {
        span.end();
        return text(action);
      });
    },
    broken: () => ({ ...text("broken"), isError: true }),
    refused: () => {
      throw new McpError(77, "refused");
    },
    slow: (_, { signal }) =>
      new Promise((resolve) =>
        signal.addEventListener("abort", resolve, { once: true }),
      ),
    baggage: () =>
      text(
        JSON.stringify(propagation.getActiveBaggage()?.getAllEntries() ?? []),
      ),
    spans: () => text(JSON.stringify(sdk.spans())),
  };
  return {
    observe: observer(await telemetry(options)),
    handlers: {
      "tools/list": () => ({ tools: [] }),
      "tools/call": (params, handlerContext) => {
        const tool = tools[params.name];
        if (!tool) throw new McpError(-32602, "There is no such tool.");
        return tool(params, handlerContext);
      },
      "resources/read": ({ uri }) => ({ contents: [{ uri, text: "one" }] }),
      "prompts/get": () => ({ messages: [] }),
    },
  };
}
