/**
 * Tools, resources and prompts as lists, for the handlers of a server.
 * @module
 */
export type {
  FeatureContext,
  FeatureOptions,
  Features,
  FeaturesFor,
  JsonSchema,
  Source,
  StandardSchema,
  WrappedCall,
} from "./role/features/feature.js";
export {
  type AnyTool,
  type ArgumentsOf,
  type ResultOf,
  type Tool,
  type ToolOptions,
  type ToolOutput,
  tools,
} from "./role/features/tools.js";
export {
  type FixedResource,
  type Resource,
  resources,
  type TemplateResource,
} from "./role/features/resources.js";
export type { VariablesOf } from "./role/features/template.js";
export { type Prompt, type PromptArgument, prompts } from "./role/features/prompts.js";
export type { Completer } from "./role/features/completion.js";
