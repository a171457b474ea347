import { type Code, code, generic, identifier, literal, unionCode } from "../typescript/code.js";
import { docComment } from "../typescript/doc.js";
import type { AllCompleted, Completed } from "./completed.js";
import { memberType, type Spoken } from "./protocol.js";

/** How a server completes arguments and variables: the functions to write. */
export interface CompletingView {
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
}

/** Null when nothing can be completed. */
export function completingView(completed: AllCompleted | null, spoken: Spoken): CompletingView | null {
  if (completed === null) return null;
  const { request, prompts, templates } = completed;
  return {
    result: memberType(spoken, request, "completion"),
    prompts: prompts.map((prompt) => completers(prompt)),
    templates: templates.map((template) => completers(template)),
  };
}

function completers({ member, names }: Completed): CompletersView {
  const name = identifier(member);
  return {
    doc: docComment([`Completes ${names.map((one) => `\`${one}\``).join(", ")}.`]),
    member: code`readonly ${name}?: ${generic(code`Completers`, [unionCode(names.map(literal))])}`,
  };
}
