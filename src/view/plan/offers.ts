import type { Snapshot } from "../../ir/snapshot/model.js";

/** What of a server there is to be written about in the files of a project, on either side. */
export interface Offers {
  readonly hasTools: boolean;
  readonly hasPrompts: boolean;
  /** Fixed ones, or templates that can be matched. */
  readonly hasResources: boolean;
  readonly hasTemplates: boolean;
  /** Is there any of these, so that types of the revision are named? */
  readonly hasAny: boolean;
  /** Is anything called by a name? */
  readonly isNamed: boolean;
  /** Is anything checked, so that there are guards? */
  readonly isChecked: boolean;
  /** Has the project types of its own? */
  readonly isTyped: boolean;
}

export function offersOf({ tools, prompts, resources, templates, definitions }: Snapshot): Offers {
  const [hasTools, hasPrompts] = [tools.length > 0, prompts.length > 0];
  const hasTemplates = templates.some(({ parts }) => parts !== null);
  const hasResources = resources.length > 0 || hasTemplates;
  const isChecked = definitions.length > 0;
  return {
    hasTools,
    hasPrompts,
    hasResources,
    hasTemplates,
    hasAny: hasTools || hasPrompts || hasResources,
    isNamed: hasTools || hasPrompts,
    isChecked,
    isTyped: isChecked || hasTemplates,
  };
}
