import type { HttpClientOptions } from "@mcpgen/runtime/http";
import {
  type AnyClient,
  type ClientOptions,
  modern,
  text,
} from "../../kit/index.js";
import { type Answer, modernScript, Script, type Seen } from "./script.js";
import { connectTo } from "./client.js";

/**
 * Connects a client of the modern era to a script, and closes it after its
 * test.
 */
export const open = (
  script: Script,
  options?: HttpClientOptions,
  settings?: ClientOptions,
): Promise<AnyClient> => connectTo(script, modern, options, settings);

/** A modern server with a scripted response to calls. */
export const opening = (calls: Answer): Promise<Script> =>
  Script.open(modernScript(modern.revision, calls));

export const done = { ...text("done"), resultType: "complete" };
export const isCall = ({ body }: Seen): boolean =>
  body?.["method"] === "tools/call";
