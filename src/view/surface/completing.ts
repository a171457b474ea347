import type { Surface } from "../../ir/surface/model.js";
import { arrayCode, type Code, code, generic, identifier, literal, unionCode } from "../code.js";
import { docComment } from "../doc.js";
import { arrow, calling, shorthand } from "./calls.js";
import { argumentsOf, referencesOf, variablesOf } from "./completion.js";
import type { SurfaceNaming } from "./naming.js";
import { declares, memberType, methodKey, requestFor, type Spoken } from "./protocol.js";

/** How a server completes arguments and variables: functions to write, and the table that leads to them. */
export interface CompletingView {
  /** `"completion/complete": (params, context) => complete(options, params, context)` */
  readonly answer: Code;
  /** Values, and how many there are beside them. */
  readonly result: Code;
  readonly prompts: readonly CompletersView[];
  readonly templates: readonly CompletersView[];
}

/** The completers of one prompt or template. */
export interface CompletersView {
  readonly doc: Code | null;
  /** `readonly packingList?: Completers<"days" | "destination">` */
  readonly member: Code;
  /** An entry of the table that leads from a reference on the wire to them. */
  readonly row: Code;
}

/** Null when the revision cannot complete, the server does not say that it does, or there is nothing to complete. */
export function completingView(
  surface: Surface,
  naming: SurfaceNaming,
  spoken: Spoken,
): CompletingView | null {
  const request = requestFor(spoken, "complete");
  if (request === null || !declares(surface, request)) return null;
  const refs = referencesOf(spoken, request);
  const prompts = surface.prompts.flatMap((prompt, i) =>
    completers("prompts", naming.prompts[i], argumentsOf(surface, prompt), `${refs.name} ${prompt.name}`),
  );
  const templates = surface.templates.flatMap((template, i) =>
    completers("resources", naming.templates[i], variablesOf(template), `${refs.uri} ${template.template}`),
  );
  if (prompts.length + templates.length === 0) return null;
  const call = calling(code`complete`, [code`options`, code`params`, code`context`]);
  return {
    answer: arrow(methodKey(request), code`(params, context)`, call),
    result: memberType(spoken, request, "completion"),
    prompts,
    templates,
  };
}

function completers(
  of: "prompts" | "resources",
  member: string | undefined,
  names: readonly string[],
  reference: string,
): CompletersView[] {
  if (names.length === 0) return [];
  const name = identifier(member ?? "");
  const list = names.map(literal);
  const found = code`handlers.complete?.${identifier(of)}?.${name}`;
  const find = arrow(code`find`, code`(handlers)`, found);
  return [
    {
      doc: docComment([`Completes ${names.map((one) => `\`${one}\``).join(", ")}.`]),
      member: code`readonly ${name}?: ${generic(code`Completers`, [unionCode(list)])}`,
      row: arrayCode([literal(reference), shorthand([code`names: ${arrayCode(list)}`, find])]),
    },
  ];
}
