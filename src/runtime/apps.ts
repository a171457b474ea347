/**
 * MCP Apps: tools with web pages that a host shows beside their results.
 * @module
 */
export { apps, getUiCapability, type UiCapability } from "./apps/apps.js";
export {
  appTools,
  modelTools,
  type ToolAudience,
  uiUriOf,
} from "./apps/apps.js";
export { isUiResource, isUiUri, uiMimeType } from "./apps/meta.js";
export { readView, type View, type ViewClient } from "./apps/view.js";
export { type UiMeta } from "./apps/meta.js";
export {
  type UiResource,
  uiResource,
  uiTool,
  type UiToolMeta,
} from "./apps/declare.js";
