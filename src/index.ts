// The programmatic API: what the command line does, as functions that return data, print nothing and never exit.
export {
  defineConfig,
  type Config,
  type GenerateJob,
  type NameOverrides,
  type Selection,
  type ServerJob,
  type ServerSource,
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
  compareSurfaces,
  renderDriftsJson,
  renderDriftsMarkdown,
  renderDriftsText,
  type Audience,
  type ComparedSurface,
  type Drift,
  type DriftChange,
  type DriftClass,
  type DriftSubject,
  type SurfaceComparison,
} from "./ir/surface/diff/index.js";
export type { Surface } from "./ir/surface/model.js";
export {
  generate,
  readSchema,
  readSnapshot,
  type GeneratedFile,
  type GenerateOptions,
  type Generation,
  type Part,
  type SchemaOptions,
} from "./api.js";
