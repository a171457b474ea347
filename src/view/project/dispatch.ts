import { type Code, code, nameList } from "../typescript/code.js";
import { type RowsView, rowsView } from "../dispatch.js";
import { revisionFacts } from "../roles/facts.js";
import type { RevisionContext } from "../roles/index.js";

/** `protocol/dispatch.ts` of a project: only the rows, in the types of the runtime. */
export interface ProjectDispatchView extends RowsView {
  readonly imports: Code;
  readonly revision: Code;
}

export function projectDispatchView(context: RevisionContext): ProjectDispatchView {
  return {
    ...rowsView(context),
    imports: nameList([code`NotificationRow`, code`RequestRow`, code`Revision`]),
    // Error codes are constants, and every session needs all of them.
    revision: revisionFacts({ ...context.protocol, declarations: [...context.declarations.values()] }),
  };
}
