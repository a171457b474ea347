/**
 * Tools, resources and prompts as lists, for the handlers of a server.
 * @module
 */
export type {
  Asking,
  Filled,
  Form,
  Questions,
  Sample,
  SampleParams,
} from "./features/ask.js";
export type {
  FeatureContext,
  FeatureOptions,
  Features,
  FeaturesFor,
  JsonSchema,
  Source,
  StandardSchema,
  WrappedCall,
} from "./features/feature.js";
export {
  type AnyTool,
  type ArgumentsOf,
  type ResultOf,
  type Tool,
  type ToolOptions,
  type ToolOutput,
  tools,
} from "./features/tools.js";
export {
  type FixedResource,
  type Resource,
  resources,
  type TemplateResource,
} from "./features/resources.js";
export type { VariablesOf } from "./features/template.js";
export {
  type Prompt,
  type PromptArgument,
  prompts,
} from "./features/prompts.js";
export type { Completer } from "./features/completion.js";
// What server.ts and mock.ts of a project import, which mcpgen writes.
export * from "./features/project.js";
