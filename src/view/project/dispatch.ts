import { type Code, code, nameList } from "../typescript/code.js";
import { type FactsView, factsViews } from "../dispatch.js";
import { revisionFacts } from "../roles/facts.js";
import type { RevisionContext } from "../roles/index.js";

/** `protocol/dispatch.ts` of a project: only the facts, in the types of the runtime. */
export interface ProjectDispatchView {
  readonly imports: Code;
  readonly revision: Code;
  readonly messages: readonly FactsView[];
}

export function projectDispatchView(context: RevisionContext): ProjectDispatchView {
  const { messages } = context.protocol;
  return {
    imports: nameList([
      ...(messages.some(({ kind }) => kind === "notification") ? [code`NotificationFacts`] : []),
      ...(messages.some(({ kind }) => kind === "request") ? [code`RequestFacts`] : []),
      code`Revision`,
    ]),
    // Error codes are constants, and every session needs all of them.
    revision: revisionFacts({ ...context.protocol, declarations: [...context.declarations.values()] }),
    messages: factsViews(context),
  };
}
