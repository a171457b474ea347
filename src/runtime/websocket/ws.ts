import type * as Ws from "ws";
import { TransportError } from "../core/errors.js";

/** Loads the package `ws`, an optional dependency. Rejects with a `TransportError` if it is not installed. */
export async function loadWs(): Promise<typeof Ws> {
  try {
    return await import("ws");
  } catch (error) {
    throw new TransportError("WebSockets need the package ws: run npm install ws.", { cause: error });
  }
}
