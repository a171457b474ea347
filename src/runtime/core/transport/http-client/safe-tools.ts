import type { JsonObject } from "../../../../common/object.js";
import type { KnownTools } from "../../ports/transport.js";

/** Maximum number of tools that are known to be safe. */
const maxTools = 10_000;

/** The tools that only read, or that may be called twice with the same arguments, as their server says: a call that was lost is sent again. */
export class SafeTools implements KnownTools {
  readonly #names = new Set<unknown>();

  has(name: unknown): boolean {
    return this.#names.has(name);
  }

  learn(tools: unknown): void {
    for (const tool of Array.isArray(tools) ? (tools as unknown[]) : []) {
      const { name, annotations } = Object(tool) as JsonObject;
      const { readOnlyHint, idempotentHint } = Object(annotations) as JsonObject;
      if ((readOnlyHint || idempotentHint) && this.#names.size < maxTools) this.#names.add(name);
      else this.#names.delete(name);
    }
  }
}
