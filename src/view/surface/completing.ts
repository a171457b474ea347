import type { Surface } from "../../ir/surface/model.js";
import { arrayCode, type Code, code, generic, identifier, literal, unionCode } from "../code.js";
import { docComment } from "../doc.js";
import { arrow, calling, shorthand } from "./calls.js";
import { type Completed, completedIn } from "./completed.js";
import type { SurfaceNaming } from "./naming.js";
import { memberType, methodKey, type Spoken } from "./protocol.js";

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

/** Null when nothing can be completed. */
export function completingView(
  surface: Surface,
  naming: SurfaceNaming,
  spoken: Spoken,
): CompletingView | null {
  const completed = completedIn(surface, naming, spoken);
  if (completed === null) return null;
  const { request, prompts, templates } = completed;
  const call = calling(code`complete`, [code`options`, code`params`, code`context`]);
  return {
    answer: arrow(methodKey(request), code`(params, context)`, call),
    result: memberType(spoken, request, "completion"),
    prompts: prompts.map((prompt) => completers("prompts", prompt)),
    templates: templates.map((template) => completers("resources", template)),
  };
}

function completers(of: "prompts" | "resources", { member, names, ref }: Completed): CompletersView {
  const name = identifier(member);
  const list = names.map(literal);
  const found = code`handlers.complete?.${identifier(of)}?.${name}`;
  const find = arrow(code`find`, code`(handlers)`, found);
  return {
    doc: docComment([`Completes ${names.map((one) => `\`${one}\``).join(", ")}.`]),
    member: code`readonly ${name}?: ${generic(code`Completers`, [unionCode(list)])}`,
    row: arrayCode([literal(`${ref.type} ${ref.value}`), shorthand([code`names: ${arrayCode(list)}`, find])]),
  };
}
