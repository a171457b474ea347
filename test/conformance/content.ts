import { McpError } from "@mcpgen/runtime";

/** An image of one red pixel. */
export const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/** A sound of zero length. */
export const wav =
  "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

/** The error for unknown params. */
export const invalid = (message: string, data?: unknown): McpError =>
  new McpError(-32602, message, data);

/** Lets other tasks run first. */
export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));
