/**
 * The programmatic API: functions that return data, print nothing and never exit the process.
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
export { formatDiagnostic, SchemaError, type Diagnostic, type Location } from "./diagnostics.js";
export {
  diff,
  renderJson,
  renderMarkdown,
  renderText,
  type Comparison,
  type Difference,
} from "./ir/diff/index.js";
export type { Protocol } from "./ir/model.js";
export {
  renderDriftsJson,
  renderDriftsMarkdown,
  renderDriftsText,
  type Audience,
  type ComparedSnapshot,
  type Drift,
  type DriftChange,
  type DriftClass,
  type DriftSubject,
  type SnapshotComparison,
} from "./ir/snapshot/diff/index.js";
export type { Snapshot } from "./ir/snapshot/model.js";
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
