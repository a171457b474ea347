import type { Diagnostics } from "../../diagnostics.js";
import type { Schema, TypeName } from "../constraint.js";
import { mapSchema } from "../constraint/walk.js";
import { checkDeclarations } from "../check/index.js";
import { index, type LocationOf } from "../lookup.js";
import * as facts from "../facts.js";
import type { Declaration, Message, Protocol, Source } from "../model.js";
import type { DeriveContext } from "./context.js";
import { factsOf, type FactSources } from "./revision.js";
import { headerMemberOf, messagesOf } from "./messages.js";
import {
  batchesOf,
  engineDefaultsOf,
  idlessErrorsOf,
  wellKnownMethodsOf,
  levelsOf,
  metaOf,
} from "./protocol-facts.js";

/** What a reader knows in addition to the declarations. */
interface Origin {
  readonly revision: string;
  readonly source: Source;
  readonly facts: FactSources;
  readonly extensions?: Protocol["extensions"];
  readonly locationOf?: LocationOf;
}

/**
 * Derives a protocol from its declarations: what the schema implies, and what
 * the fact tables add. Both readers end here. A schema read from JSON has no
 * bases and no constants, so nothing is derived from them. Returns null, and
 * reports why, if the declarations are inconsistent.
 */
export function assemble(
  declared: readonly Declaration[],
  { revision, source, facts, extensions = [], locationOf = () => null }: Origin,
  diagnostics: Diagnostics,
): Protocol | null {
  const checked = checkDeclarations(declared, locationOf, diagnostics);
  if (checked === null) return null;
  const declarations = withIntegers(checked);
  const context: DeriveContext = {
    declarations: index(declarations),
    added: new Set(extensions.flatMap(({ adds }) => adds)),
    scope: diagnostics.root,
    locationOf,
  };
  const messages = messagesOf(context);
  const wellKnown = wellKnownMethodsOf(messages);
  const meta = metaOf(context);
  const { opening, headers, errors, primedStreams, replacedCodes } = factsOf(
    context,
    revision,
    { wellKnown, meta },
    facts,
  );
  if (opening === "per-request") reportUnaskable(context, messages);
  const withHeaderMember = (message: Message): Message =>
    message.kind === "request" &&
    message.carriage === "wire" &&
    headers.name !== undefined
      ? { ...message, headerMember: headerMemberOf(context, message, messages) }
      : message;
  return {
    format: 2,
    revision,
    source,
    opening,
    batches: batchesOf(context),
    idlessErrors: idlessErrorsOf(context),
    primedStreams,
    errors,
    replacedCodes,
    levels: levelsOf(context),
    headers,
    wellKnown,
    meta,
    engineDefaults: engineDefaultsOf(context, messages),
    declarations,
    messages: messages.map(withHeaderMember),
    extensions,
  };
}

/**
 * Reports the requests that a server can send only where it sends requests: in
 * revisions with a handshake.
 */
function reportUnaskable(
  { scope, locationOf }: DeriveContext,
  messages: readonly Message[],
): void {
  for (const message of messages) {
    const { kind, method, name, sender } = message;
    if (kind === "notification" || message.carriage === "embedded") continue;
    if (sender !== "client")
      scope.note(
        "MG411",
        locationOf(name),
        `a server cannot ask "${method}": with metadata on every request, only results ask, and they carry what InputRequest alone lists`,
        `list ${name} in InputRequest, and in no other union`,
      );
  }
}

/** Makes numbers integers where only the prose requires integers. */
function withIntegers(declarations: readonly Declaration[]): Declaration[] {
  return declarations.map((declaration) => {
    if (
      declaration.kind !== "alias" ||
      !facts.integers.includes(declaration.name)
    )
      return declaration;
    return {
      ...declaration,
      schema: mapSchema(declaration.schema, withIntegerType),
    };
  });
}

function withIntegerType({ checks, ...schema }: Schema): Schema {
  const integer = (type: TypeName): TypeName =>
    type === "number" ? "integer" : type;
  return {
    ...schema,
    checks: checks.map((check) =>
      check.kind === "type"
        ? { ...check, types: check.types.map(integer) }
        : check,
    ),
  };
}
