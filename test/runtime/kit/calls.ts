import {
  type AnyHandlers,
  type AnyProtocol,
  type Json,
  makeServer,
  metaFor,
  type Revision,
  type ServerOptions,
  serveWire,
  shakeHands,
  text,
  type Wire,
} from "./index.js";

/** One tool, which says that it is done. */
export const echo: AnyHandlers = { "tools/call": () => text("done") };

/** A server with that tool, before any client has come. */
export const serveEcho = (
  protocol: AnyProtocol,
  options: ServerOptions = {},
): Promise<Wire> =>
  serveWire(makeServer(protocol, { handlers: echo, ...options }));

/** A server whose one tool repeats its params, its session open. */
export async function ready(
  one: Revision,
  options: ServerOptions = {},
): Promise<Wire> {
  const handlers = {
    "tools/call": (params: Json) => text(JSON.stringify(params)),
  };
  const wire = await serveWire(
    makeServer(one.protocol, { handlers, ...options }),
  );
  if (!one.isModern) await shakeHands(wire, one.revision);
  await wire.rest();
  return wire;
}

/** The params of a call as a client of this revision sends them. */
export const callOf = (one: Revision, rest: Json = {}): Json => ({
  name: "x",
  ...rest,
  ...(one.isModern && {
    _meta: { ...metaFor(one), ...(rest["_meta"] as Json) },
  }),
});

/** The answer that it gets. */
export const doneIn = ({ isModern }: Revision): Json => ({
  ...text("done"),
  ...(isModern && { resultType: "complete" }),
});
