/**
 * The programmatic API: functions that return data, print nothing and never
 * exit the process.
 * @module
 */
export {
  defineConfig,
  type Config,
  type GenerateJob,
  type NameOverrides,
  type Selection,
  type ServerJob,
  type ServerSource,
  type UpdateSettings,
} from "./config.js";
export {
  formatDiagnostic,
  SchemaError,
  type Diagnostic,
  type Location,
} from "./generator/diagnostics.js";
export type {
  Audience,
  Compared,
  Comparison,
  Difference,
  Effect,
  Party,
  Severity,
  Subject,
} from "./generator/ir/change/model.js";
export type { Change } from "./generator/ir/change/kinds.js";
export { diff } from "./generator/ir/diff/index.js";
export type { Protocol } from "./generator/ir/model.js";
export {
  renderJson,
  renderMarkdown,
  renderText,
} from "./generator/ir/report/render.js";
export type { Snapshot } from "./generator/ir/snapshot/model.js";
export {
  compareSnapshots,
  generate,
  readSchema,
  readSnapshot,
  type GeneratedFile,
  type GenerateOptions,
  type Generation,
  type Part,
  type SchemaOptions,
} from "./api.js";
