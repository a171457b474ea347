import type { Diagnostics } from "../../diagnostics.js";
import { check, checkDeclarations } from "../check/index.js";
import type { PlaceOf } from "../check/place.js";
import { index } from "../lookup.js";
import type { Declaration, Message, Protocol, Source } from "../model.js";
import type { Deriving } from "./deriving.js";
import { withIntegers } from "./integers.js";
import { headerMemberOf, messagesOf } from "./messages.js";
import {
  batchesOf,
  errorsOf,
  fillsOf,
  headersOf,
  idlessErrorsOf,
  jobsOf,
  levelsOf,
  metaOf,
  openingOf,
  primedStreamsOf,
} from "./whole.js";

/** What a reader knows beside the declarations. */
export interface Origin {
  readonly revision: string;
  readonly source: Source;
  readonly extensions?: Protocol["extensions"];
  readonly placeOf?: PlaceOf;
  /** Collects the fact rows that spoke; for the test that keeps them few. */
  readonly used?: Set<string>;
}

/**
 * A protocol from its declarations: everything that the schema implies and the facts tables add. Both readers end here;
 * a schema read from JSON lacks bases and constants, and nothing derived depends on them. Null when the declarations do
 * not hold together or the result breaks an invariant, which is reported.
 */
export function assemble(
  declared: readonly Declaration[],
  { revision, source, extensions = [], placeOf = () => null, used = new Set() }: Origin,
  diagnostics: Diagnostics,
): Protocol | null {
  if (!checkDeclarations(declared, placeOf, diagnostics)) return null;
  const declarations = withIntegers(declared, used);
  const deriving: Deriving = { declarations: index(declarations), scope: diagnostics.root, placeOf, used };
  const messages = messagesOf(deriving);
  const jobs = jobsOf(deriving, messages);
  const meta = metaOf(deriving);
  const opening = openingOf(deriving, jobs, meta);
  const headers = headersOf(deriving, opening);
  const named = (message: Message): Message =>
    message.kind === "request" && message.carriage === "wire" && headers.name !== undefined
      ? { ...message, headerMember: headerMemberOf(deriving, message.params) }
      : message;
  const protocol: Protocol = {
    format: 1,
    revision,
    source,
    opening,
    batches: batchesOf(deriving),
    idlessErrors: idlessErrorsOf(deriving),
    primedStreams: primedStreamsOf(deriving, opening),
    errors: errorsOf(deriving, opening, jobs),
    levels: levelsOf(deriving),
    headers,
    jobs,
    meta,
    fills: fillsOf(deriving, messages),
    declarations,
    messages: messages.map(named),
    extensions,
  };
  return check(protocol, diagnostics) ? protocol : null;
}
