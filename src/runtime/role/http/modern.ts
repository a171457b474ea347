import {
  isObject,
  jsonRpcCodes,
  type JsonObject,
  metaOf,
  own,
  type ServerCore,
  type WireRequest,
} from "../../index.js";
import { headerFault } from "../../transport/http/headers.js";
import type { Alone } from "./alone.js";
import { idOf, refuse, type Visit } from "./visit.js";

/** HTTP-40: what comes to the servers of revisions whose every request says all for itself. */
export class ModernPosts {
  readonly cores: readonly ServerCore[];
  readonly #revisions: readonly string[];
  readonly #alone: Alone;

  constructor(cores: readonly ServerCore[], alone: Alone) {
    this.cores = cores;
    this.#revisions = cores.map(({ side }) => side.revision.revision);
    this.#alone = alone;
  }

  /** The server of the version that the message itself names, the newest one when nobody knows that version. */
  claimed(message: unknown): ServerCore | undefined {
    if (!isObject(message)) return undefined;
    const meta = metaOf(message["params"]);
    for (const { side } of this.cores) {
      const version = own(meta, side.revision.meta.protocolVersion);
      if (typeof version === "string") return this.named(version) ?? this.cores[0];
    }
    return undefined;
  }

  named(revision: string | undefined): ServerCore | undefined {
    return this.cores.find(({ side }) => side.revision.revision === revision);
  }

  post(visit: Visit, message: unknown, core: ServerCore): void {
    const { request, response, auth } = visit;
    const { errors, idlessErrors } = core.side.revision;
    if (!isObject(message) || typeof message["method"] !== "string") {
      // HTTP-41
      const text = "A body is one request or one notification.";
      return refuse(visit, 400, jsonRpcCodes.INVALID_REQUEST, text, idlessErrors ? undefined : null);
    }
    const fault = headerFault(request, message as unknown as WireRequest, core, this.#revisions);
    if (fault) return refuse(visit, 400, errors["HEADER_MISMATCH"] ?? -32020, fault, idOf(message));
    const statusOf = (reply: JsonObject): number => statusIn(core, message, reply);
    this.#alone.post(core, message, response, { auth }, { statusOf, endsWithClient: true });
  }
}

/** META-01, HTTP-48, HTTP-49: the status of an error that nothing came before. */
function statusIn({ side }: ServerCore, message: JsonObject, { error }: JsonObject): number {
  if (!isObject(error)) return 200;
  const { errors, meta } = side.revision;
  switch (error["code"]) {
    case jsonRpcCodes.METHOD_NOT_FOUND:
      return 404;
    case jsonRpcCodes.INTERNAL_ERROR:
      return 200;
    case jsonRpcCodes.INVALID_PARAMS: {
      const given = metaOf(message["params"]);
      const isWhole =
        typeof own(given, meta.protocolVersion) === "string" && isObject(own(given, meta.clientCapabilities));
      return isWhole ? 200 : 400;
    }
    default:
      return Object.values(errors).includes(error["code"] as number) ? 400 : 200;
  }
}
