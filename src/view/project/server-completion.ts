import { type Code, code, generic, identifier, literal, unionCode } from "../typescript/code.js";
import { docComment } from "../typescript/doc.js";
import type { Completables, Completable } from "./completables.js";
import { memberType } from "./protocol.js";
import type { RevisionContext } from "../roles/index.js";

/** The completion functions of a server. */
export interface ServerCompletionView {
  /** The values and their count. */
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

/** Null if nothing can be completed. */
export function serverCompletionView(
  completables: Completables | null,
  context: RevisionContext,
): ServerCompletionView | null {
  if (completables === null) return null;
  const { request, prompts, templates } = completables;
  return {
    result: memberType(context, request, "completion"),
    prompts: prompts.map((prompt) => completers(prompt)),
    templates: templates.map((template) => completers(template)),
  };
}

function completers({ member, names }: Completable): CompletersView {
  const name = identifier(member);
  return {
    doc: docComment([`Completes ${names.map((argument) => `\`${argument}\``).join(", ")}.`]),
    member: code`readonly ${name}?: ${generic(code`Completers`, [unionCode(names.map(literal))])}`,
  };
}
