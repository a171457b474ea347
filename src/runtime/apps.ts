/**
 * MCP Apps: tools with web pages that a host shows beside their results.
 * @module
 */
export { apps, getUiCapability, type UiCapability } from "./role/apps/apps.js";
export { appTools, modelTools, type ToolAudience, uiUriOf } from "./role/apps/tools.js";
export { isUiResource, isUiUri, uiMimeType } from "./role/apps/meta.js";
export { readView, type View, type ViewClient } from "./role/apps/view.js";
export { type UiMeta } from "./role/apps/meta.js";
export { type UiResource, uiResource, uiTool, type UiToolMeta } from "./role/apps/declare.js";
