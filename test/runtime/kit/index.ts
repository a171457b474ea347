export {
  makeServer,
  makeClient,
  join,
  everything,
  metaFor,
  shakeHands,
  clientWire,
} from "./connections.js";
export {
  type Json,
  info,
  text,
  textOf,
  failure,
  errorOf,
  resultOf,
} from "./messages.js";
export {
  type AnyClient,
  type AnyContext,
  type AnyHandler,
  type AnyHandlers,
  type AnyServer,
  type ClientOptions,
  type ServerOptions,
  type AnyProtocol,
  byRevision,
  described,
  revisions,
  type Revision,
  modern,
  legacy,
  legacyRevisions,
  modernRevisions,
} from "./revisions.js";
export { Wire, turns, serveWire } from "./wire.js";
