/**
 * Spans and metrics of OpenTelemetry for clients and servers. It needs the
 * package `@opentelemetry/api`.
 * @module
 */
export { telemetry, type TelemetryOptions } from "./telemetry/telemetry.js";
