/**
 * `@mcpgen/runtime/sse` for programs of the guides: records requests. Every
 * revision with this transport answers.
 */
import * as real from "@mcpgen/runtime/sse";
import { recordedHandler } from "./http.js";

export { sse } from "@mcpgen/runtime/sse";

export const createSseHandler: typeof real.createSseHandler = (
  servers,
  options,
) => recordedHandler(real.createSseHandler(servers, options));
