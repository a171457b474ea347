import type { Snapshot } from "../../ir/snapshot/model.js";

/** What a server offers, as far as the files of a project depend on it. */
interface ServerFeatures {
  readonly hasTools: boolean;
  readonly hasPrompts: boolean;
  /** True with fixed resources, or with templates that can be matched. */
  readonly hasResources: boolean;
  readonly hasTemplates: boolean;
  /** True if one of these exists, so that types of the revision are used. */
  readonly hasAny: boolean;
  /** True if there are values to check, so that guards are needed. */
  readonly isChecked: boolean;
  /** True if the project has its own types. */
  readonly isTyped: boolean;
}

export function serverFeatures({
  tools,
  prompts,
  resources,
  templates,
  definitions,
}: Snapshot): ServerFeatures {
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
    isChecked,
    isTyped: isChecked || hasTemplates,
  };
}
