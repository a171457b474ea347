import type { Diagnostics } from "../../diagnostics.js";
import { check, checkDeclarations } from "../check/index.js";
import type { LocationOf } from "../check/location.js";
import { index } from "../lookup.js";
import type { Declaration, Message, Protocol, Source } from "../model.js";
import type { Deriving } from "./deriving.js";
import { withIntegers } from "./integers.js";
import { headerMemberOf, messagesOf } from "./messages.js";
import {
  batchesOf,
  errorsOf,
  engineDefaultsOf,
  headersOf,
  idlessErrorsOf,
  wellKnownMethodsOf,
  levelsOf,
  metaOf,
  openingOf,
  primedStreamsOf,
} from "./whole.js";

/** What a reader knows in addition to the declarations. */
export interface Origin {
  readonly revision: string;
  readonly source: Source;
  readonly extensions?: Protocol["extensions"];
  readonly locationOf?: LocationOf;
  /** Collects the ids of used fact rows, for the test that finds unused rows. */
  readonly used?: Set<string>;
}

/**
 * Derives a protocol from its declarations: what the schema implies, and what the fact tables add. Both readers end here. A
 * schema read from JSON has no bases and no constants, so nothing is derived from them. Returns null, and reports why, if
 * the declarations are inconsistent or the result breaks an invariant.
 */
export function assemble(
  declared: readonly Declaration[],
  { revision, source, extensions = [], locationOf = () => null, used = new Set() }: Origin,
  diagnostics: Diagnostics,
): Protocol | null {
  if (!checkDeclarations(declared, locationOf, diagnostics)) return null;
  const declarations = withIntegers(declared, used);
  const deriving: Deriving = {
    declarations: index(declarations),
    added: new Set(extensions.flatMap(({ adds }) => adds)),
    scope: diagnostics.root,
    locationOf,
    used,
  };
  const messages = messagesOf(deriving);
  const wellKnown = wellKnownMethodsOf(deriving, messages);
  const meta = metaOf(deriving);
  const opening = openingOf(deriving, wellKnown, meta);
  const headers = headersOf(deriving, opening);
  const withHeaderMember = (message: Message): Message =>
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
    errors: errorsOf(deriving, opening, wellKnown),
    levels: levelsOf(deriving),
    headers,
    wellKnown,
    meta,
    engineDefaults: engineDefaultsOf(deriving, messages),
    declarations,
    messages: messages.map(withHeaderMember),
    extensions,
  };
  return check(protocol, diagnostics) ? protocol : null;
}
